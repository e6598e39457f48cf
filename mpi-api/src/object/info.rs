//! Info objects: keys and values (MPI chapter 10).

/// The hints for communicators and sessions that the standard defines.
const RECOGNISED: [&str; 10] = [
    "mpi_assert_no_any_tag",
    "mpi_assert_no_any_source",
    "mpi_assert_exact_length",
    "mpi_assert_allow_overtaking",
    "mpi_assert_strict_persistent_collective_ordering",
    "mpi_assert_memory_alloc_kinds",
    "mpi_memory_alloc_kinds",
    "mpi_initial_errhandler",
    "mpi_hw_resource_type",
    "thread_level",
];

/// Keys and values, in the order in which they were first set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info(pub Vec<(String, String)>);

impl Info {
    /// Sets the value of a key.
    pub fn set(&mut self, key: String, value: String) {
        match self.0.iter_mut().find(|(known, _)| *known == key) {
            Some((_, old)) => *old = value,
            None => self.0.push((key, value)),
        }
    }

    /// Reports whether the value of a key is `true`.
    pub fn is_true(&self, key: &str) -> bool {
        self.0.iter().any(|(known, value)| known == key && value == "true")
    }

    /// Returns the entries whose keys have a meaning for communicators or sessions (MPI 7.4.4,
    /// 11.3.1 and 11.4.3); MPI ignores other keys and does not return them.
    #[must_use]
    pub fn recognised(&self) -> Self {
        let known = |(key, _): &&(String, String)| RECOGNISED.contains(&key.as_str());
        Self(self.0.iter().filter(known).cloned().collect())
    }

    /// Sets all entries of `other`.
    pub fn update(&mut self, other: Self) {
        other.0.into_iter().for_each(|(key, value)| self.set(key, value));
    }
}

impl From<&[(&str, &str)]> for Info {
    fn from(entries: &[(&str, &str)]) -> Self {
        let mut info = Self::default();
        entries.iter().for_each(|(key, value)| info.set((*key).into(), (*value).into()));
        info
    }
}
