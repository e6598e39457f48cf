//! The hypercube allgather whose datatypes are freed while the operations that use them are
//! pending (MPI section 5.1.9).
//!
//! A view borrows its datatype, so that Rust keeps the type until the operation is complete.
//! Buffers that create their datatype at each use do not: the call frees it when it returns.
#![allow(unsafe_code, reason = "buffers that describe themselves")]

use std::os::raw::c_void;

use mpi_api::api::{Count, datatype::UserDatatype, initialize, request::scope, traits::*};

use scenarios::program::allgather_cube::{Stage, stages_of};

const BLOCK: usize = 3;

/// The blocks a stage moves, from one place in the result on.
struct Blocks<'a> {
    stage: &'a Stage,
    memory: &'a mut [f32],
}

impl<'a> Blocks<'a> {
    /// Returns the blocks from `at` on.
    fn new(stage: &'a Stage, y: &'a mut [f32], at: usize) -> Self {
        let memory = &mut y[at..];
        let (_, extent) = stage.datatype(BLOCK).extent();
        assert!(extent as usize <= size_of_val(memory), "the blocks are inside the result");
        Self { stage, memory }
    }
}

// SAFETY: the constructor has checked that all blocks are inside the memory.
unsafe impl AsDatatype for Blocks<'_> {
    type Out = UserDatatype;

    #[track_caller]
    fn as_datatype(&self) -> UserDatatype {
        self.stage.datatype(BLOCK)
    }
}

// SAFETY: the memory has been checked for one.
unsafe impl Collection for Blocks<'_> {
    fn count(&self) -> Count {
        1
    }
}

// SAFETY: the memory the datatype was checked against.
unsafe impl Pointer for Blocks<'_> {
    fn pointer(&self) -> *const c_void {
        self.memory.as_ptr().cast()
    }
}

// SAFETY: the memory the datatype was checked against.
unsafe impl PointerMut for Blocks<'_> {
    fn pointer_mut(&mut self) -> *mut c_void {
        self.memory.as_mut_ptr().cast()
    }
}

// SAFETY: place, count and datatype go together.
unsafe impl Buffer for Blocks<'_> {}

// SAFETY: place, count and datatype go together.
unsafe impl BufferMut for Blocks<'_> {}

pub(super) fn allgather() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let (rank, size) = (world.rank() as usize, world.size() as usize);
    let mut y = vec![0.0; BLOCK * size];
    y[rank * BLOCK..(rank + 1) * BLOCK].fill(rank as f32);
    for stage in stages_of(rank, size, BLOCK) {
        let partner = world.process_at_rank(stage.partner);
        let mut before = y.clone();
        let out = Blocks::new(&stage, &mut before, stage.send_at);
        let mut room = Blocks::new(&stage, &mut y, stage.receive_at);
        scope(|scope| {
            let send = partner.immediate_send(scope, &out);
            let receive = partner.immediate_receive_into(scope, &mut room);
            send.wait();
            receive.wait();
        });
    }
    for (position, value) in y.iter().enumerate() {
        assert_eq!(*value, (position / BLOCK) as f32, "element {position} is wrong");
    }
}
