//! Errors of the program, which go through its error handlers, and findings, which end a run.

use super::{
    MpiKernel, Sched,
    collective::{
        agreement::{Side, disagreement},
        gate::First,
        key::Key,
    },
    transport::receive::FREE,
};
use crate::{
    call::{CollectiveKind, CommId, ErrorCall, Form, Reply, ReportCall},
    error::{ErrorClass, ErrorHandler, Failure, MpiError},
    finding::{CallSite, Code, Finding},
    object::signature::Signature,
};

impl MpiKernel {
    /// Executes a call about error handlers.
    pub(super) fn error_call(&mut self, rank: u32, call: ErrorCall, s: &mut Sched) {
        match call {
            ErrorCall::SetHandler(comm, handler) => self.set_handler(rank, comm, handler, s),
            ErrorCall::GetHandler(comm) => self.get_handler(rank, comm, s),
            ErrorCall::CallHandler(comm, error) => self.call_handler(rank, comm, &error, s),
            ErrorCall::Raise(comm, error) => self.raise(rank, comm, error, s),
        }
    }

    /// Records a fault that a layer above the kernel has found.
    pub(super) fn report_call(&mut self, rank: u32, call: ReportCall, s: &mut Sched) {
        match call {
            ReportCall::Finding(finding) => {
                self.findings.add(*finding);
                self.done(rank, s);
            }
            ReportCall::Leak(leak, site) => {
                self.leaks.note(rank, leak, site);
                self.done(rank, s);
            }
            ReportCall::Fatal(finding) => self.fail(*finding, s),
        }
    }

    pub(crate) fn handler(&self, rank: u32, comm: CommId) -> ErrorHandler {
        let rest = &self.ranks[rank as usize].rest;
        let own_world = rest.origin.as_ref().map_or(CommId::WORLD, |origin| origin.world);
        let comm = if comm == CommId::WORLD { own_world } else { comm };
        rest.handlers.get(&comm).copied().unwrap_or_default()
    }

    fn keep_handler(&mut self, rank: u32, comm: CommId, handler: ErrorHandler) {
        let handlers = &mut self.ranks[rank as usize].rest.handlers;
        match handler {
            ErrorHandler::Fatal => handlers.remove(&comm),
            handler => handlers.insert(comm, handler),
        };
    }

    /// Executes `MPI_Comm_set_errhandler`.
    pub(crate) fn set_handler(
        &mut self,
        rank: u32,
        comm: CommId,
        handler: ErrorHandler,
        s: &mut Sched,
    ) {
        self.keep_handler(rank, comm, handler);
        self.done(rank, s);
    }

    /// Gives a new communicator the error handler of its parent (MPI section 9.3).
    pub(crate) fn inherit_handler(&mut self, rank: u32, parent: CommId, made: CommId) {
        let handler = self.handler(rank, parent);
        self.keep_handler(rank, made, handler);
    }

    /// Executes `MPI_Comm_get_errhandler`.
    pub(crate) fn get_handler(&mut self, rank: u32, comm: CommId, s: &mut Sched) {
        let (now, handler) = (s.now(), self.handler(rank, comm));
        self.answer(rank, now, FREE, Reply::ErrorHandler(handler), s);
    }

    /// Executes `MPI_Comm_call_errhandler`.
    pub(crate) fn call_handler(
        &mut self,
        rank: u32,
        comm: CommId,
        error: &MpiError,
        s: &mut Sched,
    ) {
        match self.handler(rank, comm) {
            ErrorHandler::Fatal => self.end_with(rank, error, s),
            _ => self.get_handler(rank, comm, s),
        }
    }

    /// Returns an error as the program receives it; `Err` with the error itself where its handler is
    /// fatal, so that it has to end the run.
    pub(crate) fn failure(
        &self,
        rank: u32,
        comm: CommId,
        error: MpiError,
    ) -> Result<Box<Failure>, MpiError> {
        match self.handler(rank, comm) {
            ErrorHandler::Fatal => Err(error),
            handler => Ok(Box::new(Failure { error, comm, handler })),
        }
    }

