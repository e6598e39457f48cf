//! Packing by hand, and datatypes that have the same effect.

use mpi_api::{
    api::{
        datatype::{DatatypeRef, MutView, UserDatatype, View},
        initialize,
        topology::SimpleCommunicator,
        traits::*,
    },
    finding::Code,
    object::signature::Primitive,
};

use super::super::{Case, Expect, Row};
use super::particle::Particle;

const PACKED: DatatypeRef<'static> = DatatypeRef::system(Primitive::Packed);

pub(super) fn rows() -> Vec<Row> {
    let mut rows = integer_and_text();
    rows.extend(particles());
    rows
}

fn integer_and_text() -> Vec<Row> {
    vec![
        Row::safe(
            "B3.25",
            "MPI: The Complete Reference, example 3.25",
            "an integer and a hundred characters, sent by structure or packed",
            &[2],
            "both are the same message of 104 bytes; packing adds no header here",
            sent_in_two_ways,
        ),
        Row::new(
            "B3.26",
            "MPI: The Complete Reference, example 3.26",
            "the same, received by structure or unpacked",
            vec![
                Case::safe(
                    &[2],
                    "a packed message matches any receive, and the other way round",
                    || {
                        received_in_two_ways(0);
                    },
                ),
                Case::new(
                    &[2],
                    |_| Expect::deadlock(),
                    "the receiver waits for itself: source 1 is its own rank",
                    || received_in_two_ways(1),
                )
                .named("as-printed"),
            ],
        ),
    ]
}

fn particles() -> Vec<Row> {
    vec![
        Row::safe(
            "B3.27",
            "MPI: The Complete Reference, example 3.27",
            "particles of class 0 packed one by one, received as particles",
            &[2],
            "what is packed piece by piece is one message",
            || class_zero(56_000),
        ),
        Row::new(
            "B3.28",
            "MPI: The Complete Reference, example 3.28",
            "indices and particles packed, an index of -1 at the end",
            vec![
                Case::safe(&[2], "each index says where the particle behind it belongs", || {
                    with_indices(100 * 60);
                }),
                Case::new(
                    &[2],
                    |_| Expect::wrong(Code::Truncation),
                    "packing past the end of the buffer is an error",
                    || with_indices(100),
                )
                .named("too-small"),
            ],
        ),
    ]
}

#[repr(C)]
struct Record {
    number: i32,
    text: [u8; 100],
}

fn record_type() -> UserDatatype {
    let types = [Primitive::Int, Primitive::UnsignedChar].map(DatatypeRef::system);
    UserDatatype::structured(&[1, 100], &[0, 4], &types)
}

#[allow(unsafe_code, reason = "packed bytes seen as MPI_PACKED")]
fn send_packed(world: &SimpleCommunicator, to: i32, bytes: &[u8]) {
    // SAFETY: as many bytes as there are.
    let out = unsafe { View::with_count_and_datatype(bytes, bytes.len() as i32, &PACKED) };
    world.process_at_rank(to).send(&out);
}

#[allow(unsafe_code, reason = "packed bytes seen as MPI_PACKED")]
fn receive_packed(world: &SimpleCommunicator, from: i32, room: &mut [u8]) -> usize {
    let count = room.len() as i32;
    // SAFETY: as many bytes as there are.
    let mut room = unsafe { MutView::with_count_and_datatype(room, count, &PACKED) };
    world.process_at_rank(from).receive_into(&mut room).bytes()
}

fn pack_record(world: &SimpleCommunicator) -> Vec<u8> {
    let mut buffer = vec![0; 110];
    let after = world.pack_into(&42i32, &mut buffer, 0);
    let after = world.pack_into(&[b'x'; 100][..], &mut buffer, after);
    buffer.truncate(after as usize);
    buffer
}

/// Returns the record as words: an integer and 25 words of text.
fn as_words(record: &Record) -> [i32; 26] {
    let word = i32::from_ne_bytes([record.text[0]; 4]);
    std::array::from_fn(|at| if at == 0 { record.number } else { word })
}

#[allow(unsafe_code, reason = "a structure seen through its datatype")]
fn send_structure(world: &SimpleCommunicator, to: i32) {
    let words = as_words(&Record { number: 42, text: [b'x'; 100] });
    let datatype = record_type();
    // SAFETY: the words are the 104 bytes of the structure.
    let out = unsafe { View::with_count_and_datatype(&words[..], 1, &datatype) };
    world.process_at_rank(to).send(&out);
}

