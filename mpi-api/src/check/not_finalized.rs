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

/// Returns the finding about a compiled program that calls MPI before initialization or after
/// finalization; `what` says which.
pub fn outside(rank: u32, site: Site, what: String) -> Finding {
    let message = format!("rank {rank}: {what}");
    let place = CallSite::new(rank, "program", site.known(), what);
    Finding::error(Code::NotFinalized, message, vec![rank], vec![place])
        .note("MPI is used between one MPI_Init and one MPI_Finalize (MPI 5.0, 11.2)")
}

/// Returns the finding about ranks that ended without calling `missing`, a function they must call.
pub fn ended_without(missing: &str, ranks: Vec<u32>) -> Finding {
    let message = format!("{} ended without {missing}", ranks_text(&ranks));
    let count = ranks.len() as u32;
    let finding = Finding::error(Code::NotFinalized, message, ranks, Vec::new())
        .help(format!("call {missing} on every rank before it ends"));
    Finding { count, ..finding }
}
