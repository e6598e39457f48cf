//! Epochs, through which a rank accesses the memory of others.

use std::{cell::RefCell, ops::Deref};

use super::Window;
use crate::{
    api::{
        collective::{Operation, SystemOperation},
        datatype::{Equivalence, Packed, UncommittedDatatype, fill},
        point_to_point::accepted,
        topology::Rank,
    },
    call::{Access, AccessCompletion, Action, Payload, Reply, Runs, Site, WindowCall},
    error::{ErrorClass, MpiError},
    finding::CallPlace,
    object::{op::Op, signature::Primitive},
    policy::Policies,
};

/// An access epoch. It ends when it is dropped: then its accesses are complete, and the buffers of
/// [`Epoch::get_into`] hold their data.
#[must_use = "the epoch ends when the value is dropped"]
pub struct Epoch<'e, 'w, T: Equivalence + Copy> {
    window: &'e Window<'w, T>,
    /// The call that ends it.
    end: WindowCall,
    /// Buffers that wait for data, by the numbers of their accesses.
    pending: RefCell<Vec<(u32, &'e mut [T])>>,
}

/// Returns the basic type that elements consist of.
fn primitive_of<T: Equivalence>() -> Result<Primitive, MpiError> {
    let text = "the elements are not all of one predefined type";
    let kind = T::equivalent_datatype().kind();
    let found = kind.primitive().or_else(|| kind.signature(1).uniform());
    found.ok_or_else(|| MpiError::new(ErrorClass::Type, text))
}

/// Returns the predefined type of elements.
fn predefined<T: Equivalence>() -> Result<Primitive, MpiError> {
    let kind = T::equivalent_datatype().kind();
    // The type of an array is that of its elements.
    let found = kind.primitive().filter(|primitive| primitive.size() as u64 == kind.size());
    found.ok_or_else(|| MpiError::new(ErrorClass::Type, "the datatype is not a predefined one"))
}

impl<'e, 'w, T: Equivalence + Copy> Epoch<'e, 'w, T> {
    pub(super) fn new(window: &'e Window<'w, T>, end: WindowCall) -> Self {
        Self { window, end, pending: RefCell::default() }
    }

    fn policies(&self) -> &Policies {
        &self.window.comm.context.environment().policies
    }

    fn access(
        &self,
        (target, at): (Rank, usize),
        action: Result<Action, MpiError>,
        (data, count): (Payload, usize),
        by: CallPlace,
    ) -> u32 {
        let ticket = self.window.tickets.get();
        self.window.tickets.set(ticket.wrapping_add(1));
        let comm = &self.window.comm;
        let checked = action.and_then(|action| Ok((action, self.window.place_of(target)?)));
        let Some((action, Some(target))) = accepted(comm, by, checked) else {
            return ticket;
        };
        let bytes = (count * Window::<T>::element_bytes()) as u64;
        let access = Access {
            target,
            at: at as i64,
            runs: Runs::One(0, bytes),
            action,
            payload: data,
            ticket,
            strided: false,
        };
        self.window.call(by.site, WindowCall::Access(self.window.id(), Box::new(access)));
        ticket
    }

    /// Writes elements to the memory of a rank (`MPI_Put`).
    #[track_caller]
    pub fn put(&self, target: Rank, at: usize, data: &[T]) {
        self.access(
            (target, at),
            Ok(Action::Put),
            (packed(data), data.len()),
            CallPlace { call: "put", site: Site::here() },
        );
    }

    /// Reads elements from the memory of a rank into a buffer, which holds them when the epoch has ended
    /// (`MPI_Get`).
    #[track_caller]
    pub fn get_into(&self, target: Rank, at: usize, into: &'e mut [T]) {
        let nothing = (Payload::EMPTY, into.len());
        let ticket = self.access(
            (target, at),
            Ok(Action::Get),
            nothing,
            CallPlace { call: "get", site: Site::here() },
        );
        self.pending.borrow_mut().push((ticket, into));
    }

    /// Combines elements with those of a rank, each in one step (`MPI_Accumulate`). They consist of one basic type, for
    /// which the operation is defined.
    #[track_caller]
    pub fn accumulate(&self, target: Rank, at: usize, data: &[T], op: SystemOperation) {
        let action =
            primitive_of::<T>().and_then(|of| update::<T>(&op, of, self.policies(), false));
        self.access(
            (target, at),
            action,
            (packed(data), data.len()),
            CallPlace { call: "accumulate", site: Site::here() },
        );
    }

    /// Replaces elements of a rank, each in one step (`MPI_Accumulate` with `MPI_REPLACE`). They consist of one basic type.
    #[track_caller]
    pub fn replace(&self, target: Rank, at: usize, data: &[T]) {
        let of = |primitive| Action::Update { op: Op::Replace, primitive, fetch: false };
        let action = primitive_of::<T>().map(of);
        self.access(
            (target, at),
            action,
            (packed(data), data.len()),
            CallPlace { call: "accumulate", site: Site::here() },
        );
    }

