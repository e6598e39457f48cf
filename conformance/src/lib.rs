//! The conformance suite: the examples of the documents Windtunnel is made from, as programs of
//! our own with the verdict and the values each must give.
//!
//! Every program also runs by name: `windtunnel check B2.12 -n 4`, or `B2.18:as-printed` for a
//! variant.

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

/// The names of all examples, in the order of the documents.
pub const IDS: &str = include_str!("ids.txt");

/// Every example.
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

/// The program of a name like `B2.12` or `B2.18:as-printed`; `None` if it is no example's.
///
/// # Errors
/// If the example has no such variant, or cannot be run.
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

/// The numbers of ranks that an example is written for, the usual one first; `None` if it is no
/// example that can be run.
pub fn ranks_of(name: &str) -> Option<&'static [u32]> {
    find(name).ok().flatten().map(|case| case.ranks)
}

/// Resolves a request whose program is a name like `B2.12`; `None` if it is no example's.
///
/// # Errors
/// If the example has no such variant or cannot be run, if the request gives it parameters, or if
/// anything else in the request is wrong.
pub fn resolve(request: &Request) -> Result<Option<Scenario>, Error> {
    let Some(case) = find(&request.program)? else { return Ok(None) };
    if let Some(key) = request.parameters.keys().next() {
        return Err(Error::unknown("parameter of an example", key, []));
    }
    let mut request = request.clone();
    (case.options)(&mut request);
    request.resolve_program(row::program(case)).map(Some)
}
