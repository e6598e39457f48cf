//! Wrong arguments, as a program sees them that asks for its errors, and as findings.

use mpi_api::{
    api::{
        PROC_NULL,
        collective::{SystemOperation, reduce_local_into},
        datatype::{MutView, UserDatatype, View},
        initialize,
        point_to_point::send_receive_with_tags,
        request::{PersistentRequest, StaticScope, scope},
        spawn::Command,
        topology::{CartesianCommunicator, Color, SimpleCommunicator, UserGroup},
        traits::*,
    },
    error::ErrorClass,
    error::ErrorHandler,
    finding::Code,
    outcome::Ending,
    settings::Buffering,
};

use crate::{go, holds, only_finding, settings};

/// The class of the error that `call` leaves.
fn class(world: &SimpleCommunicator, call: impl FnOnce()) -> Option<ErrorClass> {
    assert!(world.take_error().is_none(), "no error before");
    call();
    world.take_error().map(|error| error.class)
}

#[test]
fn arguments_are_checked() {
    holds(2, || {
        let universe = initialize().expect("once");
        let world = universe.world();
        world.set_error_handler(ErrorHandler::Return);
        let me = world.this_process();
        let of = |call: &dyn Fn()| class(&world, call);
        assert_eq!(of(&|| me.send_with_tag(&1, -1)), Some(ErrorClass::Tag));
        assert_eq!(of(&|| world.process_at_rank(9).send(&1)), Some(ErrorClass::Rank));
        assert_eq!(of(&|| world.process_at_rank(-7).send(&1)), Some(ErrorClass::Rank));
        let null = || {
            me.immediate_send_with_tag(StaticScope, &1, -5).wait();
        };
        assert_eq!(of(&null), Some(ErrorClass::Tag));
        let bits = || world.all_reduce_into(&1.0, &mut 0.0, SystemOperation::bitwise_and());
        assert_eq!(of(&bits), Some(ErrorClass::Op));
        let small = || world.all_gather_into(&[1, 2][..], &mut [0; 2][..]);
        assert_eq!(of(&small), Some(ErrorClass::Truncate));
        let grid = || drop(world.create_cartesian_communicator(&[2, 2], &[true; 2], false));
        assert_eq!(of(&grid), Some(ErrorClass::Dims));
        let byte = u8::equivalent_datatype();
        let negative = || drop(UserDatatype::vector(1, -1, 1, &byte));
        assert_eq!(of(&negative), Some(ErrorClass::Count));
        let full = || {
            world.pack_into(&1u64, &mut [0; 4], 0);
        };
        assert_eq!(of(&full), Some(ErrorClass::Truncate));
    });
}

/// The message of the first finding about a program.
fn told(ranks: u32, program: fn(&SimpleCommunicator)) -> String {
    let result = go(settings(ranks, Buffering::infinite()), move || {
        let universe = initialize().expect("once");
        program(&universe.world());
    });
    result.findings.first().expect("a finding").message.clone()
}

#[test]
fn blocks_do_not_end_inside_elements() {
    type Call = fn(&SimpleCommunicator);
    let calls: [(Call, &str); 7] = [
        (|world| world.all_to_all_into(&[0; 7][..], &mut [0; 8][..]), "send buffer has 7 elements"),
        (
            |world| world.all_to_all_into(&[0; 8][..], &mut [0; 7][..]),
            "receive buffer has 7 elements",
        ),
        (
            |world| world.all_gather_into(&[0_u8; 7][..], &mut [0; 7][..]),
            "receive buffer has 7 elements",
        ),
        (
            |world| {
                world
                    .process_at_rank(world.rank())
                    .scatter_into_root(&[0; 7][..], &mut [0_u8; 7][..])
            },
            "send buffer has 7 elements",
        ),
        (
            |world| {
                world
                    .process_at_rank(world.rank())
                    .gather_into_root(&[0_u8; 7][..], &mut [0; 7][..])
            },
            "receive buffer has 7 elements",
        ),
        (
            |world| world.all_gather_into(&[0; 3][..], &mut [[0; 6]; 2][..]),
            "receive buffer has 2 elements",
        ),
        (
            |world| {
                let mut into = [(0_u8, 0_u8); 6];
                scope(|scope| {
                    let from = &[(0_u8, 0_u8); 4][..];
                    world.immediate_all_to_all_into(scope, from, &mut into[..]).wait();
                });
            },
            "receive buffer has 6 elements",
        ),
    ];
    for (call, which) in calls {
        let text = told(4, call);
        let why = format!("MPI_ERR_COUNT: the {which}, which are no equal blocks for 4 ranks");
        assert!(text.ends_with(&why), "{text}");
    }
    let short = told(4, |world| world.all_gather_into(&[0; 2][..], &mut [0; 4][..]));
    assert!(
        short.ends_with("the rank sends itself 2 x MPI_INT32_T and has room for 1 x MPI_INT32_T"),
        "{short}"
    );
}

