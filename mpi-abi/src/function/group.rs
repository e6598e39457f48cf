//! Groups (MPI section 7.3).

use std::ffi::c_int;

use mpi_api::{call::Site, object::group::Group};

use super::request::peek;
use crate::{
    constant::{Handle, class, handle, number},
    state::{
        Fault, KeptGroup, Mpi, Source, State, argument, array, creating, local, must_agree, put,
        put_in, wanted,
    },
};

/// Returns the group of a handle.
pub(super) fn of(state: &State, group: Handle) -> Mpi<Group> {
    if group == handle::GROUP_EMPTY {
        return Ok(Group::list(Vec::new()));
    }
    let found = state.rare().groups.borrow().get(group).map(|kept| kept.group.clone());
    found.ok_or_else(unknown)
}

/// Returns what a group is derived from; `None` for the empty group, and if it is not known.
pub(super) fn source_of(state: &State, group: Handle) -> Option<Source> {
    state.rare().groups.borrow().get(group)?.source
}

fn unknown() -> Fault {
    Fault::new(class::GROUP, "the group is null or was freed")
}

/// Creates the handle of a new group, which is derived from `source`, if that is known.
pub(super) fn add(state: &State, site: Site, group: Group, source: Option<Source>) -> Handle {
    if group.size() == 0 {
        return handle::GROUP_EMPTY;
    }
    state.rare().groups.borrow_mut().insert(KeptGroup { group, source, site })
}

/// Stores the handle of a new group, which is derived from `source`, if that is known; an error if `place` is null.
pub(super) fn give(
    state: &State,
    site: Site,
    (group, source): (Group, Option<Source>),
    place: *mut Handle,
) -> Mpi {
    wanted(place)?;
    put(place, add(state, site, group, source))
}

/// Stores the handle of a new group that is made of others; an error if `place` is null.
fn make(state: &State, site: Site, (world, of): (Vec<u32>, &[Handle]), place: *mut Handle) -> Mpi {
    let source = of.iter().find_map(|group| source_of(state, *group));
    give(state, site, (Group::list(world), source), place)
}

/// Returns two groups that one call uses.
pub(super) fn pair(state: &State, first: Handle, second: Handle) -> Mpi<(Group, Group)> {
    must_agree(state.policies(), [first, second].map(|group| source_of(state, group)))?;
    Ok((of(state, first)?, of(state, second)?))
}

pub(super) extern "C-unwind" fn comm_group(comm: Handle, group: *mut Handle) -> c_int {
    creating(comm, (group, handle::GROUP_NULL), |state, site| {
        let comm = state.comm(comm)?;
        give(state, site, (comm.info.group.clone(), Some(comm.source.get())), group)
    })
}

pub(super) extern "C-unwind" fn comm_remote_group(comm: Handle, group: *mut Handle) -> c_int {
    creating(comm, (group, handle::GROUP_NULL), |state, site| {
        let comm = state.comm(comm)?;
        let remote = comm.info.remote.clone();
        let remote = remote.ok_or_else(|| Fault::new(class::COMM, "not an intercommunicator"))?;
        give(state, site, (remote, Some(comm.source.get())), group)
    })
}

pub(super) extern "C-unwind" fn group_size(group: Handle, size: *mut c_int) -> c_int {
    local(|state, _| put(size, of(state, group)?.size() as c_int))
}

pub(super) extern "C-unwind" fn group_rank(group: Handle, rank: *mut c_int) -> c_int {
    local(|state, _| {
        let mine = of(state, group)?.rank_of(state.number());
        put(rank, mine.map_or(number::UNDEFINED, |rank| rank as c_int))
    })
}

fn rank_in(group: &Group, rank: c_int) -> Mpi<u32> {
    argument::rank("rank", rank, group.size()).map(|known| group.world_rank(known))
}

pub(super) extern "C-unwind" fn group_translate_ranks(
    first: Handle,
    count: c_int,
    ranks: *const c_int,
    second: Handle,
    translated: *mut c_int,
) -> c_int {
    local(|state, _| {
        let (first, second) = pair(state, first, second)?;
        for (place, rank) in array(ranks, i64::from(count))?.iter().enumerate() {
            let there = if *rank == number::PROC_NULL {
                number::PROC_NULL
            } else {
                let world = rank_in(&first, *rank)?;
                second.rank_of(world).map_or(number::UNDEFINED, |rank| rank as c_int)
            };
            put_in(translated, place, there)?;
        }
        Ok(())
    })
}

/// Compares two groups as `MPI_Group_compare` does.
pub(super) fn compare(first: &Group, second: &Group) -> c_int {
    let (mut a, mut b) = (first.to_vec(), second.to_vec());
    if a == b {
        return number::IDENT;
    }
    a.sort_unstable();
    b.sort_unstable();
    if a == b { number::SIMILAR } else { number::UNEQUAL }
}

pub(super) extern "C-unwind" fn group_compare(
    first: Handle,
    second: Handle,
    result: *mut c_int,
) -> c_int {
    local(|state, _| {
        let (first, second) = pair(state, first, second)?;
        put(result, compare(&first, &second))
    })
}

