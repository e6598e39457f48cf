//! The conformance suite: the examples of the documents that Windtunnel is based on, as programs
//! written for this suite, with the verdict and the values that each must give.
//!
//! Every program can also be run by name: `windtunnel check B2.12 -n 4`, or `B2.18:as-printed` for
//! a variant.

mod row;

mod collectives;
mod communicators;
mod datatypes;
mod environment;
mod equivalences;
mod paper;
mod point_to_point;
mod startup;
mod textbook;
mod topologies;

pub use row::{Case, Expect, Form, Row, declare};

use scenarios::{
    error::Error,
    scenario::{Request, Scenario},
};

/// Names of all examples, one per line, in the order of the documents.
pub const IDS: &str = include_str!("ids.txt");

/// Returns all examples.
pub fn rows() -> Vec<Row> {
    let chapters = [
        point_to_point::rows,
        datatypes::rows,
        collectives::rows,
        communicators::rows,
        topologies::rows,
        environment::rows,
        startup::rows,
        textbook::rows,
        paper::rows,
        equivalences::rows,
    ];
    chapters.iter().flat_map(|rows| rows()).collect()
}

/// Returns the program with a name such as `B2.12` or `B2.18:as-printed`, or `None` if no example
/// has that name.
///
/// # Errors
/// Returns an error if the example has no such variant, or cannot be run.
pub fn find(name: &str) -> Result<Option<Case>, Error> {
    let (id, variant) = name.split_once(':').unwrap_or((name, ""));
    let Some(row) = rows().into_iter().find(|row| row.id == id) else { return Ok(None) };
    match row.form {
        Form::Remark(why) => Err(Error::BadValue {
            what: "the example".into(),
            value: name.into(),
            allowed: format!("one that can be run; {why}"),
        }),
        Form::Programs(cases) => {
            let named = cases.iter().map(|case| case.name).filter(|name| !name.is_empty());
            let names: Vec<&str> = named.collect();
            cases
                .iter()
                .find(|case| case.name == variant)
                .map(|case| Some(*case))
                .ok_or_else(|| Error::unknown("variant", variant, names))
        }
    }
}

/// Returns the numbers of ranks that an example is written for, the default first, or `None` if no
/// example that can be run has that name.
pub fn ranks_of(name: &str) -> Option<&'static [u32]> {
    find(name).ok().flatten().map(|case| case.ranks)
}

/// Resolves a request whose program has a name such as `B2.12`. Returns `None` if no example has
/// that name.
///
/// # Errors
/// Returns an error if the example has no such variant or cannot be run, if the request has
/// parameters, or if anything else in the request is wrong.
pub fn resolve(request: &Request) -> Result<Option<Scenario>, Error> {
    let Some(case) = find(&request.program)? else { return Ok(None) };
    if let Some(key) = request.parameters.keys().next() {
        return Err(Error::unknown("parameter of an example", key, []));
    }
    let mut request = request.clone();
    (case.options)(&mut request);
    request.resolve_program(row::program(case)).map(Some)
}
