//! Communicators, attributes and groups (MPI chapter 7).

use std::ffi::c_int;

use super::{
    super::{
        super::{attribute as base, communicator, group, split_type},
        Row, adapt,
        argument::{
            Flag, FlagOut, Give, GiveMany, Int, Later, Long, Object, Procedure, Take, Text,
            TextOut, Variable,
        },
        attribute,
        entry::Wrap,
    },
    row, rows,
};

pub(super) fn add(list: &mut Vec<Row>) {
    communicators(list);
    attributes(list);
    groups(list);
}

fn communicators(list: &mut Vec<Row>) {
    rows! { list:
        MPI_Comm_size(comm: Object, size: Give<c_int>) = communicator::comm_size;
        MPI_Comm_rank(comm: Object, rank: Give<c_int>) = communicator::comm_rank;
        MPI_Comm_remote_size(comm: Object, size: Give<c_int>) = communicator::comm_remote_size;
        MPI_Comm_test_inter(comm: Object, flag: FlagOut) = communicator::comm_test_inter;
        MPI_Comm_compare(comm1: Object, comm2: Object, result: Give<c_int>) =
            communicator::comm_compare;
        MPI_Comm_dup(comm: Object, newcomm: Variable) = communicator::comm_dup;
        MPI_Comm_dup_with_info(comm: Object, info: Object, newcomm: Variable) =
            communicator::comm_dup_with_info;
        MPI_Comm_idup(comm: Object, newcomm: Later, request: Variable) = adapt::comm_idup;
        MPI_Comm_idup_with_info(comm: Object, info: Object, newcomm: Later,
            request: Variable) = adapt::comm_idup_with_info;
        MPI_Comm_split(comm: Object, color: Int, key: Int, newcomm: Variable) =
            communicator::comm_split;
        MPI_Comm_split_type(comm: Object, split_type: Int, key: Int, info: Object,
            newcomm: Variable) = split_type::comm_split_type;
        MPI_Comm_create(comm: Object, group: Object, newcomm: Variable) =
            communicator::comm_create;
        MPI_Comm_create_group(comm: Object, group: Object, tag: Int, newcomm: Variable) =
            communicator::comm_create_group;
        MPI_Comm_free(comm: Variable) = communicator::comm_free;
        MPI_Comm_disconnect(comm: Variable) = communicator::comm_disconnect;
        MPI_Comm_set_name(comm: Object, comm_name: Text) = communicator::comm_set_name;
        MPI_Comm_get_name(comm: Object, comm_name: TextOut<128>, resultlen: Give<c_int>) =
            communicator::comm_get_name;
        MPI_Comm_get_parent(parent: Variable) = communicator::comm_get_parent;
        MPI_Comm_set_info(comm: Object, info: Object) = communicator::comm_set_info;
        MPI_Comm_get_info(comm: Object, info_used: Variable) = communicator::comm_get_info;
        MPI_Intercomm_create(local_comm: Object, local_leader: Int, peer_comm: Object,
            remote_leader: Int, tag: Int, newintercomm: Variable) =
            communicator::intercomm_create;
        MPI_Intercomm_merge(intercomm: Object, high: Flag, newintracomm: Variable) =
            communicator::intercomm_merge;
    }
}

fn attributes(list: &mut Vec<Row>) {
    rows! { list:
        MPI_Comm_create_keyval(comm_copy_attr_fn: Procedure, comm_delete_attr_fn: Procedure,
            comm_keyval: Give<c_int>, extra_state: Long) = attribute::create_keyval::<false>;
        MPI_Comm_free_keyval(comm_keyval: Give<c_int>) = base::free_keyval::<false>;
        MPI_Comm_set_attr(comm: Object, comm_keyval: Int, attribute_val: Long) =
            attribute::comm_set::<i64>;
        MPI_Comm_get_attr(comm: Object, comm_keyval: Int, attribute_val: Give<i64>,
            flag: FlagOut) = attribute::comm_get::<i64>;
        MPI_Comm_delete_attr(comm: Object, comm_keyval: Int) =
            base::comm_delete_attr;
        MPI_Type_create_keyval(type_copy_attr_fn: Procedure, type_delete_attr_fn: Procedure,
            type_keyval: Give<c_int>, extra_state: Long) = attribute::create_keyval::<true>;
        MPI_Type_free_keyval(type_keyval: Give<c_int>) = base::free_keyval::<true>;
        MPI_Type_set_attr(datatype: Object, type_keyval: Int, attribute_val: Long) =
            attribute::type_set;
        MPI_Type_get_attr(datatype: Object, type_keyval: Int, attribute_val: Give<i64>,
            flag: FlagOut) = attribute::type_get;
        MPI_Type_delete_attr(datatype: Object, type_keyval: Int) =
            base::type_delete_attr;
        MPI_Keyval_create(copy_fn: Procedure, delete_fn: Procedure, keyval: Give<c_int>,
            extra_state: Int) = attribute::create_old_keyval;
        MPI_Keyval_free(keyval: Give<c_int>) = base::free_keyval::<false>;
        MPI_Attr_put(comm: Object, keyval: Int, attribute_val: Int) =
            attribute::comm_set::<c_int>;
        MPI_Attr_get(comm: Object, keyval: Int, attribute_val: Give<c_int>, flag: FlagOut) =
            attribute::comm_get::<c_int>;
        MPI_Attr_delete(comm: Object, keyval: Int) = base::comm_delete_attr;
    }
}

fn groups(list: &mut Vec<Row>) {
    rows! { list:
        MPI_Comm_group(comm: Object, group: Variable) = group::comm_group;
        MPI_Comm_remote_group(comm: Object, group: Variable) = group::comm_remote_group;
        MPI_Group_size(group: Object, size: Give<c_int>) = group::group_size;
        MPI_Group_rank(group: Object, rank: Give<c_int>) = group::group_rank;
        MPI_Group_translate_ranks(group1: Object, n: Int, ranks1: Take<c_int>, group2: Object,
            ranks2: GiveMany<c_int>) = group::group_translate_ranks;
        MPI_Group_compare(group1: Object, group2: Object, result: Give<c_int>) =
            group::group_compare;
        MPI_Group_union(group1: Object, group2: Object, newgroup: Variable) =
            group::group_union;
        MPI_Group_intersection(group1: Object, group2: Object, newgroup: Variable) =
            group::group_intersection;
        MPI_Group_difference(group1: Object, group2: Object, newgroup: Variable) =
            group::group_difference;
        MPI_Group_incl(group: Object, n: Int, ranks: Take<c_int>, newgroup: Variable) =
            group::group_incl;
        MPI_Group_excl(group: Object, n: Int, ranks: Take<c_int>, newgroup: Variable) =
            group::group_excl;
        MPI_Group_range_incl(group: Object, n: Int, ranges: Take<[c_int; 3]>,
            newgroup: Variable) = group::group_range_incl;
        MPI_Group_range_excl(group: Object, n: Int, ranges: Take<[c_int; 3]>,
            newgroup: Variable) = group::group_range_excl;
        MPI_Group_free(group: Variable) = group::group_free;
    }
}
