//! The objects that handles refer to.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    ffi::c_void,
    rc::Rc,
};

use mpi_api::{
    call::{CommInfo, RequestId, Site},
    object::{
        cart::Cart,
        datatype::{Comb, Datatype},
        graph::{Adjacency, Graph},
        info::Info,
        signature::Primitive,
    },
};

use super::{
    asserted::Asserted, fault::Mpi, partitions::Partitions, representation::Representation,
    source::Source,
};
use crate::{
    constant::{Handle, handle},
    function::{held::Held, owned::Owned, request::callbacks::Generalized, transfer::Parts},
    memory::put,
};

/// A communicator.
pub(crate) struct Comm {
    pub(crate) info: CommInfo,
    pub(crate) handler: Cell<Handle>,
    pub(crate) name: RefCell<String>,
    pub(crate) attributes: RefCell<BTreeMap<i32, Attribute>>,
    pub(crate) topology: RefCell<Option<Topology>>,
    pub(crate) hints: RefCell<Info>,
    /// What the hints assert about its use.
    pub(crate) asserted: Asserted,
    pub(crate) source: Cell<Source>,
}

impl Comm {
    pub(crate) fn new(info: CommInfo, name: &str) -> Self {
        Self {
            info,
            handler: Cell::new(handle::ERRORS_ARE_FATAL),
            name: RefCell::new(name.into()),
            attributes: RefCell::default(),
            topology: RefCell::default(),
            hints: RefCell::default(),
            asserted: Asserted::default(),
            source: Cell::default(),
        }
    }

    /// Reports whether an error on it ends the run.
    pub(crate) fn is_fatal(&self) -> bool {
        handle::is_fatal(self.handler.get())
    }

    /// Returns the number of ranks that can be addressed in sends: the remote group of an
    /// intercommunicator.
    #[inline]
    pub(crate) fn peers(&self) -> u32 {
        self.info.remote.as_ref().unwrap_or(&self.info.group).size()
    }

    pub(crate) fn size(&self) -> u32 {
        self.info.group.size()
    }
}

/// The properties that a new communicator inherits from its parent.
#[derive(Clone)]
pub(crate) struct Heritage {
    pub(crate) handler: Handle,
    pub(crate) attributes: BTreeMap<i32, Attribute>,
    pub(crate) topology: Option<Topology>,
    pub(crate) hints: Info,
    /// What the parent is derived from.
    pub(crate) source: Source,
}

impl Heritage {
    /// Returns what all constructors but a duplication inherit: the error handler and the source
    /// only.
    pub(crate) fn of(parent: &Comm) -> Self {
        Self { source: parent.source.get(), ..Self::handler(parent.handler.get()) }
    }

    /// Returns an inheritance of an error handler only.
    pub(crate) fn handler(handler: Handle) -> Self {
        Self {
            handler,
            attributes: BTreeMap::new(),
            topology: None,
            hints: Info::default(),
            source: Source::World,
        }
    }
}

/// A virtual topology.
#[derive(Clone)]
pub(crate) enum Topology {
    Cartesian(Cart),
    Graph(Graph),
    Distributed(Rc<Adjacency>),
}

/// A cached attribute.
#[derive(Clone, Copy)]
pub(crate) struct Attribute {
    pub(crate) value: *mut c_void,
    /// Position in the order in which attributes were set.
    pub(crate) order: u64,
}

/// A datatype.
pub(crate) struct Type {
    pub(crate) datatype: Datatype,
    pub(crate) committed: Cell<bool>,
    pub(crate) name: RefCell<String>,
    pub(crate) attributes: RefCell<BTreeMap<i32, Attribute>>,
    /// The number of the kernel's record of it, for leak reports.
    pub(crate) record: Option<u32>,
    /// The place that created it; `None` for predefined types.
    pub(crate) made: Option<Site>,
    /// The types it is constructed from, with the handles that the constructor was given.
    pub(crate) parts: Vec<(Handle, Rc<Type>)>,
    /// Whether it was created by a large-count constructor.
    pub(crate) large: bool,
    /// The requested precision, if it was created by `MPI_Type_create_f90_real`, `_complex` or
    /// `_integer`.
    pub(crate) precision: Option<Precision>,
}

/// The arguments of a type requested by precision and range.
pub(crate) struct Precision {
    /// An `MPI_COMBINER_` constant.
    pub(crate) combiner: i32,
    /// The arguments as passed to the function.
    pub(crate) arguments: Vec<i32>,
}

