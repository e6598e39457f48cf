//! Names and functions of messages and requests.

use super::{Export, buffer, external, pack, partitioned, point_to_point, probe, request, status};

pub(super) fn point_to_points(list: &mut Vec<Export>) {
    table! { list:
        "MPI_Send" + "MPI_Send_c" => point_to_point::send<i32>;
        "MPI_Bsend" + "MPI_Bsend_c" => point_to_point::bsend<i32>;
        "MPI_Ssend" + "MPI_Ssend_c" => point_to_point::ssend<i32>;
        "MPI_Rsend" + "MPI_Rsend_c" => point_to_point::rsend<i32>;
        "MPI_Isend" + "MPI_Isend_c" => point_to_point::isend<i32>;
        "MPI_Ibsend" + "MPI_Ibsend_c" => point_to_point::ibsend<i32>;
        "MPI_Issend" + "MPI_Issend_c" => point_to_point::issend<i32>;
        "MPI_Irsend" + "MPI_Irsend_c" => point_to_point::irsend<i32>;
        "MPI_Send_init" + "MPI_Send_init_c" => point_to_point::send_init<i32>;
        "MPI_Bsend_init" + "MPI_Bsend_init_c" => point_to_point::bsend_init<i32>;
        "MPI_Ssend_init" + "MPI_Ssend_init_c" => point_to_point::ssend_init<i32>;
        "MPI_Rsend_init" + "MPI_Rsend_init_c" => point_to_point::rsend_init<i32>;
        "MPI_Recv" + "MPI_Recv_c" => point_to_point::recv<i32>;
        "MPI_Irecv" + "MPI_Irecv_c" => point_to_point::irecv<i32>;
        "MPI_Recv_init" + "MPI_Recv_init_c" => point_to_point::recv_init<i32>;
        "MPI_Sendrecv" + "MPI_Sendrecv_c" => point_to_point::sendrecv<i32>;
        "MPI_Sendrecv_replace" + "MPI_Sendrecv_replace_c" => point_to_point::sendrecv_replace<i32>;
        "MPI_Isendrecv" + "MPI_Isendrecv_c" => point_to_point::isendrecv<i32>;
        "MPI_Isendrecv_replace" + "MPI_Isendrecv_replace_c" =>
            point_to_point::isendrecv_replace<i32>;
        "MPI_Psend_init" => partitioned::psend_init;
        "MPI_Psend_init_c" => partitioned::psend_init;
        "MPI_Precv_init" => partitioned::precv_init;
        "MPI_Precv_init_c" => partitioned::precv_init;
        "MPI_Pready" => partitioned::pready;
        "MPI_Pready_range" => partitioned::pready_range;
        "MPI_Pready_list" => partitioned::pready_list;
        "MPI_Parrived" => partitioned::parrived;
        "MPI_Probe" => probe::probe;
        "MPI_Iprobe" => probe::iprobe;
        "MPI_Mprobe" => probe::mprobe;
        "MPI_Improbe" => probe::improbe;
        "MPI_Mrecv" + "MPI_Mrecv_c" => probe::mrecv<i32>;
        "MPI_Imrecv" + "MPI_Imrecv_c" => probe::imrecv<i32>;
        "MPI_Buffer_attach" + "MPI_Buffer_attach_c" => buffer::buffer_attach<i32>;
        "MPI_Buffer_detach" + "MPI_Buffer_detach_c" => buffer::buffer_detach<i32>;
        "MPI_Buffer_flush" => buffer::buffer_flush;
        "MPI_Buffer_iflush" => buffer::buffer_iflush;
        "MPI_Comm_attach_buffer" + "MPI_Comm_attach_buffer_c" => buffer::comm_attach<i32>;
        "MPI_Comm_detach_buffer" + "MPI_Comm_detach_buffer_c" => buffer::comm_detach<i32>;
        "MPI_Comm_flush_buffer" => buffer::comm_flush;
        "MPI_Comm_iflush_buffer" => buffer::comm_iflush;
        "MPI_Session_attach_buffer" + "MPI_Session_attach_buffer_c" => buffer::session_attach<i32>;
        "MPI_Session_detach_buffer" + "MPI_Session_detach_buffer_c" => buffer::session_detach<i32>;
        "MPI_Session_flush_buffer" => buffer::session_flush;
        "MPI_Session_iflush_buffer" => buffer::session_iflush;
        "MPI_Pack" + "MPI_Pack_c" => pack::pack<i32>;
        "MPI_Unpack" + "MPI_Unpack_c" => pack::unpack<i32>;
        "MPI_Pack_size" + "MPI_Pack_size_c" => pack::pack_size<i32>;
        "MPI_Pack_external" => external::pack_external<i32>;
        "MPI_Unpack_external" => external::unpack_external<i32>;
        "MPI_Pack_external_size" => external::pack_external_size<i32>;
        "MPI_Pack_external_c" => external::pack_external<i64>;
        "MPI_Unpack_external_c" => external::unpack_external<i64>;
        "MPI_Pack_external_size_c" => external::pack_external_size<i64>;
    }
}

pub(super) fn requests(list: &mut Vec<Export>) {
    table! { list:
        "MPI_Wait" => request::wait;
        "MPI_Waitall" => request::waitall;
        "MPI_Waitany" => request::waitany;
        "MPI_Waitsome" => request::waitsome;
        "MPI_Test" => request::test;
        "MPI_Testall" => request::testall;
        "MPI_Testany" => request::testany;
        "MPI_Testsome" => request::testsome;
        "MPI_Start" => request::start;
        "MPI_Startall" => request::startall;
        "MPI_Cancel" => request::cancel;
        "MPI_Request_free" => request::request_free;
        "MPI_Request_get_status" => request::request_get_status;
        "MPI_Request_get_status_all" => request::get_status_all;
        "MPI_Request_get_status_any" => request::get_status_any;
        "MPI_Request_get_status_some" => request::get_status_some;
        "MPI_Grequest_start" => request::grequest_start;
        "MPI_Grequest_complete" => request::grequest_complete;
        "MPI_Get_count" + "MPI_Get_count_c" => status::get_count<i32>;
        "MPI_Get_elements" + "MPI_Get_elements_c" => status::get_elements<i32>;
        "MPI_Get_elements_x" => status::get_elements<i64>;
        "MPI_Status_set_elements" + "MPI_Status_set_elements_c" => status::set_elements<i32>;
        "MPI_Status_set_elements_x" => status::set_elements<i64>;
        "MPI_Status_set_cancelled" => status::set_cancelled;
        "MPI_Test_cancelled" => status::test_cancelled;
        "MPI_Status_get_source" => status::get_source;
        "MPI_Status_get_tag" => status::get_tag;
        "MPI_Status_get_error" => status::get_error;
        "MPI_Status_set_source" => status::set_source;
        "MPI_Status_set_tag" => status::set_tag;
        "MPI_Status_set_error" => status::set_error;
    }
}
