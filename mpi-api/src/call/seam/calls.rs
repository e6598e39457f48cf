//! A call of each variant.

use std::rc::Rc;

use sim_core::{SimDuration, SimTime};

use super::{super::*, parts::*};
use crate::{
    error::{ErrorHandler, HandlerId},
    finding::{Leak, Object},
    object::{
        blueprint::{Blueprint, ResourceType},
        graph::Reorder,
        group::Group,
        hints::FileHints,
        op::Op,
        signature::{Primitive, Signature},
        view::View,
    },
    spawn::{Launch, Soft},
};

fn blueprints() -> Vec<Blueprint> {
    each_variant!(Blueprint {
        Blueprint::Grid { .. } => Blueprint::Grid { grid: cart(), reorder: true },
        Blueprint::Subgrid(_) => Blueprint::Subgrid(vec![true, false]),
        Blueprint::Graph { .. } => Blueprint::Graph { graph: graph(), reorder: false },
        Blueprint::DistributedGraph { .. } => {
            let adjacent = Some(Rc::new(adjacency()));
            Blueprint::DistributedGraph { adjacent, weighted: false, reorder: true }
        },
        Blueprint::Resource(_) => Blueprint::Resource(Some(ResourceType::Unguided)),
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
        absent: false,
        essential: false,
        in_place: true,
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
        MessageCall::StartDetachedSend(_) => MessageCall::StartDetachedSend(outgoing(&[7])),
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
        CommCall::CreateFromNamedGroup(..) => {
            CommCall::CreateFromNamedGroup(Group::range(1, 2), "org.example".into())
        },
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
        CommCall::Disconnect(..) => CommCall::Disconnect(comm, vec![REQUEST]),
        CommCall::SetInfo(_) => CommCall::SetInfo(comm),
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

fn actions() -> Vec<Action> {
    each_variant!(Action {
        Action::Put => Action::Put,
        Action::Get => Action::Get,
        Action::Update { .. } => {
            Action::Update { op: Op::Replace, primitive: Primitive::Int32, fetch: true }
        },
        Action::Swap(_) => Action::Swap(Primitive::Int64),
    })
}

fn access(action: Action) -> Box<Access> {
    let runs = Runs::Many(Box::new([(0, 4), (8, 4)]));
    let payload = Payload::from_slice(&[1; 8]);
    Box::new(Access { target: 1, at: -3, runs, action, payload, ticket: 7, strided: true })
}

fn windows() -> Vec<WindowCall> {
    let window = WindowId(CommId(5));
    let assertions = Assertions { no_check: true, ..Assertions::default() };
    let (flavor, memory) = (Flavor::Shared, MemoryId(2));
    let same = SameParts { size: true, unit: false };
    let part = || WindowPart { flavor, memory, base: 64, bytes: 32, unit: 8, same };
    let mut all = each_variant!(WindowCall {
        WindowCall::Create(..) => WindowCall::Create(window, Box::new(part())),
        WindowCall::Free(_) => WindowCall::Free(window),
        WindowCall::Query(..) => WindowCall::Query(window, 1),
        WindowCall::Attach(..) => WindowCall::Attach(window, 4096, 16),
        WindowCall::Detach(..) => WindowCall::Detach(window, 4096),
        WindowCall::Access(..) => WindowCall::Access(window, access(Action::Put)),
        WindowCall::StartAccess(..) => WindowCall::StartAccess(window, access(Action::Get)),
        WindowCall::Fence(..) => WindowCall::Fence(window, assertions),
        WindowCall::Start(..) => WindowCall::Start(window, vec![1, 2], assertions),
        WindowCall::Complete(_) => WindowCall::Complete(window),
        WindowCall::Post(..) => WindowCall::Post(window, vec![0], assertions),
        WindowCall::Wait(_) => WindowCall::Wait(window),
        WindowCall::Test(_) => WindowCall::Test(window),
        WindowCall::Lock { .. } => {
            WindowCall::Lock { window, target: Some(1), kind: LockType::Exclusive, assertions }
        },
        WindowCall::Unlock(..) => WindowCall::Unlock(window, None),
        WindowCall::Flush { .. } => WindowCall::Flush { window, target: None, completion: AccessCompletion::Local },
        WindowCall::Touch { .. } => {
            let runs = Runs::One(0, 4);
            WindowCall::Touch { window, owner: 3, base: 64, runs, used: Use::Store }
        },
        WindowCall::Sync(_) => WindowCall::Sync(window),
        WindowCall::Settled(_) => WindowCall::Settled(window),
        WindowCall::TakeFetched(..) => WindowCall::TakeFetched(window, Some(1)),
        WindowCall::TakeRequested(..) => WindowCall::TakeRequested(window, REQUEST),
    });
    let one_run = Access { runs: Runs::One(8, 8), ..*access(Action::Put) };
    all.push(WindowCall::Access(window, Box::new(one_run)));
    all.extend(actions().into_iter().map(|action| WindowCall::Access(window, access(action))));
    all
}

fn meetings() -> Vec<FileMeeting> {
    let mode = FileMode { reads: true, append: true, ..FileMode::default() };
    each_variant!(FileMeeting {
        FileMeeting::Open(..) => FileMeeting::Open("/a folder/a file".into(), mode),
        FileMeeting::Close => FileMeeting::Close,
        FileMeeting::Resize(_) => FileMeeting::Resize(1 << 40),
        FileMeeting::Reserve(_) => FileMeeting::Reserve(-1),
        FileMeeting::SetView(..) => FileMeeting::SetView(8, "external32".into()),
        FileMeeting::SetInfo => FileMeeting::SetInfo,
        FileMeeting::SetAtomicity(_) => FileMeeting::SetAtomicity(true),
        FileMeeting::SeekShared(..) => FileMeeting::SeekShared(-8, Whence::End),
        FileMeeting::Sync => FileMeeting::Sync,
        FileMeeting::AccessAt(..) => FileMeeting::AccessAt(Direction::Read, Manner::Split),
        FileMeeting::AccessIndividual(..) => {
            FileMeeting::AccessIndividual(Direction::Write, Manner::Nonblocking)
        },
        FileMeeting::AccessOrdered(..) => {
            FileMeeting::AccessOrdered(Direction::Write, Manner::Blocking)
        },
    })
}

fn positions() -> Vec<Position> {
    each_variant!(Position {
        Position::At(_) => Position::At(1 << 33),
        Position::Individual => Position::Individual,
        Position::Shared => Position::Shared,
        Position::Ordered => Position::Ordered,
    })
}

fn files() -> Vec<FileCall> {
    let file = FileId(CommId(6));
    let write = |position| {
        let moved = Moved::Write(Payload::from_slice(&[7; 20]));
        Box::new(FileAccess { position, moved, together: Some(Manner::Split) })
    };
    let read = || {
        let (position, moved) = (Position::Individual, Moved::Read(9));
        Box::new(FileAccess { position, moved, together: None })
    };
    let hints = FileHints { aggregators: Some(2), stripe: Some(1 << 20), ..FileHints::default() };
    let view = View { displacement: 4, etype: 8, tile: [(0, 8), (16, 8)].into(), extent: 32 };
    let mut all = each_variant!(FileCall {
        FileCall::Meet(..) => {
            FileCall::Meet(file, Box::new(FileMeeting::Sync), Brought::Nothing)
        },
        FileCall::Outcome(_) => FileCall::Outcome(file),
        FileCall::Access(..) => FileCall::Access(file, read()),
        FileCall::StartAccess(..) => FileCall::StartAccess(file, read()),
        FileCall::Seek(..) => FileCall::Seek(file, -3, Whence::Current),
        FileCall::Position(..) => FileCall::Position(file, Pointer::Shared),
        FileCall::Byte(..) => FileCall::Byte(file, 12),
        FileCall::Size(_) => FileCall::Size(file),
        FileCall::Hints(_) => FileCall::Hints(file),
        FileCall::Delete(_) => FileCall::Delete("a file".into()),
        FileCall::Plain(_) => FileCall::Plain(PlainCall::Administer(Administration::Open)),
    });
    let plain = each_variant!(PlainCall {
        PlainCall::Number(_) => PlainCall::Number("a file".into()),
        PlainCall::Administer(_) => PlainCall::Administer(Administration::Resize),
        PlainCall::Access(..) => PlainCall::Access(1, Direction::Write, 2, 3),
        PlainCall::Sync(_) => PlainCall::Sync(1),
        PlainCall::Close(_) => PlainCall::Close(1),
    });
    all.extend(plain.into_iter().map(FileCall::Plain));
    let meet = |what, brought| FileCall::Meet(file, Box::new(what), brought);
    all.extend(meetings().into_iter().map(|what| meet(what, Brought::Nothing)));
    all.extend(positions().into_iter().map(|position| FileCall::Access(file, write(position))));
    all.push(meet(FileMeeting::Sync, Brought::View(Box::new(view), Box::new(hints))));
    all.push(meet(FileMeeting::Sync, Brought::Hints(Box::new(hints))));
    all.push(meet(FileMeeting::Sync, Brought::Part(Position::At(3), 1 << 35)));
    all.push(FileCall::Seek(file, 0, Whence::Start));
    all.push(FileCall::Position(file, Pointer::Individual));
    all
}

fn processes() -> Vec<ProcessCall> {
    let comm = CommId::WORLD;
    let launch = Launch { soft: Soft::parse("2:10:2"), ..Launch::new(10, Rc::new(|| {})) };
    each_variant!(ProcessCall {
        ProcessCall::Initialize => ProcessCall::Initialize,
        ProcessCall::Exit { .. } => ProcessCall::Exit { code: 3, unfinished: true },
        ProcessCall::Finalize => ProcessCall::Finalize,
        ProcessCall::EndSessions => ProcessCall::EndSessions,
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
        ErrorHandler::Abort => ErrorHandler::Abort,
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
        ErrorCall::Raise { .. } => ErrorCall::Raise { comm, call: "send", error: error() },
    });
    all.extend(handlers().into_iter().map(|handler| ErrorCall::SetHandler(comm, handler)));
    all
}

fn leaks() -> Vec<Leak> {
    each_variant!(Leak {
        Leak::Request => Leak::Request,
        Leak::Freed(_) => Leak::Freed("MPI_Isend"),
        Leak::Object(_) => Leak::Object(Object::Datatype),
        Leak::Cached(_) => Leak::Cached(Object::Communicator),
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
    let parking = Parking { call: "pthread_cond_wait", holder: Some(1), until: None, idle: false };
    each_variant!(ThreadCall {
        ThreadCall::Spawn(..) => {
            ThreadCall::Spawn(Threading::Multiple, ThreadBody::new(true, |_| {}))
        },
        ThreadCall::Join(_) => ThreadCall::Join(1),
        ThreadCall::Park(_) => ThreadCall::Park(parking),
        ThreadCall::Unpark(..) => ThreadCall::Unpark(vec![1], vec![2, 3]),
        ThreadCall::Yield => ThreadCall::Yield,
        ThreadCall::Spin { .. } => ThreadCall::Spin { fresh: true },
        ThreadCall::SetLevel(_) => ThreadCall::SetLevel(Threading::Funneled),
        ThreadCall::EndRank => ThreadCall::EndRank,
        ThreadCall::Announce => ThreadCall::Announce,
    })
}

fn gauges() -> Vec<Gauge> {
    each_variant!(Gauge {
        Gauge::PostedReceives => Gauge::PostedReceives,
        Gauge::UnexpectedMessages => Gauge::UnexpectedMessages,
        Gauge::UnexpectedTotal => Gauge::UnexpectedTotal,
        Gauge::MessagesSent => Gauge::MessagesSent,
        Gauge::BytesSent => Gauge::BytesSent,
        Gauge::BufferedBytes => Gauge::BufferedBytes,
        Gauge::BufferedPeak => Gauge::BufferedPeak,
        Gauge::ComputingTime => Gauge::ComputingTime,
        Gauge::OverheadTime => Gauge::OverheadTime,
        Gauge::WaitingTime => Gauge::WaitingTime,
        Gauge::FileTime => Gauge::FileTime,
    })
}

fn tools() -> Vec<ToolCall> {
    let mut all = each_variant!(ToolCall {
        ToolCall::Get(_) => ToolCall::Get(Control::Algorithm(2)),
        ToolCall::Set(..) => ToolCall::Set(Control::EagerLimit, -1),
        ToolCall::Read(_) => ToolCall::Read(Gauge::PostedReceives),
        ToolCall::Listen(_) => ToolCall::Listen([0, 1, 2]),
        ToolCall::TakeEvents => ToolCall::TakeEvents,
    });
    all.push(ToolCall::Get(Control::BufferPool));
    all.extend(gauges().into_iter().map(ToolCall::Read));
    all
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
        Window => windows(),
        File => files(),
        Process => processes(),
        Port => ports(),
        Type => datatypes(),
        Error => errors(),
        Report => reports(),
        Clock => clocks(),
        Thread => threads(),
        Tool => tools(),
    )
}
