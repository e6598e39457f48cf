//! Names and functions of datatypes and handle conversions, including the removed ones of MPI-1.

use super::{Export, array, communicator, contents, datatype, error, fortran, portable};

pub(super) fn datatypes(list: &mut Vec<Export>) {
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

/// Adds the conversions of handles to integers, under the names of MPI 5.0 and of earlier editions.
pub(super) fn handles(list: &mut Vec<Export>) {
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
        "MPI_Win_toint" => communicator::to_int;
        "MPI_Win_fromint" => communicator::from_int;
        "MPI_Win_c2f" => communicator::to_int;
        "MPI_Win_f2c" => communicator::from_int;
        "MPI_File_toint" => communicator::to_int;
        "MPI_File_fromint" => communicator::from_int;
        "MPI_File_c2f" => communicator::to_int;
        "MPI_File_f2c" => communicator::from_int;
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

/// Adds the names of MPI-1 that the standard has since removed.
pub(super) fn removed(list: &mut Vec<Export>) {
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
