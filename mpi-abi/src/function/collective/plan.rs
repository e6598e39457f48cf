//! One rank's part in a collective operation: source and target of its data.

use std::{ffi::c_int, rc::Rc};

use mpi_api::{
    call::{
        CollectiveCall, CollectiveEntry, CollectiveKind as Kind, Counts, Declared, Form, Neighbors,
        ROOT_ELSEWHERE, ROOT_SELF, Reply, ReportCall, Site, Types,
    },
    check::portability,
    finding::CallPlace,
    object::signature::Signature,
};

use guest::is_fortran;
use smallvec::SmallVec;

use crate::{
    constant::{Handle, class, number},
    function::{
        bounds,
        guard::{self, Memory},
        request::{self, Filling, Work},
        transfer::{IN_PLACE, Part, Parts, SENTINEL_MAX, pack_all, unpack_all},
    },
    purpose::Purpose,
    state::{Comm, Fault, Mpi, Number, State, argument, array, wanted},
};

/// The part of one rank in a collective operation.
pub(in crate::function) struct Plan {
    pub(super) call: Box<CollectiveCall>,
    pub(super) from: Parts,
    pub(super) into: Parts,
    /// Whether the data to send are where the result goes (`MPI_IN_PLACE`).
    pub(super) in_place: bool,
    /// Address and length in bytes of arrays of arguments, which a nonblocking operation owns like its buffers, and a
    /// persistent one until its request is freed.
    arrays: SmallVec<[(usize, i64); 4]>,
    /// The same for arrays of datatypes, which a persistent operation does not own: programs free the types once it is
    /// made (MPI 5.1.9), which sets the handles to null.
    types: SmallVec<[(usize, i64); 2]>,
    /// Whether some bytes are sent to several ranks that must not be.
    read_twice: bool,
}

/// Gives the kernel the data of a collective operation, unless the run leaves them out.
fn give(state: &State, call: &mut CollectiveCall, from: &[Part]) {
    let bytes = from.iter().map(Part::bytes).sum();
    call.give(bytes, state.carried(), || pack_all(from));
}

pub(in crate::function) fn plan(comm: &Comm, kind: Kind) -> Plan {
    Plan {
        call: CollectiveCall::boxed(comm.info.id, kind),
        from: Parts::new(),
        into: Parts::new(),
        in_place: false,
        arrays: SmallVec::new(),
        types: SmallVec::new(),
        read_twice: false,
    }
}

impl Plan {
    /// Records which of several functions with the same effect was called, and the types of its
    /// data.
    pub(in crate::function) fn declared(mut self, form: Form) -> Self {
        let (send, receive) = (types(&self.from), types(&self.into));
        self.call.form = form;
        self.call.declared = Some(Box::new(Declared { send, receive }));
        self
    }

    /// Allows ranks to give different types and counts: signatures are not compared.
    pub(in crate::function) fn unequal(mut self) -> Self {
        self.call.signature = Signature::EMPTY;
        self
    }

    /// Adds arrays of arguments with an element for each of this many ranks: none may change before a nonblocking operation
    /// is complete (MPI 6.12) or the request of a persistent one is freed (MPI 2.4.1). Null pointers are no arrays.
    pub(in crate::function) fn holding<T>(mut self, ranks: u32, arrays: &[*const T]) -> Self {
        self.arrays.extend(given(ranks, arrays));
        self
    }

    /// Like [`Plan::holding`], for arrays of datatypes: none may change before a nonblocking operation is complete.
    pub(in crate::function) fn holding_types(
        mut self,
        ranks: u32,
        arrays: &[*const Handle],
    ) -> Self {
        self.types.extend(given(ranks, arrays));
        self
    }

    /// Sets the parts to send.
    pub(in crate::function) fn sending(mut self, from: Parts, send: Counts) -> Self {
        if let Some(first) = from.first() {
            self.call.signature = first.signature();
        }
        self.from = from;
        self.call.send = send;
        self
    }

    /// Sets the parts to receive into.
    pub(in crate::function) fn receiving(mut self, into: Parts, receive: Counts) -> Self {
        if self.call.signature.is_empty()
            && let Some(first) = into.first()
        {
            self.call.signature = first.signature();
        }
        self.into = into;
        self.call.receive = receive;
        self
    }

    /// Checks that the buffers do not overlap, as MPI requires unless `MPI_IN_PLACE` is given.
    pub(in crate::function) fn apart(self) -> Mpi<Self> {
        self.look_at_blocks();
        if guard::overlap(&self.from, &self.into) {
            let text = match self.call.neighbors {
                Some(_) => {
                    "the send buffer and the receive buffer overlap: the receive buffer needs room for a block of \
                     each neighbour"
                }
                None => {
                    "the send buffer and the receive buffer overlap: pass MPI_IN_PLACE as the send buffer if the data \
                     are there already"
                }
            };
            return Err(guard::overlapping(&self.from, &self.into, text));
        }
        self.written_once()
    }

