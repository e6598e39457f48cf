//! Layers between a program and MPI.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use mpi_api::{
    api::{
        ANY_SOURCE, ANY_TAG, Threading,
        collective::SystemOperation,
        initialize, initialize_with_threading,
        profile::{Answer, Call, Layer, control, pop, push},
        request::scope,
        thread, time,
        topology::{Adjacency, Color, SimpleCommunicator},
        traits::*,
    },
    error::{ErrorClass, ErrorHandler},
    outcome::Ending,
    settings::Buffering,
};

use super::{go, holds, settings};

/// Writes down what it sees, under its name.
struct Log(&'static str, Rc<RefCell<Vec<String>>>);

impl Log {
    fn say(&self, what: &str, of: impl std::fmt::Display) {
        self.1.borrow_mut().push(format!("{} {what} {of}", self.0));
    }
}

impl Layer for Log {
    fn before(&self, call: &Call) {
        self.say("before", call.function);
    }

    fn after(&self, call: &Call, _: &Answer<'_>) {
        self.say("after", call.function);
    }

    fn control(&self, level: i32) {
        self.say("control", level);
    }
}

/// Asks for the time before each call, and passes levels on one higher.
struct Asking;

impl Layer for Asking {
    fn before(&self, _: &Call) {
        time();
    }

    fn control(&self, level: i32) {
        control(level + 1);
    }
}

#[test]
fn the_layer_pushed_last_is_the_first_to_see_a_call_and_the_last_to_see_its_return() {
    holds(2, || {
        let universe = initialize().expect("once");
        let seen = Rc::default();
        push(Log("low", Rc::clone(&seen)));
        push(Log("high", Rc::clone(&seen)));
        universe.world().barrier();
        let barrier = ["high before", "low before", "low after", "high after"]
            .map(|s| s.to_string() + " MPI_Barrier");
        assert_eq!(seen.take(), barrier);
    });
}

#[test]
fn what_a_layer_calls_goes_to_the_levels_below_alone() {
    holds(1, || {
        let universe = initialize().expect("once");
        let seen = Rc::default();
        push(Log("low", Rc::clone(&seen)));
        push(Asking);
        push(Log("high", Rc::clone(&seen)));
        universe.world().barrier();
        let low =
            ["before MPI_Wtime", "after MPI_Wtime", "before MPI_Barrier", "after MPI_Barrier"];
        let mut expected = vec!["high before MPI_Barrier".to_owned()];
        expected.extend(low.map(|s| format!("low {s}")));
        expected.push("high after MPI_Barrier".into());
        assert_eq!(seen.take(), expected);
        control(3);
        assert_eq!(seen.take(), ["high control 3", "low control 4", "low control 3"]);
    });
}

#[test]
fn control_without_a_layer_does_nothing() {
    control(0);
    holds(2, || {
        control(0);
        let universe = initialize().expect("once");
        control(2);
        assert!(pop().is_none());
        universe.world().barrier();
        let seen = Rc::default();
        push(Log("only", Rc::clone(&seen)));
        assert!(pop().is_some() && pop().is_none());
        control(2);
        universe.world().barrier();
        assert!(seen.take().is_empty());
    });
}

/// Keeps a communicator, and tells when it is gone.
struct Keeping(SimpleCommunicator, Rc<Cell<u32>>);

impl Layer for Keeping {
    fn after(&self, call: &Call, _: &Answer<'_>) {
        self.1.set(self.1.get() + u32::from(call.function == "MPI_Finalize"));
    }
}

impl Drop for Keeping {
    fn drop(&mut self) {
        assert_eq!(self.0.rank(), 0);
        self.1.set(self.1.get() + 10);
    }
}

#[test]
fn a_layer_sees_finalize_and_is_gone_then() {
    holds(1, || {
        let seen = Rc::new(Cell::new(0));
        let universe = initialize().expect("once");
        push(Keeping(universe.world(), Rc::clone(&seen)));
        drop(universe);
        assert_eq!(seen.get(), 11);
    });
}

/// What every call and its return say of themselves.
#[derive(Default)]
struct Facts(RefCell<Vec<(Call, u64, Option<(i32, i32)>, u64)>>);

impl Layer for Facts {
    fn after(&self, call: &Call, answer: &Answer<'_>) {
        assert_eq!(answer.time.since(call.time), answer.took);
        let line = (call.clone(), answer.bytes, answer.message, answer.took.as_ps());
        self.0.borrow_mut().push(line);
    }
}

#[test]
fn calls_tell_whom_they_mean_and_what_they_carry() {
    holds(2, || {
        let universe = initialize().expect("once");
        let world = universe.world();
        let facts = push(Facts::default());
        let other = world.process_at_rank(1 - world.rank());
        if world.rank() == 0 {
            world.compute(1e-3);
            other.send_with_tag(&[1i32, 2, 3], 7);
        } else {
            world.any_process().receive_vec::<i32>();
        }
        world.process_at_rank(1).broadcast_into(&mut 0u8);
        let facts = facts.0.take();
        let named: Vec<&str> = facts.iter().map(|(call, ..)| call.function).collect();
        if world.rank() == 0 {
            assert_eq!(named, ["MPI_Send", "MPI_Bcast"]);
            let (send, got, _, _) = &facts[0];
            assert_eq!((send.peer, send.tag, send.bytes, *got), (Some(1), Some(7), 12, 0));
            assert_eq!(send.time.as_ps(), 1_000_000_000);
            assert!(send.site.is_some_and(|site| site.file.ends_with("profile.rs")));
        } else {
            assert_eq!(named, ["MPI_Mprobe", "MPI_Mrecv", "MPI_Bcast"]);
            let (probe, _, found, took) = &facts[0];
            assert_eq!((probe.peer, probe.tag), (Some(ANY_SOURCE), Some(ANY_TAG)));
            assert_eq!((*found, *took), (Some((0, 7)), 1_001_000_000));
            assert_eq!((facts[1].1, facts[1].2), (12, Some((0, 7))));
        }
        assert_eq!(facts.last().map(|(call, ..)| call.peer), Some(Some(1)));
    });
}

#[test]
fn a_failed_call_says_so() {
    #[derive(Default)]
    struct Failed(Cell<bool>);
    impl Layer for Failed {
        fn after(&self, _: &Call, answer: &Answer<'_>) {
            self.0.set(answer.error.is_some());
        }
    }
    holds(2, || {
        let universe = initialize().expect("once");
        let world = universe.world();
        world.set_error_handler(ErrorHandler::Return);
        let failed = push(Failed::default());
        if world.rank() == 0 {
            world.process_at_rank(1).send(&[0i32; 3]);
        } else {
            world.process_at_rank(0).receive_into(&mut [0i32; 2][..]);
            assert!(failed.0.get() && world.take_error().is_some());
        }
        pop();
    });
}

fn exchange(layers: usize) {
    let universe = initialize().expect("once");
    (0..layers).for_each(|_| _ = push(Facts::default()));
    let world = universe.world();
    let (rank, size) = (world.rank(), world.size());
    let mut got = 0;
    scope(|scope| {
        let to = world.process_at_rank((rank + 1) % size);
        let send = to.immediate_send(scope, &rank);
        let mut receive = world.any_process().immediate_receive_into(scope, &mut got);
        loop {
            match receive.test() {
                Ok(_) => break,
                Err(open) => receive = open,
            }
        }
        send.wait();
    });
    let mut sum = 0;
    world.all_reduce_into(&got, &mut sum, SystemOperation::sum());
    assert_eq!(sum, size * (size - 1) / 2);
}

#[test]
fn layers_that_only_look_change_nothing() {
    let run = |layers: usize| {
        let result = go(settings(5, Buffering::zero()), move || exchange(layers));
        assert_eq!(result.ending, Ending::Completed, "{:?}", result.findings);
        (result.digest, result.makespan, result.events)
    };
    assert_eq!(run(0), run(1));
    assert_eq!(run(0), run(3));
}

#[test]
fn a_thread_may_call_while_another_waits_in_a_hook() {
    /// Before each send, receives: through the levels below.
    struct Waiting(SimpleCommunicator, Rc<RefCell<Vec<String>>>);
    impl Layer for Waiting {
        fn before(&self, call: &Call) {
            self.1.borrow_mut().push(format!("{} {:?}", call.function, call.tag));
            if (call.function, call.tag) == ("MPI_Isend", Some(1)) {
                let (value, _) = self.0.process_at_rank(0).receive_with_tag::<i32>(2);
                assert_eq!(value, 5);
            }
        }
    }
    holds(1, || {
        let (universe, _) = initialize_with_threading(Threading::Multiple).expect("once");
        let world = universe.world();
        let seen = Rc::default();
        push(Waiting(universe.world(), Rc::clone(&seen)));
        let mine = universe.world();
        let other = thread::spawn(move || {
            mine.compute(1e-3);
            scope(|scope| {
                let send = mine.process_at_rank(0).immediate_send_with_tag(scope, &5, 2);
                send.wait();
            });
        });
        scope(|scope| {
            let send = world.process_at_rank(0).immediate_send_with_tag(scope, &6, 1);
            let (value, _) = world.process_at_rank(0).receive_with_tag::<i32>(1);
            send.wait();
            assert_eq!(value, 6);
        });
        other.join();
        let seen = seen.take();
        assert_eq!(seen[..2], ["MPI_Isend Some(1)", "MPI_Isend Some(2)"], "{seen:?}");
        assert!(!seen.contains(&"MPI_Recv Some(2)".into()), "{seen:?}");
    });
}

#[test]
fn hooks_do_not_run_while_a_program_is_unwound() {
    struct Angry;
    impl Layer for Angry {
        fn before(&self, call: &Call) {
            assert_ne!(call.function, "MPI_Finalize", "it never gets there");
        }
    }
    let result = go(settings(2, Buffering::zero()), || {
        let universe = initialize().expect("once");
        push(Angry);
        universe.world().barrier();
        assert!(universe.world().rank() > 0, "rank 0 fails here");
        universe.world().barrier();
    });
    assert_eq!(result.ending, Ending::Failed);
    assert!(result.findings[0].message.contains("rank 0 fails here"), "{:?}", result.findings);
}

#[test]
fn every_topology_is_made_by_one_function_under_its_name() {
    holds(4, || {
        let universe = initialize().expect("once");
        let (world, seen) = (universe.world(), Rc::default());
        push(Log("it", Rc::clone(&seen)));
        let sees = |name: &str| {
            let calls = ["before", "after"].map(|when| format!("it {when} {name}"));
            let free = ["before", "after"].map(|when| format!("it {when} MPI_Comm_free"));
            let shown = seen.take();
            assert_eq!(shown[..2], calls, "{name}");
            assert!(shown.len() == 2 || shown[2..] == free, "{name}: {shown:?}");
        };
        let (dims, index, edges) = ([2, 2], [1, 2, 3, 4], [1, 0, 3, 2]);
        for reorder in [false, true] {
            let grid = world.create_cartesian_communicator(&dims, &[true; 2], reorder);
            sees("MPI_Cart_create");
            let grid = grid.expect("all fit");
            grid.subgroup(&[true, false]);
            sees("MPI_Cart_sub");
            drop(grid);
            seen.take();
            world.create_graph_communicator(&index, &edges, reorder);
            sees("MPI_Graph_create");
            let next = Adjacency { sources: vec![0], destinations: vec![0], ..Default::default() };
            let next = if world.rank() == 0 { next } else { Adjacency::default() };
            world.create_adjacent_graph_communicator(next, reorder);
            sees("MPI_Dist_graph_create_adjacent");
            world.create_distributed_graph_communicator(&[(0, 1, 1)], true, reorder);
            sees("MPI_Dist_graph_create");
        }
        world.cartesian_map(&dims, &[true; 2]);
        sees("MPI_Cart_map");
        world.graph_map(&index, &edges);
        sees("MPI_Graph_map");
        world.split_shared(0);
        sees("MPI_Comm_split_type");
        world.split_by_color(Color::with_value(0));
        sees("MPI_Comm_split");
    });
}

#[test]
fn a_topology_that_is_refused_is_seen_with_its_error() {
    /// The functions that failed, with the classes of their errors.
    #[derive(Default)]
    struct Refused(RefCell<Vec<(&'static str, ErrorClass)>>);
    impl Layer for Refused {
        fn after(&self, call: &Call, answer: &Answer<'_>) {
            self.0.borrow_mut().extend(answer.error.map(|error| (call.function, error.class)));
        }
    }
    holds(2, || {
        let universe = initialize().expect("once");
        let world = universe.world();
        world.set_error_handler(ErrorHandler::Return);
        let refused = push(Refused::default());
        assert!(world.create_cartesian_communicator(&[3], &[true], true).is_none());
        assert!(world.create_cartesian_communicator(&[2], &[true], true).is_some());
        assert!(world.graph_map(&[1], &[5]).is_none());
        assert_eq!(world.take_error().map(|error| error.class), Some(ErrorClass::Arg));
        let seen = [("MPI_Cart_create", ErrorClass::Dims), ("MPI_Graph_map", ErrorClass::Arg)];
        assert_eq!(refused.0.take(), seen);
    });
}