    /// Makes a call that completes accesses to a rank or to all, stores the results for which buffers wait, and returns the
    /// others; `expects` says that there is one.
    fn complete_by(
        &self,
        (target, call): (Option<u32>, WindowCall),
        expects: bool,
        site: Site,
    ) -> Vec<(u32, Payload)> {
        let lacks = expects || !self.pending.borrow().is_empty();
        let mut reply = self.window.call(site, call);
        if lacks && !matches!(reply, Some(Reply::Fetched(_))) {
            reply = self.window.call(site, WindowCall::TakeFetched(self.window.id(), target));
        }
        let Some(Reply::Fetched(mut list)) = reply else { return Vec::new() };
        let mut pending = self.pending.borrow_mut();
        list.retain(|(ticket, data)| {
            let Some(place) = pending.iter().position(|(known, _)| known == ticket) else {
                return true;
            };
            fill(&mut *pending.swap_remove(place).1, data.as_slice());
            false
        });
        list
    }
}

impl<T: Equivalence + Copy> Drop for Epoch<'_, '_, T> {
    #[track_caller]
    fn drop(&mut self) {
        let site = Site::here();
        self.complete_by((None, self.end.clone()), false, site);
    }
}

/// An epoch with locks, in which accesses can be completed one by one.
#[must_use = "the lock is given back when the value is dropped"]
pub struct LockEpoch<'e, 'w, T: Equivalence + Copy>(Epoch<'e, 'w, T>);

impl<'e, 'w, T: Equivalence + Copy> Deref for LockEpoch<'e, 'w, T> {
    type Target = Epoch<'e, 'w, T>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<'e, 'w, T: Equivalence + Copy> LockEpoch<'e, 'w, T> {
    pub(super) fn new(epoch: Epoch<'e, 'w, T>) -> Self {
        Self(epoch)
    }

    /// Completes all accesses to a rank (`MPI_Win_flush`).
    #[track_caller]
    pub fn flush(&self, target: Rank) {
        let site = Site::here();
        let target = accepted(
            &self.window.comm,
            CallPlace { call: "flush", site },
            self.window.place_of(target),
        );
        if let Some(Some(target)) = target {
            self.complete(Some(target), false, site);
        }
    }

    /// Completes all accesses (`MPI_Win_flush_all`).
    #[track_caller]
    pub fn flush_all(&self) {
        self.complete(None, false, Site::here());
    }

    fn complete(&self, target: Option<u32>, expects: bool, site: Site) -> Vec<(u32, Payload)> {
        let (window, completion) = (self.window.id(), AccessCompletion::Remote);
        let call = WindowCall::Flush { window, target, completion };
        self.complete_by((target, call), expects, site)
    }

    /// Completes an access and returns its result; `value` if there is none, as of the null process.
    fn result(&self, target: Rank, ticket: u32, value: T, site: Site) -> T {
        let Ok(Some(target)) = self.window.place_of(target) else { return value };
        let mut result = [value];
        let list = self.complete(Some(target), true, site);
        if let Some((_, data)) = list.iter().find(|(known, _)| *known == ticket) {
            fill(&mut result[..], data.as_slice());
        }
        result[0]
    }

    /// Combines an element with one of a rank and returns what that was before (`MPI_Fetch_and_op` and
    /// `MPI_Win_flush`). It is of a basic type, for which the operation is defined.
    #[track_caller]
    pub fn fetch_and_op(&self, target: Rank, at: usize, value: T, op: SystemOperation) -> T {
        let site = Site::here();
        let action = predefined::<T>().and_then(|of| update::<T>(&op, of, self.policies(), true));
        let ticket = self.access(
            (target, at),
            action,
            (packed(&[value]), 1),
            CallPlace { call: "fetch_and_op", site },
        );
        self.result(target, ticket, value, site)
    }

    /// Replaces an element of a rank by `value` if it is `compare`, and returns what it was
    /// (`MPI_Compare_and_swap` and `MPI_Win_flush`). It is of an integer, logical or byte
    /// type.
    #[track_caller]
    pub fn compare_and_swap(&self, target: Rank, at: usize, compare: T, value: T) -> T {
        let site = Site::here();
        let data = (packed(&[compare, value]), 1);
        let ticket = self.access(
            (target, at),
            predefined::<T>().map(Action::Swap),
            data,
            CallPlace { call: "compare_and_swap", site },
        );
        self.result(target, ticket, compare, site)
    }

    /// Returns an element of a rank (`MPI_Get` and `MPI_Win_flush`).
    #[track_caller]
    pub fn get(&self, target: Rank, at: usize) -> T
    where
        T: Default,
    {
        let site = Site::here();
        let ticket = self.access(
            (target, at),
            Ok(Action::Get),
            (Payload::EMPTY, 1),
            CallPlace { call: "get", site },
        );
        self.result(target, ticket, T::default(), site)
    }
}

fn packed<T: Equivalence>(data: &[T]) -> Payload {
    Packed::of(data).map_or(Payload::EMPTY, |packed| packed.bytes)
}

fn update<T: Equivalence>(
    op: &SystemOperation,
    primitive: Primitive,
    policies: &Policies,
    fetch: bool,
) -> Result<Action, MpiError> {
    let op = op.op(&T::equivalent_datatype().kind());
    let primitive = op.defined_for(Some(primitive), policies)?;
    Ok(Action::Update { op, primitive, fetch })
}
