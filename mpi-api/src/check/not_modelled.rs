//! WT0031: a function of MPI is called that is not modelled yet.

use crate::{
    call::Site,
    finding::{CallSite, Code, Finding},
};

/// Returns the finding about a function of a chapter, `what`, that the section of MPI 5.0 defines.
pub fn function(
    (rank, site): (u32, Site),
    name: &'static str,
    what: &str,
    section: &str,
) -> Finding {
    let label = format!("{what} of MPI are not simulated");
    let place = CallSite::new(rank, name, site.known(), label);
    let message = format!("rank {rank}: {name} is not modelled yet");
    Finding::error(Code::NotModelled, message, vec![rank], vec![place])
        .note(format!("the run ends here, whatever the error handler (MPI 5.0, {section})"))
        .help("`windtunnel list functions` tells what is modelled")
}
