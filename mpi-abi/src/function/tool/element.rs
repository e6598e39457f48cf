//! The elements of an event: what a callback reads of it. All types of events have the same.

use std::ffi::{c_int, c_void};

use mpi_api::call::MatchEvent;

use crate::{
    constant::{Handle, handle},
    memory,
    state::{Mpi, State, put},
};

/// An element of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    /// Rank of the sender in the communicator.
    Source,
    /// Tag of the message.
    Tag,
    /// Size of the message in bytes.
    Bytes,
    /// The communicator, as Fortran knows it.
    Communicator,
}

impl Element {
    /// All elements, by index.
    pub(super) const ALL: [Self; 4] = [Self::Source, Self::Tag, Self::Bytes, Self::Communicator];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Tag => "tag",
            Self::Bytes => "bytes",
            Self::Communicator => "communicator",
        }
    }

    /// Returns the handle of its datatype.
    pub(super) fn datatype(self) -> Handle {
        match self {
            Self::Source | Self::Tag | Self::Communicator => handle::INT,
            Self::Bytes => handle::COUNT,
        }
    }

    /// Returns where it is in a buffer that holds a whole event: as in a structure of C.
    pub(super) fn displacement(self) -> usize {
        match self {
            Self::Source => 0,
            Self::Tag => 4,
            Self::Bytes => 8,
            Self::Communicator => 16,
        }
    }

    /// Writes the element of an event to memory of the program.
    pub(super) fn store(self, state: &State, event: &MatchEvent, place: *mut c_void) -> Mpi {
        let number = place.cast::<c_int>();
        match self {
            Self::Source => put(number, event.source as c_int),
            Self::Tag => put(number, event.tag),
            Self::Bytes => put(place.cast::<i64>(), event.bytes as i64),
            Self::Communicator => {
                let known = state.handle_of_comm(event.comm).unwrap_or(handle::COMM_NULL);
                put(number, known as c_int)
            }
        }
    }

    /// Writes the element to its place in a buffer for a whole event.
    pub(super) fn store_within(
        self,
        state: &State,
        event: &MatchEvent,
        buffer: *mut c_void,
    ) -> Mpi {
        memory::wanted(buffer)?;
        let place = buffer.cast::<u8>().wrapping_add(self.displacement());
        self.store(state, event, place.cast())
    }
}

#[cfg(test)]
mod tests {
    use super::Element;

    #[test]
    fn elements_lie_as_in_a_structure_of_c() {
        #[repr(C)]
        struct Whole {
            source: i32,
            tag: i32,
            bytes: i64,
            communicator: i32,
        }
        let places = [
            std::mem::offset_of!(Whole, source),
            std::mem::offset_of!(Whole, tag),
            std::mem::offset_of!(Whole, bytes),
            std::mem::offset_of!(Whole, communicator),
        ];
        assert_eq!(Element::ALL.map(Element::displacement), places);
    }
}
