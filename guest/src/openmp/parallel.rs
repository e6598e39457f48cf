//! Parallel regions (OpenMP 5.2, section 10.1).

use std::{ffi::c_uint, rc::Rc};

use super::{
    pace::catch_up,
    pool::{self, Crew, Job},
    present::{Present, present, set_present, settings},
    settings::Controls,
    team::{Member, Team},
    work::{call, until},
};
use crate::libc::thread::{self, Why};

/// A region that has begun on the calling thread.
pub(super) struct Region {
    /// What the thread did before.
    before: Present,
    here: Present,
    crew: Crew,
    why: Why,
}

/// Regions that were begun by `GOMP_parallel_start`, whose end is another call.
#[derive(Default)]
struct Open(std::cell::RefCell<Vec<Region>>);

/// The name of a region in findings.
const NAME: &str = "omp parallel";

/// Returns the number of threads that a region gets which asks for `wanted`, or for none in particular
/// (0) (OpenMP 5.2, section 10.1.1).
fn threads(before: &Present, wanted: u32) -> u32 {
    let controls = before.task.controls.get();
    let wanted = if wanted == 0 { controls.threads } else { wanted };
    if wanted <= 1 || before.member.team.active >= controls.levels {
        return 1;
    }
    let used = pool::busy() + 1;
    wanted.min(controls.limit.saturating_sub(used).saturating_add(1)).max(1)
}

/// Returns what the tasks of a new region begin with.
fn inherited(before: &Present) -> Controls {
    let list = &settings(thread::caller().0).threads;
    let mut controls = before.task.controls.get();
    let level = before.member.team.level as usize + 1;
    if let Some(threads) = list.get(level) {
        controls.threads = *threads;
    }
    controls
}

/// Begins a region with a function of the program: its other threads may run from now on, and the
/// calling thread is its first. `enter` sees each member before any of them runs.
pub(super) fn begin(
    (function, data): (usize, usize),
    wanted: u32,
    enter: impl Fn(&Rc<Member>),
) -> Region {
    let why = Why::here(NAME);
    let before = present();
    let size = threads(&before, wanted);
    let crew = if size > 1 && !thread::caller().0.is_lent() {
        pool::hire(size - 1)
    } else {
        Crew::default()
    };
    let controls = inherited(&before);
    let above = Some(Rc::clone(&before.member));
    let team = Rc::new(Team::new(crew.size() + 1, above, controls));
    let member = Rc::new(Member::new(Rc::clone(&team), 0));
    enter(&member);
    if crew.size() > 0 {
        crew.work(|number| {
            let member = Rc::new(Member::new(Rc::clone(&team), number));
            enter(&member);
            Job { member, function, data }
        });
    }
    let task = team.implicit_task();
    let here = Present { member, task };
    set_present(Some(here.clone()));
    Region { before, here, crew, why }
}

impl Region {
    /// Returns the number of its threads.
    pub(super) fn size(&self) -> u32 {
        self.here.member.team.size
    }

    /// Waits until all threads and tasks of the region have ended.
    pub(super) fn end(self) {
        let Self { before, here, crew, why } = self;
        catch_up();
        let team = &here.member.team;
        here.task.depends.borrow_mut().clear();
        team.ended.set(team.ended.get() + 1);
        until(&here, (team.end_key(), &why), || team.is_finished(), |_| true);
        crew.dismiss();
        set_present(Some(before));
    }
}

/// Executes a function of the program as a region.
pub(super) fn run(
    (function, data): (usize, usize),
    wanted: u32,
    enter: impl Fn(&Rc<Member>),
) -> u32 {
    let region = begin((function, data), wanted, enter);
    call(function, data);
    let size = region.size();
    region.end();
    size
}

/// Begins a region whose end is a call of [`end`].
pub(super) fn start(body: (usize, usize), wanted: c_uint, enter: impl Fn(&Rc<Member>)) {
    let region = begin(body, wanted, enter);
    thread::caller().1.state::<Open>().0.borrow_mut().push(region);
}

extern "C-unwind" fn parallel(function: usize, data: usize, wanted: c_uint, _flags: c_uint) {
    run((function, data), wanted, |_| {});
}

extern "C-unwind" fn parallel_start(function: usize, data: usize, wanted: c_uint) {
    start((function, data), wanted, |_| {});
}

extern "C-unwind" fn end() {
    let region = thread::caller().1.state::<Open>().0.borrow_mut().pop();
    if let Some(region) = region {
        region.end();
    }
}

pub(super) fn waiting() -> Vec<(&'static str, usize)> {
    vec![
        ("GOMP_parallel", parallel as *const () as usize),
        ("GOMP_parallel_start", parallel_start as *const () as usize),
        ("GOMP_parallel_end", end as *const () as usize),
    ]
}