#[test]
fn an_array_is_divided_between_its_elements() {
    holds(2, || {
        let universe = initialize().expect("once");
        let world = universe.world();
        let mut all = [-1; 2];
        world.all_gather_into(&world.rank(), &mut all);
        assert_eq!(all, [0, 1]);
        let mut pairs = [(0_u8, 0.0); 2];
        world.all_gather_into(&(7_u8, f64::from(world.rank())), &mut pairs);
        assert_eq!(pairs, [(7, 0.0), (7, 1.0)]);
    });
    // Blocks of such arrays are compared like others.
    let other = told(2, |world| world.all_gather_into(&(0_u8, 0.0), &mut [(0.0, 0_u8); 2]));
    let types = ["1 x MPI_UINT8_T, 1 x MPI_DOUBLE", "1 x MPI_DOUBLE, 1 x MPI_UINT8_T"];
    let why = format!("sends {} where rank 0 expects {}", types[0], types[1]);
    assert!(other.contains(&why), "{other}");
}

#[test]
fn a_reduction_has_one_type() {
    holds(2, || {
        let universe = initialize().expect("once");
        let world = universe.world();
        world.set_error_handler(ErrorHandler::Return);
        let (ints, mut floats) = ([1; 4], [0.5_f32; 4]);
        let sum = SystemOperation::sum;
        let found = |found: Option<ErrorClass>| assert_eq!(found, Some(ErrorClass::Type));
        let me = world.process_at_rank(world.rank());
        found(class(&world, || world.all_reduce_into(&ints[..], &mut floats[..], sum())));
        found(class(&world, || world.scan_into(&ints[..], &mut [0_u32; 4][..], sum())));
        found(class(&world, || world.exclusive_scan_into(&ints[..], &mut floats[..], sum())));
        found(class(&world, || me.reduce_into_root(&ints[..], &mut floats[..], sum())));
        found(class(&world, || {
            world.reduce_scatter_block_into(&ints[..], &mut floats[..2], sum());
        }));
        found(class(&world, || {
            world.reduce_scatter_into(&ints[..], &[2, 2], &mut floats[..2], sum());
        }));
        found(class(&world, || {
            scope(|scope| {
                let into = &mut floats[..];
                world.immediate_all_reduce_into(scope, &ints[..], into, sum()).wait();
            });
        }));
        found(class(&world, || world.all_reduce_init(&ints[..], &floats[..], sum()).free()));
        assert_eq!(floats, [0.5; 4], "no bits of integers");
        let short = class(&world, || world.all_reduce_into(&ints[..], &mut [0; 3][..], sum()));
        assert_eq!(short, Some(ErrorClass::Count));
        let mut longer = [7; 3];
        world.reduce_scatter_into(&ints[..], &[2, 2], &mut longer[..], sum());
        assert_eq!((longer, world.take_error().is_none()), ([2, 2, 7], true), "it may be longer");
    });
    let text = told(2, |world| {
        world.all_reduce_into(&[1; 4][..], &mut [0.0_f32; 4][..], SystemOperation::sum());
    });
    let why = "all_reduce on rank 0 failed with MPI_ERR_TYPE: 4 x MPI_INT32_T to reduce, room for 4 x MPI_FLOAT";
    assert_eq!(text, why);
}

