//! Collections of requests that are completed together.

use super::{Lent, Request, Scope};
use crate::{
    api::{Context, point_to_point::Status},
    call::{Completing, Completion, Reply, RequestCall, RequestId, Site},
};

/// Requests identified by the order in which they were added.
pub struct RequestCollection<'a, D: ?Sized> {
    context: Option<Context>,
    entries: Vec<Option<(RequestId, Lent<'a, D>)>>,
    /// Requests that were null when added, which are complete from the start.
    null: Vec<(usize, &'a D)>,
}

/// Index, status and buffer of each completed request.
type Done<'a, D> = Vec<(usize, Status, &'a D)>;

impl<'a, D: ?Sized> RequestCollection<'a, D> {
    pub(super) fn with_capacity(capacity: usize) -> Self {
        Self { context: None, entries: Vec::with_capacity(capacity), null: Vec::new() }
    }

    /// Returns the number of requests that are not complete yet.
    pub fn incomplete(&self) -> usize {
        self.entries.iter().flatten().count() + self.null.len()
    }

    /// Adds a request and returns its index.
    pub fn add<S: Scope<'a>>(&mut self, request: Request<'a, D, S>) -> usize {
        let place = self.entries.len();
        self.context.get_or_insert(request.context);
        match request.id {
            Some(id) => self.entries.push(Some((id, request.data))),
            None => {
                self.entries.push(None);
                self.null.push((place, request.data.release()));
            }
        }
        place
    }

    /// Waits for one request (`MPI_Waitany`); `None` if no request is left.
    #[track_caller]
    pub fn wait_any(&mut self) -> Option<(usize, Status, &'a D)> {
        let mut done = Vec::new();
        self.run(Site::here(), Completing::Any, RequestCall::Wait, &mut done);
        done.pop()
    }

    /// Waits for at least one request and adds all that are complete to `result` (`MPI_Waitsome`).
    #[track_caller]
    pub fn wait_some(&mut self, result: &mut Done<'a, D>) {
        result.clear();
        self.run(Site::here(), Completing::Some, RequestCall::Wait, result);
    }

    /// Waits for all requests and adds them to `result` (`MPI_Waitall`).
    #[track_caller]
    pub fn wait_all(&mut self, result: &mut Done<'a, D>) {
        result.clear();
        self.run(Site::here(), Completing::All, RequestCall::Wait, result);
    }

    /// Returns index, status and buffer of a complete request (`MPI_Testany`). `None` if none is
    /// complete, which includes the case that none is [left](Self::incomplete).
    #[track_caller]
    pub fn test_any(&mut self) -> Option<(usize, Status, &'a D)> {
        let mut done = Vec::new();
        self.run(Site::here(), Completing::Any, RequestCall::Test, &mut done);
        done.pop()
    }

    /// Adds the requests that are complete to `result` (`MPI_Testsome`).
    #[track_caller]
    pub fn test_some(&mut self, result: &mut Done<'a, D>) {
        result.clear();
        self.run(Site::here(), Completing::Some, RequestCall::Test, result);
    }

    /// Reports whether all requests are complete, and if so adds them to `result` (`MPI_Testall`).
    #[track_caller]
    pub fn test_all(&mut self, result: &mut Done<'a, D>) -> bool {
        result.clear();
        self.run(Site::here(), Completing::All, RequestCall::Test, result);
        self.incomplete() == 0
    }

    fn run(
        &mut self,
        site: Site,
        completing: Completing,
        operation: fn(Vec<RequestId>, Completing) -> RequestCall,
        done: &mut Done<'a, D>,
    ) {
        if let Some((place, data)) = self.null.pop_if(|_| completing == Completing::Any) {
            done.push((place, Status::empty(), data));
            return;
        }
        let (places, ids): (Vec<usize>, Vec<RequestId>) = self
            .entries
            .iter()
            .enumerate()
            .filter_map(|(place, entry)| Some((place, entry.as_ref()?.0)))
            .unzip();
        let Some(context) = self.context.clone() else { return };
        let completions = if ids.is_empty() {
            Vec::new()
        } else {
            match context.call(site, operation(ids, completing)) {
                Some(Reply::Completions(list)) => list,
                _ => return,
            }
        };
        done.extend(self.null.drain(..).map(|(place, data)| (place, Status::empty(), data)));
        for (at, completion) in completions {
            done.extend(self.finish(&context, places[at], completion));
        }
        done.sort_unstable_by_key(|(place, ..)| *place);
    }

    fn finish(
        &mut self,
        context: &Context,
        place: usize,
        completion: Completion,
    ) -> Option<(usize, Status, &'a D)> {
        let (_, mut data) = self.entries[place].take()?;
        let status = data.settle(context, completion);
        Some((place, status, data.release()))
    }
}
