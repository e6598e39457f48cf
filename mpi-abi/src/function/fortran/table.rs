//! The procedures of Fortran: names, arguments, and the functions that implement them. An argument
//! whose kind does not give what the function takes does not compile.
//!
//! Written from `functions/data/functions.json` by the tests of `mpi-functions`.

use std::ffi::c_int;

use super::{Row, argument::*, entry::Wrap};
use crate::function::*;

procedures! {
    "MPI_Abi_get_fortran_booleans"(logical_size: Int, logical_true: Output, logical_false: Output,
        is_set: FlagOut) = abi::fortran_booleans;
    "MPI_Abi_get_fortran_info"(info: Variable) = abi::fortran_info;
    "MPI_Abi_get_info"(info: Variable) = abi::info;
    "MPI_Abi_get_version"(abi_major: Give<c_int>, abi_minor: Give<c_int>) = abi::version;
    "MPI_Abi_set_fortran_booleans"(logical_size: Int, logical_true: Output,
        logical_false: Output) = abi::set_fortran_booleans;
    "MPI_Abi_set_fortran_info"(info: Object) = abi::set_fortran_info;
    "MPI_Abort"(comm: Object, errorcode: Int) = environment::abort;
    "MPI_Accumulate"(origin_addr: Input, origin_count: Value<c_int>, origin_datatype: Object,
        target_rank: Int, target_disp: Long, target_count: Value<c_int>, target_datatype: Object,
        op: Object, win: Object) kept = window::accumulate::<c_int>;
    "MPI_Accumulate_c"(origin_addr: Input, origin_count: Value<i64>, origin_datatype: Object,
        target_rank: Int, target_disp: Long, target_count: Value<i64>, target_datatype: Object,
        op: Object, win: Object) kept = window::accumulate::<i64>;
    "MPI_Add_error_class"(errorclass: Give<c_int>) = error::add_error_class;
    "MPI_Add_error_code"(errorclass: Int, errorcode: Give<c_int>) = error::add_error_code;
    "MPI_Add_error_string"(errorcode: Int, string: Text) = error::add_error_string;
    "MPI_Address"(location: Input, address: HalfAddress) kept = datatype::get_address;
    "MPI_Allgather"(sendbuf: Input, sendcount: Value<c_int>, sendtype: Object, recvbuf: Output,
        recvcount: Value<c_int>, recvtype: Object, comm: Object) = collective::allgather::<c_int>;
    "MPI_Allgather_c"(sendbuf: Input, sendcount: Value<i64>, sendtype: Object, recvbuf: Output,
        recvcount: Value<i64>, recvtype: Object, comm: Object) = collective::allgather::<i64>;
    "MPI_Allgather_init"(sendbuf: Input, sendcount: Value<c_int>, sendtype: Object,
        recvbuf: Output, recvcount: Value<c_int>, recvtype: Object, comm: Object, info: Object,
        request: Variable) kept = collective::allgather_init::<c_int>;
    "MPI_Allgather_init_c"(sendbuf: Input, sendcount: Value<i64>, sendtype: Object,
        recvbuf: Output, recvcount: Value<i64>, recvtype: Object, comm: Object, info: Object,
        request: Variable) kept = collective::allgather_init::<i64>;
    "MPI_Allgatherv"(sendbuf: Input, sendcount: Value<c_int>, sendtype: Object, recvbuf: Output,
        recvcounts: Take<c_int>, displs: Take<c_int>, recvtype: Object,
        comm: Object) = collective::allgatherv::<c_int>;
    "MPI_Allgatherv_c"(sendbuf: Input, sendcount: Value<i64>, sendtype: Object, recvbuf: Output,
        recvcounts: Take<i64>, displs: Take<i64>, recvtype: Object,
        comm: Object) = collective::allgatherv::<i64>;
    "MPI_Allgatherv_init"(sendbuf: Input, sendcount: Value<c_int>, sendtype: Object,
        recvbuf: Output, recvcounts: Take<c_int>, displs: Take<c_int>, recvtype: Object, comm: Object,
        info: Object, request: Variable) kept = collective::allgatherv_init::<c_int>;
    "MPI_Allgatherv_init_c"(sendbuf: Input, sendcount: Value<i64>, sendtype: Object,
        recvbuf: Output, recvcounts: Take<i64>, displs: Take<i64>, recvtype: Object, comm: Object,
        info: Object, request: Variable) kept = collective::allgatherv_init::<i64>;
    "MPI_Alloc_mem"(size: Long, info: Object, baseptr: Output) = environment::alloc_mem;
    "MPI_Allreduce"(sendbuf: Input, recvbuf: Output, count: Value<c_int>, datatype: Object,
        op: Object, comm: Object) = collective::allreduce::<c_int>;
    "MPI_Allreduce_c"(sendbuf: Input, recvbuf: Output, count: Value<i64>, datatype: Object,
        op: Object, comm: Object) = collective::allreduce::<i64>;
    "MPI_Allreduce_init"(sendbuf: Input, recvbuf: Output, count: Value<c_int>, datatype: Object,
        op: Object, comm: Object, info: Object,
        request: Variable) kept = collective::allreduce_init::<c_int>;
    "MPI_Allreduce_init_c"(sendbuf: Input, recvbuf: Output, count: Value<i64>, datatype: Object,
        op: Object, comm: Object, info: Object,
        request: Variable) kept = collective::allreduce_init::<i64>;
    "MPI_Alltoall"(sendbuf: Input, sendcount: Value<c_int>, sendtype: Object, recvbuf: Output,
        recvcount: Value<c_int>, recvtype: Object, comm: Object) = collective::alltoall::<c_int>;
    "MPI_Alltoall_c"(sendbuf: Input, sendcount: Value<i64>, sendtype: Object, recvbuf: Output,
        recvcount: Value<i64>, recvtype: Object, comm: Object) = collective::alltoall::<i64>;
    "MPI_Alltoall_init"(sendbuf: Input, sendcount: Value<c_int>, sendtype: Object,
        recvbuf: Output, recvcount: Value<c_int>, recvtype: Object, comm: Object, info: Object,
        request: Variable) kept = collective::alltoall_init::<c_int>;
    "MPI_Alltoall_init_c"(sendbuf: Input, sendcount: Value<i64>, sendtype: Object,
        recvbuf: Output, recvcount: Value<i64>, recvtype: Object, comm: Object, info: Object,
        request: Variable) kept = collective::alltoall_init::<i64>;
    "MPI_Alltoallv"(sendbuf: Input, sendcounts: Take<c_int>, sdispls: Take<c_int>,
        sendtype: Object, recvbuf: Output, recvcounts: Take<c_int>, rdispls: Take<c_int>,
        recvtype: Object, comm: Object) = collective::alltoallv::<c_int>;
    "MPI_Alltoallv_c"(sendbuf: Input, sendcounts: Take<i64>, sdispls: Take<i64>, sendtype: Object,
        recvbuf: Output, recvcounts: Take<i64>, rdispls: Take<i64>, recvtype: Object,
        comm: Object) = collective::alltoallv::<i64>;
    "MPI_Alltoallv_init"(sendbuf: Input, sendcounts: Take<c_int>, sdispls: Take<c_int>,
        sendtype: Object, recvbuf: Output, recvcounts: Take<c_int>, rdispls: Take<c_int>,
        recvtype: Object, comm: Object, info: Object,
        request: Variable) kept = collective::alltoallv_init::<c_int>;
    "MPI_Alltoallv_init_c"(sendbuf: Input, sendcounts: Take<i64>, sdispls: Take<i64>,
        sendtype: Object, recvbuf: Output, recvcounts: Take<i64>, rdispls: Take<i64>,
        recvtype: Object, comm: Object, info: Object,
        request: Variable) kept = collective::alltoallv_init::<i64>;
    "MPI_Alltoallw"(sendbuf: Input, sendcounts: Take<c_int>, sdispls: Take<c_int>,
        sendtypes: TypesOf<8, 0>, recvbuf: Output, recvcounts: Take<c_int>, rdispls: Take<c_int>,
        recvtypes: TypesOf<8, 4>, comm: Object) = collective::alltoallw::<c_int>;
    "MPI_Alltoallw_c"(sendbuf: Input, sendcounts: Take<i64>, sdispls: Take<i64>,
        sendtypes: TypesOf<8, 0>, recvbuf: Output, recvcounts: Take<i64>, rdispls: Take<i64>,
        recvtypes: TypesOf<8, 4>, comm: Object) = collective::alltoallw::<i64>;
    "MPI_Alltoallw_init"(sendbuf: Input, sendcounts: Take<c_int>, sdispls: Take<c_int>,
        sendtypes: TypesOf<8, 0>, recvbuf: Output, recvcounts: Take<c_int>, rdispls: Take<c_int>,
        recvtypes: TypesOf<8, 4>, comm: Object, info: Object,
        request: Variable) kept = collective::alltoallw_init::<c_int>;
    "MPI_Alltoallw_init_c"(sendbuf: Input, sendcounts: Take<i64>, sdispls: Take<i64>,
        sendtypes: TypesOf<8, 0>, recvbuf: Output, recvcounts: Take<i64>, rdispls: Take<i64>,
        recvtypes: TypesOf<8, 4>, comm: Object, info: Object,
        request: Variable) kept = collective::alltoallw_init::<i64>;
    "MPI_Attr_delete"(comm: Object, keyval: Int) = attribute::comm_delete_attr;
    "MPI_Attr_get"(comm: Object, keyval: Int, attribute_val: Give<c_int>,
        flag: FlagOut) = fortran::attribute::comm_get::<c_int>;
    "MPI_Attr_put"(comm: Object, keyval: Int,
        attribute_val: Int) = fortran::attribute::comm_set::<c_int>;
    "MPI_Barrier"(comm: Object) = collective::barrier::<c_int>;
    "MPI_Barrier_init"(comm: Object, info: Object,
        request: Variable) kept = collective::barrier_init::<c_int>;
    "MPI_Bcast"(buffer: Output, count: Value<c_int>, datatype: Object, root: Int,
        comm: Object) = collective::bcast::<c_int>;
    "MPI_Bcast_c"(buffer: Output, count: Value<i64>, datatype: Object, root: Int,
        comm: Object) = collective::bcast::<i64>;
    "MPI_Bcast_init"(buffer: Output, count: Value<c_int>, datatype: Object, root: Int,
        comm: Object, info: Object, request: Variable) kept = collective::bcast_init::<c_int>;
    "MPI_Bcast_init_c"(buffer: Output, count: Value<i64>, datatype: Object, root: Int,
        comm: Object, info: Object, request: Variable) kept = collective::bcast_init::<i64>;
    "MPI_Bsend"(buf: Input, count: Value<c_int>, datatype: Object, dest: Int, tag: Int,
        comm: Object) = point_to_point::bsend::<c_int>;
    "MPI_Bsend_c"(buf: Input, count: Value<i64>, datatype: Object, dest: Int, tag: Int,
        comm: Object) = point_to_point::bsend::<i64>;
    "MPI_Bsend_init"(buf: Input, count: Value<c_int>, datatype: Object, dest: Int, tag: Int,
        comm: Object, request: Variable) kept = point_to_point::bsend_init::<c_int>;
    "MPI_Bsend_init_c"(buf: Input, count: Value<i64>, datatype: Object, dest: Int, tag: Int,
        comm: Object, request: Variable) kept = point_to_point::bsend_init::<i64>;
    "MPI_Buffer_attach"(buffer: Output, size: Value<c_int>) kept = buffer::buffer_attach::<c_int>;
    "MPI_Buffer_attach_c"(buffer: Output, size: Value<i64>) kept = buffer::buffer_attach::<i64>;
    "MPI_Buffer_detach"(buffer_addr: Output,
        size: Give<c_int>) = fortran::adapt::buffer_detach::<c_int>;
    "MPI_Buffer_detach_c"(buffer_addr: Output,
        size: Give<i64>) = fortran::adapt::buffer_detach::<i64>;
    "MPI_Buffer_flush"() = buffer::buffer_flush;
    "MPI_Buffer_iflush"(request: Variable) = buffer::buffer_iflush;
    "MPI_Cancel"(request: Variable) = request::cancel;
    "MPI_Cart_coords"(comm: Object, rank: Int, maxdims: Int,
        coords: GiveMany<c_int>) = topology::cart_coords;
    "MPI_Cart_create"(comm_old: Object, ndims: Int, dims: Take<c_int>, periods: Flags,
        reorder: Flag, comm_cart: Variable) = topology::cart_create;
    "MPI_Cart_get"(comm: Object, maxdims: Int, dims: GiveMany<c_int>, periods: FlagsOut,
        coords: GiveMany<c_int>) = topology::cart_get;
    "MPI_Cart_map"(comm: Object, ndims: Int, dims: Take<c_int>, periods: Flags,
        newrank: Give<c_int>) = topology::cart_map;
    "MPI_Cart_rank"(comm: Object, coords: Take<c_int>, rank: Give<c_int>) = topology::cart_rank;
    "MPI_Cart_shift"(comm: Object, direction: Int, disp: Int, rank_source: Give<c_int>,
        rank_dest: Give<c_int>) = topology::cart_shift;
    "MPI_Cart_sub"(comm: Object, remain_dims: Flags, newcomm: Variable) = topology::cart_sub;
    "MPI_Cartdim_get"(comm: Object, ndims: Give<c_int>) = topology::cartdim_get;
    "MPI_Close_port"(port_name: Text) = port::close_port;
    "MPI_Comm_accept"(port_name: Text, info: Object, root: Int, comm: Object,
        newcomm: Variable) = port::comm_accept;
    "MPI_Comm_attach_buffer"(comm: Object, buffer: Output,
        size: Value<c_int>) kept = buffer::comm_attach::<c_int>;
    "MPI_Comm_attach_buffer_c"(comm: Object, buffer: Output,
        size: Value<i64>) kept = buffer::comm_attach::<i64>;
    "MPI_Comm_call_errhandler"(comm: Object, errorcode: Int) = error::call_errhandler;
    "MPI_Comm_compare"(comm1: Object, comm2: Object,
        result: Give<c_int>) = communicator::comm_compare;
    "MPI_Comm_connect"(port_name: Text, info: Object, root: Int, comm: Object,
        newcomm: Variable) = port::comm_connect;
    "MPI_Comm_create"(comm: Object, group: Object, newcomm: Variable) = communicator::comm_create;
    "MPI_Comm_create_errhandler"(comm_errhandler_fn: Procedure,
        errhandler: Variable) = fortran::callback::create_comm_errhandler;
    "MPI_Comm_create_from_group"(group: Object, stringtag: Text, info: Object, errhandler: Object,
        newcomm: Variable) = session::comm_create_from_group;
    "MPI_Comm_create_group"(comm: Object, group: Object, tag: Int,
        newcomm: Variable) = communicator::comm_create_group;
    "MPI_Comm_create_keyval"(comm_copy_attr_fn: Procedure, comm_delete_attr_fn: Procedure,
        comm_keyval: Give<c_int>, extra_state: Long) = fortran::attribute::create_keyval::<false>;
    "MPI_Comm_delete_attr"(comm: Object, comm_keyval: Int) = attribute::comm_delete_attr;
    "MPI_Comm_detach_buffer"(comm: Object, buffer_addr: Output,
        size: Give<c_int>) = fortran::adapt::comm_detach_buffer::<c_int>;
    "MPI_Comm_detach_buffer_c"(comm: Object, buffer_addr: Output,
        size: Give<i64>) = fortran::adapt::comm_detach_buffer::<i64>;
    "MPI_Comm_disconnect"(comm: Variable) = communicator::comm_disconnect;
    "MPI_Comm_dup"(comm: Object, newcomm: Variable) = communicator::comm_dup;
    "MPI_Comm_dup_with_info"(comm: Object, info: Object,
        newcomm: Variable) = communicator::comm_dup_with_info;
    "MPI_Comm_flush_buffer"(comm: Object) = buffer::comm_flush;
    "MPI_Comm_free"(comm: Variable) = communicator::comm_free;
    "MPI_Comm_free_keyval"(comm_keyval: Give<c_int>) = attribute::free_keyval::<false>;
    "MPI_Comm_get_attr"(comm: Object, comm_keyval: Int, attribute_val: Give<i64>,
        flag: FlagOut) = fortran::attribute::comm_get::<i64>;
    "MPI_Comm_get_errhandler"(comm: Object, errhandler: Variable) = error::get_errhandler;
    "MPI_Comm_get_info"(comm: Object, info_used: Variable) = communicator::comm_get_info;
    "MPI_Comm_get_name"(comm: Object, comm_name: TextOut<128>,
        resultlen: Give<c_int>) = communicator::comm_get_name;
    "MPI_Comm_get_parent"(parent: Variable) = communicator::comm_get_parent;
    "MPI_Comm_group"(comm: Object, group: Variable) = group::comm_group;
    "MPI_Comm_idup"(comm: Object, newcomm: Later, request: Variable) = fortran::adapt::comm_idup;
    "MPI_Comm_idup_with_info"(comm: Object, info: Object, newcomm: Later,
        request: Variable) = fortran::adapt::comm_idup_with_info;
    "MPI_Comm_iflush_buffer"(comm: Object, request: Variable) = buffer::comm_iflush;
    "MPI_Comm_join"(fd: Int, intercomm: Variable) = port::comm_join;
    "MPI_Comm_rank"(comm: Object, rank: Give<c_int>) = communicator::comm_rank;
    "MPI_Comm_remote_group"(comm: Object, group: Variable) = group::comm_remote_group;
    "MPI_Comm_remote_size"(comm: Object, size: Give<c_int>) = communicator::comm_remote_size;
    "MPI_Comm_set_attr"(comm: Object, comm_keyval: Int,
        attribute_val: Long) = fortran::attribute::comm_set::<i64>;
    "MPI_Comm_set_errhandler"(comm: Object, errhandler: Object) = error::set_errhandler;
    "MPI_Comm_set_info"(comm: Object, info: Object) = communicator::comm_set_info;
    "MPI_Comm_set_name"(comm: Object, comm_name: Text) = communicator::comm_set_name;
    "MPI_Comm_size"(comm: Object, size: Give<c_int>) = communicator::comm_size;
    "MPI_Comm_spawn"(command: Text, argv: Texts<4>, maxprocs: Int, info: Object, root: Int,
        comm: Object, intercomm: Variable, array_of_errcodes: CodesOut) = process::comm_spawn;
    "MPI_Comm_spawn_multiple"(count: Int, array_of_commands: CountedTexts<0, 5>,
        array_of_argv: RowsOfTexts<0, 5>, array_of_maxprocs: Take<c_int>,
        array_of_info: RootObjects<0, 5>, root: Int, comm: Object, intercomm: Variable,
        array_of_errcodes: CodesOut) = process::comm_spawn_multiple;
    "MPI_Comm_split"(comm: Object, color: Int, key: Int,
        newcomm: Variable) = communicator::comm_split;
    "MPI_Comm_split_type"(comm: Object, split_type: Int, key: Int, info: Object,
        newcomm: Variable) = split_type::comm_split_type;
    "MPI_Comm_test_inter"(comm: Object, flag: FlagOut) = communicator::comm_test_inter;
    "MPI_Compare_and_swap"(origin_addr: Input, compare_addr: Input, result_addr: Output,
        datatype: Object, target_rank: Int, target_disp: Long,
        win: Object) kept = window::compare_and_swap;
    "MPI_Dims_create"(nnodes: Int, ndims: Int, dims: GiveMany<c_int>) = topology::dims_create;
    "MPI_Dist_graph_create"(comm_old: Object, n: Int, sources: Take<c_int>, degrees: Take<c_int>,
        destinations: Take<c_int>, weights: Weights, info: Object, reorder: Flag,
        comm_dist_graph: Variable) = graph::dist_graph_create;
    "MPI_Dist_graph_create_adjacent"(comm_old: Object, indegree: Int, sources: Take<c_int>,
        sourceweights: Weights, outdegree: Int, destinations: Take<c_int>, destweights: Weights,
        info: Object, reorder: Flag, comm_dist_graph: Variable) = graph::dist_graph_create_adjacent;
    "MPI_Dist_graph_neighbors"(comm: Object, maxindegree: Int, sources: GiveMany<c_int>,
        sourceweights: WeightsOut, maxoutdegree: Int, destinations: GiveMany<c_int>,
        destweights: WeightsOut) = graph::dist_graph_neighbors;
    "MPI_Dist_graph_neighbors_count"(comm: Object, indegree: Give<c_int>, outdegree: Give<c_int>,
        weighted: FlagOut) = graph::dist_graph_neighbors_count;
    "MPI_Errhandler_create"(function: Procedure,
        errhandler: Variable) = fortran::callback::create_comm_errhandler;
    "MPI_Errhandler_free"(errhandler: Variable) = error::errhandler_free;
    "MPI_Errhandler_get"(comm: Object, errhandler: Variable) = error::get_errhandler;
    "MPI_Errhandler_set"(comm: Object, errhandler: Object) = error::set_errhandler;
    "MPI_Error_class"(errorcode: Int, errorclass: Give<c_int>) = error::error_class;
    "MPI_Error_string"(errorcode: Int, string: TextOut<512>,
        resultlen: Give<c_int>) = error::error_string;
    "MPI_Exscan"(sendbuf: Input, recvbuf: Output, count: Value<c_int>, datatype: Object,
        op: Object, comm: Object) = collective::exscan::<c_int>;
    "MPI_Exscan_c"(sendbuf: Input, recvbuf: Output, count: Value<i64>, datatype: Object,
        op: Object, comm: Object) = collective::exscan::<i64>;
    "MPI_Exscan_init"(sendbuf: Input, recvbuf: Output, count: Value<c_int>, datatype: Object,
        op: Object, comm: Object, info: Object,
        request: Variable) kept = collective::exscan_init::<c_int>;
    "MPI_Exscan_init_c"(sendbuf: Input, recvbuf: Output, count: Value<i64>, datatype: Object,
        op: Object, comm: Object, info: Object,
        request: Variable) kept = collective::exscan_init::<i64>;
    "MPI_Fetch_and_op"(origin_addr: Input, result_addr: Output, datatype: Object,
        target_rank: Int, target_disp: Long, op: Object, win: Object) kept = window::fetch_and_op;
    "MPI_File_call_errhandler"(fh: Object, errorcode: Int) = file::call_file_errhandler;
    "MPI_File_close"(fh: Variable) = file::close;
    "MPI_File_create_errhandler"(file_errhandler_fn: Procedure,
        errhandler: Variable) = fortran::callback::create_file_errhandler;
    "MPI_File_delete"(filename: Text, info: Object) = file::delete;
    "MPI_File_get_amode"(fh: Object, amode: Give<c_int>) = file::get_amode;
    "MPI_File_get_atomicity"(fh: Object, flag: FlagOut) = file::get_atomicity;
    "MPI_File_get_byte_offset"(fh: Object, offset: Long, disp: Give<i64>) = file::get_byte_offset;
    "MPI_File_get_errhandler"(file: Object, errhandler: Variable) = file::get_file_errhandler;
    "MPI_File_get_group"(fh: Object, group: Variable) = file::get_file_group;
    "MPI_File_get_info"(fh: Object, info_used: Variable) = file::get_file_info;
    "MPI_File_get_position"(fh: Object, offset: Give<i64>) = file::get_position;
    "MPI_File_get_position_shared"(fh: Object, offset: Give<i64>) = file::get_position_shared;
    "MPI_File_get_size"(fh: Object, size: Give<i64>) = file::get_size;
    "MPI_File_get_type_extent"(fh: Object, datatype: Object,
        extent: Give<i64>) = file::get_type_extent;
    "MPI_File_get_type_extent_c"(fh: Object, datatype: Object,
        extent: Give<i64>) = file::get_type_extent;
    "MPI_File_get_view"(fh: Object, disp: Give<i64>, etype: Variable, filetype: Variable,
        datarep: TextOut<128>) = file::get_view;
    "MPI_File_iread"(fh: Object, buf: Output, count: Value<c_int>, datatype: Object,
        request: Variable) kept = file::iread::<c_int>;
    "MPI_File_iread_all"(fh: Object, buf: Output, count: Value<c_int>, datatype: Object,
        request: Variable) kept = file::iread_all::<c_int>;
    "MPI_File_iread_all_c"(fh: Object, buf: Output, count: Value<i64>, datatype: Object,
        request: Variable) kept = file::iread_all::<i64>;
    "MPI_File_iread_at"(fh: Object, offset: Long, buf: Output, count: Value<c_int>,
        datatype: Object, request: Variable) kept = file::iread_at::<c_int>;
    "MPI_File_iread_at_all"(fh: Object, offset: Long, buf: Output, count: Value<c_int>,
        datatype: Object, request: Variable) kept = file::iread_at_all::<c_int>;
    "MPI_File_iread_at_all_c"(fh: Object, offset: Long, buf: Output, count: Value<i64>,
        datatype: Object, request: Variable) kept = file::iread_at_all::<i64>;
    "MPI_File_iread_at_c"(fh: Object, offset: Long, buf: Output, count: Value<i64>,
        datatype: Object, request: Variable) kept = file::iread_at::<i64>;
    "MPI_File_iread_c"(fh: Object, buf: Output, count: Value<i64>, datatype: Object,
        request: Variable) kept = file::iread::<i64>;
    "MPI_File_iread_shared"(fh: Object, buf: Output, count: Value<c_int>, datatype: Object,
        request: Variable) kept = file::iread_shared::<c_int>;
    "MPI_File_iread_shared_c"(fh: Object, buf: Output, count: Value<i64>, datatype: Object,
        request: Variable) kept = file::iread_shared::<i64>;
    "MPI_File_iwrite"(fh: Object, buf: Input, count: Value<c_int>, datatype: Object,
        request: Variable) kept = file::iwrite::<c_int>;
    "MPI_File_iwrite_all"(fh: Object, buf: Input, count: Value<c_int>, datatype: Object,
        request: Variable) kept = file::iwrite_all::<c_int>;
    "MPI_File_iwrite_all_c"(fh: Object, buf: Input, count: Value<i64>, datatype: Object,
        request: Variable) kept = file::iwrite_all::<i64>;
    "MPI_File_iwrite_at"(fh: Object, offset: Long, buf: Input, count: Value<c_int>,
        datatype: Object, request: Variable) kept = file::iwrite_at::<c_int>;
    "MPI_File_iwrite_at_all"(fh: Object, offset: Long, buf: Input, count: Value<c_int>,
        datatype: Object, request: Variable) kept = file::iwrite_at_all::<c_int>;
    "MPI_File_iwrite_at_all_c"(fh: Object, offset: Long, buf: Input, count: Value<i64>,
        datatype: Object, request: Variable) kept = file::iwrite_at_all::<i64>;
    "MPI_File_iwrite_at_c"(fh: Object, offset: Long, buf: Input, count: Value<i64>,
        datatype: Object, request: Variable) kept = file::iwrite_at::<i64>;
    "MPI_File_iwrite_c"(fh: Object, buf: Input, count: Value<i64>, datatype: Object,
        request: Variable) kept = file::iwrite::<i64>;
    "MPI_File_iwrite_shared"(fh: Object, buf: Input, count: Value<c_int>, datatype: Object,
        request: Variable) kept = file::iwrite_shared::<c_int>;
    "MPI_File_iwrite_shared_c"(fh: Object, buf: Input, count: Value<i64>, datatype: Object,
        request: Variable) kept = file::iwrite_shared::<i64>;
    "MPI_File_open"(comm: Object, filename: Text, amode: Int, info: Object,
        fh: Variable) = file::open;
    "MPI_File_preallocate"(fh: Object, size: Long) = file::preallocate;
    "MPI_File_read"(fh: Object, buf: Output, count: Value<c_int>, datatype: Object,
        status: StatusOut) = file::read::<c_int>;
    "MPI_File_read_all"(fh: Object, buf: Output, count: Value<c_int>, datatype: Object,
        status: StatusOut) = file::read_all::<c_int>;
    "MPI_File_read_all_begin"(fh: Object, buf: Output, count: Value<c_int>,
        datatype: Object) kept = file::read_all_begin::<c_int>;
    "MPI_File_read_all_begin_c"(fh: Object, buf: Output, count: Value<i64>,
        datatype: Object) kept = file::read_all_begin::<i64>;
    "MPI_File_read_all_c"(fh: Object, buf: Output, count: Value<i64>, datatype: Object,
        status: StatusOut) = file::read_all::<i64>;
    "MPI_File_read_all_end"(fh: Object, buf: Output, status: StatusOut) kept = file::read_all_end;
    "MPI_File_read_at"(fh: Object, offset: Long, buf: Output, count: Value<c_int>,
        datatype: Object, status: StatusOut) = file::read_at::<c_int>;
    "MPI_File_read_at_all"(fh: Object, offset: Long, buf: Output, count: Value<c_int>,
        datatype: Object, status: StatusOut) = file::read_at_all::<c_int>;
    "MPI_File_read_at_all_begin"(fh: Object, offset: Long, buf: Output, count: Value<c_int>,
        datatype: Object) kept = file::read_at_all_begin::<c_int>;
    "MPI_File_read_at_all_begin_c"(fh: Object, offset: Long, buf: Output, count: Value<i64>,
        datatype: Object) kept = file::read_at_all_begin::<i64>;
    "MPI_File_read_at_all_c"(fh: Object, offset: Long, buf: Output, count: Value<i64>,
        datatype: Object, status: StatusOut) = file::read_at_all::<i64>;
    "MPI_File_read_at_all_end"(fh: Object, buf: Output,
        status: StatusOut) kept = file::read_at_all_end;
    "MPI_File_read_at_c"(fh: Object, offset: Long, buf: Output, count: Value<i64>,
        datatype: Object, status: StatusOut) = file::read_at::<i64>;
    "MPI_File_read_c"(fh: Object, buf: Output, count: Value<i64>, datatype: Object,
        status: StatusOut) = file::read::<i64>;
    "MPI_File_read_ordered"(fh: Object, buf: Output, count: Value<c_int>, datatype: Object,
        status: StatusOut) = file::read_ordered::<c_int>;
    "MPI_File_read_ordered_begin"(fh: Object, buf: Output, count: Value<c_int>,
        datatype: Object) kept = file::read_ordered_begin::<c_int>;
    "MPI_File_read_ordered_begin_c"(fh: Object, buf: Output, count: Value<i64>,
        datatype: Object) kept = file::read_ordered_begin::<i64>;
    "MPI_File_read_ordered_c"(fh: Object, buf: Output, count: Value<i64>, datatype: Object,
        status: StatusOut) = file::read_ordered::<i64>;
    "MPI_File_read_ordered_end"(fh: Object, buf: Output,
        status: StatusOut) kept = file::read_ordered_end;
    "MPI_File_read_shared"(fh: Object, buf: Output, count: Value<c_int>, datatype: Object,
        status: StatusOut) = file::read_shared::<c_int>;
    "MPI_File_read_shared_c"(fh: Object, buf: Output, count: Value<i64>, datatype: Object,
        status: StatusOut) = file::read_shared::<i64>;
    "MPI_File_seek"(fh: Object, offset: Long, whence: Int) = file::seek;
    "MPI_File_seek_shared"(fh: Object, offset: Long, whence: Int) = file::seek_shared;
    "MPI_File_set_atomicity"(fh: Object, flag: Flag) = file::set_atomicity;
    "MPI_File_set_errhandler"(file: Object, errhandler: Object) = file::set_file_errhandler;
    "MPI_File_set_info"(fh: Object, info: Object) = file::set_file_info;
    "MPI_File_set_size"(fh: Object, size: Long) = file::set_size;
    "MPI_File_set_view"(fh: Object, disp: Long, etype: Object, filetype: Object, datarep: Text,
        info: Object) = file::set_view;
    "MPI_File_sync"(fh: Object) = file::sync;
    "MPI_File_write"(fh: Object, buf: Input, count: Value<c_int>, datatype: Object,
        status: StatusOut) = file::write::<c_int>;
    "MPI_File_write_all"(fh: Object, buf: Input, count: Value<c_int>, datatype: Object,
        status: StatusOut) = file::write_all::<c_int>;
    "MPI_File_write_all_begin"(fh: Object, buf: Input, count: Value<c_int>,
        datatype: Object) kept = file::write_all_begin::<c_int>;
    "MPI_File_write_all_begin_c"(fh: Object, buf: Input, count: Value<i64>,
        datatype: Object) kept = file::write_all_begin::<i64>;
    "MPI_File_write_all_c"(fh: Object, buf: Input, count: Value<i64>, datatype: Object,
        status: StatusOut) = file::write_all::<i64>;
    "MPI_File_write_all_end"(fh: Object, buf: Input,
        status: StatusOut) kept = file::write_all_end;
    "MPI_File_write_at"(fh: Object, offset: Long, buf: Input, count: Value<c_int>,
        datatype: Object, status: StatusOut) = file::write_at::<c_int>;
    "MPI_File_write_at_all"(fh: Object, offset: Long, buf: Input, count: Value<c_int>,
        datatype: Object, status: StatusOut) = file::write_at_all::<c_int>;
    "MPI_File_write_at_all_begin"(fh: Object, offset: Long, buf: Input, count: Value<c_int>,
        datatype: Object) kept = file::write_at_all_begin::<c_int>;
    "MPI_File_write_at_all_begin_c"(fh: Object, offset: Long, buf: Input, count: Value<i64>,
        datatype: Object) kept = file::write_at_all_begin::<i64>;
    "MPI_File_write_at_all_c"(fh: Object, offset: Long, buf: Input, count: Value<i64>,
        datatype: Object, status: StatusOut) = file::write_at_all::<i64>;
    "MPI_File_write_at_all_end"(fh: Object, buf: Input,
        status: StatusOut) kept = file::write_at_all_end;
    "MPI_File_write_at_c"(fh: Object, offset: Long, buf: Input, count: Value<i64>,
        datatype: Object, status: StatusOut) = file::write_at::<i64>;
    "MPI_File_write_c"(fh: Object, buf: Input, count: Value<i64>, datatype: Object,
        status: StatusOut) = file::write::<i64>;
    "MPI_File_write_ordered"(fh: Object, buf: Input, count: Value<c_int>, datatype: Object,
        status: StatusOut) = file::write_ordered::<c_int>;
    "MPI_File_write_ordered_begin"(fh: Object, buf: Input, count: Value<c_int>,
        datatype: Object) kept = file::write_ordered_begin::<c_int>;
    "MPI_File_write_ordered_begin_c"(fh: Object, buf: Input, count: Value<i64>,
        datatype: Object) kept = file::write_ordered_begin::<i64>;
    "MPI_File_write_ordered_c"(fh: Object, buf: Input, count: Value<i64>, datatype: Object,
        status: StatusOut) = file::write_ordered::<i64>;
    "MPI_File_write_ordered_end"(fh: Object, buf: Input,
        status: StatusOut) kept = file::write_ordered_end;
    "MPI_File_write_shared"(fh: Object, buf: Input, count: Value<c_int>, datatype: Object,
        status: StatusOut) = file::write_shared::<c_int>;
    "MPI_File_write_shared_c"(fh: Object, buf: Input, count: Value<i64>, datatype: Object,
        status: StatusOut) = file::write_shared::<i64>;
    "MPI_Finalize"() = environment::finalize;
    "MPI_Finalized"(flag: FlagOut) = environment::finalized;
    "MPI_Free_mem"(base: Output) = environment::free_mem;
    "MPI_Gather"(sendbuf: Input, sendcount: Value<c_int>, sendtype: Object, recvbuf: Output,
        recvcount: Value<c_int>, recvtype: Object, root: Int,
        comm: Object) = collective::gather::<c_int>;
    "MPI_Gather_c"(sendbuf: Input, sendcount: Value<i64>, sendtype: Object, recvbuf: Output,
        recvcount: Value<i64>, recvtype: Object, root: Int, comm: Object) = collective::gather::<i64>;
    "MPI_Gather_init"(sendbuf: Input, sendcount: Value<c_int>, sendtype: Object, recvbuf: Output,
        recvcount: Value<c_int>, recvtype: Object, root: Int, comm: Object, info: Object,
        request: Variable) kept = collective::gather_init::<c_int>;
    "MPI_Gather_init_c"(sendbuf: Input, sendcount: Value<i64>, sendtype: Object, recvbuf: Output,
        recvcount: Value<i64>, recvtype: Object, root: Int, comm: Object, info: Object,
        request: Variable) kept = collective::gather_init::<i64>;
    "MPI_Gatherv"(sendbuf: Input, sendcount: Value<c_int>, sendtype: Object, recvbuf: Output,
        recvcounts: Take<c_int>, displs: Take<c_int>, recvtype: Object, root: Int,
        comm: Object) = collective::gatherv::<c_int>;
    "MPI_Gatherv_c"(sendbuf: Input, sendcount: Value<i64>, sendtype: Object, recvbuf: Output,
        recvcounts: Take<i64>, displs: Take<i64>, recvtype: Object, root: Int,
        comm: Object) = collective::gatherv::<i64>;
    "MPI_Gatherv_init"(sendbuf: Input, sendcount: Value<c_int>, sendtype: Object, recvbuf: Output,
        recvcounts: Take<c_int>, displs: Take<c_int>, recvtype: Object, root: Int, comm: Object,
        info: Object, request: Variable) kept = collective::gatherv_init::<c_int>;
    "MPI_Gatherv_init_c"(sendbuf: Input, sendcount: Value<i64>, sendtype: Object, recvbuf: Output,
        recvcounts: Take<i64>, displs: Take<i64>, recvtype: Object, root: Int, comm: Object,
        info: Object, request: Variable) kept = collective::gatherv_init::<i64>;
    "MPI_Get"(origin_addr: Output, origin_count: Value<c_int>, origin_datatype: Object,
        target_rank: Int, target_disp: Long, target_count: Value<c_int>, target_datatype: Object,
        win: Object) kept = window::get_data::<c_int>;
    "MPI_Get_accumulate"(origin_addr: Input, origin_count: Value<c_int>, origin_datatype: Object,
        result_addr: Output, result_count: Value<c_int>, result_datatype: Object, target_rank: Int,
        target_disp: Long, target_count: Value<c_int>, target_datatype: Object, op: Object,
        win: Object) kept = window::get_accumulate::<c_int>;
    "MPI_Get_accumulate_c"(origin_addr: Input, origin_count: Value<i64>, origin_datatype: Object,
        result_addr: Output, result_count: Value<i64>, result_datatype: Object, target_rank: Int,
        target_disp: Long, target_count: Value<i64>, target_datatype: Object, op: Object,
        win: Object) kept = window::get_accumulate::<i64>;
    "MPI_Get_address"(location: Input, address: Give<i64>) kept = datatype::get_address;
    "MPI_Get_c"(origin_addr: Output, origin_count: Value<i64>, origin_datatype: Object,
        target_rank: Int, target_disp: Long, target_count: Value<i64>, target_datatype: Object,
        win: Object) kept = window::get_data::<i64>;
    "MPI_Get_count"(status: StatusIn, datatype: Object,
        count: Give<c_int>) = status::get_count::<c_int>;
    "MPI_Get_count_c"(status: StatusIn, datatype: Object,
        count: Give<i64>) = status::get_count::<i64>;
    "MPI_Get_elements"(status: StatusIn, datatype: Object,
        count: Give<c_int>) = status::get_elements::<c_int>;
    "MPI_Get_elements_c"(status: StatusIn, datatype: Object,
        count: Give<i64>) = status::get_elements::<i64>;
    "MPI_Get_elements_x"(status: StatusIn, datatype: Object,
        count: Give<i64>) = status::get_elements::<i64>;
    "MPI_Get_hw_resource_info"(hw_info: Variable) = environment::get_hw_resource_info;
    "MPI_Get_library_version"(version: TextOut<8192>,
        resultlen: Give<c_int>) = environment::get_library_version;
    "MPI_Get_processor_name"(name: TextOut<256>,
        resultlen: Give<c_int>) = environment::get_processor_name;
    "MPI_Get_version"(version: Give<c_int>, subversion: Give<c_int>) = communicator::version;
    "MPI_Graph_create"(comm_old: Object, nnodes: Int, index: Take<c_int>, edges: Take<c_int>,
        reorder: Flag, comm_graph: Variable) = graph::graph_create;
    "MPI_Graph_get"(comm: Object, maxindex: Int, maxedges: Int, index: GiveMany<c_int>,
        edges: GiveMany<c_int>) = graph::graph_get;
    "MPI_Graph_map"(comm: Object, nnodes: Int, index: Take<c_int>, edges: Take<c_int>,
        newrank: Give<c_int>) = graph::graph_map;
    "MPI_Graph_neighbors"(comm: Object, rank: Int, maxneighbors: Int,
        neighbors: GiveMany<c_int>) = graph::graph_neighbors;
    "MPI_Graph_neighbors_count"(comm: Object, rank: Int,
        nneighbors: Give<c_int>) = graph::graph_neighbors_count;
    "MPI_Graphdims_get"(comm: Object, nnodes: Give<c_int>,
        nedges: Give<c_int>) = graph::graphdims_get;
    "MPI_Grequest_complete"(request: Object) = request::grequest_complete;
    "MPI_Grequest_start"(query_fn: Procedure, free_fn: Procedure, cancel_fn: Procedure,
        extra_state: Long, request: Variable) = fortran::callback::grequest_start;
    "MPI_Group_compare"(group1: Object, group2: Object,
        result: Give<c_int>) = group::group_compare;
    "MPI_Group_difference"(group1: Object, group2: Object,
        newgroup: Variable) = group::group_difference;
    "MPI_Group_excl"(group: Object, n: Int, ranks: Take<c_int>,
        newgroup: Variable) = group::group_excl;
    "MPI_Group_free"(group: Variable) = group::group_free;
    "MPI_Group_from_session_pset"(session: Object, pset_name: Text,
        newgroup: Variable) = session::group_from_pset;
    "MPI_Group_incl"(group: Object, n: Int, ranks: Take<c_int>,
        newgroup: Variable) = group::group_incl;
    "MPI_Group_intersection"(group1: Object, group2: Object,
        newgroup: Variable) = group::group_intersection;
    "MPI_Group_range_excl"(group: Object, n: Int, ranges: Take<[c_int; 3]>,
        newgroup: Variable) = group::group_range_excl;
    "MPI_Group_range_incl"(group: Object, n: Int, ranges: Take<[c_int; 3]>,
        newgroup: Variable) = group::group_range_incl;
    "MPI_Group_rank"(group: Object, rank: Give<c_int>) = group::group_rank;
    "MPI_Group_size"(group: Object, size: Give<c_int>) = group::group_size;
    "MPI_Group_translate_ranks"(group1: Object, n: Int, ranks1: Take<c_int>, group2: Object,
        ranks2: GiveMany<c_int>) = group::group_translate_ranks;
    "MPI_Group_union"(group1: Object, group2: Object, newgroup: Variable) = group::group_union;
    "MPI_Iallgather"(sendbuf: Input, sendcount: Value<c_int>, sendtype: Object, recvbuf: Output,
        recvcount: Value<c_int>, recvtype: Object, comm: Object,
        request: Variable) kept = collective::iallgather::<c_int>;
    "MPI_Iallgather_c"(sendbuf: Input, sendcount: Value<i64>, sendtype: Object, recvbuf: Output,
        recvcount: Value<i64>, recvtype: Object, comm: Object,
        request: Variable) kept = collective::iallgather::<i64>;
    "MPI_Iallgatherv"(sendbuf: Input, sendcount: Value<c_int>, sendtype: Object, recvbuf: Output,
        recvcounts: Take<c_int>, displs: Take<c_int>, recvtype: Object, comm: Object,
        request: Variable) kept = collective::iallgatherv::<c_int>;
    "MPI_Iallgatherv_c"(sendbuf: Input, sendcount: Value<i64>, sendtype: Object, recvbuf: Output,
        recvcounts: Take<i64>, displs: Take<i64>, recvtype: Object, comm: Object,
        request: Variable) kept = collective::iallgatherv::<i64>;
    "MPI_Iallreduce"(sendbuf: Input, recvbuf: Output, count: Value<c_int>, datatype: Object,
        op: Object, comm: Object, request: Variable) kept = collective::iallreduce::<c_int>;
    "MPI_Iallreduce_c"(sendbuf: Input, recvbuf: Output, count: Value<i64>, datatype: Object,
        op: Object, comm: Object, request: Variable) kept = collective::iallreduce::<i64>;
    "MPI_Ialltoall"(sendbuf: Input, sendcount: Value<c_int>, sendtype: Object, recvbuf: Output,
        recvcount: Value<c_int>, recvtype: Object, comm: Object,
        request: Variable) kept = collective::ialltoall::<c_int>;
    "MPI_Ialltoall_c"(sendbuf: Input, sendcount: Value<i64>, sendtype: Object, recvbuf: Output,
        recvcount: Value<i64>, recvtype: Object, comm: Object,
        request: Variable) kept = collective::ialltoall::<i64>;
    "MPI_Ialltoallv"(sendbuf: Input, sendcounts: Take<c_int>, sdispls: Take<c_int>,
        sendtype: Object, recvbuf: Output, recvcounts: Take<c_int>, rdispls: Take<c_int>,
        recvtype: Object, comm: Object, request: Variable) kept = collective::ialltoallv::<c_int>;
    "MPI_Ialltoallv_c"(sendbuf: Input, sendcounts: Take<i64>, sdispls: Take<i64>,
        sendtype: Object, recvbuf: Output, recvcounts: Take<i64>, rdispls: Take<i64>,
        recvtype: Object, comm: Object, request: Variable) kept = collective::ialltoallv::<i64>;
    "MPI_Ialltoallw"(sendbuf: Input, sendcounts: Take<c_int>, sdispls: Take<c_int>,
        sendtypes: TypesOf<8, 0>, recvbuf: Output, recvcounts: Take<c_int>, rdispls: Take<c_int>,
        recvtypes: TypesOf<8, 4>, comm: Object,
        request: Variable) kept = collective::ialltoallw::<c_int>;
    "MPI_Ialltoallw_c"(sendbuf: Input, sendcounts: Take<i64>, sdispls: Take<i64>,
        sendtypes: TypesOf<8, 0>, recvbuf: Output, recvcounts: Take<i64>, rdispls: Take<i64>,
        recvtypes: TypesOf<8, 4>, comm: Object,
        request: Variable) kept = collective::ialltoallw::<i64>;
    "MPI_Ibarrier"(comm: Object, request: Variable) kept = collective::ibarrier::<c_int>;
    "MPI_Ibcast"(buffer: Output, count: Value<c_int>, datatype: Object, root: Int, comm: Object,
        request: Variable) kept = collective::ibcast::<c_int>;
    "MPI_Ibcast_c"(buffer: Output, count: Value<i64>, datatype: Object, root: Int, comm: Object,
        request: Variable) kept = collective::ibcast::<i64>;
    "MPI_Ibsend"(buf: Input, count: Value<c_int>, datatype: Object, dest: Int, tag: Int,
        comm: Object, request: Variable) kept = point_to_point::ibsend::<c_int>;
    "MPI_Ibsend_c"(buf: Input, count: Value<i64>, datatype: Object, dest: Int, tag: Int,
        comm: Object, request: Variable) kept = point_to_point::ibsend::<i64>;
    "MPI_Iexscan"(sendbuf: Input, recvbuf: Output, count: Value<c_int>, datatype: Object,
        op: Object, comm: Object, request: Variable) kept = collective::iexscan::<c_int>;
    "MPI_Iexscan_c"(sendbuf: Input, recvbuf: Output, count: Value<i64>, datatype: Object,
        op: Object, comm: Object, request: Variable) kept = collective::iexscan::<i64>;
    "MPI_Igather"(sendbuf: Input, sendcount: Value<c_int>, sendtype: Object, recvbuf: Output,
        recvcount: Value<c_int>, recvtype: Object, root: Int, comm: Object,
        request: Variable) kept = collective::igather::<c_int>;
    "MPI_Igather_c"(sendbuf: Input, sendcount: Value<i64>, sendtype: Object, recvbuf: Output,
        recvcount: Value<i64>, recvtype: Object, root: Int, comm: Object,
        request: Variable) kept = collective::igather::<i64>;
    "MPI_Igatherv"(sendbuf: Input, sendcount: Value<c_int>, sendtype: Object, recvbuf: Output,
        recvcounts: Take<c_int>, displs: Take<c_int>, recvtype: Object, root: Int, comm: Object,
        request: Variable) kept = collective::igatherv::<c_int>;
    "MPI_Igatherv_c"(sendbuf: Input, sendcount: Value<i64>, sendtype: Object, recvbuf: Output,
        recvcounts: Take<i64>, displs: Take<i64>, recvtype: Object, root: Int, comm: Object,
        request: Variable) kept = collective::igatherv::<i64>;
    "MPI_Improbe"(source: Int, tag: Int, comm: Object, flag: FlagOut, message: Variable,
        status: StatusOut) kept = probe::improbe;
    "MPI_Imrecv"(buf: Output, count: Value<c_int>, datatype: Object, message: Variable,
        request: Variable) kept = probe::imrecv::<c_int>;
    "MPI_Imrecv_c"(buf: Output, count: Value<i64>, datatype: Object, message: Variable,
        request: Variable) kept = probe::imrecv::<i64>;
    "MPI_Ineighbor_allgather"(sendbuf: Input, sendcount: Value<c_int>, sendtype: Object,
        recvbuf: Output, recvcount: Value<c_int>, recvtype: Object, comm: Object,
        request: Variable) kept = neighborhood::ineighbor_allgather::<c_int>;
    "MPI_Ineighbor_allgather_c"(sendbuf: Input, sendcount: Value<i64>, sendtype: Object,
        recvbuf: Output, recvcount: Value<i64>, recvtype: Object, comm: Object,
        request: Variable) kept = neighborhood::ineighbor_allgather::<i64>;
    "MPI_Ineighbor_allgatherv"(sendbuf: Input, sendcount: Value<c_int>, sendtype: Object,
        recvbuf: Output, recvcounts: Take<c_int>, displs: Take<c_int>, recvtype: Object, comm: Object,
        request: Variable) kept = neighborhood::ineighbor_allgatherv::<c_int>;
    "MPI_Ineighbor_allgatherv_c"(sendbuf: Input, sendcount: Value<i64>, sendtype: Object,
        recvbuf: Output, recvcounts: Take<i64>, displs: Take<i64>, recvtype: Object, comm: Object,
        request: Variable) kept = neighborhood::ineighbor_allgatherv::<i64>;
    "MPI_Ineighbor_alltoall"(sendbuf: Input, sendcount: Value<c_int>, sendtype: Object,
        recvbuf: Output, recvcount: Value<c_int>, recvtype: Object, comm: Object,
        request: Variable) kept = neighborhood::ineighbor_alltoall::<c_int>;
    "MPI_Ineighbor_alltoall_c"(sendbuf: Input, sendcount: Value<i64>, sendtype: Object,
        recvbuf: Output, recvcount: Value<i64>, recvtype: Object, comm: Object,
        request: Variable) kept = neighborhood::ineighbor_alltoall::<i64>;
    "MPI_Ineighbor_alltoallv"(sendbuf: Input, sendcounts: Take<c_int>, sdispls: Take<c_int>,
        sendtype: Object, recvbuf: Output, recvcounts: Take<c_int>, rdispls: Take<c_int>,
        recvtype: Object, comm: Object,
        request: Variable) kept = neighborhood::ineighbor_alltoallv::<c_int>;
    "MPI_Ineighbor_alltoallv_c"(sendbuf: Input, sendcounts: Take<i64>, sdispls: Take<i64>,
        sendtype: Object, recvbuf: Output, recvcounts: Take<i64>, rdispls: Take<i64>,
        recvtype: Object, comm: Object,
        request: Variable) kept = neighborhood::ineighbor_alltoallv::<i64>;
    "MPI_Ineighbor_alltoallw"(sendbuf: Input, sendcounts: Take<c_int>, sdispls: Take<i64>,
        sendtypes: TypesNear<8, true>, recvbuf: Output, recvcounts: Take<c_int>, rdispls: Take<i64>,
        recvtypes: TypesNear<8, false>, comm: Object,
        request: Variable) kept = neighborhood::ineighbor_alltoallw::<c_int>;
    "MPI_Ineighbor_alltoallw_c"(sendbuf: Input, sendcounts: Take<i64>, sdispls: Take<i64>,
        sendtypes: TypesNear<8, true>, recvbuf: Output, recvcounts: Take<i64>, rdispls: Take<i64>,
        recvtypes: TypesNear<8, false>, comm: Object,
        request: Variable) kept = neighborhood::ineighbor_alltoallw::<i64>;
    "MPI_Info_create"(info: Variable) kept = info::info_create;
    "MPI_Info_create_env"(info: Variable) kept = fortran::adapt::info_create_env;
    "MPI_Info_delete"(info: Object, key: Word) kept = info::info_delete;
    "MPI_Info_dup"(info: Object, newinfo: Variable) kept = info::info_dup;
    "MPI_Info_free"(info: Variable) kept = info::info_free;
    "MPI_Info_get"(info: Object, key: Word, valuelen: Int, value: TextOut<1024>,
        flag: FlagOut) kept = info::info_get;
    "MPI_Info_get_nkeys"(info: Object, nkeys: Give<c_int>) kept = info::info_get_nkeys;
    "MPI_Info_get_nthkey"(info: Object, n: Int, key: TextOut<256>) kept = info::info_get_nthkey;
    "MPI_Info_get_string"(info: Object, key: Word, buflen: Give<c_int>, value: TextOut<1024>,
        flag: FlagOut) kept = fortran::adapt::info_get_string;
    "MPI_Info_get_valuelen"(info: Object, key: Word, valuelen: Give<c_int>,
        flag: FlagOut) kept = info::info_get_valuelen;
    "MPI_Info_set"(info: Object, key: Word, value: Word) kept = info::info_set;
    "MPI_Init"() kept = fortran::adapt::init;
    "MPI_Init_thread"(required: Int, provided: Give<c_int>) kept = fortran::adapt::init_thread;
    "MPI_Initialized"(flag: FlagOut) kept = environment::initialized;
    "MPI_Intercomm_create"(local_comm: Object, local_leader: Int, peer_comm: Object,
        remote_leader: Int, tag: Int, newintercomm: Variable) kept = communicator::intercomm_create;
    "MPI_Intercomm_create_from_groups"(local_group: Object, local_leader: Int,
        remote_group: Object, remote_leader: Int, stringtag: Text, info: Object, errhandler: Object,
        newintercomm: Variable) kept = session::intercomm_create_from_groups;
    "MPI_Intercomm_merge"(intercomm: Object, high: Flag,
        newintracomm: Variable) kept = communicator::intercomm_merge;
    "MPI_Iprobe"(source: Int, tag: Int, comm: Object, flag: FlagOut,
        status: StatusOut) kept = probe::iprobe;
    "MPI_Irecv"(buf: Output, count: Value<c_int>, datatype: Object, source: Int, tag: Int,
        comm: Object, request: Variable) kept = point_to_point::irecv::<c_int>;
    "MPI_Irecv_c"(buf: Output, count: Value<i64>, datatype: Object, source: Int, tag: Int,
        comm: Object, request: Variable) kept = point_to_point::irecv::<i64>;
    "MPI_Ireduce"(sendbuf: Input, recvbuf: Output, count: Value<c_int>, datatype: Object,
        op: Object, root: Int, comm: Object, request: Variable) kept = collective::ireduce::<c_int>;
    "MPI_Ireduce_c"(sendbuf: Input, recvbuf: Output, count: Value<i64>, datatype: Object,
        op: Object, root: Int, comm: Object, request: Variable) kept = collective::ireduce::<i64>;
    "MPI_Ireduce_scatter"(sendbuf: Input, recvbuf: Output, recvcounts: Take<c_int>,
        datatype: Object, op: Object, comm: Object,
        request: Variable) kept = collective::ireduce_scatter::<c_int>;
    "MPI_Ireduce_scatter_block"(sendbuf: Input, recvbuf: Output, recvcount: Value<c_int>,
        datatype: Object, op: Object, comm: Object,
        request: Variable) kept = collective::ireduce_scatter_block::<c_int>;
    "MPI_Ireduce_scatter_block_c"(sendbuf: Input, recvbuf: Output, recvcount: Value<i64>,
        datatype: Object, op: Object, comm: Object,
        request: Variable) kept = collective::ireduce_scatter_block::<i64>;
    "MPI_Ireduce_scatter_c"(sendbuf: Input, recvbuf: Output, recvcounts: Take<i64>,
        datatype: Object, op: Object, comm: Object,
        request: Variable) kept = collective::ireduce_scatter::<i64>;
    "MPI_Irsend"(buf: Input, count: Value<c_int>, datatype: Object, dest: Int, tag: Int,
        comm: Object, request: Variable) kept = point_to_point::irsend::<c_int>;
    "MPI_Irsend_c"(buf: Input, count: Value<i64>, datatype: Object, dest: Int, tag: Int,
        comm: Object, request: Variable) kept = point_to_point::irsend::<i64>;
    "MPI_Is_thread_main"(flag: FlagOut) kept = environment::is_thread_main;
    "MPI_Iscan"(sendbuf: Input, recvbuf: Output, count: Value<c_int>, datatype: Object,
        op: Object, comm: Object, request: Variable) kept = collective::iscan::<c_int>;
    "MPI_Iscan_c"(sendbuf: Input, recvbuf: Output, count: Value<i64>, datatype: Object,
        op: Object, comm: Object, request: Variable) kept = collective::iscan::<i64>;
    "MPI_Iscatter"(sendbuf: Input, sendcount: Value<c_int>, sendtype: Object, recvbuf: Output,
        recvcount: Value<c_int>, recvtype: Object, root: Int, comm: Object,
        request: Variable) kept = collective::iscatter::<c_int>;
    "MPI_Iscatter_c"(sendbuf: Input, sendcount: Value<i64>, sendtype: Object, recvbuf: Output,
        recvcount: Value<i64>, recvtype: Object, root: Int, comm: Object,
        request: Variable) kept = collective::iscatter::<i64>;
    "MPI_Iscatterv"(sendbuf: Input, sendcounts: Take<c_int>, displs: Take<c_int>,
        sendtype: Object, recvbuf: Output, recvcount: Value<c_int>, recvtype: Object, root: Int,
        comm: Object, request: Variable) kept = collective::iscatterv::<c_int>;
    "MPI_Iscatterv_c"(sendbuf: Input, sendcounts: Take<i64>, displs: Take<i64>, sendtype: Object,
        recvbuf: Output, recvcount: Value<i64>, recvtype: Object, root: Int, comm: Object,
        request: Variable) kept = collective::iscatterv::<i64>;
    "MPI_Isend"(buf: Input, count: Value<c_int>, datatype: Object, dest: Int, tag: Int,
        comm: Object, request: Variable) kept = point_to_point::isend::<c_int>;
    "MPI_Isend_c"(buf: Input, count: Value<i64>, datatype: Object, dest: Int, tag: Int,
        comm: Object, request: Variable) kept = point_to_point::isend::<i64>;
    "MPI_Isendrecv"(sendbuf: Input, sendcount: Value<c_int>, sendtype: Object, dest: Int,
        sendtag: Int, recvbuf: Output, recvcount: Value<c_int>, recvtype: Object, source: Int,
        recvtag: Int, comm: Object, request: Variable) kept = point_to_point::isendrecv::<c_int>;
    "MPI_Isendrecv_c"(sendbuf: Input, sendcount: Value<i64>, sendtype: Object, dest: Int,
        sendtag: Int, recvbuf: Output, recvcount: Value<i64>, recvtype: Object, source: Int,
        recvtag: Int, comm: Object, request: Variable) kept = point_to_point::isendrecv::<i64>;
    "MPI_Isendrecv_replace"(buf: Output, count: Value<c_int>, datatype: Object, dest: Int,
        sendtag: Int, source: Int, recvtag: Int, comm: Object,
        request: Variable) kept = point_to_point::isendrecv_replace::<c_int>;
    "MPI_Isendrecv_replace_c"(buf: Output, count: Value<i64>, datatype: Object, dest: Int,
        sendtag: Int, source: Int, recvtag: Int, comm: Object,
        request: Variable) kept = point_to_point::isendrecv_replace::<i64>;
    "MPI_Issend"(buf: Input, count: Value<c_int>, datatype: Object, dest: Int, tag: Int,
        comm: Object, request: Variable) kept = point_to_point::issend::<c_int>;
    "MPI_Issend_c"(buf: Input, count: Value<i64>, datatype: Object, dest: Int, tag: Int,
        comm: Object, request: Variable) kept = point_to_point::issend::<i64>;
    "MPI_Keyval_create"(copy_fn: Procedure, delete_fn: Procedure, keyval: Give<c_int>,
        extra_state: Int) = fortran::attribute::create_old_keyval;
    "MPI_Keyval_free"(keyval: Give<c_int>) = attribute::free_keyval::<false>;
    "MPI_Lookup_name"(service_name: Text, info: Object,
        port_name: TextOut<1024>) = port::lookup_name;
    "MPI_Mprobe"(source: Int, tag: Int, comm: Object, message: Variable,
        status: StatusOut) = probe::mprobe;
    "MPI_Mrecv"(buf: Output, count: Value<c_int>, datatype: Object, message: Variable,
        status: StatusOut) = probe::mrecv::<c_int>;
    "MPI_Mrecv_c"(buf: Output, count: Value<i64>, datatype: Object, message: Variable,
        status: StatusOut) = probe::mrecv::<i64>;
    "MPI_Neighbor_allgather"(sendbuf: Input, sendcount: Value<c_int>, sendtype: Object,
        recvbuf: Output, recvcount: Value<c_int>, recvtype: Object,
        comm: Object) = neighborhood::neighbor_allgather::<c_int>;
    "MPI_Neighbor_allgather_c"(sendbuf: Input, sendcount: Value<i64>, sendtype: Object,
        recvbuf: Output, recvcount: Value<i64>, recvtype: Object,
        comm: Object) = neighborhood::neighbor_allgather::<i64>;
    "MPI_Neighbor_allgather_init"(sendbuf: Input, sendcount: Value<c_int>, sendtype: Object,
        recvbuf: Output, recvcount: Value<c_int>, recvtype: Object, comm: Object, info: Object,
        request: Variable) kept = neighborhood::neighbor_allgather_init::<c_int>;
    "MPI_Neighbor_allgather_init_c"(sendbuf: Input, sendcount: Value<i64>, sendtype: Object,
        recvbuf: Output, recvcount: Value<i64>, recvtype: Object, comm: Object, info: Object,
        request: Variable) kept = neighborhood::neighbor_allgather_init::<i64>;
    "MPI_Neighbor_allgatherv"(sendbuf: Input, sendcount: Value<c_int>, sendtype: Object,
        recvbuf: Output, recvcounts: Take<c_int>, displs: Take<c_int>, recvtype: Object,
        comm: Object) = neighborhood::neighbor_allgatherv::<c_int>;
    "MPI_Neighbor_allgatherv_c"(sendbuf: Input, sendcount: Value<i64>, sendtype: Object,
        recvbuf: Output, recvcounts: Take<i64>, displs: Take<i64>, recvtype: Object,
        comm: Object) = neighborhood::neighbor_allgatherv::<i64>;
    "MPI_Neighbor_allgatherv_init"(sendbuf: Input, sendcount: Value<c_int>, sendtype: Object,
        recvbuf: Output, recvcounts: Take<c_int>, displs: Take<c_int>, recvtype: Object, comm: Object,
        info: Object, request: Variable) kept = neighborhood::neighbor_allgatherv_init::<c_int>;
    "MPI_Neighbor_allgatherv_init_c"(sendbuf: Input, sendcount: Value<i64>, sendtype: Object,
        recvbuf: Output, recvcounts: Take<i64>, displs: Take<i64>, recvtype: Object, comm: Object,
        info: Object, request: Variable) kept = neighborhood::neighbor_allgatherv_init::<i64>;
    "MPI_Neighbor_alltoall"(sendbuf: Input, sendcount: Value<c_int>, sendtype: Object,
        recvbuf: Output, recvcount: Value<c_int>, recvtype: Object,
        comm: Object) = neighborhood::neighbor_alltoall::<c_int>;
    "MPI_Neighbor_alltoall_c"(sendbuf: Input, sendcount: Value<i64>, sendtype: Object,
        recvbuf: Output, recvcount: Value<i64>, recvtype: Object,
        comm: Object) = neighborhood::neighbor_alltoall::<i64>;
    "MPI_Neighbor_alltoall_init"(sendbuf: Input, sendcount: Value<c_int>, sendtype: Object,
        recvbuf: Output, recvcount: Value<c_int>, recvtype: Object, comm: Object, info: Object,
        request: Variable) kept = neighborhood::neighbor_alltoall_init::<c_int>;
    "MPI_Neighbor_alltoall_init_c"(sendbuf: Input, sendcount: Value<i64>, sendtype: Object,
        recvbuf: Output, recvcount: Value<i64>, recvtype: Object, comm: Object, info: Object,
        request: Variable) kept = neighborhood::neighbor_alltoall_init::<i64>;
    "MPI_Neighbor_alltoallv"(sendbuf: Input, sendcounts: Take<c_int>, sdispls: Take<c_int>,
        sendtype: Object, recvbuf: Output, recvcounts: Take<c_int>, rdispls: Take<c_int>,
        recvtype: Object, comm: Object) = neighborhood::neighbor_alltoallv::<c_int>;
    "MPI_Neighbor_alltoallv_c"(sendbuf: Input, sendcounts: Take<i64>, sdispls: Take<i64>,
        sendtype: Object, recvbuf: Output, recvcounts: Take<i64>, rdispls: Take<i64>,
        recvtype: Object, comm: Object) = neighborhood::neighbor_alltoallv::<i64>;
    "MPI_Neighbor_alltoallv_init"(sendbuf: Input, sendcounts: Take<c_int>, sdispls: Take<c_int>,
        sendtype: Object, recvbuf: Output, recvcounts: Take<c_int>, rdispls: Take<c_int>,
        recvtype: Object, comm: Object, info: Object,
        request: Variable) kept = neighborhood::neighbor_alltoallv_init::<c_int>;
    "MPI_Neighbor_alltoallv_init_c"(sendbuf: Input, sendcounts: Take<i64>, sdispls: Take<i64>,
        sendtype: Object, recvbuf: Output, recvcounts: Take<i64>, rdispls: Take<i64>,
        recvtype: Object, comm: Object, info: Object,
        request: Variable) kept = neighborhood::neighbor_alltoallv_init::<i64>;
    "MPI_Neighbor_alltoallw"(sendbuf: Input, sendcounts: Take<c_int>, sdispls: Take<i64>,
        sendtypes: TypesNear<8, true>, recvbuf: Output, recvcounts: Take<c_int>, rdispls: Take<i64>,
        recvtypes: TypesNear<8, false>, comm: Object) = neighborhood::neighbor_alltoallw::<c_int>;
    "MPI_Neighbor_alltoallw_c"(sendbuf: Input, sendcounts: Take<i64>, sdispls: Take<i64>,
        sendtypes: TypesNear<8, true>, recvbuf: Output, recvcounts: Take<i64>, rdispls: Take<i64>,
        recvtypes: TypesNear<8, false>, comm: Object) = neighborhood::neighbor_alltoallw::<i64>;
    "MPI_Neighbor_alltoallw_init"(sendbuf: Input, sendcounts: Take<c_int>, sdispls: Take<i64>,
        sendtypes: TypesNear<8, true>, recvbuf: Output, recvcounts: Take<c_int>, rdispls: Take<i64>,
        recvtypes: TypesNear<8, false>, comm: Object, info: Object,
        request: Variable) kept = neighborhood::neighbor_alltoallw_init::<c_int>;
    "MPI_Neighbor_alltoallw_init_c"(sendbuf: Input, sendcounts: Take<i64>, sdispls: Take<i64>,
        sendtypes: TypesNear<8, true>, recvbuf: Output, recvcounts: Take<i64>, rdispls: Take<i64>,
        recvtypes: TypesNear<8, false>, comm: Object, info: Object,
        request: Variable) kept = neighborhood::neighbor_alltoallw_init::<i64>;
    "MPI_Op_commutative"(op: Object, commute: FlagOut) = operation::op_commutative;
    "MPI_Op_create"(user_fn: Procedure, commute: Flag,
        op: Variable) = fortran::callback::op_create::<c_int>;
    "MPI_Op_create_c"(user_fn: Procedure, commute: Flag,
        op: Variable) = fortran::callback::op_create::<i64>;
    "MPI_Op_free"(op: Variable) = operation::op_free;
    "MPI_Open_port"(info: Object, port_name: TextOut<1024>) = port::open_port;
    "MPI_Pack"(inbuf: Input, incount: Value<c_int>, datatype: Object, outbuf: Output,
        outsize: Value<c_int>, position: Give<c_int>, comm: Object) = pack::pack::<c_int>;
    "MPI_Pack_c"(inbuf: Input, incount: Value<i64>, datatype: Object, outbuf: Output,
        outsize: Value<i64>, position: Give<i64>, comm: Object) = pack::pack::<i64>;
    "MPI_Pack_external"(datarep: Text, inbuf: Input, incount: Value<c_int>, datatype: Object,
        outbuf: Output, outsize: Long, position: Give<i64>) = external::pack_external::<c_int>;
    "MPI_Pack_external_c"(datarep: Text, inbuf: Input, incount: Value<i64>, datatype: Object,
        outbuf: Output, outsize: Long, position: Give<i64>) = external::pack_external::<i64>;
    "MPI_Pack_external_size"(datarep: Text, incount: Value<c_int>, datatype: Object,
        size: Give<i64>) = external::pack_external_size::<c_int>;
    "MPI_Pack_external_size_c"(datarep: Text, incount: Value<i64>, datatype: Object,
        size: Give<i64>) = external::pack_external_size::<i64>;
    "MPI_Pack_size"(incount: Value<c_int>, datatype: Object, comm: Object,
        size: Give<c_int>) = pack::pack_size::<c_int>;
    "MPI_Pack_size_c"(incount: Value<i64>, datatype: Object, comm: Object,
        size: Give<i64>) = pack::pack_size::<i64>;
    "MPI_Parrived"(request: Object, partition: Int, flag: FlagOut) = partitioned::parrived;
    "MPI_Pready"(partition: Int, request: Object) = partitioned::pready;
    "MPI_Pready_list"(length: Int, array_of_partitions: Take<c_int>,
        request: Object) = partitioned::pready_list;
    "MPI_Pready_range"(partition_low: Int, partition_high: Int,
        request: Object) = partitioned::pready_range;
    "MPI_Precv_init"(buf: Output, partitions: Int, count: Long, datatype: Object, source: Int,
        tag: Int, comm: Object, info: Object, request: Variable) kept = partitioned::precv_init;
    "MPI_Precv_init_c"(buf: Output, partitions: Int, count: Long, datatype: Object, source: Int,
        tag: Int, comm: Object, info: Object, request: Variable) kept = partitioned::precv_init;
    "MPI_Probe"(source: Int, tag: Int, comm: Object, status: StatusOut) = probe::probe;
    "MPI_Psend_init"(buf: Input, partitions: Int, count: Long, datatype: Object, dest: Int,
        tag: Int, comm: Object, info: Object, request: Variable) kept = partitioned::psend_init;
    "MPI_Psend_init_c"(buf: Input, partitions: Int, count: Long, datatype: Object, dest: Int,
        tag: Int, comm: Object, info: Object, request: Variable) kept = partitioned::psend_init;
    "MPI_Publish_name"(service_name: Text, info: Object, port_name: Text) = port::publish_name;
    "MPI_Put"(origin_addr: Input, origin_count: Value<c_int>, origin_datatype: Object,
        target_rank: Int, target_disp: Long, target_count: Value<c_int>, target_datatype: Object,
        win: Object) kept = window::put_data::<c_int>;
    "MPI_Put_c"(origin_addr: Input, origin_count: Value<i64>, origin_datatype: Object,
        target_rank: Int, target_disp: Long, target_count: Value<i64>, target_datatype: Object,
        win: Object) kept = window::put_data::<i64>;
    "MPI_Query_thread"(provided: Give<c_int>) = environment::query_thread;
    "MPI_Raccumulate"(origin_addr: Input, origin_count: Value<c_int>, origin_datatype: Object,
        target_rank: Int, target_disp: Long, target_count: Value<c_int>, target_datatype: Object,
        op: Object, win: Object, request: Variable) kept = window::raccumulate::<c_int>;
    "MPI_Raccumulate_c"(origin_addr: Input, origin_count: Value<i64>, origin_datatype: Object,
        target_rank: Int, target_disp: Long, target_count: Value<i64>, target_datatype: Object,
        op: Object, win: Object, request: Variable) kept = window::raccumulate::<i64>;
    "MPI_Recv"(buf: Output, count: Value<c_int>, datatype: Object, source: Int, tag: Int,
        comm: Object, status: StatusOut) = point_to_point::recv::<c_int>;
    "MPI_Recv_c"(buf: Output, count: Value<i64>, datatype: Object, source: Int, tag: Int,
        comm: Object, status: StatusOut) = point_to_point::recv::<i64>;
    "MPI_Recv_init"(buf: Output, count: Value<c_int>, datatype: Object, source: Int, tag: Int,
        comm: Object, request: Variable) kept = point_to_point::recv_init::<c_int>;
    "MPI_Recv_init_c"(buf: Output, count: Value<i64>, datatype: Object, source: Int, tag: Int,
        comm: Object, request: Variable) kept = point_to_point::recv_init::<i64>;
    "MPI_Reduce"(sendbuf: Input, recvbuf: Output, count: Value<c_int>, datatype: Object,
        op: Object, root: Int, comm: Object) = collective::reduce::<c_int>;
    "MPI_Reduce_c"(sendbuf: Input, recvbuf: Output, count: Value<i64>, datatype: Object,
        op: Object, root: Int, comm: Object) = collective::reduce::<i64>;
    "MPI_Reduce_init"(sendbuf: Input, recvbuf: Output, count: Value<c_int>, datatype: Object,
        op: Object, root: Int, comm: Object, info: Object,
        request: Variable) kept = collective::reduce_init::<c_int>;
    "MPI_Reduce_init_c"(sendbuf: Input, recvbuf: Output, count: Value<i64>, datatype: Object,
        op: Object, root: Int, comm: Object, info: Object,
        request: Variable) kept = collective::reduce_init::<i64>;
    "MPI_Reduce_local"(inbuf: Input, inoutbuf: Output, count: Value<c_int>, datatype: Object,
        op: Object) = operation::reduce_local::<c_int>;
    "MPI_Reduce_local_c"(inbuf: Input, inoutbuf: Output, count: Value<i64>, datatype: Object,
        op: Object) = operation::reduce_local::<i64>;
    "MPI_Reduce_scatter"(sendbuf: Input, recvbuf: Output, recvcounts: Take<c_int>,
        datatype: Object, op: Object, comm: Object) = collective::reduce_scatter::<c_int>;
    "MPI_Reduce_scatter_block"(sendbuf: Input, recvbuf: Output, recvcount: Value<c_int>,
        datatype: Object, op: Object, comm: Object) = collective::reduce_scatter_block::<c_int>;
    "MPI_Reduce_scatter_block_c"(sendbuf: Input, recvbuf: Output, recvcount: Value<i64>,
        datatype: Object, op: Object, comm: Object) = collective::reduce_scatter_block::<i64>;
    "MPI_Reduce_scatter_block_init"(sendbuf: Input, recvbuf: Output, recvcount: Value<c_int>,
        datatype: Object, op: Object, comm: Object, info: Object,
        request: Variable) kept = collective::reduce_scatter_block_init::<c_int>;
    "MPI_Reduce_scatter_block_init_c"(sendbuf: Input, recvbuf: Output, recvcount: Value<i64>,
        datatype: Object, op: Object, comm: Object, info: Object,
        request: Variable) kept = collective::reduce_scatter_block_init::<i64>;
    "MPI_Reduce_scatter_c"(sendbuf: Input, recvbuf: Output, recvcounts: Take<i64>,
        datatype: Object, op: Object, comm: Object) = collective::reduce_scatter::<i64>;
    "MPI_Reduce_scatter_init"(sendbuf: Input, recvbuf: Output, recvcounts: Take<c_int>,
        datatype: Object, op: Object, comm: Object, info: Object,
        request: Variable) kept = collective::reduce_scatter_init::<c_int>;
    "MPI_Reduce_scatter_init_c"(sendbuf: Input, recvbuf: Output, recvcounts: Take<i64>,
        datatype: Object, op: Object, comm: Object, info: Object,
        request: Variable) kept = collective::reduce_scatter_init::<i64>;
    "MPI_Register_datarep"(datarep: Text, read_conversion_fn: Procedure,
        write_conversion_fn: Procedure, dtype_file_extent_fn: Procedure,
        extra_state: Long) = fortran::callback::register_datarep::<c_int>;
    "MPI_Register_datarep_c"(datarep: Text, read_conversion_fn: Procedure,
        write_conversion_fn: Procedure, dtype_file_extent_fn: Procedure,
        extra_state: Long) = fortran::callback::register_datarep::<i64>;
    "MPI_Remove_error_class"(errorclass: Int) = error::remove_error_class;
    "MPI_Remove_error_code"(errorcode: Int) = error::remove_error_code;
    "MPI_Remove_error_string"(errorcode: Int) = error::remove_error_string;
    "MPI_Request_free"(request: Variable) = request::request_free;
    "MPI_Request_get_status"(request: Object, flag: FlagOut,
        status: StatusOut) = request::request_get_status;
    "MPI_Request_get_status_all"(count: Int, array_of_requests: Objects<0>, flag: FlagOut,
        array_of_statuses: Statuses) = request::get_status_all;
    "MPI_Request_get_status_any"(count: Int, array_of_requests: Objects<0>, index: Position,
        flag: FlagOut, status: StatusOut) = request::get_status_any;
    "MPI_Request_get_status_some"(incount: Int, array_of_requests: Objects<0>,
        outcount: Give<c_int>, array_of_indices: Positions<0>,
        array_of_statuses: Statuses) = request::get_status_some;
    "MPI_Rget"(origin_addr: Output, origin_count: Value<c_int>, origin_datatype: Object,
        target_rank: Int, target_disp: Long, target_count: Value<c_int>, target_datatype: Object,
        win: Object, request: Variable) kept = window::rget::<c_int>;
    "MPI_Rget_accumulate"(origin_addr: Input, origin_count: Value<c_int>, origin_datatype: Object,
        result_addr: Output, result_count: Value<c_int>, result_datatype: Object, target_rank: Int,
        target_disp: Long, target_count: Value<c_int>, target_datatype: Object, op: Object,
        win: Object, request: Variable) kept = window::rget_accumulate::<c_int>;
    "MPI_Rget_accumulate_c"(origin_addr: Input, origin_count: Value<i64>, origin_datatype: Object,
        result_addr: Output, result_count: Value<i64>, result_datatype: Object, target_rank: Int,
        target_disp: Long, target_count: Value<i64>, target_datatype: Object, op: Object, win: Object,
        request: Variable) kept = window::rget_accumulate::<i64>;
    "MPI_Rget_c"(origin_addr: Output, origin_count: Value<i64>, origin_datatype: Object,
        target_rank: Int, target_disp: Long, target_count: Value<i64>, target_datatype: Object,
        win: Object, request: Variable) kept = window::rget::<i64>;
    "MPI_Rput"(origin_addr: Input, origin_count: Value<c_int>, origin_datatype: Object,
        target_rank: Int, target_disp: Long, target_count: Value<c_int>, target_datatype: Object,
        win: Object, request: Variable) kept = window::rput::<c_int>;
    "MPI_Rput_c"(origin_addr: Input, origin_count: Value<i64>, origin_datatype: Object,
        target_rank: Int, target_disp: Long, target_count: Value<i64>, target_datatype: Object,
        win: Object, request: Variable) kept = window::rput::<i64>;
    "MPI_Rsend"(buf: Input, count: Value<c_int>, datatype: Object, dest: Int, tag: Int,
        comm: Object) = point_to_point::rsend::<c_int>;
    "MPI_Rsend_c"(buf: Input, count: Value<i64>, datatype: Object, dest: Int, tag: Int,
        comm: Object) = point_to_point::rsend::<i64>;
    "MPI_Rsend_init"(buf: Input, count: Value<c_int>, datatype: Object, dest: Int, tag: Int,
        comm: Object, request: Variable) kept = point_to_point::rsend_init::<c_int>;
    "MPI_Rsend_init_c"(buf: Input, count: Value<i64>, datatype: Object, dest: Int, tag: Int,
        comm: Object, request: Variable) kept = point_to_point::rsend_init::<i64>;
    "MPI_Scan"(sendbuf: Input, recvbuf: Output, count: Value<c_int>, datatype: Object, op: Object,
        comm: Object) = collective::scan::<c_int>;
    "MPI_Scan_c"(sendbuf: Input, recvbuf: Output, count: Value<i64>, datatype: Object, op: Object,
        comm: Object) = collective::scan::<i64>;
    "MPI_Scan_init"(sendbuf: Input, recvbuf: Output, count: Value<c_int>, datatype: Object,
        op: Object, comm: Object, info: Object,
        request: Variable) kept = collective::scan_init::<c_int>;
    "MPI_Scan_init_c"(sendbuf: Input, recvbuf: Output, count: Value<i64>, datatype: Object,
        op: Object, comm: Object, info: Object,
        request: Variable) kept = collective::scan_init::<i64>;
    "MPI_Scatter"(sendbuf: Input, sendcount: Value<c_int>, sendtype: Object, recvbuf: Output,
        recvcount: Value<c_int>, recvtype: Object, root: Int,
        comm: Object) = collective::scatter::<c_int>;
    "MPI_Scatter_c"(sendbuf: Input, sendcount: Value<i64>, sendtype: Object, recvbuf: Output,
        recvcount: Value<i64>, recvtype: Object, root: Int,
        comm: Object) = collective::scatter::<i64>;
    "MPI_Scatter_init"(sendbuf: Input, sendcount: Value<c_int>, sendtype: Object, recvbuf: Output,
        recvcount: Value<c_int>, recvtype: Object, root: Int, comm: Object, info: Object,
        request: Variable) kept = collective::scatter_init::<c_int>;
    "MPI_Scatter_init_c"(sendbuf: Input, sendcount: Value<i64>, sendtype: Object, recvbuf: Output,
        recvcount: Value<i64>, recvtype: Object, root: Int, comm: Object, info: Object,
        request: Variable) kept = collective::scatter_init::<i64>;
    "MPI_Scatterv"(sendbuf: Input, sendcounts: Take<c_int>, displs: Take<c_int>, sendtype: Object,
        recvbuf: Output, recvcount: Value<c_int>, recvtype: Object, root: Int,
        comm: Object) = collective::scatterv::<c_int>;
    "MPI_Scatterv_c"(sendbuf: Input, sendcounts: Take<i64>, displs: Take<i64>, sendtype: Object,
        recvbuf: Output, recvcount: Value<i64>, recvtype: Object, root: Int,
        comm: Object) = collective::scatterv::<i64>;
    "MPI_Scatterv_init"(sendbuf: Input, sendcounts: Take<c_int>, displs: Take<c_int>,
        sendtype: Object, recvbuf: Output, recvcount: Value<c_int>, recvtype: Object, root: Int,
        comm: Object, info: Object, request: Variable) kept = collective::scatterv_init::<c_int>;
    "MPI_Scatterv_init_c"(sendbuf: Input, sendcounts: Take<i64>, displs: Take<i64>,
        sendtype: Object, recvbuf: Output, recvcount: Value<i64>, recvtype: Object, root: Int,
        comm: Object, info: Object, request: Variable) kept = collective::scatterv_init::<i64>;
    "MPI_Send"(buf: Input, count: Value<c_int>, datatype: Object, dest: Int, tag: Int,
        comm: Object) = point_to_point::send::<c_int>;
    "MPI_Send_c"(buf: Input, count: Value<i64>, datatype: Object, dest: Int, tag: Int,
        comm: Object) = point_to_point::send::<i64>;
    "MPI_Send_init"(buf: Input, count: Value<c_int>, datatype: Object, dest: Int, tag: Int,
        comm: Object, request: Variable) kept = point_to_point::send_init::<c_int>;
    "MPI_Send_init_c"(buf: Input, count: Value<i64>, datatype: Object, dest: Int, tag: Int,
        comm: Object, request: Variable) kept = point_to_point::send_init::<i64>;
    "MPI_Sendrecv"(sendbuf: Input, sendcount: Value<c_int>, sendtype: Object, dest: Int,
        sendtag: Int, recvbuf: Output, recvcount: Value<c_int>, recvtype: Object, source: Int,
        recvtag: Int, comm: Object, status: StatusOut) = point_to_point::sendrecv::<c_int>;
    "MPI_Sendrecv_c"(sendbuf: Input, sendcount: Value<i64>, sendtype: Object, dest: Int,
        sendtag: Int, recvbuf: Output, recvcount: Value<i64>, recvtype: Object, source: Int,
        recvtag: Int, comm: Object, status: StatusOut) = point_to_point::sendrecv::<i64>;
    "MPI_Sendrecv_replace"(buf: Output, count: Value<c_int>, datatype: Object, dest: Int,
        sendtag: Int, source: Int, recvtag: Int, comm: Object,
        status: StatusOut) = point_to_point::sendrecv_replace::<c_int>;
    "MPI_Sendrecv_replace_c"(buf: Output, count: Value<i64>, datatype: Object, dest: Int,
        sendtag: Int, source: Int, recvtag: Int, comm: Object,
        status: StatusOut) = point_to_point::sendrecv_replace::<i64>;
    "MPI_Session_attach_buffer"(session: Object, buffer: Output,
        size: Value<c_int>) kept = buffer::session_attach::<c_int>;
    "MPI_Session_attach_buffer_c"(session: Object, buffer: Output,
        size: Value<i64>) kept = buffer::session_attach::<i64>;
    "MPI_Session_call_errhandler"(session: Object, errorcode: Int) = session::call_errhandler;
    "MPI_Session_create_errhandler"(session_errhandler_fn: Procedure,
        errhandler: Variable) = fortran::callback::create_session_errhandler;
    "MPI_Session_detach_buffer"(session: Object, buffer_addr: Output,
        size: Give<c_int>) = fortran::adapt::session_detach_buffer::<c_int>;
    "MPI_Session_detach_buffer_c"(session: Object, buffer_addr: Output,
        size: Give<i64>) = fortran::adapt::session_detach_buffer::<i64>;
    "MPI_Session_finalize"(session: Variable) = session::finalize;
    "MPI_Session_flush_buffer"(session: Object) = buffer::session_flush;
    "MPI_Session_get_errhandler"(session: Object, errhandler: Variable) = session::get_errhandler;
    "MPI_Session_get_info"(session: Object, info_used: Variable) = session::get_info;
    "MPI_Session_get_nth_pset"(session: Object, info: Object, n: Int, pset_len: Give<c_int>,
        pset_name: TextOut<1024>) = fortran::adapt::get_nth_pset;
    "MPI_Session_get_num_psets"(session: Object, info: Object,
        npset_names: Give<c_int>) = session::get_num_psets;
    "MPI_Session_get_pset_info"(session: Object, pset_name: Text,
        info: Variable) = session::get_pset_info;
    "MPI_Session_iflush_buffer"(session: Object, request: Variable) = buffer::session_iflush;
    "MPI_Session_init"(info: Object, errhandler: Object, session: Variable) kept = session::init;
    "MPI_Session_set_errhandler"(session: Object, errhandler: Object) = session::set_errhandler;
    "MPI_Ssend"(buf: Input, count: Value<c_int>, datatype: Object, dest: Int, tag: Int,
        comm: Object) = point_to_point::ssend::<c_int>;
    "MPI_Ssend_c"(buf: Input, count: Value<i64>, datatype: Object, dest: Int, tag: Int,
        comm: Object) = point_to_point::ssend::<i64>;
    "MPI_Ssend_init"(buf: Input, count: Value<c_int>, datatype: Object, dest: Int, tag: Int,
        comm: Object, request: Variable) kept = point_to_point::ssend_init::<c_int>;
    "MPI_Ssend_init_c"(buf: Input, count: Value<i64>, datatype: Object, dest: Int, tag: Int,
        comm: Object, request: Variable) kept = point_to_point::ssend_init::<i64>;
    "MPI_Start"(request: Variable) = request::start;
    "MPI_Startall"(count: Int, array_of_requests: Variables<0>) = request::startall;
    "MPI_Status_get_error"(status: StatusIn, error: Give<c_int>) = status::get_error;
    "MPI_Status_get_source"(status: StatusIn, source: Give<c_int>) = status::get_source;
    "MPI_Status_get_tag"(status: StatusIn, tag: Give<c_int>) = status::get_tag;
    "MPI_Status_set_cancelled"(status: StatusOut, flag: Flag) = status::set_cancelled;
    "MPI_Status_set_elements"(status: StatusOut, datatype: Object,
        count: Value<c_int>) = status::set_elements::<c_int>;
    "MPI_Status_set_elements_c"(status: StatusOut, datatype: Object,
        count: Value<i64>) = status::set_elements::<i64>;
    "MPI_Status_set_elements_x"(status: StatusOut, datatype: Object,
        count: Long) = status::set_elements::<i64>;
    "MPI_Status_set_error"(status: StatusOut, error: Int) = status::set_error;
    "MPI_Status_set_source"(status: StatusOut, source: Int) = status::set_source;
    "MPI_Status_set_tag"(status: StatusOut, tag: Int) = status::set_tag;
    "MPI_Test"(request: Variable, flag: FlagOut, status: StatusOut) = request::test;
    "MPI_Test_cancelled"(status: StatusIn, flag: FlagOut) = status::test_cancelled;
    "MPI_Testall"(count: Int, array_of_requests: Variables<0>, flag: FlagOut,
        array_of_statuses: Statuses) = request::testall;
    "MPI_Testany"(count: Int, array_of_requests: Variables<0>, index: Position, flag: FlagOut,
        status: StatusOut) = request::testany;
    "MPI_Testsome"(incount: Int, array_of_requests: Variables<0>, outcount: Give<c_int>,
        array_of_indices: Positions<0>, array_of_statuses: Statuses) = request::testsome;
    "MPI_Topo_test"(comm: Object, status: Give<c_int>) = topology::topo_test;
    "MPI_Type_commit"(datatype: Variable) = datatype::type_commit;
    "MPI_Type_contiguous"(count: Value<c_int>, oldtype: Object,
        newtype: Variable) = datatype::contiguous::<c_int>;
    "MPI_Type_contiguous_c"(count: Value<i64>, oldtype: Object,
        newtype: Variable) = datatype::contiguous::<i64>;
    "MPI_Type_create_darray"(size: Int, rank: Int, ndims: Int, array_of_gsizes: Take<c_int>,
        array_of_distribs: Take<c_int>, array_of_dargs: Take<c_int>, array_of_psizes: Take<c_int>,
        order: Int, oldtype: Object, newtype: Variable) = array::darray::<c_int>;
    "MPI_Type_create_darray_c"(size: Int, rank: Int, ndims: Int, array_of_gsizes: Take<i64>,
        array_of_distribs: Take<c_int>, array_of_dargs: Take<c_int>, array_of_psizes: Take<c_int>,
        order: Int, oldtype: Object, newtype: Variable) = array::darray::<i64>;
    "MPI_Type_create_f90_complex"(p: Int, r: Int, newtype: Variable) = portable::f90_complex;
    "MPI_Type_create_f90_integer"(r: Int, newtype: Variable) = portable::f90_integer;
    "MPI_Type_create_f90_real"(p: Int, r: Int, newtype: Variable) = portable::f90_real;
    "MPI_Type_create_hindexed"(count: Value<c_int>, array_of_blocklengths: Take<c_int>,
        array_of_displacements: Take<i64>, oldtype: Object,
        newtype: Variable) = datatype::hindexed::<c_int>;
    "MPI_Type_create_hindexed_block"(count: Value<c_int>, blocklength: Value<c_int>,
        array_of_displacements: Take<i64>, oldtype: Object,
        newtype: Variable) = datatype::hindexed_block::<c_int>;
    "MPI_Type_create_hindexed_block_c"(count: Value<i64>, blocklength: Value<i64>,
        array_of_displacements: Take<i64>, oldtype: Object,
        newtype: Variable) = datatype::hindexed_block::<i64>;
    "MPI_Type_create_hindexed_c"(count: Value<i64>, array_of_blocklengths: Take<i64>,
        array_of_displacements: Take<i64>, oldtype: Object,
        newtype: Variable) = datatype::hindexed::<i64>;
    "MPI_Type_create_hvector"(count: Value<c_int>, blocklength: Value<c_int>, stride: Long,
        oldtype: Object, newtype: Variable) = datatype::hvector::<c_int>;
    "MPI_Type_create_hvector_c"(count: Value<i64>, blocklength: Value<i64>, stride: Long,
        oldtype: Object, newtype: Variable) = datatype::hvector::<i64>;
    "MPI_Type_create_indexed_block"(count: Value<c_int>, blocklength: Value<c_int>,
        array_of_displacements: Take<c_int>, oldtype: Object,
        newtype: Variable) = datatype::indexed_block::<c_int>;
    "MPI_Type_create_indexed_block_c"(count: Value<i64>, blocklength: Value<i64>,
        array_of_displacements: Take<i64>, oldtype: Object,
        newtype: Variable) = datatype::indexed_block::<i64>;
    "MPI_Type_create_keyval"(type_copy_attr_fn: Procedure, type_delete_attr_fn: Procedure,
        type_keyval: Give<c_int>, extra_state: Long) = fortran::attribute::create_keyval::<true>;
    "MPI_Type_create_resized"(oldtype: Object, lb: Long, extent: Long,
        newtype: Variable) = datatype::resized::<c_int>;
    "MPI_Type_create_resized_c"(oldtype: Object, lb: Long, extent: Long,
        newtype: Variable) = datatype::resized::<i64>;
    "MPI_Type_create_struct"(count: Value<c_int>, array_of_blocklengths: Take<c_int>,
        array_of_displacements: Take<i64>, array_of_types: Objects<0, c_int>,
        newtype: Variable) = datatype::structure::<c_int>;
    "MPI_Type_create_struct_c"(count: Value<i64>, array_of_blocklengths: Take<i64>,
        array_of_displacements: Take<i64>, array_of_types: Objects<0, i64>,
        newtype: Variable) = datatype::structure::<i64>;
    "MPI_Type_create_subarray"(ndims: Int, array_of_sizes: Take<c_int>,
        array_of_subsizes: Take<c_int>, array_of_starts: Take<c_int>, order: Int, oldtype: Object,
        newtype: Variable) = datatype::subarray::<c_int>;
    "MPI_Type_create_subarray_c"(ndims: Int, array_of_sizes: Take<i64>,
        array_of_subsizes: Take<i64>, array_of_starts: Take<i64>, order: Int, oldtype: Object,
        newtype: Variable) = datatype::subarray::<i64>;
    "MPI_Type_delete_attr"(datatype: Object, type_keyval: Int) = attribute::type_delete_attr;
    "MPI_Type_dup"(oldtype: Object, newtype: Variable) = datatype::type_dup;
    "MPI_Type_extent"(datatype: Object, extent: Narrowed) = datatype::type_extent;
    "MPI_Type_free"(datatype: Variable) = datatype::type_free;
    "MPI_Type_free_keyval"(type_keyval: Give<c_int>) = attribute::free_keyval::<true>;
    "MPI_Type_get_attr"(datatype: Object, type_keyval: Int, attribute_val: Give<i64>,
        flag: FlagOut) = fortran::attribute::type_get;
    "MPI_Type_get_contents"(datatype: Object, max_integers: Int, max_addresses: Int,
        max_datatypes: Int, array_of_integers: GiveMany<c_int>, array_of_addresses: GiveMany<i64>,
        array_of_datatypes: Variables<3>) = contents::get_contents;
    "MPI_Type_get_contents_c"(datatype: Object, max_integers: Long, max_addresses: Long,
        max_large_counts: Long, max_datatypes: Long, array_of_integers: GiveMany<c_int>,
        array_of_addresses: GiveMany<i64>, array_of_large_counts: GiveMany<i64>,
        array_of_datatypes: Variables<4, i64>) = contents::get_contents_c;
    "MPI_Type_get_envelope"(datatype: Object, num_integers: Give<c_int>,
        num_addresses: Give<c_int>, num_datatypes: Give<c_int>,
        combiner: Give<c_int>) = contents::get_envelope;
    "MPI_Type_get_envelope_c"(datatype: Object, num_integers: Give<i64>, num_addresses: Give<i64>,
        num_large_counts: Give<i64>, num_datatypes: Give<i64>,
        combiner: Give<c_int>) = contents::get_envelope_c;
    "MPI_Type_get_extent"(datatype: Object, lb: Give<i64>,
        extent: Give<i64>) = datatype::get_extent;
    "MPI_Type_get_extent_c"(datatype: Object, lb: Give<i64>,
        extent: Give<i64>) = datatype::get_extent;
    "MPI_Type_get_extent_x"(datatype: Object, lb: Give<i64>,
        extent: Give<i64>) = datatype::get_extent;
    "MPI_Type_get_name"(datatype: Object, type_name: TextOut<128>,
        resultlen: Give<c_int>) = datatype::type_get_name;
    "MPI_Type_get_true_extent"(datatype: Object, true_lb: Give<i64>,
        true_extent: Give<i64>) = datatype::get_true_extent;
    "MPI_Type_get_true_extent_c"(datatype: Object, true_lb: Give<i64>,
        true_extent: Give<i64>) = datatype::get_true_extent;
    "MPI_Type_get_true_extent_x"(datatype: Object, true_lb: Give<i64>,
        true_extent: Give<i64>) = datatype::get_true_extent;
    "MPI_Type_get_value_index"(value_type: Object, index_type: Object,
        pair_type: Variable) = portable::value_index;
    "MPI_Type_hindexed"(count: Int, array_of_blocklengths: Take<c_int>,
        array_of_displacements: Displacements<0>, oldtype: Object,
        newtype: Variable) = datatype::hindexed::<c_int>;
    "MPI_Type_hvector"(count: Int, blocklength: Int, stride: Widened, oldtype: Object,
        newtype: Variable) = datatype::hvector::<c_int>;
    "MPI_Type_indexed"(count: Value<c_int>, array_of_blocklengths: Take<c_int>,
        array_of_displacements: Take<c_int>, oldtype: Object,
        newtype: Variable) = datatype::indexed::<c_int>;
    "MPI_Type_indexed_c"(count: Value<i64>, array_of_blocklengths: Take<i64>,
        array_of_displacements: Take<i64>, oldtype: Object,
        newtype: Variable) = datatype::indexed::<i64>;
    "MPI_Type_lb"(datatype: Object, displacement: Narrowed) = datatype::type_lb;
    "MPI_Type_match_size"(typeclass: Int, size: Int, datatype: Variable) = portable::match_size;
    "MPI_Type_set_attr"(datatype: Object, type_keyval: Int,
        attribute_val: Long) = fortran::attribute::type_set;
    "MPI_Type_set_name"(datatype: Object, type_name: Text) = datatype::type_set_name;
    "MPI_Type_size"(datatype: Object, size: Give<c_int>) = datatype::type_size::<c_int>;
    "MPI_Type_size_c"(datatype: Object, size: Give<i64>) = datatype::type_size::<i64>;
    "MPI_Type_size_x"(datatype: Object, size: Give<i64>) = datatype::type_size::<i64>;
    "MPI_Type_struct"(count: Int, array_of_blocklengths: Take<c_int>,
        array_of_displacements: Displacements<0>, array_of_types: Objects<0>,
        newtype: Variable) = datatype::structure::<c_int>;
    "MPI_Type_ub"(datatype: Object, displacement: Narrowed) = datatype::type_ub;
    "MPI_Type_vector"(count: Value<c_int>, blocklength: Value<c_int>, stride: Value<c_int>,
        oldtype: Object, newtype: Variable) = datatype::vector::<c_int>;
    "MPI_Type_vector_c"(count: Value<i64>, blocklength: Value<i64>, stride: Value<i64>,
        oldtype: Object, newtype: Variable) = datatype::vector::<i64>;
    "MPI_Unpack"(inbuf: Input, insize: Value<c_int>, position: Give<c_int>, outbuf: Output,
        outcount: Value<c_int>, datatype: Object, comm: Object) = pack::unpack::<c_int>;
    "MPI_Unpack_c"(inbuf: Input, insize: Value<i64>, position: Give<i64>, outbuf: Output,
        outcount: Value<i64>, datatype: Object, comm: Object) = pack::unpack::<i64>;
    "MPI_Unpack_external"(datarep: Text, inbuf: Input, insize: Long, position: Give<i64>,
        outbuf: Output, outcount: Value<c_int>,
        datatype: Object) = external::unpack_external::<c_int>;
    "MPI_Unpack_external_c"(datarep: Text, inbuf: Input, insize: Long, position: Give<i64>,
        outbuf: Output, outcount: Value<i64>, datatype: Object) = external::unpack_external::<i64>;
    "MPI_Unpublish_name"(service_name: Text, info: Object,
        port_name: Text) = port::unpublish_name;
    "MPI_Wait"(request: Variable, status: StatusOut) = request::wait;
    "MPI_Waitall"(count: Int, array_of_requests: Variables<0>,
        array_of_statuses: Statuses) = request::waitall;
    "MPI_Waitany"(count: Int, array_of_requests: Variables<0>, index: Position,
        status: StatusOut) = request::waitany;
    "MPI_Waitsome"(incount: Int, array_of_requests: Variables<0>, outcount: Give<c_int>,
        array_of_indices: Positions<0>, array_of_statuses: Statuses) = request::waitsome;
    "MPI_Win_allocate"(size: Long, disp_unit: Value<c_int>, info: Object, comm: Object,
        baseptr: Output, win: Variable) kept = window::allocate_window::<c_int>;
    "MPI_Win_allocate_c"(size: Long, disp_unit: Value<i64>, info: Object, comm: Object,
        baseptr: Output, win: Variable) kept = window::allocate_window::<i64>;
    "MPI_Win_allocate_shared"(size: Long, disp_unit: Value<c_int>, info: Object, comm: Object,
        baseptr: Output, win: Variable) kept = window::allocate_shared::<c_int>;
    "MPI_Win_allocate_shared_c"(size: Long, disp_unit: Value<i64>, info: Object, comm: Object,
        baseptr: Output, win: Variable) kept = window::allocate_shared::<i64>;
    "MPI_Win_attach"(win: Object, base: Output, size: Long) kept = window::attach;
    "MPI_Win_call_errhandler"(win: Object, errorcode: Int) = window::call_errhandler;
    "MPI_Win_complete"(win: Object) kept = window::complete_epoch;
    "MPI_Win_create"(base: Output, size: Long, disp_unit: Value<c_int>, info: Object,
        comm: Object, win: Variable) kept = window::create::<c_int>;
    "MPI_Win_create_c"(base: Output, size: Long, disp_unit: Value<i64>, info: Object,
        comm: Object, win: Variable) kept = window::create::<i64>;
    "MPI_Win_create_dynamic"(info: Object, comm: Object,
        win: Variable) kept = window::create_dynamic;
    "MPI_Win_create_errhandler"(win_errhandler_fn: Procedure,
        errhandler: Variable) = fortran::callback::create_window_errhandler;
    "MPI_Win_create_keyval"(win_copy_attr_fn: Procedure, win_delete_attr_fn: Procedure,
        win_keyval: Give<c_int>, extra_state: Long) = fortran::attribute::win_create_keyval;
    "MPI_Win_delete_attr"(win: Object, win_keyval: Int) = window::delete_attr;
    "MPI_Win_detach"(win: Object, base: Input) kept = window::detach;
    "MPI_Win_fence"(assert: Int, win: Object) kept = window::fence;
    "MPI_Win_flush"(rank: Int, win: Object) kept = window::flush;
    "MPI_Win_flush_all"(win: Object) kept = window::flush_all;
    "MPI_Win_flush_local"(rank: Int, win: Object) kept = window::flush_local;
    "MPI_Win_flush_local_all"(win: Object) kept = window::flush_local_all;
    "MPI_Win_free"(win: Variable) kept = window::free;
    "MPI_Win_free_keyval"(win_keyval: Give<c_int>) = attribute::win_free_keyval;
    "MPI_Win_get_attr"(win: Object, win_keyval: Int, attribute_val: Give<i64>,
        flag: FlagOut) = fortran::attribute::win_get;
    "MPI_Win_get_errhandler"(win: Object, errhandler: Variable) = window::get_errhandler;
    "MPI_Win_get_group"(win: Object, group: Variable) kept = window::get_group;
    "MPI_Win_get_info"(win: Object, info_used: Variable) kept = window::get_info;
    "MPI_Win_get_name"(win: Object, win_name: TextOut<128>,
        resultlen: Give<c_int>) = window::get_name;
    "MPI_Win_lock"(lock_type: Int, rank: Int, assert: Int, win: Object) kept = window::lock;
    "MPI_Win_lock_all"(assert: Int, win: Object) kept = window::lock_all;
    "MPI_Win_post"(group: Object, assert: Int, win: Object) kept = window::post;
    "MPI_Win_set_attr"(win: Object, win_keyval: Int,
        attribute_val: Long) = fortran::attribute::win_set;
    "MPI_Win_set_errhandler"(win: Object, errhandler: Object) = window::set_errhandler;
    "MPI_Win_set_info"(win: Object, info: Object) kept = window::set_info;
    "MPI_Win_set_name"(win: Object, win_name: Text) = window::set_name;
    "MPI_Win_shared_query"(win: Object, rank: Int, size: Give<i64>, disp_unit: Give<c_int>,
        baseptr: Output) kept = window::shared_query::<c_int>;
    "MPI_Win_shared_query_c"(win: Object, rank: Int, size: Give<i64>, disp_unit: Give<i64>,
        baseptr: Output) kept = window::shared_query::<i64>;
    "MPI_Win_start"(group: Object, assert: Int, win: Object) kept = window::start;
    "MPI_Win_sync"(win: Object) kept = window::sync;
    "MPI_Win_test"(win: Object, flag: FlagOut) kept = window::test;
    "MPI_Win_unlock"(rank: Int, win: Object) kept = window::unlock;
    "MPI_Win_unlock_all"(win: Object) kept = window::unlock_all;
    "MPI_Win_wait"(win: Object) kept = window::wait;
}
