//! WT0020: a rank's stack overflowed.

use crate::finding::{CallSite, Code, Finding};

/// The label of the instruction that went beyond the stack.
pub const HERE: &str = "the stack ended here";

/// Returns the finding about the process `name` of a rank, at its last call if it has made any.
pub fn of_rank(name: &str, rank: u32, last: Option<CallSite>) -> Finding {
    let text = format!("{name} has used up its stack");
    Finding::error(Code::StackOverflow, text, vec![rank], last.into_iter().collect())
        .note("usually a recursion without end, or a large array on the stack")
        .help("put large arrays on the heap, or give the ranks larger stacks: --stack-size 64M")
}
