//! WT0037: a call uses memory that is not all in an object of the program: a buffer or another argument is shorter than
//! what is read or written there, begins in front of a block, or has been freed.

use sim_core::words::{counted, in_number};

use super::{memory_type::Holder, signal::NO_ERROR_CODE};
use crate::{
    call::Site,
    finding::{CallPlace, CallSite, Code, Finding, Severity},
};

/// What a call does with memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Does {
    /// It reads it.
    Reads,
    /// It may write to it.
    Writes,
    /// It leaves it to later calls: a window, or an attached buffer.
    Takes,
    /// It returns to the program what an earlier call has taken.
    GivesBack,
}

impl Does {
    /// Returns the verb, and the word between the number of bytes and the object.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Reads => ("reads", "from"),
            Self::Writes => ("writes", "to"),
            Self::Takes => ("takes", "of"),
            Self::GivesBack => ("gives back", "of"),
        }
    }
}

/// Where memory begins that a call uses.
#[derive(Clone, Copy, Debug)]
pub enum Begin {
    /// In an object that is too short.
    Inside {
        /// Number of bytes of the object from there on.
        left: u64,
    },
    /// In a vector of C++ whose elements end before the memory does, though there is room behind them.
    Reserved {
        /// Number of bytes of elements from there on.
        left: u64,
    },
    /// In front of an object.
    Before {
        /// Number of bytes in front of it.
        bytes: u64,
    },
    /// Behind an object.
    Behind {
        /// Number of bytes behind its end.
        bytes: u64,
    },
    /// In the frame of a function that has returned.
    Dead,
    /// In a heap block that has been freed.
    Freed {
        /// Where it was freed, if that is known.
        place: Option<Site>,
    },
}

/// Memory that a call uses.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// What the call does with the memory.
    pub does: Does,
    /// Number of bytes from the first to past the last that the call uses.
    pub bytes: u64,
    /// Where the first of them is.
    pub begin: Begin,
}

/// What is behind an object.
const BEHIND: &str = "the memory behind it belongs to another variable, or to nothing";

impl Extent {
    /// Returns the finding without a help. The note says why an object has to be as long as the call wants it.
    fn finding(
        self,
        rank: u32,
        CallPlace { call, site }: CallPlace,
        (label, note): (String, &str),
        holder: &Holder,
    ) -> Finding {
        let Self { does, bytes, begin } = self;
        let (does, into) = does.words();
        let what = holder.text();
        let uses = format!("rank {rank}: {call} {does} {bytes} bytes");
        let (message, note) = match begin {
            Begin::Inside { left } if left == holder.bytes => {
                (format!("{uses} {into} {what}, which has {left}"), note)
            }
            Begin::Inside { left } => {
                let has = format!("{left} left of {}", holder.bytes);
                (format!("{uses} {into} {what}, which has {has}"), note)
            }
            Begin::Reserved { left } => (
                format!("{uses} {into} {what}, which has {left} bytes of elements there"),
                "the memory behind the last element of a vector is reserved; what is written there is lost when elements \
                 are added",
            ),
            Begin::Before { bytes } => (
                format!("{uses} that begin {} before {what}", counted(bytes, "byte")),
                "the memory in front of it belongs to another variable, or to the allocator",
            ),
            Begin::Behind { bytes: 0 } => (
                format!("{uses} that begin at the end of {what}, which has {}", holder.bytes),
                BEHIND,
            ),
            Begin::Behind { bytes } => {
                let distance = counted(bytes, "byte");
                let has = format!("which has {}", holder.bytes);
                (format!("{uses} that begin {distance} behind {what}, {has}"), BEHIND)
            }
            Begin::Dead => (
                format!("{uses} {into} the frame of a function that has returned"),
                "the next functions that are called use the memory for their own variables",
            ),
            Begin::Freed { .. } => (
                format!("{uses} {into} {what} that has been freed"),
                "the allocator may have given the memory of a freed block to something else",
            ),
        };
        let mut sites = vec![CallSite::new(rank, call, site.known(), label)];
        let declared = holder.site(rank).map(|site| match begin {
            Begin::Reserved { .. } => {
                CallSite { label: "the vector is declared here".into(), ..site }
            }
            Begin::Inside { .. }
            | Begin::Before { .. }
            | Begin::Behind { .. }
            | Begin::Dead
            | Begin::Freed { .. } => site,
        });
        sites.extend(declared);
        if let Begin::Freed { place: Some(place) } = begin {
            sites.push(CallSite::new(rank, "", Some(place), "the block is freed here".to_string()));
        }
        Finding::error(Code::ShortBuffer, message, vec![rank], sites).note(note)
    }

