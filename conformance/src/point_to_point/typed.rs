//! Message contents: characters, numbers, bytes, and types that must match.

use mpi_api::{
    api::{
        datatype::{DatatypeRef, MutView, View},
        initialize,
        traits::*,
    },
    finding::Code,
    object::signature::Primitive,
};

use super::super::{Case, Expect, Row};

pub(super) fn rows() -> Vec<Row> {
    let mut rows = remarks();
    rows.extend(strings());
    rows.extend(numbers());
    rows
}

fn remarks() -> Vec<Row> {
    vec![
        Row::remark(
            "B1.a",
            "MPI: The Complete Reference, section 1.7.2",
            "arguments that are the same memory",
            "Rust does not let a program write it: two exclusive borrows of one buffer do not \
             compile; in C it is the finding WT0011, tested with the command line's C programs",
        ),
        Row::remark(
            "B1.b",
            "MPI: The Complete Reference, figure 1.1",
            "one call with buffers of different types",
            "a remark on languages: choice arguments; in Rust the buffer trait does the same",
        ),
    ]
}

fn strings() -> Vec<Row> {
    vec![
        Row::safe(
            "B2.1",
            "MPI: The Complete Reference, example 2.1",
            "a string of 12 characters into room for 20",
            &[2, 3],
            "the receive is posted for at least what is sent; what lies behind is not touched",
            || hello(b"Hello there\0"),
        ),
        Row::safe(
            "B2.2",
            "MPI: The Complete Reference, example 2.2",
            "a string of 11 characters, without an end mark, into room for 20",
            &[2],
            "11 characters arrive; the others stay",
            || hello(b"Hello there"),
        ),
        Row::safe(
            "B2.6",
            "MPI: The Complete Reference, example 2.6",
            "five characters into the second half of ten",
            &[2],
            "a receive buffer may be any part of an array",
            substring,
        ),
    ]
}

fn numbers() -> Vec<Row> {
    vec![
        Row::safe(
            "B2.3",
            "MPI: The Complete Reference, example 2.3",
            "ten reals into room for fifteen",
            &[2],
            "a message may be shorter than its receive",
            ten_of_fifteen,
        ),
        Row::new(
            "B2.4",
            "MPI: The Complete Reference, example 2.4",
            "ten reals received as forty bytes",
            vec![Case::new(
                &[2],
                |_| Expect::wrong(Code::TypeMismatch),
                "the types of a send and its receive have to agree, also where the sizes do",
                reals_as_bytes,
            )],
        ),
        Row::safe(
            "B2.5",
            "MPI: The Complete Reference, example 2.5",
            "forty bytes of reals into room for sixty bytes",
            &[2],
            "bytes on both sides: copied as they are, never converted",
            bytes_as_bytes,
        ),
    ]
}

fn hello(text: &[u8]) {
    let universe = initialize().expect("once");
    let world = universe.world();
    match world.rank() {
        0 => world.process_at_rank(1).send_with_tag(text, 99),
        1 => {
            let mut room = [b'.'; 20];
            let status = world.process_at_rank(0).receive_into_with_tag(&mut room[..], 99);
            assert_eq!(status.count(u8::equivalent_datatype()), text.len() as i32);
            assert_eq!((status.source_rank(), status.tag()), (0, 99));
            assert_eq!(&room[..text.len()], text);
            assert!(room[text.len()..].iter().all(|byte| *byte == b'.'));
        }
        _ => {}
    }
}

fn substring() {
    let universe = initialize().expect("once");
    let world = universe.world();
    if world.rank() == 0 {
        world.process_at_rank(1).send(&b"abcde"[..]);
    } else {
        let mut text = *b"0123456789";
        world.process_at_rank(0).receive_into(&mut text[5..]);
        assert_eq!(&text, b"01234abcde");
    }
}

fn tenths() -> [f32; 10] {
    std::array::from_fn(|index| index as f32 / 10.0)
}

fn ten_of_fifteen() {
    let universe = initialize().expect("once");
    let world = universe.world();
    if world.rank() == 0 {
        world.process_at_rank(1).send(&tenths()[..]);
    } else {
        let mut room = [-1.0f32; 15];
        let status = world.process_at_rank(0).receive_into(&mut room[..]);
        assert_eq!(status.count(f32::equivalent_datatype()), 10);
        assert_eq!(room[..10], tenths());
        assert_eq!(room[10..], [-1.0; 5]);
    }
}

const BYTE: DatatypeRef<'static> = DatatypeRef::system(Primitive::Byte);

fn reals_as_bytes() {
    let universe = initialize().expect("once");
    let world = universe.world();
    if world.rank() == 0 {
        world.process_at_rank(1).send(&tenths()[..]);
    } else {
        let mut room = [0u8; 40];
        receive_bytes(&world, &mut room);
    }
}

fn bytes_as_bytes() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let bytes: Vec<u8> = tenths().iter().flat_map(|value| value.to_ne_bytes()).collect();
    if world.rank() == 0 {
        #[allow(unsafe_code, reason = "bytes seen as MPI_BYTE, as rsmpi says it")]
        // SAFETY: forty bytes of the vector.
        let out = unsafe { View::with_count_and_datatype(&bytes[..], 40, &BYTE) };
        world.process_at_rank(1).send(&out);
    } else {
        let mut room = [0xffu8; 60];
        assert_eq!(receive_bytes(&world, &mut room), 40);
        assert_eq!(room[..40], bytes);
        assert_eq!(room[40..], [0xff; 20]);
    }
}

#[allow(unsafe_code, reason = "bytes seen as MPI_BYTE, as rsmpi says it")]
fn receive_bytes(world: &mpi_api::api::topology::SimpleCommunicator, room: &mut [u8]) -> usize {
    let count = room.len() as i32;
    // SAFETY: as many bytes as the room has.
    let mut room = unsafe { MutView::with_count_and_datatype(room, count, &BYTE) };
    world.process_at_rank(0).receive_into(&mut room).bytes()
}
