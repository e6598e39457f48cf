//! [`RankTrace`]: the actions of one rank as calls.

use mpi_api::{
    call::{
        CollectiveCall, CollectiveEntry, CollectiveKind, CommId, Completing, Counts, Form,
        Incoming, Layout, MessageCall, Mode, Operation, Outgoing, Payload, ProcessCall, Reduction,
        RequestCall, RequestId, Source,
    },
    object::{
        op::Op,
        signature::{Primitive, Signature},
    },
};
use sim_core::SimDuration;

use super::action::{Action, Arguments, Collective, Needs, Vector};
use crate::{
    recording::Calls,
    step::{Outcome, Step},
};

/// What has been read of one rank.
pub(super) struct RankTrace {
    rank: u32,
    calls: Calls,
    /// Type of data whose action names none.
    usual: Primitive,
    /// Requests that the trace has not waited for: number, source, destination and tag.
    open: Vec<(RequestId, [Option<u32>; 2], Option<i32>)>,
    started: u32,
}

impl RankTrace {
    pub(super) fn new(rank: u32) -> Self {
        let (calls, open) = (Calls::default(), Vec::new());
        Self { rank, calls, usual: Primitive::Byte, open, started: 0 }
    }

    pub(super) fn finish(self) -> Calls {
        self.calls
    }

    /// Appends an action.
    ///
    /// # Errors
    /// Returns what is wrong with it.
    pub(super) fn act(
        &mut self,
        action: &str,
        words: &[&str],
        flops_per_s: f64,
        site: u32,
    ) -> Result<Needs, String> {
        let Some(known) = Action::named(action) else {
            return Err(format!("`{action}` is no action: {}", Action::names()));
        };
        let mut arguments = Arguments::new(action, words, self.usual);
        match known {
            // SimGrid's own rule: an argument means the types of another tracer.
            Action::Init => {
                self.usual = if words.is_empty() { Primitive::Byte } else { Primitive::Float64 };
            }
            Action::Remark => {}
            Action::Compute => {
                let flops = arguments.number("a number of operations")?;
                self.calls.compute(seconds(flops / flops_per_s), site);
            }
            Action::Sleep => {
                let time = arguments.number("a number of seconds")?;
                self.calls.compute(seconds(time), site);
            }
            Action::Finalize => {
                self.wait_for_all(site);
                self.push(ProcessCall::Finalize, Outcome::Nothing, site);
            }
            Action::Send(mode) => {
                let (send, _) = sent(&mut arguments, mode)?;
                self.push(MessageCall::Send(send), Outcome::Nothing, site);
            }
            Action::StartSend(mode) => {
                let (send, tag) = sent(&mut arguments, mode)?;
                let ends = [Some(self.rank), send.dest];
                self.start(MessageCall::StartSend(send), ends, tag, site);
            }
            Action::Receive => {
                let (receive, ..) = received(&mut arguments)?;
                self.push(MessageCall::Receive(receive), Outcome::Found, site);
            }
            Action::StartReceive => {
                let (receive, source, tag) = received(&mut arguments)?;
                self.calls.matched.extend(receive.has_wildcard().then_some(None));
                let ends = [source, Some(self.rank)];
                self.start(MessageCall::StartReceive(receive), ends, tag, site);
            }
            Action::SendReceive => self.send_receive(&mut arguments, site)?,
            Action::Wait => {
                let (id, ..) = self.open.remove(self.started(&mut arguments)?);
                let wait = RequestCall::Wait(vec![id], Completing::All);
                self.push(wait, Outcome::Completed(vec![(0, None)]), site);
            }
            Action::Test => {
                let (id, ..) = self.open[self.started(&mut arguments)?];
                self.push(RequestCall::Test(vec![id], Completing::All), Outcome::Nothing, site);
            }
            Action::WaitAll => self.wait_for_all(site),
            Action::WaitAny => self.wait(Completing::Any, site),
            Action::WaitSome => self.wait(Completing::Some, site),
            Action::TestAll => self.test_all(site),
            Action::Collective(which) => {
                self.collective(which, &mut arguments, flops_per_s, site)?;
            }
        }
        Ok(arguments.needs)
    }

