//! What the program of one rank is made of, whatever the language.

/// An array of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Array {
    /// Communicators, by number in the plan.
    Comms,
    /// Requests of parts of the plan.
    Requests,
    /// Requests that one call completes.
    Waiting,
    /// What receives told.
    Statuses,
    /// Datatypes.
    Types,
    /// Operations of its own.
    Ops,
    /// Groups.
    Groups,
}

impl Array {
    /// Every one.
    pub(super) const ALL: [Self; 7] = [
        Self::Comms,
        Self::Requests,
        Self::Waiting,
        Self::Statuses,
        Self::Types,
        Self::Ops,
        Self::Groups,
    ];

    /// Its name in the program.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Comms => "comms",
            Self::Requests => "requests",
            Self::Waiting => "waiting",
            Self::Statuses => "statuses",
            Self::Types => "types",
            Self::Ops => "ops",
            Self::Groups => "groups",
        }
    }
}

/// An argument of a call.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Arg {
    /// A number.
    Int(i64),
    /// A truth value.
    Truth(bool),
    /// A constant of MPI.
    Word(&'static str),
    /// A list of numbers.
    List(String),
    /// A buffer from this byte on.
    Buffer(String, usize),
    /// A buffer that nothing is in.
    Nothing,
    /// The value of an entry.
    Entry(Array, usize),
    /// The entry itself, and those behind it.
    Place(Array, usize),
    /// The source that a status tells.
    Source(usize),
    /// A flag.
    Flag,
    /// The hash of bytes.
    Hash(u64),
    /// A function of the program.
    Function(&'static str),
}

/// What the numbers of a list are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `int`.
    Int,
    /// Truth values.
    Truth,
    /// `MPI_Count`.
    Count,
    /// `MPI_Aint`.
    Address,
    /// Datatypes of MPI by name, or entries of the array of types; see [`List::types`].
    Type,
}

/// A list of numbers.
#[derive(Clone, Debug)]
pub(super) struct List {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) values: Vec<i64>,
    /// Instead of values, where the list is one of datatypes.
    pub(super) types: Vec<&'static str>,
}

/// Where a buffer lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Store {
    Stack,
    Heap,
    Static,
    ThreadLocal,
}

/// Memory of the program.
#[derive(Clone, Debug)]
pub(super) struct Buffer {
    pub(super) name: String,
    pub(super) bytes: usize,
    pub(super) store: Store,
}

/// What the program does next.
#[derive(Clone, Debug)]
pub(super) enum Statement {
    /// Which step of the plan follows.
    Step(usize, String),
    /// A function of MPI, without the prefix.
    Call(String, Vec<Arg>),
    /// The same, again and again until its flag is set.
    Until(String, Vec<Arg>),
    /// A function of the program.
    Helper(&'static str, Vec<Arg>),
    /// An entry gets the value of another one.
    Copy((Array, usize), (Array, usize)),
    /// Memory for a buffer on the heap.
    Take(String, usize),
    /// That memory is given back.
    Give(String),
}

/// The program of one rank.
#[derive(Clone, Debug, Default)]
pub(super) struct Routine {
    pub(super) statements: Vec<Statement>,
    pub(super) buffers: Vec<Buffer>,
    pub(super) lists: Vec<List>,
    /// Entries that calls use behind those they name.
    pub(super) needs: Vec<(Array, usize)>,
}

impl Routine {
    /// How many entries of an array it uses.
    pub(super) fn entries(&self, array: Array) -> usize {
        let of_arg = |arg: &Arg| match arg {
            Arg::Entry(of, at) | Arg::Place(of, at) if *of == array => at + 1,
            Arg::Source(at) if array == Array::Statuses => at + 1,
            _ => 0,
        };
        let of_place = |(of, at): (Array, usize)| if of == array { at + 1 } else { 0 };
        let of = |statement: &Statement| match statement {
            Statement::Call(_, args) | Statement::Until(_, args) | Statement::Helper(_, args) => {
                args.iter().map(of_arg).max().unwrap_or(0)
            }
            Statement::Copy(to, from) => of_place(*to).max(of_place(*from)),
            Statement::Step(..) | Statement::Take(..) | Statement::Give(_) => 0,
        };
        let behind = self.needs.iter().filter(|need| need.0 == array).map(|need| need.1);
        self.statements.iter().map(of).chain(behind).max().unwrap_or(0)
    }
}
