//! Lists of ranks as text.

/// Largest number of runs of ranks that a text lists.
const RUNS_MAX: usize = 6;

/// Returns a text such as `rank 3`, `ranks 0 to 7` or `ranks 0, 2 to 4 and 9`; `ranks` must be
/// sorted.
pub fn ranks_text(ranks: &[u32]) -> String {
    let runs: Vec<&[u32]> = ranks.chunk_by(|low, high| low + 1 == *high).collect();
    let mut shown: Vec<String> = runs.iter().take(RUNS_MAX).flat_map(|run| ends(run)).collect();
    let left: usize = runs.iter().skip(RUNS_MAX).map(|run| run.len()).sum();
    if left > 0 {
        shown.push(format!("{left} more"));
    }
    let word = if ranks.len() > 1 { "ranks" } else { "rank" };
    match shown.split_last() {
        Some((last, [])) => format!("{word} {last}"),
        Some((last, first)) => format!("{word} {} and {last}", first.join(", ")),
        None => word.into(),
    }
}

/// Returns the text of one run of ranks; two ranks are listed individually.
fn ends(run: &[u32]) -> Vec<String> {
    match run {
        [first, _, .., last] => vec![format!("{first} to {last}")],
        few => few.iter().map(u32::to_string).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_named_in_runs() {
        assert_eq!(ranks_text(&[3]), "rank 3");
        assert_eq!(ranks_text(&[3, 4]), "ranks 3 and 4");
        assert_eq!(ranks_text(&[0, 1, 2, 3]), "ranks 0 to 3");
        assert_eq!(ranks_text(&[0, 2, 3, 4, 9]), "ranks 0, 2 to 4 and 9");
        let even: Vec<u32> = (0..20).step_by(2).collect();
        assert_eq!(ranks_text(&even), "ranks 0, 2, 4, 6, 8, 10 and 4 more");
    }
}