    fn push(&mut self, operation: impl Into<Operation>, outcome: Outcome, site: u32) {
        self.calls.push(&Step { site, operation: operation.into(), outcome });
    }

    /// Returns the requests that the trace has not waited for, in order of their start.
    fn open_requests(&self) -> Vec<RequestId> {
        self.open.iter().map(|(id, ..)| *id).collect()
    }

    /// Appends a call that starts a request.
    fn start(&mut self, call: MessageCall, ends: [Option<u32>; 2], tag: Option<i32>, site: u32) {
        let id = RequestId { index: self.started, generation: 0 };
        self.started += 1;
        self.open.push((id, ends, tag));
        self.push(call, Outcome::Request(id), site);
    }

    /// `sendRecv`: elements to send, destination, elements to receive, source, both types. There are
    /// no tags: 0 it is.
    fn send_receive(&mut self, arguments: &mut Arguments, site: u32) -> Result<(), String> {
        let (sent, to) = (arguments.count()?, arguments.rank()?);
        let (received, from) = (arguments.count()?, arguments.rank()?);
        let (send_type, receive_type) = (arguments.datatype()?, arguments.datatype()?);
        let send = outgoing(to, Some(0), sent, send_type, Mode::Standard)?;
        let receive = incoming(from, Some(0), received, receive_type)?;
        self.push(MessageCall::SendReceive(send, receive), Outcome::Found, site);
        Ok(())
    }

    /// Returns the place of the first request with the source, destination and tag of a `wait` or `test`.
    fn started(&self, arguments: &mut Arguments) -> Result<usize, String> {
        let ends = [arguments.rank()?, arguments.rank()?];
        let tag = arguments.tag()?;
        let found = self.open.iter().position(|(_, other, with)| {
            let alike =
                |(one, other): (&Option<u32>, &Option<u32>)| one == other || other.is_none();
            ends.iter().zip(other).all(alike) && (*with == tag || with.is_none())
        });
        found.ok_or_else(|| {
            format!("`{}` names a request that was not started, or waited for", arguments.action)
        })
    }

    fn test_all(&mut self, site: u32) {
        let list = self.open_requests();
        if !list.is_empty() {
            self.push(RequestCall::Test(list, Completing::All), Outcome::Nothing, site);
        }
    }

    fn wait_for_all(&mut self, site: u32) {
        let list = self.open_requests();
        self.open.clear();
        if list.is_empty() {
            return;
        }
        let all = (0..list.len() as u32).map(|place| (place, None)).collect();
        let wait = RequestCall::Wait(list, Completing::All);
        self.push(wait, Outcome::Completed(all), site);
    }

    /// Waits for whatever completes first, which the trace does not say.
    fn wait(&mut self, how: Completing, site: u32) {
        let list = self.open_requests();
        if !list.is_empty() {
            self.push(RequestCall::Wait(list, how), Outcome::Nothing, site);
        }
    }

    fn collective(
        &mut self,
        which: Collective,
        arguments: &mut Arguments,
        flops_per_s: f64,
        site: u32,
    ) -> Result<(), String> {
        let Plan { kind, form, root, sent, taken, reduces, flops } =
            plan(which, arguments, self.rank)?;
        let reduction = reduces.map(|primitive| Reduction::new(Op::Sum, primitive));
        let call = CollectiveCall {
            form,
            root,
            reduction,
            absent: true,
            send: sent.bytes(),
            receive: taken.bytes(),
            ..CollectiveCall::new(CommId::WORLD, kind)
        };
        self.push(CollectiveEntry::Blocking(Box::new(call)), Outcome::Nothing, site);
        self.calls.compute(seconds(flops / flops_per_s), site);
        Ok(())
    }
}

/// Elements of one side of a collective.
#[derive(Clone)]
enum Size {
    None,
    Each(u64, Primitive),
    List(Vec<u64>, Primitive),
}

impl Size {
    fn bytes(&self) -> Counts {
        match self {
            Self::None => Counts::None,
            Self::Each(count, primitive) => Counts::Uniform(count * primitive.size() as u64),
            Self::List(counts, primitive) => {
                Counts::Each(counts.iter().map(|count| count * primitive.size() as u64).collect())
            }
        }
    }
}

