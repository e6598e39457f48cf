//! The editions of the standard: when each function came in, was deprecated, and was removed. From the
//! change logs and the chapters on deprecated and removed interfaces of MPI 1.0 to 5.0.

use std::{collections::BTreeMap, sync::LazyLock};

use serde::Deserialize;

const DATA: &str = include_str!("../data/editions.json");

/// An edition of the standard.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    edition: String,
    date: String,
    added: Vec<String>,
    deprecated: Vec<String>,
    removed: Vec<String>,
}

/// An edition of the standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edition {
    /// Its number, such as `3.1`.
    pub number: &'static str,
    /// Year and month of its publication.
    pub date: &'static str,
}

/// The editions in which a function changed its standing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct History {
    /// The first edition that has it.
    pub added: &'static str,
    /// The first edition that advises against it.
    pub deprecated: Option<&'static str>,
    /// The first edition that no longer has it.
    pub removed: Option<&'static str>,
}

/// The standing of a function in an edition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is defined.
    Current,
    /// It is defined, and should not be used any more.
    Deprecated,
}

static ROWS: LazyLock<Vec<Row>> =
    LazyLock::new(|| serde_json::from_str(DATA).expect("a table of ours is well-formed"));

static HISTORIES: LazyLock<BTreeMap<&str, History>> = LazyLock::new(|| {
    let mut all = BTreeMap::new();
    for Row { edition, added, deprecated, removed, .. } in &*ROWS {
        let new = History { added: edition, deprecated: None, removed: None };
        all.extend(added.iter().map(|name| (name.as_str(), new)));
        for name in deprecated {
            all.entry(name).and_modify(|history| history.deprecated = Some(edition));
        }
        for name in removed {
            all.entry(name).and_modify(|history| history.removed = Some(edition));
        }
    }
    all
});

/// Returns all editions, the oldest first.
pub fn editions() -> impl Iterator<Item = Edition> + Clone {
    ROWS.iter().map(|row| Edition { number: &row.edition, date: &row.date })
}

/// Returns the history of a function of the standard.
pub fn history(name: &str) -> Option<History> {
    HISTORIES.get(name).copied()
}

/// Returns the place of an edition among all.
fn place(number: &str) -> Option<usize> {
    ROWS.iter().position(|row| row.edition == number)
}

impl History {
    /// Returns the standing in an edition; `None` if the edition does not have the function, or there is no
    /// such edition.
    pub fn standing(self, edition: &str) -> Option<Standing> {
        let at = place(edition)?;
        let by = |number: Option<&str>| number.and_then(place).is_some_and(|place| place <= at);
        if !by(Some(self.added)) || by(self.removed) {
            return None;
        }
        Some(if by(self.deprecated) { Standing::Deprecated } else { Standing::Current })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::functions;

    #[test]
    fn every_function_has_one_history() {
        let known: BTreeSet<&str> = functions()
            .iter()
            .filter(|function| !function.section.is_empty())
            .map(|function| function.name.as_str())
            .collect();
        let told: Vec<&str> = ROWS.iter().flat_map(|row| &row.added).map(String::as_str).collect();
        assert_eq!(told.len(), known.len(), "a function is added once");
        assert_eq!(told.into_iter().collect::<BTreeSet<_>>(), known);
    }

    #[test]
    fn functions_leave_after_they_have_come() {
        for Row { edition, deprecated, removed, .. } in &*ROWS {
            for name in deprecated.iter().chain(removed) {
                let added = history(name).expect("it was added").added;
                assert!(place(added) < place(edition), "{name}");
            }
        }
    }

    #[test]
    fn standings_follow_the_editions() {
        use Standing::{Current, Deprecated};
        let standing = |name: &str, edition| history(name).and_then(|it| it.standing(edition));
        assert_eq!(standing("MPI_Type_struct", "1.1"), Some(Current));
        assert_eq!(standing("MPI_Type_struct", "2.2"), Some(Deprecated));
        assert_eq!(standing("MPI_Type_struct", "3.0"), None);
        assert_eq!(standing("MPI_Ibarrier", "2.2"), None);
        assert_eq!(standing("MPI_Ibarrier", "3.0"), Some(Current));
        assert_eq!(standing("MPI_Send", "6.0"), None);
        let first = |edition| {
            let all = functions().iter();
            all.filter(|function| standing(&function.name, edition).is_some()).count()
        };
        assert_eq!(first("1.1"), 128, "as the first edition is often said to have");
    }
}
