//! Requests: starting, waiting, testing, ending (MPI sections 3.7, 3.9 and 13.2).

use serde::{Deserialize, Serialize};

use super::{Payload, RequestId};

/// The requests that a completion call waits or tests for (MPI section 3.7.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Completing {
    /// All of them (`MPI_Waitall`; a single wait is `All` with one request).
    All,
    /// Exactly one.
    Any,
    /// At least one, and as many as are complete (`MPI_Waitsome`).
    Some,
}

/// A call on requests that exist, or on generalized requests.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum RequestCall {
    /// Waits for requests; replies `Completions` (with indices into the list), or `Undefined` if no
    /// request is active.
    Wait(Vec<RequestId>, Completing),
    /// Like `Wait`, but without waiting: replies `Completions`, `Undefined`, or `NotYet`.
    Test(Vec<RequestId>, Completing),
    /// Starts persistent requests; a send passes the present data of its buffer.
    Start(Vec<(RequestId, Option<Payload>)>),
    /// Asks whether a persistent request has been started and not completed since; replies `Done`
    /// if so, else `NotYet`, without taking simulated time.
    IsActive(RequestId),
    /// `MPI_Cancel`.
    Cancel(RequestId),
    /// `MPI_Request_free`.
    Free(RequestId),
    /// `MPI_Request_get_status`; replies `Completed` without payload, or `NotYet`.
    GetStatus(RequestId),
    /// Like `GetStatus`, but moves the data out of the request into the reply.
    GetStatusAndData(RequestId),
    /// Takes the data of receives whose requests were freed before they completed; replies `Late`
    /// without taking simulated time.
    TakeLate,
    /// `MPI_Grequest_start`; replies `Request`.
    StartGeneralized,
    /// `MPI_Grequest_complete`.
    CompleteGeneralized(RequestId),
}
