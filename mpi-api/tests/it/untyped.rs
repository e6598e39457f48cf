//! What only the untyped door reaches so far: intercommunicators, neighbourhoods, nonblocking
//! and persistent collectives, matched messages.

use std::rc::Rc;

use mpi_api::{
    call::{
        ClockCall, CollectiveCall, CollectiveEntry, CollectiveKind as K, CommCall, CommId,
        CommInfo, Completing, Completion, Counts, ErrorCall, Incoming, Layout, MessageCall, Mode,
        Neighbors, Operation, Outgoing, Payload, ProbeCall, ProcessCall, ROOT_ELSEWHERE, ROOT_SELF,
        Reduction, Reply, RequestCall, RequestId, Site, Source,
    },
    cost::Costs,
    error::{ErrorClass, ErrorHandler},
    finding::Code,
    object::{
        group::Group,
        op::Op,
        signature::{Primitive, Signature},
    },
    outcome::{Ending, RunResult},
    raw::Raw,
    settings::{Buffering, Matching, Pool, Settings},
};

use sim_core::{Limits, SimDuration};

use super::{go, holds, settings};

struct Rank {
    raw: Raw,
}

impl Rank {
    fn new() -> Self {
        Self { raw: Raw::take().expect("once") }
    }

    fn me(&self) -> u32 {
        self.raw.world().rank
    }

    #[track_caller]
    fn call(&self, operation: impl Into<Operation>) -> Reply {
        self.raw.call(Site::here(), operation).expect("not unwound")
    }

    #[track_caller]
    fn comm(&self, operation: impl Into<Operation>) -> Option<Box<CommInfo>> {
        let Reply::Comm(comm) = self.call(operation) else { panic!("a communicator") };
        comm
    }

    #[track_caller]
    fn request(&self, operation: impl Into<Operation>) -> RequestId {
        let Reply::Request(request) = self.call(operation) else { panic!("a request") };
        request
    }

    #[track_caller]
    fn wait(&self, request: RequestId) -> Completion {
        let Reply::Completions(mut list) =
            self.call(RequestCall::Wait(vec![request], Completing::All))
        else {
            panic!("completions")
        };
        list.swap_remove(0).1
    }

    #[track_caller]
    fn data(&self, call: CollectiveCall) -> Vec<u8> {
        let Reply::Data(data) = self.call(CollectiveEntry::Blocking(Box::new(call))) else {
            panic!("data")
        };
        data
    }

    #[track_caller]
    fn send(&self, comm: CommId, dest: u32, bytes: &[u8]) {
        let payload = Payload::from_slice(bytes);
        let signature = Signature::of(Primitive::Byte, bytes.len() as u64);
        let (dest, tag, mode, layout) = (Some(dest), 0, Mode::Standard, Layout::Dense);
        let reply = self.call(MessageCall::Send(Outgoing {
            comm,
            dest,
            tag,
            mode,
            payload,
            signature,
            layout,
        }));
        assert!(matches!(reply, Reply::Done));
    }

    #[track_caller]
    fn receive(&self, comm: CommId, source: u32, room: u64) -> Completion {
        let reply = self.call(MessageCall::Receive(room_for(comm, source, room)));
        reply.completion().expect("a receive")
    }
}

fn room_for(comm: CommId, source: u32, capacity: u64) -> Incoming {
    let signature = Signature::of(Primitive::Byte, capacity);
    let source = Source::Rank(source);
    Incoming { comm, source, tag: None, capacity, signature, layout: Layout::Dense }
}

fn collective(comm: CommId, kind: K, input: &[u8]) -> CollectiveCall {
    let bytes = Counts::Uniform(input.len() as u64);
    CollectiveCall {
        input: input.to_vec(),
        send: bytes.clone(),
        receive: bytes,
        signature: Signature::of(Primitive::Byte, input.len() as u64),
        ..CollectiveCall::new(comm, kind)
    }
}

