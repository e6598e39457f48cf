//! Creation of tasks, and what waits for them (OpenMP 5.2, chapter 12 and section 15.5).
#![allow(unsafe_code, reason = "reads what compiled code passes with a task")]

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    ffi::{c_int, c_long, c_uint},
    rc::Rc,
};

use super::{
    pace::catch_up,
    present::{Present, present, settings},
    reduction,
    task::{Body, Event, Group, Task, depend::Use},
    team::Team,
    work::{self, complete, count, execute, make_ready, until},
};
use crate::libc::{
    ending::Ending,
    thread::{self, Why},
};

/// Flags of a task, as gcc passes them.
pub(super) mod flag {
    pub(in crate::openmp) const FINAL: u32 = 1 << 1;
    pub(in crate::openmp) const DEPEND: u32 = 1 << 3;
    pub(in crate::openmp) const UP: u32 = 1 << 8;
    pub(in crate::openmp) const GRAINSIZE: u32 = 1 << 9;
    pub(in crate::openmp) const IF: u32 = 1 << 10;
    pub(in crate::openmp) const NOGROUP: u32 = 1 << 11;
    pub(in crate::openmp) const REDUCTION: u32 = 1 << 12;
    pub(in crate::openmp) const DETACH: u32 = 1 << 13;
    pub(in crate::openmp) const STRICT: u32 = 1 << 14;
}

/// Tasks ready for each thread from which on new ones are executed at once: queues stay short.
const READY_MAX: usize = 64;

/// Tasks that a thread executes inside each other from which on it puts new ones off: a chain of tasks
/// that each create the next must not use up the stack.
const DEPTH_MAX: u32 = 128;

/// Number of tasks that a thread executes inside each other, because it executed them at once.
#[derive(Default)]
struct Depth(Cell<u32>);

/// Tasks whose event has not been fulfilled, by handle, with their teams.
#[derive(Default)]
struct Events(RefCell<BTreeMap<usize, (Rc<Task>, Rc<Team>)>>);

/// What a task is created with.
pub(super) struct Creation {
    /// The function, its data, and the function that copies them or 0.
    pub(super) code: (usize, usize, usize),
    pub(super) bytes: usize,
    pub(super) align: usize,
    /// Whether the program allows that it is executed later.
    pub(super) may_wait: bool,
    pub(super) flags: u32,
    pub(super) priority: u32,
    /// The function with a copy of the data, if there is one already.
    pub(super) body: Option<Body>,
}

/// Reads the addresses that a task depends on and how it uses them.
///
/// Compiled code passes words: the number of addresses, the number of those that are written, and the
/// addresses, the written ones first. Or 0, the number of addresses, the numbers of those that are
/// written, used exclusively and read, and the addresses in this order, followed by addresses of
/// dependence objects: an address and its kind.
///
/// # Safety
/// The program passes such words.
unsafe fn uses(words: *const usize) -> Vec<(usize, Use)> {
    // SAFETY: guaranteed by the caller.
    let word = |index: usize| unsafe { words.add(index).read() };
    let first = word(0);
    if first > 0 {
        let written = word(1);
        let kind = |index| if index < written { Use::Out } else { Use::In };
        return (0..first).map(|index| (word(2 + index), kind(index))).collect();
    }
    let (all, exclusive) = (word(1), word(2) + word(3));
    let read = exclusive + word(4);
    let one = |index: usize| {
        let address = word(5 + index);
        if index < exclusive {
            (address, Use::Out)
        } else if index < read {
            (address, Use::In)
        } else {
            let object = address as *const usize;
            // SAFETY: as above.
            let (address, kind) = unsafe { (object.read(), object.add(1).read()) };
            let kind = match kind {
                1 => Use::In,
                5 => Use::InOutSet,
                _ => Use::Out,
            };
            (address, kind)
        }
    };
    (0..all).map(one).collect()
}

