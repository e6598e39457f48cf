//! The MPI functions as programs call them: they check and translate the arguments; the kernel of
//! `mpi-api` does the rest. One file per chapter of the standard.
#![allow(unsafe_code, reason = "reads the memory of programs")]

/// Lists the rows of the table: a name and its function; with `+` also the large-count function
/// `NAME_c`.
macro_rules! table {
    ($list:ident: $($name:literal $(+ $large:literal)? => $module:ident :: $function:ident $(<$n:ty>)? $(::<$flag:literal>)?;)*) => {
        $(
            $list.push(($name, $module::$function$(::<$n>)? $(::<$flag>)? as *const () as usize));
            $($list.push(($large, $module::$function::<i64> as *const () as usize));)?
        )*
    };
}

mod abi;
mod array;
mod attribute;
pub(crate) mod buffer;
pub(crate) mod claim;
mod collective;
mod communicator;
mod contents;
mod datatype;
mod datatype_table;
mod environment;
mod error;
mod external;
mod fingerprint;
pub mod fortran;
mod graph;
mod group;
pub(crate) mod guard;
mod info;
mod message_table;
mod neighborhood;
mod operation;
mod pack;
pub(crate) mod partitioned;
mod point_to_point;
mod port;
mod portable;
mod probe;
mod process;
pub(crate) mod request;
mod session;
mod short;
mod split_type;
pub(crate) mod status;
mod text;
mod tool;
mod topology;
pub(crate) mod transfer;
mod unmodelled;

use std::ffi::c_int;

pub use port::REFUSED;
pub(crate) use unmodelled::prototypes;
pub use unmodelled::{Unmodelled, unmodelled};

use crate::{
    constant::class,
    state::{Fault, Mpi},
};

/// An exported function: its name and address.
pub type Export = (&'static str, usize);

/// Reads a number that the program passes by address.
fn read_number(place: *const c_int) -> Mpi<c_int> {
    if place.is_null() {
        return Err(Fault::new(class::ARG, "the address of a number is null"));
    }
    // SAFETY: the program passes the address of a variable.
    Ok(unsafe { *place })
}

/// Returns every function that programs may call, under its `MPI_` name (the `PMPI_` names are
/// derived from it).
pub fn exports() -> Vec<Export> {
    let mut list = Vec::new();
    message_table::point_to_points(&mut list);
    message_table::requests(&mut list);
    collectives(&mut list);
    more_collectives(&mut list);
    communicators(&mut list);
    datatype_table::handles(&mut list);
    groups(&mut list);
    datatype_table::datatypes(&mut list);
    topologies(&mut list);
    environments(&mut list);
    infos(&mut list);
    processes(&mut list);
    tool::add(&mut list);
    datatype_table::removed(&mut list);
    list.extend(unmodelled::exports());
    list.extend(fortran::exports());
    list
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
        "MPI_Comm_split_type" => split_type::comm_split_type;
        "MPI_Comm_create" => communicator::comm_create;
        "MPI_Comm_create_group" => communicator::comm_create_group;
        "MPI_Comm_free" => communicator::comm_free;
        "MPI_Comm_disconnect" => communicator::comm_disconnect;
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
        "MPI_Abi_get_info" => abi::info;
        "MPI_Abi_get_fortran_info" => abi::fortran_info;
        "MPI_Abi_set_fortran_info" => abi::set_fortran_info;
        "MPI_Abi_get_fortran_booleans" => abi::fortran_booleans;
        "MPI_Abi_set_fortran_booleans" => abi::set_fortran_booleans;
        "MPI_Abi_get_version" => abi::version;
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
        "MPI_Open_port" => port::open_port;
        "MPI_Close_port" => port::close_port;
        "MPI_Comm_accept" => port::comm_accept;
        "MPI_Comm_connect" => port::comm_connect;
        "MPI_Comm_join" => port::comm_join;
        "MPI_Publish_name" => port::publish_name;
        "MPI_Unpublish_name" => port::unpublish_name;
        "MPI_Lookup_name" => port::lookup_name;
    }
}
