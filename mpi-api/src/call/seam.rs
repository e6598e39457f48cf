//! A test that calls and replies are values: each of them survives being written and read.

use std::{fmt::Debug, rc::Rc};

use serde::{Serialize, de::DeserializeOwned};
use sim_core::{SimDuration, SimTime};

use super::*;
use crate::{
    error::{ErrorClass, ErrorHandler, Failure, HandlerId, MpiError},
    finding::{CallSite, Code, Finding, Leak},
    object::{
        blueprint::Blueprint,
        cart::Cart,
        graph::{Adjacency, Graph, Reorder},
        group::Group,
        op::Op,
        signature::{Primitive, Signature},
        status::Status,
    },
    spawn::{Launch, Soft, Spawned},
};

/// Returns the examples, each checked against the pattern of its variant. The patterns together
/// must be exhaustive, so that a variant without an example does not compile.
macro_rules! each_variant {
    ($type:ty { $($pattern:pat => $example:expr,)* }) => {{
        #[allow(dead_code, reason = "only compiled")]
        fn exhaustive(value: &$type) {
            match value { $($pattern => (),)* }
        }
        vec![$({
            let example: $type = $example;
            assert!(matches!(example, $pattern), "{} is another variant", stringify!($example));
            example
        },)*]
    }};
}

/// Writes a value, reads it, and checks that nothing has changed.
fn crosses<T: Serialize + DeserializeOwned + Debug>(value: &T) {
    let text = serde_json::to_string(value).expect("a value can be written");
    let read: T = serde_json::from_str(&text).expect("what was written can be read");
    assert_eq!(format!("{read:?}"), format!("{value:?}"));
    let again = serde_json::to_string(&read).expect("a value can be written");
    assert_eq!(again, text);
}

const REQUEST: RequestId = RequestId { index: 3, generation: 5 };

fn site() -> Site {
    let path = Box::new([Address { file: "program", address: 0x10 }]);
    Site::at("program.c", 12, 3).of(Place::kept("MPI_Send", "main", path))
}

fn signature() -> Signature {
    let pair = Signature::sequence(vec![
        Signature::of(Primitive::Int, 1),
        Signature::of(Primitive::Float64, 2),
    ]);
    pair.repeat(3)
}

