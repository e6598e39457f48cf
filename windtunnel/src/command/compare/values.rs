//! The values of an axis as users write them.

use scenarios::{error::Error, machine::Change, options::size};

/// Most values of a range.
const RANGE_MAX: usize = 64;

/// Returns the values of a list: separated by commas outside double quotes. Quotes around a whole
/// value are removed.
pub(super) fn list(text: &str) -> Vec<String> {
    let mut values = vec![String::new()];
    let mut quoted = false;
    for letter in text.chars() {
        quoted ^= letter == '"';
        match letter {
            ',' if !quoted => values.push(String::new()),
            _ => values.last_mut().expect("there is one").push(letter),
        }
    }
    values.iter().map(|value| unquoted(value.trim()).to_owned()).collect()
}

fn unquoted(value: &str) -> &str {
    let inner = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inner.filter(|inner| !inner.contains('"')).unwrap_or(value)
}

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

/// Returns a whole number with the largest unit of which it is a multiple.
pub(in crate::command) fn shown(value: u64) -> String {
    for (unit, letter) in [(1 << 30, "G"), (1 << 20, "M"), (1 << 10, "K")] {
        if value > 0 && value.is_multiple_of(unit) {
            return format!("{}{letter}", value / unit);
        }
    }
    value.to_string()
}

/// Returns the values of a list in which `A..B` stands for A, 2 A, 4 A and so on, and at last B;
/// `A..BxF` is the same with the factor F.
///
/// # Errors
/// Returns an error if a range does not begin above zero with its smaller end, its factor is less than
/// two, or it has more than 64 values.
pub(super) fn ranges(axis: &str, values: Vec<String>) -> Result<Vec<String>, Error> {
    let mut all = Vec::new();
    for value in values {
        let Some((first, rest)) = value.split_once("..") else {
            all.push(value);
            continue;
        };
        let (last, factor) = rest.split_once('x').unwrap_or((rest, "2"));
        let (first, last, factor) = (size(first), size(last), factor.parse::<u64>().ok());
        let bounds = first.zip(last).filter(|(first, last)| *first > 0 && first <= last);
        let Some(((first, last), factor)) = bounds.zip(factor.filter(|factor| *factor > 1)) else {
            return Err(bad(axis, &value, "a range such as 8..64K, or 8..64Kx4 for a factor of 4"));
        };
        let values = std::iter::successors(Some(first), |value| value.checked_mul(factor));
        let before = values.take_while(|value| *value < last).take(RANGE_MAX);
        let values: Vec<u64> = before.chain([last]).collect();
        if values.len() > RANGE_MAX {
            return Err(bad(axis, &value, &format!("a range of at most {RANGE_MAX} values")));
        }
        all.extend(values.into_iter().map(shown));
    }
    Ok(all)
}

/// Creates the error for a value of an axis.
pub(super) fn bad(axis: &str, value: &str, allowed: &str) -> Error {
    Error::BadValue {
        what: format!("a value of axis `{axis}`"),
        value: value.into(),
        allowed: allowed.into(),
    }
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
    fn lists_and_words_have_quotes() {
        assert_eq!(list("8,1024"), ["8", "1024"]);
        assert_eq!(list("\"a,b\", c d"), ["a,b", "c d"]);
        assert_eq!(list("x=\"a,b\" -v"), ["x=\"a,b\" -v"]);
        assert_eq!(list(""), [""]);
        assert_eq!(words("8  'a b' \"c\"d"), ["8", "a b", "cd"]);
        assert_eq!(words("  "), [""; 0]);
        assert_eq!(words("''"), [""]);
    }

    #[test]
    fn ranges_multiply() {
        let read = |text: &str| ranges("bytes", list(text)).map_err(|error| error.to_string());
        assert_eq!(read("0,8..64").expect("a range"), ["0", "8", "16", "32", "64"]);
        assert_eq!(read("8..4Kx8").expect("a range"), ["8", "64", "512", "4K"]);
        assert_eq!(read("8..1Kx8").expect("a range"), ["8", "64", "512", "1K"]);
        assert_eq!(read("8..8").expect("a range"), ["8"]);
        for wrong in ["8..4", "0..8", "8..64x1", "8..", "a..b", "1..2Gx"] {
            assert!(read(wrong).expect_err("it is wrong").contains("8..64Kx4"), "{wrong}");
        }
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
