//! WT0017: an object is never freed.

use super::leaks::{Left, counted, plural};
use crate::finding::{Code, Finding, Object, Severity};

/// How a program ends the life of an object.
struct End {
    /// What is done to it.
    done: &'static str,
    help: String,
}

impl End {
    fn of(object: Object, is_compiled: bool) -> Self {
        let by = |function: &str| match is_compiled {
            true => format!(" ({function})"),
            false => String::new(),
        };
        match object {
            Object::File => Self {
                done: "closed",
                help: format!("have the file closed{} before finalize", by("MPI_File_close")),
            },
            Object::AttachedBuffer => Self {
                done: "detached",
                help: format!(
                    "have the buffer detached{} before finalize, and before its memory is released",
                    by("MPI_Buffer_detach")
                ),
            },
            Object::MemoryBlock => Self {
                done: "freed",
                help: format!("have the memory block freed{} before finalize", by("MPI_Free_mem")),
            },
            Object::Port => Self {
                done: "closed",
                help: format!("have the port closed{} before finalize", by("MPI_Close_port")),
            },
            Object::PublishedName => Self {
                done: "unpublished",
                help: format!(
                    "have the name unpublished{} before its port is closed and its publisher ends (MPI 5.0, 11.9.4)",
                    by("MPI_Unpublish_name")
                ),
            },
            Object::AttributeKey
            | Object::Communicator
            | Object::Datatype
            | Object::ErrorHandler
            | Object::Group
            | Object::InfoObject
            | Object::Operation
            | Object::PersistentRequest
            | Object::Window => Self {
                done: "freed",
                help: format!("have the {} freed before finalize", object.name()),
            },
        }
    }
}

/// Returns the finding about objects that were not freed.
pub(super) fn never_freed(left: &Left<'_>, object: Object) -> Finding {
    let (who, end) = (left.who(), if left.by_many() { "end" } else { "ends" });
    let (what, End { done, help }) = (object.name(), End::of(object, left.is_compiled()));
    let message = format!("{who} {end} with {} never {done}", counted(what, left.count()));
    let label = format!("this {what} is never {done}");
    let finding = left.finding(Code::ResourceLeak, message, ("create", label)).warning().help(help);
    // The operating system takes memory back, and the standard's own servers leave their ports open (MPI 11.9.3).
    let is_harmless = matches!(object, Object::MemoryBlock | Object::Port);
    if is_harmless { finding.at_most(Severity::Note) } else { finding }
}

/// Returns the note about objects that the program keeps in static variables until it ends.
pub(super) fn cached(left: &Left<'_>, object: Object) -> Finding {
    let (who, count, what) = (left.who(), left.count(), object.name());
    let keep = if left.by_many() { "keep" } else { "keeps" };
    let place = if count > 1 { "static variables" } else { "a static variable" };
    let message = format!("{who} {keep} {} in {place} to the end", plural(what, count));
    let label = format!("this {what} is kept in a static variable");
    let finding = left.finding(Code::ResourceLeak, message, ("create", label));
    Finding { severity: Severity::Note, ..finding }
        .note(format!("{} that a static variable holds is good for the whole run", plural(what, 1)))
}
