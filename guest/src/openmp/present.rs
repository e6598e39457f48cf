//! The member of a team and the task that a thread is executing, and the settings of its rank.

use std::{
    cell::{OnceCell, RefCell},
    rc::Rc,
};

use super::{
    environment,
    settings::{Settings, Show},
    show,
    task::Task,
    team::{Member, Team},
};
use crate::libc::{host::Stream, rank::Rank, surroundings, thread};

/// What a thread is doing.
#[derive(Clone)]
pub(super) struct Present {
    pub(super) member: Rc<Member>,
    pub(super) task: Rc<Task>,
}

/// What a thread is doing, once it has used OpenMP.
type Own = RefCell<Option<Present>>;

/// The settings of a rank.
#[derive(Default)]
struct Configuration(OnceCell<Settings>);

/// Returns what the calling thread is doing. A thread outside any region is the only member of a team.
pub(super) fn present() -> Present {
    let (rank, thread) = thread::caller();
    let own = thread.state::<Own>();
    if let Some(present) = own.borrow().as_ref() {
        return present.clone();
    }
    let controls = settings(rank).common;
    let member = Rc::new(Member::new(Rc::new(Team::new(1, None, controls)), 0));
    let present = Present { member, task: Rc::new(Task::new(controls)) };
    own.replace(Some(present.clone()));
    present
}

/// Records what the calling thread is doing from now on.
pub(super) fn set_present(present: Option<Present>) {
    thread::caller().1.state::<Own>().replace(present);
}

/// Records the task that the calling thread executes from now on.
pub(super) fn set_task(task: Rc<Task>) {
    if let Some(present) = thread::caller().1.state::<Own>().borrow_mut().as_mut() {
        present.task = task;
    }
}

/// Returns the settings of a rank, which are read from its environment when it begins.
pub(super) fn settings(rank: &Rank) -> &Settings {
    let configuration = rank.state::<Configuration>();
    configuration.0.get_or_init(|| {
        let (settings, complaints) = environment::read(surroundings::variable);
        for complaint in complaints {
            if show::is_new(&complaint) {
                let text = format!("windtunnel: {complaint}\n");
                rank.write(Stream::Error, text.as_bytes());
            }
        }
        if settings.show != Show::Nothing {
            let text = show::environment(&settings, settings.show == Show::All);
            rank.write(Stream::Error, text.as_bytes());
        }
        settings
    })
}

/// Reads the settings of a program that uses OpenMP, when it begins.
pub(crate) fn begin(rank: &Rank) {
    settings(rank);
}
