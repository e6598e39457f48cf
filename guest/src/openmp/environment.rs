//! The environment variables of OpenMP (OpenMP 5.2, chapter 21).

use super::{
    schedule::{Kind, Schedule},
    settings::{Settings, Show},
};

/// Largest number of nested regions that have several threads.
pub(super) const LEVELS: u32 = 255;

/// A variable: its name, the values that it may have, and what a value does. A value that is not
/// allowed has no effect and returns `None`.
struct Variable {
    name: &'static str,
    allowed: &'static str,
    apply: fn(&mut Settings, &str) -> Option<()>,
}

const NUMBER: &str = "a positive number";
const TRUTH: &str = "true or false";

/// All variables that change something, in the order in which they are read.
const VARIABLES: [Variable; 13] = [
    Variable {
        name: "OMP_NUM_THREADS",
        allowed: "a list of positive numbers such as 4 or 4,2",
        apply: threads,
    },
    Variable {
        name: "OMP_SCHEDULE",
        allowed: "static, dynamic, guided or auto, with a chunk size if wanted: dynamic,4",
        apply: schedule,
    },
    Variable {
        name: "OMP_DYNAMIC",
        allowed: TRUTH,
        apply: |settings, text| truth(text).map(|value| settings.common.dynamic = value),
    },
    Variable {
        name: "OMP_NESTED",
        allowed: TRUTH,
        apply: |settings, text| {
            truth(text).map(|nested| settings.common.levels = if nested { LEVELS } else { 1 })
        },
    },
    Variable {
        name: "OMP_MAX_ACTIVE_LEVELS",
        allowed: "a number from 0",
        apply: |settings, text| {
            number(text).map(|levels| settings.common.levels = levels.min(LEVELS))
        },
    },
    Variable {
        name: "OMP_THREAD_LIMIT",
        allowed: NUMBER,
        apply: |settings, text| positive(text).map(|limit| settings.common.limit = limit),
    },
    Variable {
        name: "OMP_STACKSIZE",
        allowed: "a size such as 512 (KiB), 64M or 1G",
        apply: |settings, text| bytes(text).map(|bytes| settings.stack = bytes),
    },
    Variable {
        name: "OMP_CANCELLATION",
        allowed: TRUTH,
        apply: |settings, text| truth(text).map(|value| settings.cancellation = value),
    },
    Variable {
        name: "OMP_MAX_TASK_PRIORITY",
        allowed: "a number from 0",
        apply: |settings, text| number(text).map(|value| settings.priorities = value),
    },
    Variable {
        name: "OMP_NUM_TEAMS",
        allowed: NUMBER,
        apply: |settings, text| positive(text).map(|value| settings.teams.0 = value),
    },
    Variable {
        name: "OMP_TEAMS_THREAD_LIMIT",
        allowed: NUMBER,
        apply: |settings, text| positive(text).map(|value| settings.teams.1 = value),
    },
    Variable {
        name: "OMP_DEFAULT_DEVICE",
        allowed: "a number from 0",
        apply: |settings, text| number(text).map(|value| settings.common.device = value as i32),
    },
    Variable {
        name: "OMP_DISPLAY_ENV",
        allowed: "true, false or verbose",
        apply: |settings, text| {
            let show = match text.to_ascii_lowercase().as_str() {
                "verbose" => Show::All,
                other => match truth(other)? {
                    true => Show::Standard,
                    false => Show::Nothing,
                },
            };
            settings.show = show;
            Some(())
        },
    },
];

/// Reads the variables; `text_of` returns the value of one. Returns the settings and a sentence for
/// each value that is not allowed.
pub(super) fn read(text_of: impl Fn(&str) -> Option<String>) -> (Settings, Vec<String>) {
    let mut settings = Settings::default();
    let mut complaints = Vec::new();
    for Variable { name, allowed, apply } in VARIABLES {
        let Some(text) = text_of(name) else { continue };
        if apply(&mut settings, text.trim()).is_none() {
            complaints.push(format!("{name}={text} is ignored: {allowed} is allowed"));
        }
    }
    (settings, complaints)
}

fn number(text: &str) -> Option<u32> {
    text.trim().parse().ok().filter(|number| i32::try_from(*number).is_ok())
}

fn positive(text: &str) -> Option<u32> {
    number(text).filter(|number| *number > 0)
}

