//! Requests: nonblocking operations and their completion (MPI section 3.7).

mod collection;
mod generalized;
mod guard;
mod persistent;
mod scope;

pub use collection::RequestCollection;
pub use generalized::{GeneralizedOperation, generalized};
pub use guard::{CancelGuard, WaitGuard};
pub use persistent::{PersistentRequest, start_all};
pub use scope::{LocalScope, Scope, StaticScope, multiple_scope, scope};

use std::marker::PhantomData;

use super::{
    Context,
    datatype::{BufferMut, fill},
    point_to_point::Status,
};
use crate::call::{Completing, Completion, Reply, RequestCall, RequestId, Site};

/// A pending operation. It borrows its buffers until it is complete, and then fills the receive
/// buffer. A request that is dropped without being completed is never completed, and the run
/// reports that.
#[must_use = "a request has to be completed"]
pub struct Request<'a, D: ?Sized, S: Scope<'a> = StaticScope> {
    context: Context,
    /// The request's number; `None` for `MPI_REQUEST_NULL`.
    id: Option<RequestId>,
    data: Lent<'a, D>,
    scope: PhantomData<S>,
}

/// The buffer of a request.
enum Lent<'a, D: ?Sized> {
    Shared(&'a D),
    /// A mutably borrowed buffer, with the function that writes a result to it.
    Exclusive(&'a mut D, fn(&mut D, &[u8])),
    /// Like `Exclusive`, but the function that writes the result has captured state, such as a
    /// layout.
    Placed(&'a mut D, Put<D>),
}

/// A function that writes a result to a buffer.
type Put<D> = Box<dyn Fn(&mut D, &[u8])>;

impl<'a, D: ?Sized> Lent<'a, D> {
    fn settle(&mut self, context: &Context, completion: Completion) -> Status {
        if let Some(payload) = completion.payload {
            match self {
                Self::Shared(_) => {}
                Self::Exclusive(buffer, put) => put(buffer, payload.as_slice()),
                Self::Placed(buffer, put) => put(buffer, payload.as_slice()),
            }
        }
        if let Some(failure) = completion.error {
            context.failed(*failure);
        }
        Status(completion.status)
    }

    fn release(self) -> &'a D {
        match self {
            Self::Shared(data) => data,
            Self::Exclusive(data, _) | Self::Placed(data, _) => data,
        }
    }
}

fn request_of(reply: Option<Reply>) -> Option<RequestId> {
    match reply {
        Some(Reply::Request(id)) => Some(id),
        _ => None,
    }
}

/// Returns the only completion of a reply.
fn only(reply: Option<Reply>) -> Option<Completion> {
    match reply {
        Some(Reply::Completions(mut list)) if !list.is_empty() => Some(list.swap_remove(0).1),
        _ => None,
    }
}

impl<'a, D: ?Sized, S: Scope<'a>> Request<'a, D, S> {
    pub(crate) fn sending(context: Context, reply: Option<Reply>, data: &'a D) -> Self {
        let id = request_of(reply);
        Self { context, id, data: Lent::Shared(data), scope: PhantomData }
    }

    pub(crate) fn receiving(context: Context, reply: Option<Reply>, data: &'a mut D) -> Self
    where
        D: BufferMut,
    {
        Self::filling(context, reply, data, fill::<D>)
    }

    pub(crate) fn filling(
        context: Context,
        reply: Option<Reply>,
        data: &'a mut D,
        put: fn(&mut D, &[u8]),
    ) -> Self {
        let id = request_of(reply);
        Self { context, id, data: Lent::Exclusive(data, put), scope: PhantomData }
    }

    pub(crate) fn placing(
        context: Context,
        reply: Option<Reply>,
        data: &'a mut D,
        put: Put<D>,
    ) -> Self {
        let id = request_of(reply);
        Self { context, id, data: Lent::Placed(data, put), scope: PhantomData }
    }

    fn complete(&mut self, site: Site) -> Status {
        let Some(id) = self.id.take() else { return Status::empty() };
        let reply = self.context.call(site, RequestCall::Wait(vec![id], Completing::All));
        match only(reply) {
            Some(completion) => self.data.settle(&self.context, completion),
            None => Status::empty(),
        }
    }

    /// Tests the request and returns its status if it is complete.
    fn complete_now(&mut self, site: Site) -> Option<Status> {
        let Some(id) = self.id else { return Some(Status::empty()) };
        let reply = self.context.call(site, RequestCall::Test(vec![id], Completing::All));
        if matches!(reply, Some(Reply::NotYet)) {
            return None;
        }
        self.id = None;
        Some(match only(reply) {
            Some(completion) => self.data.settle(&self.context, completion),
            None => Status::empty(),
        })
    }

    /// Waits for the operation to complete (`MPI_Wait`).
    #[track_caller]
    pub fn wait(mut self) -> Status {
        self.complete(Site::here())
    }

    /// Waits, with `MPI_STATUS_IGNORE` (`MPI_Wait`).
    #[track_caller]
    pub fn wait_without_status(mut self) {
        self.complete(Site::here());
    }

    /// Waits and returns the buffer (`MPI_Wait`).
    #[track_caller]
    pub fn wait_for_data(mut self) -> &'a D {
        self.complete(Site::here());
        self.data.release()
    }

    /// Returns the status if the operation is complete (`MPI_Test`).
    ///
    /// # Errors
    /// The request itself, while it is not complete.
    #[track_caller]
    pub fn test(mut self) -> Result<Status, Self> {
        self.complete_now(Site::here()).ok_or(self)
    }

    /// Returns status and buffer if the operation is complete (`MPI_Test`).
    ///
    /// # Errors
    /// The request itself, while it is not complete.
    #[track_caller]
    pub fn test_with_data(mut self) -> Result<(Status, &'a D), Self> {
        match self.complete_now(Site::here()) {
            Some(status) => Ok((status, self.data.release())),
            None => Err(self),
        }
    }

    /// Cancels the operation (`MPI_Cancel`); the request must still be completed.
    #[track_caller]
    pub fn cancel(&self) {
        if let Some(id) = self.id {
            self.context.call(Site::here(), RequestCall::Cancel(id));
        }
    }

    /// Frees the request (`MPI_Request_free`): the operation continues, and its completion cannot
    /// be observed. A receive buffer keeps its contents.
    #[track_caller]
    pub fn free(self) {
        if let Some(id) = self.id {
            self.context.call(Site::here(), RequestCall::Free(id));
        }
    }

    /// Returns the status if the operation is complete, without completing the request
    /// (`MPI_Request_get_status`).
    #[track_caller]
    pub fn status(&self) -> Option<Status> {
        let Some(id) = self.id else { return Some(Status::empty()) };
        match self.context.call(Site::here(), RequestCall::GetStatus(id)) {
            Some(Reply::Completed(completion)) => Some(Status(completion.status)),
            _ => None,
        }
    }

    /// Returns the same request with a shorter lifetime.
    pub fn shrink_scope_to<'b, S2>(self, _scope: S2) -> Request<'b, D, S2>
    where
        'a: 'b,
        S2: Scope<'b>,
    {
        Request { context: self.context, id: self.id, data: self.data, scope: PhantomData }
    }
}

