//! WT0011: the function of an operation does not combine as it has to (MPI section 6.9.5).

use crate::finding::{CallPlace, CallSite, Code, Finding};

/// Returns the warning that a reduction combines by an operation whose results depend on the order of operands.
///
/// Units: `element` is the index of the first element whose results differ.
pub fn not_commutative(rank: u32, call: CallPlace, element: usize) -> Finding {
    let name = call.call;
    let label =
        format!("with the two operands exchanged, element {element} of its result is another one");
    let message =
        format!("{name} combines by an operation that was created as commutative and is not");
    warning(rank, call, message, label)
        .note("a library may combine operands in any order then, not only in rank order (MPI 5.0, 6.9.5)")
        .help("create the operation with commute = false")
}

/// Returns the warning that a reduction combines by an operation that is not associative.
///
/// Units: `element` is the index of the first element whose results differ.
pub fn not_associative(rank: u32, call: CallPlace, element: usize) -> Finding {
    let name = call.call;
    let label = format!(
        "if two others of three operands are combined first, element {element} of its result is another one"
    );
    let message = format!("{name} combines by an operation that is not associative");
    warning(rank, call, message, label)
        .note("a library combines operands in groups of its choice: the result depends on the number of ranks and on the algorithm (MPI 5.0, 6.9.5)")
        .help("combine what is associative, such as sums and counts, and compute the result from these afterwards")
}

/// Returns the warning that a reduction combines by an operation whose function leaves all elements but the first as they
/// are.
///
/// Units: `elements` is the number of elements that it was given.
pub fn only_first(rank: u32, call: CallPlace, elements: usize) -> Finding {
    let name = call.call;
    let label = format!("elements 1 to {} are left as they are", elements - 1);
    let message = format!("{name} combines by an operation that combines the first element only");
    warning(rank, call, message, label)
        .note("the function is called for many elements at a time, and has to combine `*len` of them (MPI 5.0, 6.9.5)")
        .help("let the function combine all elements: `for (i = 0; i < *len; i++) inout[i] = in[i] op inout[i];`")
}

/// Returns the warning that the function of an operation leaves its result in the operand that it only reads; the origin is
/// the call that has made the operation.
pub fn result_in_operand(rank: u32, by: CallPlace) -> Finding {
    let message = format!(
        "rank {rank}: the function of an operation stores its result in its first argument"
    );
    let label =
        "this operation's function does, and leaves its second argument as it is".to_owned();
    warning(rank, by, message, label)
        .note("the result replaces the second argument: inoutvec[i] = invec[i] op inoutvec[i] (MPI 5.0, 6.9.5)")
        .help("store the result in the second argument")
}

fn warning(rank: u32, call: CallPlace, message: String, label: String) -> Finding {
    let site = CallSite::of(rank, call, label);
    Finding::error(Code::InvalidArgument, message, vec![rank], vec![site]).warning()
}
