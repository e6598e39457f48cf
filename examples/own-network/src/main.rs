//! Windtunnel's command line with one more topology and two more network models.

use std::process::ExitCode;

use own_network::{bus::BusKind, prism::Prism, shared::SharedKind};
use windtunnel::CommandLine;

fn main() -> ExitCode {
    CommandLine::new().topology(Prism).network(BusKind).network(SharedKind).main()
}
