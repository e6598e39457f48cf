//! Windtunnel's command line with a topology and two network models more.

use std::process::ExitCode;

use own_network::{bus::BusKind, prism::Prism, shared::SharedKind};
use windtunnel::CommandLine;

fn main() -> ExitCode {
    CommandLine::new().topology(Prism).network(BusKind).network(SharedKind).main()
}
