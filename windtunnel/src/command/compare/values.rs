//! The values of an axis as users write them.

use scenarios::{error::Error, machine::Change, options::size};

use crate::ranges::bad;

/// Returns the words of a command line: separated by spaces outside quotes of either kind.
pub(super) fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let (mut quote, mut open) = (None, false);
    for letter in text.chars() {
        match (quote, letter) {
            (Some(end), _) if letter == end => quote = None,
            (None, '"' | '\'') => {
                quote = Some(letter);
                if !open {
                    words.push(String::new());
                }
                open = true;
            }
            (None, _) if letter.is_whitespace() => open = false,
            _ => {
                if !open {
                    words.push(String::new());
                }
                open = true;
                words.last_mut().expect("it was begun").push(letter);
            }
        }
    }
    words
}

/// Returns the digits of a factor, as in `x0.5`; no number is written like that.
fn digits_of_factor(text: &str) -> Option<&str> {
    text.strip_prefix('x')
}

/// Returns whether a number is written as a factor.
pub(super) fn is_factor(text: &str) -> bool {
    digits_of_factor(text).is_some()
}

/// Reads a factor, as in `x0.5`.
///
/// # Errors
/// Returns an error if it is not written like that, or is not above zero.
pub(super) fn factor(axis: &str, text: &str) -> Result<f64, Error> {
    let number = digits_of_factor(text).and_then(|digits| digits.parse::<f64>().ok());
    let usual = number.filter(|factor| *factor > 0.0 && *factor <= 1e6);
    usual.ok_or_else(|| bad(axis, text, "a factor above 0 and at most a million, as in x0.5 or x2"))
}

/// Reads how a number of a machine changes: `x0.5` is a factor; other values are in the unit of the
/// number's name, or in bytes with one of the units K, M, G where they are bytes.
///
/// # Errors
/// Returns an error if the value is neither.
pub(super) fn change(axis: &str, text: &str) -> Result<Change, Error> {
    let allowed = "a factor such as x0.5, or a number in the unit of the name, as in 1000";
    let number = |digits: &str| {
        let number = digits.parse::<f64>().ok();
        let number = number.filter(|number| number.is_finite() && *number >= 0.0);
        number.ok_or_else(|| bad(axis, text, allowed))
    };
    match digits_of_factor(text) {
        Some(factor) => number(factor).map(Change::By),
        None if axis.ends_with("_bytes") => match size(text) {
            Some(bytes) => Ok(Change::To(bytes as f64)),
            None => number(text).map(Change::To),
        },
        None => number(text).map(Change::To),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_quotes() {
        assert_eq!(words("8  'a b' \"c\"d"), ["8", "a b", "cd"]);
        assert_eq!(words("  "), [""; 0]);
        assert_eq!(words("''"), [""]);
    }

    #[test]
    fn factors_are_above_zero() {
        assert_eq!(factor("latency", "x0.5").ok(), Some(0.5));
        for wrong in ["0.5", "x0", "x-1", "xNaN", "xinf", "x", "x1e9"] {
            assert!(factor("latency", wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn machine_numbers_are_absolute_or_relative() {
        let read = |axis, text| change(axis, text).ok();
        assert_eq!(read("network.latency_ns", "x0.5"), Some(Change::By(0.5)));
        assert_eq!(read("network.latency_ns", "1000"), Some(Change::To(1000.0)));
        assert_eq!(read("buffering.eager_limit_bytes", "8K"), Some(Change::To(8192.0)));
        for wrong in ["x", "x-1", "-1", "1ms", "NaN", "inf", ""] {
            assert_eq!(read("network.latency_ns", wrong), None, "{wrong}");
        }
    }
}
