//! Accesses to the memory of other ranks (MPI section 12.3).
#![allow(clippy::too_many_arguments, reason = "the standard's")]

use std::{
    ffi::{c_int, c_void},
    slice,
};

use mpi_api::{
    call::{Access, Action, Payload, WindowCall},
    finding::CallPlace,
    object::{datatype::Datatype, op::Op, signature::Primitive},
};

use super::{
    super::{
        guard::{self, Memory},
        operation, request,
        touch::runs,
        transfer::{Part, Parts},
    },
    buffers::Buffers,
    end_if_endless, on_window, short,
};
use crate::{
    constant::{Handle, class, handle, number},
    state::{
        Fault, Filling, Mpi, Number, PendingAccess, RequestedAccess, State, Window, Work, argument,
        here, put, wanted,
    },
};

/// The arguments that name memory of a target.
struct Target {
    rank: c_int,
    displacement: i64,
    count: i64,
    datatype: Handle,
}

/// The buffers of the origin.
#[derive(Default)]
struct Origin {
    from: Option<Part>,
    into: Option<Part>,
}

/// An access, ready to be started; `None` if its target is the null process.
struct Prepared {
    access: Access,
    into: Parts,
    from: Parts,
}

/// Checks that the data of the origin fit the memory of the target.
fn matching(part: &Part, datatype: &Datatype, count: i64) -> Mpi {
    if part.datatype.is(datatype) && part.count == count {
        return Ok(());
    }
    let (bytes, room) = (part.bytes(), datatype.size() * count as u64);
    if bytes != room {
        let text = format!("the origin has {bytes} bytes of data, the target {room}");
        return Err(Fault::new(class::TYPE, text));
    }
    let (mine, theirs) = (part.signature(), datatype.signature_of(count as u64));
    theirs.receive_matches(&mine).map_err(|text| Fault::new(class::TYPE, text))
}

/// Checks that no byte of the result is written twice, and none of the data (MPI 12.3.4, 12.3.5).
fn written_once(from: Option<&Part>, into: Option<&Part>) -> Mpi {
    let Some(into) = into.map(slice::from_ref) else { return Ok(()) };
    if guard::overlaps_itself(into) && !guard::may_overlap() {
        return Err(Fault::new(class::BUFFER, "entries of the datatype of the result overlap"));
    }
    let from = from.map(slice::from_ref).unwrap_or_default();
    if guard::overlap(from, into) && !guard::may_overlap() {
        let text = "the origin buffer and the result buffer overlap";
        return Err(guard::overlapping(from, into, text));
    }
    Ok(())
}

/// Checks an access and takes its data. The memory of the origin is `part`s of the program.
fn prepare(
    state: &State,
    window: &Window,
    target: &Target,
    origin: Origin,
    action: Action,
) -> Mpi<Option<Prepared>> {
    let element = Part::anywhere(state, target.count, target.datatype)?;
    let Origin { from, into } = origin;
    for part in from.iter().chain(&into) {
        part.check_message()?;
        matching(part, &element.datatype, target.count)?;
    }
    written_once(from.as_ref(), into.as_ref())?;
    if target.rank == number::PROC_NULL {
        return Ok(None);
    }
    let rank = argument::rank("target rank", target.rank, window.size())?;
    let writes = !matches!(action, Action::Get | Action::Update { op: Op::NoOp, .. });
    if writes && element.datatype.overlaps(target.count as u64) {
        return Err(Fault::new(class::TYPE, "entries of the target datatype overlap"));
    }
    let reads = from.as_slice();
    guard::compare(state, CallPlace::at(here(), "an access"), Memory { reads, writes: &[] })?;
    let ticket = window.next_ticket();
    let access = Access {
        target: rank,
        at: target.displacement,
        runs: runs(&element.datatype, target.count),
        action,
        payload: from.as_ref().map_or(Payload::EMPTY, Part::payload),
        ticket,
        strided: from.as_ref().is_some_and(|part| !part.datatype.is_contiguous()),
    };
    Ok(Some(Prepared {
        access,
        into: into.into_iter().collect(),
        from: from.into_iter().collect(),
    }))
}

