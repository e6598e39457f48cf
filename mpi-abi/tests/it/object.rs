//! Objects and the environment from C: communicators, groups, attributes, topologies, info objects,
//! error handlers, sessions, beginning and end.

use crate::mpi::holds;

#[test]
fn communicators() {
    holds("communicators");
}

#[test]
fn groups() {
    holds("groups");
}

#[test]
fn attributes() {
    holds("attributes");
}

#[test]
fn topologies() {
    holds("topologies");
}

#[test]
fn info_objects() {
    holds("infos");
}

#[test]
fn error_handlers_and_texts() {
    holds("handlers");
}

#[test]
fn sessions() {
    holds("sessions");
}

#[test]
fn starting_and_ending() {
    holds("starting");
}

#[test]
fn processes_that_cannot_be_started() {
    holds("processes");
}

#[test]
fn the_tools_interface() {
    holds("tools");
}
