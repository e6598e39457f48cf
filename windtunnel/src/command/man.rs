//! The command `windtunnel man`: the manual page, and completions for shells.

use std::io::{self, Write};

use clap::CommandFactory;
use scenarios::error::Error;

use crate::args::Cli;

/// Writes the manual page, or completions for a shell.
///
/// # Errors
/// Returns an error if the output cannot be written.
pub(crate) fn man(completions: Option<clap_complete::Shell>) -> Result<u8, Error> {
    let mut command = Cli::command();
    let mut bytes = Vec::new();
    let failed = |error: io::Error| Error::BadFile {
        path: "the standard output".into(),
        reason: error.to_string(),
    };
    match completions {
        Some(shell) => {
            clap_complete::generate(shell, &mut command, "windtunnel", &mut bytes);
        }
        None => {
            clap_mangen::Man::new(command.clone()).render(&mut bytes).map_err(failed)?;
            for part in command.get_subcommands().filter(|part| !part.is_hide_set()) {
                let man = clap_mangen::Man::new(part.clone());
                writeln!(bytes, ".SH \"WINDTUNNEL {}\"", part.get_name().to_uppercase())
                    .map_err(failed)?;
                man.render_description_section(&mut bytes).map_err(failed)?;
                man.render_options_section(&mut bytes).map_err(failed)?;
            }
        }
    }
    print!("{}", String::from_utf8_lossy(&bytes));
    Ok(0)
}
