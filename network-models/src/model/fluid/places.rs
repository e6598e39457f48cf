//! [`Places`]: which resources each flow uses.

use std::ops::Range;

use super::sharing::FlowId;

/// Where the list of a flow is.
#[derive(Clone, Copy, Debug, Default)]
struct Span {
    start: usize,
    length: u32,
    /// Number of entries for which there is space.
    space: u32,
}

/// The resources of each flow, and its index among the members of each.
///
/// The lists are one behind the other, so that a pass over all flows reads memory in order. A number
/// that is used again keeps its space; if that is too small, it gets twice as much elsewhere.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    spans: Vec<Span>,
    resources: Vec<u32>,
    indices: Vec<u32>,
}

impl Places {
    /// Sets the resources of a flow. Numbers of flows are given without gaps.
    pub(super) fn set(&mut self, id: FlowId, resources: &[u32]) {
        if id as usize == self.spans.len() {
            self.spans.push(Span::default());
        }
        let span = &mut self.spans[id as usize];
        span.length = resources.len() as u32;
        if span.space < span.length {
            span.space =
                if span.space == 0 { span.length } else { span.length.max(2 * span.space) };
            span.start = self.resources.len();
            self.resources.resize(span.start + span.space as usize, 0);
            self.indices.resize(self.resources.len(), 0);
        }
        let range = self.range(id);
        self.resources[range].copy_from_slice(resources);
    }

    fn range(&self, id: FlowId) -> Range<usize> {
        let Span { start, length, .. } = self.spans[id as usize];
        start..start + length as usize
    }

    /// Returns the resources of a flow.
    pub(super) fn resources(&self, id: FlowId) -> &[u32] {
        &self.resources[self.range(id)]
    }

    /// Returns the index of a flow among the members of each of its resources.
    pub(super) fn indices(&self, id: FlowId) -> &[u32] {
        &self.indices[self.range(id)]
    }

    /// Notes the index of a flow among the members of a resource, which is that of a number in its
    /// list.
    pub(super) fn set_index(&mut self, id: FlowId, place: u32, index: u32) {
        let start = self.spans[id as usize].start;
        self.indices[start + place as usize] = index;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_is_used_again_keeps_or_moves_its_list() {
        let mut places = Places::default();
        places.set(0, &[7, 8]);
        places.set(1, &[9]);
        places.set_index(0, 1, 5);
        places.set_index(1, 0, 6);
        assert_eq!((places.resources(0), places.indices(0)[1]), (&[7, 8][..], 5));
        places.set(0, &[3]);
        assert_eq!(places.resources(0), [3]);
        places.set(0, &[1, 2, 3]);
        places.set_index(0, 2, 4);
        assert_eq!((places.resources(0), places.indices(0)[2]), (&[1, 2, 3][..], 4));
        assert_eq!((places.resources(1), places.indices(1)), (&[9][..], &[6][..]));
    }
}