/// The arguments of a collective action.
struct Plan {
    kind: CollectiveKind,
    form: Form,
    root: u32,
    sent: Size,
    taken: Size,
    reduces: Option<Primitive>,
    /// Floating-point operations after it.
    flops: f64,
}

/// Returns the plan of a collective without reduction.
fn plain(kind: CollectiveKind, root: u32, sent: Size, taken: Size) -> Plan {
    Plan { kind, form: Form::Plain, root, sent, taken, reduces: None, flops: 0.0 }
}

/// Reads the arguments of a collective.
fn plan(which: Collective, arguments: &mut Arguments, rank: u32) -> Result<Plan, String> {
    use CollectiveKind as Kind;
    Ok(match which {
        Collective::Barrier => plain(Kind::Barrier, 0, Size::None, Size::None),
        Collective::Broadcast => {
            let (count, root, of) = (arguments.count()?, arguments.root()?, arguments.datatype()?);
            plain(Kind::Broadcast, root, Size::Each(count, of), Size::Each(count, of))
        }
        Collective::Reduce => reduction(Kind::Reduce, arguments, |arguments| arguments.root())?,
        Collective::Allreduce => reduction(Kind::Allreduce, arguments, |_| Ok(0))?,
        Collective::Scan => reduction(Kind::Scan, arguments, |_| Ok(0))?,
        Collective::Exscan => reduction(Kind::Exscan, arguments, |_| Ok(0))?,
        Collective::ReduceScatter => {
            let counts = arguments.counts(2)?;
            let flops = arguments.number("a number of operations")?;
            let of = arguments.datatype()?;
            let sent = Size::Each(counts.iter().sum(), of);
            let taken = Size::List(counts, of);
            Plan { reduces: Some(of), flops, ..plain(Kind::ReduceScatter, 0, sent, taken) }
        }
        Collective::Alltoall => {
            let (sent, taken, root) = sizes(arguments, |_| Ok(0))?;
            plain(Kind::Alltoall, root, sent, taken)
        }
        Collective::Allgather => {
            let (sent, taken, root) = sizes(arguments, |_| Ok(0))?;
            plain(Kind::Allgather, root, sent, taken)
        }
        // What is not significant away from the root is taken from what is.
        Collective::Gather => {
            let (sent, taken, root) = sizes(arguments, |arguments| arguments.root())?;
            let taken = if rank == root { taken } else { sent.clone() };
            plain(Kind::Gather, root, sent, taken)
        }
        Collective::Scatter => {
            let (sent, taken, root) = sizes(arguments, |arguments| arguments.root())?;
            let sent = if rank == root { sent } else { taken.clone() };
            plain(Kind::Scatter, root, sent, taken)
        }
        Collective::Vector(which) => return vector_plan(which, arguments, rank),
    })
}

/// Reads the root of a collective that has one, or returns that of the others.
type Root = fn(&mut Arguments) -> Result<u32, String>;

/// Reads the arguments of a reduction.
fn reduction(kind: CollectiveKind, arguments: &mut Arguments, root: Root) -> Result<Plan, String> {
    let (count, flops) = (arguments.count()?, arguments.number("a number of operations")?);
    let (root, of) = (root(arguments)?, arguments.datatype()?);
    let size = Size::Each(count, of);
    Ok(Plan { reduces: Some(of), flops, ..plain(kind, root, size.clone(), size) })
}

/// Reads what each rank sends, what it receives, and the root.
fn sizes(arguments: &mut Arguments, root: Root) -> Result<(Size, Size, u32), String> {
    let (sent, taken) = (arguments.count()?, arguments.count()?);
    let root = root(arguments)?;
    let (send_type, receive_type) = (arguments.datatype()?, arguments.datatype()?);
    Ok((Size::Each(sent, send_type), Size::Each(taken, receive_type), root))
}

