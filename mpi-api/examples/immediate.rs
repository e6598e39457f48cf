//! Nonblocking operations: the borrow of a buffer ends when its request is complete.

mod support;

use mpi_api::api::{
    self as mpi,
    request::{CancelGuard, WaitGuard, scope},
    traits::*,
};

fn program() {
    let universe = mpi::initialize().unwrap();
    let world = universe.world();
    let (me, x) = (world.this_process(), world.rank() * 100);

    let mut y = -1;
    scope(|scope| {
        let receive = world.any_process().immediate_receive_into(scope, &mut y);
        let send = me.immediate_send(scope, &x);
        let mut unfinished = Some(receive);
        while let Some(receive) = unfinished.take() {
            unfinished = receive.test().err();
        }
        send.wait_without_status();
    });
    assert_eq!(y, x);

    scope(|scope| {
        let _receive = WaitGuard::from(me.immediate_receive_into(scope, &mut y));
        let _send = WaitGuard::from(me.immediate_synchronous_send(scope, &7));
    });
    assert_eq!(y, 7);

    scope(|scope| {
        let never = me.immediate_receive_into_with_tag(scope, &mut y, 99);
        let _guard = CancelGuard::from(never);
    });
    assert_eq!(y, 7);

    let future = me.immediate_receive::<f64>();
    me.send(&2.5);
    assert_eq!(future.get().0, 2.5);
}

pub(crate) fn main() {
    support::simulate(3, program);
}