fn truth(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    }
}

/// Reads a size in bytes; a number without a unit counts KiB.
fn bytes(text: &str) -> Option<usize> {
    let digits = text.trim_end_matches(|letter: char| !letter.is_ascii_digit());
    let unit: usize = match text[digits.len()..].trim().to_ascii_uppercase().as_str() {
        "B" => 1,
        "" | "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        _ => return None,
    };
    digits.parse::<usize>().ok()?.checked_mul(unit).filter(|bytes| *bytes > 0)
}

fn threads(settings: &mut Settings, text: &str) -> Option<()> {
    let list = text.split(',').map(positive).collect::<Option<Vec<u32>>>()?;
    settings.common.threads = list[0];
    if list.len() > 1 {
        settings.common.levels = LEVELS;
    }
    settings.threads = list;
    Some(())
}

fn schedule(settings: &mut Settings, text: &str) -> Option<()> {
    let text = text.to_ascii_lowercase();
    let (modifier, rest) = match text.split_once(':') {
        Some((modifier, rest)) => (Some(modifier.trim()), rest),
        None => (None, text.as_str()),
    };
    let monotonic = match modifier {
        Some("monotonic") => true,
        None | Some("nonmonotonic") => false,
        Some(_) => return None,
    };
    let (kind, chunk) = match rest.split_once(',') {
        Some((kind, chunk)) => (kind, u64::from(positive(chunk)?)),
        None => (rest, 0),
    };
    let kind = match kind.trim() {
        "static" => Kind::Static,
        "dynamic" => Kind::Dynamic,
        "guided" => Kind::Guided,
        "auto" => Kind::Auto,
        _ => return None,
    };
    settings.common.schedule = Schedule { monotonic, ..Schedule::of(kind, chunk) };
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(name: &str, text: &str) -> (Settings, Vec<String>) {
        read(|wanted| (wanted == name).then(|| text.to_string()))
    }

    #[test]
    fn without_variables_a_region_has_one_thread() {
        let (settings, complaints) = read(|_| None);
        assert_eq!((settings.common.threads, settings.common.levels), (1, 1));
        assert!(complaints.is_empty() && settings.threads.is_empty());
    }

    #[test]
    fn a_list_of_threads_allows_nested_regions() {
        let (settings, _) = with("OMP_NUM_THREADS", " 4 , 2");
        assert_eq!((settings.threads, settings.common.levels), (vec![4, 2], LEVELS));
        assert_eq!(with("OMP_NUM_THREADS", "8").0.common.levels, 1);
    }

    #[test]
    fn schedules_have_a_kind_a_chunk_and_a_modifier() {
        let schedule = |text| with("OMP_SCHEDULE", text).0.common.schedule;
        assert_eq!(schedule("Dynamic"), Schedule::of(Kind::Dynamic, 0));
        assert_eq!(schedule("guided, 8"), Schedule::of(Kind::Guided, 8));
        let expected = Schedule { monotonic: true, ..Schedule::of(Kind::Dynamic, 2) };
        assert_eq!(schedule("monotonic:dynamic,2"), expected);
    }

    #[test]
    fn sizes_have_units() {
        for (text, bytes) in
            [("512", 512 << 10), ("100B", 100), ("64 m", 64 << 20), ("1G", 1 << 30)]
        {
            assert_eq!(with("OMP_STACKSIZE", text).0.stack, bytes, "{text}");
        }
    }

    #[test]
    fn values_that_are_not_allowed_are_named() {
        for (name, text) in [
            ("OMP_NUM_THREADS", "many"),
            ("OMP_NUM_THREADS", "0"),
            ("OMP_NUM_THREADS", "4,,2"),
            ("OMP_NUM_THREADS", ""),
            ("OMP_SCHEDULE", "fast"),
            ("OMP_SCHEDULE", "dynamic,-1"),
            ("OMP_DYNAMIC", "maybe"),
            ("OMP_STACKSIZE", "4 parsecs"),
            ("OMP_STACKSIZE", "99999999999G"),
            ("OMP_MAX_ACTIVE_LEVELS", "-1"),
            ("OMP_THREAD_LIMIT", "0"),
        ] {
            let (_, complaints) = with(name, text);
            let expected = format!("{name}={text} is ignored: ");
            assert!(complaints[0].starts_with(&expected), "{complaints:?}");
        }
    }
}