/// Lets a task, or the present one if there is none, wait for those before it at these addresses.
/// Returns the tasks to wait for.
fn depend(above: &Task, uses: &[(usize, Use)], task: Option<&Rc<Task>>) -> Vec<Rc<Task>> {
    let mut awaited: Vec<Rc<Task>> = Vec::new();
    let mut depends = above.depends.borrow_mut();
    for (address, kind) in uses {
        for other in depends.add((*address, *kind), task, |other| other.is_complete.get()) {
            let own = task.is_some_and(|task| Rc::ptr_eq(task, &other));
            if !own && !awaited.iter().any(|known| Rc::ptr_eq(known, &other)) {
                awaited.push(other);
            }
        }
    }
    awaited
}

/// Creates a task; executes it at once if it must not wait.
///
/// # Safety
/// The program passes the data of the task, its dependences, and a variable for its event.
pub(super) unsafe fn create(
    here: &Present,
    mut creation: Creation,
    depends: *const usize,
    event: *mut usize,
    why: &Why,
) {
    catch_up();
    let (team, above) = (&here.member.team, &here.task);
    let group = above.inner.borrow().clone();
    let is_cancelled = Group::chain(group.as_ref()).any(|group| group.cancelled.get());
    if is_cancelled || team.cancelled.get() {
        return;
    }
    let largest = settings(thread::caller().0).priorities;
    let task = Rc::new(Task {
        above: RefCell::new(Some(Rc::clone(above))),
        inner: RefCell::new(group.clone()),
        group,
        is_final: above.is_final || creation.flags & flag::FINAL != 0,
        priority: creation.priority.min(largest),
        ..Task::new(above.controls.get())
    });
    let (function, data, copy) = creation.code;
    if creation.flags & flag::DETACH != 0 {
        open_event(&task, team, event, data);
    }
    if creation.flags & flag::DEPEND != 0 {
        // SAFETY: guaranteed by the caller.
        let uses = unsafe { uses(depends) };
        let awaited = depend(above, &uses, Some(&task));
        task.missing.set(awaited.len());
        awaited.iter().for_each(|other| other.followers.borrow_mut().push(Rc::clone(&task)));
    }
    count(team, &task);
    let many = team.ready.borrow().len() >= READY_MAX * team.size as usize;
    let at_once = !creation.may_wait || above.is_final;
    let ready = task.missing.get() == 0;
    let shallow = thread::caller().1.state::<Depth>().0.get() < DEPTH_MAX;
    let now = at_once || ready && shallow && (team.size == 1 || many);
    if now {
        let done = || task.missing.get() == 0;
        until(here, (task.key(), why), done, |other| other.is_child_of(above));
    }
    let body = match creation.body.take() {
        Some(body) => body,
        // Code that runs now uses the data where they are.
        None if now && copy == 0 => Body { function, data, _block: None },
        // SAFETY: guaranteed by the caller.
        None => unsafe { work::body(creation.code, creation.bytes, creation.align) },
    };
    task.body.replace(Some(body));
    if now {
        execute_now(here, &task, why);
    } else if ready {
        make_ready(team, task);
    }
}

/// Executes a new task, and after the outermost one those that were put off: outside a region nothing
/// else executes them.
fn execute_now(here: &Present, task: &Rc<Task>, why: &Why) {
    let team = &here.member.team;
    let depth = &thread::caller().1.state::<Depth>().0;
    depth.set(depth.get() + 1);
    execute(here, task);
    if depth.get() == 1 && team.size == 1 {
        let none = || team.ready.borrow().len() == 0;
        until(here, (here.task.key(), why), none, |_| true);
    }
    depth.set(depth.get() - 1);
}

/// Gives a task an event, whose handle compiled code expects in the variable and in the first word of
/// the task's data.
fn open_event(task: &Rc<Task>, team: &Rc<Team>, event: *mut usize, data: usize) {
    task.event.set(Event::Open);
    let handle = task.key();
    // SAFETY: the program passes both.
    unsafe {
        event.write(handle);
        if data != 0 {
            (data as *mut usize).write(handle);
        }
    }
    let events = thread::caller().0.state::<Events>();
    events.0.borrow_mut().insert(handle, (Rc::clone(task), Rc::clone(team)));
}

