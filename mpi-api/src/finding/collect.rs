//! Collects the findings of one run, merged by code and source line.

use std::collections::BTreeMap;

use super::{Code, Finding, Severity, ranks_text};
use crate::call::Site;

/// The identity of a finding: its code, its severity and the source line of its first call. Findings without a
/// source line are equal if their messages are.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Line(Code, Severity, Site),
    Text(Code, Severity, String),
}

/// The findings of a run, merged as they are reported, so that a program that makes the same error
/// a million times needs the memory of one finding.
///
/// The first of them is kept as the example; it counts the others and names all their ranks.
#[derive(Debug, Default)]
pub struct Findings {
    list: Vec<Merged>,
    known: BTreeMap<Key, usize>,
}

#[derive(Debug)]
struct Merged {
    finding: Finding,
    /// Number of findings that were merged.
    times: u32,
}

impl Key {
    fn of(finding: &Finding) -> Self {
        let site = finding.sites.first().and_then(|site| site.site).and_then(Site::known);
        let (code, severity) = (finding.code, finding.severity);
        match site {
            // Several calls may be on one line.
            Some(site) if site.line > 0 => {
                Self::Line(code, severity, Site::at(site.file, site.line, 0))
            }
            Some(site) => Self::Line(code, severity, site),
            None => Self::Text(code, severity, finding.message.clone()),
        }
    }
}

impl Findings {
    /// Adds a finding.
    pub fn add(&mut self, mut finding: Finding) {
        finding.ranks.sort_unstable();
        finding.ranks.dedup();
        match self.known.entry(Key::of(&finding)) {
            std::collections::btree_map::Entry::Occupied(known) => {
                let merged = &mut self.list[*known.get()];
                merged.times = merged.times.saturating_add(1);
                merged.finding.absorb(&finding);
            }
            std::collections::btree_map::Entry::Vacant(place) => {
                place.insert(self.list.len());
                self.list.push(Merged { finding, times: 1 });
            }
        }
    }

    /// Returns the findings in the order in which each was first reported.
    pub fn into_vec(self) -> Vec<Finding> {
        self.list.into_iter().map(Merged::into_finding).collect()
    }
}

impl Extend<Finding> for Findings {
    fn extend<T: IntoIterator<Item = Finding>>(&mut self, findings: T) {
        findings.into_iter().for_each(|finding| self.add(finding));
    }
}

impl Merged {
    fn into_finding(self) -> Finding {
        let Self { finding, times } = self;
        if times < 2 {
            return finding;
        }
        let note =
            format!("the first of {} like it, on {}", finding.count, ranks_text(&finding.ranks));
        finding.note(note)
    }
}

impl Finding {
    /// Merges an equal finding: counts are added, and each rank is named once.
    pub fn absorb(&mut self, other: &Self) {
        self.count = self.count.saturating_add(other.count);
        self.name_ranks(&other.ranks);
        self.severity = self.severity.min(other.severity);
    }

    /// Adds ranks that are not named yet and sorts the list.
    pub fn name_ranks(&mut self, others: &[u32]) {
        for rank in others {
            if let Err(place) = self.ranks.binary_search(rank) {
                self.ranks.insert(place, *rank);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::CallSite;

    fn conflict(rank: u32, line: u32) -> Finding {
        let site = Site::at("a.c", line, 1);
        let place = CallSite::new(rank, "MPI_Irecv", Some(site), "here".into());
        Finding::error(Code::BufferConflict, format!("rank {rank}"), vec![rank], vec![place])
    }

    #[test]
    fn a_line_is_told_once_with_its_count_and_ranks() {
        let mut findings = Findings::default();
        for round in 0..100_000 {
            findings.add(conflict([3, 0, 7][round % 3], 5));
        }
        findings.add(conflict(1, 6));
        let told = findings.into_vec();
        assert_eq!(told.len(), 2);
        assert_eq!((told[0].count, &told[0].ranks[..]), (100_000, &[0, 3, 7][..]));
        assert_eq!((&*told[0].message, told[0].sites.len()), ("rank 3", 1));
        assert_eq!(told[0].notes, ["the first of 100000 like it, on ranks 0, 3 and 7"]);
        assert_eq!((told[1].count, told[1].notes.len()), (1, 0));
    }

    #[test]
    fn without_a_place_the_text_decides() {
        let plain = |text: &str| Finding::error(Code::ExitCode, text, vec![2, 1, 2], Vec::new());
        let mut findings = Findings::default();
        findings.extend([plain("a"), plain("b"), plain("a")]);
        let told = findings.into_vec();
        assert_eq!(told.iter().map(|finding| finding.count).collect::<Vec<_>>(), [2, 1]);
        assert_eq!(told[0].ranks, [1, 2]);
    }
}
