//! The command `windtunnel list`.

use std::sync::Arc;

use clap::ValueEnum;
use mpi_api::{
    collective::select::{Selector, SelectorName},
    finding::Code,
};
use network_models::{
    Catalog, ModelKind, ModelOption, RouteTable, RoutingKind, TopologyDescription, routings,
};
use scenarios::{error::Error, machine::Machine, program};
use serde_json::{Map, Value, json};
use sim_core::words::counted;

use super::{
    functions::{self, Function},
    policies::{self, Policy},
    program::Own,
};
use crate::args::List;

/// Prints `what`, or all lists if it is `None`; of functions those of an edition of the standard, if one is
/// given.
///
/// # Errors
/// Returns an error if there is no such edition, or another list, which has no editions, is asked for.
pub(crate) fn list(
    what: Option<List>,
    edition: Option<&str>,
    as_json: bool,
    own: &Own,
) -> Result<u8, Error> {
    if let Some(edition) = edition {
        check_edition(what, edition)?;
    }
    let lists = List::value_variants().iter().copied();
    let mut all = Map::new();
    for list in lists.filter(|list| what.is_none_or(|what| what == *list)) {
        let name = name(list);
        if as_json {
            all.insert(name, Value::Array(objects(list, edition, own)?));
            continue;
        }
        let entries = entries(list, edition, own)?;
        if what.is_none() && is_long(list) {
            println!("{name}:\n  {} of them: windtunnel list {name}\n", entries.len());
            continue;
        }
        println!("{name}:");
        for (entry, text) in entries {
            println!("  {entry:<30} {text}");
        }
        println!();
    }
    if as_json {
        println!("{:#}", Value::Object(all));
    }
    Ok(0)
}

/// Checks that functions are asked for, and the edition is one of the standard.
fn check_edition(what: Option<List>, edition: &str) -> Result<(), Error> {
    if what != Some(List::Functions) {
        return Err(Error::BadValue {
            what: "the list that has editions".into(),
            value: what.map_or_else(|| "all lists".into(), name),
            allowed: "functions, as in `windtunnel list functions --edition 3.1`".into(),
        });
    }
    let known = mpi_functions::editions().map(|edition| edition.number);
    match known.clone().any(|number| number == edition) {
        true => Ok(()),
        false => Err(Error::unknown("edition of the standard", edition, known)),
    }
}

/// Returns the name of a list, as it is written on the command line.
fn name(list: List) -> String {
    let value = list.to_possible_value().expect("no list is left out of the command line");
    value.get_name().to_owned()
}

/// Returns whether a list is too long to be printed with the others.
fn is_long(list: List) -> bool {
    match list {
        List::Examples | List::Functions => true,
        List::Programs
        | List::Machines
        | List::Topologies
        | List::Networks
        | List::Routings
        | List::Collectives
        | List::Selectors
        | List::Policies
        | List::Codes => false,
    }
}

/// Returns the entries of a list as JSON.
fn objects(list: List, edition: Option<&str>, own: &Own) -> Result<Vec<Value>, Error> {
    Ok(match list {
        List::Functions => functions::of(edition).iter().map(|row| json!(row)).collect(),
        List::Policies => policies::all().iter().map(|row| json!(row)).collect(),
        List::Programs
        | List::Examples
        | List::Machines
        | List::Topologies
        | List::Networks
        | List::Routings
        | List::Collectives
        | List::Selectors
        | List::Codes => {
            let object = |(name, text)| json!({ "name": name, "description": text });
            entries(list, edition, own)?.into_iter().map(object).collect()
        }
    })
}

