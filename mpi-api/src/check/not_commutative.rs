//! WT0011: an operation that was created as commutative and is not.

use crate::finding::{CallPlace, CallSite, Code, Finding};

/// Returns the warning that a reduction combines by an operation whose results depend on the order of operands.
///
/// Units: `element` is the index of the first element whose results differ.
pub fn warning(rank: u32, call: CallPlace, element: usize) -> Finding {
    let name = call.call;
    let label =
        format!("with the two operands exchanged, element {element} of its result is another one");
    let message =
        format!("{name} combines by an operation that was created as commutative and is not");
    Finding::error(
        Code::InvalidArgument,
        message,
        vec![rank],
        vec![CallSite::of(rank, call, label)],
    )
    .note(
        "a library may combine operands in any order then, not only in rank order (MPI 5.0, 6.9.5)",
    )
    .help("create the operation with commute = false")
    .warning()
}