/// Starts an access that a synchronisation completes.
fn begin(state: &State, window: &Window, by: CallPlace, prepared: Option<Prepared>) -> Mpi {
    let Some(Prepared { access, into, from }) = prepared else { return Ok(()) };
    let (target, ticket) = (access.target, access.ticket);
    let (owned, clashes) = guard::begin_among(state, by, Memory { writes: &into, reads: &from })?;
    if clashes {
        end_if_endless(state, by, window)?;
    }
    let started = state.kernel(by.site, WindowCall::Access(window.id(), Box::new(access)));
    if let Err(fault) = started {
        owned.release(state, Memory { writes: &into, reads: &from });
        return Err(fault);
    }
    let buffers = Buffers::Parts { into, from };
    let access = PendingAccess { target, ticket, buffers, owned };
    window.pending.borrow_mut().push(access);
    Ok(())
}

/// Starts an access that its request completes.
fn begin_with_request(
    state: &State,
    window: &Window,
    by: CallPlace,
    prepared: Option<Prepared>,
    place: *mut Handle,
) -> Mpi {
    let Some(Prepared { access, into, from }) = prepared else {
        return request::nothing(state, by, place);
    };
    let (target, ticket) = (access.target, access.ticket);
    let reply = state.kernel(by.site, WindowCall::StartAccess(window.id(), Box::new(access)))?;
    let work = Work::Fill { into, from, in_place: false, by: Filling::Access };
    request::started(state, reply, (handle::COMM_NULL, by), work, place)?;
    let request = request::peek(place)?;
    let (id, _) = request::known(state, request)?;
    window.remember(state, RequestedAccess { target, ticket, request, id });
    Ok(())
}

/// Returns the part of the origin that an access reads.
fn read<N: Number>(state: &State, address: *const c_void, count: N, datatype: Handle) -> Mpi<Part> {
    Part::new(state, address as usize, count.wide(), datatype)
}

/// Returns the action of an accumulate operation, and whether it has data.
fn update(state: &State, op: Handle, datatype: Handle, fetch: bool) -> Mpi<(Action, bool)> {
    let (op, primitive) = operation::accumulating(state, op, &state.datatype(datatype)?)?;
    let has_data = !matches!(op, Op::NoOp);
    if !has_data && !fetch {
        let text = "MPI_NO_OP is for accesses that fetch: MPI_Get_accumulate, MPI_Rget_accumulate and MPI_Fetch_and_op";
        return Err(Fault::new(class::OP, text));
    }
    Ok((Action::Update { op, primitive, fetch }, has_data))
}

/// Defines the two forms of an access: one that a synchronisation completes, which may take a short path, and one with
/// a request.
macro_rules! accesses {
    ($($plain:ident $with_request:ident $plain_name:literal $name:literal
        ($($argument:ident: $kind:ty),*) |$to:ident| $short:expr;
        |$state:ident, $window:ident| $body:expr;)*) => {$(
        pub(in super::super) extern "C-unwind" fn $plain<N: Number>(
            $($argument: $kind,)*
            window: Handle,
        ) -> c_int {
            let $to = window;
            if let Some(code) = $short {
                return code;
            }
            on_window(window, |$state, site, $window| {
                let prepared = $body?;
                begin($state, $window, CallPlace { call: $plain_name, site }, prepared)
            })
        }

        pub(in super::super) extern "C-unwind" fn $with_request<N: Number>(
            $($argument: $kind,)*
            window: Handle,
            request: *mut Handle,
        ) -> c_int {
            on_window(window, |$state, site, $window| {
                wanted(request)?;
                put(request, handle::REQUEST_NULL)?;
                let prepared = $body?;
                begin_with_request($state, $window, CallPlace { call: $name, site }, prepared, request)
            })
        }
    )*};
}

