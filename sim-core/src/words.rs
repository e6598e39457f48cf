//! Numbers in sentences: with commas, and with a noun in the right number.

use std::fmt::Display;

/// Returns a whole number with commas between groups of three digits.
pub fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns `value` with commas, followed by the noun: `1 rank`, `0 ranks`, `1,024 switches`.
///
/// `noun` is the singular, with words before it if need be (`more line`). Its plural is formed by rule, so it
/// must be regular.
pub fn counted(value: u64, noun: &str) -> String {
    format!("{} {}", count(value), in_number(value, noun))
}

/// Returns the noun alone in the number that `value` asks for: `rank`, `ranks`.
pub fn in_number(value: u64, noun: &str) -> String {
    let ending = match value {
        1 => "",
        _ if noun.ends_with(['s', 'x']) || noun.ends_with("ch") || noun.ends_with("sh") => "es",
        _ => "s",
    };
    format!("{noun}{ending}")
}

/// Returns a relative change in percent with its sign: `+1.5 %`, `-0.3 %`. What rounds to zero has no sign:
/// `0.0 %`.
pub fn change(share: f64) -> String {
    let rounded = (1000.0 * share).round() / 10.0;
    if rounded == 0.0 { "0.0 %".to_owned() } else { format!("{rounded:+.1} %") }
}

/// Returns the sentence that a number is not in `0..size`: `rank 7 is out of range: allowed are 0 to 3`.
///
/// `number` has its noun, such as `rank 7`.
pub fn out_of_range(number: impl Display, size: impl Into<i128>) -> String {
    let allowed = match size.into() {
        ..=0 => "there are none".into(),
        1 => "allowed is 0".into(),
        size => format!("allowed are 0 to {}", size - 1),
    };
    format!("{number} is out of range: {allowed}")
}

/// Returns the sentence that a number is smaller than allowed: `the count is -1; allowed is 0 or more`.
pub fn too_small(what: &str, number: impl Display, least: i64) -> String {
    format!("{what} is {number}; allowed is {least} or more")
}

#[cfg(test)]
mod tests {
    use super::{change, count, counted, in_number, out_of_range, too_small};

    #[test]
    fn numbers_have_commas_and_nouns_their_number() {
        assert_eq!([0, 999, 1000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([0, 1, 2].map(|n| counted(n, "rank")), ["0 ranks", "1 rank", "2 ranks"]);
        assert_eq!([1, 1024].map(|n| counted(n, "switch")), ["1 switch", "1,024 switches"]);
        assert_eq!(out_of_range("rank -1", 4), "rank -1 is out of range: allowed are 0 to 3");
        assert_eq!(out_of_range("rank 1", 1), "rank 1 is out of range: allowed is 0");
        assert_eq!(out_of_range("rank 0", 0), "rank 0 is out of range: there are none");
        assert_eq!(too_small("the count", -1, 0), "the count is -1; allowed is 0 or more");
        assert_eq!([0.015, -0.0001, -0.0034].map(change), ["+1.5 %", "0.0 %", "-0.3 %"]);
        assert_eq!([0.0001, -0.0, 0.0].map(change), ["0.0 %"; 3]);
        assert_eq!(counted(2, "access"), "2 accesses");
        assert_eq!([1, 1024].map(|n| in_number(n, "byte")), ["byte", "bytes"]);
    }
}
