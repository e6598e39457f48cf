//! The functions that programs may call, with the types of their arguments: a function whose
//! signature is not that of `mpi.h` does not compile.
//!
//! Written from `functions/data/functions.json` by the tests of `mpi-functions`.

use std::ffi::{c_char, c_int, c_void};

use super::*;
use crate::constant::Handle;

exports! {
    "MPI_Abi_get_fortran_booleans" = abi::fortran_booleans: (c_int, *mut c_void, *mut c_void,
        *mut c_int) -> c_int;
    "MPI_Abi_get_fortran_info" = abi::fortran_info: (*mut Handle) -> c_int;
    "MPI_Abi_get_info" = abi::info: (*mut Handle) -> c_int;
    "MPI_Abi_get_version" = abi::version: (*mut c_int, *mut c_int) -> c_int;
    "MPI_Abi_set_fortran_booleans" = abi::set_fortran_booleans: (c_int, *mut c_void,
        *mut c_void) -> c_int;
    "MPI_Abi_set_fortran_info" = abi::set_fortran_info: (Handle) -> c_int;
    "MPI_Abort" = environment::abort: (Handle, c_int) -> c_int;
    "MPI_Accumulate" = window::accumulate::<c_int>: (*const c_void, c_int, Handle, c_int, i64,
        c_int, Handle, Handle, Handle) -> c_int;
    "MPI_Accumulate_c" = window::accumulate::<i64>: (*const c_void, i64, Handle, c_int, i64, i64,
        Handle, Handle, Handle) -> c_int;
    "MPI_Add_error_class" = error::add_error_class: (*mut c_int) -> c_int;
    "MPI_Add_error_code" = error::add_error_code: (c_int, *mut c_int) -> c_int;
    "MPI_Add_error_string" = error::add_error_string: (c_int, *const c_char) -> c_int;
    "MPI_Address" = datatype::get_address: (*const c_void, *mut i64) -> c_int;
    "MPI_Aint_add" = datatype::aint_add: (i64, i64) -> i64;
    "MPI_Aint_diff" = datatype::aint_diff: (i64, i64) -> i64;
    "MPI_Allgather" = collective::allgather::<c_int>: (*const c_void, c_int, Handle, *mut c_void,
        c_int, Handle, Handle) -> c_int;
    "MPI_Allgather_c" = collective::allgather::<i64>: (*const c_void, i64, Handle, *mut c_void,
        i64, Handle, Handle) -> c_int;
    "MPI_Allgather_init" = collective::allgather_init::<c_int>: (*const c_void, c_int, Handle,
        *mut c_void, c_int, Handle, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Allgather_init_c" = collective::allgather_init::<i64>: (*const c_void, i64, Handle,
        *mut c_void, i64, Handle, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Allgatherv" = collective::allgatherv::<c_int>: (*const c_void, c_int, Handle,
        *mut c_void, *const c_int, *const c_int, Handle, Handle) -> c_int;
    "MPI_Allgatherv_c" = collective::allgatherv::<i64>: (*const c_void, i64, Handle, *mut c_void,
        *const i64, *const i64, Handle, Handle) -> c_int;
    "MPI_Allgatherv_init" = collective::allgatherv_init::<c_int>: (*const c_void, c_int, Handle,
        *mut c_void, *const c_int, *const c_int, Handle, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Allgatherv_init_c" = collective::allgatherv_init::<i64>: (*const c_void, i64, Handle,
        *mut c_void, *const i64, *const i64, Handle, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Alloc_mem" = environment::alloc_mem: (i64, Handle, *mut c_void) -> c_int;
    "MPI_Allreduce" = collective::allreduce::<c_int>: (*const c_void, *mut c_void, c_int, Handle,
        Handle, Handle) -> c_int;
    "MPI_Allreduce_c" = collective::allreduce::<i64>: (*const c_void, *mut c_void, i64, Handle,
        Handle, Handle) -> c_int;
    "MPI_Allreduce_init" = collective::allreduce_init::<c_int>: (*const c_void, *mut c_void,
        c_int, Handle, Handle, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Allreduce_init_c" = collective::allreduce_init::<i64>: (*const c_void, *mut c_void, i64,
        Handle, Handle, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Alltoall" = collective::alltoall::<c_int>: (*const c_void, c_int, Handle, *mut c_void,
        c_int, Handle, Handle) -> c_int;
    "MPI_Alltoall_c" = collective::alltoall::<i64>: (*const c_void, i64, Handle, *mut c_void, i64,
        Handle, Handle) -> c_int;
    "MPI_Alltoall_init" = collective::alltoall_init::<c_int>: (*const c_void, c_int, Handle,
        *mut c_void, c_int, Handle, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Alltoall_init_c" = collective::alltoall_init::<i64>: (*const c_void, i64, Handle,
        *mut c_void, i64, Handle, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Alltoallv" = collective::alltoallv::<c_int>: (*const c_void, *const c_int, *const c_int,
        Handle, *mut c_void, *const c_int, *const c_int, Handle, Handle) -> c_int;
    "MPI_Alltoallv_c" = collective::alltoallv::<i64>: (*const c_void, *const i64, *const i64,
        Handle, *mut c_void, *const i64, *const i64, Handle, Handle) -> c_int;
    "MPI_Alltoallv_init" = collective::alltoallv_init::<c_int>: (*const c_void, *const c_int,
        *const c_int, Handle, *mut c_void, *const c_int, *const c_int, Handle, Handle, Handle,
        *mut Handle) -> c_int;
    "MPI_Alltoallv_init_c" = collective::alltoallv_init::<i64>: (*const c_void, *const i64,
        *const i64, Handle, *mut c_void, *const i64, *const i64, Handle, Handle, Handle,
        *mut Handle) -> c_int;
    "MPI_Alltoallw" = collective::alltoallw::<c_int>: (*const c_void, *const c_int, *const c_int,
        *const Handle, *mut c_void, *const c_int, *const c_int, *const Handle, Handle) -> c_int;
    "MPI_Alltoallw_c" = collective::alltoallw::<i64>: (*const c_void, *const i64, *const i64,
        *const Handle, *mut c_void, *const i64, *const i64, *const Handle, Handle) -> c_int;
    "MPI_Alltoallw_init" = collective::alltoallw_init::<c_int>: (*const c_void, *const c_int,
        *const c_int, *const Handle, *mut c_void, *const c_int, *const c_int, *const Handle, Handle,
        Handle, *mut Handle) -> c_int;
    "MPI_Alltoallw_init_c" = collective::alltoallw_init::<i64>: (*const c_void, *const i64,
        *const i64, *const Handle, *mut c_void, *const i64, *const i64, *const Handle, Handle, Handle,
        *mut Handle) -> c_int;
    "MPI_Attr_delete" = attribute::comm_delete_attr: (Handle, c_int) -> c_int;
    "MPI_Attr_get" = attribute::comm_get_attr: (Handle, c_int, *mut c_void, *mut c_int) -> c_int;
    "MPI_Attr_put" = attribute::comm_set_attr: (Handle, c_int, *mut c_void) -> c_int;
    "MPI_Barrier" = collective::barrier::<c_int>: (Handle) -> c_int;
    "MPI_Barrier_init" = collective::barrier_init::<c_int>: (Handle, Handle,
        *mut Handle) -> c_int;
    "MPI_Bcast" = collective::bcast::<c_int>: (*mut c_void, c_int, Handle, c_int,
        Handle) -> c_int;
    "MPI_Bcast_c" = collective::bcast::<i64>: (*mut c_void, i64, Handle, c_int, Handle) -> c_int;
    "MPI_Bcast_init" = collective::bcast_init::<c_int>: (*mut c_void, c_int, Handle, c_int,
        Handle, Handle, *mut Handle) -> c_int;
    "MPI_Bcast_init_c" = collective::bcast_init::<i64>: (*mut c_void, i64, Handle, c_int, Handle,
        Handle, *mut Handle) -> c_int;
    "MPI_Bsend" = point_to_point::bsend::<c_int>: (*const c_void, c_int, Handle, c_int, c_int,
        Handle) -> c_int;
    "MPI_Bsend_c" = point_to_point::bsend::<i64>: (*const c_void, i64, Handle, c_int, c_int,
        Handle) -> c_int;
    "MPI_Bsend_init" = point_to_point::bsend_init::<c_int>: (*const c_void, c_int, Handle, c_int,
        c_int, Handle, *mut Handle) -> c_int;
    "MPI_Bsend_init_c" = point_to_point::bsend_init::<i64>: (*const c_void, i64, Handle, c_int,
        c_int, Handle, *mut Handle) -> c_int;
    "MPI_Buffer_attach" = buffer::buffer_attach::<c_int>: (*mut c_void, c_int) -> c_int;
    "MPI_Buffer_attach_c" = buffer::buffer_attach::<i64>: (*mut c_void, i64) -> c_int;
    "MPI_Buffer_detach" = buffer::buffer_detach::<c_int>: (*mut c_void, *mut c_int) -> c_int;
    "MPI_Buffer_detach_c" = buffer::buffer_detach::<i64>: (*mut c_void, *mut i64) -> c_int;
    "MPI_Buffer_flush" = buffer::buffer_flush: () -> c_int;
    "MPI_Buffer_iflush" = buffer::buffer_iflush: (*mut Handle) -> c_int;
    "MPI_Cancel" = request::cancel: (*mut Handle) -> c_int;
    "MPI_Cart_coords" = topology::cart_coords: (Handle, c_int, c_int, *mut c_int) -> c_int;
    "MPI_Cart_create" = topology::cart_create: (Handle, c_int, *const c_int, *const c_int, c_int,
        *mut Handle) -> c_int;
    "MPI_Cart_get" = topology::cart_get: (Handle, c_int, *mut c_int, *mut c_int,
        *mut c_int) -> c_int;
    "MPI_Cart_map" = topology::cart_map: (Handle, c_int, *const c_int, *const c_int,
        *mut c_int) -> c_int;
    "MPI_Cart_rank" = topology::cart_rank: (Handle, *const c_int, *mut c_int) -> c_int;
    "MPI_Cart_shift" = topology::cart_shift: (Handle, c_int, c_int, *mut c_int,
        *mut c_int) -> c_int;
    "MPI_Cart_sub" = topology::cart_sub: (Handle, *const c_int, *mut Handle) -> c_int;
    "MPI_Cartdim_get" = topology::cartdim_get: (Handle, *mut c_int) -> c_int;
    "MPI_Close_port" = port::close_port: (*const c_char) -> c_int;
    "MPI_Comm_accept" = port::comm_accept: (*const c_char, Handle, c_int, Handle,
        *mut Handle) -> c_int;
    "MPI_Comm_attach_buffer" = buffer::comm_attach::<c_int>: (Handle, *mut c_void,
        c_int) -> c_int;
    "MPI_Comm_attach_buffer_c" = buffer::comm_attach::<i64>: (Handle, *mut c_void, i64) -> c_int;
    "MPI_Comm_c2f" = communicator::to_int: (Handle) -> c_int;
    "MPI_Comm_call_errhandler" = error::call_errhandler: (Handle, c_int) -> c_int;
    "MPI_Comm_compare" = communicator::comm_compare: (Handle, Handle, *mut c_int) -> c_int;
    "MPI_Comm_connect" = port::comm_connect: (*const c_char, Handle, c_int, Handle,
        *mut Handle) -> c_int;
    "MPI_Comm_create" = communicator::comm_create: (Handle, Handle, *mut Handle) -> c_int;
    "MPI_Comm_create_errhandler" = error::create_comm_errhandler: (_, *mut Handle) -> c_int;
    "MPI_Comm_create_from_group" = session::comm_create_from_group: (Handle, *const c_char,
        Handle, Handle, *mut Handle) -> c_int;
    "MPI_Comm_create_group" = communicator::comm_create_group: (Handle, Handle, c_int,
        *mut Handle) -> c_int;
    "MPI_Comm_create_keyval" = attribute::create_keyval::<false>: (_, _, *mut c_int,
        *mut c_void) -> c_int;
    "MPI_Comm_delete_attr" = attribute::comm_delete_attr: (Handle, c_int) -> c_int;
    "MPI_Comm_detach_buffer" = buffer::comm_detach::<c_int>: (Handle, *mut c_void,
        *mut c_int) -> c_int;
    "MPI_Comm_detach_buffer_c" = buffer::comm_detach::<i64>: (Handle, *mut c_void,
        *mut i64) -> c_int;
    "MPI_Comm_disconnect" = communicator::comm_disconnect: (*mut Handle) -> c_int;
    "MPI_Comm_dup" = communicator::comm_dup: (Handle, *mut Handle) -> c_int;
    "MPI_Comm_dup_with_info" = communicator::comm_dup_with_info: (Handle, Handle,
        *mut Handle) -> c_int;
    "MPI_Comm_f2c" = communicator::from_int: (c_int) -> Handle;
    "MPI_Comm_flush_buffer" = buffer::comm_flush: (Handle) -> c_int;
    "MPI_Comm_free" = communicator::comm_free: (*mut Handle) -> c_int;
    "MPI_Comm_free_keyval" = attribute::free_keyval::<false>: (*mut c_int) -> c_int;
    "MPI_Comm_fromint" = communicator::from_int: (c_int) -> Handle;
    "MPI_Comm_get_attr" = attribute::comm_get_attr: (Handle, c_int, *mut c_void,
        *mut c_int) -> c_int;
    "MPI_Comm_get_errhandler" = error::get_errhandler: (Handle, *mut Handle) -> c_int;
    "MPI_Comm_get_info" = communicator::comm_get_info: (Handle, *mut Handle) -> c_int;
    "MPI_Comm_get_name" = communicator::comm_get_name: (Handle, *mut c_char, *mut c_int) -> c_int;
    "MPI_Comm_get_parent" = communicator::comm_get_parent: (*mut Handle) -> c_int;
    "MPI_Comm_group" = group::comm_group: (Handle, *mut Handle) -> c_int;
    "MPI_Comm_idup" = communicator::comm_idup: (Handle, *mut Handle, *mut Handle) -> c_int;
    "MPI_Comm_idup_with_info" = communicator::comm_idup_with_info: (Handle, Handle, *mut Handle,
        *mut Handle) -> c_int;
    "MPI_Comm_iflush_buffer" = buffer::comm_iflush: (Handle, *mut Handle) -> c_int;
    "MPI_Comm_join" = port::comm_join: (c_int, *mut Handle) -> c_int;
    "MPI_Comm_rank" = communicator::comm_rank: (Handle, *mut c_int) -> c_int;
    "MPI_Comm_remote_group" = group::comm_remote_group: (Handle, *mut Handle) -> c_int;
    "MPI_Comm_remote_size" = communicator::comm_remote_size: (Handle, *mut c_int) -> c_int;
    "MPI_Comm_set_attr" = attribute::comm_set_attr: (Handle, c_int, *mut c_void) -> c_int;
    "MPI_Comm_set_errhandler" = error::set_errhandler: (Handle, Handle) -> c_int;
    "MPI_Comm_set_info" = communicator::comm_set_info: (Handle, Handle) -> c_int;
    "MPI_Comm_set_name" = communicator::comm_set_name: (Handle, *const c_char) -> c_int;
    "MPI_Comm_size" = communicator::comm_size: (Handle, *mut c_int) -> c_int;
    "MPI_Comm_spawn" = process::comm_spawn: (*const c_char, *mut *mut c_char, c_int, Handle,
        c_int, Handle, *mut Handle, *mut c_int) -> c_int;
    "MPI_Comm_spawn_multiple" = process::comm_spawn_multiple: (c_int, *mut *mut c_char,
        *mut *mut *mut c_char, *const c_int, *const Handle, c_int, Handle, *mut Handle,
        *mut c_int) -> c_int;
    "MPI_Comm_split" = communicator::comm_split: (Handle, c_int, c_int, *mut Handle) -> c_int;
    "MPI_Comm_split_type" = split_type::comm_split_type: (Handle, c_int, c_int, Handle,
        *mut Handle) -> c_int;
    "MPI_Comm_test_inter" = communicator::comm_test_inter: (Handle, *mut c_int) -> c_int;
    "MPI_Comm_toint" = communicator::to_int: (Handle) -> c_int;
    "MPI_Compare_and_swap" = window::compare_and_swap: (*const c_void, *const c_void, *mut c_void,
        Handle, c_int, i64, Handle) -> c_int;
    "MPI_Dims_create" = topology::dims_create: (c_int, c_int, *mut c_int) -> c_int;
    "MPI_Dist_graph_create" = graph::dist_graph_create: (Handle, c_int, *const c_int,
        *const c_int, *const c_int, *const c_int, Handle, c_int, *mut Handle) -> c_int;
    "MPI_Dist_graph_create_adjacent" = graph::dist_graph_create_adjacent: (Handle, c_int,
        *const c_int, *const c_int, c_int, *const c_int, *const c_int, Handle, c_int,
        *mut Handle) -> c_int;
    "MPI_Dist_graph_neighbors" = graph::dist_graph_neighbors: (Handle, c_int, *mut c_int,
        *mut c_int, c_int, *mut c_int, *mut c_int) -> c_int;
    "MPI_Dist_graph_neighbors_count" = graph::dist_graph_neighbors_count: (Handle, *mut c_int,
        *mut c_int, *mut c_int) -> c_int;
    "MPI_Errhandler_c2f" = communicator::to_int: (Handle) -> c_int;
    "MPI_Errhandler_create" = error::create_comm_errhandler: (_, *mut Handle) -> c_int;
    "MPI_Errhandler_f2c" = communicator::from_int: (c_int) -> Handle;
    "MPI_Errhandler_free" = error::errhandler_free: (*mut Handle) -> c_int;
    "MPI_Errhandler_fromint" = communicator::from_int: (c_int) -> Handle;
    "MPI_Errhandler_get" = error::get_errhandler: (Handle, *mut Handle) -> c_int;
    "MPI_Errhandler_set" = error::set_errhandler: (Handle, Handle) -> c_int;
    "MPI_Errhandler_toint" = communicator::to_int: (Handle) -> c_int;
    "MPI_Error_class" = error::error_class: (c_int, *mut c_int) -> c_int;
    "MPI_Error_string" = error::error_string: (c_int, *mut c_char, *mut c_int) -> c_int;
    "MPI_Exscan" = collective::exscan::<c_int>: (*const c_void, *mut c_void, c_int, Handle,
        Handle, Handle) -> c_int;
    "MPI_Exscan_c" = collective::exscan::<i64>: (*const c_void, *mut c_void, i64, Handle, Handle,
        Handle) -> c_int;
    "MPI_Exscan_init" = collective::exscan_init::<c_int>: (*const c_void, *mut c_void, c_int,
        Handle, Handle, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Exscan_init_c" = collective::exscan_init::<i64>: (*const c_void, *mut c_void, i64,
        Handle, Handle, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Fetch_and_op" = window::fetch_and_op: (*const c_void, *mut c_void, Handle, c_int, i64,
        Handle, Handle) -> c_int;
    "MPI_File_c2f" = communicator::to_int: (Handle) -> c_int;
    "MPI_File_call_errhandler" = file::call_file_errhandler: (Handle, c_int) -> c_int;
    "MPI_File_close" = file::close: (*mut Handle) -> c_int;
    "MPI_File_create_errhandler" = error::create_file_errhandler: (_, *mut Handle) -> c_int;
    "MPI_File_delete" = file::delete: (*const c_char, Handle) -> c_int;
    "MPI_File_f2c" = communicator::from_int: (c_int) -> Handle;
    "MPI_File_fromint" = communicator::from_int: (c_int) -> Handle;
    "MPI_File_get_amode" = file::get_amode: (Handle, *mut c_int) -> c_int;
    "MPI_File_get_atomicity" = file::get_atomicity: (Handle, *mut c_int) -> c_int;
    "MPI_File_get_byte_offset" = file::get_byte_offset: (Handle, i64, *mut i64) -> c_int;
    "MPI_File_get_errhandler" = file::get_file_errhandler: (Handle, *mut Handle) -> c_int;
    "MPI_File_get_group" = file::get_file_group: (Handle, *mut Handle) -> c_int;
    "MPI_File_get_info" = file::get_file_info: (Handle, *mut Handle) -> c_int;
    "MPI_File_get_position" = file::get_position: (Handle, *mut i64) -> c_int;
    "MPI_File_get_position_shared" = file::get_position_shared: (Handle, *mut i64) -> c_int;
    "MPI_File_get_size" = file::get_size: (Handle, *mut i64) -> c_int;
    "MPI_File_get_type_extent" = file::get_type_extent: (Handle, Handle, *mut i64) -> c_int;
    "MPI_File_get_type_extent_c" = file::get_type_extent: (Handle, Handle, *mut i64) -> c_int;
    "MPI_File_get_view" = file::get_view: (Handle, *mut i64, *mut Handle, *mut Handle,
        *mut c_char) -> c_int;
    "MPI_File_iread" = file::iread::<c_int>: (Handle, *mut c_void, c_int, Handle,
        *mut Handle) -> c_int;
    "MPI_File_iread_all" = file::iread_all::<c_int>: (Handle, *mut c_void, c_int, Handle,
        *mut Handle) -> c_int;
    "MPI_File_iread_all_c" = file::iread_all::<i64>: (Handle, *mut c_void, i64, Handle,
        *mut Handle) -> c_int;
    "MPI_File_iread_at" = file::iread_at::<c_int>: (Handle, i64, *mut c_void, c_int, Handle,
        *mut Handle) -> c_int;
    "MPI_File_iread_at_all" = file::iread_at_all::<c_int>: (Handle, i64, *mut c_void, c_int,
        Handle, *mut Handle) -> c_int;
    "MPI_File_iread_at_all_c" = file::iread_at_all::<i64>: (Handle, i64, *mut c_void, i64, Handle,
        *mut Handle) -> c_int;
    "MPI_File_iread_at_c" = file::iread_at::<i64>: (Handle, i64, *mut c_void, i64, Handle,
        *mut Handle) -> c_int;
    "MPI_File_iread_c" = file::iread::<i64>: (Handle, *mut c_void, i64, Handle,
        *mut Handle) -> c_int;
    "MPI_File_iread_shared" = file::iread_shared::<c_int>: (Handle, *mut c_void, c_int, Handle,
        *mut Handle) -> c_int;
    "MPI_File_iread_shared_c" = file::iread_shared::<i64>: (Handle, *mut c_void, i64, Handle,
        *mut Handle) -> c_int;
    "MPI_File_iwrite" = file::iwrite::<c_int>: (Handle, *const c_void, c_int, Handle,
        *mut Handle) -> c_int;
    "MPI_File_iwrite_all" = file::iwrite_all::<c_int>: (Handle, *const c_void, c_int, Handle,
        *mut Handle) -> c_int;
    "MPI_File_iwrite_all_c" = file::iwrite_all::<i64>: (Handle, *const c_void, i64, Handle,
        *mut Handle) -> c_int;
    "MPI_File_iwrite_at" = file::iwrite_at::<c_int>: (Handle, i64, *const c_void, c_int, Handle,
        *mut Handle) -> c_int;
    "MPI_File_iwrite_at_all" = file::iwrite_at_all::<c_int>: (Handle, i64, *const c_void, c_int,
        Handle, *mut Handle) -> c_int;
    "MPI_File_iwrite_at_all_c" = file::iwrite_at_all::<i64>: (Handle, i64, *const c_void, i64,
        Handle, *mut Handle) -> c_int;
    "MPI_File_iwrite_at_c" = file::iwrite_at::<i64>: (Handle, i64, *const c_void, i64, Handle,
        *mut Handle) -> c_int;
    "MPI_File_iwrite_c" = file::iwrite::<i64>: (Handle, *const c_void, i64, Handle,
        *mut Handle) -> c_int;
    "MPI_File_iwrite_shared" = file::iwrite_shared::<c_int>: (Handle, *const c_void, c_int,
        Handle, *mut Handle) -> c_int;
    "MPI_File_iwrite_shared_c" = file::iwrite_shared::<i64>: (Handle, *const c_void, i64, Handle,
        *mut Handle) -> c_int;
    "MPI_File_open" = file::open: (Handle, *const c_char, c_int, Handle, *mut Handle) -> c_int;
    "MPI_File_preallocate" = file::preallocate: (Handle, i64) -> c_int;
    "MPI_File_read" = file::read::<c_int>: (Handle, *mut c_void, c_int, Handle,
        *mut status::Status) -> c_int;
    "MPI_File_read_all" = file::read_all::<c_int>: (Handle, *mut c_void, c_int, Handle,
        *mut status::Status) -> c_int;
    "MPI_File_read_all_begin" = file::read_all_begin::<c_int>: (Handle, *mut c_void, c_int,
        Handle) -> c_int;
    "MPI_File_read_all_begin_c" = file::read_all_begin::<i64>: (Handle, *mut c_void, i64,
        Handle) -> c_int;
    "MPI_File_read_all_c" = file::read_all::<i64>: (Handle, *mut c_void, i64, Handle,
        *mut status::Status) -> c_int;
    "MPI_File_read_all_end" = file::read_all_end: (Handle, *mut c_void,
        *mut status::Status) -> c_int;
    "MPI_File_read_at" = file::read_at::<c_int>: (Handle, i64, *mut c_void, c_int, Handle,
        *mut status::Status) -> c_int;
    "MPI_File_read_at_all" = file::read_at_all::<c_int>: (Handle, i64, *mut c_void, c_int, Handle,
        *mut status::Status) -> c_int;
    "MPI_File_read_at_all_begin" = file::read_at_all_begin::<c_int>: (Handle, i64, *mut c_void,
        c_int, Handle) -> c_int;
    "MPI_File_read_at_all_begin_c" = file::read_at_all_begin::<i64>: (Handle, i64, *mut c_void,
        i64, Handle) -> c_int;
    "MPI_File_read_at_all_c" = file::read_at_all::<i64>: (Handle, i64, *mut c_void, i64, Handle,
        *mut status::Status) -> c_int;
    "MPI_File_read_at_all_end" = file::read_at_all_end: (Handle, *mut c_void,
        *mut status::Status) -> c_int;
    "MPI_File_read_at_c" = file::read_at::<i64>: (Handle, i64, *mut c_void, i64, Handle,
        *mut status::Status) -> c_int;
    "MPI_File_read_c" = file::read::<i64>: (Handle, *mut c_void, i64, Handle,
        *mut status::Status) -> c_int;
    "MPI_File_read_ordered" = file::read_ordered::<c_int>: (Handle, *mut c_void, c_int, Handle,
        *mut status::Status) -> c_int;
    "MPI_File_read_ordered_begin" = file::read_ordered_begin::<c_int>: (Handle, *mut c_void,
        c_int, Handle) -> c_int;
    "MPI_File_read_ordered_begin_c" = file::read_ordered_begin::<i64>: (Handle, *mut c_void, i64,
        Handle) -> c_int;
    "MPI_File_read_ordered_c" = file::read_ordered::<i64>: (Handle, *mut c_void, i64, Handle,
        *mut status::Status) -> c_int;
    "MPI_File_read_ordered_end" = file::read_ordered_end: (Handle, *mut c_void,
        *mut status::Status) -> c_int;
    "MPI_File_read_shared" = file::read_shared::<c_int>: (Handle, *mut c_void, c_int, Handle,
        *mut status::Status) -> c_int;
    "MPI_File_read_shared_c" = file::read_shared::<i64>: (Handle, *mut c_void, i64, Handle,
        *mut status::Status) -> c_int;
    "MPI_File_seek" = file::seek: (Handle, i64, c_int) -> c_int;
    "MPI_File_seek_shared" = file::seek_shared: (Handle, i64, c_int) -> c_int;
    "MPI_File_set_atomicity" = file::set_atomicity: (Handle, c_int) -> c_int;
    "MPI_File_set_errhandler" = file::set_file_errhandler: (Handle, Handle) -> c_int;
    "MPI_File_set_info" = file::set_file_info: (Handle, Handle) -> c_int;
    "MPI_File_set_size" = file::set_size: (Handle, i64) -> c_int;
    "MPI_File_set_view" = file::set_view: (Handle, i64, Handle, Handle, *const c_char,
        Handle) -> c_int;
    "MPI_File_sync" = file::sync: (Handle) -> c_int;
    "MPI_File_toint" = communicator::to_int: (Handle) -> c_int;
    "MPI_File_write" = file::write::<c_int>: (Handle, *const c_void, c_int, Handle,
        *mut status::Status) -> c_int;
    "MPI_File_write_all" = file::write_all::<c_int>: (Handle, *const c_void, c_int, Handle,
        *mut status::Status) -> c_int;
    "MPI_File_write_all_begin" = file::write_all_begin::<c_int>: (Handle, *const c_void, c_int,
        Handle) -> c_int;
    "MPI_File_write_all_begin_c" = file::write_all_begin::<i64>: (Handle, *const c_void, i64,
        Handle) -> c_int;
    "MPI_File_write_all_c" = file::write_all::<i64>: (Handle, *const c_void, i64, Handle,
        *mut status::Status) -> c_int;
    "MPI_File_write_all_end" = file::write_all_end: (Handle, *const c_void,
        *mut status::Status) -> c_int;
    "MPI_File_write_at" = file::write_at::<c_int>: (Handle, i64, *const c_void, c_int, Handle,
        *mut status::Status) -> c_int;
    "MPI_File_write_at_all" = file::write_at_all::<c_int>: (Handle, i64, *const c_void, c_int,
        Handle, *mut status::Status) -> c_int;
    "MPI_File_write_at_all_begin" = file::write_at_all_begin::<c_int>: (Handle, i64,
        *const c_void, c_int, Handle) -> c_int;
    "MPI_File_write_at_all_begin_c" = file::write_at_all_begin::<i64>: (Handle, i64,
        *const c_void, i64, Handle) -> c_int;
    "MPI_File_write_at_all_c" = file::write_at_all::<i64>: (Handle, i64, *const c_void, i64,
        Handle, *mut status::Status) -> c_int;
    "MPI_File_write_at_all_end" = file::write_at_all_end: (Handle, *const c_void,
        *mut status::Status) -> c_int;
    "MPI_File_write_at_c" = file::write_at::<i64>: (Handle, i64, *const c_void, i64, Handle,
        *mut status::Status) -> c_int;
    "MPI_File_write_c" = file::write::<i64>: (Handle, *const c_void, i64, Handle,
        *mut status::Status) -> c_int;
    "MPI_File_write_ordered" = file::write_ordered::<c_int>: (Handle, *const c_void, c_int,
        Handle, *mut status::Status) -> c_int;
    "MPI_File_write_ordered_begin" = file::write_ordered_begin::<c_int>: (Handle, *const c_void,
        c_int, Handle) -> c_int;
    "MPI_File_write_ordered_begin_c" = file::write_ordered_begin::<i64>: (Handle, *const c_void,
        i64, Handle) -> c_int;
    "MPI_File_write_ordered_c" = file::write_ordered::<i64>: (Handle, *const c_void, i64, Handle,
        *mut status::Status) -> c_int;
    "MPI_File_write_ordered_end" = file::write_ordered_end: (Handle, *const c_void,
        *mut status::Status) -> c_int;
    "MPI_File_write_shared" = file::write_shared::<c_int>: (Handle, *const c_void, c_int, Handle,
        *mut status::Status) -> c_int;
    "MPI_File_write_shared_c" = file::write_shared::<i64>: (Handle, *const c_void, i64, Handle,
        *mut status::Status) -> c_int;
    "MPI_Finalize" = environment::finalize: () -> c_int;
    "MPI_Finalized" = environment::finalized: (*mut c_int) -> c_int;
    "MPI_Free_mem" = environment::free_mem: (*mut c_void) -> c_int;
    "MPI_Gather" = collective::gather::<c_int>: (*const c_void, c_int, Handle, *mut c_void, c_int,
        Handle, c_int, Handle) -> c_int;
    "MPI_Gather_c" = collective::gather::<i64>: (*const c_void, i64, Handle, *mut c_void, i64,
        Handle, c_int, Handle) -> c_int;
    "MPI_Gather_init" = collective::gather_init::<c_int>: (*const c_void, c_int, Handle,
        *mut c_void, c_int, Handle, c_int, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Gather_init_c" = collective::gather_init::<i64>: (*const c_void, i64, Handle,
        *mut c_void, i64, Handle, c_int, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Gatherv" = collective::gatherv::<c_int>: (*const c_void, c_int, Handle, *mut c_void,
        *const c_int, *const c_int, Handle, c_int, Handle) -> c_int;
    "MPI_Gatherv_c" = collective::gatherv::<i64>: (*const c_void, i64, Handle, *mut c_void,
        *const i64, *const i64, Handle, c_int, Handle) -> c_int;
    "MPI_Gatherv_init" = collective::gatherv_init::<c_int>: (*const c_void, c_int, Handle,
        *mut c_void, *const c_int, *const c_int, Handle, c_int, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Gatherv_init_c" = collective::gatherv_init::<i64>: (*const c_void, i64, Handle,
        *mut c_void, *const i64, *const i64, Handle, c_int, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Get" = window::get_data::<c_int>: (*mut c_void, c_int, Handle, c_int, i64, c_int, Handle,
        Handle) -> c_int;
    "MPI_Get_accumulate" = window::get_accumulate::<c_int>: (*const c_void, c_int, Handle,
        *mut c_void, c_int, Handle, c_int, i64, c_int, Handle, Handle, Handle) -> c_int;
    "MPI_Get_accumulate_c" = window::get_accumulate::<i64>: (*const c_void, i64, Handle,
        *mut c_void, i64, Handle, c_int, i64, i64, Handle, Handle, Handle) -> c_int;
    "MPI_Get_address" = datatype::get_address: (*const c_void, *mut i64) -> c_int;
    "MPI_Get_c" = window::get_data::<i64>: (*mut c_void, i64, Handle, c_int, i64, i64, Handle,
        Handle) -> c_int;
    "MPI_Get_count" = status::get_count::<c_int>: (*const status::Status, Handle,
        *mut c_int) -> c_int;
    "MPI_Get_count_c" = status::get_count::<i64>: (*const status::Status, Handle,
        *mut i64) -> c_int;
    "MPI_Get_elements" = status::get_elements::<c_int>: (*const status::Status, Handle,
        *mut c_int) -> c_int;
    "MPI_Get_elements_c" = status::get_elements::<i64>: (*const status::Status, Handle,
        *mut i64) -> c_int;
    "MPI_Get_elements_x" = status::get_elements::<i64>: (*const status::Status, Handle,
        *mut i64) -> c_int;
    "MPI_Get_hw_resource_info" = environment::get_hw_resource_info: (*mut Handle) -> c_int;
    "MPI_Get_library_version" = environment::get_library_version: (*mut c_char,
        *mut c_int) -> c_int;
    "MPI_Get_processor_name" = environment::get_processor_name: (*mut c_char,
        *mut c_int) -> c_int;
    "MPI_Get_version" = communicator::version: (*mut c_int, *mut c_int) -> c_int;
    "MPI_Graph_create" = graph::graph_create: (Handle, c_int, *const c_int, *const c_int, c_int,
        *mut Handle) -> c_int;
    "MPI_Graph_get" = graph::graph_get: (Handle, c_int, c_int, *mut c_int, *mut c_int) -> c_int;
    "MPI_Graph_map" = graph::graph_map: (Handle, c_int, *const c_int, *const c_int,
        *mut c_int) -> c_int;
    "MPI_Graph_neighbors" = graph::graph_neighbors: (Handle, c_int, c_int, *mut c_int) -> c_int;
    "MPI_Graph_neighbors_count" = graph::graph_neighbors_count: (Handle, c_int,
        *mut c_int) -> c_int;
    "MPI_Graphdims_get" = graph::graphdims_get: (Handle, *mut c_int, *mut c_int) -> c_int;
    "MPI_Grequest_complete" = request::grequest_complete: (Handle) -> c_int;
    "MPI_Grequest_start" = request::grequest_start: (_, _, _, *mut c_void, *mut Handle) -> c_int;
    "MPI_Group_c2f" = communicator::to_int: (Handle) -> c_int;
    "MPI_Group_compare" = group::group_compare: (Handle, Handle, *mut c_int) -> c_int;
    "MPI_Group_difference" = group::group_difference: (Handle, Handle, *mut Handle) -> c_int;
    "MPI_Group_excl" = group::group_excl: (Handle, c_int, *const c_int, *mut Handle) -> c_int;
    "MPI_Group_f2c" = communicator::from_int: (c_int) -> Handle;
    "MPI_Group_free" = group::group_free: (*mut Handle) -> c_int;
    "MPI_Group_from_session_pset" = session::group_from_pset: (Handle, *const c_char,
        *mut Handle) -> c_int;
    "MPI_Group_fromint" = communicator::from_int: (c_int) -> Handle;
    "MPI_Group_incl" = group::group_incl: (Handle, c_int, *const c_int, *mut Handle) -> c_int;
    "MPI_Group_intersection" = group::group_intersection: (Handle, Handle, *mut Handle) -> c_int;
    "MPI_Group_range_excl" = group::group_range_excl: (Handle, c_int, *const [c_int; 3],
        *mut Handle) -> c_int;
    "MPI_Group_range_incl" = group::group_range_incl: (Handle, c_int, *const [c_int; 3],
        *mut Handle) -> c_int;
    "MPI_Group_rank" = group::group_rank: (Handle, *mut c_int) -> c_int;
    "MPI_Group_size" = group::group_size: (Handle, *mut c_int) -> c_int;
    "MPI_Group_toint" = communicator::to_int: (Handle) -> c_int;
    "MPI_Group_translate_ranks" = group::group_translate_ranks: (Handle, c_int, *const c_int,
        Handle, *mut c_int) -> c_int;
    "MPI_Group_union" = group::group_union: (Handle, Handle, *mut Handle) -> c_int;
    "MPI_Iallgather" = collective::iallgather::<c_int>: (*const c_void, c_int, Handle,
        *mut c_void, c_int, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Iallgather_c" = collective::iallgather::<i64>: (*const c_void, i64, Handle, *mut c_void,
        i64, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Iallgatherv" = collective::iallgatherv::<c_int>: (*const c_void, c_int, Handle,
        *mut c_void, *const c_int, *const c_int, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Iallgatherv_c" = collective::iallgatherv::<i64>: (*const c_void, i64, Handle,
        *mut c_void, *const i64, *const i64, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Iallreduce" = collective::iallreduce::<c_int>: (*const c_void, *mut c_void, c_int,
        Handle, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Iallreduce_c" = collective::iallreduce::<i64>: (*const c_void, *mut c_void, i64, Handle,
        Handle, Handle, *mut Handle) -> c_int;
    "MPI_Ialltoall" = collective::ialltoall::<c_int>: (*const c_void, c_int, Handle, *mut c_void,
        c_int, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Ialltoall_c" = collective::ialltoall::<i64>: (*const c_void, i64, Handle, *mut c_void,
        i64, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Ialltoallv" = collective::ialltoallv::<c_int>: (*const c_void, *const c_int,
        *const c_int, Handle, *mut c_void, *const c_int, *const c_int, Handle, Handle,
        *mut Handle) -> c_int;
    "MPI_Ialltoallv_c" = collective::ialltoallv::<i64>: (*const c_void, *const i64, *const i64,
        Handle, *mut c_void, *const i64, *const i64, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Ialltoallw" = collective::ialltoallw::<c_int>: (*const c_void, *const c_int,
        *const c_int, *const Handle, *mut c_void, *const c_int, *const c_int, *const Handle, Handle,
        *mut Handle) -> c_int;
    "MPI_Ialltoallw_c" = collective::ialltoallw::<i64>: (*const c_void, *const i64, *const i64,
        *const Handle, *mut c_void, *const i64, *const i64, *const Handle, Handle,
        *mut Handle) -> c_int;
    "MPI_Ibarrier" = collective::ibarrier::<c_int>: (Handle, *mut Handle) -> c_int;
    "MPI_Ibcast" = collective::ibcast::<c_int>: (*mut c_void, c_int, Handle, c_int, Handle,
        *mut Handle) -> c_int;
    "MPI_Ibcast_c" = collective::ibcast::<i64>: (*mut c_void, i64, Handle, c_int, Handle,
        *mut Handle) -> c_int;
    "MPI_Ibsend" = point_to_point::ibsend::<c_int>: (*const c_void, c_int, Handle, c_int, c_int,
        Handle, *mut Handle) -> c_int;
    "MPI_Ibsend_c" = point_to_point::ibsend::<i64>: (*const c_void, i64, Handle, c_int, c_int,
        Handle, *mut Handle) -> c_int;
    "MPI_Iexscan" = collective::iexscan::<c_int>: (*const c_void, *mut c_void, c_int, Handle,
        Handle, Handle, *mut Handle) -> c_int;
    "MPI_Iexscan_c" = collective::iexscan::<i64>: (*const c_void, *mut c_void, i64, Handle,
        Handle, Handle, *mut Handle) -> c_int;
    "MPI_Igather" = collective::igather::<c_int>: (*const c_void, c_int, Handle, *mut c_void,
        c_int, Handle, c_int, Handle, *mut Handle) -> c_int;
    "MPI_Igather_c" = collective::igather::<i64>: (*const c_void, i64, Handle, *mut c_void, i64,
        Handle, c_int, Handle, *mut Handle) -> c_int;
    "MPI_Igatherv" = collective::igatherv::<c_int>: (*const c_void, c_int, Handle, *mut c_void,
        *const c_int, *const c_int, Handle, c_int, Handle, *mut Handle) -> c_int;
    "MPI_Igatherv_c" = collective::igatherv::<i64>: (*const c_void, i64, Handle, *mut c_void,
        *const i64, *const i64, Handle, c_int, Handle, *mut Handle) -> c_int;
    "MPI_Improbe" = probe::improbe: (c_int, c_int, Handle, *mut c_int, *mut Handle,
        *mut status::Status) -> c_int;
    "MPI_Imrecv" = probe::imrecv::<c_int>: (*mut c_void, c_int, Handle, *mut Handle,
        *mut Handle) -> c_int;
    "MPI_Imrecv_c" = probe::imrecv::<i64>: (*mut c_void, i64, Handle, *mut Handle,
        *mut Handle) -> c_int;
    "MPI_Ineighbor_allgather" = neighborhood::ineighbor_allgather::<c_int>: (*const c_void, c_int,
        Handle, *mut c_void, c_int, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Ineighbor_allgather_c" = neighborhood::ineighbor_allgather::<i64>: (*const c_void, i64,
        Handle, *mut c_void, i64, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Ineighbor_allgatherv" = neighborhood::ineighbor_allgatherv::<c_int>: (*const c_void,
        c_int, Handle, *mut c_void, *const c_int, *const c_int, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Ineighbor_allgatherv_c" = neighborhood::ineighbor_allgatherv::<i64>: (*const c_void, i64,
        Handle, *mut c_void, *const i64, *const i64, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Ineighbor_alltoall" = neighborhood::ineighbor_alltoall::<c_int>: (*const c_void, c_int,
        Handle, *mut c_void, c_int, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Ineighbor_alltoall_c" = neighborhood::ineighbor_alltoall::<i64>: (*const c_void, i64,
        Handle, *mut c_void, i64, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Ineighbor_alltoallv" = neighborhood::ineighbor_alltoallv::<c_int>: (*const c_void,
        *const c_int, *const c_int, Handle, *mut c_void, *const c_int, *const c_int, Handle, Handle,
        *mut Handle) -> c_int;
    "MPI_Ineighbor_alltoallv_c" = neighborhood::ineighbor_alltoallv::<i64>: (*const c_void,
        *const i64, *const i64, Handle, *mut c_void, *const i64, *const i64, Handle, Handle,
        *mut Handle) -> c_int;
    "MPI_Ineighbor_alltoallw" = neighborhood::ineighbor_alltoallw::<c_int>: (*const c_void,
        *const c_int, *const i64, *const Handle, *mut c_void, *const c_int, *const i64, *const Handle,
        Handle, *mut Handle) -> c_int;
    "MPI_Ineighbor_alltoallw_c" = neighborhood::ineighbor_alltoallw::<i64>: (*const c_void,
        *const i64, *const i64, *const Handle, *mut c_void, *const i64, *const i64, *const Handle,
        Handle, *mut Handle) -> c_int;
    "MPI_Info_c2f" = communicator::to_int: (Handle) -> c_int;
    "MPI_Info_create" = info::info_create: (*mut Handle) -> c_int;
    "MPI_Info_create_env" = info::info_create_env: (c_int, *mut *mut c_char,
        *mut Handle) -> c_int;
    "MPI_Info_delete" = info::info_delete: (Handle, *const c_char) -> c_int;
    "MPI_Info_dup" = info::info_dup: (Handle, *mut Handle) -> c_int;
    "MPI_Info_f2c" = communicator::from_int: (c_int) -> Handle;
    "MPI_Info_free" = info::info_free: (*mut Handle) -> c_int;
    "MPI_Info_fromint" = communicator::from_int: (c_int) -> Handle;
    "MPI_Info_get" = info::info_get: (Handle, *const c_char, c_int, *mut c_char,
        *mut c_int) -> c_int;
    "MPI_Info_get_nkeys" = info::info_get_nkeys: (Handle, *mut c_int) -> c_int;
    "MPI_Info_get_nthkey" = info::info_get_nthkey: (Handle, c_int, *mut c_char) -> c_int;
    "MPI_Info_get_string" = info::info_get_string: (Handle, *const c_char, *mut c_int,
        *mut c_char, *mut c_int) -> c_int;
    "MPI_Info_get_valuelen" = info::info_get_valuelen: (Handle, *const c_char, *mut c_int,
        *mut c_int) -> c_int;
    "MPI_Info_set" = info::info_set: (Handle, *const c_char, *const c_char) -> c_int;
    "MPI_Info_toint" = communicator::to_int: (Handle) -> c_int;
    "MPI_Init" = environment::init: (*mut c_int, *mut *mut *mut c_char) -> c_int;
    "MPI_Init_thread" = environment::init_thread: (*mut c_int, *mut *mut *mut c_char, c_int,
        *mut c_int) -> c_int;
    "MPI_Initialized" = environment::initialized: (*mut c_int) -> c_int;
    "MPI_Intercomm_create" = communicator::intercomm_create: (Handle, c_int, Handle, c_int, c_int,
        *mut Handle) -> c_int;
    "MPI_Intercomm_create_from_groups" = session::intercomm_create_from_groups: (Handle, c_int,
        Handle, c_int, *const c_char, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Intercomm_merge" = communicator::intercomm_merge: (Handle, c_int, *mut Handle) -> c_int;
    "MPI_Iprobe" = probe::iprobe: (c_int, c_int, Handle, *mut c_int,
        *mut status::Status) -> c_int;
    "MPI_Irecv" = point_to_point::irecv::<c_int>: (*mut c_void, c_int, Handle, c_int, c_int,
        Handle, *mut Handle) -> c_int;
    "MPI_Irecv_c" = point_to_point::irecv::<i64>: (*mut c_void, i64, Handle, c_int, c_int, Handle,
        *mut Handle) -> c_int;
    "MPI_Ireduce" = collective::ireduce::<c_int>: (*const c_void, *mut c_void, c_int, Handle,
        Handle, c_int, Handle, *mut Handle) -> c_int;
    "MPI_Ireduce_c" = collective::ireduce::<i64>: (*const c_void, *mut c_void, i64, Handle,
        Handle, c_int, Handle, *mut Handle) -> c_int;
    "MPI_Ireduce_scatter" = collective::ireduce_scatter::<c_int>: (*const c_void, *mut c_void,
        *const c_int, Handle, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Ireduce_scatter_block" = collective::ireduce_scatter_block::<c_int>: (*const c_void,
        *mut c_void, c_int, Handle, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Ireduce_scatter_block_c" = collective::ireduce_scatter_block::<i64>: (*const c_void,
        *mut c_void, i64, Handle, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Ireduce_scatter_c" = collective::ireduce_scatter::<i64>: (*const c_void, *mut c_void,
        *const i64, Handle, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Irsend" = point_to_point::irsend::<c_int>: (*const c_void, c_int, Handle, c_int, c_int,
        Handle, *mut Handle) -> c_int;
    "MPI_Irsend_c" = point_to_point::irsend::<i64>: (*const c_void, i64, Handle, c_int, c_int,
        Handle, *mut Handle) -> c_int;
    "MPI_Is_thread_main" = environment::is_thread_main: (*mut c_int) -> c_int;
    "MPI_Iscan" = collective::iscan::<c_int>: (*const c_void, *mut c_void, c_int, Handle, Handle,
        Handle, *mut Handle) -> c_int;
    "MPI_Iscan_c" = collective::iscan::<i64>: (*const c_void, *mut c_void, i64, Handle, Handle,
        Handle, *mut Handle) -> c_int;
    "MPI_Iscatter" = collective::iscatter::<c_int>: (*const c_void, c_int, Handle, *mut c_void,
        c_int, Handle, c_int, Handle, *mut Handle) -> c_int;
    "MPI_Iscatter_c" = collective::iscatter::<i64>: (*const c_void, i64, Handle, *mut c_void, i64,
        Handle, c_int, Handle, *mut Handle) -> c_int;
    "MPI_Iscatterv" = collective::iscatterv::<c_int>: (*const c_void, *const c_int, *const c_int,
        Handle, *mut c_void, c_int, Handle, c_int, Handle, *mut Handle) -> c_int;
    "MPI_Iscatterv_c" = collective::iscatterv::<i64>: (*const c_void, *const i64, *const i64,
        Handle, *mut c_void, i64, Handle, c_int, Handle, *mut Handle) -> c_int;
    "MPI_Isend" = point_to_point::isend::<c_int>: (*const c_void, c_int, Handle, c_int, c_int,
        Handle, *mut Handle) -> c_int;
    "MPI_Isend_c" = point_to_point::isend::<i64>: (*const c_void, i64, Handle, c_int, c_int,
        Handle, *mut Handle) -> c_int;
    "MPI_Isendrecv" = point_to_point::isendrecv::<c_int>: (*const c_void, c_int, Handle, c_int,
        c_int, *mut c_void, c_int, Handle, c_int, c_int, Handle, *mut Handle) -> c_int;
    "MPI_Isendrecv_c" = point_to_point::isendrecv::<i64>: (*const c_void, i64, Handle, c_int,
        c_int, *mut c_void, i64, Handle, c_int, c_int, Handle, *mut Handle) -> c_int;
    "MPI_Isendrecv_replace" = point_to_point::isendrecv_replace::<c_int>: (*mut c_void, c_int,
        Handle, c_int, c_int, c_int, c_int, Handle, *mut Handle) -> c_int;
    "MPI_Isendrecv_replace_c" = point_to_point::isendrecv_replace::<i64>: (*mut c_void, i64,
        Handle, c_int, c_int, c_int, c_int, Handle, *mut Handle) -> c_int;
    "MPI_Issend" = point_to_point::issend::<c_int>: (*const c_void, c_int, Handle, c_int, c_int,
        Handle, *mut Handle) -> c_int;
    "MPI_Issend_c" = point_to_point::issend::<i64>: (*const c_void, i64, Handle, c_int, c_int,
        Handle, *mut Handle) -> c_int;
    "MPI_Keyval_create" = attribute::create_keyval::<false>: (_, _, *mut c_int,
        *mut c_void) -> c_int;
    "MPI_Keyval_free" = attribute::free_keyval::<false>: (*mut c_int) -> c_int;
    "MPI_Lookup_name" = port::lookup_name: (*const c_char, Handle, *mut c_char) -> c_int;
    "MPI_Message_c2f" = communicator::to_int: (Handle) -> c_int;
    "MPI_Message_f2c" = communicator::from_int: (c_int) -> Handle;
    "MPI_Message_fromint" = communicator::from_int: (c_int) -> Handle;
    "MPI_Message_toint" = communicator::to_int: (Handle) -> c_int;
    "MPI_Mprobe" = probe::mprobe: (c_int, c_int, Handle, *mut Handle,
        *mut status::Status) -> c_int;
    "MPI_Mrecv" = probe::mrecv::<c_int>: (*mut c_void, c_int, Handle, *mut Handle,
        *mut status::Status) -> c_int;
    "MPI_Mrecv_c" = probe::mrecv::<i64>: (*mut c_void, i64, Handle, *mut Handle,
        *mut status::Status) -> c_int;
    "MPI_Neighbor_allgather" = neighborhood::neighbor_allgather::<c_int>: (*const c_void, c_int,
        Handle, *mut c_void, c_int, Handle, Handle) -> c_int;
    "MPI_Neighbor_allgather_c" = neighborhood::neighbor_allgather::<i64>: (*const c_void, i64,
        Handle, *mut c_void, i64, Handle, Handle) -> c_int;
    "MPI_Neighbor_allgather_init" = neighborhood::neighbor_allgather_init::<c_int>: (*const c_void,
        c_int, Handle, *mut c_void, c_int, Handle, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Neighbor_allgather_init_c" = neighborhood::neighbor_allgather_init::<i64>: (*const c_void,
        i64, Handle, *mut c_void, i64, Handle, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Neighbor_allgatherv" = neighborhood::neighbor_allgatherv::<c_int>: (*const c_void, c_int,
        Handle, *mut c_void, *const c_int, *const c_int, Handle, Handle) -> c_int;
    "MPI_Neighbor_allgatherv_c" = neighborhood::neighbor_allgatherv::<i64>: (*const c_void, i64,
        Handle, *mut c_void, *const i64, *const i64, Handle, Handle) -> c_int;
    "MPI_Neighbor_allgatherv_init" = neighborhood::neighbor_allgatherv_init::<c_int>: (*const c_void,
        c_int, Handle, *mut c_void, *const c_int, *const c_int, Handle, Handle, Handle,
        *mut Handle) -> c_int;
    "MPI_Neighbor_allgatherv_init_c" = neighborhood::neighbor_allgatherv_init::<i64>: (*const c_void,
        i64, Handle, *mut c_void, *const i64, *const i64, Handle, Handle, Handle,
        *mut Handle) -> c_int;
    "MPI_Neighbor_alltoall" = neighborhood::neighbor_alltoall::<c_int>: (*const c_void, c_int,
        Handle, *mut c_void, c_int, Handle, Handle) -> c_int;
    "MPI_Neighbor_alltoall_c" = neighborhood::neighbor_alltoall::<i64>: (*const c_void, i64,
        Handle, *mut c_void, i64, Handle, Handle) -> c_int;
    "MPI_Neighbor_alltoall_init" = neighborhood::neighbor_alltoall_init::<c_int>: (*const c_void,
        c_int, Handle, *mut c_void, c_int, Handle, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Neighbor_alltoall_init_c" = neighborhood::neighbor_alltoall_init::<i64>: (*const c_void,
        i64, Handle, *mut c_void, i64, Handle, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Neighbor_alltoallv" = neighborhood::neighbor_alltoallv::<c_int>: (*const c_void,
        *const c_int, *const c_int, Handle, *mut c_void, *const c_int, *const c_int, Handle,
        Handle) -> c_int;
    "MPI_Neighbor_alltoallv_c" = neighborhood::neighbor_alltoallv::<i64>: (*const c_void,
        *const i64, *const i64, Handle, *mut c_void, *const i64, *const i64, Handle, Handle) -> c_int;
    "MPI_Neighbor_alltoallv_init" = neighborhood::neighbor_alltoallv_init::<c_int>: (*const c_void,
        *const c_int, *const c_int, Handle, *mut c_void, *const c_int, *const c_int, Handle, Handle,
        Handle, *mut Handle) -> c_int;
    "MPI_Neighbor_alltoallv_init_c" = neighborhood::neighbor_alltoallv_init::<i64>: (*const c_void,
        *const i64, *const i64, Handle, *mut c_void, *const i64, *const i64, Handle, Handle, Handle,
        *mut Handle) -> c_int;
    "MPI_Neighbor_alltoallw" = neighborhood::neighbor_alltoallw::<c_int>: (*const c_void,
        *const c_int, *const i64, *const Handle, *mut c_void, *const c_int, *const i64, *const Handle,
        Handle) -> c_int;
    "MPI_Neighbor_alltoallw_c" = neighborhood::neighbor_alltoallw::<i64>: (*const c_void,
        *const i64, *const i64, *const Handle, *mut c_void, *const i64, *const i64, *const Handle,
        Handle) -> c_int;
    "MPI_Neighbor_alltoallw_init" = neighborhood::neighbor_alltoallw_init::<c_int>: (*const c_void,
        *const c_int, *const i64, *const Handle, *mut c_void, *const c_int, *const i64, *const Handle,
        Handle, Handle, *mut Handle) -> c_int;
    "MPI_Neighbor_alltoallw_init_c" = neighborhood::neighbor_alltoallw_init::<i64>: (*const c_void,
        *const i64, *const i64, *const Handle, *mut c_void, *const i64, *const i64, *const Handle,
        Handle, Handle, *mut Handle) -> c_int;
    "MPI_Op_c2f" = communicator::to_int: (Handle) -> c_int;
    "MPI_Op_commutative" = operation::op_commutative: (Handle, *mut c_int) -> c_int;
    "MPI_Op_create" = operation::op_create::<c_int>: (_, c_int, *mut Handle) -> c_int;
    "MPI_Op_create_c" = operation::op_create::<i64>: (_, c_int, *mut Handle) -> c_int;
    "MPI_Op_f2c" = communicator::from_int: (c_int) -> Handle;
    "MPI_Op_free" = operation::op_free: (*mut Handle) -> c_int;
    "MPI_Op_fromint" = communicator::from_int: (c_int) -> Handle;
    "MPI_Op_toint" = communicator::to_int: (Handle) -> c_int;
    "MPI_Open_port" = port::open_port: (Handle, *mut c_char) -> c_int;
    "MPI_Pack" = pack::pack::<c_int>: (*const c_void, c_int, Handle, *mut c_void, c_int,
        *mut c_int, Handle) -> c_int;
    "MPI_Pack_c" = pack::pack::<i64>: (*const c_void, i64, Handle, *mut c_void, i64, *mut i64,
        Handle) -> c_int;
    "MPI_Pack_external" = external::pack_external::<c_int>: (*const c_char, *const c_void, c_int,
        Handle, *mut c_void, i64, *mut i64) -> c_int;
    "MPI_Pack_external_c" = external::pack_external::<i64>: (*const c_char, *const c_void, i64,
        Handle, *mut c_void, i64, *mut i64) -> c_int;
    "MPI_Pack_external_size" = external::pack_external_size::<c_int>: (*const c_char, c_int,
        Handle, *mut i64) -> c_int;
    "MPI_Pack_external_size_c" = external::pack_external_size::<i64>: (*const c_char, i64, Handle,
        *mut i64) -> c_int;
    "MPI_Pack_size" = pack::pack_size::<c_int>: (c_int, Handle, Handle, *mut c_int) -> c_int;
    "MPI_Pack_size_c" = pack::pack_size::<i64>: (i64, Handle, Handle, *mut i64) -> c_int;
    "MPI_Parrived" = partitioned::parrived: (Handle, c_int, *mut c_int) -> c_int;
    "MPI_Pcontrol" = environment::pcontrol: (c_int) -> c_int;
    "MPI_Pready" = partitioned::pready: (c_int, Handle) -> c_int;
    "MPI_Pready_list" = partitioned::pready_list: (c_int, *const c_int, Handle) -> c_int;
    "MPI_Pready_range" = partitioned::pready_range: (c_int, c_int, Handle) -> c_int;
    "MPI_Precv_init" = partitioned::precv_init: (*mut c_void, c_int, i64, Handle, c_int, c_int,
        Handle, Handle, *mut Handle) -> c_int;
    "MPI_Precv_init_c" = partitioned::precv_init: (*mut c_void, c_int, i64, Handle, c_int, c_int,
        Handle, Handle, *mut Handle) -> c_int;
    "MPI_Probe" = probe::probe: (c_int, c_int, Handle, *mut status::Status) -> c_int;
    "MPI_Psend_init" = partitioned::psend_init: (*const c_void, c_int, i64, Handle, c_int, c_int,
        Handle, Handle, *mut Handle) -> c_int;
    "MPI_Psend_init_c" = partitioned::psend_init: (*const c_void, c_int, i64, Handle, c_int,
        c_int, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Publish_name" = port::publish_name: (*const c_char, Handle, *const c_char) -> c_int;
    "MPI_Put" = window::put_data::<c_int>: (*const c_void, c_int, Handle, c_int, i64, c_int,
        Handle, Handle) -> c_int;
    "MPI_Put_c" = window::put_data::<i64>: (*const c_void, i64, Handle, c_int, i64, i64, Handle,
        Handle) -> c_int;
    "MPI_Query_thread" = environment::query_thread: (*mut c_int) -> c_int;
    "MPI_Raccumulate" = window::raccumulate::<c_int>: (*const c_void, c_int, Handle, c_int, i64,
        c_int, Handle, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Raccumulate_c" = window::raccumulate::<i64>: (*const c_void, i64, Handle, c_int, i64,
        i64, Handle, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Recv" = point_to_point::recv::<c_int>: (*mut c_void, c_int, Handle, c_int, c_int, Handle,
        *mut status::Status) -> c_int;
    "MPI_Recv_c" = point_to_point::recv::<i64>: (*mut c_void, i64, Handle, c_int, c_int, Handle,
        *mut status::Status) -> c_int;
    "MPI_Recv_init" = point_to_point::recv_init::<c_int>: (*mut c_void, c_int, Handle, c_int,
        c_int, Handle, *mut Handle) -> c_int;
    "MPI_Recv_init_c" = point_to_point::recv_init::<i64>: (*mut c_void, i64, Handle, c_int, c_int,
        Handle, *mut Handle) -> c_int;
    "MPI_Reduce" = collective::reduce::<c_int>: (*const c_void, *mut c_void, c_int, Handle,
        Handle, c_int, Handle) -> c_int;
    "MPI_Reduce_c" = collective::reduce::<i64>: (*const c_void, *mut c_void, i64, Handle, Handle,
        c_int, Handle) -> c_int;
    "MPI_Reduce_init" = collective::reduce_init::<c_int>: (*const c_void, *mut c_void, c_int,
        Handle, Handle, c_int, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Reduce_init_c" = collective::reduce_init::<i64>: (*const c_void, *mut c_void, i64,
        Handle, Handle, c_int, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Reduce_local" = operation::reduce_local::<c_int>: (*const c_void, *mut c_void, c_int,
        Handle, Handle) -> c_int;
    "MPI_Reduce_local_c" = operation::reduce_local::<i64>: (*const c_void, *mut c_void, i64,
        Handle, Handle) -> c_int;
    "MPI_Reduce_scatter" = collective::reduce_scatter::<c_int>: (*const c_void, *mut c_void,
        *const c_int, Handle, Handle, Handle) -> c_int;
    "MPI_Reduce_scatter_block" = collective::reduce_scatter_block::<c_int>: (*const c_void,
        *mut c_void, c_int, Handle, Handle, Handle) -> c_int;
    "MPI_Reduce_scatter_block_c" = collective::reduce_scatter_block::<i64>: (*const c_void,
        *mut c_void, i64, Handle, Handle, Handle) -> c_int;
    "MPI_Reduce_scatter_block_init" = collective::reduce_scatter_block_init::<c_int>: (*const c_void,
        *mut c_void, c_int, Handle, Handle, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Reduce_scatter_block_init_c" = collective::reduce_scatter_block_init::<i64>: (*const c_void,
        *mut c_void, i64, Handle, Handle, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Reduce_scatter_c" = collective::reduce_scatter::<i64>: (*const c_void, *mut c_void,
        *const i64, Handle, Handle, Handle) -> c_int;
    "MPI_Reduce_scatter_init" = collective::reduce_scatter_init::<c_int>: (*const c_void,
        *mut c_void, *const c_int, Handle, Handle, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Reduce_scatter_init_c" = collective::reduce_scatter_init::<i64>: (*const c_void,
        *mut c_void, *const i64, Handle, Handle, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Register_datarep" = file::register_datarep::<c_int>: (*const c_char, _, _, _,
        *mut c_void) -> c_int;
    "MPI_Register_datarep_c" = file::register_datarep::<i64>: (*const c_char, _, _, _,
        *mut c_void) -> c_int;
    "MPI_Remove_error_class" = error::remove_error_class: (c_int) -> c_int;
    "MPI_Remove_error_code" = error::remove_error_code: (c_int) -> c_int;
    "MPI_Remove_error_string" = error::remove_error_string: (c_int) -> c_int;
    "MPI_Request_c2f" = communicator::to_int: (Handle) -> c_int;
    "MPI_Request_f2c" = communicator::from_int: (c_int) -> Handle;
    "MPI_Request_free" = request::request_free: (*mut Handle) -> c_int;
    "MPI_Request_fromint" = communicator::from_int: (c_int) -> Handle;
    "MPI_Request_get_status" = request::request_get_status: (Handle, *mut c_int,
        *mut status::Status) -> c_int;
    "MPI_Request_get_status_all" = request::get_status_all: (c_int, *const Handle, *mut c_int,
        *mut status::Status) -> c_int;
    "MPI_Request_get_status_any" = request::get_status_any: (c_int, *const Handle, *mut c_int,
        *mut c_int, *mut status::Status) -> c_int;
    "MPI_Request_get_status_some" = request::get_status_some: (c_int, *const Handle, *mut c_int,
        *mut c_int, *mut status::Status) -> c_int;
    "MPI_Request_toint" = communicator::to_int: (Handle) -> c_int;
    "MPI_Rget" = window::rget::<c_int>: (*mut c_void, c_int, Handle, c_int, i64, c_int, Handle,
        Handle, *mut Handle) -> c_int;
    "MPI_Rget_accumulate" = window::rget_accumulate::<c_int>: (*const c_void, c_int, Handle,
        *mut c_void, c_int, Handle, c_int, i64, c_int, Handle, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Rget_accumulate_c" = window::rget_accumulate::<i64>: (*const c_void, i64, Handle,
        *mut c_void, i64, Handle, c_int, i64, i64, Handle, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Rget_c" = window::rget::<i64>: (*mut c_void, i64, Handle, c_int, i64, i64, Handle,
        Handle, *mut Handle) -> c_int;
    "MPI_Rput" = window::rput::<c_int>: (*const c_void, c_int, Handle, c_int, i64, c_int, Handle,
        Handle, *mut Handle) -> c_int;
    "MPI_Rput_c" = window::rput::<i64>: (*const c_void, i64, Handle, c_int, i64, i64, Handle,
        Handle, *mut Handle) -> c_int;
    "MPI_Rsend" = point_to_point::rsend::<c_int>: (*const c_void, c_int, Handle, c_int, c_int,
        Handle) -> c_int;
    "MPI_Rsend_c" = point_to_point::rsend::<i64>: (*const c_void, i64, Handle, c_int, c_int,
        Handle) -> c_int;
    "MPI_Rsend_init" = point_to_point::rsend_init::<c_int>: (*const c_void, c_int, Handle, c_int,
        c_int, Handle, *mut Handle) -> c_int;
    "MPI_Rsend_init_c" = point_to_point::rsend_init::<i64>: (*const c_void, i64, Handle, c_int,
        c_int, Handle, *mut Handle) -> c_int;
    "MPI_Scan" = collective::scan::<c_int>: (*const c_void, *mut c_void, c_int, Handle, Handle,
        Handle) -> c_int;
    "MPI_Scan_c" = collective::scan::<i64>: (*const c_void, *mut c_void, i64, Handle, Handle,
        Handle) -> c_int;
    "MPI_Scan_init" = collective::scan_init::<c_int>: (*const c_void, *mut c_void, c_int, Handle,
        Handle, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Scan_init_c" = collective::scan_init::<i64>: (*const c_void, *mut c_void, i64, Handle,
        Handle, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Scatter" = collective::scatter::<c_int>: (*const c_void, c_int, Handle, *mut c_void,
        c_int, Handle, c_int, Handle) -> c_int;
    "MPI_Scatter_c" = collective::scatter::<i64>: (*const c_void, i64, Handle, *mut c_void, i64,
        Handle, c_int, Handle) -> c_int;
    "MPI_Scatter_init" = collective::scatter_init::<c_int>: (*const c_void, c_int, Handle,
        *mut c_void, c_int, Handle, c_int, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Scatter_init_c" = collective::scatter_init::<i64>: (*const c_void, i64, Handle,
        *mut c_void, i64, Handle, c_int, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Scatterv" = collective::scatterv::<c_int>: (*const c_void, *const c_int, *const c_int,
        Handle, *mut c_void, c_int, Handle, c_int, Handle) -> c_int;
    "MPI_Scatterv_c" = collective::scatterv::<i64>: (*const c_void, *const i64, *const i64,
        Handle, *mut c_void, i64, Handle, c_int, Handle) -> c_int;
    "MPI_Scatterv_init" = collective::scatterv_init::<c_int>: (*const c_void, *const c_int,
        *const c_int, Handle, *mut c_void, c_int, Handle, c_int, Handle, Handle,
        *mut Handle) -> c_int;
    "MPI_Scatterv_init_c" = collective::scatterv_init::<i64>: (*const c_void, *const i64,
        *const i64, Handle, *mut c_void, i64, Handle, c_int, Handle, Handle, *mut Handle) -> c_int;
    "MPI_Send" = point_to_point::send::<c_int>: (*const c_void, c_int, Handle, c_int, c_int,
        Handle) -> c_int;
    "MPI_Send_c" = point_to_point::send::<i64>: (*const c_void, i64, Handle, c_int, c_int,
        Handle) -> c_int;
    "MPI_Send_init" = point_to_point::send_init::<c_int>: (*const c_void, c_int, Handle, c_int,
        c_int, Handle, *mut Handle) -> c_int;
    "MPI_Send_init_c" = point_to_point::send_init::<i64>: (*const c_void, i64, Handle, c_int,
        c_int, Handle, *mut Handle) -> c_int;
    "MPI_Sendrecv" = point_to_point::sendrecv::<c_int>: (*const c_void, c_int, Handle, c_int,
        c_int, *mut c_void, c_int, Handle, c_int, c_int, Handle, *mut status::Status) -> c_int;
    "MPI_Sendrecv_c" = point_to_point::sendrecv::<i64>: (*const c_void, i64, Handle, c_int, c_int,
        *mut c_void, i64, Handle, c_int, c_int, Handle, *mut status::Status) -> c_int;
    "MPI_Sendrecv_replace" = point_to_point::sendrecv_replace::<c_int>: (*mut c_void, c_int,
        Handle, c_int, c_int, c_int, c_int, Handle, *mut status::Status) -> c_int;
    "MPI_Sendrecv_replace_c" = point_to_point::sendrecv_replace::<i64>: (*mut c_void, i64, Handle,
        c_int, c_int, c_int, c_int, Handle, *mut status::Status) -> c_int;
    "MPI_Session_attach_buffer" = buffer::session_attach::<c_int>: (Handle, *mut c_void,
        c_int) -> c_int;
    "MPI_Session_attach_buffer_c" = buffer::session_attach::<i64>: (Handle, *mut c_void,
        i64) -> c_int;
    "MPI_Session_c2f" = communicator::to_int: (Handle) -> c_int;
    "MPI_Session_call_errhandler" = session::call_errhandler: (Handle, c_int) -> c_int;
    "MPI_Session_create_errhandler" = error::create_session_errhandler: (_, *mut Handle) -> c_int;
    "MPI_Session_detach_buffer" = buffer::session_detach::<c_int>: (Handle, *mut c_void,
        *mut c_int) -> c_int;
    "MPI_Session_detach_buffer_c" = buffer::session_detach::<i64>: (Handle, *mut c_void,
        *mut i64) -> c_int;
    "MPI_Session_f2c" = communicator::from_int: (c_int) -> Handle;
    "MPI_Session_finalize" = session::finalize: (*mut Handle) -> c_int;
    "MPI_Session_flush_buffer" = buffer::session_flush: (Handle) -> c_int;
    "MPI_Session_fromint" = communicator::from_int: (c_int) -> Handle;
    "MPI_Session_get_errhandler" = session::get_errhandler: (Handle, *mut Handle) -> c_int;
    "MPI_Session_get_info" = session::get_info: (Handle, *mut Handle) -> c_int;
    "MPI_Session_get_nth_pset" = session::get_nth_pset: (Handle, Handle, c_int, *mut c_int,
        *mut c_char) -> c_int;
    "MPI_Session_get_num_psets" = session::get_num_psets: (Handle, Handle, *mut c_int) -> c_int;
    "MPI_Session_get_pset_info" = session::get_pset_info: (Handle, *const c_char,
        *mut Handle) -> c_int;
    "MPI_Session_iflush_buffer" = buffer::session_iflush: (Handle, *mut Handle) -> c_int;
    "MPI_Session_init" = session::init: (Handle, Handle, *mut Handle) -> c_int;
    "MPI_Session_set_errhandler" = session::set_errhandler: (Handle, Handle) -> c_int;
    "MPI_Session_toint" = communicator::to_int: (Handle) -> c_int;
    "MPI_Ssend" = point_to_point::ssend::<c_int>: (*const c_void, c_int, Handle, c_int, c_int,
        Handle) -> c_int;
    "MPI_Ssend_c" = point_to_point::ssend::<i64>: (*const c_void, i64, Handle, c_int, c_int,
        Handle) -> c_int;
    "MPI_Ssend_init" = point_to_point::ssend_init::<c_int>: (*const c_void, c_int, Handle, c_int,
        c_int, Handle, *mut Handle) -> c_int;
    "MPI_Ssend_init_c" = point_to_point::ssend_init::<i64>: (*const c_void, i64, Handle, c_int,
        c_int, Handle, *mut Handle) -> c_int;
    "MPI_Start" = request::start: (*mut Handle) -> c_int;
    "MPI_Startall" = request::startall: (c_int, *mut Handle) -> c_int;
    "MPI_Status_c2f" = portable::copy_status::<_, _>: (*const status::Status,
        *mut c_int) -> c_int;
    "MPI_Status_c2f08" = portable::copy_status::<_, _>: (*const status::Status,
        *mut status::Status) -> c_int;
    "MPI_Status_f082c" = portable::copy_status::<_, _>: (*const status::Status,
        *mut status::Status) -> c_int;
    "MPI_Status_f082f" = portable::copy_status::<_, _>: (*const status::Status,
        *mut c_int) -> c_int;
    "MPI_Status_f2c" = portable::copy_status::<_, _>: (*const c_int,
        *mut status::Status) -> c_int;
    "MPI_Status_f2f08" = portable::copy_status::<_, _>: (*const c_int,
        *mut status::Status) -> c_int;
    "MPI_Status_get_error" = status::get_error: (*const status::Status, *mut c_int) -> c_int;
    "MPI_Status_get_source" = status::get_source: (*const status::Status, *mut c_int) -> c_int;
    "MPI_Status_get_tag" = status::get_tag: (*const status::Status, *mut c_int) -> c_int;
    "MPI_Status_set_cancelled" = status::set_cancelled: (*mut status::Status, c_int) -> c_int;
    "MPI_Status_set_elements" = status::set_elements::<c_int>: (*mut status::Status, Handle,
        c_int) -> c_int;
    "MPI_Status_set_elements_c" = status::set_elements::<i64>: (*mut status::Status, Handle,
        i64) -> c_int;
    "MPI_Status_set_elements_x" = status::set_elements::<i64>: (*mut status::Status, Handle,
        i64) -> c_int;
    "MPI_Status_set_error" = status::set_error: (*mut status::Status, c_int) -> c_int;
    "MPI_Status_set_source" = status::set_source: (*mut status::Status, c_int) -> c_int;
    "MPI_Status_set_tag" = status::set_tag: (*mut status::Status, c_int) -> c_int;
    "MPI_T_category_changed" = tool::category_changed: (*mut c_int) -> c_int;
    "MPI_T_category_get_categories" = tool::category_get_categories: (c_int, c_int,
        *mut c_int) -> c_int;
    "MPI_T_category_get_cvars" = tool::category_get_cvars: (c_int, c_int, *mut c_int) -> c_int;
    "MPI_T_category_get_events" = tool::category_get_events: (c_int, c_int, *mut c_int) -> c_int;
    "MPI_T_category_get_index" = tool::category_get_index: (*const c_char, *mut c_int) -> c_int;
    "MPI_T_category_get_info" = tool::category_get_info: (c_int, *mut c_char, *mut c_int,
        *mut c_char, *mut c_int, *mut c_int, *mut c_int, *mut c_int) -> c_int;
    "MPI_T_category_get_num" = tool::category_get_num: (*mut c_int) -> c_int;
    "MPI_T_category_get_num_events" = tool::category_get_num_events: (c_int, *mut c_int) -> c_int;
    "MPI_T_category_get_pvars" = tool::category_get_pvars: (c_int, c_int, *mut c_int) -> c_int;
    "MPI_T_cvar_get_index" = tool::cvar_get_index: (*const c_char, *mut c_int) -> c_int;
    "MPI_T_cvar_get_info" = tool::cvar_get_info: (c_int, *mut c_char, *mut c_int, *mut c_int,
        *mut Handle, *mut Handle, *mut c_char, *mut c_int, *mut c_int, *mut c_int) -> c_int;
    "MPI_T_cvar_get_num" = tool::cvar_get_num: (*mut c_int) -> c_int;
    "MPI_T_cvar_handle_alloc" = tool::cvar_handle_alloc: (c_int, *mut c_void, *mut Handle,
        *mut c_int) -> c_int;
    "MPI_T_cvar_handle_free" = tool::cvar_handle_free: (*mut Handle) -> c_int;
    "MPI_T_cvar_read" = tool::cvar_read: (Handle, *mut c_void) -> c_int;
    "MPI_T_cvar_write" = tool::cvar_write: (Handle, *const c_void) -> c_int;
    "MPI_T_enum_get_info" = tool::enum_get_info: (Handle, *mut c_int, *mut c_char,
        *mut c_int) -> c_int;
    "MPI_T_enum_get_item" = tool::enum_get_item: (Handle, c_int, *mut c_int, *mut c_char,
        *mut c_int) -> c_int;
    "MPI_T_event_callback_get_info" = tool::event_callback_get_info: (Handle, c_int,
        *mut Handle) -> c_int;
    "MPI_T_event_callback_set_info" = tool::event_callback_set_info: (Handle, c_int,
        Handle) -> c_int;
    "MPI_T_event_copy" = tool::event_copy: (Handle, *mut c_void) -> c_int;
    "MPI_T_event_get_index" = tool::event_get_index: (*const c_char, *mut c_int) -> c_int;
    "MPI_T_event_get_info" = tool::event_get_info: (c_int, *mut c_char, *mut c_int, *mut c_int,
        *mut Handle, *mut i64, *mut c_int, *mut Handle, *mut Handle, *mut c_char, *mut c_int,
        *mut c_int) -> c_int;
    "MPI_T_event_get_num" = tool::event_get_num: (*mut c_int) -> c_int;
    "MPI_T_event_get_source" = tool::event_get_source: (Handle, *mut c_int) -> c_int;
    "MPI_T_event_get_timestamp" = tool::event_get_timestamp: (Handle, *mut i64) -> c_int;
    "MPI_T_event_handle_alloc" = tool::event_handle_alloc: (c_int, *mut c_void, Handle,
        *mut Handle) -> c_int;
    "MPI_T_event_handle_free" = tool::event_handle_free: (Handle, *mut c_void, _) -> c_int;
    "MPI_T_event_handle_get_info" = tool::event_handle_get_info: (Handle, *mut Handle) -> c_int;
    "MPI_T_event_handle_set_info" = tool::event_handle_set_info: (Handle, Handle) -> c_int;
    "MPI_T_event_read" = tool::event_read: (Handle, c_int, *mut c_void) -> c_int;
    "MPI_T_event_register_callback" = tool::event_register_callback: (Handle, c_int, Handle,
        *mut c_void, _) -> c_int;
    "MPI_T_event_set_dropped_handler" = tool::event_set_dropped_handler: (Handle, _) -> c_int;
    "MPI_T_finalize" = tool::finalize: () -> c_int;
    "MPI_T_init_thread" = tool::init_thread: (c_int, *mut c_int) -> c_int;
    "MPI_T_pvar_get_index" = tool::pvar_get_index: (*const c_char, c_int, *mut c_int) -> c_int;
    "MPI_T_pvar_get_info" = tool::pvar_get_info: (c_int, *mut c_char, *mut c_int, *mut c_int,
        *mut c_int, *mut Handle, *mut Handle, *mut c_char, *mut c_int, *mut c_int, *mut c_int,
        *mut c_int, *mut c_int) -> c_int;
    "MPI_T_pvar_get_num" = tool::pvar_get_num: (*mut c_int) -> c_int;
    "MPI_T_pvar_handle_alloc" = tool::pvar_handle_alloc: (Handle, c_int, *mut c_void, *mut Handle,
        *mut c_int) -> c_int;
    "MPI_T_pvar_handle_free" = tool::pvar_handle_free: (Handle, *mut Handle) -> c_int;
    "MPI_T_pvar_read" = tool::pvar_read: (Handle, Handle, *mut c_void) -> c_int;
    "MPI_T_pvar_readreset" = tool::pvar_readreset: (Handle, Handle, *mut c_void) -> c_int;
    "MPI_T_pvar_reset" = tool::pvar_reset: (Handle, Handle) -> c_int;
    "MPI_T_pvar_session_create" = tool::session_create: (*mut Handle) -> c_int;
    "MPI_T_pvar_session_free" = tool::session_free: (*mut Handle) -> c_int;
    "MPI_T_pvar_start" = tool::pvar_start: (Handle, Handle) -> c_int;
    "MPI_T_pvar_stop" = tool::pvar_stop: (Handle, Handle) -> c_int;
    "MPI_T_pvar_write" = tool::pvar_write: (Handle, Handle, *const c_void) -> c_int;
    "MPI_T_source_get_info" = tool::source_get_info: (c_int, *mut c_char, *mut c_int, *mut c_char,
        *mut c_int, *mut c_int, *mut i64, *mut i64, *mut Handle) -> c_int;
    "MPI_T_source_get_num" = tool::source_get_num: (*mut c_int) -> c_int;
    "MPI_T_source_get_timestamp" = tool::source_get_timestamp: (c_int, *mut i64) -> c_int;
    "MPI_Test" = request::test: (*mut Handle, *mut c_int, *mut status::Status) -> c_int;
    "MPI_Test_cancelled" = status::test_cancelled: (*const status::Status, *mut c_int) -> c_int;
    "MPI_Testall" = request::testall: (c_int, *mut Handle, *mut c_int,
        *mut status::Status) -> c_int;
    "MPI_Testany" = request::testany: (c_int, *mut Handle, *mut c_int, *mut c_int,
        *mut status::Status) -> c_int;
    "MPI_Testsome" = request::testsome: (c_int, *mut Handle, *mut c_int, *mut c_int,
        *mut status::Status) -> c_int;
    "MPI_Topo_test" = topology::topo_test: (Handle, *mut c_int) -> c_int;
    "MPI_Type_c2f" = communicator::to_int: (Handle) -> c_int;
    "MPI_Type_commit" = datatype::type_commit: (*mut Handle) -> c_int;
    "MPI_Type_contiguous" = datatype::contiguous::<c_int>: (c_int, Handle, *mut Handle) -> c_int;
    "MPI_Type_contiguous_c" = datatype::contiguous::<i64>: (i64, Handle, *mut Handle) -> c_int;
    "MPI_Type_create_darray" = array::darray::<c_int>: (c_int, c_int, c_int, *const c_int,
        *const c_int, *const c_int, *const c_int, c_int, Handle, *mut Handle) -> c_int;
    "MPI_Type_create_darray_c" = array::darray::<i64>: (c_int, c_int, c_int, *const i64,
        *const c_int, *const c_int, *const c_int, c_int, Handle, *mut Handle) -> c_int;
    "MPI_Type_create_f90_complex" = portable::f90_complex: (c_int, c_int, *mut Handle) -> c_int;
    "MPI_Type_create_f90_integer" = portable::f90_integer: (c_int, *mut Handle) -> c_int;
    "MPI_Type_create_f90_real" = portable::f90_real: (c_int, c_int, *mut Handle) -> c_int;
    "MPI_Type_create_hindexed" = datatype::hindexed::<c_int>: (c_int, *const c_int, *const i64,
        Handle, *mut Handle) -> c_int;
    "MPI_Type_create_hindexed_block" = datatype::hindexed_block::<c_int>: (c_int, c_int,
        *const i64, Handle, *mut Handle) -> c_int;
    "MPI_Type_create_hindexed_block_c" = datatype::hindexed_block::<i64>: (i64, i64, *const i64,
        Handle, *mut Handle) -> c_int;
    "MPI_Type_create_hindexed_c" = datatype::hindexed::<i64>: (i64, *const i64, *const i64,
        Handle, *mut Handle) -> c_int;
    "MPI_Type_create_hvector" = datatype::hvector::<c_int>: (c_int, c_int, i64, Handle,
        *mut Handle) -> c_int;
    "MPI_Type_create_hvector_c" = datatype::hvector::<i64>: (i64, i64, i64, Handle,
        *mut Handle) -> c_int;
    "MPI_Type_create_indexed_block" = datatype::indexed_block::<c_int>: (c_int, c_int,
        *const c_int, Handle, *mut Handle) -> c_int;
    "MPI_Type_create_indexed_block_c" = datatype::indexed_block::<i64>: (i64, i64, *const i64,
        Handle, *mut Handle) -> c_int;
    "MPI_Type_create_keyval" = attribute::create_keyval::<true>: (_, _, *mut c_int,
        *mut c_void) -> c_int;
    "MPI_Type_create_resized" = datatype::resized::<c_int>: (Handle, i64, i64,
        *mut Handle) -> c_int;
    "MPI_Type_create_resized_c" = datatype::resized::<i64>: (Handle, i64, i64,
        *mut Handle) -> c_int;
    "MPI_Type_create_struct" = datatype::structure::<c_int>: (c_int, *const c_int, *const i64,
        *const Handle, *mut Handle) -> c_int;
    "MPI_Type_create_struct_c" = datatype::structure::<i64>: (i64, *const i64, *const i64,
        *const Handle, *mut Handle) -> c_int;
    "MPI_Type_create_subarray" = datatype::subarray::<c_int>: (c_int, *const c_int, *const c_int,
        *const c_int, c_int, Handle, *mut Handle) -> c_int;
    "MPI_Type_create_subarray_c" = datatype::subarray::<i64>: (c_int, *const i64, *const i64,
        *const i64, c_int, Handle, *mut Handle) -> c_int;
    "MPI_Type_delete_attr" = attribute::type_delete_attr: (Handle, c_int) -> c_int;
    "MPI_Type_dup" = datatype::type_dup: (Handle, *mut Handle) -> c_int;
    "MPI_Type_extent" = datatype::type_extent: (Handle, *mut i64) -> c_int;
    "MPI_Type_f2c" = communicator::from_int: (c_int) -> Handle;
    "MPI_Type_free" = datatype::type_free: (*mut Handle) -> c_int;
    "MPI_Type_free_keyval" = attribute::free_keyval::<true>: (*mut c_int) -> c_int;
    "MPI_Type_fromint" = communicator::from_int: (c_int) -> Handle;
    "MPI_Type_get_attr" = attribute::type_get_attr: (Handle, c_int, *mut c_void,
        *mut c_int) -> c_int;
    "MPI_Type_get_contents" = contents::get_contents: (Handle, c_int, c_int, c_int, *mut c_int,
        *mut i64, *mut Handle) -> c_int;
    "MPI_Type_get_contents_c" = contents::get_contents_c: (Handle, i64, i64, i64, i64, *mut c_int,
        *mut i64, *mut i64, *mut Handle) -> c_int;
    "MPI_Type_get_envelope" = contents::get_envelope: (Handle, *mut c_int, *mut c_int, *mut c_int,
        *mut c_int) -> c_int;
    "MPI_Type_get_envelope_c" = contents::get_envelope_c: (Handle, *mut i64, *mut i64, *mut i64,
        *mut i64, *mut c_int) -> c_int;
    "MPI_Type_get_extent" = datatype::get_extent: (Handle, *mut i64, *mut i64) -> c_int;
    "MPI_Type_get_extent_c" = datatype::get_extent: (Handle, *mut i64, *mut i64) -> c_int;
    "MPI_Type_get_extent_x" = datatype::get_extent: (Handle, *mut i64, *mut i64) -> c_int;
    "MPI_Type_get_name" = datatype::type_get_name: (Handle, *mut c_char, *mut c_int) -> c_int;
    "MPI_Type_get_true_extent" = datatype::get_true_extent: (Handle, *mut i64, *mut i64) -> c_int;
    "MPI_Type_get_true_extent_c" = datatype::get_true_extent: (Handle, *mut i64,
        *mut i64) -> c_int;
    "MPI_Type_get_true_extent_x" = datatype::get_true_extent: (Handle, *mut i64,
        *mut i64) -> c_int;
    "MPI_Type_get_value_index" = portable::value_index: (Handle, Handle, *mut Handle) -> c_int;
    "MPI_Type_hindexed" = datatype::hindexed::<c_int>: (c_int, *const c_int, *const i64, Handle,
        *mut Handle) -> c_int;
    "MPI_Type_hvector" = datatype::hvector::<c_int>: (c_int, c_int, i64, Handle,
        *mut Handle) -> c_int;
    "MPI_Type_indexed" = datatype::indexed::<c_int>: (c_int, *const c_int, *const c_int, Handle,
        *mut Handle) -> c_int;
    "MPI_Type_indexed_c" = datatype::indexed::<i64>: (i64, *const i64, *const i64, Handle,
        *mut Handle) -> c_int;
    "MPI_Type_lb" = datatype::type_lb: (Handle, *mut i64) -> c_int;
    "MPI_Type_match_size" = portable::match_size: (c_int, c_int, *mut Handle) -> c_int;
    "MPI_Type_set_attr" = attribute::type_set_attr: (Handle, c_int, *mut c_void) -> c_int;
    "MPI_Type_set_name" = datatype::type_set_name: (Handle, *const c_char) -> c_int;
    "MPI_Type_size" = datatype::type_size::<c_int>: (Handle, *mut c_int) -> c_int;
    "MPI_Type_size_c" = datatype::type_size::<i64>: (Handle, *mut i64) -> c_int;
    "MPI_Type_size_x" = datatype::type_size::<i64>: (Handle, *mut i64) -> c_int;
    "MPI_Type_struct" = datatype::structure::<c_int>: (c_int, *const c_int, *const i64,
        *const Handle, *mut Handle) -> c_int;
    "MPI_Type_toint" = communicator::to_int: (Handle) -> c_int;
    "MPI_Type_ub" = datatype::type_ub: (Handle, *mut i64) -> c_int;
    "MPI_Type_vector" = datatype::vector::<c_int>: (c_int, c_int, c_int, Handle,
        *mut Handle) -> c_int;
    "MPI_Type_vector_c" = datatype::vector::<i64>: (i64, i64, i64, Handle, *mut Handle) -> c_int;
    "MPI_Unpack" = pack::unpack::<c_int>: (*const c_void, c_int, *mut c_int, *mut c_void, c_int,
        Handle, Handle) -> c_int;
    "MPI_Unpack_c" = pack::unpack::<i64>: (*const c_void, i64, *mut i64, *mut c_void, i64, Handle,
        Handle) -> c_int;
    "MPI_Unpack_external" = external::unpack_external::<c_int>: (*const c_char, *const c_void,
        i64, *mut i64, *mut c_void, c_int, Handle) -> c_int;
    "MPI_Unpack_external_c" = external::unpack_external::<i64>: (*const c_char, *const c_void,
        i64, *mut i64, *mut c_void, i64, Handle) -> c_int;
    "MPI_Unpublish_name" = port::unpublish_name: (*const c_char, Handle, *const c_char) -> c_int;
    "MPI_Wait" = request::wait: (*mut Handle, *mut status::Status) -> c_int;
    "MPI_Waitall" = request::waitall: (c_int, *mut Handle, *mut status::Status) -> c_int;
    "MPI_Waitany" = request::waitany: (c_int, *mut Handle, *mut c_int,
        *mut status::Status) -> c_int;
    "MPI_Waitsome" = request::waitsome: (c_int, *mut Handle, *mut c_int, *mut c_int,
        *mut status::Status) -> c_int;
    "MPI_Win_allocate" = window::allocate_window::<c_int>: (i64, c_int, Handle, Handle,
        *mut c_void, *mut Handle) -> c_int;
    "MPI_Win_allocate_c" = window::allocate_window::<i64>: (i64, i64, Handle, Handle, *mut c_void,
        *mut Handle) -> c_int;
    "MPI_Win_allocate_shared" = window::allocate_shared::<c_int>: (i64, c_int, Handle, Handle,
        *mut c_void, *mut Handle) -> c_int;
    "MPI_Win_allocate_shared_c" = window::allocate_shared::<i64>: (i64, i64, Handle, Handle,
        *mut c_void, *mut Handle) -> c_int;
    "MPI_Win_attach" = window::attach: (Handle, *mut c_void, i64) -> c_int;
    "MPI_Win_c2f" = communicator::to_int: (Handle) -> c_int;
    "MPI_Win_call_errhandler" = window::call_errhandler: (Handle, c_int) -> c_int;
    "MPI_Win_complete" = window::complete_epoch: (Handle) -> c_int;
    "MPI_Win_create" = window::create::<c_int>: (*mut c_void, i64, c_int, Handle, Handle,
        *mut Handle) -> c_int;
    "MPI_Win_create_c" = window::create::<i64>: (*mut c_void, i64, i64, Handle, Handle,
        *mut Handle) -> c_int;
    "MPI_Win_create_dynamic" = window::create_dynamic: (Handle, Handle, *mut Handle) -> c_int;
    "MPI_Win_create_errhandler" = error::create_window_errhandler: (_, *mut Handle) -> c_int;
    "MPI_Win_create_keyval" = attribute::win_create_keyval: (_, _, *mut c_int,
        *mut c_void) -> c_int;
    "MPI_Win_delete_attr" = window::delete_attr: (Handle, c_int) -> c_int;
    "MPI_Win_detach" = window::detach: (Handle, *const c_void) -> c_int;
    "MPI_Win_f2c" = communicator::from_int: (c_int) -> Handle;
    "MPI_Win_fence" = window::fence: (c_int, Handle) -> c_int;
    "MPI_Win_flush" = window::flush: (c_int, Handle) -> c_int;
    "MPI_Win_flush_all" = window::flush_all: (Handle) -> c_int;
    "MPI_Win_flush_local" = window::flush_local: (c_int, Handle) -> c_int;
    "MPI_Win_flush_local_all" = window::flush_local_all: (Handle) -> c_int;
    "MPI_Win_free" = window::free: (*mut Handle) -> c_int;
    "MPI_Win_free_keyval" = attribute::win_free_keyval: (*mut c_int) -> c_int;
    "MPI_Win_fromint" = communicator::from_int: (c_int) -> Handle;
    "MPI_Win_get_attr" = window::get_attr: (Handle, c_int, *mut c_void, *mut c_int) -> c_int;
    "MPI_Win_get_errhandler" = window::get_errhandler: (Handle, *mut Handle) -> c_int;
    "MPI_Win_get_group" = window::get_group: (Handle, *mut Handle) -> c_int;
    "MPI_Win_get_info" = window::get_info: (Handle, *mut Handle) -> c_int;
    "MPI_Win_get_name" = window::get_name: (Handle, *mut c_char, *mut c_int) -> c_int;
    "MPI_Win_lock" = window::lock: (c_int, c_int, c_int, Handle) -> c_int;
    "MPI_Win_lock_all" = window::lock_all: (c_int, Handle) -> c_int;
    "MPI_Win_post" = window::post: (Handle, c_int, Handle) -> c_int;
    "MPI_Win_set_attr" = window::set_attr: (Handle, c_int, *mut c_void) -> c_int;
    "MPI_Win_set_errhandler" = window::set_errhandler: (Handle, Handle) -> c_int;
    "MPI_Win_set_info" = window::set_info: (Handle, Handle) -> c_int;
    "MPI_Win_set_name" = window::set_name: (Handle, *const c_char) -> c_int;
    "MPI_Win_shared_query" = window::shared_query::<c_int>: (Handle, c_int, *mut i64, *mut c_int,
        *mut c_void) -> c_int;
    "MPI_Win_shared_query_c" = window::shared_query::<i64>: (Handle, c_int, *mut i64, *mut i64,
        *mut c_void) -> c_int;
    "MPI_Win_start" = window::start: (Handle, c_int, Handle) -> c_int;
    "MPI_Win_sync" = window::sync: (Handle) -> c_int;
    "MPI_Win_test" = window::test: (Handle, *mut c_int) -> c_int;
    "MPI_Win_toint" = communicator::to_int: (Handle) -> c_int;
    "MPI_Win_unlock" = window::unlock: (c_int, Handle) -> c_int;
    "MPI_Win_unlock_all" = window::unlock_all: (Handle) -> c_int;
    "MPI_Win_wait" = window::wait: (Handle) -> c_int;
    "MPI_Wtick" = environment::wtick: () -> f64;
    "MPI_Wtime" = environment::wtime: () -> f64;
    "windtunnel_compute" = environment::compute: (f64);
    "windtunnel_fortran_status_ignore" = fortran::status_ignore: () -> *mut c_int;
    "windtunnel_fortran_statuses_ignore" = fortran::statuses_ignore: () -> *mut c_int;
}