/// Waits for all requests; statuses are in the order of the requests (`MPI_Waitall`).
#[track_caller]
pub fn wait_all<'a, D: ?Sized, S: Scope<'a>>(mut requests: Vec<Request<'a, D, S>>) -> Vec<Status> {
    let mut statuses = vec![Status::empty(); requests.len()];
    for (position, completion) in ask(&requests, Site::here(), Completing::All) {
        let request = &mut requests[position];
        statuses[position] = request.data.settle(&request.context, completion);
    }
    statuses
}

/// Waits for one request, removes it and returns its position and status; `None` if none is active
/// (`MPI_Waitany`).
#[track_caller]
pub fn wait_any<'a, D: ?Sized, S: Scope<'a>>(
    requests: &mut Vec<Request<'a, D, S>>,
) -> Option<(usize, Status)> {
    let mut list = ask(requests, Site::here(), Completing::Any);
    let (position, completion) = list.pop()?;
    let mut request = requests.remove(position);
    Some((position, request.data.settle(&request.context, completion)))
}

/// Waits for some requests of a list; positions refer to that list.
fn ask<'a, D: ?Sized, S: Scope<'a>>(
    requests: &[Request<'a, D, S>],
    site: Site,
    completing: Completing,
) -> Vec<(usize, Completion)> {
    let (places, ids): (Vec<usize>, Vec<RequestId>) =
        requests.iter().enumerate().filter_map(|(at, request)| Some((at, request.id?))).unzip();
    let Some(first) = requests.first() else { return Vec::new() };
    match first.context.call(site, RequestCall::Wait(ids, completing)) {
        Some(Reply::Completions(list)) => {
            list.into_iter().map(|(at, completion)| (places[at], completion)).collect()
        }
        _ => Vec::new(),
    }
}