    /// Returns how many bytes the object would have to have.
    fn needed(self, holder: &Holder) -> u64 {
        let before = match self.begin {
            Begin::Inside { left } => holder.bytes.saturating_sub(left),
            Begin::Reserved { .. }
            | Begin::Before { .. }
            | Begin::Behind { .. }
            | Begin::Dead
            | Begin::Freed { .. } => 0,
        };
        before.saturating_add(self.bytes)
    }

    /// Returns the help; `longer` is the one for an object that is too short.
    fn help(self, longer: String) -> String {
        match self.begin {
            Begin::Inside { .. } => longer,
            Begin::Reserved { .. } => {
                "give the vector its elements before the call: resize, not reserve".into()
            }
            Begin::Before { bytes } => {
                let distance = counted(bytes, "byte");
                format!("correct the address, which is {distance} before the start of the memory, or the datatype")
            }
            Begin::Behind { bytes } => {
                let distance = match bytes {
                    0 => "at".to_owned(),
                    bytes => format!("{} behind", counted(bytes, "byte")),
                };
                format!("correct the index: the address is {distance} the end of the array")
            }
            Begin::Dead => "variables of a function cease to exist when it returns: let its caller own the memory, or \
                            allocate it"
                .into(),
            Begin::Freed { .. } => {
                "free the block after the last call that uses it; what moves a block, such as realloc or a vector that \
                 grows, leaves older pointers to freed memory"
                    .into()
            }
        }
    }
}

/// Returns the finding that the buffer of a call, `count` elements of a datatype, does not fit into the object that it
/// begins in.
pub fn of_call(
    rank: u32,
    origin: CallPlace,
    (count, datatype): (i64, &str),
    extent: Extent,
    holder: &Holder,
) -> Finding {
    let ((does, _), bytes) = (extent.does.words(), extent.bytes);
    let elements = in_number(count as u64, "element");
    let label = format!("{does} {count} {elements} of {datatype}, {bytes} bytes");
    let note = "a buffer has room for all elements of the count, even if a message is shorter (MPI 5.0, 3.2.2 and \
                3.2.4)";
    let needed = extent.needed(holder);
    let longer = format!(
        "make the memory at least {needed} bytes long, or correct the count or the datatype"
    );
    extent.finding(rank, origin, (label, note), holder).help(extent.help(longer))
}

/// Returns the finding that the memory of a window or of an attached buffer is not all in an object.
pub fn of_memory(rank: u32, origin: CallPlace, extent: Extent, holder: &Holder) -> Finding {
    let bytes = extent.bytes;
    let label = format!("the size is {bytes} bytes");
    let note = "later calls use all of the memory that this one is given (MPI 5.0, 3.6 and 12.2)";
    let needed = extent.needed(holder);
    let longer = format!(
        "make the memory at least {needed} bytes long, or correct the size, which is in bytes"
    );
    extent.finding(rank, origin, (label, note), holder).help(extent.help(longer))
}

/// What an argument consists of.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Number of elements; 1 unless it is an array.
    pub count: u64,
    /// What each element is.
    pub of: Element,
}

/// An element of an argument that is not a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// A status.
    Status,
    /// A character of a text.
    Character {
        /// The constant that says how long the array has to be.
        constant: &'static str,
        /// Number of characters that are written this time.
        written: usize,
    },
    /// Anything else, such as a count.
    Other,
}

