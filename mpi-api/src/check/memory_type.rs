//! WT0038: the type of the memory differs from the datatype.

use super::signal::bytes_text;
use crate::{
    call::Site,
    finding::{CallPlace, CallSite, Code, Finding},
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
        let are = if self.bytes == 1 { "is" } else { "are" };
        let label = format!("{} {are} {does} here", bytes_text(self.bytes));
        self.place.map(|place| CallSite::new(rank, "", Some(place), label))
    }
}

/// A number of a datatype, and what the memory holds there.
#[derive(Clone, Copy, Debug)]
pub struct Compared<'a> {
    /// Name of the number's type in the source of the program.
    pub memory: &'a str,
    /// Name of the basic datatype.
    pub datatype: &'a str,
    /// Distance of the datatype's number from the start of the buffer in bytes.
    pub distance: u64,
    /// Whether only the places differ: the memory has a number of this type, but it begins elsewhere.
    pub misplaced: bool,
}

/// Returns the finding that a number in memory has another type or another place than the datatype of
/// a call says.
pub fn of_call(rank: u32, by: CallPlace, compared: Compared, holder: &Holder) -> Finding {
    let Compared { memory, datatype, distance, misplaced } = compared;
    let buffer = format!("rank {rank}: the buffer of {}", by.call);
    let message = match misplaced {
        true => format!(
            "{buffer} has no {memory} where the datatype has {datatype}: the layout differs"
        ),
        false => format!("{buffer} holds {memory}, not {datatype}: the type of the memory differs"),
    };
    let at = match distance {
        0 => "at the start of the buffer".to_string(),
        bytes => format!("{bytes} bytes behind the start of the buffer"),
    };
    let label = match misplaced {
        true => format!("no {memory} of {} begins {at}", holder.text()),
        false if distance == 0 => format!("{} holds {memory}", holder.text()),
        false => format!("{} holds {memory}, {at}", holder.text()),
    };
    let mut sites = vec![CallSite::of(rank, by, label)];
    sites.extend(holder.site(rank));
    Finding::error(Code::MemoryType, message, vec![rank], sites)
        .warning()
        .note("the type of a variable matches the datatype that the call is given (MPI 5.0, 3.3.1)")
        .help(match misplaced {
            true => "take the displacements from MPI_Get_address or offsetof",
            false => "give the datatype of the variable, or MPI_BYTE for bytes as they are",
        })
}
