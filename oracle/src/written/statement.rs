//! The statements of one rank's program, independent of the language.

/// An array of the generated program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Array {
    /// Communicators, by number in the plan.
    Comms,
    /// Requests of parts of the plan.
    Requests,
    /// Requests that one call completes.
    Waiting,
    /// Statuses of receives and probes.
    Statuses,
    /// Derived datatypes.
    Types,
    /// User-defined reduction operations.
    Ops,
    /// Groups of processes.
    Groups,
    /// Windows.
    Windows,
}

impl Array {
    /// All arrays.
    pub(super) const ALL: [Self; 8] = [
        Self::Comms,
        Self::Requests,
        Self::Waiting,
        Self::Statuses,
        Self::Types,
        Self::Ops,
        Self::Groups,
        Self::Windows,
    ];

    /// Returns the name of the array in the program.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Comms => "comms",
            Self::Requests => "requests",
            Self::Waiting => "waiting",
            Self::Statuses => "statuses",
            Self::Types => "types",
            Self::Ops => "ops",
            Self::Groups => "groups",
            Self::Windows => "windows",
        }
    }
}

/// An argument of a call.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Arg {
    /// A number.
    Int(i64),
    /// A logical value.
    Truth(bool),
    /// A constant of MPI, by name.
    Word(&'static str),
    /// The sum of constants of MPI, by name.
    Sum(Vec<&'static str>),
    /// A list of numbers, by name.
    List(String),
    /// The place of an entry of a list, by name.
    Item(String, usize),
    /// An entry of a list of addresses, by name, with an offset.
    Beyond(String, usize, i64),
    /// A buffer from this byte offset on.
    Buffer(String, usize),
    /// The place for the address of a buffer that MPI allocates.
    Base(String),
    /// A buffer without contents.
    Nothing,
    /// The value of an array entry.
    Entry(Array, usize),
    /// The address of an array entry and those after it.
    Place(Array, usize),
    /// The source in a status entry.
    Source(usize),
    /// The address of the flag.
    Flag,
    /// A hash of bytes.
    Hash(u64),
    /// A function of the program, by name.
    Function(&'static str),
}

/// The type of the numbers in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `int`.
    Int,
    /// Logical values.
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
    /// Names of the datatypes if the list is one of datatypes; `values` is then unused.
    pub(super) types: Vec<&'static str>,
}

/// The storage of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Store {
    Stack,
    Heap,
    Static,
    ThreadLocal,
    /// Allocated by MPI.
    Given,
}

/// A buffer of the generated program.
#[derive(Clone, Debug)]
pub(super) struct Buffer {
    pub(super) name: String,
    pub(super) bytes: usize,
    pub(super) store: Store,
}

/// A statement of the generated program.
#[derive(Clone, Debug)]
pub(super) enum Statement {
    /// The beginning of a step of the plan, with its description.
    Step(usize, String),
    /// A call of an MPI function, named without the prefix.
    Call(String, Vec<Arg>),
    /// A call that is repeated until its flag is set.
    Until(String, Vec<Arg>),
    /// A call of a helper function of the program.
    Helper(&'static str, Vec<Arg>),
    /// An assignment of the second array entry to the first one.
    Copy((Array, usize), (Array, usize)),
    /// The allocation of a heap buffer.
    Take(String, usize),
    /// The release of a heap buffer.
    Give(String),
    /// The address that MPI has given becomes that of a buffer of this many bytes.
    Bind(String, usize),
}

/// The program of one rank.
#[derive(Clone, Debug, Default)]
pub(super) struct Routine {
    pub(super) statements: Vec<Statement>,
    pub(super) buffers: Vec<Buffer>,
    pub(super) lists: Vec<List>,
    /// Entries that calls use in addition to those that they name.
    pub(super) needs: Vec<(Array, usize)>,
}

impl Routine {
    /// Returns the number of entries of an array that the program uses.
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
            Statement::Step(..)
            | Statement::Take(..)
            | Statement::Give(_)
            | Statement::Bind(..) => 0,
        };
        let behind = self.needs.iter().filter(|need| need.0 == array).map(|need| need.1);
        self.statements.iter().map(of).chain(behind).max().unwrap_or(0)
    }
}
