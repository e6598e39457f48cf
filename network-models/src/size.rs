//! Sizes as users write them.

/// Returns a whole number with one of the units K, M, G, T (powers of 1,024; also as KiB), kB, MB, GB,
/// TB (powers of 1,000), or with none; `None` if it is not written like that or exceeds 64 bits. Case is
/// not distinguished.
pub fn size(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit: u64 = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kib" => 1 << 10,
        "m" | "mib" => 1 << 20,
        "g" | "gib" => 1 << 30,
        "t" | "tib" => 1 << 40,
        "kb" => 1_000,
        "mb" => 1_000_000,
        "gb" => 1_000_000_000,
        "tb" => 1_000_000_000_000,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        let sizes = ["64M", "2KiB", "3", "0"].map(size);
        assert_eq!(sizes, [Some(64 << 20), Some(2048), Some(3), Some(0)]);
        let sizes = ["512MB", "4gib", "3k", "1T"].map(size);
        assert_eq!(sizes, [Some(512_000_000), Some(4 << 30), Some(3072), Some(1 << 40)]);
        for wrong in ["", "M", "1P", "-1", "1.5M", "99999999999G", "1 M"] {
            assert_eq!(size(wrong), None, "{wrong}");
        }
    }
}
