//! Values of different types packed into one message by hand.
#![allow(unsafe_code, reason = "unpacking trusts the bytes")]

mod support;

use mpi_api::api::{self as mpi, traits::*};

fn program() {
    let universe = mpi::initialize().unwrap();
    let world = universe.world();
    let partner = world.process_at_rank(1 - world.rank());
    let size = world.pack_size(1, &u32::equivalent_datatype())
        + world.pack_size(3, &f64::equivalent_datatype());
    let mut bytes = vec![0u8; size as usize];
    if world.rank() == 0 {
        let position = world.pack_into(&3u32, &mut bytes, 0);
        let end = world.pack_into(&[0.5, 1.5, 2.5], &mut bytes, position);
        assert_eq!((position, end), (4, size));
        partner.send(&bytes[..]);
    } else {
        partner.receive_into(&mut bytes[..]);
        let (mut count, mut values) = (0u32, [0.0; 3]);
        // SAFETY: the other rank packed these types in this order.
        let end = unsafe {
            let position = world.unpack_into(&bytes, &mut count, 0);
            world.unpack_into(&bytes, &mut values, position)
        };
        assert_eq!((count, values, end), (3, [0.5, 1.5, 2.5], size));
    }
    assert_eq!(world.pack(&[1u16, 2]).len(), 4);
}

pub(crate) fn main() {
    support::simulate(2, program);
}
