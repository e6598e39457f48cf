//! The values of axes: what each does to a request.

use std::{num::NonZeroU32, str::FromStr, sync::Arc};

use mpi_api::collective::select::Selector;
use scenarios::{
    error::Error,
    machine::{Adjustment, Change},
    options,
    program::parameters_of,
    scenario::Request,
};

use super::{
    super::values::{bad, change, size, words},
    field::Field,
};

/// Changes a request.
pub(super) type Apply = Arc<dyn Fn(&mut Request)>;

/// One value of an axis.
#[derive(Clone)]
pub(super) struct Value {
    pub(super) text: String,
    pub(super) number: Option<f64>,
    pub(super) apply: Apply,
}

impl Value {
    pub(super) fn new(text: &str, apply: impl Fn(&mut Request) + 'static) -> Self {
        Self { text: text.to_owned(), number: None, apply: Arc::new(apply) }
    }

    fn with_number(self, number: f64) -> Self {
        Self { number: Some(number), ..self }
    }
}

/// Returns the topology of the request, or that of the machine, as a value.
pub(super) fn as_it_is(base: &Request) -> Value {
    let topology = base.topology.clone();
    let text = topology.clone().unwrap_or_else(|| "the machine's".into());
    Value::new(&text, move |request| request.topology.clone_from(&topology))
}

/// Returns all algorithms of a collective.
pub(super) fn algorithms(collective: &str) -> Vec<String> {
    let table = Selector::table();
    let found = table.into_iter().find(|(name, _)| *name == collective);
    found.map_or(Vec::new(), |(_, all)| all.iter().map(ToString::to_string).collect())
}

/// Returns choices of algorithms, joined by `+`, as a value.
pub(super) fn collectives(text: &str) -> Value {
    let choices: Vec<String> = text.split('+').map(ToString::to_string).collect();
    Value::new(text, move |request| request.collectives.extend(choices.iter().cloned()))
}

/// Reads one value.
pub(super) fn value(field: &Field, name: &str, text: &str, base: &Request) -> Result<Value, Error> {
    let owned = text.to_owned();
    let whole = |allowed: &str| size(text).ok_or_else(|| bad(name, text, allowed));
    Ok(match field {
        Field::Topology => Value::new(text, move |request| request.topology = Some(owned.clone())),
        Field::Machine => Value::new(text, move |request| request.machine.clone_from(&owned)),
        Field::Placement => Value::new(text, move |request| request.placement.clone_from(&owned)),
        Field::Network => Value::new(text, move |request| request.network = Some(owned.clone())),
        Field::Collectives => collectives(text),
        Field::Collective(collective) => {
            // Algorithms are often written with hyphens.
            let (allowed, text) = (algorithms(collective), text.replace('-', "_"));
            let text = text.as_str();
            if !allowed.contains(&text.to_owned()) {
                let allowed = allowed.iter().map(String::as_str).chain(["all"]);
                return Err(Error::unknown("algorithm of this collective", text, allowed));
            }
            let choice = format!("{collective}={text}");
            Value::new(text, move |request| request.collectives.push(choice.clone()))
        }
        Field::EagerLimit => {
            let bytes = whole("a number of bytes with K, M, G or no unit")?;
            let value = Value::new(text, move |request| request.eager_limit = Some(bytes));
            value.with_number(bytes as f64)
        }
        Field::Buffering => {
            let sized = size(text).map_or(owned, |bytes| bytes.to_string());
            let buffering = options::Buffering::from_str(&sized)
                .map_err(|_| bad(name, text, "system, infinite, zero or bytes for each rank"))?;
            Value::new(text, move |request| request.buffering = buffering)
        }
        Field::RanksPerNode | Field::RanksPerSocket => {
            let count = text.parse::<NonZeroU32>();
            let count = count.map_err(|_| bad(name, text, "a whole number from 1 on"))?.get();
            let on_node = *field == Field::RanksPerNode;
            let value = Value::new(text, move |request| match on_node {
                true => request.ranks_per_node = count,
                false => request.ranks_per_socket = Some(count),
            });
            value.with_number(count.into())
        }
        Field::Ranks => {
            let ranks = whole("a whole number from 1 on")?;
            let ranks = u32::try_from(ranks).map_err(|_| bad(name, text, "a number of ranks"))?;
            Value::new(text, move |request| request.ranks = ranks).with_number(ranks.into())
        }
        Field::Seed | Field::Noise | Field::Background | Field::Number(_) => {
            circumstance(field, name, text)?
        }
        Field::Arguments => {
            if !parameters_of(&base.program).is_empty() {
                let allowed = "an axis p.NAME: a built-in program takes parameters, no arguments";
                return Err(bad(name, text, allowed));
            }
            let words = words(text);
            let value =
                Value::new(text, move |request| request.arguments.extend(words.iter().cloned()));
            let number = size(text).map(|number| number as f64);
            Value { number, ..value }
        }
        Field::Parameter(key) => {
            let (key, number) = (key.clone(), size(text));
            let given = number.map_or(owned, |number| number.to_string());
            let value = Value::new(text, move |request| {
                request.parameters.insert(key.clone(), given.clone());
            });
            Value { number: number.map(|number| number as f64), ..value }
        }
    })
}

/// Reads one value of an axis of the surroundings: seed, noise, traffic of others, machine.
fn circumstance(field: &Field, name: &str, text: &str) -> Result<Value, Error> {
    let refuse = |why: String| bad(name, text, &why);
    if let Field::Number(number) = field {
        let change = change(name, text)?;
        let adjustment = Adjustment { number: number.clone(), change };
        let (Change::To(shown) | Change::By(shown)) = change;
        let value = Value::new(text, move |request| request.adjustments.push(adjustment.clone()));
        return Ok(value.with_number(shown));
    }
    if *field == Field::Noise {
        let noise: options::Noise = text.parse().map_err(refuse)?;
        return Ok(Value::new(text, move |request| request.noise = Some(noise.clone())));
    }
    if *field == Field::Background {
        let traffic: options::BackgroundTraffic = text.parse().map_err(refuse)?;
        return Ok(Value::new(text, move |request| request.background = Some(traffic)));
    }
    let seed = text.parse().map_err(|_| refuse("a whole number from 0 on".into()))?;
    Ok(Value::new(text, move |request| request.seed = seed))
}
