//! In what two ranks differ that meet at a file.

use crate::call::{FileMeeting, FileMode, Whence};

/// A difference between two ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Difference {
    /// They call different operations.
    Operation,
    /// They give different values of an argument.
    Argument(String, String),
}

/// Returns the difference between two ranks that come to the same meeting.
pub(super) fn difference(mine: &FileMeeting, theirs: &FileMeeting) -> Option<Difference> {
    use FileMeeting as M;
    let argument = |mine: String, theirs: String| {
        (mine != theirs).then_some(Difference::Argument(mine, theirs))
    };
    match (mine, theirs) {
        (M::Open(name, mode), M::Open(other, others)) => argument(amode(*mode), amode(*others))
            .or_else(|| argument(format!("the file {name}"), format!("the file {other}"))),
        (M::Resize(size), M::Resize(other)) | (M::Reserve(size), M::Reserve(other)) => {
            argument(format!("{size} bytes"), format!("{other} bytes"))
        }
        (M::SetView(etype, name), M::SetView(other, others)) => {
            argument(format!("the representation {name}"), format!("the representation {others}"))
                .or_else(|| argument(elementary(*etype), elementary(*other)))
        }
        (M::SetAtomicity(flag), M::SetAtomicity(other)) => {
            argument(format!("flag {}", i32::from(*flag)), format!("flag {}", i32::from(*other)))
        }
        (M::SeekShared(offset, whence), M::SeekShared(other, others)) => {
            let text =
                |offset: i64, whence: &Whence| format!("offset {offset} with {}", whence.name());
            argument(text(*offset, whence), text(*other, others))
        }
        (one, other) => (one != other).then_some(Difference::Operation),
    }
}

fn elementary(bytes: u64) -> String {
    format!("an elementary type of {bytes} bytes")
}

/// Returns a mode as C programs write it.
fn amode(mode: FileMode) -> String {
    let access = match (mode.reads, mode.writes) {
        (true, true) => "MPI_MODE_RDWR",
        (false, true) => "MPI_MODE_WRONLY",
        (true, false) | (false, false) => "MPI_MODE_RDONLY",
    };
    let more = [
        (mode.create, "MPI_MODE_CREATE"),
        (mode.exclusive, "MPI_MODE_EXCL"),
        (mode.delete_on_close, "MPI_MODE_DELETE_ON_CLOSE"),
        (mode.unique, "MPI_MODE_UNIQUE_OPEN"),
        (mode.sequential, "MPI_MODE_SEQUENTIAL"),
        (mode.append, "MPI_MODE_APPEND"),
    ];
    let more = more.into_iter().filter_map(|(set, name)| set.then_some(name));
    std::iter::once(access).chain(more).collect::<Vec<_>>().join(" | ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::{Direction, Manner, Whence};

    fn told(mine: &FileMeeting, theirs: &FileMeeting) -> String {
        match difference(mine, theirs) {
            None => "alike".into(),
            Some(Difference::Operation) => "another operation".into(),
            Some(Difference::Argument(mine, theirs)) => format!("{mine}; {theirs}"),
        }
    }

    #[test]
    fn operations_and_arguments_differ() {
        use FileMeeting as M;
        let open = |name: &str, mode| M::Open(name.into(), mode);
        let reads = FileMode { reads: true, ..FileMode::default() };
        let creates = FileMode { writes: true, create: true, ..reads };
        assert_eq!(told(&open("a", reads), &open("a", reads)), "alike");
        assert_eq!(told(&open("a", reads), &open("b", reads)), "the file a; the file b");
        assert_eq!(
            told(&open("a", reads), &open("b", creates)),
            "MPI_MODE_RDONLY; MPI_MODE_RDWR | MPI_MODE_CREATE"
        );
        assert_eq!(told(&M::Sync, &M::Close), "another operation");
        assert_eq!(told(&M::Resize(8), &M::Resize(16)), "8 bytes; 16 bytes");
        assert_eq!(told(&M::SetAtomicity(true), &M::SetAtomicity(false)), "flag 1; flag 0");
        let view = |etype, name: &str| M::SetView(etype, name.into());
        assert_eq!(
            told(&view(4, "native"), &view(8, "native")),
            "an elementary type of 4 bytes; an elementary type of 8 bytes"
        );
        let seek = |offset| M::SeekShared(offset, Whence::End);
        assert_eq!(
            told(&seek(0), &seek(1)),
            "offset 0 with MPI_SEEK_END; offset 1 with MPI_SEEK_END"
        );
        let write = |manner| M::AccessAt(Direction::Write, manner);
        assert_eq!(told(&write(Manner::Blocking), &write(Manner::Blocking)), "alike");
        assert_eq!(told(&write(Manner::Blocking), &write(Manner::Split)), "another operation");
    }
}