    /// Makes the call in progress fail.
    pub(crate) fn raise(&mut self, rank: u32, comm: CommId, error: MpiError, s: &mut Sched) {
        match self.failure(rank, comm, error) {
            Ok(failure) => {
                let now = s.now();
                self.answer(rank, now, FREE, Reply::Failed(failure), s);
            }
            Err(error) => self.end_with(rank, &error, s),
        }
    }

    /// Ends the run with an error of the call in progress.
    fn end_with(&mut self, rank: u32, error: &MpiError, s: &mut Sched) {
        let code = match error.class {
            ErrorClass::Truncate => Code::Truncation,
            ErrorClass::Request => Code::RequestMisuse,
            ErrorClass::Buffer => Code::BufferOverflow,
            _ => Code::InvalidArgument,
        };
        let call = self.ranks[rank as usize].call;
        let finding = Finding::error(
            code,
            format!("{call} on rank {rank} failed with {error}"),
            vec![rank],
            vec![self.present_site(rank, error.message.clone())],
        )
        .note("MPI_ERRORS_ARE_FATAL is in force: an error ends the program");
        self.fail(finding, s);
    }

    /// Ends the run with a finding.
    pub(crate) fn fail(&mut self, finding: Finding, s: &mut Sched) {
        self.findings.add(finding);
        s.stop();
    }

    /// Returns the place of the call that a rank is in.
    pub(crate) fn present_site(&self, rank: u32, label: String) -> CallSite {
        let state = &self.ranks[rank as usize];
        CallSite::new(rank, state.call, state.site.known(), label)
    }

    /// Returns the site of a rank's present or last call, unless it has made none.
    pub(crate) fn last_site(&self, rank: u32, label: String) -> Option<CallSite> {
        let called = !self.ranks[rank as usize].call.is_empty();
        called.then(|| self.present_site(rank, label))
    }

    fn pair_sites(&self, message: u32, request: u32, labels: [String; 2]) -> Vec<CallSite> {
        let m = &self.messages[message];
        let r = &self.requests[request];
        let [send, receive] = labels;
        let tag = Some(m.tag);
        vec![
            CallSite {
                rank: r.rank,
                call: r.call,
                site: r.site.known(),
                peer: Some(m.source),
                tag,
                bytes: r.incoming().map(|incoming| incoming.capacity),
                message: None,
                label: receive,
            },
            CallSite {
                rank: m.source,
                call: m.site.call_or("send"),
                site: m.site.known(),
                peer: Some(m.target),
                tag,
                bytes: Some(m.bytes()),
                message: Some(m.ordinal),
                label: send,
            },
        ]
    }

    pub(crate) fn report_truncation(&mut self, message: u32, request: u32, s: &mut Sched) -> bool {
        let bytes = self.messages[message].bytes();
        let source = self.messages[message].source;
        let rank = self.requests[request].rank;
        let room = self.requests[request].incoming().map_or(0, |incoming| incoming.capacity);
        let labels =
            [format!("{bytes} bytes are sent here"), format!("there is room for {room} bytes")];
        let finding = Finding::error(
            Code::Truncation,
            format!("rank {rank} receives {bytes} bytes from rank {source} into {room} bytes"),
            vec![rank, source],
            self.pair_sites(message, request, labels),
        )
        .note("a message longer than its receive buffer is an error (MPI 5.0, 3.2.4)")
        .help("make the receive buffer as long as the longest message");
        self.fail(finding, s);
        true
    }

    pub(crate) fn report_type_mismatch(
        &mut self,
        message: u32,
        request: u32,
        what: &str,
        s: &mut Sched,
    ) -> bool {
        let source = self.messages[message].source;
        let rank = self.requests[request].rank;
        let sent = self.messages[message].signature.to_string();
        let wanted = self.requests[request]
            .incoming()
            .map(|incoming| incoming.signature.to_string())
            .unwrap_or_default();
        let labels = [format!("sends {sent}"), format!("receives {wanted}")];
        let finding = Finding::error(
            Code::TypeMismatch,
            format!("rank {source} sends other types than rank {rank} receives: {what}"),
            vec![rank, source],
            self.pair_sites(message, request, labels),
        )
        .note("types must be the same at both ends (MPI 5.0, 3.3.1)")
        .help("receive with the type the sender uses");
        self.fail(finding, s);
        true
    }