fn sum(comm: CommId, kind: K, value: u8) -> CollectiveCall {
    let reduction = Some(Reduction::new(Op::Sum, Primitive::UInt8));
    CollectiveCall { reduction, ..collective(comm, kind, &[value]) }
}

fn bytes(completion: Completion) -> Vec<u8> {
    completion.payload.map_or(Vec::new(), |payload| payload.as_slice().to_vec())
}

/// Ranks 0 and 1 against 2, 3 and 4.
fn bridge(rank: &Rank) -> CommInfo {
    let low = rank.me() < 2;
    let split = CommCall::Split {
        comm: CommId::WORLD,
        color: Some(u32::from(low)),
        key: 0,
        cart: None,
        blueprint: None,
    };
    let half = rank.comm(split).expect("in one half");
    let peer = Some((CommId::WORLD, if low { 2 } else { 0 }));
    let made = rank.comm(CommCall::CreateInter { comm: half.id, local_leader: 0, peer, tag: 7 });
    rank.call(CommCall::Free(half.id));
    *made.expect("an intercommunicator")
}

#[test]
fn an_intercommunicator_connects_two_groups() {
    holds(5, || {
        let rank = Rank::new();
        let inter = bridge(&rank);
        let low = rank.me() < 2;
        let remote = inter.remote.clone().expect("a remote group");
        assert_eq!((inter.group.size(), remote.size()), if low { (2, 3) } else { (3, 2) });
        if low {
            rank.send(inter.id, 2, &[inter.rank as u8]);
        } else if inter.rank == 2 {
            assert_eq!(bytes(rank.receive(inter.id, 1, 1)), [1]);
            assert_eq!(bytes(rank.receive(inter.id, 0, 1)), [0]);
        }
        let all = rank.data(collective(inter.id, K::Allgather, &[rank.me() as u8]));
        assert_eq!(all, if low { vec![2, 3, 4] } else { vec![0, 1] });
        assert_eq!(rank.data(sum(inter.id, K::Allreduce, 1)), [if low { 3 } else { 2 }]);
        let root = match (low, inter.rank) {
            (true, 1) => ROOT_SELF,
            (true, _) => ROOT_ELSEWHERE,
            (false, _) => 1,
        };
        let call =
            CollectiveCall { root, ..collective(inter.id, K::Broadcast, &[rank.me() as u8]) };
        let told = rank.data(call);
        assert_eq!(told, if root == ROOT_ELSEWHERE { vec![] } else { vec![1] });
        let merged = rank.comm(CommCall::MergeInter(inter.id, low)).expect("all of us");
        assert_eq!(merged.group.to_vec(), [2, 3, 4, 0, 1]);
        rank.call(CommCall::Free(merged.id));
        rank.call(CommCall::Free(inter.id));
        rank.call(ProcessCall::Finalize);
    });
}

#[test]
fn neighbours_exchange_crosswise_where_both_sides_are_one_rank() {
    for ranks in [1, 2, 3] {
        holds(ranks, || {
            let rank = Rank::new();
            let size = rank.raw.world().group.size();
            let (before, after) = ((rank.me() + size - 1) % size, (rank.me() + 1) % size);
            let sides = vec![Some(before), Some(after)];
            let neighbors =
                Neighbors { sources: sides.clone(), destinations: sides, cartesian: true };
            let me = rank.me() as u8 * 10;
            let mut call = collective(CommId::WORLD, K::NeighborAlltoall, &[me, me + 1]);
            call.neighbors = Some(Rc::new(neighbors));
            (call.send, call.receive) = (Counts::Uniform(1), Counts::Uniform(1));
            // What the one before sent upwards comes in first, then what came down.
            assert_eq!(rank.data(call), [before as u8 * 10 + 1, after as u8 * 10]);
            rank.call(ProcessCall::Finalize);
        });
    }
}

