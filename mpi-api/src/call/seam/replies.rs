//! A reply of each variant.

use std::rc::Rc;

use sim_core::{SimDuration, SimTime};

use super::{super::*, parts::*};
use crate::{
    error::{ErrorHandler, Failure, HandlerId},
    object::{
        group::Group,
        hints::{HintsInUse, Technique},
        status::Status,
    },
    spawn::Spawned,
};

fn completion() -> Completion {
    Completion {
        payload: Some(Payload::from_slice(&[3; 20])),
        error: Some(Box::new(failure())),
        comm: Some(Box::new(info())),
        ..Completion::of(Status::message(1, 2, 20))
    }
}

fn failure() -> Failure {
    let handler = ErrorHandler::Function(HandlerId(1));
    Failure { error: error(), comm: CommId::WORLD, handler }
}

fn info() -> CommInfo {
    CommInfo {
        id: CommId(9),
        rank: 1,
        group: Group::list(vec![5, 3]),
        remote: Some(Group::range(0, 3)),
        cart: Some(cart()),
        neighbors: Some(Rc::new(adjacency())),
    }
}

pub(super) fn replies() -> Vec<Reply> {
    let received = Received { source: 1, tag: 2, payload: Payload::from_slice(&[1; 8]) };
    let spawned = Spawned { made: Err(error()), counts: vec![(4, 0)] };
    each_variant!(Reply {
        Reply::Done => Reply::Done,
        Reply::Time(_) => Reply::Time(SimTime::ZERO + SimDuration::from_us(2)),
        Reply::Request(_) => Reply::Request(REQUEST),
        Reply::Received(_) => Reply::Received(received),
        Reply::Completed(_) => Reply::Completed(Box::new(completion())),
        Reply::Completions(_) => Reply::Completions(vec![(1, completion())]),
        Reply::Matched(..) => Reply::Matched(MatchedId(3), Status::null_process()),
        Reply::NotYet => Reply::NotYet,
        Reply::Undefined => Reply::Undefined,
        Reply::Comm(_) => Reply::Comm(Some(Box::new(info()))),
        Reply::Spawned(_) => Reply::Spawned(Box::new(spawned)),
        Reply::Place(_) => Reply::Place(Some(4)),
        Reply::Name(_) => Reply::Name("a port".into()),
        Reply::Detached(_) => Reply::Detached(100),
        Reply::Late(_) => Reply::Late(vec![(REQUEST, Payload::from_slice(&[1]))]),
        Reply::WindowPart(_) => Reply::WindowPart(Box::new(WindowPart {
            flavor: Flavor::Dynamic,
            memory: MemoryId(0),
            base: 0,
            bytes: 0,
            unit: 1,
            same: SameParts::default(),
        })),
        Reply::Fetched(_) => Reply::Fetched(vec![(3, Payload::from_slice(&[1, 2]))]),
        Reply::Offset(_) => Reply::Offset(1 << 40),
        Reply::Events(_) => Reply::Events(Box::new(MatchEvents {
            kept: vec![MatchEvent {
                kind: EventKind::Unexpected,
                time: SimTime::ZERO + SimDuration::from_us(3),
                comm: CommId::WORLD,
                source: 1,
                tag: 2,
                bytes: 8,
            }],
            lost: [0, 1, 2],
        })),
        Reply::Hints(_) => Reply::Hints(Box::new(HintsInUse {
            aggregators: 4,
            collective_buffer: 1 << 20,
            collective: [Technique::Enable, Technique::Automatic],
            sieve: [Technique::Disable; 2],
            sieve_buffer: [1 << 10, 1 << 11],
            stripe_count: 2,
            stripe: 64,
            first_server: 1,
        })),
        Reply::Object(_) => Reply::Object(3),
        Reply::Data(_) => Reply::Data(vec![1, 2]),
        Reply::Failed(_) => Reply::Failed(Box::new(failure())),
        Reply::ErrorHandler(_) => Reply::ErrorHandler(ErrorHandler::Return),
    })
}