#[test]
fn a_type_that_overlaps_is_sent_but_not_received() {
    holds(1, || {
        let universe = initialize().expect("once");
        let world = universe.world();
        world.set_error_handler(ErrorHandler::Return);
        let twice = UserDatatype::vector(2, 2, 1, &i32::equivalent_datatype());
        let mut memory = [1, 2, 3];
        world.this_process().immediate_send(StaticScope, &5i8).free();
        assert_eq!(world.this_process().receive::<i8>().0, 5);
        assert_eq!(world.pack(&View::checked(&memory, 1, &twice).expect("inside")).len(), 16);
        let mut view = MutView::checked(&mut memory, 1, &twice).expect("inside");
        let null = world.null_process();
        let found = class(&world, || {
            null.receive_into(&mut view);
        });
        assert_eq!(found, Some(ErrorClass::Type));
    });
}

#[test]
fn truth_values_stay_truth_values() {
    holds(2, || {
        let universe = initialize().expect("once");
        let world = universe.world();
        let mut all = [true; 2];
        world.all_gather_into(&(world.rank() == 1), &mut all[..]);
        assert_eq!(all, [false, true]);
        let mut either = false;
        world.all_reduce_into(
            &all[world.rank() as usize],
            &mut either,
            SystemOperation::logical_or(),
        );
        assert!(either);
    });
}

#[test]
fn an_aborted_program_fails() {
    let result = go(settings(2, crate::Buffering::infinite()), || {
        let universe = initialize().expect("once");
        if universe.world().rank() == 1 {
            universe.world().abort(3);
        }
        universe.world().barrier();
    });
    assert_eq!(result.ending, Ending::Failed);
}

#[test]
fn what_is_never_given_back_is_found() {
    let request = only_finding(1, || {
        let universe = initialize().expect("once");
        let world = universe.world();
        drop(world.this_process().immediate_send(StaticScope, &1));
        world.this_process().receive::<i32>();
    });
    assert_eq!(request, Code::RequestLeak);
    let short = only_finding(2, || {
        let universe = initialize().expect("once");
        let world = universe.world();
        if world.rank() == 0 {
            world.process_at_rank(1).send(&[0u8; 0][..]);
        } else {
            world.process_at_rank(0).receive::<u8>();
        }
    });
    assert_eq!(short, Code::Panicked);
}

#[test]
fn what_is_left_behind_at_one_line_is_one_finding() {
    let result = go(settings(4, crate::Buffering::infinite()), || {
        let universe = initialize().expect("once");
        let world = universe.world();
        if world.rank() != 2 {
            for _ in 0..50 {
                drop(world.this_process().immediate_send(StaticScope, &0));
                world.this_process().receive::<i32>();
            }
        }
        std::mem::forget(world.duplicate());
    });
    let told: Vec<_> =
        result.findings.iter().map(|f| (f.message.as_str(), &f.ranks[..], f.count)).collect();
    let expected = [
        ("ranks 0, 1 and 3 end with 150 requests that were never completed", &[0, 1, 3][..], 150),
        ("ranks 0 to 3 end with 4 communicators that were never freed", &[0, 1, 2, 3], 4),
    ];
    assert_eq!(told, expected);
    assert!(result.findings.iter().all(|finding| finding.sites.len() == 1));
}

#[test]
fn the_root_calls_the_form_that_has_its_buffer() {
    type Call = fn(&SimpleCommunicator);
    let calls: [Call; 4] = [
        |world| world.process_at_rank(0).gather_into(&1),
        |world| world.process_at_rank(0).gather_varcount_into(&1),
        |world| world.process_at_rank(0).scatter_into(&mut 1),
        |world| world.process_at_rank(0).reduce_into(&1, SystemOperation::sum()),
    ];
    for call in calls {
        let result = go(settings(2, Buffering::infinite()), move || {
            let universe = initialize().expect("once");
            call(&universe.world());
        });
        let finding = &result.findings[0];
        assert_eq!((finding.code, &finding.ranks[..]), (Code::InvalidArgument, &[0][..]));
        assert!(finding.message.contains("form of the other ranks"), "{finding:?}");
    }
}

