//! The words of a configuration file, one program per line (form B of MPI section 11.5).

/// Returns the words of all lines, with a colon between lines. A line that starts with `#` is a
/// comment; a backslash at the end of a line continues it on the next.
pub(super) fn of(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut continued = false;
    let lines = text.lines().map(str::trim);
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (line, continues) = match line.strip_suffix('\\') {
            Some(begun) => (begun, true),
            None => (line, false),
        };
        if !continued && !words.is_empty() {
            words.push(":".into());
        }
        words.extend(line.split_whitespace().map(Into::into));
        continued = continues;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_program() {
        let text = "# two machines\n -n 5 -arch sun ocean\n\n-n 10 \\\n  -arch rs6000 atmos\n";
        assert_eq!(of(text).join(" "), "-n 5 -arch sun ocean : -n 10 -arch rs6000 atmos");
        assert!(of("# nothing\n\n").is_empty());
    }
}
