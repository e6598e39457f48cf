//! Callbacks for events: they run when a call of their rank ends, after everything the call does, and with what
//! happened until then, so that they may call MPI like the program. What happens during callbacks is told
//! when the next call ends.

use std::{
    cell::Cell,
    ffi::{c_int, c_void},
    rc::Rc,
};

use mpi_api::call::{MatchEvent, MatchEvents, Reply, Site, ToolCall};

use super::{code, code_of, element::Element, tool};
use crate::{
    constant::{Handle, tools},
    state::{EventCallback, Registration, State, put},
};

/// A flag that is reset however a callback ends.
struct Raised<'a>(&'a Cell<bool>);

impl Drop for Raised<'_> {
    fn drop(&mut self) {
        self.0.set(false);
    }
}

/// One more callback of a registration that runs, however it ends.
struct Inside<'a>(&'a Cell<u32>);

impl<'a> Inside<'a> {
    fn of(registration: &'a Registration) -> Self {
        registration.running.set(registration.running.get() + 1);
        Self(&registration.running)
    }
}

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}

/// A registration with its handle, and how many events it has been told.
struct Listener {
    handle: Handle,
    registration: Rc<Registration>,
    told: u64,
}

/// Tells the program of the events of its rank.
pub(super) fn tell_events(state: &State, site: Site) {
    if !state.listens() || state.telling.get() {
        return;
    }
    let Ok(Reply::Events(events)) = state.kernel(site, ToolCall::TakeEvents) else { return };
    let MatchEvents { kept, lost } = *events;
    if kept.is_empty() && lost.iter().all(|count| *count == 0) {
        return;
    }
    state.telling.set(true);
    let _telling = Raised(&state.telling);
    let mut listeners: Vec<Listener> = {
        let registrations = state.rare().registrations.borrow();
        let listener = |(handle, one): (Handle, &Rc<Registration>)| Listener {
            handle,
            registration: Rc::clone(one),
            told: 0,
        };
        registrations.entries().map(listener).collect()
    };
    for event in &kept {
        for listener in &mut listeners {
            listener.hear(state, event);
        }
    }
    for listener in &listeners {
        let index = listener.registration.kind.index();
        let since = listener.registration.since.get();
        let happened =
            |event: &&MatchEvent| event.kind == listener.registration.kind && event.time >= since;
        let missed = kept.iter().filter(happened).count() as u64 - listener.told;
        listener.miss(lost[index] + missed);
    }
}

impl Listener {
    /// Returns the callback, if there is one for this registration still.
    fn callback(&self) -> Option<EventCallback> {
        self.registration.callback().filter(|_| !self.registration.freed.get())
    }

    /// Tells of an event, if it is of the type that is listened to and there was room for it.
    fn hear(&mut self, state: &State, event: &MatchEvent) {
        let one = &self.registration;
        let is_for = event.kind == one.kind && event.time >= one.since.get();
        if !is_for || self.told >= u64::from(one.room.get()) {
            return;
        }
        let Some(callback) = self.callback() else { return };
        self.told += 1;
        let events = &state.rare().events;
        let instance = events.borrow_mut().insert(*event);
        let inside = Inside::of(one);
        (callback.function)(instance, self.handle, tools::CB_REQUIRE_NONE, callback.data);
        drop(inside);
        events.borrow_mut().remove(instance);
        say_farewell(self.handle, one);
    }

    /// Tells how many events there was no room for.
    fn miss(&self, count: u64) {
        let Some(dropped) = self.registration.dropped.get().filter(|_| count > 0) else { return };
        let Some(callback) = self.callback() else { return };
        let inside = Inside::of(&self.registration);
        dropped(count as i64, self.handle, 0, tools::CB_REQUIRE_NONE, callback.data);
        drop(inside);
        say_farewell(self.handle, &self.registration);
    }
}

/// Tells the program that a registration is freed and no callback of it runs any more.
pub(super) fn say_farewell(handle: Handle, one: &Registration) {
    if one.freed.get()
        && one.running.get() == 0
        && let Some((function, data)) = one.farewell.take()
    {
        function(handle, tools::CB_REQUIRE_NONE, data);
    }
}

/// Does something with the event of a handle, which is valid while callbacks for it run.
fn with_event(given: Handle, body: impl FnOnce(&State, &MatchEvent) -> Result<(), c_int>) -> c_int {
    tool(|state| {
        let event = state.rare().events.borrow().get(given).copied();
        code_of(event.ok_or(code::INVALID_HANDLE).and_then(|event| body(state, &event)))
    })
}

pub(in super::super) extern "C-unwind" fn event_read(
    given: Handle,
    index: c_int,
    place: *mut c_void,
) -> c_int {
    with_event(given, |state, event| {
        let element = super::at(&Element::ALL, index)?;
        element.store(state, event, place).map_err(|_| code::INVALID)
    })
}

pub(in super::super) extern "C-unwind" fn event_copy(given: Handle, buffer: *mut c_void) -> c_int {
    with_event(given, |state, event| {
        let mut stored = Element::ALL.iter().map(|one| one.store_within(state, event, buffer));
        stored.try_for_each(|done| done).map_err(|_| code::INVALID)
    })
}

pub(in super::super) extern "C-unwind" fn event_get_timestamp(
    given: Handle,
    place: *mut i64,
) -> c_int {
    with_event(given, |_, event| put(place, event.time.as_ps() as i64).map_err(|_| code::INVALID))
}

pub(in super::super) extern "C-unwind" fn event_get_source(
    given: Handle,
    place: *mut c_int,
) -> c_int {
    with_event(given, |_, _| put(place, 0).map_err(|_| code::INVALID))
}
