//! Collectives and operations from C, in every form.

use crate::mpi::holds;

#[test]
fn predefined_operations_on_all_types() {
    holds("reductions");
}

#[test]
fn operations_of_the_program() {
    holds("operations");
}

#[test]
fn wrong_arguments() {
    holds("collective_errors");
}

#[test]
fn types_places_and_many_at_once() {
    holds("collective_shapes");
}

#[test]
fn between_two_groups() {
    holds("between_groups");
}
