//! [`nearest`]: the name that was probably meant, and how messages say so.

/// Returns the name in `allowed` that is most similar to `name`, or `None` if none is similar.
///
/// Order: among equally similar names, the alphabetically first.
pub fn nearest<'a>(name: &str, allowed: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let name = name.to_lowercase();
    allowed
        .into_iter()
        .map(|known| {
            let distance = strsim::damerau_levenshtein(&known.to_lowercase(), &name);
            // At equal distance, a name that `name` abbreviates is preferred.
            (distance, !known.to_lowercase().starts_with(&name), known)
        })
        .filter(|(distance, cut, known)| {
            *distance <= known.len().max(4) / 2 || (!cut && name.len() > 2)
        })
        .min()
        .map(|(_, _, known)| known.to_string())
}

/// Returns the suggestion of a name behind the one that is not known, for messages.
pub fn suggested(name: Option<&str>) -> String {
    name.map_or(String::new(), |name| format!(" (did you mean `{name}`?)"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_misspelt_or_cut_is_found() {
        let found = |name| nearest(name, ["switch", "node", "bandwidth", "latency"]);
        assert_eq!(found("Swich").as_deref(), Some("switch"));
        assert_eq!(found("bandwith").as_deref(), Some("bandwidth"));
        assert_eq!(found("lat").as_deref(), Some("latency"));
        assert_eq!(found("x"), None);
    }
}
