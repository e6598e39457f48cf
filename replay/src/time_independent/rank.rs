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

use super::action::{self, Arguments, Needs};
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
        let mut arguments = Arguments::new(action, words, self.usual);
        let name = action.to_ascii_lowercase();
        match &*name {
            // SimGrid's own rule: an argument means the types of another tracer.
            "init" => {
                self.usual = if words.is_empty() { Primitive::Byte } else { Primitive::Float64 };
            }
            "comm_size" | "comm_split" | "comm_dup" | "location" => {}
            "compute" => {
                let flops = arguments.number("a number of operations")?;
                self.calls.compute(seconds(flops / flops_per_s), site);
            }
            "sleep" => {
                let time = arguments.number("a number of seconds")?;
                self.calls.compute(seconds(time), site);
            }
            "finalize" => {
                self.wait_for_all(site);
                self.push(ProcessCall::Finalize, Outcome::Nothing, site);
            }
            "send" | "ssend" | "isend" | "issend" => self.send(&name, &mut arguments, site)?,
            "recv" | "irecv" => {
                let source = arguments.rank()?;
                let (tag, count) = (arguments.tag()?, arguments.count()?);
                let receive = incoming(source, tag, count, arguments.datatype()?)?;
                if name == "recv" {
                    self.push(MessageCall::Receive(receive), Outcome::Found, site);
                } else {
                    self.calls.matched.extend(receive.has_wildcard().then_some(None));
                    let ends = [source, Some(self.rank)];
                    self.start(MessageCall::StartReceive(receive), ends, tag, site);
                }
            }
            "sendrecv" => self.send_receive(&mut arguments, site)?,
            "wait" | "test" => self.complete(&name, &mut arguments, site)?,
            "waitall" => self.wait_for_all(site),
            "waitany" => self.wait(Completing::Any, site),
            "waitsome" => self.wait(Completing::Some, site),
            "testall" => {
                let list = self.open_requests();
                if !list.is_empty() {
                    self.push(RequestCall::Test(list, Completing::All), Outcome::Nothing, site);
                }
            }
            name if action::is_known(name) => {
                self.collective(name, &mut arguments, flops_per_s, site)?
            }
            _ => return Err(format!("`{action}` is no action: {}", action::names())),
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

    fn send(&mut self, name: &str, arguments: &mut Arguments, site: u32) -> Result<(), String> {
        let (to, tag, count) = (arguments.rank()?, arguments.tag()?, arguments.count()?);
        let mode = if name.contains("ss") { Mode::Synchronous } else { Mode::Standard };
        let send = outgoing(to, tag, count, arguments.datatype()?, mode)?;
        if name.starts_with('i') {
            let ends = [Some(self.rank), to];
            self.start(MessageCall::StartSend(send), ends, tag, site);
        } else {
            self.push(MessageCall::Send(send), Outcome::Nothing, site);
        }
        Ok(())
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

    /// `wait` and `test` of the first request with this source, destination and tag.
    fn complete(&mut self, name: &str, arguments: &mut Arguments, site: u32) -> Result<(), String> {
        let ends = [arguments.rank()?, arguments.rank()?];
        let tag = arguments.tag()?;
        let found = self.open.iter().position(|(_, other, with)| {
            let alike =
                |(one, other): (&Option<u32>, &Option<u32>)| one == other || other.is_none();
            ends.iter().zip(other).all(alike) && (*with == tag || with.is_none())
        });
        let Some(found) = found else {
            return Err(format!("`{name}` names a request that was not started, or waited for"));
        };
        if name == "wait" {
            let (id, ..) = self.open.remove(found);
            let wait = RequestCall::Wait(vec![id], Completing::All);
            self.push(wait, Outcome::Completed(vec![(0, None)]), site);
        } else {
            let id = self.open[found].0;
            self.push(RequestCall::Test(vec![id], Completing::All), Outcome::Nothing, site);
        }
        Ok(())
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
        name: &str,
        arguments: &mut Arguments,
        flops_per_s: f64,
        site: u32,
    ) -> Result<(), String> {
        let Plan { kind, form, root, sent, taken, reduces, flops } =
            plan(name, arguments, self.rank)?;
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

fn plan(name: &str, arguments: &mut Arguments, rank: u32) -> Result<Plan, String> {
    use CollectiveKind as Kind;
    let plain = |kind, root, sent, taken| Plan {
        kind,
        form: Form::Plain,
        root,
        sent,
        taken,
        reduces: None,
        flops: 0.0,
    };
    Ok(match name {
        "barrier" => plain(Kind::Barrier, 0, Size::None, Size::None),
        "bcast" => {
            let (count, root, of) = (arguments.count()?, arguments.root()?, arguments.datatype()?);
            plain(Kind::Broadcast, root, Size::Each(count, of), Size::Each(count, of))
        }
        "reduce" | "allreduce" | "scan" | "exscan" => {
            let (count, flops) = (arguments.count()?, arguments.number("a number of operations")?);
            let root = if name == "reduce" { arguments.root()? } else { 0 };
            let of = arguments.datatype()?;
            let kind = match name {
                "reduce" => Kind::Reduce,
                "allreduce" => Kind::Allreduce,
                "scan" => Kind::Scan,
                _ => Kind::Exscan,
            };
            let size = Size::Each(count, of);
            Plan { reduces: Some(of), flops, ..plain(kind, root, size.clone(), size) }
        }
        "reducescatter" => {
            let counts = arguments.counts(2)?;
            let flops = arguments.number("a number of operations")?;
            let of = arguments.datatype()?;
            let sent = Size::Each(counts.iter().sum(), of);
            let taken = Size::List(counts, of);
            Plan { reduces: Some(of), flops, ..plain(Kind::ReduceScatter, 0, sent, taken) }
        }
        "alltoall" | "allgather" => {
            let (sent, taken) = (arguments.count()?, arguments.count()?);
            let (send_type, receive_type) = (arguments.datatype()?, arguments.datatype()?);
            let kind = if name == "alltoall" { Kind::Alltoall } else { Kind::Allgather };
            plain(kind, 0, Size::Each(sent, send_type), Size::Each(taken, receive_type))
        }
        "gather" | "scatter" => {
            let (sent, taken) = (arguments.count()?, arguments.count()?);
            let root = arguments.root()?;
            let (send_type, receive_type) = (arguments.datatype()?, arguments.datatype()?);
            let (sent, taken) = (Size::Each(sent, send_type), Size::Each(taken, receive_type));
            // What is not significant away from the root is taken from what is.
            match (name, rank == root) {
                ("gather", false) => plain(Kind::Gather, root, sent.clone(), sent),
                ("gather", true) => plain(Kind::Gather, root, sent, taken),
                (_, false) => plain(Kind::Scatter, root, taken.clone(), taken),
                (_, true) => plain(Kind::Scatter, root, sent, taken),
            }
        }
        _ => return vector_plan(name, arguments, rank),
    })
}

/// Reads the arguments of a collective with a count for each rank.
fn vector_plan(name: &str, arguments: &mut Arguments, rank: u32) -> Result<Plan, String> {
    use CollectiveKind as Kind;
    let types =
        |arguments: &mut Arguments| Ok::<_, String>((arguments.datatype()?, arguments.datatype()?));
    let (kind, root, sent, taken) = match name {
        "allgatherv" => {
            let (sent, counts) = (arguments.count()?, arguments.counts(2)?);
            let (send_type, receive_type) = types(arguments)?;
            let taken = Size::List(counts, receive_type);
            (Kind::Allgather, 0, Size::Each(sent, send_type), taken)
        }
        "gatherv" => {
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
        "scatterv" => {
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
        "alltoallv" => {
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
        _ => return Err(format!("`{name}` is no collective action")),
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