impl Type {
    pub(crate) fn predefined(datatype: Handle) -> Option<Self> {
        let (made, name) = match datatype {
            handle::LB => (Datatype::lower_bound(), "MPI_LB"),
            handle::UB => (Datatype::upper_bound(), "MPI_UB"),
            other => {
                let primitive = primitive_of(other)?;
                (Datatype::predefined(primitive), primitive.name())
            }
        };
        Some(Self::unrecorded(made, name.into(), Vec::new()))
    }

    /// Creates the type that describes a section of an array for one call: `datatype`, made of
    /// `part`.
    pub(crate) fn of_section(datatype: Datatype, part: (Handle, Rc<Type>)) -> Self {
        Self::unrecorded(datatype, String::new(), vec![part])
    }

    /// Creates a committed type that the kernel does not know.
    fn unrecorded(datatype: Datatype, name: String, parts: Vec<(Handle, Rc<Type>)>) -> Self {
        Self {
            datatype,
            committed: Cell::new(true),
            name: RefCell::new(name),
            attributes: RefCell::default(),
            record: None,
            made: None,
            parts,
            large: false,
            precision: None,
        }
    }

    /// Reports whether it is predefined and cannot be freed.
    pub(crate) fn is_predefined(&self) -> bool {
        self.record.is_none()
    }
}

macro_rules! primitives {
    ($($number:literal $primitive:ident,)*) => {
        /// Returns the basic type of a predefined handle.
        pub(crate) const fn primitive_of(datatype: Handle) -> Option<Primitive> {
            Some(match datatype {
                $($number => Primitive::$primitive,)*
                _ => return None,
            })
        }

        /// Returns the predefined handle of a basic type.
        pub(crate) fn handle_of(primitive: Primitive) -> Handle {
            match primitive {
                $(Primitive::$primitive => $number,)*
            }
        }
    };
}

primitives! {
    0x201 Aint, 0x202 Count, 0x203 Offset, 0x207 Packed, 0x208 Short, 0x209 Int, 0x20a Long,
    0x20b LongLong, 0x20c UnsignedShort, 0x20d Unsigned, 0x20e UnsignedLong,
    0x20f UnsignedLongLong, 0x210 Float32, 0x212 FloatComplex, 0x213 CxxFloatComplex,
    0x214 Float64, 0x216 DoubleComplex, 0x217 CxxDoubleComplex, 0x218 FortranLogical,
    0x219 FortranInteger, 0x21a FortranReal, 0x21b FortranComplex, 0x21c DoublePrecision,
    0x21d FortranDoubleComplex, 0x220 LongDouble, 0x224 LongDoubleComplex,
    0x225 CxxLongDoubleComplex, 0x228 FloatInt, 0x229 DoubleInt, 0x22a LongInt, 0x22b TwoInt,
    0x22c ShortInt, 0x22d LongDoubleInt, 0x230 TwoReal, 0x231 TwoDoublePrecision,
    0x232 TwoInteger, 0x238 Bool, 0x239 CxxBool, 0x23c WideChar, 0x240 Int8, 0x241 UInt8,
    0x243 Char, 0x244 SignedChar, 0x245 UnsignedChar, 0x247 Byte, 0x248 Int16, 0x249 UInt16,
    0x250 Int32, 0x251 UInt32, 0x258 Int64, 0x259 UInt64, 0x2c0 Logical1, 0x2c1 Integer1,
    0x2c3 FortranCharacter, 0x2c8 Logical2, 0x2c9 Integer2, 0x2ca Real2, 0x2d0 Logical4,
    0x2d1 Integer4, 0x2d2 Real4, 0x2d3 Complex4, 0x2d8 Logical8, 0x2d9 Integer8, 0x2da Real8,
    0x2db Complex8, 0x2e0 Logical16, 0x2e1 Integer16, 0x2e2 Real16, 0x2e3 Complex16,
    0x2eb Complex32,
}

/// The variable that will receive the handle of an object created later.
#[derive(Clone, Copy)]
pub(crate) enum HandlePlace {
    /// A handle variable of C.
    Pointer(*mut Handle),
    /// An integer variable of Fortran.
    Integer(*mut i32),
}

