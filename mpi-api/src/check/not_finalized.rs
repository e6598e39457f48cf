//! WT0023: MPI is used outside of init and finalize, or never finalized.

use crate::{
    call::Site,
    finding::{CallSite, Code, Finding, ranks_text},
};

/// Returns the finding about a call of a rank that has finalized.
pub fn after_finalize(rank: u32, call: &'static str, site: Site) -> Finding {
    let label = "MPI has ended here".to_string();
    let message = format!("rank {rank} calls {call} after it has finalized");
    let place = CallSite::new(rank, call, site.known(), label);
    Finding::error(Code::NotFinalized, message, vec![rank], vec![place])
        .note("few calls are allowed after finalize (MPI 5.0, 11.4.1)")
        .help("keep the universe until the last call of MPI")
}

/// When a compiled program calls MPI though it may not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outside {
    /// Before initialization.
    BeforeInit,
    /// After finalization.
    AfterFinalize,
    /// After the last session was finalized.
    AfterSession,
    /// In a second initialization.
    SecondInit,
}

impl Outside {
    /// Returns what is wrong.
    pub fn text(self) -> &'static str {
        match self {
            Self::BeforeInit => "MPI is called before MPI_Init",
            Self::AfterFinalize => "MPI is called after MPI_Finalize",
            Self::AfterSession => "MPI is called after MPI_Session_finalize of the last session",
            Self::SecondInit => "MPI_Init is called a second time",
        }
    }
}

/// Returns the finding about a compiled program that calls MPI before initialization or after
/// finalization.
pub fn outside(rank: u32, site: Site, outside: Outside) -> Finding {
    let message = format!("rank {rank}: {}", outside.text());
    let place = CallSite::new(rank, "program", site.known(), outside.text().into());
    let finding = Finding::error(Code::NotFinalized, message, vec![rank], vec![place]);
    match outside {
        Outside::BeforeInit | Outside::AfterFinalize | Outside::SecondInit => finding
            .note("MPI is used between one MPI_Init and one MPI_Finalize (MPI 5.0, 11.2)"),
        Outside::AfterSession => finding
            .note("communicators, windows and files that come from a session are used while it lasts (MPI 5.0, 11.3)")
            .help("free what comes from the session before MPI_Session_finalize, and use it no longer"),
    }
}

/// Label of the beginning of `main`, where the program ended by a return from it.
pub const MAIN: &str = "`main`, which returns too early, begins here";

/// Returns the finding about ranks that ended without calling `missing`, a function they must call, at the place where one of
/// them ended itself if that is known.
pub fn ended_without(missing: &str, ranks: Vec<u32>, place: Option<CallSite>) -> Finding {
    let message = format!("{} ended without {missing}", ranks_text(&ranks));
    let count = ranks.len() as u32;
    let finding = Finding::error(Code::NotFinalized, message, ranks, place.into_iter().collect())
        .help(format!("call {missing} on every rank before it ends"));
    Finding { count, ..finding }
}