#[allow(unsafe_code, reason = "a structure seen through its datatype")]
fn receive_structure(world: &SimpleCommunicator, from: i32) {
    let mut words = [0i32; 26];
    let datatype = record_type();
    // SAFETY: the words are the 104 bytes of the structure.
    let mut room = unsafe { MutView::with_count_and_datatype(&mut words[..], 1, &datatype) };
    assert_eq!(world.process_at_rank(from).receive_into(&mut room).bytes(), 104);
    assert_eq!(words, as_words(&Record { number: 42, text: [b'x'; 100] }));
}

#[allow(unsafe_code, reason = "rsmpi's unpack_into trusts the bytes to be of the right types")]
fn receive_and_unpack(world: &SimpleCommunicator, from: i32) {
    let mut buffer = [0; 110];
    assert_eq!(receive_packed(world, from, &mut buffer), 104);
    let (mut number, mut text) = (0i32, [0u8; 100]);
    // SAFETY: an integer and then a hundred characters were sent.
    unsafe {
        let after = world.unpack_into(&buffer, &mut number, 0);
        assert_eq!(world.unpack_into(&buffer, &mut text[..], after), 104);
    }
    assert_eq!((number, text), (42, [b'x'; 100]));
}

fn sent_in_two_ways() {
    let universe = initialize().expect("once");
    let world = universe.world();
    if world.rank() == 0 {
        send_structure(&world, 1);
        send_packed(&world, 1, &pack_record(&world));
    } else {
        receive_structure(&world, 0);
        receive_structure(&world, 0);
    }
}

fn received_in_two_ways(source_of_the_packed: i32) {
    let universe = initialize().expect("once");
    let world = universe.world();
    if world.rank() == 0 {
        send_structure(&world, 1);
        send_structure(&world, 1);
        send_packed(&world, 1, &pack_record(&world));
    } else {
        receive_structure(&world, 0);
        receive_and_unpack(&world, source_of_the_packed);
        receive_and_unpack(&world, source_of_the_packed);
    }
}

fn class_zero(room: usize) {
    let universe = initialize().expect("once");
    let world = universe.world();
    let all: Vec<Particle> = (0..1000).map(Particle::new).collect();
    let chosen: Vec<&Particle> = all.iter().filter(|particle| particle.class == 0).collect();
    if world.rank() == 0 {
        assert!(world.pack_size(1000, &Particle::equivalent_datatype()) as usize >= room);
        let mut buffer = vec![0; room];
        let mut position = 0;
        for particle in &chosen {
            position = world.pack_into(*particle, &mut buffer, position);
        }
        send_packed(&world, 1, &buffer[..position as usize]);
        return;
    }
    let mut got = vec![Particle::NONE; 1000];
    let status = world.process_at_rank(0).receive_into(&mut got);
    assert_eq!(status.count(Particle::equivalent_datatype()) as usize, chosen.len());
    assert!(got.iter().zip(chosen).all(|(got, sent)| got == sent));
}

#[allow(unsafe_code, reason = "rsmpi's unpack_into trusts the bytes to be of the right types")]
fn with_indices(room: usize) {
    let universe = initialize().expect("once");
    let world = universe.world();
    let all: Vec<Particle> = (0..100).map(Particle::new).collect();
    let mut buffer = vec![0; room];
    if world.rank() == 0 {
        let mut position = 0;
        for (index, particle) in all.iter().enumerate().filter(|(_, p)| p.class == 0) {
            position = world.pack_into(&(index as i32), &mut buffer, position);
            position = world.pack_into(particle, &mut buffer, position);
        }
        position = world.pack_into(&-1i32, &mut buffer, position);
        send_packed(&world, 1, &buffer[..position as usize]);
        return;
    }
    receive_packed(&world, 0, &mut buffer);
    let mut got = vec![Particle::NONE; 100];
    let (mut index, mut position) = (0i32, 0);
    loop {
        // SAFETY: an index, and a particle behind every index but the last.
        unsafe {
            position = world.unpack_into(&buffer, &mut index, position);
            if index < 0 {
                break;
            }
            position = world.unpack_into(&buffer, &mut got[index as usize], position);
        }
    }
    for (got, sent) in got.iter().zip(&all) {
        assert_eq!(*got, if sent.class == 0 { *sent } else { Particle::NONE });
    }
}
