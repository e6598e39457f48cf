//! The status of a receive (MPI section 3.2.5).

use crate::{
    api::{ANY_SOURCE, ANY_TAG, Count, PROC_NULL, Rank, Tag, UNDEFINED, datatype::Datatype},
    object::status,
};

/// The status of a receive or probe: source, tag and size of the message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status(pub(crate) status::Status);

impl Status {
    /// Returns `MPI_SOURCE`: [`PROC_NULL`] for the null process, [`ANY_SOURCE`] in empty statuses
    /// (MPI section 3.7.3).
    pub fn source_rank(&self) -> Rank {
        let nobody = if self.0.from_null { PROC_NULL } else { ANY_SOURCE };
        self.0.source.map_or(nobody, |rank| rank as Rank)
    }

    /// Returns `MPI_TAG`: [`ANY_TAG`] in empty statuses.
    pub fn tag(&self) -> Tag {
        self.0.tag.unwrap_or(ANY_TAG)
    }

    /// `MPI_Get_count`: returns the number of whole elements of the datatype; [`UNDEFINED`] if the
    /// message is not a whole number of them.
    pub fn count<D: Datatype>(&self, datatype: D) -> Count {
        known(datatype.kind().layout().count_in(self.0.bytes))
    }

    /// `MPI_Get_elements`: returns the number of basic elements; [`UNDEFINED`] if the message ends
    /// inside one.
    pub fn elements<D: Datatype>(&self, datatype: D) -> Count {
        known(datatype.kind().layout().basic_elements(self.0.bytes))
    }

    /// Returns the size of the message in bytes.
    pub fn bytes(&self) -> usize {
        self.0.bytes as usize
    }

    /// `MPI_Test_cancelled`: reports whether the operation was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled
    }

    pub(crate) fn empty() -> Self {
        Self(status::Status::empty())
    }
}

fn known(count: Option<u64>) -> Count {
    count.and_then(|count| Count::try_from(count).ok()).unwrap_or(UNDEFINED)
}