    /// Checks that no location is written more than once (MPI 6.5).
    pub(super) fn written_once(self) -> Mpi<Self> {
        if guard::overlaps_itself(&self.into) && !guard::may_overlap() {
            return Err(Fault::new(class::BUFFER, "blocks of the receive buffer overlap"));
        }
        Ok(self)
    }

    /// Like [`Plan::apart`], unless the operation is in place.
    pub(super) fn apart_unless(mut self, in_place: bool) -> Mpi<Self> {
        self.in_place = in_place;
        self.call.in_place = in_place;
        if !in_place {
            return self.apart();
        }
        self.look_at_blocks();
        self.written_once()
    }

    /// Notes whether blocks to send overlap, where no location may be read more than once (MPI 6.6). Libraries send them all
    /// the same.
    pub(super) fn read_once(mut self) -> Self {
        self.read_twice = guard::overlaps_itself(&self.from);
        self
    }

    /// Looks at what every form of the call looks at before it starts.
    fn look(&self, state: &State, origin: CallPlace) -> Mpi {
        if self.read_twice {
            let finding = portability::read_twice(state.number(), origin);
            state.kernel(origin.site, ReportCall::Finding(Box::new(finding)))?;
        }
        self.compare_in_place(state, origin)
    }

    /// Compares the blocks with the objects that hold them. Those with datatypes of their own were compared when they were
    /// found: they may lie in several objects.
    fn look_at_blocks(&self) {
        match self.call.form {
            Form::General => {}
            Form::Plain | Form::Vector | Form::Block => {
                bounds::look_at_blocks(self.read(), None, Purpose::Read);
                bounds::look_at_blocks(&self.into, None, Purpose::Write);
            }
        }
    }

    /// Makes this a collective operation among neighbours.
    pub(in crate::function) fn between(mut self, neighbors: Rc<Neighbors>) -> Self {
        self.call.neighbors = Some(neighbors);
        self
    }

    /// Returns the parts that are only read.
    fn read(&self) -> &[Part] {
        if self.in_place { &[] } else { &self.from }
    }

    /// Compares data that are where the result goes with the object that holds them: there may be more of them. What a
    /// broadcast brings is not read before.
    fn compare_in_place(&self, state: &State, origin: CallPlace) -> Mpi {
        match self.in_place && self.call.kind != Kind::Broadcast {
            true => guard::compare(state, origin, Memory { reads: &self.from, writes: &[] }),
            false => Ok(()),
        }
    }

    pub(in crate::function) fn run(self, state: &State, site: Site, name: &'static str) -> Mpi {
        self.look(state, CallPlace { call: name, site })?;
        let Self { mut call, from, into, in_place, .. } = self;
        let memory = Memory { reads: if in_place { &[] } else { &from }, writes: &into };
        let reply = guard::during(state, CallPlace { call: name, site }, memory, || {
            give(state, &mut call, &from);
            state.kernel(site, CollectiveEntry::Blocking(call))
        })?;
        if let Reply::Data(data) = reply {
            unpack_all(&into, &data);
        }
        Ok(())
    }

