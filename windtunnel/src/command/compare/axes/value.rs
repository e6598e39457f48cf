//! The values of axes: what each does to a request.

use std::{num::NonZeroU32, str::FromStr, sync::Arc};

use mpi_api::collective::select::Selector;
use scenarios::{
    error::Error,
    machine::{Adjustment, Change},
    options::{self, Folder, OrNone, size},
    program::parameters_of,
    scenario::Request,
};

use super::{
    super::values::{change, factor, is_factor, words},
    field::Field,
};
use crate::ranges::bad;

/// The eager limit among the numbers of a machine.
const EAGER_LIMIT: &str = "buffering.eager_limit_bytes";

/// Changes a request.
pub(super) type Apply = Arc<dyn Fn(&mut Request)>;

/// One value of an axis.
#[derive(Clone)]
pub(super) struct Value {
    pub(super) text: String,
    /// The value as a number or a factor, if it is one.
    pub(super) amount: Option<Change>,
    pub(super) apply: Apply,
}

impl Value {
    pub(super) fn new(text: &str, apply: impl Fn(&mut Request) + 'static) -> Self {
        Self { text: text.to_owned(), amount: None, apply: Arc::new(apply) }
    }

    fn with(self, amount: Change) -> Self {
        Self { amount: Some(amount), ..self }
    }

    fn with_number(self, number: f64) -> Self {
        self.with(Change::To(number))
    }

    fn with_factor(self, factor: f64) -> Self {
        self.with(Change::By(factor))
    }

    /// Returns the number that the value is, unless it is a factor.
    pub(super) fn number(&self) -> Option<f64> {
        match self.amount? {
            Change::To(number) => Some(number),
            Change::By(_) => None,
        }
    }