#[test]
fn nonblocking_collectives_overlap_and_persistent_ones_start_in_any_order() {
    holds(4, || {
        let rank = Rank::new();
        let first =
            rank.request(CollectiveEntry::Immediate(Box::new(sum(CommId::WORLD, K::Allreduce, 1))));
        let copy = rank.request(CommCall::StartDuplicate(CommId::WORLD));
        let second =
            rank.request(CollectiveEntry::Immediate(Box::new(sum(CommId::WORLD, K::Allreduce, 2))));
        assert_eq!(bytes(rank.wait(second)), [8]);
        assert_eq!(bytes(rank.wait(first)), [4]);
        let copy = rank.wait(copy).comm.expect("a communicator");
        let mut ones = sum(copy.id, K::Allreduce, 0);
        ones.input.clear();
        let mut requests =
            [ones.clone(), ones].map(|c| rank.request(CollectiveEntry::Persistent(Box::new(c))));
        for round in 1..4u8 {
            // Even ranks start the two the other way round.
            let mut order = [(0, round), (1, 10 * round)];
            order.rotate_left(usize::from(rank.me().is_multiple_of(2)));
            for (which, value) in order {
                let start = vec![(requests[which], Some(Payload::from_slice(&[value])))];
                rank.call(RequestCall::Start(start));
            }
            assert_eq!(bytes(rank.wait(requests[0])), [4 * round]);
            assert_eq!(bytes(rank.wait(requests[1])), [40 * round]);
        }
        requests.reverse();
        requests.into_iter().for_each(|request| {
            rank.call(RequestCall::Free(request));
        });
        rank.call(CommCall::Free(copy.id));
        rank.call(ProcessCall::Finalize);
    });
}

#[test]
fn a_matched_message_is_out_of_reach_of_other_receives() {
    holds(2, || {
        let rank = Rank::new();
        if rank.me() == 0 {
            rank.send(CommId::WORLD, 1, &[1]);
            rank.send(CommId::WORLD, 1, &[2]);
        } else {
            let probe = ProbeCall::Matched(CommId::WORLD, Source::Any, None);
            let Reply::Matched(id, status) = rank.call(probe) else { panic!("a message") };
            assert_eq!(status.bytes, 1);
            // The second message can only be there under buffering; take the first one by then.
            let first = rank.request(ProbeCall::StartReceive(id, room_for(CommId::WORLD, 0, 1)));
            assert_eq!(bytes(rank.receive(CommId::WORLD, 0, 1)), [2]);
            assert_eq!(bytes(rank.wait(first)), [1]);
        }
        rank.call(ProcessCall::Finalize);
    });
}

#[test]
fn a_group_makes_its_communicator_without_the_others() {
    holds(4, || {
        let rank = Rank::new();
        if rank.me() != 2 {
            let group = Group::list(vec![3, 0, 1]);
            let create = CommCall::CreateFromGroup(CommId::WORLD, group, 5);
            let comm = rank.comm(create).expect("a member");
            assert_eq!(comm.rank, [1, 2, 9, 0][rank.me() as usize]);
            assert_eq!(rank.data(sum(comm.id, K::Allreduce, 1)), [3]);
            rank.call(CommCall::Free(comm.id));
        }
        let group = Group::list(if rank.me() < 2 { vec![0, 1] } else { vec![3] });
        let comm = rank.comm(CommCall::Create(CommId::WORLD, group));
        assert_eq!(
            comm.as_ref().map(|comm| comm.group.size()),
            [Some(2), Some(2), None, Some(1)][rank.me() as usize]
        );
        if let Some(comm) = comm {
            rank.call(CommCall::Free(comm.id));
        }
        rank.call(ProcessCall::Finalize);
    });
}

