//! [`Exit`]: how a rank ended in the middle of its program, and the findings about such ends.

use crate::{
    call::Site,
    finding::{CallSite, Code, Finding, ranks_text},
};

/// The end of a rank by `exit`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exit {
    pub(crate) rank: u32,
    pub(crate) code: i32,
    /// Whether the rank had initialized MPI and not finalized it.
    pub(crate) unfinished: bool,
    pub(crate) site: Site,
}

/// Returns one finding for each exit code other than 0, and one for ranks that have ended with 0
/// without finalizing MPI.
pub(crate) fn exit_findings(exits: &[Exit]) -> Vec<Finding> {
    let mut codes: Vec<i32> =
        exits.iter().map(|exit| exit.code).filter(|code| *code != 0).collect();
    codes.sort_unstable();
    codes.dedup();
    let coded = codes.into_iter().filter_map(|code| {
        let text = format!("ended with exit code {code}");
        finding(Code::ExitCode, exits.iter().filter(|exit| exit.code == code), &text)
    });
    let early = exits.iter().filter(|exit| exit.code == 0 && exit.unfinished);
    let unfinished = finding(Code::NotFinalized, early, "ended without finalize")
        .map(|finding| finding.help("let the universe be dropped on every rank before it ends"));
    coded.chain(unfinished).collect()
}

fn finding<'a>(code: Code, exits: impl Iterator<Item = &'a Exit>, text: &str) -> Option<Finding> {
    let mut exits: Vec<&Exit> = exits.collect();
    exits.sort_by_key(|exit| exit.rank);
    let first = exits.first()?;
    let sites = first
        .site
        .known()
        .map(|site| CallSite::new(first.rank, "exit", Some(site), "called here".to_string()));
    let ranks: Vec<u32> = exits.iter().map(|exit| exit.rank).collect();
    let count = ranks.len() as u32;
    let message = format!("{} {text}", ranks_text(&ranks));
    Some(Finding { count, ..Finding::error(code, message, ranks, sites.into_iter().collect()) })
}
