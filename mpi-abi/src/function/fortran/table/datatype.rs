//! Datatypes (MPI chapter 5), including the removed names of MPI-1.

use std::ffi::c_int;

use super::{
    super::{
        super::{array, contents, datatype, error, portable},
        Row,
        argument::{
            Displacements, Give, GiveMany, HalfAddress, Input, Int, Long, Narrowed, Object,
            Objects, Procedure, Take, Text, TextOut, Value, Variable, Variables, Widened,
        },
        callback,
        entry::Wrap,
    },
    counted, row, rows,
};

pub(super) fn add(list: &mut Vec<Row>) {
    constructors(list);
    queries(list);
    removed(list);
}

fn constructors(list: &mut Vec<Row>) {
    counted! { list:
        MPI_Type_contiguous(count: Value<N>, oldtype: Object, newtype: Variable) =
            datatype::contiguous;
        MPI_Type_vector(count: Value<N>, blocklength: Value<N>, stride: Value<N>, oldtype: Object,
            newtype: Variable) = datatype::vector;
        MPI_Type_create_hvector(count: Value<N>, blocklength: Value<N>, stride: Long, oldtype: Object,
            newtype: Variable) = datatype::hvector;
        MPI_Type_indexed(count: Value<N>, array_of_blocklengths: Take<N>,
            array_of_displacements: Take<N>, oldtype: Object, newtype: Variable) =
            datatype::indexed;
        MPI_Type_create_hindexed(count: Value<N>, array_of_blocklengths: Take<N>,
            array_of_displacements: Take<i64>, oldtype: Object, newtype: Variable) =
            datatype::hindexed;
        MPI_Type_create_indexed_block(count: Value<N>, blocklength: Value<N>,
            array_of_displacements: Take<N>, oldtype: Object, newtype: Variable) =
            datatype::indexed_block;
        MPI_Type_create_hindexed_block(count: Value<N>, blocklength: Value<N>,
            array_of_displacements: Take<i64>, oldtype: Object, newtype: Variable) =
            datatype::hindexed_block;
        MPI_Type_create_struct(count: Value<N>, array_of_blocklengths: Take<N>,
            array_of_displacements: Take<i64>, array_of_types: Objects<0, N>, newtype: Variable) =
            datatype::structure;
        MPI_Type_create_subarray(ndims: Int, array_of_sizes: Take<N>,
            array_of_subsizes: Take<N>, array_of_starts: Take<N>, order: Int,
            oldtype: Object, newtype: Variable) = datatype::subarray;
        MPI_Type_create_darray(size: Int, rank: Int, ndims: Int, array_of_gsizes: Take<N>,
            array_of_distribs: Take<c_int>, array_of_dargs: Take<c_int>,
            array_of_psizes: Take<c_int>, order: Int, oldtype: Object, newtype: Variable) =
            array::darray;
        MPI_Type_create_resized(oldtype: Object, lb: Long, extent: Long, newtype: Variable) =
            datatype::resized;
    }
    rows! { list:
        MPI_Type_dup(oldtype: Object, newtype: Variable) = datatype::type_dup;
        MPI_Type_commit(datatype: Variable) = datatype::type_commit;
        MPI_Type_free(datatype: Variable) = datatype::type_free;
    }
}

