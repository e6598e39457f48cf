//! Values with units, as the command line and JSON write them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use self::words::duration;
#[cfg(feature = "clap")]
pub(super) use self::words::key_value;
pub(super) use self::words::size_above_zero;
pub use self::words::{size_of_any, whole_number};

/// Makes types that JSON has as the text of the command line: they serialize through `String`, by
/// `FromStr` and `Display`.
macro_rules! as_text {
    ($type:ty) => {
        impl TryFrom<String> for $type {
            type Error = <$type as std::str::FromStr>::Err;

            fn try_from(text: String) -> Result<Self, Self::Error> {
                text.parse()
            }
        }

        impl From<$type> for String {
            fn from(value: $type) -> Self {
                value.to_string()
            }
        }
    };
}
pub(crate) use as_text;

/// The words for strictness, as JSON has them.
#[derive(Clone, Copy, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Strictness {
    /// A run goes on wherever common MPI libraries go on.
    Library,
    /// What the standard does not allow is a finding.
    Standard,
}

/// Serialization of the strictness in JSON: a word.
pub(super) mod strictness {
    use mpi_api::policy;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::Strictness;

    pub(in super::super) fn serialize<S: Serializer>(
        strictness: &Option<policy::Strictness>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let word = strictness.map(|strictness| match strictness {
            policy::Strictness::Library => Strictness::Library,
            policy::Strictness::Standard => Strictness::Standard,
        });
        word.serialize(serializer)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<policy::Strictness>, D::Error> {
        let word = Option::<Strictness>::deserialize(deserializer)?;
        Ok(word.map(|word| match word {
            Strictness::Library => policy::Strictness::Library,
            Strictness::Standard => policy::Strictness::Standard,
        }))
    }
}

/// Serialization of a simulated time in JSON: whole nanoseconds.
pub(super) mod nanoseconds {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use sim_core::SimTime;

    pub(in super::super) fn serialize<S: Serializer>(
        time: &Option<SimTime>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        time.map(|time| time.as_ps() / 1000).serialize(serializer)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<SimTime>, D::Error> {
        let count = Option::<u64>::deserialize(deserializer)?;
        Ok(count.map(|count| SimTime::from_ps(count.saturating_mul(1000))))
    }
}

/// Serialization of parameters in JSON: an object of whole numbers.
pub(super) mod parameters {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serializer};

    pub(in super::super) fn serialize<S: Serializer>(
        parameters: &[(String, String)],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let number = |text: &str| text.parse::<u64>().map_err(serde::ser::Error::custom);
        let numbers = parameters.iter().map(|(key, text)| Ok((key, number(text)?)));
        serializer.collect_map(numbers.collect::<Result<BTreeMap<_, _>, _>>()?)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<(String, String)>, D::Error> {
        let numbers = BTreeMap::<String, u64>::deserialize(deserializer)?;
        Ok(numbers.into_iter().map(|(key, value)| (key, value.to_string())).collect())
    }
}

/// Parsers for values as users write them.
mod words {
    use network_models::{scaled, size};
    use sim_core::SimTime;

    /// Units of a simulated time and the picoseconds of one.
    const TIMES: [(&str, f64); 4] = [("s", 1e12), ("ms", 1e9), ("us", 1e6), ("ns", 1e3)];

    #[cfg(feature = "clap")]
    pub(in super::super) fn key_value(text: &str) -> Result<(String, String), String> {
        match text.split_once('=') {
            Some((key, value)) => Ok((key.into(), value.into())),
            None => Err("a parameter is written key=value".into()),
        }
    }

    /// Parses a simulated time with its unit, such as `1.5us`, with a resolution of one picosecond.
    ///
    /// # Errors
    /// Returns what is allowed.
    pub fn duration(text: &str) -> Result<SimTime, String> {
        match scaled(text, &TIMES) {
            Some(time) if time > 0.0 && time < 1.8e19 => Ok(SimTime::from_ps(time.round() as u64)),
            Some(_) => Err("a time is more than 0 and at most 18000000s".into()),
            None => Err("a time is written with its unit: 2s, 10ms, 5us or 100ns".into()),
        }
    }

    /// Parses a whole number that is not negative.
    ///
    /// # Errors
    /// Returns what is allowed.
    pub fn whole_number(text: &str) -> Result<u64, String> {
        text.parse().map_err(|_| format!("a whole number from 0 to {} is wanted", u64::MAX))
    }

    /// What a size is, for messages.
    const SIZE: &str = "a size is a whole number with a unit or none: 64M, 512KiB, 4GB, 1048576";

    /// Parses a number of bytes, with or without a unit, that is more than 0.
    pub(in super::super) fn size_above_zero(text: &str) -> Result<u64, String> {
        size(text).filter(|bytes| *bytes > 0).ok_or_else(|| SIZE.into())
    }

    /// Parses a number of bytes, with or without a unit.
    ///
    /// # Errors
    /// Returns what is allowed.
    pub fn size_of_any(text: &str) -> Result<u64, String> {
        size(text).ok_or_else(|| SIZE.into())
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn sizes_are_more_than_zero() {
            assert!(size_above_zero("1 M").is_err());
            assert!(size_above_zero("0").is_err());
            assert_eq!(size_above_zero("4K"), Ok(4096));
        }

        #[test]
        fn times_have_units() {
            assert_eq!(duration("10ms"), Ok(SimTime::from_ps(10_000_000_000)));
            assert_eq!(duration("1.5us"), Ok(SimTime::from_ps(1_500_000)));
            for wrong in ["10", "ms", "-1ms", "0s", "1h", "1e30s", "", "NaNs", "infs"] {
                assert!(duration(wrong).is_err(), "{wrong}");
            }
        }
    }
}
