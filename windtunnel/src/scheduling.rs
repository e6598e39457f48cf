//! The values of `--schedule`, `--budget` and `--max-wall`.

use std::{fs, path::Path, time::Duration};

use network_models::scaled;
use scenarios::safety::{Budget, Schedule};

/// Parses a schedule, or reads it from a file of that name.
///
/// # Errors
/// Returns what is allowed.
pub(crate) fn schedule(text: &str) -> Result<Schedule, String> {
    let path = Path::new(text);
    if !path.is_file() {
        let what = if path.exists() {
            "what has that name is no file"
        } else {
            "there is no file of that name"
        };
        let no_file = |allowed| format!("{allowed}, and {what}");
        return text.parse().map_err(no_file);
    }
    let held = fs::read_to_string(path).map_err(|error| format!("cannot be read: {error}"))?;
    held.parse().map_err(|allowed| format!("the file does not hold {allowed}"))
}

/// Parses a budget: a number of executions, or a time.
///
/// # Errors
/// Returns what is allowed.
pub(crate) fn budget(text: &str) -> Result<Budget, String> {
    if let Ok(count) = text.parse::<u64>() {
        return Ok(Budget::Executions(count));
    }
    let time = wall_time(text).map_err(|_| {
        "a budget is a number of executions, such as 10000, or a time, such as 60s".to_owned()
    })?;
    Ok(Budget::Time(time))
}

/// Units of a time on the host and the seconds of one.
const TIMES: [(&str, f64); 5] =
    [("h", 3600.0), ("min", 60.0), ("m", 60.0), ("s", 1.0), ("ms", 1e-3)];

/// Parses a host time with its unit, such as `30s`.
pub(crate) fn wall_time(text: &str) -> Result<Duration, String> {
    match scaled(text, &TIMES) {
        Some(time) if time > 0.0 && time <= 1e9 => Ok(Duration::from_secs_f64(time)),
        Some(_) => Err("a time is more than 0 and at most 1000000000s".into()),
        None => Err("a time is written with its unit: 2h, 5min, 30s or 500ms".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_a_count_or_a_time() {
        assert_eq!(budget("10000"), Ok(Budget::Executions(10_000)));
        assert_eq!(budget("0"), Ok(Budget::Executions(0)));
        assert_eq!(budget("1min"), Ok(Budget::Time(Duration::from_secs(60))));
        assert_eq!(budget("1.5s"), Ok(Budget::Time(Duration::from_millis(1500))));
        // A number with a fraction is neither a number of executions nor a time.
        for text in ["", "-3", "1.5", "ten", "60 s", "-1s", "0s", "1d"] {
            assert!(budget(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_schedule_may_be_in_a_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("order.txt");
        fs::write(&file, "infinite+order=0.2\n").expect("writable");
        let named = file.display().to_string();
        assert_eq!(schedule(&named), schedule("infinite+order=0.2"));
        fs::write(&file, "nonsense").expect("writable");
        assert!(schedule(&named).is_err_and(|error| error.contains("such as")));
    }
}
