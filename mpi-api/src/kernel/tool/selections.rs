//! [`Selections`]: the choices of collective algorithms that a program has replaced during the run.

use crate::collective::select::Selector;

/// Choices that were replaced, the oldest first.
///
/// All ranks of a collective have to follow the same algorithm. An operation keeps the choice that held
/// when its first rank entered; tags of operations are given out in this order.
#[derive(Default)]
pub(in crate::kernel) struct Selections {
    /// Each with the tag of the first operation that does not use it any more.
    replaced: Vec<(i32, Selector)>,
}

impl Selections {
    /// Records that operations from this tag on use another choice.
    pub(super) fn replace(&mut self, old: Selector, next_tag: i32) {
        self.replaced.push((next_tag, old));
    }

    /// Returns the choice for the operation with this tag, if it is not the present one.
    #[inline]
    pub(in crate::kernel) fn older(&self, tag: i32) -> Option<&Selector> {
        self.replaced.iter().find(|(end, _)| tag < *end).map(|(_, selector)| selector)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collective::select::SelectorName;

    #[test]
    fn an_operation_keeps_its_choice() {
        let mut selections = Selections::default();
        assert_eq!(selections.older(0), None);
        selections.replace(Selector::textbook(), 3);
        selections.replace(Selector::default_choice(), 3);
        selections.replace(Selector::default_choice(), 5);
        let name = |tag| selections.older(tag).map(Selector::name);
        assert_eq!(name(2), Some(SelectorName::Textbook));
        assert_eq!(name(4), Some(SelectorName::Auto));
        assert_eq!(name(5), None);
    }
}
