//! `windtunnel explain`.

use mpi_api::finding::Code;
use scenarios::error::Error;
use serde_json::json;

use crate::explanation;

/// Prints what a code means.
///
/// # Errors
/// If there is no such code.
pub(crate) fn explain(code: &str, as_json: bool) -> Result<u8, Error> {
    // WT0003, wt3 and 3 are the same.
    let number: Option<u32> = code.trim_start_matches(['W', 'T', 'w', 't']).parse().ok();
    let found = Code::ALL.iter().copied().find(|code| Some(code.number()) == number);
    let Some(found) = found else {
        let names: Vec<String> = Code::ALL.iter().map(|code| code.name()).collect();
        return Err(Error::unknown("code", code, names.iter().map(String::as_str)));
    };
    let text = explanation::of(found);
    if as_json {
        let value = json!({
            "code": found.name(),
            "title": found.title(),
            "verdict": found.verdict().word(),
            "text": text,
        });
        println!("{value:#}");
    } else {
        println!("{}: {}\nverdict: {}\n", found.name(), found.title(), found.verdict().word());
        println!("{}", text.trim_end());
    }
    Ok(0)
}
