//! Functions of other libraries whose place ours take.

use std::collections::BTreeMap;

/// The name of a function of another library and the address of ours.
pub(crate) type Replacement = (&'static str, usize);

/// All functions of ours that take the place of others ([`crate::replacements`]).
#[derive(Default)]
pub struct Replacements {
    /// Those that need the place of their caller, for example because they may suspend and a deadlock may have to be
    /// explained.
    pub(crate) waiting: Vec<Replacement>,
    /// The others, by name.
    pub(crate) others: BTreeMap<&'static str, usize>,
}
