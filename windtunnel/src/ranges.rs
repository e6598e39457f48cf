//! Ranges of whole numbers as users write them.

use scenarios::{error::Error, options::size};

/// Most values of a range.
const RANGE_MAX: usize = 64;

/// Returns a whole number with the largest unit of which it is a multiple.
pub(crate) fn shown(value: u64) -> String {
    for (unit, letter) in [(1 << 30, "G"), (1 << 20, "M"), (1 << 10, "K")] {
        if value > 0 && value.is_multiple_of(unit) {
            return format!("{}{letter}", value / unit);
        }
    }
    value.to_string()
}

/// Returns the values of a list in which each range is replaced by its [`multiples`].
///
/// # Errors
/// Those of [`multiples`].
pub(crate) fn ranges(axis: &str, values: Vec<String>) -> Result<Vec<String>, Error> {
    each_range(values, |value| multiples(axis, value), shown)
}

/// Returns the values of a list in which `A..B` stands for every number from A to B.
///
/// # Errors
/// Returns an error if a range does not begin with its smaller end, or has more than 64 values.
pub(crate) fn consecutive(axis: &str, values: Vec<String>) -> Result<Vec<String>, Error> {
    let all = |value: &str| {
        let Some((first, last)) = value.split_once("..") else { return Ok(None) };
        let ends = first.parse::<u64>().ok().zip(last.parse::<u64>().ok());
        let Some((first, last)) = ends else {
            return Err(bad(axis, value, "a range such as 1..5, which has every number"));
        };
        if first > last {
            return Err(bad(axis, value, &descending(&last.to_string(), &first.to_string())));
        }
        at_most(axis, value, first..=last).map(Some)
    };
    each_range(values, all, |number| number.to_string())
}

/// Returns the numbers A, 2 A, 4 A and so on, and at last B, of a range `A..B`; `A..BxF` is the same with the
/// factor F. `None` if the text is no range.
///
/// # Errors
/// Returns an error if a range does not begin above zero with its smaller end, its factor is less than
/// two, or it has more than 64 values.
pub(crate) fn multiples(axis: &str, value: &str) -> Result<Option<Vec<u64>>, Error> {
    let Some((first, rest)) = value.split_once("..") else { return Ok(None) };
    let (last, factor) = rest.split_once('x').unwrap_or((rest, "2"));
    let (first, last, factor) = (size(first), size(last), factor.parse::<u64>().ok());
    let bounds = first.filter(|first| *first > 0).zip(last);
    let Some(((first, last), factor)) = bounds.zip(factor.filter(|factor| *factor > 1)) else {
        return Err(bad(
            axis,
            value,
            "a range such as 8..64K from a number above 0 on, or 8..64Kx4 for a factor of 4",
        ));
    };
    if first > last {
        return Err(bad(axis, value, &descending(&shown(last), &shown(first))));
    }
    let before = std::iter::successors(Some(first), |number| number.checked_mul(factor))
        .take_while(|number| *number < last);
    at_most(axis, value, before.chain([last])).map(Some)
}

/// Returns what is allowed instead of a range that begins with its larger end.
pub(crate) fn descending(smaller: &str, larger: &str) -> String {
    format!("a range that begins with its smaller end, as in {smaller}..{larger}")
}

/// Returns the numbers of a range, unless they are too many.
fn at_most(axis: &str, value: &str, numbers: impl Iterator<Item = u64>) -> Result<Vec<u64>, Error> {
    let numbers: Vec<u64> = numbers.take(RANGE_MAX + 1).collect();
    match numbers.len() > RANGE_MAX {
        true => Err(bad(axis, value, &format!("a range of at most {RANGE_MAX} values"))),
        false => Ok(numbers),
    }
}

/// Replaces the ranges of a list by their numbers as text.
fn each_range(
    values: Vec<String>,
    numbers: impl Fn(&str) -> Result<Option<Vec<u64>>, Error>,
    text: impl Fn(u64) -> String,
) -> Result<Vec<String>, Error> {
    let mut each = Vec::new();
    for value in values {
        match numbers(&value)? {
            Some(numbers) => each.extend(numbers.into_iter().map(&text)),
            None => each.push(value),
        }
    }
    Ok(each)
}

/// Creates the error for a value of an axis.
pub(crate) fn bad(axis: &str, value: &str, allowed: &str) -> Error {
    Error::BadValue {
        what: format!("a value of axis `{axis}`"),
        value: value.into(),
        allowed: allowed.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(text: &str) -> Vec<String> {
        text.split(',').map(str::to_owned).collect()
    }

    #[test]
    fn ranges_multiply() {
        let read = |text: &str| ranges("bytes", listed(text)).map_err(|error| error.to_string());
        assert_eq!(read("0,8..64").expect("a range"), ["0", "8", "16", "32", "64"]);
        assert_eq!(read("8..4Kx8").expect("a range"), ["8", "64", "512", "4K"]);
        assert_eq!(read("8..1Kx8").expect("a range"), ["8", "64", "512", "1K"]);
        assert_eq!(read("8..8").expect("a range"), ["8"]);
        for wrong in ["0..8", "8..64x1", "8..", "a..b", "1..2Gx"] {
            assert!(read(wrong).expect_err("it is wrong").contains("8..64Kx4"), "{wrong}");
        }
        for wrong in ["64K..8", "64K..8x4"] {
            let told = read(wrong).expect_err("it goes down");
            assert!(told.contains("begins with its smaller end, as in 8..64K"), "{told}");
        }
    }

    #[test]
    fn ranges_of_seeds_have_every_number() {
        let read =
            |text: &str| consecutive("seed", listed(text)).map_err(|error| error.to_string());
        assert_eq!(read("7,0..3").expect("a range"), ["7", "0", "1", "2", "3"]);
        assert_eq!(read("1..64").expect("a range").len(), 64);
        assert!(read("1..65").expect_err("too many").contains("at most 64"));
        for wrong in ["5..1", "1..", "-1..2", "1..8x2"] {
            assert!(read(wrong).expect_err("it is wrong").contains("1..5"), "{wrong}");
        }
        assert!(read("5..1").expect_err("it goes down").contains("its smaller end"));
    }
}
