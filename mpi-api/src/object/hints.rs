//! Hints of files: how collective and strided accesses are carried out (MPI section 14.2.8, and the names
//! that ROMIO has given to hints of the same purpose).

use serde::{Deserialize, Serialize};

/// Whether a technique is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Technique {
    /// Always.
    Enable,
    /// Never.
    Disable,
    /// Where it helps.
    Automatic,
}

impl Technique {
    fn parse(word: &str) -> Option<Self> {
        match word.to_ascii_lowercase().as_str() {
            "enable" | "true" => Some(Self::Enable),
            "disable" | "false" => Some(Self::Disable),
            "automatic" => Some(Self::Automatic),
            _ => None,
        }
    }

    /// Returns the value of the hint.
    pub fn word(self) -> &'static str {
        match self {
            Self::Enable => "enable",
            Self::Disable => "disable",
            Self::Automatic => "automatic",
        }
    }
}

/// The hints that a program has given; those that it has not given, and values that mean nothing, are
/// `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileHints {
    /// `cb_nodes`: number of aggregators.
    pub aggregators: Option<u32>,
    /// `cb_buffer_size`: bytes that an aggregator moves at once.
    pub collective_buffer: Option<u64>,
    /// `romio_cb_read`: collective buffering of reads.
    pub collective_read: Option<Technique>,
    /// `romio_cb_write`: collective buffering of writes.
    pub collective_write: Option<Technique>,
    /// `romio_ds_read`: data sieving of reads.
    pub sieve_read: Option<Technique>,
    /// `romio_ds_write`: data sieving of writes.
    pub sieve_write: Option<Technique>,
    /// `ind_rd_buffer_size`: bytes that sieving reads at once.
    pub read_buffer: Option<u64>,
    /// `ind_wr_buffer_size`: bytes that sieving writes at once.
    pub write_buffer: Option<u64>,
    /// `striping_factor`: number of servers that hold the file.
    pub stripe_count: Option<u32>,
    /// `striping_unit`: bytes of a stripe.
    pub stripe: Option<u64>,
    /// `start_iodevice`: the server of the first stripe.
    pub first_server: Option<u32>,
}

fn positive<T: TryFrom<u64>>(value: &str) -> Option<T> {
    let number: u64 = value.trim().parse().ok().filter(|number| *number > 0)?;
    T::try_from(number).ok()
}

impl FileHints {
    /// Sets the hint of this name. A name that is not known, or a value that means nothing, changes
    /// nothing.
    pub fn set(&mut self, name: &str, value: &str) {
        fn put<T>(place: &mut Option<T>, value: Option<T>) {
            if value.is_some() {
                *place = value;
            }
        }
        match name {
            "cb_nodes" => put(&mut self.aggregators, positive(value)),
            "cb_buffer_size" => put(&mut self.collective_buffer, positive(value)),
            "romio_cb_read" => put(&mut self.collective_read, Technique::parse(value)),
            "romio_cb_write" => put(&mut self.collective_write, Technique::parse(value)),
            "collective_buffering" => {
                put(&mut self.collective_read, Technique::parse(value));
                put(&mut self.collective_write, Technique::parse(value));
            }
            "romio_ds_read" => put(&mut self.sieve_read, Technique::parse(value)),
            "romio_ds_write" => put(&mut self.sieve_write, Technique::parse(value)),
            "ind_rd_buffer_size" => put(&mut self.read_buffer, positive(value)),
            "ind_wr_buffer_size" => put(&mut self.write_buffer, positive(value)),
            "striping_factor" => put(&mut self.stripe_count, positive(value)),
            "striping_unit" => put(&mut self.stripe, positive(value)),
            "start_iodevice" => put(&mut self.first_server, value.trim().parse().ok()),
            _ => {}
        }
    }

    /// Takes over the hints that `newer` has.
    pub fn update(&mut self, newer: &Self) {
        *self = Self {
            aggregators: newer.aggregators.or(self.aggregators),
            collective_buffer: newer.collective_buffer.or(self.collective_buffer),
            collective_read: newer.collective_read.or(self.collective_read),
            collective_write: newer.collective_write.or(self.collective_write),
            sieve_read: newer.sieve_read.or(self.sieve_read),
            sieve_write: newer.sieve_write.or(self.sieve_write),
            read_buffer: newer.read_buffer.or(self.read_buffer),
            write_buffer: newer.write_buffer.or(self.write_buffer),
            stripe_count: newer.stripe_count.or(self.stripe_count),
            stripe: newer.stripe.or(self.stripe),
            first_server: newer.first_server.or(self.first_server),
        };
    }
}

/// The values that are in use for a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HintsInUse {
    /// Number of aggregators.
    pub aggregators: u32,
    /// Bytes that an aggregator moves at once.
    pub collective_buffer: u64,
    /// Collective buffering of reads and of writes.
    pub collective: [Technique; 2],
    /// Data sieving of reads and of writes.
    pub sieve: [Technique; 2],
    /// Bytes that sieving reads, and writes, at once.
    pub sieve_buffer: [u64; 2],
    /// Number of servers that hold the file.
    pub stripe_count: u32,
    /// Bytes of a stripe.
    pub stripe: u64,
    /// The server of the first stripe.
    pub first_server: u32,
}

impl HintsInUse {
    /// Returns names and values, for `MPI_File_get_info`.
    pub fn pairs(&self) -> [(&'static str, String); 11] {
        let word = |technique: Technique| technique.word().to_owned();
        [
            ("cb_nodes", self.aggregators.to_string()),
            ("cb_buffer_size", self.collective_buffer.to_string()),
            ("romio_cb_read", word(self.collective[0])),
            ("romio_cb_write", word(self.collective[1])),
            ("romio_ds_read", word(self.sieve[0])),
            ("romio_ds_write", word(self.sieve[1])),
            ("ind_rd_buffer_size", self.sieve_buffer[0].to_string()),
            ("ind_wr_buffer_size", self.sieve_buffer[1].to_string()),
            ("striping_factor", self.stripe_count.to_string()),
            ("striping_unit", self.stripe.to_string()),
            ("start_iodevice", self.first_server.to_string()),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_that_mean_nothing_change_nothing() {
        let mut hints = FileHints::default();
        for (name, value) in [
            ("cb_nodes", "0"),
            ("cb_buffer_size", "much"),
            ("romio_cb_write", "perhaps"),
            ("striping_unit", "-4"),
            ("color", "1"),
        ] {
            hints.set(name, value);
            assert_eq!(hints, FileHints::default(), "{name}={value}");
        }
        hints.set("cb_nodes", "3");
        hints.set("cb_nodes", "none");
        hints.set("romio_cb_write", "DISABLE");
        assert_eq!(
            (hints.aggregators, hints.collective_write),
            (Some(3), Some(Technique::Disable))
        );
    }

    #[test]
    fn newer_hints_come_before_older_ones() {
        let mut hints = FileHints { aggregators: Some(2), stripe: Some(64), ..Default::default() };
        hints.update(&FileHints { aggregators: Some(5), ..Default::default() });
        assert_eq!((hints.aggregators, hints.stripe), (Some(5), Some(64)));
    }
}
