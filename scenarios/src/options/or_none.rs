//! [`OrNone`]: options that `none` turns off.

use std::{borrow::Cow, fmt, str::FromStr};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// The word that turns an option off.
const NONE: &str = "none";

/// The value of an option, or `none`, which turns off what a scenario file asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(
    try_from = "String",
    into = "String",
    bound = "T: Clone + fmt::Display + FromStr<Err = String>"
)]
pub struct OrNone<T>(pub Option<T>);

impl<T: FromStr<Err = String>> FromStr for OrNone<T> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            NONE => Ok(Self(None)),
            _ => match text.parse() {
                Ok(value) => Ok(Self(Some(value))),
                Err(forms) => Err(format!("{forms}; or {NONE}")),
            },
        }
    }
}

impl<T: FromStr<Err = String>> TryFrom<String> for OrNone<T> {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl<T: fmt::Display> From<OrNone<T>> for String {
    fn from(value: OrNone<T>) -> Self {
        value.to_string()
    }
}

impl<T: fmt::Display> fmt::Display for OrNone<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(value) => value.fmt(f),
            None => f.write_str(NONE),
        }
    }
}

impl<T: JsonSchema> JsonSchema for OrNone<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("{}OrNone", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [generator.subschema_for::<T>(), { "const": NONE }] })
    }
}

#[cfg(test)]
mod tests {
    use super::{super::noise::Noise, *};

    #[test]
    fn values_and_none_are_written_as_they_are_read() {
        for text in ["none", "fixed:1ms,1us"] {
            let read: OrNone<Noise> = text.parse().expect(text);
            assert_eq!(read.to_string(), text);
            let json = serde_json::to_string(&read).expect("JSON");
            assert_eq!(serde_json::from_str::<OrNone<Noise>>(&json).expect("the same"), read);
        }
        let error = "nothing".parse::<OrNone<Noise>>().expect_err("no noise");
        assert!(error.ends_with("; or none"), "{error}");
    }
}
