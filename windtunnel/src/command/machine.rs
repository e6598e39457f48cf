//! The command `windtunnel machine`: machine files to start from.

use scenarios::{error::Error, machine::Machine};

use super::program::Own;
use crate::args::{List, MachineCommand};

/// Prints the file of a machine, or the names of all.
///
/// # Errors
/// Returns an error if there is no such machine.
pub(crate) fn machine(what: &MachineCommand, own: &Own) -> Result<u8, Error> {
    match what {
        MachineCommand::List { json } => super::list(Some(List::Machines), None, *json, own),
        MachineCommand::Show { name } => {
            print!("{}", Machine::file(name)?);
            Ok(0)
        }
    }
}