#[test]
fn a_program_that_handles_errors_hears_of_truncation() {
    holds(2, || {
        let rank = Rank::new();
        rank.call(ErrorCall::SetHandler(CommId::WORLD, ErrorHandler::Return));
        if rank.me() == 0 {
            rank.send(CommId::WORLD, 1, &[1, 2, 3]);
            rank.send(CommId::WORLD, 1, &[4]);
        } else {
            let short = rank.receive(CommId::WORLD, 0, 2);
            assert_eq!(
                short.error.as_ref().map(|failure| failure.error.class),
                Some(ErrorClass::Truncate)
            );
            assert_eq!(bytes(short), [1, 2]);
            assert_eq!(bytes(rank.receive(CommId::WORLD, 0, 2)), [4]);
        }
        rank.call(ProcessCall::Finalize);
    });
}

#[test]
fn the_status_of_a_request_leaves_it_alone() {
    holds(2, || {
        let rank = Rank::new();
        if rank.me() == 0 {
            rank.send(CommId::WORLD, 1, &[1]);
        } else {
            let request = rank.request(MessageCall::StartReceive(room_for(CommId::WORLD, 0, 1)));
            while matches!(rank.call(RequestCall::GetStatus(request)), Reply::NotYet) {}
            assert_eq!(bytes(rank.wait(request)), [1]);
        }
        rank.call(ProcessCall::Finalize);
    });
}

#[test]
fn a_stall_is_explained_whatever_is_waited_for() {
    // Rank 0 never takes part; the others wait for it in every way a collective can be awaited.
    for immediate in [false, true] {
        let result = go(settings(3, Buffering::zero()), move || {
            let rank = Rank::new();
            if rank.me() == 0 {
                rank.receive(CommId::WORLD, 1, 1);
                return;
            }
            let gather = collective(CommId::WORLD, K::Allgather, &[1]);
            if immediate {
                let own = rank.request(RequestCall::StartGeneralized);
                let request = rank.request(CollectiveEntry::Immediate(Box::new(gather)));
                rank.call(RequestCall::Wait(vec![own, request], Completing::All));
            } else {
                rank.data(gather);
            }
        });
        assert_eq!(result.ending, Ending::Stalled);
        let finding = &result.findings[0];
        assert_eq!(finding.code, Code::DeadlockCycle, "{finding:?}");
    }
}

#[test]
fn a_stall_in_an_intercommunicator_names_ranks_of_the_world() {
    let result = go(settings(5, Buffering::zero()), || {
        let rank = Rank::new();
        let inter = bridge(&rank);
        // Rank 1 is the second of the first group and never enters.
        if rank.me() == 1 {
            rank.receive(CommId::WORLD, 4, 1);
        }
        rank.data(collective(inter.id, K::Allgather, &[1]));
    });
    assert_eq!(result.ending, Ending::Stalled);
    assert_eq!(result.findings[0].cycle, [1, 4]);
}

fn standard(dest: u32, tag: i32, bytes: usize) -> Outgoing {
    Outgoing {
        comm: CommId::WORLD,
        dest: Some(dest),
        tag,
        mode: Mode::Standard,
        payload: Payload::from(vec![0; bytes]),
        signature: Signature::of(Primitive::Byte, bytes as u64),
        layout: Layout::Dense,
    }
}

#[test]
fn a_message_too_long_for_the_space_does_not_hold_up_those_behind_it() {
    let pool = Buffering { eager_limit: u64::MAX, pool: Pool::Bytes(24) };
    let result = go(settings(2, pool), || {
        let rank = Rank::new();
        let from = |tag, room| Incoming { tag: Some(tag), ..room_for(CommId::WORLD, 0, room) };
        if rank.me() == 0 {
            let first = rank.request(MessageCall::StartSend(standard(1, 1, 20)));
            let long = rank.request(MessageCall::StartSend(standard(1, 2, 100)));
            // Goes on once the first one is received and its space is free.
            rank.call(MessageCall::Send(standard(1, 3, 10)));
            let told = Outgoing { mode: Mode::Synchronous, ..standard(1, 4, 0) };
            rank.call(MessageCall::Send(told));
            rank.call(RequestCall::Wait(vec![first, long], Completing::All));
        } else {
            for (tag, room) in [(1, 20), (4, 0), (3, 10), (2, 100)] {
                rank.call(MessageCall::Receive(from(tag, room)));
            }
        }
        rank.call(ProcessCall::Finalize);
    });
    assert_eq!(result.ending, Ending::Completed, "{:?}", result.findings);
}