fn combine(
    first: Handle,
    second: Handle,
    place: *mut Handle,
    choose: fn(&Group, &Group) -> Vec<u32>,
) -> c_int {
    creating(handle::COMM_NULL, (place, handle::GROUP_NULL), |state, site| {
        let (one, other) = pair(state, first, second)?;
        make(state, site, (choose(&one, &other), &[first, second]), place)
    })
}

pub(super) extern "C-unwind" fn group_union(
    first: Handle,
    second: Handle,
    made: *mut Handle,
) -> c_int {
    combine(first, second, made, |a, b| {
        let mut all = a.to_vec();
        all.extend(b.to_vec().into_iter().filter(|world| a.rank_of(*world).is_none()));
        all
    })
}

pub(super) extern "C-unwind" fn group_intersection(
    first: Handle,
    second: Handle,
    made: *mut Handle,
) -> c_int {
    combine(first, second, made, |a, b| {
        a.to_vec().into_iter().filter(|world| b.rank_of(*world).is_some()).collect()
    })
}

pub(super) extern "C-unwind" fn group_difference(
    first: Handle,
    second: Handle,
    made: *mut Handle,
) -> c_int {
    combine(first, second, made, |a, b| {
        a.to_vec().into_iter().filter(|world| b.rank_of(*world).is_none()).collect()
    })
}

fn chosen(group: &Group, ranks: &[c_int]) -> Mpi<Vec<u32>> {
    let mut worlds = Vec::with_capacity(ranks.len());
    let mut taken = vec![false; group.size() as usize];
    for rank in ranks {
        let world = rank_in(group, *rank)?;
        if std::mem::replace(&mut taken[*rank as usize], true) {
            return Err(Fault::new(class::RANK, format!("rank {rank} is listed twice")));
        }
        worlds.push(world);
    }
    Ok(worlds)
}

fn without(group: &Group, worlds: Vec<u32>) -> Vec<u32> {
    let out = Group::list(worlds);
    group.to_vec().into_iter().filter(|world| out.rank_of(*world).is_none()).collect()
}

pub(super) extern "C-unwind" fn group_incl(
    group: Handle,
    count: c_int,
    ranks: *const c_int,
    made: *mut Handle,
) -> c_int {
    creating(handle::COMM_NULL, (made, handle::GROUP_NULL), |state, site| {
        let chosen = chosen(&of(state, group)?, array(ranks, i64::from(count))?)?;
        make(state, site, (chosen, &[group]), made)
    })
}

pub(super) extern "C-unwind" fn group_excl(
    group: Handle,
    count: c_int,
    ranks: *const c_int,
    made: *mut Handle,
) -> c_int {
    creating(handle::COMM_NULL, (made, handle::GROUP_NULL), |state, site| {
        let members = of(state, group)?;
        let out = chosen(&members, array(ranks, i64::from(count))?)?;
        make(state, site, (without(&members, out), &[group]), made)
    })
}

/// Returns the ranks of (first, last, stride) triplets.
fn ranges(list: &[[c_int; 3]]) -> Mpi<Vec<c_int>> {
    let mut ranks = Vec::new();
    for [first, last, stride] in list {
        if *stride == 0 {
            return Err(Fault::new(class::ARG, "the stride of a range is 0"));
        }
        let (way, stride) = (i64::from(*last) - i64::from(*first), i64::from(*stride));
        if way.signum() * stride.signum() < 0 {
            let text = format!("steps of {stride} do not lead from {first} to {last}");
            return Err(Fault::new(class::ARG, text));
        }
        let steps = way / stride;
        for step in 0..=steps {
            ranks.push((i64::from(*first) + step * stride) as c_int);
        }
    }
    Ok(ranks)
}

pub(super) extern "C-unwind" fn group_range_incl(
    group: Handle,
    count: c_int,
    list: *const [c_int; 3],
    made: *mut Handle,
) -> c_int {
    creating(handle::COMM_NULL, (made, handle::GROUP_NULL), |state, site| {
        let members = of(state, group)?;
        let ranks = ranges(array(list, i64::from(count))?)?;
        make(state, site, (chosen(&members, &ranks)?, &[group]), made)
    })
}

pub(super) extern "C-unwind" fn group_range_excl(
    group: Handle,
    count: c_int,
    list: *const [c_int; 3],
    made: *mut Handle,
) -> c_int {
    creating(handle::COMM_NULL, (made, handle::GROUP_NULL), |state, site| {
        let members = of(state, group)?;
        let ranks = ranges(array(list, i64::from(count))?)?;
        let out = chosen(&members, &ranks)?;
        make(state, site, (without(&members, out), &[group]), made)
    })
}

pub(super) extern "C-unwind" fn group_free(group: *mut Handle) -> c_int {
    local(|state, _| {
        let given = peek(group)?;
        if given != handle::GROUP_EMPTY {
            let freed = state.rare().groups.borrow_mut().remove(given);
            freed.ok_or_else(unknown)?;
        }
        put(group, handle::GROUP_NULL)
    })
}
