//! Generalized requests: operations that the program itself performs (MPI section 13.2).

use super::{Request, StaticScope};
use crate::{
    api::{Context, topology::SimpleCommunicator},
    call::{RequestCall, RequestId, Site},
};

/// Creates a request, and the operation that completes it, which another thread of the rank may
/// hold (`MPI_Grequest_start`). The holder of the operation owns what the callbacks of C would keep
/// and free; the status is empty. Cancelling the request has no effect.
#[track_caller]
pub fn generalized(
    comm: &SimpleCommunicator,
) -> (Request<'static, (), StaticScope>, GeneralizedOperation) {
    let context = comm.context.clone();
    let reply = context.call(Site::here(), RequestCall::StartGeneralized);
    let request = Request::sending(context.clone(), reply, &());
    let operation = GeneralizedOperation { context, id: request.id };
    (request, operation)
}

/// The program's side of a generalized request.
#[must_use = "the request waits for it"]
pub struct GeneralizedOperation {
    context: Context,
    id: Option<RequestId>,
}

impl GeneralizedOperation {
    /// Completes the request (`MPI_Grequest_complete`), so that waiting threads resume.
    #[track_caller]
    pub fn complete(self) {
        if let Some(id) = self.id {
            self.context.call(Site::here(), RequestCall::CompleteGeneralized(id));
        }
    }
}
