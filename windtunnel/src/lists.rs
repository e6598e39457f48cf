//! Lists of values as users write them.

/// Returns the values of a list: separated by commas outside double quotes. Quotes around a whole
/// value are removed.
pub(crate) fn list(text: &str) -> Vec<String> {
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

/// Returns the values of an option that may be given several times, each time with a list.
pub(crate) fn lists(texts: &[String]) -> Vec<String> {
    texts.iter().flat_map(|text| list(text)).collect()
}

/// Removes duplicates: what is the same twice adds nothing to a comparison or a check.
pub(crate) fn each_once<T: PartialEq>(list: Vec<T>) -> Vec<T> {
    let mut each: Vec<T> = Vec::new();
    for value in list {
        if !each.contains(&value) {
            each.push(value);
        }
    }
    each
}

/// Returns the topologies of such an option. A part that begins with a digit belongs to the sizes of the one before,
/// as in `fat-tree:24,18,18:1,2,1`.
pub(crate) fn topologies(texts: &[String]) -> Vec<String> {
    let mut topologies: Vec<String> = Vec::new();
    for part in lists(texts) {
        match topologies.last_mut() {
            Some(last) if part.starts_with(|c: char| c.is_ascii_digit()) => {
                last.push(',');
                last.push_str(&part);
            }
            _ => topologies.push(part),
        }
    }
    topologies
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_have_quotes() {
        assert_eq!(list("8,1024"), ["8", "1024"]);
        assert_eq!(list("\"a,b\", c d"), ["a,b", "c d"]);
        assert_eq!(list("x=\"a,b\" -v"), ["x=\"a,b\" -v"]);
        assert_eq!(list(""), [""]);
    }

    #[test]
    fn sizes_of_a_topology_have_commas_without_quotes() {
        let given = ["ring,fat-tree:24,18:1,2", "\"file:a, b.edges\",torus"].map(str::to_owned);
        assert_eq!(topologies(&given), ["ring", "fat-tree:24,18:1,2", "file:a, b.edges", "torus"]);
    }
}
