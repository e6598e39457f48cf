//! Resources that ranks leave behind at finalize: one finding for each kind and source line.

use std::collections::BTreeMap;

use super::{request_leak, resource_leak};
use crate::{
    call::Site,
    finding::{CallSite, Code, Finding, Leak, ranks_text},
};

/// The numbers of resources left behind, by kind, source line and rank.
#[derive(Default)]
pub struct Leaks(BTreeMap<(Leak, Site), BTreeMap<u32, u32>>);

impl Leaks {
    /// Records that a rank has left behind something that it created at `site`.
    pub fn note(&mut self, rank: u32, leak: Leak, site: Site) {
        *self.0.entry((leak, site)).or_default().entry(rank).or_default() += 1;
    }

    /// Returns a finding for each kind and source line.
    pub fn findings(&self) -> impl Iterator<Item = Finding> {
        self.0.iter().map(|((leak, site), ranks)| {
            let left = Left { site: *site, ranks };
            match leak {
                Leak::Request => request_leak::never_completed(&left),
                Leak::Freed(call) => request_leak::freed(&left, call),
                Leak::Object(object) => resource_leak::never_freed(&left, *object),
                Leak::Cached(object) => resource_leak::cached(&left, *object),
            }
        })
    }
}

/// Resources of one kind that ranks left behind.
pub(super) struct Left<'a> {
    /// Place where they were made.
    site: Site,
    /// Number of resources by rank.
    ranks: &'a BTreeMap<u32, u32>,
}

impl Left<'_> {
    /// Returns the number of resources.
    pub(super) fn count(&self) -> u32 {
        self.ranks.values().sum()
    }

    /// Reports whether several ranks left some behind.
    pub(super) fn by_many(&self) -> bool {
        self.ranks.len() > 1
    }

    /// Returns the ranks as text.
    pub(super) fn who(&self) -> String {
        ranks_text(&self.list())
    }

    /// Reports whether a compiled program made them.
    pub(super) fn is_compiled(&self) -> bool {
        self.site.call().is_some()
    }

    fn list(&self) -> Vec<u32> {
        self.ranks.keys().copied().collect()
    }

    /// Returns the finding at the place where the first rank made them by `call`.
    pub(super) fn finding(
        &self,
        code: Code,
        message: String,
        (call, label): (&'static str, String),
    ) -> Finding {
        let list = self.list();
        let at = |rank: &u32| CallSite::at(*rank, self.site, call, label.clone());
        let sites = list.iter().take(1).map(at).collect();
        Finding { count: self.count(), ..Finding::error(code, message, list, sites) }
    }
}

/// Returns a text such as `a datatype that was` or `3 datatypes that were`.
pub(super) fn counted(what: &str, count: u32) -> String {
    format!("{} that {}", plural(what, count), if count == 1 { "was" } else { "were" })
}

/// Returns a text such as `a datatype` or `3 datatypes`.
pub(super) fn plural(what: &str, count: u32) -> String {
    let article = if what.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    match count {
        1 => format!("{article} {what}"),
        count => format!("{count} {what}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{Object, Verdict};

    #[test]
    fn one_kind_at_one_place_is_one_finding() {
        let at = |line| Site::at("a.rs", line, 1);
        let mut leaks = Leaks::default();
        (0..100).for_each(|_| leaks.note(1, Leak::Request, at(7)));
        (0..8).rev().for_each(|rank| leaks.note(rank, Leak::Object(Object::AttachedBuffer), at(3)));
        leaks.note(0, Leak::Object(Object::Datatype), at(3));
        leaks.note(0, Leak::Freed("immediate_send"), at(9));
        (0..2).for_each(|rank| leaks.note(rank, Leak::Cached(Object::Datatype), at(5)));
        let told: Vec<_> = leaks.findings().map(|f| (f.message, f.ranks.len(), f.count)).collect();
        let expected = [
            ("rank 1 ends with 100 requests that were never completed", 1, 100),
            ("rank 0 finalizes before immediate_send is known to be complete", 1, 1),
            ("ranks 0 to 7 end with 8 attached buffers that were never detached", 8, 8),
            ("rank 0 ends with a datatype that was never freed", 1, 1),
            ("ranks 0 and 1 keep 2 datatypes in static variables to the end", 2, 2),
        ];
        assert!(leaks.findings().last().is_some_and(|kept| kept.verdict() == Verdict::Ok));
        assert_eq!(told, expected.map(|(text, ranks, count)| (text.to_string(), ranks, count)));
    }
}
