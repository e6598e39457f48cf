//! Distinct names for the rows of a comparison.

/// Returns the text shown for each value: its name, followed by what the user wrote if another
/// value, written differently, has the same name (two machine files, two edge lists).
pub(super) fn told_apart(values: &[(String, String)]) -> Vec<String> {
    let shared = |(name, asked): &(String, String)| {
        values.iter().any(|(other, way)| other == name && way != asked)
    };
    let shown = |value: &(String, String)| match shared(value) {
        true => format!("{} ({})", value.0, value.1),
        false => value.0.clone(),
    };
    values.iter().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_one_name_are_told_by_how_they_were_asked_for() {
        let values = [("a", "x/a.json"), ("a", "y/a.json"), ("b", "b"), ("b", "b"), ("c", "c")];
        let values = values.map(|(name, asked)| (name.to_string(), asked.to_string()));
        assert_eq!(told_apart(&values), ["a (x/a.json)", "a (y/a.json)", "b", "b", "c"]);
    }
}