accesses! {
    put_data rput "MPI_Put" "MPI_Rput" (
        address: *const c_void, count: N, datatype: Handle,
        rank: c_int, displacement: i64, target_count: N, target_type: Handle
    ) |to| short::put(
        (address as usize, count, datatype),
        (rank, displacement, target_count, target_type),
        to,
    );
    |state, window| {
        let target = Target { rank, displacement, count: target_count.wide(), datatype: target_type };
        let from = Some(read(state, address, count, datatype)?);
        prepare(state, window, &target, Origin { from, into: None }, Action::Put)
    };
    get_data rget "MPI_Get" "MPI_Rget" (
        address: *mut c_void, count: N, datatype: Handle,
        rank: c_int, displacement: i64, target_count: N, target_type: Handle
    ) |to| short::get(
        (address as usize, count, datatype),
        (rank, displacement, target_count, target_type),
        to,
    );
    |state, window| {
        let target = Target { rank, displacement, count: target_count.wide(), datatype: target_type };
        let into = Some(read(state, address, count, datatype)?);
        prepare(state, window, &target, Origin { from: None, into }, Action::Get)
    };
    accumulate raccumulate "MPI_Accumulate" "MPI_Raccumulate" (
        address: *const c_void, count: N, datatype: Handle,
        rank: c_int, displacement: i64, target_count: N, target_type: Handle, op: Handle
    ) |to| short::accumulate(
        (address as usize, count, datatype),
        ((rank, displacement, target_count, target_type), op),
        to,
    );
    |state, window| {
        let target = Target { rank, displacement, count: target_count.wide(), datatype: target_type };
        let (action, has_data) = update(state, op, target_type, false)?;
        let from = if has_data { Some(read(state, address, count, datatype)?) } else { None };
        prepare(state, window, &target, Origin { from, into: None }, action)
    };
    get_accumulate rget_accumulate "MPI_Get_accumulate" "MPI_Rget_accumulate" (
        address: *const c_void, count: N, datatype: Handle,
        result: *mut c_void, result_count: N, result_type: Handle,
        rank: c_int, displacement: i64, target_count: N, target_type: Handle, op: Handle
    ) |to| short::get_accumulate(
        ((address as usize, count, datatype), (result as usize, result_count, result_type)),
        ((rank, displacement, target_count, target_type), op),
        to,
        "MPI_Get_accumulate",
    );
    |state, window| {
        let target = Target { rank, displacement, count: target_count.wide(), datatype: target_type };
        let (action, has_data) = update(state, op, target_type, true)?;
        let from = if has_data { Some(read(state, address, count, datatype)?) } else { None };
        let into = Some(read(state, result, result_count, result_type)?);
        prepare(state, window, &target, Origin { from, into }, action)
    };
}

/// Checks that a type is a predefined one.
fn predefined(datatype: &Datatype) -> Mpi<Primitive> {
    datatype
        .primitive()
        .ok_or_else(|| Fault::new(class::TYPE, "the datatype is not a predefined one"))
}

pub(in super::super) extern "C-unwind" fn fetch_and_op(
    address: *const c_void,
    result: *mut c_void,
    datatype: Handle,
    rank: c_int,
    displacement: i64,
    op: Handle,
    window: Handle,
) -> c_int {
    let quick = short::get_accumulate(
        ((address as usize, 1, datatype), (result as usize, 1, datatype)),
        ((rank, displacement, 1, datatype), op),
        window,
        "MPI_Fetch_and_op",
    );
    if let Some(code) = quick {
        return code;
    }
    on_window(window, |state, site, window| {
        predefined(&state.datatype(datatype)?)?;
        let target = Target { rank, displacement, count: 1, datatype };
        let (action, has_data) = update(state, op, datatype, true)?;
        let from = if has_data { Some(read(state, address, 1, datatype)?) } else { None };
        let into = Some(read(state, result, 1, datatype)?);
        let prepared = prepare(state, window, &target, Origin { from, into }, action)?;
        begin(state, window, CallPlace { call: "MPI_Fetch_and_op", site }, prepared)
    })
}

pub(in super::super) extern "C-unwind" fn compare_and_swap(
    address: *const c_void,
    compare: *const c_void,
    result: *mut c_void,
    datatype: Handle,
    rank: c_int,
    displacement: i64,
    window: Handle,
) -> c_int {
    let buffers = [address as usize, compare as usize, result as usize];
    if let Some(code) = short::compare_and_swap(buffers, datatype, (rank, displacement), window) {
        return code;
    }
    on_window(window, |state, site, window| {
        let primitive = predefined(&state.datatype(datatype)?)?;
        let target = Target { rank, displacement, count: 1, datatype };
        let new = read(state, address, 1, datatype)?;
        let expected = read(state, compare, 1, datatype)?;
        let into = Some(read(state, result, 1, datatype)?);
        written_once(Some(&new), into.as_ref())?;
        let both = [expected.payload(), new.payload()];
        let both: Vec<u8> = both.iter().flat_map(|half| half.as_slice().to_vec()).collect();
        let origin = Origin { from: None, into };
        let mut prepared = prepare(state, window, &target, origin, Action::Swap(primitive))?;
        if let Some(prepared) = &mut prepared {
            prepared.access.payload = both.into();
            prepared.from.extend([new, expected]);
        }
        begin(state, window, CallPlace { call: "MPI_Compare_and_swap", site }, prepared)
    })
}
