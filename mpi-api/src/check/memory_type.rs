//! WT0038: the type of the memory differs from the datatype.

use crate::{
    call::Site,
    finding::{CallSite, Code, Finding, Origin},
};

/// A variable or a heap block of a program.
#[derive(Clone, Debug)]
pub struct Holder {
    /// Name of the variable; empty for a heap block.
    pub name: String,
    /// Size in bytes.
    pub bytes: u64,
    /// Where it is declared or was allocated.
    pub place: Option<Site>,
}

impl Holder {
    /// Returns the words for the object: its name, or what it is.
    pub(super) fn text(&self) -> String {
        match self.name.as_str() {
            "" => "a heap block".into(),
            name => format!("the variable `{name}`"),
        }
    }

    /// Returns the place of the object.
    pub(super) fn site(&self, rank: u32) -> Option<CallSite> {
        let does = if self.name.is_empty() { "allocated" } else { "declared" };
        let label = format!("{} bytes are {does} here", self.bytes);
        self.place.map(|place| CallSite::new(rank, "", Some(place), label))
    }
}

/// Returns the finding that a number in memory has another type than the datatype of a call says: the
/// name of the memory's type and the datatype's, and the distance of the number from the start of the
/// buffer in bytes.
pub fn of_call(
    rank: u32,
    (call, site): Origin,
    (memory, datatype, distance): (&str, &str, u64),
    holder: &Holder,
) -> Finding {
    let message = format!(
        "rank {rank}: the buffer of {call} holds {memory}, not {datatype}: the type of the memory differs"
    );
    let at = match distance {
        0 => String::new(),
        bytes => format!(", {bytes} bytes behind the start of the buffer"),
    };
    let label = format!("{} holds {memory}{at}", holder.text());
    let mut sites = vec![CallSite::new(rank, call, site.known(), label)];
    sites.extend(holder.site(rank));
    Finding::error(Code::MemoryType, message, vec![rank], sites)
        .warning()
        .note("the type of a variable matches the datatype that the call is given (MPI 5.0, 3.3.1)")
        .help("give the datatype of the variable, or MPI_BYTE for bytes as they are")
}
