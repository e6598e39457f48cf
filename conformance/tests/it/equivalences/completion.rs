//! Ways to complete requests.

use mpi_api::api::{
    point_to_point::Status,
    request::{RequestCollection, multiple_scope, scope},
    topology::SimpleCommunicator,
    traits::*,
};
use proptest::prelude::*;

use super::{
    agree,
    messages::{Received, Traffic, received, traffic},
    programs,
};

/// A way to complete several requests.
#[derive(Clone, Copy, Debug)]
enum Way {
    WaitAll,
    WaitAny,
    WaitSome,
    TestAll,
    TestAny,
    TestSome,
}

impl Way {
    const ALL: [Self; 6] = [
        Self::WaitAll,
        Self::WaitAny,
        Self::WaitSome,
        Self::TestAll,
        Self::TestAny,
        Self::TestSome,
    ];

    /// Completes all; their statuses in the order of the requests.
    fn complete(self, requests: &mut RequestCollection<'_, [i32]>) -> Vec<Status> {
        let mut done: Vec<(usize, Status)> = Vec::new();
        while requests.incomplete() > 0 {
            let mut some = Vec::new();
            match self {
                Self::WaitAll => requests.wait_all(&mut some),
                Self::WaitSome => requests.wait_some(&mut some),
                Self::TestSome => requests.test_some(&mut some),
                Self::WaitAny => some.extend(requests.wait_any()),
                Self::TestAll => _ = requests.test_all(&mut some),
                Self::TestAny => some.extend(requests.test_any()),
            }
            done.extend(some.into_iter().map(|(place, status, _)| (place, status)));
        }
        done.sort_by_key(|(place, _)| *place);
        done.into_iter().map(|(_, status)| status).collect()
    }
}

fn together(world: &SimpleCommunicator, traffic: &Traffic, way: Way) -> Vec<Received> {
    let (mut rooms, out) = (traffic.rooms(world.rank()), traffic.outgoing(world.rank()));
    let statuses = multiple_scope(rooms.len(), |scope, requests| {
        for receive in traffic.receive(world, scope, &mut rooms) {
            requests.add(receive);
        }
        let sends = traffic.send(world, scope, &out);
        let statuses = way.complete(requests);
        sends.into_iter().for_each(|send| _ = send.wait());
        statuses
    });
    statuses.iter().zip(&rooms).map(|(status, room)| received(status, room)).collect()
}

/// Completes each by itself, in the order of `keys`, by waiting or by testing.
fn singly(
    world: &SimpleCommunicator,
    traffic: &Traffic,
    (keys, test): (&[u8], bool),
) -> Vec<Received> {
    let (mut rooms, out) = (traffic.rooms(world.rank()), traffic.outgoing(world.rank()));
    let mut statuses = scope(|scope| {
        let receives = traffic.receive(world, scope, &mut rooms);
        let sends = traffic.send(world, scope, &out);
        let mut open: Vec<_> = receives.into_iter().enumerate().collect();
        open.sort_by_key(|(place, _)| keys[*place]);
        let mut done = Vec::new();
        for (place, mut request) in open {
            let status = loop {
                if !test {
                    break request.wait();
                }
                match request.test() {
                    Ok(status) => break status,
                    Err(not_yet) => request = not_yet,
                }
            };
            done.push((place, status));
        }
        sends.into_iter().for_each(|send| _ = send.wait());
        done
    });
    statuses.sort_by_key(|(place, _)| *place);
    statuses.iter().zip(&rooms).map(|((_, status), room)| received(status, room)).collect()
}

proptest! {
    #![proptest_config(programs())]

    /// Q.6 and Q.7: waits in any order, tests until they are true, and the calls for several
    /// requests all give the same.
    #[test]
    fn all_ways_to_complete_are_one(
        traffic in traffic(),
        keys in prop::collection::vec(any::<u8>(), 8),
        test in any::<bool>(),
        way in prop::sample::select(&Way::ALL[..]),
    ) {
        agree(traffic.ranks, move |world| {
            let expected = traffic.expected(world.rank());
            assert_eq!(singly(world, &traffic, (&keys, test)), expected);
            assert_eq!(together(world, &traffic, way), expected, "{way:?}");
        })?;
    }
}

/// Q.6, of nothing: no call for several requests waits, and none finds any.
#[test]
fn of_no_requests_all_are_complete() {
    let done = agree(1, |_| {
        for way in Way::ALL {
            multiple_scope(0, |_, requests| {
                assert!(way.complete(requests).is_empty());
                assert!(requests.wait_any().is_none());
                assert!(requests.test_any().is_none());
                assert!(requests.test_all(&mut Vec::new()));
            });
        }
    });
    done.expect("nothing is waited for");
}