fn outgoing(bytes: &[u8]) -> Outgoing {
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

fn incoming(source: Source) -> Incoming {
    Incoming {
        comm: CommId::SELF,
        source,
        tag: None,
        capacity: 60,
        signature: signature(),
        layout: Layout::Dense,
    }
}

fn error() -> MpiError {
    MpiError::new(ErrorClass::Own(17), "an error of the program")
}

fn finding() -> Box<Finding> {
    let place = CallSite::new(2, "send", Some(site()), "here".into());
    Box::new(Finding::error(Code::Truncation, "too long", vec![2], vec![place]).note("a note"))
}

fn cart() -> Cart {
    Cart { dims: vec![2, 3], periods: vec![true, false] }
}

fn adjacency() -> Adjacency {
    Adjacency {
        sources: vec![1],
        source_weights: Some(vec![2]),
        destinations: vec![0, 3],
        destination_weights: None,
    }
}

fn graph() -> Graph {
    Graph { index: vec![1, 2], edges: vec![1, 0] }
}

fn blueprints() -> Vec<Blueprint> {
    each_variant!(Blueprint {
        Blueprint::Grid { .. } => Blueprint::Grid { grid: cart(), reorder: true },
        Blueprint::Subgrid(_) => Blueprint::Subgrid(vec![true, false]),
        Blueprint::Graph { .. } => Blueprint::Graph { graph: graph(), reorder: false },
        Blueprint::DistributedGraph { .. } => {
            Blueprint::DistributedGraph { adjacent: true, weighted: false, reorder: true }
        },
    })
}

fn patterns() -> Vec<Reorder> {
    each_variant!(Reorder {
        Reorder::Grid(_) => Reorder::Grid(cart()),
        Reorder::Graph(..) => Reorder::Graph(2, vec![(0, 1, 1)]),
        Reorder::Distributed(_) => Reorder::Distributed(vec![(1, 0, 4)]),
        Reorder::Adjacent(_) => Reorder::Adjacent(Rc::new(adjacency())),
    })
}

fn collective(op: Op) -> Box<CollectiveCall> {
    let of_each = Types::Each(Rc::from([signature(), Signature::EMPTY]));
    Box::new(CollectiveCall {
        form: Form::Vector,
        root: ROOT_SELF,
        neighbors: Some(Rc::new(Neighbors::on_grid(&cart(), 1))),
        reduction: Some(Reduction::new(op, Primitive::Int32)),
        input: vec![1, 2, 3, 4],
        send: Counts::Uniform(4),
        receive: Counts::Each(Rc::from([4, 0])),
        signature: signature(),
        declared: Some(Box::new(Declared { send: Types::One(signature()), receive: of_each })),
        ..CollectiveCall::new(CommId(4), CollectiveKind::Allreduce)
    })
}

fn operators() -> Vec<Op> {
    each_variant!(Op {
        Op::Max => Op::Max,
        Op::Min => Op::Min,
        Op::Sum => Op::Sum,
        Op::Product => Op::Product,
        Op::LogicalAnd => Op::LogicalAnd,
        Op::LogicalOr => Op::LogicalOr,
        Op::LogicalXor => Op::LogicalXor,
        Op::BitAnd => Op::BitAnd,
        Op::BitOr => Op::BitOr,
        Op::BitXor => Op::BitXor,
        Op::MaxLoc => Op::MaxLoc,
        Op::MinLoc => Op::MinLoc,
        Op::Replace => Op::Replace,
        Op::NoOp => Op::NoOp,
        Op::User { .. } => Op::user(false, Rc::new(|_, _| {})),
    })
}

fn messages() -> Vec<MessageCall> {
    each_variant!(MessageCall {
        MessageCall::Send(_) => MessageCall::Send(outgoing(&[1, 2])),
        MessageCall::Receive(_) => MessageCall::Receive(incoming(Source::Any)),
        MessageCall::SendReceive(..) => {
            MessageCall::SendReceive(outgoing(&[0; 16]), incoming(Source::Null))
        },
        MessageCall::StartSend(_) => MessageCall::StartSend(outgoing(&[7; 17])),
        MessageCall::StartReceive(_) => MessageCall::StartReceive(incoming(Source::Rank(1))),
        MessageCall::StartSendReceive(..) => {
            MessageCall::StartSendReceive(outgoing(&[]), Box::new(incoming(Source::Any)))
        },
        MessageCall::InitSend(_) => MessageCall::InitSend(outgoing(&[])),
        MessageCall::InitReceive(_) => MessageCall::InitReceive(incoming(Source::Any)),
    })
}

fn requests() -> Vec<RequestCall> {
    each_variant!(RequestCall {
        RequestCall::Wait(..) => RequestCall::Wait(vec![REQUEST], Completing::Any),
        RequestCall::Test(..) => RequestCall::Test(vec![REQUEST; 2], Completing::Some),
        RequestCall::Start(_) => {
            RequestCall::Start(vec![(REQUEST, None), (REQUEST, Some(Payload::EMPTY))])
        },
        RequestCall::IsActive(_) => RequestCall::IsActive(REQUEST),
        RequestCall::Cancel(_) => RequestCall::Cancel(REQUEST),
        RequestCall::Free(_) => RequestCall::Free(REQUEST),
        RequestCall::GetStatus(_) => RequestCall::GetStatus(REQUEST),
        RequestCall::GetStatusAndData(_) => RequestCall::GetStatusAndData(REQUEST),
        RequestCall::TakeLate => RequestCall::TakeLate,
        RequestCall::StartGeneralized => RequestCall::StartGeneralized,
        RequestCall::CompleteGeneralized(_) => RequestCall::CompleteGeneralized(REQUEST),
    })
}

fn probes() -> Vec<ProbeCall> {
    let world = CommId::WORLD;
    each_variant!(ProbeCall {
        ProbeCall::Blocking(..) => ProbeCall::Blocking(world, Source::Any, None),
        ProbeCall::Immediate(..) => ProbeCall::Immediate(world, Source::Rank(2), Some(-1)),
        ProbeCall::Matched(..) => ProbeCall::Matched(world, Source::Null, None),
        ProbeCall::ImmediateMatched(..) => {
            ProbeCall::ImmediateMatched(world, Source::Any, Some(0))
        },
        ProbeCall::Receive(..) => ProbeCall::Receive(MatchedId(9), incoming(Source::Any)),
        ProbeCall::StartReceive(..) => {
            ProbeCall::StartReceive(MatchedId::NO_PROC, incoming(Source::Any))
        },
    })
}

fn partitioned() -> Vec<PartitionedCall> {
    let side = Partitioned {
        sends: true,
        comm: CommId::WORLD,
        peer: None,
        tag: 1,
        partitions: 4,
        bytes: 8,
        signature: signature(),
        layout: Layout::Dense,
    };
    each_variant!(PartitionedCall {
        PartitionedCall::Init(_) => PartitionedCall::Init(side),
        PartitionedCall::Ready(..) => PartitionedCall::Ready(REQUEST, vec![(1, Payload::EMPTY)]),
        PartitionedCall::Arrived(..) => PartitionedCall::Arrived(REQUEST, 2),
    })
}

fn buffers() -> Vec<BufferCall> {
    each_variant!(BufferCall {
        BufferCall::Attach(_) => BufferCall::Attach(Buffer::of_process(100)),
        BufferCall::Detach(_) => BufferCall::Detach(BufferOwner::Comm(CommId(2))),
        BufferCall::StartFlush(_) => BufferCall::StartFlush(BufferOwner::Session(1)),
        BufferCall::JoinSession(..) => BufferCall::JoinSession(CommId(2), 1),
    })
}

fn collectives() -> Vec<CollectiveEntry> {
    let mut all = each_variant!(CollectiveEntry {
        CollectiveEntry::Blocking(_) => CollectiveEntry::Blocking(collective(Op::Sum)),
        CollectiveEntry::Immediate(_) => CollectiveEntry::Immediate(collective(Op::Sum)),
        CollectiveEntry::Persistent(_) => CollectiveEntry::Persistent(collective(Op::Sum)),
    });
    all.extend(operators().into_iter().map(|op| CollectiveEntry::Blocking(collective(op))));
    all
}

fn communicators() -> Vec<CommCall> {
    let comm = CommId(4);
    let list = || Group::list(vec![4, 2, 0]);
    let mut all = each_variant!(CommCall {
        CommCall::Duplicate(_) => CommCall::Duplicate(comm),
        CommCall::StartDuplicate(_) => CommCall::StartDuplicate(comm),
        CommCall::Create(..) => CommCall::Create(comm, list()),
        CommCall::CreateFromGroup(..) => CommCall::CreateFromGroup(comm, Group::range(1, 2), 3),
        CommCall::CreateInter { .. } => {
            CommCall::CreateInter { comm, local_leader: 1, peer: Some((CommId::WORLD, 2)), tag: 0 }
        },
        CommCall::MergeInter(..) => CommCall::MergeInter(comm, true),
        CommCall::Split { .. } => {
            CommCall::Split { comm, color: None, key: -1, cart: Some(cart()), blueprint: None }
        },
        CommCall::Reorder { .. } => CommCall::Reorder {
            comm,
            cart: None,
            reorder: Box::new(Reorder::Grid(cart())),
            blueprint: None,
        },
        CommCall::MapRank(..) => CommCall::MapRank(comm, Box::new(Reorder::Grid(cart()))),
        CommCall::Free(_) => CommCall::Free(comm),
        CommCall::Disconnect(_) => CommCall::Disconnect(comm),
    });
    all.extend(patterns().into_iter().map(|pattern| CommCall::MapRank(comm, Box::new(pattern))));
    all.extend(blueprints().into_iter().map(|blueprint| CommCall::Split {
        comm,
        color: Some(0),
        key: 1,
        cart: None,
        blueprint: Some(Box::new(blueprint)),
    }));
    all
}

fn processes() -> Vec<ProcessCall> {
    let comm = CommId::WORLD;
    let launch = Launch { soft: Soft::parse("2:10:2"), ..Launch::new(10, Rc::new(|| {})) };
    each_variant!(ProcessCall {
        ProcessCall::Initialize => ProcessCall::Initialize,
        ProcessCall::Exit { .. } => ProcessCall::Exit { code: 3, unfinished: true },
        ProcessCall::Finalize => ProcessCall::Finalize,
        ProcessCall::Abort(..) => ProcessCall::Abort(comm, 3),
        ProcessCall::Spawn { .. } => ProcessCall::Spawn {
            comm,
            root: 0,
            launches: Some(vec![launch, Launch::refused(2, error())]),
        },
        ProcessCall::MeetAtPort { .. } => ProcessCall::MeetAtPort {
            comm,
            root: 0,
            port: Some("a port".into()),
            accepts: true,
            timeout: Some(SimDuration::from_us(3)),
        },
    })
}

fn ports() -> Vec<PortCall> {
    let name = || "a name".to_string();
    each_variant!(PortCall {
        PortCall::Open => PortCall::Open,
        PortCall::Close(_) => PortCall::Close(name()),
        PortCall::Publish(..) => PortCall::Publish(name(), name()),
        PortCall::Unpublish(..) => PortCall::Unpublish(name(), name()),
        PortCall::Lookup(_) => PortCall::Lookup(name()),
    })
}

fn datatypes() -> Vec<TypeCall> {
    each_variant!(TypeCall {
        TypeCall::Create => TypeCall::Create,
        TypeCall::Commit(_) => TypeCall::Commit(1),
        TypeCall::Free(_) => TypeCall::Free(1),
    })
}

fn handlers() -> Vec<ErrorHandler> {
    each_variant!(ErrorHandler {
        ErrorHandler::Fatal => ErrorHandler::Fatal,
        ErrorHandler::Return => ErrorHandler::Return,
        ErrorHandler::Function(_) => ErrorHandler::Function(HandlerId(2)),
    })
}

fn errors() -> Vec<ErrorCall> {
    let comm = CommId::WORLD;
    let mut all = each_variant!(ErrorCall {
        ErrorCall::SetHandler(..) => ErrorCall::SetHandler(comm, ErrorHandler::Return),
        ErrorCall::GetHandler(_) => ErrorCall::GetHandler(comm),
        ErrorCall::CallHandler(..) => ErrorCall::CallHandler(comm, error()),
        ErrorCall::Raise(..) => ErrorCall::Raise(comm, error()),
    });
    all.extend(handlers().into_iter().map(|handler| ErrorCall::SetHandler(comm, handler)));
    all
}

fn leaks() -> Vec<Leak> {
    each_variant!(Leak {
        Leak::Request => Leak::Request,
        Leak::Freed(_) => Leak::Freed("MPI_Isend"),
        Leak::Object(_) => Leak::Object("datatype"),
        Leak::Cached(_) => Leak::Cached("communicator"),
    })
}

fn reports() -> Vec<ReportCall> {
    let mut all = each_variant!(ReportCall {
        ReportCall::Finding(_) => ReportCall::Finding(finding()),
        ReportCall::Leak(..) => ReportCall::Leak(Leak::Request, Site::NOWHERE),
        ReportCall::Fatal(_) => ReportCall::Fatal(finding()),
    });
    all.extend(leaks().into_iter().map(|leak| ReportCall::Leak(leak, site())));
    all
}

fn clocks() -> Vec<ClockCall> {
    each_variant!(ClockCall {
        ClockCall::Compute(_) => ClockCall::Compute(SimDuration::from_ns(5)),
        ClockCall::Now(_) => ClockCall::Now(u64::MAX),
        ClockCall::SetTimer(_) => ClockCall::SetTimer(SimTime::from_ps(7)),
    })
}

fn threads() -> Vec<ThreadCall> {
    let parking = Parking { call: "pthread_cond_wait", holder: Some(1), until: None };
    each_variant!(ThreadCall {
        ThreadCall::Spawn(..) => {
            ThreadCall::Spawn(Threading::Multiple, ThreadBody::new(true, |_| {}))
        },
        ThreadCall::Join(_) => ThreadCall::Join(1),
        ThreadCall::Park(_) => ThreadCall::Park(parking),
        ThreadCall::Unpark(..) => ThreadCall::Unpark(vec![1], vec![2, 3]),
        ThreadCall::Yield => ThreadCall::Yield,
        ThreadCall::SetLevel(_) => ThreadCall::SetLevel(Threading::Funneled),
        ThreadCall::EndRank => ThreadCall::EndRank,
    })
}

/// Returns calls of each family. A family without examples does not compile.
pub(crate) fn operations() -> Vec<Operation> {
    macro_rules! each_family {
        ($($family:ident => $examples:expr,)*) => {{
            #[allow(dead_code, reason = "only compiled")]
            fn exhaustive(value: &Operation) {
                match value { $(Operation::$family(_) => (),)* }
            }
            let mut all = Vec::new();
            $(all.extend($examples.into_iter().map(Operation::$family));)*
            all
        }};
    }
    each_family!(
        Message => messages(),
        Request => requests(),
        Probe => probes(),
        Partitioned => partitioned(),
        Buffer => buffers(),
        Collective => collectives(),
        Comm => communicators(),
        Process => processes(),
        Port => ports(),
        Type => datatypes(),
        Error => errors(),
        Report => reports(),
        Clock => clocks(),
        Thread => threads(),
    )
}

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

fn replies() -> Vec<Reply> {
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
        Reply::Object(_) => Reply::Object(3),
        Reply::Data(_) => Reply::Data(vec![1, 2]),
        Reply::Failed(_) => Reply::Failed(Box::new(failure())),
        Reply::ErrorHandler(_) => Reply::ErrorHandler(ErrorHandler::Return),
    })
}

#[test]
fn every_call_and_every_reply_is_a_value() {
    for operation in operations() {
        crosses(&Call { site: site(), operation });
    }
    replies().iter().for_each(crosses);
}

#[test]
fn a_function_is_known_by_number_on_the_side_of_the_ranks() {
    let op = Op::user(true, Rc::new(|left, right| right.copy_from_slice(left)));
    let text = serde_json::to_string(&op).expect("a number can be written");
    let read: Op = serde_json::from_str(&text).expect("a number can be read");
    let mut result = [0];
    read.apply(Primitive::Byte, &[5], &mut result);
    assert_eq!(result, [5]);
}

/// Every call is written to the stack of its rank and read there: the families must not make it
/// larger than its largest member, a send with a receive.
#[test]
fn families_add_nothing_to_the_size_of_a_call() {
    let message = size_of::<(Outgoing, Incoming)>();
    assert_eq!(size_of::<MessageCall>(), message);
    assert_eq!(size_of::<Operation>(), message);
    assert_eq!(size_of::<Call>(), message + size_of::<Site>());
    assert!(size_of::<Call>() <= 144, "{} bytes", size_of::<Call>());
    assert!(size_of::<Reply>() <= 40, "{} bytes", size_of::<Reply>());
}