    pub(in crate::function) fn start(
        mut self,
        state: &State,
        site: Site,
        (comm, name): (Handle, &'static str),
        place: *mut Handle,
    ) -> Mpi {
        wanted(place)?;
        let origin = CallPlace { call: name, site };
        self.look(state, origin)?;
        guard::compare(state, origin, Memory { reads: self.read(), writes: &self.into })?;
        give(state, &mut self.call, &self.from);
        let reply = state.kernel(site, CollectiveEntry::Immediate(self.call))?;
        let by = Filling::Collective;
        let mut from = if self.in_place { Parts::new() } else { self.from };
        from.extend(arrays_of(&self.arrays, site).chain(arrays_of(&self.types, site)));
        request::started_with(
            state,
            reply,
            (comm, CallPlace { call: name, site }),
            (self.into, from, by),
            place,
        )
    }

    pub(in crate::function) fn init(
        self,
        state: &State,
        site: Site,
        (comm, name): (Handle, &'static str),
        place: *mut Handle,
    ) -> Mpi {
        wanted(place)?;
        self.look(state, CallPlace { call: name, site })?;
        let reply = state.kernel(site, CollectiveEntry::Persistent(self.call))?;
        let Self { into, from, in_place, arrays, .. } = self;
        let work = Work::Fill { into, from, in_place, by: Filling::Collective };
        let (at, held) = (CallPlace { call: name, site }, arrays_of(&arrays, site).collect());
        request::persistent_with(state, reply, (comm, at), (work, held), place)
    }
}

/// Returns address and length of those arrays, with an element for each of this many ranks, that are not null.
fn given<T>(ranks: u32, arrays: &[*const T]) -> impl Iterator<Item = (usize, i64)> {
    let bytes = i64::from(ranks) * size_of::<T>() as i64;
    arrays.iter().filter(|array| !array.is_null()).map(move |array| (*array as usize, bytes))
}

/// Returns the arrays of arguments of a call as parts of memory. The compiler of Fortran may have made copies of them
/// for the call: those do not count.
fn arrays_of(arrays: &[(usize, i64)], site: Site) -> impl Iterator<Item = Part> {
    let own = if site.line > 0 && !is_fortran(site.file) { arrays } else { &[] };
    own.iter().map(|(array, bytes)| Part::of_bytes(*array, *bytes))
}

/// Returns the element types of the parts.
fn types(parts: &[Part]) -> Types {
    let element = |part: &Part| part.datatype.signature().clone();
    let Some(first) = parts.first() else { return Types::None };
    if parts.iter().all(|part| part.datatype.is(&first.datatype)) {
        return Types::One(element(first));
    }
    Types::Each(parts.iter().map(element).collect())
}

pub(in crate::function) fn uniform(part: &Part) -> Counts {
    Counts::Uniform(part.bytes())
}

pub(in crate::function) fn each(parts: &[Part]) -> Counts {
    Counts::Each(parts.iter().map(Part::bytes).collect())
}

/// The role of one rank in a rooted operation.
pub(super) enum Role {
    /// The rank is the root.
    Root,
    /// Another rank is the root.
    Leaf,
    /// The root is another rank of this rank's group of an intercommunicator.
    Idle,
}

fn root(comm: &Comm, root: c_int) -> Mpi<(u32, Role)> {
    let is_inter = comm.info.remote.is_some();
    match root {
        number::ROOT if is_inter => return Ok((ROOT_SELF, Role::Root)),
        number::PROC_NULL if is_inter => return Ok((ROOT_ELSEWHERE, Role::Idle)),
        _ => {}
    }
    let rank = argument::root(root, comm.peers())?;
    let is_own = !is_inter && rank == comm.info.rank;
    Ok((rank, if is_own { Role::Root } else { Role::Leaf }))
}

/// Returns the communicator of a rooted operation, the role of this rank, and its plan without
/// data.
pub(super) fn rooted(
    state: &State,
    comm: Handle,
    kind: Kind,
    root_rank: c_int,
) -> Mpi<(Rc<Comm>, Role, Plan)> {
    let comm = state.comm(comm)?;
    let (root, role) = root(&comm, root_rank)?;
    let mut made = plan(&comm, kind);
    made.call.root = root;
    Ok((comm, role, made))
}

/// Returns the parts of a vector collective.
pub(in crate::function) fn vector<N: Number>(
    state: &State,
    buffer: usize,
    counts: *const N,
    displacements: *const N,
    datatype: Handle,
    ranks: u32,
) -> Mpi<Parts> {
    let counts = array(counts, i64::from(ranks))?;
    let displacements = array(displacements, i64::from(ranks))?;
    counts.iter().try_for_each(|count| argument::count(count.wide()).map(drop))?;
    let most = counts.iter().map(|count| count.wide()).max().unwrap_or(0);
    let whole = Part::new(state, buffer, most, datatype)?;
    let block =
        |(count, displacement): (&N, &N)| whole.at(displacement.wide()).with_count(count.wide());
    Ok(counts.iter().zip(displacements).map(block).collect())
}

/// Returns the parts of a collective with a type for each rank; displacements are in bytes.
pub(in crate::function) fn typed<N: Number, D: Number>(
    state: &State,
    buffer: usize,
    counts: *const N,
    displacements: *const D,
    datatypes: *const Handle,
    (ranks, purpose): (u32, Purpose),
) -> Mpi<Parts> {
    let counts = array(counts, i64::from(ranks))?;
    let displacements = array(displacements, i64::from(ranks))?;
    let datatypes = array(datatypes, i64::from(ranks))?;
    let parts: Mpi<Parts> = (0..ranks as usize)
        .map(|rank| {
            let part = Part::anywhere(state, counts[rank].wide(), datatypes[rank])?;
            if buffer == IN_PLACE && part.count > 0 {
                return Err(Fault::new(class::BUFFER, "MPI_IN_PLACE is not allowed here"));
            }
            let by = displacements[rank].wide() as isize;
            Ok(Part { address: buffer.wrapping_add_signed(by), ..part })
        })
        .collect();
    let parts = parts?;
    if buffer > SENTINEL_MAX {
        bounds::look_at_blocks(&parts, Some(buffer), purpose);
    }
    Ok(parts)
}

pub(super) fn barrier_plan(state: &State, comm: Handle) -> Mpi<Plan> {
    Ok(plan(&*state.comm(comm)?, Kind::Barrier))
}
