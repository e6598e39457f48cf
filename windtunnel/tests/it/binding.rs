//! Names of the binding, with what they do.
#![allow(unsafe_code, reason = "buffers are made of addresses, as in rsmpi")]

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use windtunnel::{
    Run,
    mpi::{
        self, MpiError,
        collective::{SystemOperation, UserOperation},
        datatype::{DynBuffer, DynBufferMut, Partition},
        error::ErrorHandler,
        topology::{SimpleCommunicator, SystemCommunicator},
        traits::*,
    },
};

#[derive(Clone, Debug, PartialEq)]
struct Step(Vec<i32>);

impl CommAttribute for Step {
    const CLONE_ON_DUP: bool = true;
}

#[derive(Clone, Debug, PartialEq)]
struct Here(i32);

impl CommAttribute for Here {}

#[test]
fn communicators_keep_values_by_type() {
    let report = Run::new(3).check(|world: &SimpleCommunicator| {
        let mut mine = world.duplicate();
        assert_eq!(mine.get_attr::<Step>(), None);
        mine.set_attr(Step(vec![world.rank()]));
        mine.set_attr(Here(1));
        mine.set_attr(Here(2));
        let (step, here) = (mine.get_attr::<Step>(), mine.get_attr::<Here>());
        assert_eq!((step, here), (Some(&Step(vec![world.rank()])), Some(&Here(2))));
        let copy = mine.duplicate();
        assert_eq!((copy.get_attr::<Step>(), copy.get_attr::<Here>()), (step, None));
        drop(mine);
        assert_eq!(copy.get_attr::<Step>(), Some(&Step(vec![world.rank()])));
        assert_eq!(world.get_attr::<Step>(), None);
    });
    report.assert_clean();
}

#[test]
fn buffers_of_a_type_known_at_run_time() {
    let finished = Run::new(2).run(|world| {
        let mut values = [1.5f64, 2.5, 3.5];
        let datatype = f64::equivalent_datatype();
        if world.rank() == 0 {
            world.process_at_rank(1).send(&DynBuffer::new(&values[..]));
            // SAFETY: the array is there, and of that type.
            let two = unsafe { DynBuffer::from_raw(values.as_ptr(), 2, datatype) };
            assert_eq!((two.len(), two.is::<f64>(), two.is::<i64>()), (2, true, false));
            assert_eq!(two.as_ptr(), values.as_ptr().cast());
            world.process_at_rank(1).send(&two);
            return 0.0;
        }
        let zero = world.process_at_rank(0);
        zero.receive_into(&mut DynBufferMut::new(&mut values[..]));
        // SAFETY: as above, and the array is not used otherwise.
        let mut all = unsafe { DynBufferMut::from_raw(values.as_mut_ptr(), 3, datatype) };
        assert_eq!(all.as_mut_ptr().cast_const(), all.as_ptr());
        zero.receive_into(&mut all);
        assert!(all.reborrow().downcast::<u8>().is_none());
        all.reborrow_mut().downcast::<f64>().expect("they are")[0] += 1.0;
        all.downgrade().downcast::<f64>().expect("they are").iter().sum()
    });
    assert_eq!(finished.values, [0.0, 8.5]);
}

#[test]
fn operands_of_an_operation_are_such_buffers() {
    let finished = Run::new(4).run(|world| {
        let add = UserOperation::commutative(|x, mut y| {
            let x = x.downcast::<u64>().expect("they are");
            let y = y.reborrow_mut().downcast::<u64>().expect("they are");
            x.iter().zip(y).for_each(|(x, y)| *y += x);
        });
        let mut sum = [0u64; 2];
        world.all_reduce_into(&[world.rank() as u64, 1][..], &mut sum[..], &add);
        sum
    });
    assert_eq!(finished.values, [[6, 4]; 4]);
}

#[test]
fn an_operation_that_is_not_commutative_or_associative_is_told() {
    let check = |commutative: bool| {
        let report = windtunnel::check(3, move |world| {
            let combine = |x: DynBuffer<'_>, mut y: DynBufferMut<'_>| {
                let x = x.downcast::<i32>().expect("they are");
                let y = y.reborrow_mut().downcast::<i32>().expect("they are");
                x.iter().zip(y).for_each(|(x, y)| *y = x - *y);
            };
            let minus = match commutative {
                true => UserOperation::commutative(combine),
                false => UserOperation::associative(combine),
            };
            let mut difference = 0;
            world.all_reduce_into(&world.rank(), &mut difference, &minus);
        });
        report.findings.iter().map(|finding| finding.message.clone()).collect::<Vec<_>>()
    };
    let told = check(true);
    assert!(told[0].contains("created as commutative and is not"), "{told:?}");
    let told = check(false);
    assert!(told[0].contains("an operation that is not associative"), "{told:?}");
}

#[test]
fn a_buffer_that_stays_attached_is_detached_at_the_end() {
    let program = || {
        let mut universe = mpi::initialize().expect("the first time");
        assert!(mpi::is_initialized() && !mpi::is_finalized());
        universe.set_buffer_size(1 << 12);
        let world: SystemCommunicator = universe.world();
        let other = world.process_at_rank(1 - world.rank());
        other.buffered_send(&world.rank());
        assert_eq!(other.receive::<i32>().0, other.rank());
    };
    windtunnel::check_of(2, Arc::new(program)).assert_clean();
}

#[test]
fn a_wrong_partition_says_what_is_wrong() {
    let told = |counts: &'static [i32], displs: &'static [i32]| {
        let make = || _ = Partition::new(&[0; 4][..], counts, displs);
        let panic = catch_unwind(AssertUnwindSafe(make)).expect_err("it panics");
        *panic.downcast::<String>().expect("a text")
    };
    assert_eq!(
        told(&[1, 1], &[0, 4]),
        "part 1 of a partition lies outside of its buffer: count 1 and displacement 4 need 5 elements, \
         and the buffer has 4"
    );
    assert_eq!(told(&[-1], &[0]), "part 0 of a partition has a negative count: -1");
    assert_eq!(told(&[1], &[-2]), "part 0 of a partition has a negative displacement: -2");
    assert_eq!(
        told(&[1, 1], &[0]),
        "a partition needs a displacement for each count; 2 counts and 1 displacement were given"
    );
}

#[test]
fn a_communicator_may_be_used_where_a_panic_is_caught() {
    let finished = Run::new(2).run(|world| {
        let caught = catch_unwind(|| {
            assert_ne!(world.rank(), 1, "on purpose");
            world.rank()
        });
        world.barrier();
        caught.is_ok()
    });
    assert_eq!(finished.values, [true, false]);
}

#[test]
fn errors_have_a_name_at_the_root() {
    let finished = Run::new(1).run(|world| {
        world.set_error_handler(ErrorHandler::Return);
        world.process_at_rank(7).send(&1);
        let error: Option<MpiError> = world.take_error();
        error.map(|error| error.code)
    });
    let code: Option<mpi::Error> = finished.values[0];
    assert!(code.is_some());
}

#[test]
fn to_initialize_outside_of_a_run_says_what_to_do() {
    let outside = || catch_unwind(AssertUnwindSafe(|| drop(mpi::initialize())));
    let text = |panic: Box<dyn std::any::Any + Send>| *panic.downcast::<String>().expect("a text");
    assert!(text(outside().expect_err("it panics")).contains("windtunnel::main_of"));
    let finished = Run::new(1).run(|world| {
        world.all_reduce_into(&1, &mut 0, SystemOperation::sum());
        mpi::initialize().is_none()
    });
    assert_eq!(finished.values, [true], "the second time");
    assert!(outside().is_err(), "nor after one");
}