#[test]
fn a_message_in_line_for_space_is_not_confused_with_a_later_one_in_its_slot() {
    let pool = Buffering { eager_limit: u64::MAX, pool: Pool::Bytes(24) };
    let result = go(settings(4, pool), || {
        let rank = Rank::new();
        let (me, world) = (rank.me(), CommId::WORLD);
        // Ranks 0 and 1 each send to 2 and 3 more than their space holds, over and over; slots of
        // messages that were matched while they stood in line are used again by the other sender.
        for round in 0..20u8 {
            if me < 2 {
                let send =
                    |dest, bytes| rank.request(MessageCall::StartSend(standard(dest, 0, bytes)));
                let list = vec![send(2, 20), send(3, 20), send(3, 9), send(2, 9), send(3, 3)];
                rank.call(RequestCall::Wait(list, Completing::All));
            } else {
                let sizes: &[u64] = if me == 2 { &[20, 9] } else { &[20, 9, 3] };
                for size in sizes {
                    for source in [(round % 2).into(), (1 - round % 2).into()] {
                        assert_eq!(rank.receive(world, source, *size).status.bytes, *size);
                    }
                }
            }
        }
        rank.call(ProcessCall::Finalize);
    });
    assert_eq!(result.ending, Ending::Completed, "{:?}", result.findings);
    assert!(result.ranks.iter().all(|rank| rank.peak_buffered <= 24));
}

#[test]
fn a_broadcast_between_groups_asks_only_the_root_what_it_sends() {
    holds(5, || {
        let rank = Rank::new();
        let inter = bridge(&rank);
        let (root, send, receive) = match (rank.me() < 2, inter.rank) {
            (true, 0) => (ROOT_SELF, Counts::Uniform(2), Counts::None),
            (true, _) => (ROOT_ELSEWHERE, Counts::None, Counts::None),
            (false, _) => (0, Counts::None, Counts::Uniform(2)),
        };
        let input = if root == ROOT_SELF { vec![8, 9] } else { Vec::new() };
        let told = rank.data(CollectiveCall {
            root,
            send,
            receive,
            input,
            ..collective(inter.id, K::Broadcast, &[])
        });
        assert_eq!(told, if root == ROOT_ELSEWHERE { vec![] } else { vec![8, 9] });
        rank.call(CommCall::Free(inter.id));
        rank.call(ProcessCall::Finalize);
    });
}

fn exploring(ranks: u32, list: Vec<u32>, program: fn()) -> RunResult {
    let matching = Matching::Explore(list);
    go(Settings { matching, ..settings(ranks, Buffering::infinite()) }, program)
}

fn any(comm: CommId, tag: i32) -> Incoming {
    Incoming { source: Source::Any, tag: Some(tag), ..room_for(comm, 0, 1) }
}

#[test]
fn a_probe_does_not_see_what_a_posted_receive_will_take() {
    let result = exploring(2, Vec::new(), || {
        let rank = Rank::new();
        if rank.me() == 0 {
            rank.send(CommId::WORLD, 1, &[1]);
            rank.send(CommId::WORLD, 1, &[2]);
        } else {
            let first = rank.request(MessageCall::StartReceive(any(CommId::WORLD, 0)));
            while matches!(
                rank.call(ProbeCall::Immediate(CommId::WORLD, Source::Rank(0), None)),
                Reply::NotYet
            ) {}
            rank.call(ProbeCall::Blocking(CommId::WORLD, Source::Rank(0), None));
            assert_eq!(bytes(rank.receive(CommId::WORLD, 0, 1)), [2]);
            assert_eq!(bytes(rank.wait(first)), [1]);
        }
        rank.call(ProcessCall::Finalize);
    });
    assert_eq!(result.ending, Ending::Completed, "{:?}", result.findings);
}

