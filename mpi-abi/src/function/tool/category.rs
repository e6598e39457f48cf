//! Categories (MPI 15.3.9).
#![allow(clippy::too_many_arguments, reason = "the standard's")]

use std::ffi::{c_char, c_int};

use super::{
    at,
    catalog::{CATEGORIES, CONTROLS, Category, EVENTS, GAUGES},
    code_of, find, tell, tool,
};
use crate::{memory, state::put};

/// Returns the indices of the elements that belong to a category.
fn members<T>(list: &[T], belongs: fn(&T) -> bool) -> Vec<c_int> {
    (0..).zip(list).filter(|(_, one)| belongs(one)).map(|(index, _)| index).collect()
}

fn controls(category: &Category) -> Vec<c_int> {
    members(&CONTROLS, category.controls)
}

fn gauges(category: &Category) -> Vec<c_int> {
    members(&GAUGES, category.gauges)
}

fn events(category: &Category) -> Vec<c_int> {
    members(&EVENTS, category.events)
}

pub(in super::super) extern "C-unwind" fn category_get_num(place: *mut c_int) -> c_int {
    tool(|_| super::answer(put(place, CATEGORIES.len() as c_int)))
}

pub(in super::super) extern "C-unwind" fn category_get_info(
    index: c_int,
    name: *mut c_char,
    name_length: *mut c_int,
    text: *mut c_char,
    text_length: *mut c_int,
    control_count: *mut c_int,
    gauge_count: *mut c_int,
    category_count: *mut c_int,
) -> c_int {
    tool(|_| {
        code_of(at(&CATEGORIES, index).map(|category| {
            tell(category.name, name, name_length);
            tell(category.text, text, text_length);
            memory::put_at(control_count, 0, controls(category).len() as c_int);
            memory::put_at(gauge_count, 0, gauges(category).len() as c_int);
            memory::put_at(category_count, 0, category.categories.len() as c_int);
        }))
    })
}

pub(in super::super) extern "C-unwind" fn category_get_index(
    name: *const c_char,
    place: *mut c_int,
) -> c_int {
    let names = || CATEGORIES.iter().map(|known| known.name.to_owned());
    tool(|_| code_of(find(name, names(), place)))
}

pub(in super::super) extern "C-unwind" fn category_get_num_events(
    index: c_int,
    place: *mut c_int,
) -> c_int {
    tool(|_| {
        code_of(at(&CATEGORIES, index).map(|category| {
            memory::put_at(place, 0, events(category).len() as c_int);
        }))
    })
}

/// Writes how often the categories have changed: never.
pub(in super::super) extern "C-unwind" fn category_changed(place: *mut c_int) -> c_int {
    tool(|_| super::answer(put(place, 0)))
}

/// Writes as many of the indices as there is room for.
fn give(index: c_int, length: c_int, place: *mut c_int, of: fn(&Category) -> Vec<c_int>) -> c_int {
    tool(|_| {
        code_of(at(&CATEGORIES, index).map(|category| {
            let room = usize::try_from(length).unwrap_or(0);
            for (slot, member) in of(category).into_iter().take(room).enumerate() {
                memory::put_at(place, slot, member);
            }
        }))
    })
}

pub(in super::super) extern "C-unwind" fn category_get_cvars(
    index: c_int,
    length: c_int,
    place: *mut c_int,
) -> c_int {
    give(index, length, place, controls)
}

pub(in super::super) extern "C-unwind" fn category_get_pvars(
    index: c_int,
    length: c_int,
    place: *mut c_int,
) -> c_int {
    give(index, length, place, gauges)
}

pub(in super::super) extern "C-unwind" fn category_get_categories(
    index: c_int,
    length: c_int,
    place: *mut c_int,
) -> c_int {
    give(index, length, place, |category| category.categories.to_vec())
}

pub(in super::super) extern "C-unwind" fn category_get_events(
    index: c_int,
    length: c_int,
    place: *mut c_int,
) -> c_int {
    give(index, length, place, events)
}