/// Returns the finding that an argument of a call other than a buffer, such as a status or an array of counts, does
/// not fit into the object that it begins in.
pub fn of_argument(
    rank: u32,
    origin: CallPlace,
    shape: Shape,
    extent: Extent,
    holder: &Holder,
) -> Finding {
    let ((does, _), bytes) = (extent.does.words(), extent.bytes);
    let label = match shape {
        Shape { of: Element::Character { constant, .. }, .. } => {
            format!("{does} up to {constant} characters")
        }
        Shape { count: 1, of: Element::Status } => format!("{does} a status, {bytes} bytes"),
        Shape { count: 1, of: Element::Other } => format!("{does} an argument of {bytes} bytes"),
        Shape { count, of: Element::Status } => format!("{does} {count} statuses, {bytes} bytes"),
        Shape { count, of: Element::Other } => format!("{does} {count} elements, {bytes} bytes"),
    };
    let note = match shape.of {
        Element::Status => {
            "a status is an MPI_Status, in Fortran with mpif.h or the module mpi an array of MPI_STATUS_SIZE \
             integers; the calls for several requests write one for each (MPI 5.0, 3.2.5 and 3.7.5)"
        }
        Element::Character { .. } => {
            "the array has room for the longest text that an implementation may write, however short this one is (MPI \
             5.0, 7.8, 9.1 and 9.4)"
        }
        Element::Other => {
            "an argument has the type that the standard gives it, and an array as many elements as the call uses \
             (MPI 5.0, 2.5)"
        }
    };
    let longer = match shape.of {
        Element::Character { constant, .. } => format!("make the array {constant} characters long"),
        Element::Status | Element::Other => {
            format!("give it the type and length of the standard: {bytes} bytes")
        }
    };
    let finding = extent.finding(rank, origin, (label, note), holder).help(extent.help(longer));
    match (shape.of, extent.begin) {
        // Another implementation may write more, but nothing has gone wrong.
        (Element::Character { written, .. }, Begin::Inside { left }) if written as u64 <= left => {
            finding.at_most(Severity::Note)
        }
        (Element::Character { .. } | Element::Status | Element::Other, _) => finding,
    }
}

/// Returns the finding that a call in Fortran has `given` arguments, where the procedure has `wanted`, the error code
/// included.
pub fn of_list(rank: u32, by: CallPlace, given: usize, wanted: usize) -> Finding {
    let have = in_number(given as u64, "argument");
    let message = format!("rank {rank}: {} has {given} {have}, not {wanted}", by.call);
    let takes = match wanted.saturating_sub(given) {
        0 => "the procedure takes another argument for the error code",
        1 => "the procedure takes whatever is in the place of the missing argument for its address",
        _ => {
            "the procedure takes whatever is in the places of the missing arguments for their addresses"
        }
    };
    let site = CallSite::of(rank, by, format!("{given} {have}"));
    let note =
        "without an explicit interface (mpif.h) the compiler accepts any number of arguments";
    Finding::error(Code::ShortBuffer, message, vec![rank], vec![site]).note(takes).note(note).help(
        match given + 1 == wanted {
            true => NO_ERROR_CODE,
            false => {
                "give the procedure its arguments, the last of which is the error code (ierror)"
            }
        },
    )
}

/// Returns the finding that a call in Fortran writes to an argument that is no variable.
pub fn of_temporary(rank: u32, by: CallPlace, argument: &str) -> Finding {
    let message = format!(
        "rank {rank}: {} writes to the value of `{argument}`, which is no variable: the data are lost",
        by.call
    );
    let label = "the compiler passes a copy, which nobody reads after the call".to_string();
    Finding::error(
        Code::ShortBuffer,
        message,
        vec![rank],
        vec![CallSite::of(rank, by, label)],
    )
    .note(
        "a variable in parentheses is an expression, and an array with a list of numbers for a subscript cannot be \
         changed by a procedure (Fortran 2018, 15.5.2.4)",
    )
    .help("pass the variable itself, or an array of its own for the data and assign its elements")
}

/// Returns the finding that a call in Fortran begins an operation on the value of an expression.
pub fn of_kept_temporary(rank: u32, by: CallPlace, argument: &str) -> Finding {
    let message = format!(
        "rank {rank}: {} begins an operation on the value of `{argument}`, which is no variable: its memory is used for \
         something else after the call",
        by.call
    );
    let label = "the compiler passes the address of a copy".to_string();
    let site = CallSite::of(rank, by, label);
    Finding::error(Code::ShortBuffer, message, vec![rank], vec![site])
        .note("a buffer belongs to the operation until it completes, and a copy lasts as long as the call (MPI 5.0, 19.1.12)")
        .help("assign the value to a variable and pass that")
}

/// Returns the finding that the function of a reduction operation writes behind the elements that it is given; the origin is
/// the call that has made the operation.
pub fn of_operation(rank: u32, by: CallPlace, count: i64) -> Finding {
    let elements = in_number(count as u64, "element");
    let message = format!(
        "rank {rank}: the function of an operation writes beyond the {count} {elements} that it is given"
    );
    let label = "this operation's function does".to_string();
    let site = CallSite::of(rank, by, label);
    Finding::error(Code::ShortBuffer, message, vec![rank], vec![site])
        .note("the function combines `*len` elements of the datatype (MPI 5.0, 6.9.5)")
        .help("let the function end after `*len` elements, which are not bytes, and step from one to the next by the extent of the datatype")
}
