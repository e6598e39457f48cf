//! WT0008: ranks disagree on the reduction operation.

/// Returns the text for the reduction operation of a call.
pub fn operator(name: Option<&str>) -> String {
    name.unwrap_or_default().to_string()
}
