//! The functions of MPI as programs call them: arguments are checked and translated, the kernel
//! of `mpi-api` does the rest. One file per chapter.
#![allow(unsafe_code, reason = "reads the memory of programs")]

mod array;
mod attribute;
pub(crate) mod buffer;
pub(crate) mod claim;
mod collective;
mod communicator;
mod contents;
mod datatype;
mod environment;
mod error;
mod external;
pub mod fortran;
mod graph;
mod group;
pub(crate) mod guard;
mod info;
mod neighborhood;
mod operation;
mod pack;
pub(crate) mod partitioned;
mod point_to_point;
mod portable;
mod probe;
mod process;
pub(crate) mod request;
mod session;
pub(crate) mod status;
mod text;
mod tool;
mod topology;
pub(crate) mod transfer;

use std::ffi::c_int;

pub use process::REFUSED;

use crate::{
    constant::class,
    state::{Fault, Mpi},
};

/// A function and its name.
pub type Export = (&'static str, usize);

/// A number the program passes by address.
fn read_number(place: *const c_int) -> Mpi<c_int> {
    if place.is_null() {
        return Err(Fault::new(class::ARG, "the address of a number is null"));
    }
    // SAFETY: the program passes the address of a variable.
    Ok(unsafe { *place })
}

/// Rows of the table: a name and its function, or with `+` also the large-count twin `NAME_c`.
macro_rules! table {
    ($list:ident: $($name:literal $(+ $large:literal)? => $module:ident :: $function:ident $(<$n:ty>)? $(::<$flag:literal>)?;)*) => {
        $(
            $list.push(($name, $module::$function$(::<$n>)? $(::<$flag>)? as *const () as usize));
            $($list.push(($large, $module::$function::<i64> as *const () as usize));)?
        )*
    };
}

use table;

/// Every function that programs may call, by its `MPI_` name (`PMPI_` names follow).
pub fn exports() -> Vec<Export> {
    let mut list = Vec::new();
    point_to_points(&mut list);
    requests(&mut list);
    collectives(&mut list);
    more_collectives(&mut list);
    communicators(&mut list);
    handles(&mut list);
    groups(&mut list);
    datatypes(&mut list);
    topologies(&mut list);
    environments(&mut list);
    infos(&mut list);
    processes(&mut list);
    tool::add(&mut list);
    removed(&mut list);
    list.extend(fortran::exports());
    list
}

fn point_to_points(list: &mut Vec<Export>) {
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
        "MPI_Precv_init" => partitioned::precv_init;
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

fn requests(list: &mut Vec<Export>) {
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

fn collectives(list: &mut Vec<Export>) {
    table! { list:
        "MPI_Barrier" => collective::barrier<i32>;
        "MPI_Ibarrier" => collective::ibarrier<i32>;
        "MPI_Barrier_init" => collective::barrier_init<i32>;
        "MPI_Bcast" + "MPI_Bcast_c" => collective::bcast<i32>;
        "MPI_Ibcast" + "MPI_Ibcast_c" => collective::ibcast<i32>;
        "MPI_Bcast_init" + "MPI_Bcast_init_c" => collective::bcast_init<i32>;
        "MPI_Gather" + "MPI_Gather_c" => collective::gather<i32>;
        "MPI_Igather" + "MPI_Igather_c" => collective::igather<i32>;
        "MPI_Gather_init" + "MPI_Gather_init_c" => collective::gather_init<i32>;
        "MPI_Gatherv" + "MPI_Gatherv_c" => collective::gatherv<i32>;
        "MPI_Igatherv" + "MPI_Igatherv_c" => collective::igatherv<i32>;
        "MPI_Gatherv_init" + "MPI_Gatherv_init_c" => collective::gatherv_init<i32>;
        "MPI_Scatter" + "MPI_Scatter_c" => collective::scatter<i32>;
        "MPI_Iscatter" + "MPI_Iscatter_c" => collective::iscatter<i32>;
        "MPI_Scatter_init" + "MPI_Scatter_init_c" => collective::scatter_init<i32>;
        "MPI_Scatterv" + "MPI_Scatterv_c" => collective::scatterv<i32>;
        "MPI_Iscatterv" + "MPI_Iscatterv_c" => collective::iscatterv<i32>;
        "MPI_Scatterv_init" + "MPI_Scatterv_init_c" => collective::scatterv_init<i32>;
        "MPI_Allgather" + "MPI_Allgather_c" => collective::allgather<i32>;
        "MPI_Iallgather" + "MPI_Iallgather_c" => collective::iallgather<i32>;
        "MPI_Allgather_init" + "MPI_Allgather_init_c" => collective::allgather_init<i32>;
        "MPI_Allgatherv" + "MPI_Allgatherv_c" => collective::allgatherv<i32>;
        "MPI_Iallgatherv" + "MPI_Iallgatherv_c" => collective::iallgatherv<i32>;
        "MPI_Allgatherv_init" + "MPI_Allgatherv_init_c" => collective::allgatherv_init<i32>;
        "MPI_Alltoall" + "MPI_Alltoall_c" => collective::alltoall<i32>;
        "MPI_Ialltoall" + "MPI_Ialltoall_c" => collective::ialltoall<i32>;
        "MPI_Alltoall_init" + "MPI_Alltoall_init_c" => collective::alltoall_init<i32>;
        "MPI_Alltoallv" + "MPI_Alltoallv_c" => collective::alltoallv<i32>;
        "MPI_Ialltoallv" + "MPI_Ialltoallv_c" => collective::ialltoallv<i32>;
        "MPI_Alltoallv_init" + "MPI_Alltoallv_init_c" => collective::alltoallv_init<i32>;
        "MPI_Alltoallw" + "MPI_Alltoallw_c" => collective::alltoallw<i32>;
        "MPI_Ialltoallw" + "MPI_Ialltoallw_c" => collective::ialltoallw<i32>;
        "MPI_Alltoallw_init" + "MPI_Alltoallw_init_c" => collective::alltoallw_init<i32>;
    }
}

fn more_collectives(list: &mut Vec<Export>) {
    table! { list:
        "MPI_Reduce" + "MPI_Reduce_c" => collective::reduce<i32>;
        "MPI_Ireduce" + "MPI_Ireduce_c" => collective::ireduce<i32>;
        "MPI_Reduce_init" + "MPI_Reduce_init_c" => collective::reduce_init<i32>;
        "MPI_Allreduce" + "MPI_Allreduce_c" => collective::allreduce<i32>;
        "MPI_Iallreduce" + "MPI_Iallreduce_c" => collective::iallreduce<i32>;
        "MPI_Allreduce_init" + "MPI_Allreduce_init_c" => collective::allreduce_init<i32>;
        "MPI_Scan" + "MPI_Scan_c" => collective::scan<i32>;
        "MPI_Iscan" + "MPI_Iscan_c" => collective::iscan<i32>;
        "MPI_Scan_init" + "MPI_Scan_init_c" => collective::scan_init<i32>;
        "MPI_Exscan" + "MPI_Exscan_c" => collective::exscan<i32>;
        "MPI_Iexscan" + "MPI_Iexscan_c" => collective::iexscan<i32>;
        "MPI_Exscan_init" + "MPI_Exscan_init_c" => collective::exscan_init<i32>;
        "MPI_Reduce_scatter" + "MPI_Reduce_scatter_c" => collective::reduce_scatter<i32>;
        "MPI_Ireduce_scatter" + "MPI_Ireduce_scatter_c" => collective::ireduce_scatter<i32>;
        "MPI_Reduce_scatter_init" + "MPI_Reduce_scatter_init_c" =>
            collective::reduce_scatter_init<i32>;
        "MPI_Reduce_scatter_block" + "MPI_Reduce_scatter_block_c" =>
            collective::reduce_scatter_block<i32>;
        "MPI_Ireduce_scatter_block" + "MPI_Ireduce_scatter_block_c" =>
            collective::ireduce_scatter_block<i32>;
        "MPI_Reduce_scatter_block_init" + "MPI_Reduce_scatter_block_init_c" =>
            collective::reduce_scatter_block_init<i32>;
        "MPI_Op_create" + "MPI_Op_create_c" => operation::op_create<i32>;
        "MPI_Op_free" => operation::op_free;
        "MPI_Op_commutative" => operation::op_commutative;
        "MPI_Reduce_local" + "MPI_Reduce_local_c" => operation::reduce_local<i32>;
    }
}

fn communicators(list: &mut Vec<Export>) {
    table! { list:
        "MPI_Comm_size" => communicator::comm_size;
        "MPI_Comm_rank" => communicator::comm_rank;
        "MPI_Comm_remote_size" => communicator::comm_remote_size;
        "MPI_Comm_test_inter" => communicator::comm_test_inter;
        "MPI_Comm_compare" => communicator::comm_compare;
        "MPI_Comm_dup" => communicator::comm_dup;
        "MPI_Comm_dup_with_info" => communicator::comm_dup_with_info;
        "MPI_Comm_idup" => communicator::comm_idup;
        "MPI_Comm_idup_with_info" => communicator::comm_idup_with_info;
        "MPI_Comm_split" => communicator::comm_split;
        "MPI_Comm_split_type" => communicator::comm_split_type;
        "MPI_Comm_create" => communicator::comm_create;
        "MPI_Comm_create_group" => communicator::comm_create_group;
        "MPI_Comm_free" => communicator::comm_free;
        "MPI_Comm_disconnect" => communicator::comm_free;
        "MPI_Comm_set_name" => communicator::comm_set_name;
        "MPI_Comm_get_name" => communicator::comm_get_name;
        "MPI_Comm_get_parent" => communicator::comm_get_parent;
        "MPI_Comm_set_info" => communicator::comm_set_info;
        "MPI_Comm_get_info" => communicator::comm_get_info;
        "MPI_Intercomm_create" => communicator::intercomm_create;
        "MPI_Intercomm_merge" => communicator::intercomm_merge;
        "MPI_Comm_create_keyval" => attribute::create_keyval::<false>;
        "MPI_Comm_free_keyval" => attribute::free_keyval::<false>;
        "MPI_Comm_set_attr" => attribute::comm_set_attr;
        "MPI_Comm_get_attr" => attribute::comm_get_attr;
        "MPI_Comm_delete_attr" => attribute::comm_delete_attr;
        "MPI_Type_create_keyval" => attribute::create_keyval::<true>;
        "MPI_Type_free_keyval" => attribute::free_keyval::<true>;
        "MPI_Type_set_attr" => attribute::type_set_attr;
        "MPI_Type_get_attr" => attribute::type_get_attr;
        "MPI_Type_delete_attr" => attribute::type_delete_attr;
        "MPI_Keyval_create" => attribute::create_keyval::<false>;
        "MPI_Keyval_free" => attribute::free_keyval::<false>;
        "MPI_Attr_put" => attribute::comm_set_attr;
        "MPI_Attr_get" => attribute::comm_get_attr;
        "MPI_Attr_delete" => attribute::comm_delete_attr;
    }
}

/// Handles as integers, in the words of MPI 5.0 and of the editions before.
fn handles(list: &mut Vec<Export>) {
    table! { list:
        "MPI_Comm_toint" => communicator::to_int;
        "MPI_Comm_fromint" => communicator::from_int;
        "MPI_Comm_c2f" => communicator::to_int;
        "MPI_Comm_f2c" => communicator::from_int;
        "MPI_Group_toint" => communicator::to_int;
        "MPI_Group_fromint" => communicator::from_int;
        "MPI_Group_c2f" => communicator::to_int;
        "MPI_Group_f2c" => communicator::from_int;
        "MPI_Type_toint" => communicator::to_int;
        "MPI_Type_fromint" => communicator::from_int;
        "MPI_Type_c2f" => communicator::to_int;
        "MPI_Type_f2c" => communicator::from_int;
        "MPI_Op_toint" => communicator::to_int;
        "MPI_Op_fromint" => communicator::from_int;
        "MPI_Op_c2f" => communicator::to_int;
        "MPI_Op_f2c" => communicator::from_int;
        "MPI_Request_toint" => communicator::to_int;
        "MPI_Request_fromint" => communicator::from_int;
        "MPI_Request_c2f" => communicator::to_int;
        "MPI_Request_f2c" => communicator::from_int;
        "MPI_Info_toint" => communicator::to_int;
        "MPI_Info_fromint" => communicator::from_int;
        "MPI_Info_c2f" => communicator::to_int;
        "MPI_Info_f2c" => communicator::from_int;
        "MPI_Errhandler_toint" => communicator::to_int;
        "MPI_Errhandler_fromint" => communicator::from_int;
        "MPI_Errhandler_c2f" => communicator::to_int;
        "MPI_Errhandler_f2c" => communicator::from_int;
        "MPI_Message_toint" => communicator::to_int;
        "MPI_Message_fromint" => communicator::from_int;
        "MPI_Message_c2f" => communicator::to_int;
        "MPI_Message_f2c" => communicator::from_int;
        "MPI_Session_toint" => communicator::to_int;
        "MPI_Session_fromint" => communicator::from_int;
        "MPI_Session_c2f" => communicator::to_int;
        "MPI_Session_f2c" => communicator::from_int;
        "MPI_Status_c2f" => portable::copy_status;
        "MPI_Status_f2c" => portable::copy_status;
        "MPI_Status_c2f08" => portable::copy_status;
        "MPI_Status_f082c" => portable::copy_status;
        "MPI_Status_f2f08" => portable::copy_status;
        "MPI_Status_f082f" => portable::copy_status;
        "windtunnel_fortran_status_ignore" => fortran::status_ignore;
        "windtunnel_fortran_statuses_ignore" => fortran::statuses_ignore;
    }
}

fn groups(list: &mut Vec<Export>) {
    table! { list:
        "MPI_Comm_group" => group::comm_group;
        "MPI_Comm_remote_group" => group::comm_remote_group;
        "MPI_Group_size" => group::group_size;
        "MPI_Group_rank" => group::group_rank;
        "MPI_Group_translate_ranks" => group::group_translate_ranks;
        "MPI_Group_compare" => group::group_compare;
        "MPI_Group_union" => group::group_union;
        "MPI_Group_intersection" => group::group_intersection;
        "MPI_Group_difference" => group::group_difference;
        "MPI_Group_incl" => group::group_incl;
        "MPI_Group_excl" => group::group_excl;
        "MPI_Group_range_incl" => group::group_range_incl;
        "MPI_Group_range_excl" => group::group_range_excl;
        "MPI_Group_free" => group::group_free;
    }
}

fn datatypes(list: &mut Vec<Export>) {
    table! { list:
        "MPI_Type_contiguous" + "MPI_Type_contiguous_c" => datatype::contiguous<i32>;
        "MPI_Type_vector" + "MPI_Type_vector_c" => datatype::vector<i32>;
        "MPI_Type_create_hvector" + "MPI_Type_create_hvector_c" => datatype::hvector<i32>;
        "MPI_Type_indexed" + "MPI_Type_indexed_c" => datatype::indexed<i32>;
        "MPI_Type_create_hindexed" + "MPI_Type_create_hindexed_c" => datatype::hindexed<i32>;
        "MPI_Type_create_indexed_block" + "MPI_Type_create_indexed_block_c" =>
            datatype::indexed_block<i32>;
        "MPI_Type_create_hindexed_block" + "MPI_Type_create_hindexed_block_c" =>
            datatype::hindexed_block<i32>;
        "MPI_Type_create_struct" + "MPI_Type_create_struct_c" => datatype::structure<i32>;
        "MPI_Type_create_subarray" + "MPI_Type_create_subarray_c" => datatype::subarray<i32>;
        "MPI_Type_create_darray" + "MPI_Type_create_darray_c" => array::darray<i32>;
        "MPI_Type_create_resized" + "MPI_Type_create_resized_c" => datatype::resized<i32>;
        "MPI_Type_dup" => datatype::type_dup;
        "MPI_Type_commit" => datatype::type_commit;
        "MPI_Type_free" => datatype::type_free;
        "MPI_Type_size" + "MPI_Type_size_c" => datatype::type_size<i32>;
        "MPI_Type_size_x" => datatype::type_size<i64>;
        "MPI_Type_get_extent" => datatype::get_extent;
        "MPI_Type_get_extent_c" => datatype::get_extent;
        "MPI_Type_get_extent_x" => datatype::get_extent;
        "MPI_Type_get_true_extent" => datatype::get_true_extent;
        "MPI_Type_get_true_extent_c" => datatype::get_true_extent;
        "MPI_Type_get_true_extent_x" => datatype::get_true_extent;
        "MPI_Type_get_envelope" => contents::get_envelope;
        "MPI_Type_get_contents" => contents::get_contents;
        "MPI_Type_get_envelope_c" => contents::get_envelope_c;
        "MPI_Type_get_contents_c" => contents::get_contents_c;
        "MPI_Type_match_size" => portable::match_size;
        "MPI_Type_create_f90_integer" => portable::f90_integer;
        "MPI_Type_create_f90_real" => portable::f90_real;
        "MPI_Type_create_f90_complex" => portable::f90_complex;
        "MPI_Type_get_value_index" => portable::value_index;
        "MPI_Type_set_name" => datatype::type_set_name;
        "MPI_Type_get_name" => datatype::type_get_name;
        "MPI_Get_address" => datatype::get_address;
        "MPI_Aint_add" => datatype::aint_add;
        "MPI_Aint_diff" => datatype::aint_diff;
    }
}

fn topologies(list: &mut Vec<Export>) {
    table! { list:
        "MPI_Dims_create" => topology::dims_create;
        "MPI_Cart_create" => topology::cart_create;
        "MPI_Cart_coords" => topology::cart_coords;
        "MPI_Cart_rank" => topology::cart_rank;
        "MPI_Cart_shift" => topology::cart_shift;
        "MPI_Cart_get" => topology::cart_get;
        "MPI_Cartdim_get" => topology::cartdim_get;
        "MPI_Cart_sub" => topology::cart_sub;
        "MPI_Cart_map" => topology::cart_map;
        "MPI_Topo_test" => topology::topo_test;
        "MPI_Graph_create" => graph::graph_create;
        "MPI_Graphdims_get" => graph::graphdims_get;
        "MPI_Graph_get" => graph::graph_get;
        "MPI_Graph_neighbors_count" => graph::graph_neighbors_count;
        "MPI_Graph_neighbors" => graph::graph_neighbors;
        "MPI_Graph_map" => graph::graph_map;
        "MPI_Dist_graph_create" => graph::dist_graph_create;
        "MPI_Dist_graph_create_adjacent" => graph::dist_graph_create_adjacent;
        "MPI_Dist_graph_neighbors_count" => graph::dist_graph_neighbors_count;
        "MPI_Dist_graph_neighbors" => graph::dist_graph_neighbors;
        "MPI_Neighbor_allgather" + "MPI_Neighbor_allgather_c" => neighborhood::neighbor_allgather<i32>;
        "MPI_Ineighbor_allgather" + "MPI_Ineighbor_allgather_c" => neighborhood::ineighbor_allgather<i32>;
        "MPI_Neighbor_allgather_init" + "MPI_Neighbor_allgather_init_c" => neighborhood::neighbor_allgather_init<i32>;
        "MPI_Neighbor_allgatherv" + "MPI_Neighbor_allgatherv_c" => neighborhood::neighbor_allgatherv<i32>;
        "MPI_Ineighbor_allgatherv" + "MPI_Ineighbor_allgatherv_c" => neighborhood::ineighbor_allgatherv<i32>;
        "MPI_Neighbor_allgatherv_init" + "MPI_Neighbor_allgatherv_init_c" => neighborhood::neighbor_allgatherv_init<i32>;
        "MPI_Neighbor_alltoall" + "MPI_Neighbor_alltoall_c" => neighborhood::neighbor_alltoall<i32>;
        "MPI_Ineighbor_alltoall" + "MPI_Ineighbor_alltoall_c" => neighborhood::ineighbor_alltoall<i32>;
        "MPI_Neighbor_alltoall_init" + "MPI_Neighbor_alltoall_init_c" => neighborhood::neighbor_alltoall_init<i32>;
        "MPI_Neighbor_alltoallv" + "MPI_Neighbor_alltoallv_c" => neighborhood::neighbor_alltoallv<i32>;
        "MPI_Ineighbor_alltoallv" + "MPI_Ineighbor_alltoallv_c" => neighborhood::ineighbor_alltoallv<i32>;
        "MPI_Neighbor_alltoallv_init" + "MPI_Neighbor_alltoallv_init_c" => neighborhood::neighbor_alltoallv_init<i32>;
        "MPI_Neighbor_alltoallw" + "MPI_Neighbor_alltoallw_c" => neighborhood::neighbor_alltoallw<i32>;
        "MPI_Ineighbor_alltoallw" + "MPI_Ineighbor_alltoallw_c" => neighborhood::ineighbor_alltoallw<i32>;
        "MPI_Neighbor_alltoallw_init" + "MPI_Neighbor_alltoallw_init_c" => neighborhood::neighbor_alltoallw_init<i32>;
    }
}

fn environments(list: &mut Vec<Export>) {
    table! { list:
        "MPI_Session_create_errhandler" => error::create_errhandler;
        "MPI_Session_set_errhandler" => session::set_errhandler;
        "MPI_Session_get_errhandler" => session::get_errhandler;
        "MPI_Session_call_errhandler" => session::call_errhandler;
        "MPI_Session_toint" => communicator::to_int;
        "MPI_Session_fromint" => communicator::from_int;
        "MPI_Session_init" => session::init;
        "MPI_Session_finalize" => session::finalize;
        "MPI_Session_get_num_psets" => session::get_num_psets;
        "MPI_Session_get_nth_pset" => session::get_nth_pset;
        "MPI_Session_get_pset_info" => session::get_pset_info;
        "MPI_Session_get_info" => session::get_info;
        "MPI_Group_from_session_pset" => session::group_from_pset;
        "MPI_Comm_create_from_group" => session::comm_create_from_group;
        "MPI_Intercomm_create_from_groups" => session::intercomm_create_from_groups;
        "MPI_Init" => environment::init;
        "MPI_Init_thread" => environment::init_thread;
        "MPI_Finalize" => environment::finalize;
        "MPI_Initialized" => environment::initialized;
        "MPI_Finalized" => environment::finalized;
        "MPI_Query_thread" => environment::query_thread;
        "MPI_Is_thread_main" => environment::is_thread_main;
        "MPI_Abort" => environment::abort;
        "MPI_Wtime" => environment::wtime;
        "MPI_Wtick" => environment::wtick;
        "MPI_Get_processor_name" => environment::get_processor_name;
        "MPI_Get_version" => communicator::version;
        "MPI_Get_library_version" => environment::get_library_version;
        "MPI_Get_hw_resource_info" => environment::get_hw_resource_info;
        "MPI_Abi_get_info" => environment::abi_info;
        "MPI_Abi_get_version" => environment::abi_version;
        "MPI_Pcontrol" => environment::pcontrol;
        "MPI_Alloc_mem" => environment::alloc_mem;
        "MPI_Free_mem" => environment::free_mem;
        "MPI_Comm_create_errhandler" => error::create_errhandler;
        "MPI_Comm_set_errhandler" => error::set_errhandler;
        "MPI_Comm_get_errhandler" => error::get_errhandler;
        "MPI_Comm_call_errhandler" => error::call_errhandler;
        "MPI_Errhandler_free" => error::errhandler_free;
        "MPI_Error_class" => error::error_class;
        "MPI_Error_string" => error::error_string;
        "MPI_Add_error_class" => error::add_error_class;
        "MPI_Add_error_code" => error::add_error_code;
        "MPI_Add_error_string" => error::add_error_string;
        "MPI_Remove_error_class" => error::remove_error_class;
        "MPI_Remove_error_code" => error::remove_error_code;
        "MPI_Remove_error_string" => error::remove_error_string;
        "windtunnel_compute" => environment::compute;
    }
}

fn infos(list: &mut Vec<Export>) {
    table! { list:
        "MPI_Info_create" => info::info_create;
        "MPI_Info_create_env" => info::info_create_env;
        "MPI_Info_dup" => info::info_dup;
        "MPI_Info_free" => info::info_free;
        "MPI_Info_set" => info::info_set;
        "MPI_Info_delete" => info::info_delete;
        "MPI_Info_get" => info::info_get;
        "MPI_Info_get_valuelen" => info::info_get_valuelen;
        "MPI_Info_get_string" => info::info_get_string;
        "MPI_Info_get_nkeys" => info::info_get_nkeys;
        "MPI_Info_get_nthkey" => info::info_get_nthkey;
    }
}

fn processes(list: &mut Vec<Export>) {
    table! { list:
        "MPI_Comm_spawn" => process::comm_spawn;
        "MPI_Comm_spawn_multiple" => process::comm_spawn_multiple;
        "MPI_Open_port" => process::open_port;
        "MPI_Close_port" => process::close_port;
        "MPI_Comm_accept" => process::comm_accept;
        "MPI_Comm_connect" => process::comm_connect;
        "MPI_Comm_join" => process::comm_join;
        "MPI_Publish_name" => process::publish_name;
        "MPI_Unpublish_name" => process::unpublish_name;
        "MPI_Lookup_name" => process::lookup_name;
    }
}

/// Names of MPI-1 that the standard has removed since.
fn removed(list: &mut Vec<Export>) {
    table! { list:
        "MPI_Address" => datatype::get_address;
        "MPI_Type_hvector" => datatype::hvector<i32>;
        "MPI_Type_hindexed" => datatype::hindexed<i32>;
        "MPI_Type_struct" => datatype::structure<i32>;
        "MPI_Type_extent" => datatype::type_extent;
        "MPI_Type_lb" => datatype::type_lb;
        "MPI_Type_ub" => datatype::type_ub;
        "MPI_Errhandler_create" => error::create_errhandler;
        "MPI_Errhandler_set" => error::set_errhandler;
        "MPI_Errhandler_get" => error::get_errhandler;
    }
}
