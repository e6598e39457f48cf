//! The command `windtunnel list`.

use std::sync::Arc;

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

use super::{functions, policies, program::Own};

const LISTS: [&str; 11] = [
    "programs",
    "examples",
    "machines",
    "topologies",
    "networks",
    "routings",
    "collectives",
    "selectors",
    "functions",
    "policies",
    "codes",
];

/// Prints the list called `what`, or the usual lists if it is `None`; of functions those of an edition of the
/// standard, if one is given.
///
/// # Errors
/// Returns an error if there is no list called `what`, or no such edition, or another list has no editions.
pub(crate) fn list(
    what: Option<&str>,
    edition: Option<&str>,
    as_json: bool,
    own: &Own,
) -> Result<u8, Error> {
    if let Some(name) = what
        && !LISTS.contains(&name)
    {
        return Err(Error::unknown("list", name, LISTS));
    }
    if let Some(edition) = edition {
        if what != Some("functions") {
            return Err(Error::BadValue {
                what: "the list that has editions".into(),
                value: what.unwrap_or("all lists").into(),
                allowed: "functions, as in `windtunnel list functions --edition 3.1`".into(),
            });
        }
        let known = mpi_functions::editions().map(|edition| edition.number);
        if !known.clone().any(|number| number == edition) {
            return Err(Error::unknown("edition of the standard", edition, known));
        }
    }
    let mut all = Map::new();
    for name in LISTS.into_iter().filter(|name| what.is_none_or(|what| what == *name)) {
        let rows = match name {
            "functions" => Some(json!(functions::of(edition))),
            "policies" => Some(json!(policies::all())),
            _ => None,
        };
        if let (true, Some(rows)) = (as_json, rows) {
            all.insert(name.into(), rows);
            continue;
        }
        let entries = entries(name, edition, own)?;
        if what.is_none() && matches!(name, "functions" | "examples") && !as_json {
            println!("{name}:\n  {} of them: windtunnel list {name}\n", entries.len());
            continue;
        }
        if as_json {
            let entries = entries
                .into_iter()
                .map(|(name, text)| json!({ "name": name, "description": text }))
                .collect();
            all.insert(name.into(), Value::Array(entries));
        } else {
            println!("{name}:");
            for (entry, text) in entries {
                println!("  {entry:<30} {text}");
            }
            println!();
        }
    }
    if as_json {
        println!("{:#}", Value::Object(all));
    }
    Ok(0)
}

fn entries(list: &str, edition: Option<&str>, own: &Own) -> Result<Vec<(String, String)>, Error> {
    let catalog = &own.catalog;
    let pair = |name: &str, text: &str| (name.to_string(), text.to_string());
    Ok(match list {
        "programs" => {
            let mine = own.program.iter();
            let mine = mine.map(|own| pair(&own.name, "your own; it runs if no program is named"));
            mine.chain(program::all().iter().map(|p| pair(p.name, p.summary))).collect()
        }
        "examples" => {
            let text = |row: &conformance::Row| match row.form {
                conformance::Form::Programs(_) => row.shows.to_owned(),
                conformance::Form::Remark(_) => format!("{} (cannot be run)", row.shows),
            };
            conformance::rows().iter().map(|row| pair(row.id, &text(row))).collect()
        }
        "machines" => Machine::names()
            .map(|name| Machine::load(name).map(|machine| pair(name, &machine.summary)))
            .collect::<Result<_, _>>()?,
        "topologies" => {
            let text = |known: &TopologyDescription| match checked(known.name, catalog) {
                Some(checked) => format!("{} ({checked})", known.summary),
                None => known.summary.to_owned(),
            };
            catalog.topologies().map(|known| (known.syntax.to_owned(), text(&known))).collect()
        }
        "networks" => catalog.models().flat_map(network_entries).collect(),
        "routings" => {
            let table = RouteTable::parse("", "").expect("an empty table has no wrong line");
            let table: Arc<dyn RoutingKind> = Arc::new(table);
            routings().into_iter().chain([table]).map(|kind| routing_entry(&*kind)).collect()
        }
        "collectives" => Selector::table()
            .into_iter()
            .map(|(name, algorithms)| (name.to_string(), algorithms.join(", ")))
            .collect(),
        "selectors" => SelectorName::ALL
            .map(|rule| (rule.name().to_string(), rule.describe().to_string()))
            .into(),
        "functions" => functions::of(edition)
            .into_iter()
            .map(|function| {
                let changes = function.changes();
                let text = format!("{:<10} {:<18} {changes}", function.status, function.standard);
                (function.name, text)
            })
            .collect(),
        "policies" => policies::all()
            .into_iter()
            .map(|policy| {
                let who = if policy.library { "with --strictness library" } else { "others" };
                let words = format!(
                    "{}: {} ({who}: {}) [{}; {}]",
                    policy.topic, policy.default, policy.other, policy.switch, policy.standard
                );
                (policy.name, words)
            })
            .collect(),
        _ => Code::ALL
            .iter()
            .map(|code| (code.name(), format!("{} ({})", code.title(), code.verdict().word())))
            .collect(),
    })
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
