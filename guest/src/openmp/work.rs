//! Threads execute tasks while they wait, and wait when there are none.
#![allow(unsafe_code, reason = "calls functions of programs")]

use std::{cell::Cell, rc::Rc};

use super::{
    block::Block,
    pace::catch_up,
    present::{Present, present, set_task},
    task::{Body, Event, Group, Task},
    team::Team,
};
use crate::libc::thread::{self, Why};

/// Calls a function of the program that takes an address.
pub(super) fn call(function: usize, data: usize) {
    // SAFETY: the compiler passes such a function with its argument.
    let function =
        unsafe { std::mem::transmute::<usize, unsafe extern "C-unwind" fn(usize)>(function) };
    // SAFETY: as above.
    unsafe { function(data) };
}

/// Returns the body of a task with a copy of its data, made by the function `copy` if it is not 0.
///
/// # Safety
/// The compiler passes the data of a task with their size and alignment.
pub(super) unsafe fn body(
    (function, data, copy): (usize, usize, usize),
    bytes: usize,
    align: usize,
) -> Body {
    let block = Block::new(bytes, align);
    if copy == 0 {
        // SAFETY: guaranteed by the caller.
        unsafe { block.fill(data, bytes) };
    } else {
        // SAFETY: the compiler passes a function that copies the data.
        let copy = unsafe {
            std::mem::transmute::<usize, unsafe extern "C-unwind" fn(usize, usize)>(copy)
        };
        // SAFETY: as above.
        unsafe { copy(block.start(), data) };
    }
    Body { function, data: block.start(), _block: Some(block) }
}

fn add(cell: &Cell<usize>, more: isize) {
    cell.set(cell.get().saturating_add_signed(more));
}

/// Counts a new task of the calling thread.
pub(super) fn count(team: &Team, task: &Task) {
    add(&team.open, 1);
    if let Some(above) = task.above.borrow().as_ref() {
        add(&above.children, 1);
    }
    if let Some(group) = &task.group {
        add(&group.open, 1);
    }
}

/// Makes a task available to the team, and wakes a thread for it if one waits.
pub(super) fn make_ready(team: &Team, task: Rc<Task>) {
    let above = task.above.borrow().as_ref().map(|above| above.key());
    let groups: Vec<usize> = Group::chain(task.group.as_ref()).map(|group| group.key()).collect();
    team.ready.borrow_mut().push(task, team.reversed);
    let keys = [team.work_key(), team.end_key()].into_iter().chain(above).chain(groups);
    for key in keys {
        if thread::wake(key, 1) > 0 {
            return;
        }
    }
}

/// Executes a task on the calling thread.
pub(super) fn execute(here: &Present, task: &Rc<Task>) {
    let team = &here.member.team;
    if let Some(body) = task.body.take() {
        let cancelled = Group::chain(task.group.as_ref()).any(|group| group.cancelled.get());
        if !cancelled && !team.cancelled.get() {
            set_task(Rc::clone(task));
            call(body.function, body.data);
            catch_up();
            set_task(Rc::clone(&here.task));
        }
    }
    if task.event.get() == Event::Open {
        task.event.set(Event::Awaited);
    } else {
        complete(team, task);
    }
}

/// Records that a task is complete, and wakes those that wait for it.
pub(super) fn complete(team: &Team, task: &Rc<Task>) {
    task.is_complete.set(true);
    task.depends.borrow_mut().clear();
    add(&team.open, -1);
    for follower in task.followers.take() {
        add(&follower.missing, -1);
        if follower.missing.get() > 0 {
            continue;
        }
        if follower.body.borrow().is_some() {
            make_ready(team, follower);
        } else {
            thread::wake(follower.key(), usize::MAX);
        }
    }
    if let Some(above) = task.above.take() {
        add(&above.children, -1);
        if above.children.get() == 0 {
            thread::wake(above.key(), usize::MAX);
        }
    }
    if let Some(group) = &task.group {
        add(&group.open, -1);
        if group.open.get() == 0 {
            thread::wake(group.key(), usize::MAX);
        }
    }
    if team.open.get() == 0 {
        release(team);
        if team.is_finished() {
            thread::wake(team.end_key(), usize::MAX);
        }
    }
}

/// Ends the present barrier of a team if all threads have arrived and all tasks are complete.
pub(super) fn release(team: &Team) -> bool {
    let ends = team.arrived.get() == team.size && team.open.get() == 0;
    if ends {
        team.arrived.set(0);
        team.rounds.set(team.rounds.get() + 1);
        thread::wake(team.work_key(), usize::MAX);
    }
    ends
}

/// Executes tasks that `fits` accepts until `done`; waits at `key` when there are none.
pub(super) fn until(
    here: &Present,
    (key, why): (usize, &Why),
    done: impl Fn() -> bool,
    fits: impl Fn(&Task) -> bool,
) {
    let team = &here.member.team;
    while !done() {
        let task = team.ready.borrow_mut().take(&fits);
        match task {
            Some(task) => execute(here, &task),
            None => _ = thread::wait(key, why),
        }
    }
}

/// Waits until the children of the present task are complete, and executes them.
pub(super) fn wait_for_children(here: &Present, why: &Why) {
    catch_up();
    let task = &here.task;
    until(here, (task.key(), why), || task.children.get() == 0, |other| other.is_child_of(task));
}

/// Waits for all threads of the team, and executes its tasks. Returns true if the region is cancelled.
pub(super) fn barrier(here: &Present, why: &Why) -> bool {
    let team = &here.member.team;
    catch_up();
    if team.cancelled.get() {
        return true;
    }
    let round = team.rounds.get();
    team.arrived.set(team.arrived.get() + 1);
    if !release(team) {
        let done = || team.rounds.get() != round || team.cancelled.get();
        until(here, (team.work_key(), why), done, |_| true);
    }
    team.cancelled.get()
}

/// Waits in a barrier whose place is that of the call of the running function.
pub(super) fn barrier_in(call: &'static str) -> bool {
    let why = Why::here(call);
    barrier(&present(), &why)
}
