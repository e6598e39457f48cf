//! WT0039: the program relies on what not every library provides. Always a note.

use crate::finding::{CallPlace, CallSite, Code, Finding, Severity};

/// The largest tag that every library takes (MPI section 3.2.3).
pub const TAG_SAFE: i32 = 32_767;

/// Returns the note on a tag above [`TAG_SAFE`].
pub fn large_tag(rank: u32, call: CallPlace, tag: i32) -> Finding {
    let label = format!("tag {tag}");
    let message = format!("the tag {tag} is larger than every library allows");
    note(rank, call, message, label)
        .note("only tags up to 32767 are allowed by all libraries (MPI 5.0, 3.2.3 and 9.1.2)")
        .help("take a smaller tag, or compare it with the attribute MPI_TAG_UB")
}

/// Two requests that one call starts and that could take each other's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alike {
    /// Sends to this rank of the communicator.
    Sends {
        /// The destination.
        to: u32,
        /// Their tag.
        tag: i32,
    },
    /// Receives that could take the same message.
    Receives,
}

/// Returns the note that one call starts two requests whose order matters.
pub fn order_of_starts(rank: u32, call: CallPlace, alike: Alike) -> Finding {
    let name = call.call;
    let (label, which) = match alike {
        Alike::Sends { to, tag } => (
            format!("two of the requests send to rank {to} with tag {tag}"),
            "which of two messages is received first",
        ),
        Alike::Receives => (
            "two of the requests could receive the same message".to_owned(),
            "which of two buffers takes the first message",
        ),
    };
    let message = format!("{which} depends on the order in which {name} starts its requests");
    note(rank, call, message, label)
        .note("it may start them in any order (MPI 5.0, 3.9)")
        .help("give the requests different tags, or start them one after the other")
}

/// Returns the note that calls are made in threads although the library provides no threads, from the
/// finding about them.
pub fn ignored_level(found: Finding) -> Finding {
    let sites = found.sites.into_iter().take(1).map(|site| {
        let label = "this call is made although MPI_THREAD_SINGLE was provided".to_owned();
        CallSite { label, ..site }
    });
    let message = "the program calls MPI in threads whatever level the library provides";
    Finding::error(Code::Portability, message, found.ranks, sites.collect())
        .at_most(Severity::Note)
        .note("a library may provide a lower level than MPI_Init_thread asks for (MPI 5.0, 11.6.2)")
        .help("compare the level that MPI_Init_thread or MPI_Query_thread returns, and end or compute without threads")
}

/// Returns the note that the send buffer of a pending operation is read, from the finding of a run in which
/// operations own what they send.
pub fn read_while_sent(found: Finding) -> Finding {
    let message = found.message;
    Finding::error(Code::Portability, message, found.ranks, found.sites)
        .at_most(Severity::Note)
        .note(
            "the buffer of a pending send may be read since MPI 2.2 only; older libraries may have \
             closed or changed its memory meanwhile",
        )
        .help("complete the send before the buffer is read, where such libraries matter")
}

/// Returns the note that a finding of the same program is absent when collective operations synchronise all
/// ranks.
pub fn synchronising_collectives(found: &Finding) -> Finding {
    let message = "the program is right only if collective operations synchronise all ranks";
    Finding::error(Code::Portability, message, found.ranks.clone(), found.sites.clone())
        .at_most(Severity::Note)
        .note(format!("otherwise: {}", found.message))
        .note("only a barrier, and operations whose result needs all ranks, wait for all of them (MPI 5.0, 6.1)")
        .help("order the messages by a barrier, by tags or by named sources")
}

/// Returns the note that a scatter sends some bytes of its root to several ranks.
pub fn read_twice(rank: u32, call: CallPlace) -> Finding {
    let message = format!("{} sends some bytes of the root to several ranks", call.call);
    let label = "two blocks of the send buffer overlap".to_owned();
    note(rank, call, message, label)
        .note("no location on the root may be read more than once (MPI 5.0, 6.6)")
        .help("displacements count elements of the send type: if the blocks are meant to overlap, send each rank its \
               own block and exchange the borders")
}

/// Returns the note that a reduction combines by an operation in whose result elements depend on others.
///
/// Units: `element` is the index of the first of them.
pub fn coupled_elements(rank: u32, call: CallPlace, element: usize) -> Finding {
    let name = call.call;
    let message = format!("{name} combines by an operation whose elements depend on each other");
    let label = format!("element {element} of its result is another one without those before it");
    note(rank, call, message, label)
        .note("a library may split the data, and call the function for some of the elements only (MPI 5.0, 6.9.5)")
        .help("make what belongs together one element, of a derived datatype (MPI_Type_contiguous)")
}

fn note(rank: u32, CallPlace { call, site }: CallPlace, message: String, label: String) -> Finding {
    let site = CallSite::at(rank, site, call, label);
    Finding::error(Code::Portability, message, vec![rank], vec![site]).at_most(Severity::Note)
}
