//! The words of a configuration file, one program per line (form B of MPI section 11.5).

/// Returns the words of all lines, with a colon between lines. Quotes and backslashes are read as a shell reads them, and
/// `#` begins a comment; a backslash at the end of a line continues it on the next.
///
/// # Errors
/// Returns a line with a quote that is not closed.
pub(super) fn of(text: &str) -> Result<Vec<String>, String> {
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
        words.extend(shlex::split(line).ok_or_else(|| line.to_owned())?);
        continued = continues;
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_program() {
        let text = "# two machines\n -n 5 -arch sun ocean\n\n-n 10 \\\n  -arch rs6000 atmos\n";
        let words = |text: &str| of(text).expect("all quotes are closed");
        assert_eq!(words(text).join(" "), "-n 5 -arch sun ocean : -n 10 -arch rs6000 atmos");
        assert!(words("# nothing\n\n").is_empty());
        let quoted = words("-n 2 \"./my prog\" 'a b' c\\ d # ranks\n");
        assert_eq!(quoted, ["-n", "2", "./my prog", "a b", "c d"]);
        assert_eq!(of("-n 2 ./a\n-n 1 './b\n"), Err("-n 1 './b".into()));
    }
}
