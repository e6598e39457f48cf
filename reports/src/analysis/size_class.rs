//! Classes of message sizes: no byte, one byte, and from each power of two to less than the next.

/// Returns the class of messages of this size.
pub(crate) fn of(bytes: u64) -> usize {
    bytes.checked_ilog2().map_or(0, |power| power as usize + 1)
}

/// Returns the smallest size of a class, bytes.
pub(crate) fn smallest(class: usize) -> u64 {
    match class {
        0 => 0,
        class => 1 << (class - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_powers_of_two() {
        assert_eq!([0, 1, 2, 3, 4, 7, 8, 64, 65].map(of), [0, 1, 2, 2, 3, 3, 4, 7, 7]);
        for bytes in [0, 1, 2, 3, 100, 1 << 40, u64::MAX] {
            let class = of(bytes);
            assert!(smallest(class) <= bytes && of(smallest(class)) == class, "{bytes}");
        }
    }
}
