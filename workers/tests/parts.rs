//! Parts of a piece of work are counted while the piece is under way. Without the usual harness, whose
//! threads a process that forks must not have.

use std::{cell::RefCell, rc::Rc};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::write,
    pipe::pipe,
};
use workers::{Failure, Settings, Work, Workers, part_is_done};

/// Time after which a piece of work no longer waits for the answer to its parts, seconds.
const PATIENCE: i64 = 20;

fn main() {
    let (answered, answer) = pipe().expect("a pipe");
    let told = Rc::new(RefCell::new(Vec::new()));
    let record = Rc::clone(&told);
    let workers = Workers::forked(Settings {
        parallel: 1,
        deadline: None,
        surroundings: false,
        show: false,
        keep_files: None,
        prepare: || {},
        substitute: |_| {},
        at_exit: String::new,
        tick: Box::new(move |done, _| {
            if done == 2 && !record.borrow().contains(&2) {
                write(&answer, b".").expect("the other end is open");
            }
            record.borrow_mut().push(done);
        }),
    });
    let in_parts = || {
        part_is_done();
        part_is_done();
        let patience = Timespec { tv_sec: PATIENCE, tv_nsec: 0 };
        let mut list = [PollFd::new(&answered, PollFlags::IN)];
        let was_counted = poll(&mut list, Some(&patience)).is_ok_and(|ready| ready == 1);
        part_is_done();
        was_counted
    };
    // A piece whose process fails counts, too.
    let fails = || std::process::exit(3);
    // A lock that its only thread holds already: it would wait for ever.
    let stuck = || {
        let lock = std::sync::Mutex::new(());
        let _held = lock.lock();
        lock.lock().is_ok()
    };
    let bodies: [Box<dyn FnOnce() -> bool + '_>; 4] =
        [Box::new(in_parts), Box::new(|| true), Box::new(fails), Box::new(stuck)];
    let works = bodies.into_iter().map(|body| Work { name: "work".into(), shown: false, body });
    let done = workers.run(works.collect());
    assert_eq!(done[0].result, Ok(true), "two parts are counted before their piece has ended");
    assert_eq!(done[1].result, Ok(true));
    assert!(done[2].result.is_err(), "it has exited");
    assert_eq!(done[3].result, Err(Failure::Stuck));
    let told = told.borrow();
    assert!(told.is_sorted(), "{told:?}");
    assert_eq!(told.last(), Some(&6), "three parts and three pieces: {told:?}");
}
