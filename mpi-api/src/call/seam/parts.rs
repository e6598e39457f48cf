//! Values that calls and replies consist of.

use super::super::*;
use crate::{
    error::{ErrorClass, MpiError},
    finding::{CallSite, Code, Finding},
    object::{
        cart::Cart,
        graph::{Adjacency, Graph},
        signature::{Primitive, Signature},
    },
};

pub(super) const REQUEST: RequestId = RequestId { index: 3, generation: 5 };

pub(super) fn site() -> Site {
    let path = Box::new([Address { file: "program", address: 0x10 }]);
    Site::at("program.c", 12, 3).of(Place::kept("MPI_Send", "main", path))
}

pub(super) fn signature() -> Signature {
    let pair = Signature::sequence(vec![
        Signature::of(Primitive::Int, 1),
        Signature::of(Primitive::Float64, 2),
    ]);
    pair.repeat(3)
}

pub(super) fn outgoing(bytes: &[u8]) -> Outgoing {
    Outgoing {
        comm: CommId::WORLD,
        dest: Some(1),
        tag: 7,
        mode: Mode::Synchronous,
        payload: Payload::from_slice(bytes),
        signature: signature(),
        layout: Layout::Strided,
    }
}

pub(super) fn incoming(source: Source) -> Incoming {
    Incoming {
        comm: CommId::SELF,
        source,
        tag: None,
        capacity: 60,
        signature: signature(),
        layout: Layout::Dense,
    }
}

pub(super) fn error() -> MpiError {
    MpiError::new(ErrorClass::Own(17), "an error of the program")
}

pub(super) fn finding() -> Box<Finding> {
    let place = CallSite::new(2, "send", Some(site()), "here".into());
    Box::new(Finding::error(Code::Truncation, "too long", vec![2], vec![place]).note("a note"))
}

pub(super) fn cart() -> Cart {
    Cart { dims: vec![2, 3], periods: vec![true, false] }
}

pub(super) fn adjacency() -> Adjacency {
    Adjacency {
        sources: vec![1],
        source_weights: Some(vec![2]),
        destinations: vec![0, 3],
        destination_weights: None,
    }
}

pub(super) fn graph() -> Graph {
    Graph { index: vec![1, 2], edges: vec![1, 0] }
}
