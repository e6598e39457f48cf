//! Requests: nonblocking and persistent operations and their completion (MPI section 3.7, 3.9).

use super::{Context, buffer::BufferMut, point_to_point::Status};
use crate::call::{Completing, Completion, Operation, Payload, Reply, RequestId, Site};

/// An operation under way. It borrows its buffer until it is complete. A request that is dropped
/// uncompleted is never completed, and the run says so.
#[must_use = "a request has to be completed"]
pub struct Request<'b> {
    context: Context,
    id: Option<RequestId>,
    buffer: Option<&'b mut dyn BufferMut>,
}

impl<'b> Request<'b> {
    pub(crate) fn new(
        context: Context,
        reply: Option<Reply>,
        buffer: Option<&'b mut dyn BufferMut>,
    ) -> Self {
        let id = match reply {
            Some(Reply::Request(id)) => Some(id),
            _ => None,
        };
        Self { context, id, buffer }
    }

    /// `MPI_Wait`.
    #[track_caller]
    pub fn wait(mut self) -> Status {
        let Some(id) = self.id else { return Status::empty() };
        let reply = self.context.call(Site::here(), Operation::Wait(vec![id], Completing::All));
        match reply {
            Some(Reply::Completions(mut list)) if !list.is_empty() => {
                self.settle(list.swap_remove(0).1)
            }
            _ => Status::empty(),
        }
    }

    /// `MPI_Test`.
    ///
    /// # Errors
    /// The request itself, while it is not complete.
    #[track_caller]
    pub fn test(mut self) -> Result<Status, Self> {
        let Some(id) = self.id else { return Ok(Status::empty()) };
        let reply = self.context.call(Site::here(), Operation::Test(vec![id], Completing::All));
        match reply {
            Some(Reply::Completions(mut list)) if !list.is_empty() => {
                Ok(self.settle(list.swap_remove(0).1))
            }
            Some(Reply::NotYet) => Err(self),
            _ => Ok(Status::empty()),
        }
    }

    /// `MPI_Cancel`; the request must still be completed.
    #[track_caller]
    pub fn cancel(&self) {
        if let Some(id) = self.id {
            self.context.call(Site::here(), Operation::Cancel(id));
        }
    }

    /// `MPI_Request_free`.
    #[track_caller]
    pub fn free(self) {
        if let Some(id) = self.id {
            self.context.call(Site::here(), Operation::FreeRequest(id));
        }
    }

    /// `MPI_Start` of a persistent send with its present data.
    #[track_caller]
    pub fn start_with(&mut self, data: &(impl super::Buffer + ?Sized)) {
        self.start_payload(Some(data.payload()), Site::here());
    }

    /// `MPI_Start` of a persistent receive.
    #[track_caller]
    pub fn start(&mut self) {
        self.start_payload(None, Site::here());
    }

    fn start_payload(&mut self, payload: Option<Payload>, site: Site) {
        if let Some(id) = self.id {
            self.context.call(site, Operation::Start(vec![(id, payload)]));
        }
    }

    /// `MPI_Wait` of a started persistent request; it becomes inactive again.
    #[track_caller]
    pub fn wait_active(&mut self, buffer: Option<&mut dyn BufferMut>) -> Status {
        let Some(id) = self.id else { return Status::empty() };
        let reply = self.context.call(Site::here(), Operation::Wait(vec![id], Completing::All));
        match reply {
            Some(Reply::Completions(mut list)) if !list.is_empty() => {
                let Completion { status, payload, .. } = list.swap_remove(0).1;
                if let (Some(buffer), Some(payload)) = (buffer, payload) {
                    buffer.fill(payload.as_slice());
                }
                Status(status)
            }
            _ => Status::empty(),
        }
    }

    fn settle(&mut self, completion: Completion) -> Status {
        if let (Some(buffer), Some(payload)) = (self.buffer.as_mut(), completion.payload) {
            buffer.fill(payload.as_slice());
        }
        Status(completion.status)
    }
}

/// `MPI_Waitall`: statuses in the order of the requests.
#[track_caller]
pub fn wait_all(mut requests: Vec<Request<'_>>) -> Vec<Status> {
    let ids: Vec<RequestId> = requests.iter().filter_map(|request| request.id).collect();
    let Some(first) = requests.first() else { return Vec::new() };
    let reply = first.context.call(Site::here(), Operation::Wait(ids, Completing::All));
    let mut statuses = vec![Status::empty(); requests.len()];
    if let Some(Reply::Completions(list)) = reply {
        for (position, completion) in list {
            statuses[position] = requests[position].settle(completion);
        }
    }
    statuses
}

/// `MPI_Waitany`: takes the completed request out; its position and status, or `None` if the
/// list is empty.
#[track_caller]
pub fn wait_any(requests: &mut Vec<Request<'_>>) -> Option<(usize, Status)> {
    let ids: Vec<RequestId> = requests.iter().filter_map(|request| request.id).collect();
    let context = requests.first()?.context.clone();
    match context.call(Site::here(), Operation::Wait(ids, Completing::Any)) {
        Some(Reply::Completions(mut list)) if !list.is_empty() => {
            let (position, completion) = list.swap_remove(0);
            let status = requests[position].settle(completion);
            drop(requests.remove(position));
            Some((position, status))
        }
        _ => None,
    }
}
