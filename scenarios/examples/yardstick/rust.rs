//! Programs in Rust: those of the package `yardstick-programs`, which lists them itself.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

use crate::{Checked, Expectation, Settings, Totals, check};

/// Checks the programs in Rust whose family contains that of the settings, and counts them.
pub(crate) fn measure(settings: &Settings, totals: &mut Totals) -> Result<(), String> {
    let path = beside(&settings.windtunnel);
    for (number, case) in cases(&path)?.iter().enumerate() {
        let text = |name: &str| case[name].as_str().unwrap_or_default();
        let count = |name: &str| case[name].as_u64().unwrap_or_default() as u32;
        let (family, variant, ranks) = (text("family"), text("variant"), count("ranks"));
        if !family.contains(&settings.family) {
            continue;
        }
        let verdicts: Vec<&str> =
            case["expected"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let title = format!("Rust / {family} / {variant} / {ranks} ranks");
        let words = [number.to_string()];
        let outcome = check(&Checked::Own(&path), ranks, &words, count("mark"))?;
        totals.count(settings, &title, Expectation(&verdicts), &outcome);
    }
    Ok(())
}

/// Returns the path of the programs, which the same build has put beside windtunnel.
fn beside(windtunnel: &Path) -> PathBuf {
    windtunnel.with_file_name("yardstick-programs")
}

fn cases(path: &Path) -> Result<Vec<Value>, String> {
    let fault = |error: &dyn std::fmt::Display| {
        let path = path.display();
        format!("{path}: {error}; `cargo build --release -p yardstick-programs` makes it")
    };
    let output = Command::new(path).arg("cases").output().map_err(|error| fault(&error))?;
    serde_json::from_slice(&output.stdout).map_err(|error| fault(&error))
}
