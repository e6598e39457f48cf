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
use crate::call::{Completing, Completion, Operation, Reply, RequestId, Site};

/// An operation under way. It borrows its buffers until it is complete, and fills the one it
/// receives into then. A request that is dropped uncompleted is never completed, and the run
/// says so.
#[must_use = "a request has to be completed"]
pub struct Request<'a, D: ?Sized, S: Scope<'a> = StaticScope> {
    context: Context,
    /// `None` is `MPI_REQUEST_NULL`.
    id: Option<RequestId>,
    data: Lent<'a, D>,
    scope: PhantomData<S>,
}

/// The buffer of a request.
enum Lent<'a, D: ?Sized> {
    Shared(&'a D),
    /// With the way to put a result in.
    Exclusive(&'a mut D, fn(&mut D, &[u8])),
    /// As `Exclusive`, of a way that knows more than the buffer.
    Placed(&'a mut D, Put<D>),
}

/// Puts a result into a buffer.
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

/// The only completion of a reply.
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
        let reply = self.context.call(site, Operation::Wait(vec![id], Completing::All));
        match only(reply) {
            Some(completion) => self.data.settle(&self.context, completion),
            None => Status::empty(),
        }
    }

    /// The status if it is complete now.
    fn complete_now(&mut self, site: Site) -> Option<Status> {
        let Some(id) = self.id else { return Some(Status::empty()) };
        let reply = self.context.call(site, Operation::Test(vec![id], Completing::All));
        if matches!(reply, Some(Reply::NotYet)) {
            return None;
        }
        self.id = None;
        Some(match only(reply) {
            Some(completion) => self.data.settle(&self.context, completion),
            None => Status::empty(),
        })
    }

    /// `MPI_Wait`.
    #[track_caller]
    pub fn wait(mut self) -> Status {
        self.complete(Site::here())
    }

    /// `MPI_Wait` with `MPI_STATUS_IGNORE`.
    #[track_caller]
    pub fn wait_without_status(mut self) {
        self.complete(Site::here());
    }

    /// `MPI_Wait`, giving the buffer back.
    #[track_caller]
    pub fn wait_for_data(mut self) -> &'a D {
        self.complete(Site::here());
        self.data.release()
    }

    /// `MPI_Test`.
    ///
    /// # Errors
    /// The request itself, while it is not complete.
    #[track_caller]
    pub fn test(mut self) -> Result<Status, Self> {
        self.complete_now(Site::here()).ok_or(self)
    }

    /// `MPI_Test`, giving the buffer back.
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

    /// `MPI_Cancel`; the request must still be completed.
    #[track_caller]
    pub fn cancel(&self) {
        if let Some(id) = self.id {
            self.context.call(Site::here(), Operation::Cancel(id));
        }
    }

    /// `MPI_Request_free`: the operation goes on, nobody will know when it is complete. A buffer
    /// that is received into keeps its contents.
    #[track_caller]
    pub fn free(self) {
        if let Some(id) = self.id {
            self.context.call(Site::here(), Operation::FreeRequest(id));
        }
    }

    /// `MPI_Request_get_status`: whether it is complete, without completing it.
    #[track_caller]
    pub fn status(&self) -> Option<Status> {
        let Some(id) = self.id else { return Some(Status::empty()) };
        match self.context.call(Site::here(), Operation::GetStatus(id)) {
            Some(Reply::Completed(completion)) => Some(Status(completion.status)),
            _ => None,
        }
    }

    /// The same request with a shorter life.
    pub fn shrink_scope_to<'b, S2>(self, _scope: S2) -> Request<'b, D, S2>
    where
        'a: 'b,
        S2: Scope<'b>,
    {
        Request { context: self.context, id: self.id, data: self.data, scope: PhantomData }
    }
}

/// `MPI_Waitall`: statuses in the order of the requests.
#[track_caller]
pub fn wait_all<'a, D: ?Sized, S: Scope<'a>>(mut requests: Vec<Request<'a, D, S>>) -> Vec<Status> {
    let mut statuses = vec![Status::empty(); requests.len()];
    for (position, completion) in ask(&requests, Site::here(), Completing::All) {
        let request = &mut requests[position];
        statuses[position] = request.data.settle(&request.context, completion);
    }
    statuses
}

/// `MPI_Waitany`: takes the completed request out; its position and status, or `None` if none
/// is active.
#[track_caller]
pub fn wait_any<'a, D: ?Sized, S: Scope<'a>>(
    requests: &mut Vec<Request<'a, D, S>>,
) -> Option<(usize, Status)> {
    let mut list = ask(requests, Site::here(), Completing::Any);
    let (position, completion) = list.pop()?;
    let mut request = requests.remove(position);
    Some((position, request.data.settle(&request.context, completion)))
}

/// Waits for some of a list; positions are those of the list.
fn ask<'a, D: ?Sized, S: Scope<'a>>(
    requests: &[Request<'a, D, S>],
    site: Site,
    completing: Completing,
) -> Vec<(usize, Completion)> {
    let (places, ids): (Vec<usize>, Vec<RequestId>) =
        requests.iter().enumerate().filter_map(|(at, request)| Some((at, request.id?))).unzip();
    let Some(first) = requests.first() else { return Vec::new() };
    match first.context.call(site, Operation::Wait(ids, completing)) {
        Some(Reply::Completions(list)) => {
            list.into_iter().map(|(at, completion)| (places[at], completion)).collect()
        }
        _ => Vec::new(),
    }
}
