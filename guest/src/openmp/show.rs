//! Texts about the settings: `OMP_DISPLAY_ENV`, and values that are not allowed.

use std::{cell::RefCell, collections::BTreeSet};

use super::{schedule::Kind, settings::Settings};

thread_local! {
    /// Complaints that have been shown in this simulation: each is shown once, not by every rank.
    static SHOWN: RefCell<BTreeSet<String>> = const { RefCell::new(BTreeSet::new()) };
}

/// Reports whether a complaint has not been shown, and records that it is shown now.
pub(super) fn is_new(complaint: &str) -> bool {
    SHOWN.with_borrow_mut(|shown| shown.insert(complaint.to_string()))
}

/// Forgets what has been shown, when a simulation begins.
pub(crate) fn begin_simulation() {
    SHOWN.take();
}

/// Returns the settings in the form that OpenMP defines (OpenMP 5.2, section 21.7), with our own if
/// `all`.
pub(super) fn environment(settings: &Settings, all: bool) -> String {
    let common = &settings.common;
    let truth = |value: bool| if value { "TRUE" } else { "FALSE" }.to_string();
    let kind = match common.schedule.kind {
        Kind::Static => "STATIC",
        Kind::Dynamic => "DYNAMIC",
        Kind::Guided => "GUIDED",
        Kind::Auto => "AUTO",
    };
    let monotonic = if common.schedule.monotonic { "MONOTONIC:" } else { "" };
    let schedule = match common.schedule.chunk {
        0 => format!("{monotonic}{kind}"),
        chunk => format!("{monotonic}{kind},{chunk}"),
    };
    let threads = match settings.threads.as_slice() {
        [] => common.threads.to_string(),
        list => list.iter().map(u32::to_string).collect::<Vec<_>>().join(","),
    };
    let mut lines = vec![
        ("_OPENMP", VERSION.to_string()),
        ("OMP_DYNAMIC", truth(common.dynamic)),
        ("OMP_NESTED", truth(common.levels > 1)),
        ("OMP_NUM_THREADS", threads),
        ("OMP_SCHEDULE", schedule),
        ("OMP_PROC_BIND", truth(false)),
        ("OMP_PLACES", String::new()),
        ("OMP_STACKSIZE", settings.stack.to_string()),
        ("OMP_WAIT_POLICY", "PASSIVE".to_string()),
        ("OMP_THREAD_LIMIT", common.limit.to_string()),
        ("OMP_MAX_ACTIVE_LEVELS", common.levels.to_string()),
        ("OMP_NUM_TEAMS", settings.teams.0.to_string()),
        ("OMP_TEAMS_THREAD_LIMIT", settings.teams.1.to_string()),
        ("OMP_CANCELLATION", truth(settings.cancellation)),
        ("OMP_DEFAULT_DEVICE", common.device.to_string()),
        ("OMP_MAX_TASK_PRIORITY", settings.priorities.to_string()),
    ];
    if all {
        lines.push(("WINDTUNNEL", "threads are coroutines in simulated time".to_string()));
    }
    let mut text = "\nOPENMP DISPLAY ENVIRONMENT BEGIN\n".to_string();
    for (name, value) in lines {
        text.push_str(&format!("  {name} = '{value}'\n"));
    }
    text + "OPENMP DISPLAY ENVIRONMENT END\n"
}

/// The version of OpenMP that the compiler's header states: 4.5.
const VERSION: u32 = 201_511;
