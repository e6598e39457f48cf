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
    /// How they differ.
    pub difference: Difference,
}

/// How a number of a datatype differs from what the memory holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// The memory has a number of another type.
    Type,
    /// The memory has a number of this type, but it begins elsewhere.
    Place,
    /// The memory has the address of something.
    Pointer(Within),
    /// The memory has the address of a function or of virtual functions.
    Code,
}

/// What the pointer is that lies where the datatype has a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Within {
    /// A variable.
    Variable,
    /// A part of a variable: a member, or an element of an array.
    Larger,
    /// The first word of a heap block.
    Block,
}

/// Returns the finding that a number in memory has another type or another place than the datatype of
/// a call says.
pub fn of_call(rank: u32, by: CallPlace, compared: Compared, holder: &Holder) -> Finding {
    let Compared { memory, datatype, distance, difference } = compared;
    let buffer = format!("rank {rank}: the buffer of {}", by.call);
    let message = match difference {
        Difference::Place => format!(
            "{buffer} has no {memory} where the datatype has {datatype}: the layout differs"
        ),
        Difference::Type | Difference::Code => {
            format!("{buffer} holds {memory}, not {datatype}: the type of the memory differs")
        }
        Difference::Pointer(_) => format!(
            "{buffer} holds a pointer ({memory}), not {datatype}: the type of the memory differs"
        ),
    };
    let (at, behind) = match distance {
        0 => ("at the start of the buffer".to_string(), String::new()),
        bytes => {
            let at = format!("{bytes} bytes behind the start of the buffer");
            (at.clone(), format!(", {at}"))
        }
    };
    let label = match difference {
        Difference::Place => format!("no {memory} of {} begins {at}", holder.text()),
        Difference::Type | Difference::Code => {
            format!("{} holds {memory}{behind}", holder.text())
        }
        Difference::Pointer(Within::Variable) => {
            format!("{} is a pointer, and this is its address", holder.text())
        }
        Difference::Pointer(Within::Larger | Within::Block) => {
            format!("{} holds a pointer{behind}", holder.text())
        }
    };
    let mut sites = vec![CallSite::of(rank, by, label)];
    sites.extend(holder.site(rank));
    Finding::error(Code::MemoryType, message, vec![rank], sites)
        .warning()
        .note("the type of a variable matches the datatype that the call is given (MPI 5.0, 3.3.1)")
        .help(help(difference, &holder.name))
}

/// Returns what to change. `name` is that of the variable, empty for a heap block.
fn help(difference: Difference, name: &str) -> String {
    match difference {
        Difference::Place => "take the displacements from MPI_Get_address or offsetof".into(),
        Difference::Type => {
            "give the datatype of the variable, or MPI_BYTE for bytes as they are".into()
        }
        Difference::Code => {
            "give the address of the members that are data, or a datatype of these \
                             (MPI_Type_create_struct): on other ranks such a pointer means nothing"
                .into()
        }
        Difference::Pointer(Within::Variable) => {
            format!("give the address of the data, `{name}`, not that of the pointer, `&{name}`")
        }
        Difference::Pointer(Within::Larger) => format!(
            "give the address of the data that the pointer points to; if `{name}` is a container or \
             a smart pointer of C++: `{name}.data()` or `{name}.get()`"
        ),
        Difference::Pointer(Within::Block) => {
            "give the address of the data that the pointer points to, in a call for each such \
             array, or store all data in one array"
                .into()
        }
    }
}
