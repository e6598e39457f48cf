//! Sessions, initialisation and finalisation, errors, info objects (MPI chapters 9 to 11).

use std::ffi::c_int;

use super::{
    super::{
        super::{abi, communicator, environment, error, info, session},
        Row, adapt,
        argument::{
            FlagOut, Give, Int, Long, Object, Output, Procedure, Text, TextOut, Variable, Word,
        },
        callback,
        entry::Wrap,
    },
    row, rows,
};

pub(super) fn add(list: &mut Vec<Row>) {
    sessions(list);
    environments(list);
}

fn sessions(list: &mut Vec<Row>) {
    rows! { list:
        MPI_Session_init(info: Object, errhandler: Object, session: Variable) = session::init;
        MPI_Session_create_errhandler(session_errhandler_fn: Procedure, errhandler: Variable) =
            callback::create_errhandler;
        MPI_Session_set_errhandler(session: Object, errhandler: Object) =
            session::set_errhandler;
        MPI_Session_get_errhandler(session: Object, errhandler: Variable) =
            session::get_errhandler;
        MPI_Session_call_errhandler(session: Object, errorcode: Int) = session::call_errhandler;
        MPI_Session_finalize(session: Variable) = session::finalize;
        MPI_Session_get_num_psets(session: Object, info: Object, npset_names: Give<c_int>) =
            session::get_num_psets;
        MPI_Session_get_nth_pset(session: Object, info: Object, n: Int, pset_len: Give<c_int>,
            pset_name: TextOut<1024>) = adapt::get_nth_pset;
        MPI_Session_get_pset_info(session: Object, pset_name: Text, info: Variable) =
            session::get_pset_info;
        MPI_Session_get_info(session: Object, info_used: Variable) = session::get_info;
        MPI_Group_from_session_pset(session: Object, pset_name: Text, newgroup: Variable) =
            session::group_from_pset;
        MPI_Comm_create_from_group(group: Object, stringtag: Text, info: Object,
            errhandler: Object, newcomm: Variable) = session::comm_create_from_group;
        MPI_Intercomm_create_from_groups(local_group: Object, local_leader: Int,
            remote_group: Object, remote_leader: Int, stringtag: Text, info: Object,
            errhandler: Object, newintercomm: Variable) = session::intercomm_create_from_groups;
    }
}

fn environments(list: &mut Vec<Row>) {
    rows! { list:
        MPI_Init() = adapt::init;
        MPI_Init_thread(required: Int, provided: Give<c_int>) = adapt::init_thread;
        MPI_Finalize() = environment::finalize;
        MPI_Initialized(flag: FlagOut) = environment::initialized;
        MPI_Finalized(flag: FlagOut) = environment::finalized;
        MPI_Query_thread(provided: Give<c_int>) = environment::query_thread;
        MPI_Is_thread_main(flag: FlagOut) = environment::is_thread_main;
        MPI_Abort(comm: Object, errorcode: Int) = environment::abort;
        MPI_Get_processor_name(name: TextOut<256>, resultlen: Give<c_int>) =
            environment::get_processor_name;
        MPI_Get_version(version: Give<c_int>, subversion: Give<c_int>) = communicator::version;
        MPI_Get_library_version(version: TextOut<8192>, resultlen: Give<c_int>) =
            environment::get_library_version;
        MPI_Get_hw_resource_info(hw_info: Variable) = environment::get_hw_resource_info;
        MPI_Abi_get_info(info: Variable) = abi::info;
        MPI_Abi_get_fortran_info(info: Variable) = abi::fortran_info;
        MPI_Abi_set_fortran_info(info: Object) = abi::set_fortran_info;
        MPI_Abi_get_fortran_booleans(logical_size: Int, logical_true: Output,
            logical_false: Output, is_set: FlagOut) = abi::fortran_booleans;
        MPI_Abi_set_fortran_booleans(logical_size: Int, logical_true: Output,
            logical_false: Output) = abi::set_fortran_booleans;
        MPI_Abi_get_version(abi_major: Give<c_int>, abi_minor: Give<c_int>) =
            abi::version;
        MPI_Alloc_mem(size: Long, info: Object, baseptr: Output) = environment::alloc_mem;
        MPI_Free_mem(base: Output) = environment::free_mem;
        MPI_Comm_create_errhandler(comm_errhandler_fn: Procedure, errhandler: Variable) =
            callback::create_errhandler;
        MPI_Comm_set_errhandler(comm: Object, errhandler: Object) = error::set_errhandler;
        MPI_Comm_get_errhandler(comm: Object, errhandler: Variable) = error::get_errhandler;
        MPI_Comm_call_errhandler(comm: Object, errorcode: Int) = error::call_errhandler;
        MPI_Errhandler_free(errhandler: Variable) = error::errhandler_free;
        MPI_Error_class(errorcode: Int, errorclass: Give<c_int>) = error::error_class;
        MPI_Error_string(errorcode: Int, string: TextOut<512>, resultlen: Give<c_int>) =
            error::error_string;
        MPI_Add_error_class(errorclass: Give<c_int>) = error::add_error_class;
        MPI_Add_error_code(errorclass: Int, errorcode: Give<c_int>) = error::add_error_code;
        MPI_Add_error_string(errorcode: Int, string: Text) = error::add_error_string;
        MPI_Remove_error_class(errorclass: Int) = error::remove_error_class;
        MPI_Remove_error_code(errorcode: Int) = error::remove_error_code;
        MPI_Remove_error_string(errorcode: Int) = error::remove_error_string;
        MPI_Info_create(info: Variable) = info::info_create;
        MPI_Info_create_env(info: Variable) = adapt::info_create_env;
        MPI_Info_dup(info: Object, newinfo: Variable) = info::info_dup;
        MPI_Info_free(info: Variable) = info::info_free;
        MPI_Info_set(info: Object, key: Word, value: Word) = info::info_set;
        MPI_Info_delete(info: Object, key: Word) = info::info_delete;
        MPI_Info_get(info: Object, key: Word, valuelen: Int, value: TextOut<1024>,
            flag: FlagOut) = info::info_get;
        MPI_Info_get_valuelen(info: Object, key: Word, valuelen: Give<c_int>, flag: FlagOut) =
            info::info_get_valuelen;
        MPI_Info_get_string(info: Object, key: Word, buflen: Give<c_int>, value: TextOut<1024>,
            flag: FlagOut) = adapt::info_get_string;
        MPI_Info_get_nkeys(info: Object, nkeys: Give<c_int>) = info::info_get_nkeys;
        MPI_Info_get_nthkey(info: Object, n: Int, key: TextOut<256>) = info::info_get_nthkey;
    }
}
