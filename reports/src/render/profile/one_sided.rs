//! One-sided communication of a profile as text.

use super::share;
use crate::{
    analysis::{Accesses, OneSided, Synchronizing},
    format::{bytes, count},
    render::text::{aligned, selected},
};

/// Most ranks that get a line each, those that take longest.
const RANKS: usize = 16;

/// Most pairs of origin and target that get a line each, those with most bytes.
const PAIRS: usize = 16;

/// Returns the sections that there is something to say in, each after an empty line.
pub(super) fn sections(found: &OneSided, whole: u128) -> Vec<String> {
    let mut lines = Vec::new();
    if found.total.used().next().is_some() {
        lines.push(String::new());
        lines.extend(synchronization(found, whole));
    }
    if !found.pairs.is_empty() {
        lines.push(String::new());
        lines.extend(accesses(found));
    }
    lines
}

/// Returns the time in each kind of synchronisation, of all ranks and of those that spend most.
fn synchronization(found: &OneSided, whole: u128) -> Vec<String> {
    let mut head = vec!["one-sided synchronisation".to_owned(), "time".to_owned()];
    head.extend(found.total.used().map(|how| how.name().to_owned()));
    let row = |name: String, one: &Synchronizing| {
        let mut row = vec![name, one.total().to_string()];
        row.extend(found.total.used().map(|how| one.time(how).to_string()));
        row
    };
    let mut calls = vec!["calls".to_owned()];
    calls.push(count(found.total.used().map(|how| found.total.calls(how)).sum()));
    calls.extend(found.total.used().map(|how| count(found.total.calls(how))));
    let mut shares = vec!["of rank time".to_owned(), share(found.total.total(), whole)];
    shares.extend(found.total.used().map(|how| share(found.total.time(how), whole)));
    let mut rows = vec![head, calls, row("all ranks".into(), &found.total), shares];
    rows.extend(found.longest(RANKS).map(|(rank, one)| row(format!("rank {rank}"), one)));
    let mut lines = aligned(&rows, 1);
    lines.extend(selected(RANKS, found.ranks.len(), "ranks that synchronise longest"));
    lines
}

/// Returns the accesses by origin and target, those with most bytes.
fn accesses(found: &OneSided) -> Vec<String> {
    let head = ["one-sided accesses", "number", "to the target", "to the origin"];
    let row = |name: String, pair: &Accesses| {
        vec![name, count(pair.accesses), bytes(pair.out), bytes(pair.back)]
    };
    let mut rows =
        vec![head.map(str::to_owned).to_vec(), row("all ranks".into(), &found.accesses())];
    let pairs = found.heaviest(PAIRS);
    rows.extend(
        pairs.map(|pair| row(format!("rank {} at rank {}", pair.origin, pair.target), pair)),
    );
    let mut lines = aligned(&rows, 1);
    let what = "pairs of origin and target with most bytes";
    lines.extend(selected(PAIRS, found.pairs.len(), what));
    lines
}
