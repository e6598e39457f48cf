//! Files that come with the program: machines, scenarios and their schemas.

mod all_to_all;
mod classes;
mod library;
mod nics;
mod reordering;
mod schema;
mod sockets;
mod torus;
mod verdicts;
