//! What windows have in common with other objects: names, hints, groups, error handlers and
//! attributes.

use std::ffi::{c_char, c_int, c_void};

use mpi_api::call::{CommCall, ErrorCall};
use mpi_api::finding::CallPlace;

use super::{
    super::{attribute, error, group, info, text},
    on_window,
};
use crate::{
    constant::{Handle, class, handle, number},
    state::{HandlerOf, State, always, put, wanted},
};

pub(in super::super) extern "C-unwind" fn set_name(window: Handle, name: *const c_char) -> c_int {
    on_window(window, |_, _, window| {
        let name = text::read(name)?;
        window.name.replace(text::shortened(name, number::MAX_OBJECT_NAME - 1));
        Ok(())
    })
}

pub(in super::super) extern "C-unwind" fn get_name(
    window: Handle,
    name: *mut c_char,
    length: *mut c_int,
) -> c_int {
    if window == handle::WIN_NULL {
        return always(|_, _| text::write("MPI_WIN_NULL", text::OBJECT_NAME, name, length));
    }
    on_window(window, |_, _, window| {
        let known = window.name.borrow().clone();
        text::write(&known, text::OBJECT_NAME, name, length)
    })
}

pub(in super::super) extern "C-unwind" fn set_info(window: Handle, given: Handle) -> c_int {
    on_window(window, |state, site, window| {
        let given = info::of(state, given)?;
        state.kernel(site, CommCall::SetInfo(window.info.id))?;
        window.asserted.learn(&given, CallPlace::at(site, "MPI_Win_set_info"));
        window.hints.borrow_mut().update(given);
        Ok(())
    })
}

pub(in super::super) extern "C-unwind" fn get_info(window: Handle, place: *mut Handle) -> c_int {
    on_window(window, |state, _, window| {
        wanted(place)?;
        let hints = info::of_window(&window.hints.borrow());
        put(place, info::add(state, hints))
    })
}

pub(in super::super) extern "C-unwind" fn get_group(window: Handle, place: *mut Handle) -> c_int {
    on_window(window, |state, site, window| {
        group::give(state, site, (window.info.group.clone(), None), place)
    })
}

pub(in super::super) extern "C-unwind" fn set_errhandler(window: Handle, given: Handle) -> c_int {
    on_window(window, |state, site, window| {
        error::known(state, given, HandlerOf::Window)?;
        window.handler.set(given);
        state.kernel(site, ErrorCall::SetHandler(window.info.id, handle::told(given))).map(|_| ())
    })
}

pub(in super::super) extern "C-unwind" fn get_errhandler(
    window: Handle,
    place: *mut Handle,
) -> c_int {
    on_window(window, |state, _, window| error::give(state, window.handler.get(), place))
}

pub(in super::super) extern "C-unwind" fn call_errhandler(window: Handle, code: c_int) -> c_int {
    let site = crate::state::here();
    let Some(state) = State::current() else { return class::OTHER };
    match state.window(window) {
        Ok(found) => {
            state.call_handler(site, found.handler.get(), (window, found.info.id), code);
            0
        }
        Err(fault) => state.fail(site, handle::COMM_SELF, fault),
    }
}

pub(in super::super) extern "C-unwind" fn set_attr(
    window: Handle,
    keyval: c_int,
    value: *mut c_void,
) -> c_int {
    on_window(window, |state, _, found| {
        attribute::set_of_window(state, window, &found.attributes, keyval, value)
    })
}

pub(in super::super) extern "C-unwind" fn get_attr(
    window: Handle,
    keyval: c_int,
    value: *mut c_void,
    flag: *mut c_int,
) -> c_int {
    on_window(window, |state, _, found| {
        let address = |place: *const c_void| Some(place.cast_mut());
        let predefined = match keyval {
            number::WIN_BASE => address(found.base as *const c_void),
            number::WIN_SIZE => address((&raw const found.size).cast()),
            number::WIN_DISP_UNIT => address((&raw const found.unit).cast()),
            number::WIN_CREATE_FLAVOR => address((&raw const found.flavor_number).cast()),
            number::WIN_MODEL => address((&raw const found.model).cast()),
            _ => {
                let known = attribute::of_window(state, &found.attributes, keyval)?;
                return attribute::tell(known, value, flag);
            }
        };
        attribute::tell(predefined, value, flag)
    })
}

pub(in super::super) extern "C-unwind" fn delete_attr(window: Handle, keyval: c_int) -> c_int {
    on_window(window, |state, _, found| {
        attribute::delete_of_window(state, window, &found.attributes, keyval)
    })
}