    pub(crate) fn report_ready(&mut self, rank: u32, message: u32, s: &mut Sched) {
        let target = self.messages[message].target;
        let mut site = self.present_site(rank, "no matching receive is posted yet".into());
        site.peer = Some(target);
        let finding = Finding::error(
            Code::ReadyWithoutReceive,
            format!("rank {rank} sends in ready mode before rank {target} has posted the receive"),
            vec![rank, target],
            vec![site],
        )
        .note("a ready send is erroneous unless its receive is posted (MPI 5.0, 3.4)")
        .help("separate posting and sending by a barrier, or use a standard send");
        self.fail(finding, s);
    }

    /// Reports whether the receive of a ready send is posted.
    pub(crate) fn ready_receive(&self, message: u32) -> bool {
        let m = &self.messages[message];
        let target = &self.ranks[m.target as usize];
        target.direct.awaits(m) || target.queues.first_posted(m, &self.requests).is_some()
    }

    pub(crate) fn report_misuse(&mut self, rank: u32, request: u32, what: &str, s: &mut Sched) {
        let made = &self.requests[request];
        let made =
            CallSite::new(rank, made.call, made.site.known(), "the request is from here".into());
        let finding = Finding::error(
            Code::RequestMisuse,
            format!("rank {rank}: a request is {what}"),
            vec![rank],
            vec![self.present_site(rank, what.into()), made],
        )
        .note("a persistent request lives create (start complete)* free (MPI 5.0, 3.9)")
        .help("complete the request before starting it again");
        self.fail(finding, s);
    }

    /// Reports whether a call disagrees with the first rank's; then the run has ended. Between the
    /// two groups of an intercommunicator only the functions are compared. Types may differ where
    /// the program receives the error itself.
    pub(crate) fn disagree(
        &mut self,
        me: &First,
        first: &First,
        (key, comm): (Key, CommId),
        s: &mut Sched,
    ) -> bool {
        let between_groups = self.comms.is_inter(comm);
        let (mine, theirs, code) = if first.kind != me.kind {
            (me.call().into(), first.call().into(), Code::CollectiveMismatch)
        } else if first.manner != me.manner {
            (in_manner(me), in_manner(first), Code::CollectiveMismatch)
        } else if let (Some(mine), Some(theirs)) = (me.form, first.form)
            && mine != theirs
        {
            (in_form(me, mine), in_form(first, theirs), Code::CollectiveMismatch)
        } else if between_groups {
            return false;
        } else if first.root != me.root {
            (format!("root {}", me.root), format!("root {}", first.root), Code::RootMismatch)
        } else if first.op != me.op {
            let name = |call: &First| call.op.unwrap_or_default().to_string();
            (name(me), name(first), Code::OperatorMismatch)
        } else if must_agree(me.kind, &me.signature, &first.signature)
            && !first.signature.same(&me.signature)
            && !(self.matches_representations()
                && first.signature.representation().same(&me.signature.representation()))
        {
            if self.returns_unlike_types((me.rank, key, comm), &me.signature, &first.signature) {
                return false;
            }
            let code = amounts_or_types(&me.signature, &first.signature);
            (me.signature.to_string(), first.signature.to_string(), code)
        } else {
            return false;
        };
        self.report_disagreement(me, first, (mine, theirs, code), s);
        true
    }

    pub(super) fn report_disagreement(
        &mut self,
        me: &First,
        first: &First,
        (mine, theirs, code): (String, String, Code),
        s: &mut Sched,
    ) {
        let finding = in_collectives(me, first, (mine, theirs, code));
        self.fail(finding, s);
    }

    /// Returns the finding that two ranks call the same collective in ways that do not match.
    pub(crate) fn manners_differ(&self, me: &First, first: &First) -> Finding {
        in_collectives(me, first, (in_manner(me), in_manner(first), Code::CollectiveMismatch))
    }

    /// Ends the run: a rank sends fewer bytes than it says it expects from each rank.
    pub(crate) fn report_own_blocks(&mut self, rank: u32, given: u64, needed: u64, s: &mut Sched) {
        let label = format!("sends {given} bytes where {needed} are received");
        let call = self.ranks[rank as usize].call;
        let message = format!("rank {rank} sends {given} bytes in {call} and receives {needed}");
        let site = self.present_site(rank, label);
        self.fail(count_mismatch(message, vec![rank], vec![site]), s);
    }