impl HandlePlace {
    /// Writes a handle to the variable.
    pub(crate) fn put(self, handle: Handle) -> Mpi {
        match self {
            Self::Pointer(place) => put(place, handle),
            Self::Integer(place) => put(place, handle as i32),
        }
    }
}

/// The kind of operation that fills memory for a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Filling {
    /// A receive.
    Message,
    /// A receive combined with a send.
    Exchange,
    /// A collective operation.
    Collective,
    /// A one-sided access.
    Access,
    /// A read or write of a file, whose representation is this one.
    File(Representation),
}

/// The duplication of a communicator that is under way.
pub(crate) struct Duplicating {
    /// The variable that receives the handle.
    pub(crate) place: HandlePlace,
    /// What the new communicator inherits, recorded when the duplication was started.
    pub(crate) heritage: Heritage,
}

/// What is done when a request completes.
pub(crate) enum Work {
    /// A send or a receive of the short path: its memory is a comb, or nothing.
    Strip {
        /// The bytes that it owns.
        comb: Option<Comb>,
        /// Whether it is a receive.
        receives: bool,
    },
    /// A send; a persistent one packs these parts at each start.
    Send(Parts),
    /// A receive or a collective operation.
    Fill {
        /// The buffers that receive the data.
        into: Parts,
        /// The buffers that are packed at each start of a persistent operation.
        from: Parts,
        /// Whether the send buffer is the receive buffer (`MPI_IN_PLACE`).
        in_place: bool,
        /// The kind of operation.
        by: Filling,
    },
    /// The duplication of a communicator.
    Duplicate(Box<Duplicating>),
    /// A generalized request of the program.
    Generalized(Rc<Generalized>),
    /// A partitioned operation.
    Partitioned(Rc<Partitions>),
    /// Nothing is left to be done.
    Nothing,
}

/// A request.
pub(crate) struct Request {
    pub(crate) id: RequestId,
    pub(crate) comm: Handle,
    /// Whether it is persistent.
    pub(crate) persistent: bool,
    /// Whether it has been started and not completed.
    pub(crate) active: bool,
    pub(crate) work: Work,
    /// The memory that it owns while it is active.
    pub(crate) owned: Option<Owned>,
    /// Name of the function that created it.
    pub(crate) call: &'static str,
    /// The arrays of arguments that it owns until it is freed.
    pub(crate) held: Option<Box<Held>>,
}

/// An operation whose request the program has freed before it was complete.
pub(crate) struct FreedRequest {
    pub(crate) id: RequestId,
    pub(crate) work: Work,
    /// The memory that it owns.
    pub(crate) owned: Owned,
    /// Whether it receives a message, so that nothing will tell the program when the data are there.
    pub(crate) receives: bool,
}

impl Request {
    /// Reports whether it makes a communicator and is not complete.
    pub(crate) fn duplicates(&self) -> bool {
        self.active && matches!(self.work, Work::Duplicate(_))
    }

    /// Reports whether it receives one message.
    pub(crate) fn receives(&self) -> bool {
        match &self.work {
            Work::Fill { by, .. } => match by {
                Filling::Message | Filling::Exchange => true,
                Filling::Collective | Filling::Access | Filling::File(_) => false,
            },
            Work::Strip { receives, .. } => *receives,
            Work::Partitioned(partitions) => partitions.receives(),
            Work::Send(_) | Work::Duplicate(_) | Work::Generalized(_) | Work::Nothing => false,
        }
    }

    /// Reports whether it is a collective operation or a one-sided access, which cannot be freed
    /// while it is under way (MPI sections 6.12 and 12.3.5).
    pub(crate) fn must_complete(&self) -> bool {
        match &self.work {
            Work::Fill { by, .. } => matches!(by, Filling::Collective | Filling::Access),
            Work::Duplicate(_) => true,
            Work::Strip { .. }
            | Work::Send(_)
            | Work::Generalized(_)
            | Work::Partitioned(_)
            | Work::Nothing => false,
        }
    }

    /// Reports whether it is a send or a receive, which can be cancelled (MPI section 3.8.4).
    pub(crate) fn is_cancellable(&self) -> bool {
        match &self.work {
            Work::Strip { .. } | Work::Send(_) => true,
            Work::Fill { by, .. } => *by == Filling::Message,
            Work::Duplicate(_) | Work::Generalized(_) | Work::Partitioned(_) | Work::Nothing => {
                false
            }
        }
    }
}
