//! The tables of results that `sweep` writes for other programs.

use std::io;

use scenarios::error::Error;

use super::columns::Column;
use crate::{args::Sweep, output::Destination};

/// Beginning of every table with commas.
const CSV: [&[u8]; 1] = [b"number,seed,"];
/// Beginning of every file in the format Parquet.
const PARQUET: [&[u8]; 1] = [b"PAR1"];

/// The tables that a command is asked for.
pub(super) struct Tables {
    csv: Option<Destination>,
    parquet: Option<Destination>,
}

impl Tables {
    /// Checks that this build knows the formats that are asked for.
    ///
    /// # Errors
    /// Returns an error that says how to get a build that does.
    pub(super) fn can_be_written(asked: &Sweep) -> Result<(), Error> {
        if cfg!(feature = "parquet") { Ok(()) } else { no_parquet(asked.parquet.as_deref()) }
    }

    /// Claims the files.
    ///
    /// # Errors
    /// Returns an error if one cannot be written or is something else.
    pub(super) fn claim(asked: &Sweep) -> Result<Self, Error> {
        let csv = Destination::claim_if_asked(asked.csv.as_deref(), &CSV)?;
        let parquet = Destination::claim_if_asked(asked.parquet.as_deref(), &PARQUET)?;
        Ok(Self { csv, parquet })
    }

    /// Writes the tables.
    ///
    /// # Errors
    /// Returns an error if a file cannot be written, for example because the disk is full.
    pub(super) fn write(self, columns: &[Column]) -> Result<(), Error> {
        if let Some(file) = self.csv {
            file.write_with(|out| with_commas(columns, out))?;
        }
        if let Some(file) = self.parquet {
            write_parquet(file, columns)?;
        }
        Ok(())
    }
}

/// What a build without Parquet says.
fn no_parquet(file: Option<&str>) -> Result<(), Error> {
    file.map_or(Ok(()), |file| {
        Err(Error::BadValue {
            what: "--parquet".into(),
            value: file.into(),
            allowed: "nothing in this build, which has no Parquet: build it with `cargo install \
                      --path windtunnel --features parquet`, or take --csv"
                .into(),
        })
    })
}

#[cfg(feature = "parquet")]
fn write_parquet(file: Destination, columns: &[Column]) -> Result<(), Error> {
    file.write(&super::parquet::table(columns))
}

/// [`Tables::can_be_written`] has refused the option.
#[cfg(not(feature = "parquet"))]
fn write_parquet(_file: Destination, _columns: &[Column]) -> Result<(), Error> {
    Ok(())
}

/// Writes a table with commas (RFC 4180).
///
/// # Errors
/// Returns an error if `out` takes no more.
fn with_commas(columns: &[Column], out: &mut dyn io::Write) -> io::Result<()> {
    let mut table = csv::Writer::from_writer(out);
    table.write_record(columns.iter().map(|column| &column.name))?;
    let rows = columns.first().map_or(0, |column| column.values.len());
    for row in 0..rows {
        table.write_record(columns.iter().map(|column| column.text(row)))?;
    }
    table.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_without_parquet_says_how_to_get_one_that_has_it() {
        let told = no_parquet(Some("a.parquet")).expect_err("it cannot be written").to_string();
        assert!(told.contains("a.parquet") && told.contains("--features parquet"), "{told}");
        no_parquet(None).expect("nothing was asked for");
    }
}
