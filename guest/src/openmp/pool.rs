//! The threads that execute parallel regions besides the thread that begins them. They stay when a
//! region ends and are used again: the thread with the lowest number first, so that a region's threads
//! find their `threadprivate` variables as the region before left them.
#![allow(unsafe_code, reason = "passes the record of a thread through an address")]

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    rc::Rc,
};

use super::{
    pace::catch_up,
    present::{Present, set_present, settings},
    team::Member,
    work::{call, execute},
};
use crate::libc::thread::{self, Why};

/// A thread that executes the regions of others.
struct Worker {
    thread: Cell<u32>,
    /// What it is to execute next.
    job: RefCell<Option<Job>>,
    /// The key at which it waits for a job.
    rests: Cell<usize>,
}

/// The function that a member of a team executes, and its argument.
pub(super) struct Job {
    pub(super) member: Rc<Member>,
    pub(super) function: usize,
    pub(super) data: usize,
}

/// The workers of a rank that have no job, by number.
#[derive(Default)]
pub(super) struct Pool {
    idle: RefCell<BTreeMap<u32, Rc<Worker>>>,
    /// Number of workers that have a job.
    busy: Cell<u32>,
}

/// The workers of one region.
#[derive(Default)]
pub(super) struct Crew(Vec<Rc<Worker>>);

/// Returns the workers of the rank.
fn pool<'a>() -> &'a Pool {
    thread::caller().0.state()
}

/// Returns the number of threads that the rank's regions use besides those that begin them.
pub(super) fn busy() -> u32 {
    pool().busy.get()
}

/// Takes `count` workers, or as many as there is memory for.
pub(super) fn hire(count: u32) -> Crew {
    let pool = pool();
    let mut crew = Vec::new();
    while crew.len() < count as usize {
        let idle = pool.idle.borrow_mut().pop_first();
        let Some(worker) = idle.map(|(_, worker)| worker).or_else(begin) else { break };
        crew.push(worker);
    }
    pool.busy.set(pool.busy.get() + crew.len() as u32);
    Crew(crew)
}

/// Starts a thread; it waits for its first job.
fn begin() -> Option<Rc<Worker>> {
    let worker =
        Rc::new(Worker { thread: Cell::new(0), job: RefCell::new(None), rests: Cell::new(0) });
    let stack = settings(thread::caller().0).stack;
    let word = Rc::into_raw(Rc::clone(&worker)) as usize;
    let number = thread::begin_worker(serve as *const () as usize, word, stack);
    let Some(number) = number else {
        // SAFETY: the address comes from `into_raw`, and no thread has got it.
        drop(unsafe { Rc::from_raw(word as *const Worker) });
        return None;
    };
    worker.thread.set(number);
    Some(worker)
}

impl Crew {
    pub(super) fn size(&self) -> u32 {
        self.0.len() as u32
    }

    /// Gives each of the workers a job and wakes them.
    pub(super) fn work(&self, mut job: impl FnMut(u32) -> Job) {
        let mut woken = Vec::new();
        for (number, worker) in (1..).zip(&self.0) {
            worker.job.replace(Some(job(number)));
            if thread::leave_queue(worker.rests.get(), worker.thread.get()) {
                woken.push(worker.thread.get());
            }
        }
        thread::let_go(woken);
    }

    /// Returns the workers, whose region has ended, to the rank.
    pub(super) fn dismiss(self) {
        let pool = pool();
        pool.busy.set(pool.busy.get() - self.size());
        let workers = self.0.into_iter().map(|worker| (worker.thread.get(), worker));
        pool.idle.borrow_mut().extend(workers);
    }
}

/// The function of a worker's thread.
unsafe extern "C-unwind" fn serve(word: usize) -> usize {
    // SAFETY: `begin` passes the address from `into_raw`.
    let worker = unsafe { Rc::from_raw(word as *const Worker) };
    let idle = Why::idle("the next parallel region");
    let mut last: Option<Present> = None;
    loop {
        let job = worker.job.take();
        if let Some(Job { member, function, data }) = job {
            let task = member.team.implicit_task();
            let here = Present { member, task };
            set_present(Some(here.clone()));
            call(function, data);
            leave(&here);
            last = Some(here);
        }
        let task =
            last.as_ref().and_then(|here| here.member.team.ready.borrow_mut().take(|_| true));
        match (&last, task) {
            (Some(here), Some(task)) => execute(here, &task),
            (here, _) => {
                // A team is kept until the next job, so that no other one has the same key.
                let key = here.as_ref().map_or(word, |here| here.member.team.work_key());
                worker.rests.set(key);
                if worker.job.borrow().is_none() {
                    thread::wait(key, &idle);
                }
            }
        }
    }
}

/// Records that a member has finished its part of a region.
pub(super) fn leave(here: &Present) {
    catch_up();
    let team = &here.member.team;
    here.task.depends.borrow_mut().clear();
    team.ended.set(team.ended.get() + 1);
    if team.is_finished() {
        thread::wake(team.end_key(), usize::MAX);
    }
}