/// Reads the arguments of a collective with a count for each rank.
fn vector_plan(which: Vector, arguments: &mut Arguments, rank: u32) -> Result<Plan, String> {
    use CollectiveKind as Kind;
    let types =
        |arguments: &mut Arguments| Ok::<_, String>((arguments.datatype()?, arguments.datatype()?));
    let (kind, root, sent, taken) = match which {
        Vector::Allgather => {
            let (sent, counts) = (arguments.count()?, arguments.counts(2)?);
            let (send_type, receive_type) = types(arguments)?;
            let taken = Size::List(counts, receive_type);
            (Kind::Allgather, 0, Size::Each(sent, send_type), taken)
        }
        Vector::Gather => {
            let (sent, counts) = (arguments.count()?, arguments.counts(3)?);
            let root = arguments.root()?;
            if rank != root {
                arguments.needs.listed = None;
            }
            let (send_type, receive_type) = types(arguments)?;
            let taken = match rank == root {
                true => Size::List(counts, receive_type),
                false => Size::None,
            };
            (Kind::Gather, root, Size::Each(sent, send_type), taken)
        }
        Vector::Scatter => {
            let (counts, taken) = (arguments.counts(4)?, arguments.count()?);
            let root = arguments.root()?;
            if rank != root {
                arguments.needs.listed = None;
            }
            let (send_type, receive_type) = types(arguments)?;
            let sent = match rank == root {
                true => Size::List(counts, send_type),
                false => Size::None,
            };
            (Kind::Scatter, root, sent, Size::Each(taken, receive_type))
        }
        Vector::Alltoall => {
            // Both lists come after the size of their buffer.
            let each = arguments.left().saturating_sub(4) / 2;
            arguments.needs.listed = Some(each);
            arguments.count()?;
            let sent = (0..each).map(|_| arguments.count()).collect::<Result<_, _>>()?;
            arguments.count()?;
            let taken = (0..each).map(|_| arguments.count()).collect::<Result<_, _>>()?;
            let (send_type, receive_type) = types(arguments)?;
            (Kind::Alltoall, 0, Size::List(sent, send_type), Size::List(taken, receive_type))
        }
    };
    Ok(Plan { kind, form: Form::Vector, root, sent, taken, reduces: None, flops: 0.0 })
}

fn seconds(time: f64) -> SimDuration {
    SimDuration::from_ps((time * 1e12).round().min(u64::MAX as f64 / 4.0) as u64)
}

fn bytes_of(count: u64, of: Primitive) -> Result<u64, String> {
    let bytes = count.checked_mul(of.size() as u64).filter(|bytes| *bytes <= i64::MAX as u64);
    bytes.ok_or_else(|| format!("{count} elements are no message"))
}

/// Reads the arguments of a send, and returns the tag as it is written, too.
fn sent(arguments: &mut Arguments, mode: Mode) -> Result<(Outgoing, Option<i32>), String> {
    let (to, tag, count) = (arguments.rank()?, arguments.tag()?, arguments.count()?);
    Ok((outgoing(to, tag, count, arguments.datatype()?, mode)?, tag))
}

/// Reads the arguments of a receive, and returns the source and the tag as they are written, too.
fn received(arguments: &mut Arguments) -> Result<(Incoming, Option<u32>, Option<i32>), String> {
    let source = arguments.rank()?;
    let (tag, count) = (arguments.tag()?, arguments.count()?);
    Ok((incoming(source, tag, count, arguments.datatype()?)?, source, tag))
}

fn outgoing(
    dest: Option<u32>,
    tag: Option<i32>,
    count: u64,
    of: Primitive,
    mode: Mode,
) -> Result<Outgoing, String> {
    let (payload, signature) = (Payload::Absent(bytes_of(count, of)?), Signature::of(of, count));
    let (comm, tag) = (CommId::WORLD, tag.unwrap_or(0));
    Ok(Outgoing { comm, dest, tag, mode, payload, signature, layout: Layout::Dense })
}

/// Returns the arguments of a receive. It has room for what was recorded, and takes any type.
fn incoming(
    source: Option<u32>,
    tag: Option<i32>,
    count: u64,
    of: Primitive,
) -> Result<Incoming, String> {
    let source = source.map_or(Source::Any, Source::Rank);
    let (capacity, signature) = (bytes_of(count, of)?, Signature::of(of, count));
    Ok(Incoming { comm: CommId::WORLD, source, tag, capacity, signature, layout: Layout::Dense })
}