/// Returns the entries of a list: names with descriptions.
fn entries(list: List, edition: Option<&str>, own: &Own) -> Result<Vec<(String, String)>, Error> {
    let catalog = &own.catalog;
    let pair = |name: &str, text: &str| (name.to_string(), text.to_string());
    Ok(match list {
        List::Programs => {
            let mine = own.program.iter();
            let mine = mine.map(|own| pair(&own.name, "your own; it runs if no program is named"));
            mine.chain(program::all().iter().map(|p| pair(p.name, p.summary))).collect()
        }
        List::Examples => conformance::rows().iter().map(example_entry).collect(),
        List::Machines => Machine::names()
            .map(|name| Machine::load(name).map(|machine| pair(name, &machine.summary)))
            .collect::<Result<_, _>>()?,
        List::Topologies => {
            let text = |known: &TopologyDescription| match checked(known.name, catalog) {
                Some(checked) => format!("{} ({checked})", known.summary),
                None => known.summary.to_owned(),
            };
            catalog.topologies().map(|known| (known.syntax.to_owned(), text(&known))).collect()
        }
        List::Networks => catalog.models().flat_map(network_entries).collect(),
        List::Routings => {
            let table = RouteTable::parse("", "").expect("an empty table has no wrong line");
            let table: Arc<dyn RoutingKind> = Arc::new(table);
            routings().into_iter().chain([table]).map(|kind| routing_entry(&*kind)).collect()
        }
        List::Collectives => Selector::table()
            .into_iter()
            .map(|(name, algorithms)| (name.to_string(), algorithms.join(", ")))
            .collect(),
        List::Selectors => SelectorName::ALL
            .map(|rule| (rule.name().to_string(), rule.describe().to_string()))
            .into(),
        List::Functions => functions::of(edition).into_iter().map(function_entry).collect(),
        List::Policies => policies::all().into_iter().map(policy_entry).collect(),
        List::Codes => Code::ALL
            .iter()
            .map(|code| (code.name(), format!("{} ({})", code.title(), code.verdict().word())))
            .collect(),
    })
}

/// Returns the entry of an example of the documents.
fn example_entry(row: &conformance::Row) -> (String, String) {
    let text = match row.form {
        conformance::Form::Programs(_) => row.shows.to_owned(),
        conformance::Form::Remark(_) => format!("{} (cannot be run)", row.shows),
    };
    (row.id.to_owned(), text)
}

/// Returns the entry of a function of MPI.
fn function_entry(function: Function) -> (String, String) {
    let changes = function.changes();
    let text = format!("{:<10} {:<18} {changes}", function.status, function.standard);
    (function.name, text)
}

/// Returns the entry of a policy.
fn policy_entry(policy: Policy) -> (String, String) {
    let who = if policy.library { "with --strictness library" } else { "others" };
    let words = format!(
        "{}: {} ({who}: {}) [{}; {}]",
        policy.topic, policy.default, policy.other, policy.switch, policy.standard
    );
    (policy.name, words)
}

/// Number of nodes of the topologies whose routes are checked.
const CHECKED: u32 = 16;

/// Returns whether the routes of a topology of a few nodes are free from deadlock, by its channel
/// dependency graph; `None` if the topology has no sizes of its own.
fn checked(name: &str, catalog: &Catalog) -> Option<String> {
    let built = catalog.topology(name).ok()?.build(CHECKED).ok()?;
    let channels = counted(built.channels().into(), "virtual channel");
    Some(match built.deadlock() {
        None => format!("{} with {channels}: free from deadlock, as checked now", built.name()),
        Some(cycle) => format!("{} with {channels} can deadlock: {cycle}", built.name()),
    })
}

/// Returns the entries of a network model: the model, and each of its options.
fn network_entries(kind: &dyn ModelKind) -> Vec<(String, String)> {
    let known = kind.description();
    let model = (known.name.to_owned(), format!("{} ({})", known.summary, known.source));
    let option =
        |option: &ModelOption| (format!("{}:{option}", known.name), option.summary.to_owned());
    std::iter::once(model).chain(kind.options().iter().map(option)).collect()
}

/// Returns the entry of a routing.
fn routing_entry(kind: &dyn RoutingKind) -> (String, String) {
    let known = kind.description();
    let (summary, channels, source) = (known.summary, known.channels, known.source);
    (known.name.to_owned(), format!("{summary}; virtual channels: {channels} ({source})"))
}
