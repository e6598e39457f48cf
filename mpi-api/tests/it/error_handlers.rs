//! Error handlers that are functions, and the program's own classes, codes and texts.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use mpi_api::{
    api::{
        environment::Universe,
        error::{
            LASTCODE, add_error_class, add_error_code, add_error_string, error_class, error_string,
            last_used_code, remove_error_class, remove_error_code, remove_error_string,
        },
        initialize,
        request::scope,
        topology::{Color, SimpleCommunicator},
        traits::*,
    },
    error::{ErrorClass, ErrorHandler},
    finding::Code,
    settings::Buffering,
};

use crate::{go, holds, settings};

/// A handler that writes down the codes it hears of.
fn noting(heard: &Rc<RefCell<Vec<i32>>>) -> ErrorHandler {
    let heard = Rc::clone(heard);
    ErrorHandler::new(move |error| heard.borrow_mut().push(error.code))
}

/// A universe whose world has such a handler.
fn heard_world() -> (Universe, SimpleCommunicator, Rc<RefCell<Vec<i32>>>) {
    let universe = initialize().expect("once");
    let (world, heard) = (universe.world(), Rc::default());
    world.set_error_handler(noting(&heard));
    (universe, world, heard)
}

#[test]
fn a_function_hears_of_each_error_once_and_the_call_returns_it() {
    holds(2, || {
        let (_universe, world, heard) = heard_world();
        world.process_at_rank(9).send(&1);
        assert_eq!(world.take_error().map(|error| error.class), Some(ErrorClass::Rank));
        world.this_process().immediate_send(mpi_api::api::request::StaticScope, &[0u8; 3]).free();
        world.this_process().receive_into(&mut [0u8; 2][..]);
        assert_eq!(world.take_error().map(|error| error.class), Some(ErrorClass::Truncate));
        let codes = [ErrorClass::Rank.code(), ErrorClass::Truncate.code()];
        assert_eq!(heard.take(), codes);
    });
}

#[test]
fn the_function_hears_when_the_request_is_completed() {
    holds(2, || {
        let (_universe, world, heard) = heard_world();
        let other = world.process_at_rank(1 - world.rank());
        let mut room = [0u8; 2];
        scope(|scope| {
            let receive = other.immediate_receive_into(scope, &mut room[..]);
            other.send(&[1u8, 2, 3]);
            assert!(heard.borrow().is_empty(), "not before");
            receive.wait();
        });
        assert_eq!(heard.take(), [ErrorClass::Truncate.code()]);
        assert_eq!(room, [1, 2], "as much as there is room for");
    });
}

#[test]
fn a_new_communicator_has_the_handler_of_its_parent() {
    holds(4, || {
        let (_universe, world, heard) = heard_world();
        let part = world.split_by_color(Color::with_value(world.rank() % 2)).expect("a part");
        let grid = part.create_cartesian_communicator(&[2], &[true], true).expect("all fit");
        let twin = grid.duplicate();
        assert_eq!(twin.error_handler(), world.error_handler());
        twin.process_at_rank(5).send(&1);
        assert_eq!(heard.take(), [ErrorClass::Rank.code()]);
        world.set_error_handler(ErrorHandler::Return);
        assert_ne!(twin.error_handler(), ErrorHandler::Return, "each has its own");
        part.process_at_rank(5).send(&1);
        assert_eq!(heard.take(), [ErrorClass::Rank.code()]);
        world.process_at_rank(5).send(&1);
        assert!(heard.take().is_empty());
        assert_eq!(SimpleCommunicator::self_comm().error_handler(), ErrorHandler::Fatal);
    });
}

#[test]
fn a_function_may_call_mpi_and_hold_communicators() {
    holds(2, || {
        let universe = initialize().expect("once");
        let (world, told) = (universe.world(), Rc::new(Cell::new(false)));
        let (twin, mark) = (world.duplicate(), Rc::clone(&told));
        world.set_error_handler(ErrorHandler::new(move |error| {
            twin.barrier();
            assert_eq!(error.class, ErrorClass::Tag);
            twin.set_error_handler(ErrorHandler::new(|_| {}));
            mark.set(true);
        }));
        world.process_at_rank(0).send_with_tag(&1, -5);
        assert!(told.get() && world.take_error().is_some());
    });
}

#[test]
fn a_program_raises_errors_of_its_own() {
    holds(1, || {
        let (_universe, world, heard) = heard_world();
        let class = add_error_class();
        let code = add_error_code(class).expect("a class");
        add_error_string(code, "the table is full").expect("its own");
        world.call_error_handler(code);
        world.call_error_handler(ErrorClass::Io.code());
        world.call_error_handler(0);
        assert_eq!(heard.take(), [code, ErrorClass::Io.code()]);
        assert!(world.take_error().is_none(), "the call itself has not failed");
        world.call_error_handler(code + 1);
        assert_eq!(heard.take(), [ErrorClass::Arg.code()]);
        assert_eq!(world.take_error().map(|error| error.class), Some(ErrorClass::Arg));
    });
}

#[test]
fn classes_codes_and_texts_are_added_and_removed() {
    assert_eq!(error_class(ErrorClass::Tag.code()), Ok(Some(ErrorClass::Tag)));
    holds(2, || {
        let universe = initialize().expect("once");
        assert_eq!(last_used_code(), LASTCODE);
        let class = add_error_class();
        let code = add_error_code(class).expect("a class");
        assert_eq!((error_class(code), last_used_code()), (Ok(Some(class)), code));
        assert_eq!(error_string(code).as_deref(), Ok(""));
        add_error_string(code, "too late").expect("its own");
        assert_eq!(error_string(code).as_deref(), Ok("too late"));
        assert_eq!(error_string(4).as_deref(), Ok("MPI_ERR_TAG: invalid tag"));
        assert!(remove_error_class(class).is_err(), "it has a code");
        remove_error_string(code).expect("its own");
        assert_eq!(error_string(code).as_deref(), Ok(""));
        remove_error_code(code).expect("its own");
        remove_error_class(class).expect("it has no code");
        assert!(error_class(code).is_err() && add_error_code(class).is_err());
        drop(universe);
    });
}

#[test]
fn errors_are_fatal_unless_something_else_was_asked_for() {
    let result = go(settings(1, Buffering::infinite()), || {
        let universe = initialize().expect("once");
        let class = add_error_class();
        add_error_string(class.code(), "out of paper").expect("its own");
        universe.world().call_error_handler(class.code());
        unreachable!("the run is over");
    });
    let [finding] = &result.findings[..] else { panic!("{:?}", result.findings) };
    assert_eq!(finding.code, Code::InvalidArgument);
    assert!(finding.message.contains("call_error_handler on rank 0"), "{}", finding.message);
    assert!(finding.message.ends_with("of the program: out of paper"), "{}", finding.message);
}

#[test]
fn the_handler_that_ended_a_run_is_named() {
    for (handler, name) in
        [(ErrorHandler::Fatal, "MPI_ERRORS_ARE_FATAL"), (ErrorHandler::Abort, "MPI_ERRORS_ABORT")]
    {
        let result = go(settings(1, Buffering::infinite()), move || {
            let universe = initialize().expect("once");
            universe.world().set_error_handler(handler);
            assert_eq!(universe.world().error_handler(), handler);
            universe.world().call_error_handler(ErrorClass::Arg.code());
            unreachable!("the run is over");
        });
        let [finding] = &result.findings[..] else { panic!("{:?}", result.findings) };
        assert!(finding.notes[0].contains(name), "{:?}", finding.notes);
    }
}