#[test]
fn a_persistent_send_has_the_data_that_it_was_created_for() {
    type Start = fn(&mut PersistentRequest);
    let wrong: [(Start, &str); 3] = [
        (|it| it.start(), "MPI_ERR_COUNT: there are no data"),
        (|it| it.start_with(&[0.0_f32; 4]), "MPI_ERR_TYPE: the data are 4 x MPI_FLOAT"),
        (|it| it.start_with(&[1_i32; 3]), "MPI_ERR_COUNT: the data are 3 x MPI_INT32_T"),
    ];
    for (start, why) in wrong {
        let result = go(settings(1, Buffering::infinite()), move || {
            let universe = initialize().expect("once");
            let world = universe.world();
            start(&mut world.this_process().send_init(&[0_i32; 4], 0));
        });
        let finding = &result.findings[0];
        assert_eq!(finding.code, Code::InvalidArgument, "{finding:?}");
        let why = format!("{why}, and the request was created with 4 x MPI_INT32_T");
        assert!(finding.message.contains(&why), "{finding:?}");
    }
}

#[test]
fn a_persistent_receive_has_the_buffer_that_it_was_created_for() {
    holds(1, || {
        let universe = initialize().expect("once");
        let world = universe.world();
        world.set_error_handler(ErrorHandler::Return);
        let me = world.this_process();
        let mut request = me.receive_init(&[0; 4][..], 0);
        let (mut ints, mut floats) = ([9; 5], [0.5_f32; 4]);
        let data = [1, 2, 3, 4];
        let mut round = |wait: &mut dyn FnMut(&mut PersistentRequest)| {
            request.start();
            scope(|scope| me.immediate_send(scope, &data[..]).wait());
            class(&world, || wait(&mut request))
        };
        let other = round(&mut |it| _ = it.wait_into(&mut floats[..]));
        assert_eq!(other, Some(ErrorClass::Type));
        let other = round(&mut |it| while it.test_into(&mut floats[..]).is_none() {});
        assert_eq!(other, Some(ErrorClass::Type));
        for count in [2, 5] {
            let other = round(&mut |it| _ = it.wait_into(&mut ints[..count]));
            assert_eq!(other, Some(ErrorClass::Count));
        }
        assert_eq!((ints, floats), ([9; 5], [0.5; 4]), "they keep their contents");
        assert_eq!(round(&mut |it| _ = it.wait_into(&mut ints[1..])), None);
        assert_eq!(ints, [9, 1, 2, 3, 4]);
        request.free();
    });
}

#[test]
fn members_of_groups_are_members_once() {
    type Build = fn(&UserGroup);
    let wrong: [(Build, &str); 4] = [
        (|all| drop(all.include(&[0, 0])), "rank 0 is listed twice"),
        (|all| drop(all.include(&[7])), "rank 7 is out of range: allowed are 0 to 1"),
        (|all| drop(all.translate_ranks(&[-1], all)), "rank -1 is out of range"),
        (|all| drop(all.include_ranges(&[(0, 1, 0)])), "a stride of zero"),
    ];
    for (build, text) in wrong {
        let result = go(settings(2, Buffering::infinite()), move || {
            let universe = initialize().expect("once");
            build(&universe.world().group());
        });
        let finding = &result.findings[0];
        assert!(finding.message.contains(text), "{finding:?}");
        let mut files = finding.sites.iter().filter_map(|site| site.site);
        assert!(files.any(|site| site.file.ends_with("errors.rs")), "{finding:?}");
    }
}

#[test]
fn a_message_of_the_null_process_is_none() {
    holds(1, || {
        let universe = initialize().expect("once");
        let world = universe.world();
        let (message, status) = world.null_process().matched_probe();
        assert!(message.is_no_proc());
        assert_eq!(status.source_rank(), PROC_NULL);
        message.matched_receive_into(&mut [0_i32; 2]);
    });
}