#[test]
fn exploration_lets_a_wildcard_wait_for_what_another_one_sets_free() {
    // Rank 0 can get rank 2's message first only if rank 1's wildcard is resolved before its own.
    let program = || {
        let rank = Rank::new();
        let world = CommId::WORLD;
        match rank.me() {
            0 => {
                let reply = rank.call(MessageCall::Receive(any(world, 0)));
                let first = reply.completion().expect("a message");
                rank.call(MessageCall::Receive(any(world, 0)));
                assert_eq!(first.status.source, Some(3), "the other order");
            }
            1 => {
                rank.call(MessageCall::Receive(any(world, 0)));
                rank.send(world, 2, &[1]);
            }
            2 => {
                rank.receive(world, 1, 1);
                rank.send(world, 0, &[2]);
            }
            _ => {
                rank.send(world, 0, &[3]);
                rank.send(world, 1, &[3]);
            }
        }
        rank.call(ProcessCall::Finalize);
    };
    let first = exploring(4, Vec::new(), program);
    assert_eq!(first.ending, Ending::Completed, "{:?}", first.findings);
    let open: Vec<u32> = first.choices.iter().map(|choice| choice.alternatives).collect();
    assert_eq!(open, [2], "one order was taken, another is worth following");
    let second = exploring(4, vec![1], program);
    assert_eq!(second.ending, Ending::Failed);
    let open = second.choices.iter().skip(1).filter(|choice| choice.alternatives > 1).count();
    assert_eq!(open, 0, "what the first order took is not offered once more");
}

#[test]
fn exploration_offers_a_poll_every_message_there_could_be() {
    let program = || {
        let rank = Rank::new();
        if rank.me() == 0 {
            let first = loop {
                let poll = ProbeCall::Immediate(CommId::WORLD, Source::Any, None);
                if let Reply::Completed(seen) = rank.call(poll) {
                    break seen.status.source.expect("a sender");
                }
            };
            rank.receive(CommId::WORLD, first, 1);
            rank.receive(CommId::WORLD, 3 - first, 1);
            assert_eq!(first, 1, "the other order");
        } else {
            // Whoever computes for long is not forgotten.
            let time = SimDuration::from_us(100 * u64::from(rank.me()));
            rank.call(ClockCall::Compute(time));
            rank.send(CommId::WORLD, 0, &[1]);
        }
        rank.call(ProcessCall::Finalize);
    };
    let endings = [0, 1].map(|taken| {
        let costs = Costs { poll: SimDuration::from_ns(10), ..Costs::free() };
        let matching = Matching::Explore(vec![taken]);
        let settings = Settings { costs, matching, ..settings(3, Buffering::zero()) };
        go(settings, program).ending
    });
    assert_eq!(endings, [Ending::Completed, Ending::Failed]);
}

#[test]
fn polling_while_another_rank_computes_is_no_livelock() {
    let costs = Costs { poll: SimDuration::from_ns(100), ..Costs::free() };
    let limits = Limits::standard();
    let settings = Settings { costs, limits, ..settings(2, Buffering::zero()) };
    let result = go(settings, || {
        let rank = Rank::new();
        if rank.me() == 0 {
            // Six hundred thousand polls long.
            rank.call(ClockCall::Compute(SimDuration::from_us(60_000)));
            rank.send(CommId::WORLD, 1, &[1]);
        } else {
            let poll = || ProbeCall::Immediate(CommId::WORLD, Source::Rank(0), None);
            while matches!(rank.call(poll()), Reply::NotYet) {}
            rank.receive(CommId::WORLD, 0, 1);
        }
        rank.call(ProcessCall::Finalize);
    });
    assert_eq!(result.ending, Ending::Completed, "{:?}", result.findings);
}