    /// Returns the factor by which the value multiplies the setting, if it does.
    pub(super) fn factor(&self) -> Option<f64> {
        match self.amount? {
            Change::To(_) => None,
            Change::By(factor) => Some(factor),
        }
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

/// Returns a value that is a name or a path, written as `text`.
fn named(text: &str, value: String, set: fn(&mut Request, &String)) -> Value {
    Value::new(text, move |request| set(request, &value))
}

/// Reads one value. Paths in it are relative to `folder`.
pub(super) fn value(
    field: &Field,
    (name, text): (&str, &str),
    base: &Request,
    folder: &Folder,
) -> Result<Value, Error> {
    let refuse = |why: String| bad(name, text, &why);
    Ok(match field {
        Field::Topology => {
            named(text, folder.part(text), |request, it| request.topology = Some(it.clone()))
        }
        Field::Machine => {
            named(text, folder.name_or_file(text), |request, it| request.machine.clone_from(it))
        }
        Field::Placement => {
            named(text, folder.part(text), |request, it| request.placement.clone_from(it))
        }
        Field::Network => {
            named(text, folder.part(text), |request, it| request.network = Some(it.clone()))
        }
        Field::Collectives => collectives(text),
        Field::Collective(collective) => algorithm(collective, text)?,
        Field::EagerLimit => eager_limit(name, text)?,
        Field::Buffering => buffering(name, text)?,
        Field::RanksPerNode => {
            let count = count(name, text)?;
            let value = Value::new(text, move |request| request.set_ranks_per_node(count));
            value.with_number(count.into())
        }
        Field::RanksPerSocket => {
            let count = count(name, text)?;
            let value = Value::new(text, move |request| request.ranks_per_socket = Some(count));
            value.with_number(count.into())
        }
        Field::Ranks => {
            let ranks = size(text).ok_or_else(|| bad(name, text, "a whole number from 1 on"))?;
            let ranks = u32::try_from(ranks).map_err(|_| bad(name, text, "a number of ranks"))?;
            Value::new(text, move |request| request.ranks = ranks).with_number(ranks.into())
        }
        Field::Number(number) => number_of_machine(number, name, text)?,
        Field::Scaled(aspect) => {
            let (aspect, factor) = (*aspect, factor(name, text)?);
            let value = Value::new(text, move |request| request.variation.scale(aspect, factor));
            value.with_factor(factor)
        }
        Field::Link(cable) => {
            let (cable, factor) = (cable.clone(), factor(name, text)?);
            let value = Value::new(text, move |request| {
                request.variation.link = Some((cable.clone(), factor));
            });
            value.with_factor(factor)
        }
        Field::Noise => {
            let noise: OrNone<options::Noise> = text.parse().map_err(refuse)?;
            let noise = folder.noise(noise);
            Value::new(text, move |request| request.noise.clone_from(&noise.0))
        }
        Field::Background => {
            let traffic: OrNone<options::BackgroundTraffic> = text.parse().map_err(refuse)?;
            Value::new(text, move |request| request.background = traffic.0)
        }
        Field::Seed => {
            let seed = text.parse().map_err(|_| refuse("a whole number from 0 on".into()))?;
            Value::new(text, move |request| request.seed = seed)
        }
        Field::Arguments => arguments(name, text, base)?,
        Field::Parameter(key) => parameter(key.clone(), text),
    })
}

/// Reads a buffering: a word, or a size with its unit.
fn buffering(name: &str, text: &str) -> Result<Value, Error> {
    let sized = size(text).map_or(text.to_owned(), |bytes| bytes.to_string());
    let buffering = options::Buffering::from_str(&sized)
        .map_err(|_| bad(name, text, "system, infinite, zero or bytes for each rank"))?;
    Ok(Value::new(text, move |request| request.buffering = buffering))
}

/// Returns a value of a parameter of a built-in program.
fn parameter(key: String, text: &str) -> Value {
    let number = size(text);
    let given = number.map_or(text.to_owned(), |number| number.to_string());
    let value = Value::new(text, move |request| {
        request.parameters.insert(key.clone(), given.clone());
    });
    Value { amount: number.map(|number| Change::To(number as f64)), ..value }
}

/// Reads a number of ranks on a part of a node.
fn count(name: &str, text: &str) -> Result<u32, Error> {
    let count = size(text).and_then(|count| u32::try_from(count).ok()).and_then(NonZeroU32::new);
    Ok(count.ok_or_else(|| bad(name, text, "a whole number from 1 on"))?.get())
}

/// Reads an algorithm of a collective; they are often written with hyphens.
fn algorithm(collective: &str, text: &str) -> Result<Value, Error> {
    let (allowed, text) = (algorithms(collective), text.replace('-', "_"));
    if !allowed.contains(&text) {
        let allowed = allowed.iter().map(String::as_str).chain(["all"]);
        return Err(Error::unknown("algorithm of this collective", &text, allowed));
    }
    let choice = format!("{collective}={text}");
    Ok(Value::new(&text, move |request| request.collectives.push(choice.clone())))
}

/// Reads an eager limit: a size, or a factor of the limit that holds without it.
fn eager_limit(name: &str, text: &str) -> Result<Value, Error> {
    if is_factor(text) {
        let factor = factor(name, text)?;
        let of_machine = Adjustment { number: EAGER_LIMIT.into(), change: Change::By(factor) };
        let value = Value::new(text, move |request| match &mut request.eager_limit {
            Some(bytes) => *bytes = (*bytes as f64 * factor) as u64,
            None => adjust(request, &of_machine),
        });
        return Ok(value.with_factor(factor));
    }
    let allowed = "a number of bytes with K, M, G or no unit, or a factor such as x2";
    let bytes = size(text).ok_or_else(|| bad(name, text, allowed))?;
    let value = Value::new(text, move |request| request.eager_limit = Some(bytes));
    Ok(value.with_number(bytes as f64))
}

/// Reads one value of a number of the machine.
fn number_of_machine(number: &str, name: &str, text: &str) -> Result<Value, Error> {
    let change = change(name, text)?;
    let adjustment = Adjustment { number: number.to_owned(), change };
    Ok(Value::new(text, move |request| adjust(request, &adjustment)).with(change))
}

/// Changes a number of the machine, unless that leaves it as it is.
fn adjust(request: &mut Request, adjustment: &Adjustment) {
    if adjustment.change != Change::By(1.0) {
        request.adjustments.push(adjustment.clone());
    }
}

/// Reads words that are added to the arguments of the program.
fn arguments(name: &str, text: &str, base: &Request) -> Result<Value, Error> {
    if !parameters_of(&base.program).is_empty() {
        let allowed = "an axis p.NAME: a built-in program takes parameters, no arguments";
        return Err(bad(name, text, allowed));
    }
    let words = words(text);
    let value = Value::new(text, move |request| request.arguments.extend(words.iter().cloned()));
    Ok(Value { amount: size(text).map(|number| Change::To(number as f64)), ..value })
}
