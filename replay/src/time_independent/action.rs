//! The actions of a trace and their arguments.

use mpi_api::{call::Mode, object::signature::Primitive};

/// What an action does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// Begins a trace, and says which types are usual in it.
    Init,
    /// Nothing that takes time in MPI.
    Remark,
    Compute,
    Sleep,
    Finalize,
    Send(Mode),
    StartSend(Mode),
    Receive,
    StartReceive,
    SendReceive,
    Wait,
    Test,
    WaitAll,
    WaitAny,
    WaitSome,
    TestAll,
    Collective(Collective),
}

/// A collective action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Collective {
    Barrier,
    Broadcast,
    Reduce,
    Allreduce,
    Scan,
    Exscan,
    ReduceScatter,
    Alltoall,
    Allgather,
    Gather,
    Scatter,
    /// One with a count for each rank.
    Vector(Vector),
}

/// A collective action with a count for each rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Vector {
    Allgather,
    Alltoall,
    Gather,
    Scatter,
}

/// Names of the actions, in small letters.
const ACTIONS: [(&str, Action); 36] = [
    ("allgather", Action::Collective(Collective::Allgather)),
    ("allgatherv", Action::Collective(Collective::Vector(Vector::Allgather))),
    ("allreduce", Action::Collective(Collective::Allreduce)),
    ("alltoall", Action::Collective(Collective::Alltoall)),
    ("alltoallv", Action::Collective(Collective::Vector(Vector::Alltoall))),
    ("barrier", Action::Collective(Collective::Barrier)),
    ("bcast", Action::Collective(Collective::Broadcast)),
    ("comm_dup", Action::Remark),
    ("comm_size", Action::Remark),
    ("comm_split", Action::Remark),
    ("compute", Action::Compute),
    ("exscan", Action::Collective(Collective::Exscan)),
    ("finalize", Action::Finalize),
    ("gather", Action::Collective(Collective::Gather)),
    ("gatherv", Action::Collective(Collective::Vector(Vector::Gather))),
    ("init", Action::Init),
    ("irecv", Action::StartReceive),
    ("isend", Action::StartSend(Mode::Standard)),
    ("issend", Action::StartSend(Mode::Synchronous)),
    ("location", Action::Remark),
    ("recv", Action::Receive),
    ("reduce", Action::Collective(Collective::Reduce)),
    ("reducescatter", Action::Collective(Collective::ReduceScatter)),
    ("scan", Action::Collective(Collective::Scan)),
    ("scatter", Action::Collective(Collective::Scatter)),
    ("scatterv", Action::Collective(Collective::Vector(Vector::Scatter))),
    ("send", Action::Send(Mode::Standard)),
    ("sendrecv", Action::SendReceive),
    ("sleep", Action::Sleep),
    ("ssend", Action::Send(Mode::Synchronous)),
    ("test", Action::Test),
    ("testall", Action::TestAll),
    ("wait", Action::Wait),
    ("waitall", Action::WaitAll),
    ("waitany", Action::WaitAny),
    ("waitsome", Action::WaitSome),
];

impl Action {
    /// Returns the action with this name, in letters of either case.
    pub(super) fn named(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        let place = ACTIONS.binary_search_by(|(known, _)| (*known).cmp(&name)).ok()?;
        Some(ACTIONS[place].1)
    }

    /// Returns the names of all actions.
    pub(super) fn names() -> String {
        ACTIONS.map(|(name, _)| name).join(", ")
    }
}

/// What SimGrid writes for a rank that is none: `MPI_ANY_SOURCE` or `MPI_PROC_NULL`.
const NO_RANK: i64 = -333;

/// The arguments of one action, taken one after the other.
pub(super) struct Arguments<'a> {
    /// The action as written.
    pub(super) action: &'a str,
    words: &'a [&'a str],
    /// Type of data without one.
    usual: Primitive,
    pub(super) needs: Needs,
}

/// What an action needs of the number of ranks, which is known at the end of the trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Needs {
    /// The highest rank that it names.
    pub(super) highest: u32,
    /// The number of elements of its lists with one for each rank, if it has some.
    pub(super) listed: Option<usize>,
}