/// Wrong arguments, and the name of the call that a finding about them begins with.
type Wrong = (&'static str, fn(&SimpleCommunicator));

const WRONG_MESSAGES: [Wrong; 9] = [
    ("send", |world| world.this_process().send_with_tag(&1, -5)),
    ("ready_send", |world| world.this_process().ready_send_with_tag(&1, -5)),
    ("immediate_synchronous_send", |world| {
        world.this_process().immediate_synchronous_send_with_tag(StaticScope, &1, -5).wait();
    }),
    ("send_init", |world| world.this_process().send_init(&1, -5).free()),
    ("receive", |world| _ = world.this_process().receive_with_tag::<i32>(-5)),
    ("immediate_receive", |world| {
        drop(world.this_process().immediate_receive_with_tag::<i32>(-5));
    }),
    ("immediate_probe", |world| _ = world.this_process().immediate_probe_with_tag(-5)),
    ("send_receive", |world| {
        let me = world.this_process();
        _ = send_receive_with_tags::<_, _, i32, _>(&1, &me, -5, &me, 0);
    }),
    ("start", |world| world.this_process().send_init(&1, 0).start()),
];

const WRONG_COLLECTIVES: [Wrong; 7] = [
    ("gather", |world| world.this_process().gather_into_root(&1, &mut [0_i16; 1][..])),
    ("all_gather", |world| world.all_gather_into(&1, &mut [0; 2][..])),
    ("all_to_all", |world| {
        let mut into = [0; 2];
        scope(|scope| {
            world.immediate_all_to_all_into(scope, &1, &mut into[..]).wait();
        });
    }),
    ("all_reduce", |world| world.all_reduce_into(&1, &mut 0_i64, SystemOperation::sum())),
    ("scan", |world| world.scan_init(&1.5, &0.0, SystemOperation::bitwise_or()).free()),
    ("reduce", |world| world.this_process().reduce_into(&1, SystemOperation::sum())),
    ("reduce_local", |_| reduce_local_into(&1.5, &mut 0.0, SystemOperation::bitwise_or())),
];

const WRONG_OBJECTS: [Wrong; 10] = [
    ("split", |world| drop(world.split_by_color(Color::with_value(-1)))),
    ("create_cartesian_communicator", |world| {
        drop(world.create_cartesian_communicator(&[2, 2], &[true; 2], false));
    }),
    ("create_graph_communicator", |world| {
        drop(world.create_graph_communicator(&[1], &[7], false));
    }),
    ("balance", |world| CartesianCommunicator::balance(world, &mut [-1, 0])),
    ("create_intercommunicator", |world| {
        drop(world.create_intercommunicator(-1, None, 0));
    }),
    ("vector", |_| drop(UserDatatype::vector(1, -1, 1, &u8::equivalent_datatype()))),
    ("pack_into", |world| _ = world.pack_into(&1_u64, &mut [0; 4], 0)),
    ("pack_size", |world| _ = world.pack_size(-1, &u8::equivalent_datatype())),
    ("spawn", |world| drop(world.process_at_rank(5).spawn(&Command::new(|| {}), 1))),
    ("accumulate", |world| {
        world.with_window(&mut [0.0], |window| {
            window.fence().accumulate(0, 0, &[1.5], SystemOperation::bitwise_or());
        });
    }),
];

#[test]
fn wrong_arguments_are_those_of_a_call_with_its_name_and_line() {
    for (call, program) in [&WRONG_MESSAGES[..], &WRONG_COLLECTIVES, &WRONG_OBJECTS].concat() {
        let result = go(settings(1, Buffering::infinite()), move || {
            let universe = initialize().expect("once");
            program(&universe.world());
            unreachable!("the run is over");
        });
        let [finding] = &result.findings[..] else { panic!("{call}: {:?}", result.findings) };
        let told = format!("{call} on rank 0 failed with MPI_ERR_");
        assert!(finding.message.starts_with(&told), "{call}: {}", finding.message);
        let [place] = &finding.sites[..] else { panic!("{call}: {finding:?}") };
        let line = place.site.is_some_and(|site| site.line > 0 && site.file == file!());
        assert!(place.call == call && line, "{place:?}");
    }
}
