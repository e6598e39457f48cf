//! Numbers formatted for display, with a fixed number of digits.

pub(crate) use sim_core::words::{count, counted};

/// Returns a number of bytes with three significant digits and a suitable unit.
pub(crate) fn bytes(count: u64) -> String {
    const UNITS: [(u64, &str); 4] =
        [(1 << 40, "TiB"), (1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    for (scale, unit) in UNITS {
        if count >= scale {
            return format!("{} {unit}", three_digits(count as f64 / scale as f64));
        }
    }
    format!("{count} B")
}

/// Returns the name of a class of sizes by its smallest number of bytes, as in `64 B and more`: each class but those
/// of 0 and 1 ends where the next power of two begins.
pub(crate) fn size_range(smallest: u64) -> String {
    match smallest {
        0 | 1 => bytes(smallest),
        from => format!("{} and more", bytes(from)),
    }
}

/// Returns a positive number with about three significant digits.
pub(crate) fn three_digits(value: f64) -> String {
    let digits = match value {
        v if v >= 100.0 => 0,
        v if v >= 10.0 => 1,
        _ => 2,
    };
    format!("{value:.digits$}")
}

/// Returns a percentage with one digit behind the point, or as many as show two digits of a small one.
pub(crate) fn percent(share: f64) -> String {
    let digits =
        if share > 0.0 { (1.0 - share.log10().floor()).clamp(1.0, 9.0) as usize } else { 1 };
    let digits = if share >= 0.1 { 1 } else { digits };
    let text = format!("{share:.digits$} %");
    // A share that is not zero is never shown as zero.
    if share > 0.0 && share < 5e-10 { "<0.000000001 %".to_owned() } else { text }
}

/// Returns a percentage without digits behind the point, or as [`percent`] does below 1.
pub(crate) fn whole_percent(share: f64) -> String {
    if share >= 1.0 || share <= 0.0 { format!("{share:.0} %") } else { percent(share) }
}

/// Returns a change in percent with its sign and the digits of [`percent`].
pub(crate) fn signed_percent(change: f64) -> String {
    signed(change, percent)
}

/// Returns a change in percent with its sign, and the digits of `shown`.
pub(crate) fn signed(change: f64, shown: fn(f64) -> String) -> String {
    match change {
        0.0 => "0 %".to_owned(),
        down if down < 0.0 => format!("-{}", shown(-down)),
        up => format!("+{}", shown(up)),
    }
}

/// Returns an amount of money or power: whole numbers from 100 on, three digits below.
pub(crate) fn money(value: f64) -> String {
    if value >= 100.0 { count(value.round() as u64) } else { three_digits(value) }
}

/// Returns `part` of `whole` in percent; 0 if `whole` is 0.
pub(crate) fn percent_of(part: u64, whole: u128) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 * 100.0 / whole as f64 }
}

/// Returns names of at most `width` characters, as long as they stay different: a longer one keeps its
/// beginning and its end, and is not cut inside of a number. Where that would make two names equal, all may be as long
/// as the longest of these.
pub(crate) fn shorten_apart(names: &[String], mut width: usize) -> Vec<String> {
    loop {
        let short: Vec<String> = names.iter().map(|name| shorten(name, width)).collect();
        let collides = |at: &usize| {
            (0..names.len()).any(|other| short[other] == short[*at] && names[other] != names[*at])
        };
        let longest = (0..names.len()).filter(collides).map(|at| names[at].chars().count()).max();
        match longest {
            Some(longest) => width = longest,
            None => return short,
        }
    }
}

/// Returns the beginning and the end of a name longer than `width` characters.
fn shorten(name: &str, width: usize) -> String {
    let letters: Vec<char> = name.chars().collect();
    if letters.len() <= width {
        return name.to_owned();
    }
    let (mut head, mut tail) = (width / 2, width.saturating_sub(width / 2 + 1));
    let inside = |at: usize| letters[at - 1].is_ascii_digit() && letters[at].is_ascii_digit();
    while head > 1 && inside(head) {
        head -= 1;
    }
    while tail > 1 && inside(letters.len() - tail) {
        tail -= 1;
    }
    let kept = letters[..head].iter().chain(['…'].iter());
    kept.chain(&letters[letters.len() - tail..]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_percentages_have_two_digits() {
        let shown = [0.0, 41.52, 0.1, 0.0762, 0.013, 1e-12].map(percent);
        assert_eq!(shown, ["0.0 %", "41.5 %", "0.1 %", "0.076 %", "0.013 %", "<0.000000001 %"]);
        let whole = [0.0, 41.52, 1.0, 0.4, 0.013].map(whole_percent);
        assert_eq!(whole, ["0 %", "42 %", "1 %", "0.4 %", "0.013 %"]);
    }

    #[test]
    fn small_changes_keep_their_sign_and_two_digits() {
        let shown = [0.0, -0.0, 20.0, -0.0123, 0.071].map(signed_percent);
        assert_eq!(shown, ["0 %", "0 %", "+20.0 %", "-0.012 %", "+0.071 %"]);
        let whole = [-33.3, 0.4].map(|change| signed(change, whole_percent));
        assert_eq!(whole, ["-33 %", "+0.4 %"]);
    }

    #[test]
    fn units_and_groups() {
        assert_eq!([bytes(4), bytes(1536), bytes(64 << 20)], ["4 B", "1.50 KiB", "64.0 MiB"]);
        assert_eq!([count(7), count(1234), count(1_234_567)], ["7", "1,234", "1,234,567"]);
        assert_eq!([money(0.5), money(99.0), money(1234.6)], ["0.50", "99.0", "1,235"]);
    }

    #[test]
    fn names_are_never_cut_where_they_differ() {
        let short = |names: &[&str]| {
            shorten_apart(&names.iter().map(ToString::to_string).collect::<Vec<_>>(), 7)
        };
        assert_eq!(short(&["abcdefghij", "abcdefghik"]), ["abc…hij", "abc…hik"]);
        assert_eq!(short(&["abcdefghij", "abcxefghij"]), ["abcdefghij", "abcxefghij"]);
        assert_eq!(short(&["abcdefghij", "short"]), ["abc…hij", "short"]);
        let all = ["abcdefghij", "abcxefghij", "klmnopqrs", "klmnopqrstuv"];
        let shown = ["abcdefghij", "abcxefghij", "klmnopqrs", "klmno…stuv"];
        assert_eq!(short(&all), shown, "cut no shorter than the longest");
        assert_eq!(short(&["a1024hijk512"]), ["a…512"]);
        assert_eq!(short(&["123456789012"]), ["1…2"]);
    }
}
