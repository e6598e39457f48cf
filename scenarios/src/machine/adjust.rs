//! Machines with some numbers changed: for sweeps and what-if questions.

use super::{Machine, allowed_instead_of, is_size};
use crate::error::Error;

/// How a number changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// To this value, in the unit of its key.
    To(f64),
    /// By this factor.
    By(f64),
}

/// One number of a machine, changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Adjustment {
    /// Section and key, as in `network.latency_ns`; of a list with the position, as in
    /// `network.protocols.0.latency_ns`.
    pub number: String,
    /// What becomes of it.
    pub change: Change,
}

impl Machine {
    /// Returns the names of all numbers, as in `network.latency_ns`.
    pub fn numbers(&self) -> Vec<String> {
        let name =
            |(section, key, _): (&str, String, _)| format!("{section}.{key}").replace('/', ".");
        self.quantities().into_iter().map(name).collect()
    }

    /// Returns this machine with some numbers changed, in order. Changed numbers have the provenance
    /// `defined`.
    ///
    /// # Errors
    /// Returns an error if the machine has no such number, or the new value is out of range.
    pub fn adjusted(self, adjustments: &[Adjustment]) -> Result<Self, Error> {
        if adjustments.is_empty() {
            return Ok(self);
        }
        let numbers = self.numbers();
        let mut text = serde_json::to_value(&self).expect("a machine is plain data");
        for Adjustment { number, change } in adjustments {
            let pointer = format!("/{}", number.replace('.', "/"));
            let known = numbers.contains(number).then(|| text.pointer_mut(&pointer)).flatten();
            let Some(quantity) = known else {
                let names = numbers.iter().map(String::as_str);
                return Err(Error::unknown("number of this machine", number, names));
            };
            let before = quantity["value"].as_f64().unwrap_or_default();
            let key = number.rsplit('.').next().unwrap_or_default();
            let after = match change {
                Change::To(value) => *value,
                // Half of an odd size is one, too.
                Change::By(factor) if is_size(key) => (before * factor).floor(),
                Change::By(factor) => before * factor,
            };
            if let Some(allowed) = allowed_instead_of(after, key) {
                let what = format!("{number} of the machine");
                return Err(Error::BadValue { what, value: after.to_string(), allowed });
            }
            *quantity = serde_json::json!({
                "value": after, "provenance": "defined", "source": format!("changed from {before}"),
            });
        }
        Ok(serde_json::from_value(text).expect("only values were changed"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn adjusted(number: &str, change: Change) -> Result<Machine, Error> {
        let machine = Machine::load("aries").expect("a machine of ours");
        machine.adjusted(&[Adjustment { number: number.into(), change }])
    }

    #[test]
    fn numbers_are_changed_by_name() {
        let before = Machine::load("aries").expect("a machine of ours");
        let after = adjusted("network.latency_ns", Change::By(2.0)).expect("it is there");
        assert_eq!(after.network.latency_ns.value, 2.0 * before.network.latency_ns.value);
        assert_eq!(after.costs, before.costs);
        let after =
            adjusted("network.protocols.0.per_byte_ps", Change::To(7.0)).expect("it is there");
        assert_eq!(after.network.protocols[0].per_byte_ps.value, 7.0);
        let error = |number, change| adjusted(number, change).expect_err("it is wrong").to_string();
        assert!(
            error("network.latncy_ns", Change::By(2.0))
                .contains("did you mean `network.latency_ns`")
        );
        assert!(error("network.latency_ns", Change::To(-1.0)).contains("allowed is 0 to 1e12"));
        assert!(error("name", Change::To(1.0)).contains("no number of this machine"));
        let limit = "buffering.eager_limit_bytes";
        assert!(error(limit, Change::To(1.5)).contains("allowed is a whole number from 0 to 1e15"));
        let odd = adjusted(limit, Change::To(4097.0)).expect("a size");
        let half = Adjustment { number: limit.into(), change: Change::By(0.5) };
        let half = odd.adjusted(&[half]).expect("a size").buffering.eager_limit_bytes.value;
        assert_eq!(half, 2048.0);
        let unchanged = adjusted("network.latency_ns", Change::By(1.0)).expect("it is there");
        assert_eq!(unchanged.network.latency_ns.value, before.network.latency_ns.value);
    }
}
