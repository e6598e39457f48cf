//! [`Lines`]: how many entries of a table are shown.

/// Number of call sites that are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lines {
    /// At most this many, the longest ones.
    First(usize),
    /// Each of them.
    All,
}

impl Lines {
    /// Parses a number or `all`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        if text == "all" {
            return Ok(Self::All);
        }
        let number = text.parse().ok().filter(|number| *number > 0);
        number.map(Self::First).ok_or_else(|| "the number of call sites to show, or all".to_owned())
    }

    /// Returns the limit, if there is one.
    pub(crate) fn limit(self) -> Option<usize> {
        match self {
            Self::First(number) => Some(number),
            Self::All => None,
        }
    }
}
