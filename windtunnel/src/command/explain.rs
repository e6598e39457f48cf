//! The command `windtunnel explain`.

use mpi_api::finding::Code;
use scenarios::error::Error;
use serde_json::json;

use crate::explanation;

/// Prints the explanation of a finding code.
///
/// # Errors
/// Returns an error if the code does not exist.
pub(crate) fn explain(code: &str, as_json: bool) -> Result<u8, Error> {
    let Some(found) = Code::parse(code) else {
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
