//! How files represent data (MPI section 14.5).

/// A predefined representation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Representation {
    /// As in memory: "native".
    Native,
    /// As we like; as in memory, too.
    Internal,
    /// "external32", the same on every machine.
    External32,
}

impl Representation {
    /// Returns the representation of this name.
    pub(crate) fn of(name: &str) -> Option<Self> {
        [Self::Native, Self::Internal, Self::External32]
            .into_iter()
            .find(|known| known.name() == name)
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Internal => "internal",
            Self::External32 => "external32",
        }
    }
}