fn queries(list: &mut Vec<Row>) {
    counted! { list:
        MPI_Type_size(datatype: Object, size: Give<N>) = datatype::type_size;
    }
    rows! { list:
        MPI_Type_size_x(datatype: Object, size: Give<i64>) = datatype::type_size::<i64>;
        MPI_Type_get_extent(datatype: Object, lb: Give<i64>, extent: Give<i64>) =
            datatype::get_extent;
        MPI_Type_get_extent_c(datatype: Object, lb: Give<i64>, extent: Give<i64>) =
            datatype::get_extent;
        MPI_Type_get_extent_x(datatype: Object, lb: Give<i64>, extent: Give<i64>) =
            datatype::get_extent;
        MPI_Type_get_true_extent(datatype: Object, true_lb: Give<i64>, true_extent: Give<i64>) =
            datatype::get_true_extent;
        MPI_Type_get_true_extent_c(datatype: Object, true_lb: Give<i64>, true_extent: Give<i64>)
            = datatype::get_true_extent;
        MPI_Type_get_true_extent_x(datatype: Object, true_lb: Give<i64>, true_extent: Give<i64>)
            = datatype::get_true_extent;
        MPI_Type_get_envelope(datatype: Object, num_integers: Give<c_int>,
            num_addresses: Give<c_int>, num_datatypes: Give<c_int>, combiner: Give<c_int>) =
            contents::get_envelope;
        MPI_Type_get_contents(datatype: Object, max_integers: Int, max_addresses: Int,
            max_datatypes: Int, array_of_integers: GiveMany<c_int>,
            array_of_addresses: GiveMany<i64>, array_of_datatypes: Variables<3>) =
            contents::get_contents;
        MPI_Type_get_envelope_c(datatype: Object, num_integers: Give<i64>,
            num_addresses: Give<i64>, num_large_counts: Give<i64>, num_datatypes: Give<i64>,
            combiner: Give<c_int>) = contents::get_envelope_c;
        MPI_Type_get_contents_c(datatype: Object, max_integers: Long, max_addresses: Long,
            max_large_counts: Long, max_datatypes: Long, array_of_integers: GiveMany<c_int>,
            array_of_addresses: GiveMany<i64>, array_of_large_counts: GiveMany<i64>,
            array_of_datatypes: Variables<4, i64>) = contents::get_contents_c;
        MPI_Type_match_size(typeclass: Int, size: Int, datatype: Variable) =
            portable::match_size;
        MPI_Type_create_f90_integer(r: Int, newtype: Variable) = portable::f90_integer;
        MPI_Type_create_f90_real(p: Int, r: Int, newtype: Variable) = portable::f90_real;
        MPI_Type_create_f90_complex(p: Int, r: Int, newtype: Variable) = portable::f90_complex;
        MPI_Type_get_value_index(value_type: Object, index_type: Object, pair_type: Variable) =
            portable::value_index;
        MPI_Type_set_name(datatype: Object, type_name: Text) = datatype::type_set_name;
        MPI_Type_get_name(datatype: Object, type_name: TextOut<128>, resultlen: Give<c_int>) =
            datatype::type_get_name;
        MPI_Get_address(location: Input, address: Give<i64>) = datatype::get_address;
    }
}

fn removed(list: &mut Vec<Row>) {
    rows! { list:
        MPI_Address(location: Input, address: HalfAddress) = datatype::get_address;
        MPI_Type_hvector(count: Int, blocklength: Int, stride: Widened, oldtype: Object,
            newtype: Variable) = datatype::hvector::<i32>;
        MPI_Type_hindexed(count: Int, array_of_blocklengths: Take<c_int>,
            array_of_displacements: Displacements<0>, oldtype: Object, newtype: Variable) =
            datatype::hindexed::<i32>;
        MPI_Type_struct(count: Int, array_of_blocklengths: Take<c_int>,
            array_of_displacements: Displacements<0>, array_of_types: Objects<0>,
            newtype: Variable) = datatype::structure::<i32>;
        MPI_Type_extent(datatype: Object, extent: Narrowed) = datatype::type_extent;
        MPI_Type_lb(datatype: Object, displacement: Narrowed) = datatype::type_lb;
        MPI_Type_ub(datatype: Object, displacement: Narrowed) = datatype::type_ub;
        MPI_Errhandler_create(function: Procedure, errhandler: Variable) =
            callback::create_errhandler;
        MPI_Errhandler_set(comm: Object, errhandler: Object) = error::set_errhandler;
        MPI_Errhandler_get(comm: Object, errhandler: Variable) = error::get_errhandler;
    }
}