impl Needs {
    /// Returns what is wrong with the action in a trace of this many ranks.
    pub(super) fn lack(self, ranks: u32) -> Option<String> {
        if self.highest >= ranks {
            return Some(format!("there is no rank {}: the trace has {ranks}", self.highest));
        }
        let listed = self.listed.filter(|listed| *listed != ranks as usize)?;
        Some(format!("a list with one number for each of {ranks} ranks has {listed}"))
    }
}

impl<'a> Arguments<'a> {
    pub(super) fn new(action: &'a str, words: &'a [&'a str], usual: Primitive) -> Self {
        Self { action, words, usual, needs: Needs::default() }
    }

    fn word(&mut self, what: &str) -> Result<&'a str, String> {
        let missing = || format!("`{}` needs {what}", self.action);
        let (first, rest) = self.words.split_first().ok_or_else(missing)?;
        self.words = rest;
        Ok(first)
    }

    /// Takes a number that is not negative. SimGrid writes large ones as floating-point numbers.
    pub(super) fn number(&mut self, what: &str) -> Result<f64, String> {
        let word = self.word(what)?;
        let number = word.parse::<f64>().ok().filter(|number| *number >= 0.0 && *number < 1e18);
        number.ok_or_else(|| format!("`{word}` is not {what}"))
    }

    pub(super) fn count(&mut self) -> Result<u64, String> {
        Ok(self.number("a number of elements")? as u64)
    }

    /// Takes a rank; `None` is `MPI_ANY_SOURCE` of a receive, `MPI_PROC_NULL` of a send.
    pub(super) fn rank(&mut self) -> Result<Option<u32>, String> {
        let word = self.word("a rank")?;
        match word.parse::<i64>() {
            Ok(rank) if (0..i64::from(mpi_api::run::RANKS_MAX)).contains(&rank) => {
                self.needs.highest = self.needs.highest.max(rank as u32);
                Ok(Some(rank as u32))
            }
            Ok(rank) if rank < 0 && (rank == NO_RANK || rank < -1) => Ok(None),
            _ => Err(format!("`{word}` is no rank")),
        }
    }

    pub(super) fn root(&mut self) -> Result<u32, String> {
        if self.words.is_empty() {
            return Ok(0);
        }
        self.rank()?.ok_or_else(|| "the root is no rank".to_owned())
    }

    /// Takes a tag; `None` is `MPI_ANY_TAG`.
    pub(super) fn tag(&mut self) -> Result<Option<i32>, String> {
        let word = self.word("a tag")?;
        let tag = word.parse::<i32>().map_err(|_| format!("`{word}` is no tag"))?;
        Ok((tag >= 0).then_some(tag))
    }

    /// Takes a datatype, by SimGrid's number; the usual one if it is left out.
    pub(super) fn datatype(&mut self) -> Result<Primitive, String> {
        let Some((word, rest)) = self.words.split_first() else { return Ok(self.usual) };
        self.words = rest;
        Ok(match *word {
            "0" => Primitive::Float64,
            "1" => Primitive::Int32,
            "2" => Primitive::Int8,
            "3" => Primitive::Int16,
            "4" => Primitive::Int64,
            "5" => Primitive::Float32,
            "6" => Primitive::Byte,
            _ if word.parse::<u32>().is_ok() => self.usual,
            _ => return Err(format!("`{word}` is no datatype: a number from 0 to 6")),
        })
    }

    /// Takes one number of elements for each rank: all words but the last `others`.
    pub(super) fn counts(&mut self, others: usize) -> Result<Vec<u64>, String> {
        let ranks = self.words.len().saturating_sub(others);
        self.needs.listed = Some(ranks);
        (0..ranks).map(|_| self.count()).collect()
    }

    /// Returns how many words are left.
    pub(super) fn left(&self) -> usize {
        self.words.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_action_is_found_by_its_name() {
        for (name, action) in ACTIONS {
            assert_eq!(Action::named(&name.to_ascii_uppercase()), Some(action), "{name}");
        }
    }
}