pub(super) extern "C-unwind" fn fulfill(handle: usize) {
    catch_up();
    let known = thread::caller().0.state::<Events>().0.borrow_mut().remove(&handle);
    let Some((task, team)) = known else {
        let text = "it fulfills an event (omp_fulfill_event) that no task is detached with";
        thread::caller().0.finish(Ending::Refused(text.to_string()));
    };
    if task.event.replace(Event::Settled) == Event::Awaited {
        complete(&team, &task);
    }
}

unsafe extern "C-unwind" fn task(
    function: usize,
    data: usize,
    copy: usize,
    bytes: c_long,
    align: c_long,
    may_wait: bool,
    flags: c_uint,
    depends: *const usize,
    priority: c_int,
    event: *mut usize,
) {
    let why = Why::here("omp task depend");
    let creation = Creation {
        code: (function, data, copy),
        bytes: bytes as usize,
        align: align as usize,
        may_wait,
        flags,
        priority: priority.max(0) as u32,
        body: None,
    };
    // SAFETY: the arguments are passed on.
    unsafe { create(&present(), creation, depends, event, &why) };
}

extern "C-unwind" fn taskwait() {
    let why = Why::here("omp taskwait");
    work::wait_for_children(&present(), &why);
}

/// Waits until the tasks that use some addresses are complete.
pub(super) unsafe extern "C-unwind" fn taskwait_depend(words: *const usize) {
    let why = Why::here("omp taskwait depend");
    let here = present();
    // SAFETY: compiled code passes dependences.
    let awaited = depend(&here.task, &unsafe { uses(words) }, None);
    let marker =
        Rc::new(Task { missing: Cell::new(awaited.len()), ..Task::new(here.task.controls.get()) });
    awaited.iter().for_each(|other| other.followers.borrow_mut().push(Rc::clone(&marker)));
    let done = || marker.missing.get() == 0;
    until(&here, (marker.key(), &why), done, |other| other.is_child_of(&here.task));
}

/// Lets other threads run, and executes a task that the present one has created.
extern "C-unwind" fn taskyield() {
    let here = present();
    let mine = here.member.team.ready.borrow_mut().take(|other| other.is_child_of(&here.task));
    match mine {
        Some(task) => execute(&here, &task),
        None => thread::give_way(),
    }
}

extern "C-unwind" fn taskgroup_start() {
    present().task.enter_group(None);
}

extern "C-unwind" fn taskgroup_end() {
    let why = Why::here("the end of omp taskgroup");
    end_group(&present(), &why);
}

/// Waits for the tasks of the innermost group and ends it.
fn end_group(here: &Present, why: &Why) {
    let Some(group) = here.task.inner.borrow().clone() else { return };
    let of_group = |other: &Task| {
        Group::chain(other.group.as_ref()).any(|candidate| Rc::ptr_eq(candidate, &group))
    };
    until(here, (group.key(), why), || group.open.get() == 0, of_group);
    here.task.leave_group();
}

/// Creates the tasks of a loop. If they are `grouped`, it waits for them; then they may have reductions,
/// with a description that is not 0.
pub(super) fn in_group(
    here: &Present,
    (grouped, description): (bool, usize),
    why: &Why,
    create_all: impl FnOnce(),
) {
    if !grouped {
        create_all();
        return;
    }
    here.task.enter_group(None);
    if description != 0 {
        reduction::register(here, description);
    }
    create_all();
    end_group(here, why);
}

pub(super) fn waiting() -> Vec<(&'static str, usize)> {
    vec![
        ("GOMP_task", task as *const () as usize),
        ("GOMP_taskwait", taskwait as *const () as usize),
        ("GOMP_taskwait_depend", taskwait_depend as *const () as usize),
        ("GOMP_taskyield", taskyield as *const () as usize),
        ("GOMP_taskgroup_start", taskgroup_start as *const () as usize),
        ("GOMP_taskgroup_end", taskgroup_end as *const () as usize),
        ("omp_fulfill_event", fulfill as *const () as usize),
        // Fortran passes the handle itself, too.
        ("omp_fulfill_event_", fulfill as *const () as usize),
    ]
}
