//! Requests and statuses (MPI sections 3.7 and 3.2.5).

use std::ffi::c_int;

use super::{
    super::{
        super::{request, status},
        Row,
        argument::{
            Flag, FlagOut, Give, Int, Long, Object, Objects, Position, Positions, Procedure,
            StatusIn, StatusOut, Statuses, Value, Variable, Variables,
        },
        callback,
        entry::Wrap,
    },
    counted, row, rows,
};

pub(super) fn add(list: &mut Vec<Row>) {
    rows! { list:
        MPI_Wait(request: Variable, status: StatusOut) = request::wait;
        MPI_Waitall(count: Int, array_of_requests: Variables<0>, array_of_statuses: Statuses) =
            request::waitall;
        MPI_Waitany(count: Int, array_of_requests: Variables<0>, index: Position,
            status: StatusOut) = request::waitany;
        MPI_Waitsome(incount: Int, array_of_requests: Variables<0>, outcount: Give<c_int>,
            array_of_indices: Positions<0>, array_of_statuses: Statuses) = request::waitsome;
        MPI_Test(request: Variable, flag: FlagOut, status: StatusOut) = request::test;
        MPI_Testall(count: Int, array_of_requests: Variables<0>, flag: FlagOut,
            array_of_statuses: Statuses) = request::testall;
        MPI_Testany(count: Int, array_of_requests: Variables<0>, index: Position, flag: FlagOut,
            status: StatusOut) = request::testany;
        MPI_Testsome(incount: Int, array_of_requests: Variables<0>, outcount: Give<c_int>,
            array_of_indices: Positions<0>, array_of_statuses: Statuses) = request::testsome;
        MPI_Start(request: Variable) = request::start;
        MPI_Startall(count: Int, array_of_requests: Variables<0>) = request::startall;
        MPI_Cancel(request: Variable) = request::cancel;
        MPI_Request_free(request: Variable) = request::request_free;
        MPI_Request_get_status(request: Object, flag: FlagOut, status: StatusOut) =
            request::request_get_status;
        MPI_Request_get_status_all(count: Int, array_of_requests: Objects<0>, flag: FlagOut,
            array_of_statuses: Statuses) = request::get_status_all;
        MPI_Request_get_status_any(count: Int, array_of_requests: Objects<0>, index: Position,
            flag: FlagOut, status: StatusOut) = request::get_status_any;
        MPI_Request_get_status_some(incount: Int, array_of_requests: Objects<0>,
            outcount: Give<c_int>, array_of_indices: Positions<0>, array_of_statuses: Statuses)
            = request::get_status_some;
        MPI_Grequest_start(query_fn: Procedure, free_fn: Procedure, cancel_fn: Procedure,
            extra_state: Long, request: Variable) = callback::grequest_start;
        MPI_Grequest_complete(request: Object) = request::grequest_complete;
        MPI_Get_elements_x(status: StatusIn, datatype: Object, count: Give<i64>) =
            status::get_elements::<i64>;
        MPI_Status_set_elements_x(status: StatusOut, datatype: Object, count: Long) =
            status::set_elements::<i64>;
        MPI_Status_set_cancelled(status: StatusOut, flag: Flag) = status::set_cancelled;
        MPI_Test_cancelled(status: StatusIn, flag: FlagOut) = status::test_cancelled;
        MPI_Status_get_source(status: StatusIn, source: Give<c_int>) = status::get_source;
        MPI_Status_get_tag(status: StatusIn, tag: Give<c_int>) = status::get_tag;
        MPI_Status_get_error(status: StatusIn, error: Give<c_int>) = status::get_error;
        MPI_Status_set_source(status: StatusOut, source: Int) = status::set_source;
        MPI_Status_set_tag(status: StatusOut, tag: Int) = status::set_tag;
        MPI_Status_set_error(status: StatusOut, error: Int) = status::set_error;
    }
    counted! { list:
        MPI_Get_count(status: StatusIn, datatype: Object, count: Give<N>) =
            status::get_count;
        MPI_Get_elements(status: StatusIn, datatype: Object, count: Give<N>) =
            status::get_elements;
        MPI_Status_set_elements(status: StatusOut, datatype: Object, count: Value<N>) =
            status::set_elements;
    }
}