    /// Ends the run: two ranks of a collective disagree on the size of a block.
    pub(crate) fn report_blocks(
        &mut self,
        rank: u32,
        source: u32,
        (sent, expected): (u64, u64),
        s: &mut Sched,
    ) {
        let call = self.ranks[rank as usize].call;
        let message = format!(
            "in {call}, rank {source} sends {sent} bytes where rank {rank} expects {expected}"
        );
        let sites = vec![
            self.present_site(rank, format!("rank {rank} expects {expected} bytes")),
            self.present_site(source, format!("rank {source} sends {sent} bytes")),
        ];
        self.fail(count_mismatch(message, vec![rank, source], sites), s);
    }

    /// Ends the run as a livelock: nothing is under way, and the ranks that are not blocked poll
    /// for ever.
    pub(crate) fn report_livelock(&mut self, s: &mut Sched) {
        let polling: Vec<u32> = (0..self.ranks.len() as u32)
            .filter(|rank| {
                let state = &self.ranks[*rank as usize];
                state.rest.polls > 0 && state.runs() && !state.finished
            })
            .collect();
        let label = |rank: &u32| format!("rank {rank} polls here");
        let sites = polling.iter().map(|rank| self.present_site(*rank, label(rank))).collect();
        let finding = Finding::error(
            Code::Livelock,
            format!(
                "deadlock: {} ranks poll for ever for something that cannot come",
                polling.len()
            ),
            polling,
            sites,
        )
        .note("no message is under way and every other rank is blocked or has finished")
        .help("make the matching call before polling, or poll for what was sent");
        self.fail(finding, s);
    }
}

fn in_collectives(me: &First, first: &First, what: (String, String, Code)) -> Finding {
    let (mine, theirs, code) = what;
    let side = |call: &First, has| {
        let First { rank, site, .. } = *call;
        Side { rank, site, call: call.call(), has }
    };
    disagreement(side(me, mine), side(first, theirs), code)
        .note(
            "all ranks of a communicator call the same collectives in the same order, with \
             matching arguments (MPI 5.0, 6.1, 6.14)",
        )
        .help("make all ranks call it alike")
}

/// Returns the text for a collective and whether it is blocking, nonblocking or persistent.
fn in_manner(call: &First) -> String {
    match call.site.call() {
        Some(name) => name.into(),
        None => format!("{} {}", call.manner.word(), call.call()),
    }
}

/// Returns the text for a collective and which of its functions is called.
fn in_form(call: &First, form: Form) -> String {
    let blocks = match form {
        Form::Plain if call.kind == CollectiveKind::ReduceScatter => "blocks of any length",
        Form::Plain | Form::Block => "equal blocks",
        Form::Vector => "blocks of any length",
        Form::General => "blocks of any type",
    };
    match call.site.call() {
        Some(name) => name.into(),
        None => format!("{} of {blocks}", call.call()),
    }
}

/// Returns the code of the difference: amounts or types.
pub(crate) fn amounts_or_types(mine: &Signature, theirs: &Signature) -> Code {
    if mine.same_types(theirs) { Code::CountMismatch } else { Code::TypeMismatch }
}

fn count_mismatch(message: String, ranks: Vec<u32>, sites: Vec<CallSite>) -> Finding {
    Finding::error(Code::CountMismatch, message, ranks, sites)
        .note(
            "what one rank sends is exactly what the other expects: counts and types have to \
             agree (MPI 5.0, 6.1)",
        )
        .help("give all ranks the same counts and types")
}

/// Reports whether all ranks must give the same types and amounts. Of the neighbourhood collectives
/// this holds for those with equal blocks, since only they describe their blocks.
fn must_agree(kind: CollectiveKind, mine: &Signature, theirs: &Signature) -> bool {
    match kind {
        CollectiveKind::Broadcast
        | CollectiveKind::Reduce
        | CollectiveKind::Allreduce
        | CollectiveKind::Scan
        | CollectiveKind::Exscan
        | CollectiveKind::ReduceScatter => true,
        CollectiveKind::NeighborAllgather | CollectiveKind::NeighborAlltoall => {
            !mine.is_empty() && !theirs.is_empty()
        }
        _ => false,
    }
}
