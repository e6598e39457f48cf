//! Errors of the program, which go through its error handlers, and findings, which end a run.

use crate::{
    call::{CollectiveKind, CommId, ErrorCall, Form, Reply, ReportCall, Site},
    check::{
        self, argument_mismatch, collective_mismatch,
        count_mismatch::{self, BlockCall, block_labels},
        disagreement::{Side, amounts_or_types, in_collective},
        operator_mismatch::operators,
        root_mismatch::root,
    },
    error::{ErrorHandler, Failure, MpiError},
    finding::{CallSite, Code, Finding},
    kernel::{
        MpiKernel, Sched,
        collective::{instance::First, key::Key},
        transport::receive::FREE,
    },
    object::signature::Signature,
};

impl MpiKernel {
    /// Executes a call about error handlers.
    pub(super) fn error_call(&mut self, rank: u32, call: ErrorCall, s: &mut Sched) {
        match call {
            ErrorCall::SetHandler(comm, handler) => self.set_handler(rank, comm, handler, s),
            ErrorCall::GetHandler(comm) => self.get_handler(rank, comm, s),
            ErrorCall::CallHandler(comm, error) => self.call_handler(rank, comm, &error, s),
            ErrorCall::Raise { comm, call: _, error } => self.raise(rank, comm, error, s),
        }
    }

    /// Records a fault that a layer above the kernel has found.
    pub(super) fn report_call(&mut self, rank: u32, call: ReportCall, s: &mut Sched) {
        match call {
            ReportCall::Finding(finding) => {
                self.tell(*finding);
                self.done(rank, s);
            }
            ReportCall::Leak(leak, site) => {
                self.journal.leaks.note(rank, leak, site);
                self.done(rank, s);
            }
            ReportCall::Fatal(finding) => self.fail(*finding, s),
        }
    }

    /// Records a finding, unless it is a note on portability that nobody has asked for.
    pub(super) fn tell(&mut self, finding: Finding) {
        if finding.code != Code::Portability || self.settings.environment.notes_portability {
            self.journal.findings.add(finding);
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
            ErrorHandler::Abort | ErrorHandler::Return | ErrorHandler::Function(_) => {
                handlers.insert(comm, handler)
            }
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
        let handler = self.handler(rank, comm);
        match handler.is_fatal() {
            true => self.end_with(rank, (error, handler), s),
            false => self.get_handler(rank, comm, s),
        }
    }

    /// Returns an error as the program receives it; `Err` with the error itself and its handler where this is
    /// fatal, so that it has to end the run.
    pub(crate) fn failure(
        &self,
        rank: u32,
        comm: CommId,
        error: MpiError,
    ) -> Result<Box<Failure>, (MpiError, ErrorHandler)> {
        let handler = self.handler(rank, comm);
        match handler.is_fatal() {
            true => Err((error, handler)),
            false => Ok(Box::new(Failure { error, comm, handler })),
        }
    }

    /// Makes the call in progress fail.
    pub(crate) fn raise(&mut self, rank: u32, comm: CommId, error: MpiError, s: &mut Sched) {
        match self.failure(rank, comm, error) {
            Ok(failure) => {
                let now = s.now();
                self.answer(rank, now, FREE, Reply::Failed(failure), s);
            }
            Err((error, handler)) => self.end_with(rank, (&error, handler), s),
        }
    }

    /// Ends the run with an error of the call in progress.
    fn end_with(&mut self, rank: u32, (error, handler): (&MpiError, ErrorHandler), s: &mut Sched) {
        let place = self.present_site(rank, error.message.clone());
        self.fail(check::raised::fatal(place, (error, handler)), s);
    }

    /// Ends the run with a finding.
    pub(crate) fn fail(&mut self, finding: Finding, s: &mut Sched) {
        self.journal.findings.add(finding);
        s.stop();
    }

    /// Returns the place of the call that a rank is in.
    pub(crate) fn present_site(&self, rank: u32, label: String) -> CallSite {
        let state = &self.ranks[rank as usize];
        CallSite::new(rank, state.call, state.site.known(), label)
    }

    /// Returns the site of a rank's present or last call, unless it has made none. What its threads call
    /// to wake each other has no place in the program and is left out.
    pub(crate) fn last_site(&self, rank: u32, label: String) -> Option<CallSite> {
        let state = &self.ranks[rank as usize];
        let of_program = state.threads.is_none() || state.site.known().is_some();
        let called = !state.call.is_empty() && of_program;
        called.then(|| self.present_site(rank, label))
    }

    fn pair_sites(&self, message: u32, request: u32, labels: [String; 2]) -> [CallSite; 2] {
        let m = &self.messages[message];
        let r = &self.requests[request];
        let [send, receive] = labels;
        let tag = Some(m.tag);
        [
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
        let room = self.requests[request].incoming().map_or(0, |incoming| incoming.capacity);
        let labels = check::truncation::labels(bytes, room);
        let [receive, send] = self.pair_sites(message, request, labels);
        let mut finding = check::truncation::of_message(receive, send, bytes, room);
        let sent = &self.messages[message].signature;
        let wanted = self.requests[request].incoming().map(|incoming| &incoming.signature);
        if let Some(Err(what)) = wanted.map(|wanted| wanted.receive_matches(sent)) {
            finding = check::truncation::with_other_types(finding, &what);
        }
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
        let wanted = self.requests[request].incoming().map(|incoming| &incoming.signature);
        let wanted = wanted.unwrap_or(&Signature::EMPTY);
        let labels = check::type_mismatch::labels(&self.messages[message].signature, wanted);
        let [receive, send] = self.pair_sites(message, request, labels);
        self.fail(check::type_mismatch::of_message(receive, send, what), s);
        true
    }

    pub(crate) fn report_ready(&mut self, rank: u32, message: u32, s: &mut Sched) {
        let target = self.messages[message].target;
        let place = self.present_site(rank, check::ready_without_receive::LABEL.into());
        self.fail(check::ready_without_receive::of_send(place, target), s);
    }

    /// Reports whether the receive of a ready send is posted.
    pub(crate) fn ready_receive(&self, message: u32) -> bool {
        let m = &self.messages[message];
        let target = &self.ranks[m.target as usize];
        target.direct.awaits(m) || target.queues.first_posted(m, &self.requests).is_some()
    }

    pub(crate) fn report_misuse(&mut self, rank: u32, request: u32, what: &str, s: &mut Sched) {
        let made = &self.requests[request];
        let label = check::request_misuse::MADE.into();
        let made = CallSite::new(rank, made.call, made.site.known(), label);
        let place = self.present_site(rank, what.into());
        self.fail(check::request_misuse::of_request(place, made, what), s);
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
            (root(me.root), root(first.root), Code::RootMismatch)
        } else if !me.has_operation_of(first) {
            let [mine, theirs] = operators(me.op, first.op);
            (mine, theirs, Code::OperatorMismatch)
        } else if first.in_place != me.in_place {
            let [me, first] =
                [me, first].map(|call| side(call, argument_mismatch::send_buffer(call.in_place)));
            self.fail(argument_mismatch::of_send_buffers(me, first), s);
            return true;
        } else if let (Some(mine), Some(theirs)) = (me.block, first.block)
            && mine != theirs
        {
            let [sender, receiver] = [me, first].map(|call| (call.rank, call.site));
            // Ranks that differ from each other do not count all blocks.
            let call = BlockCall::new(me.kind, Form::Plain, 1);
            self.fail(unlike_blocks(me.kind, call, (receiver, theirs), (sender, mine)), s);
            return true;
        } else if must_agree(me.kind, &me.signature, &first.signature)
            && !first.signature.describes_the_same(&me.signature, self.matches_representations())
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
    pub(crate) fn report_own_blocks(
        &mut self,
        (rank, site): (u32, Site),
        call: BlockCall,
        (given, needed): (u64, u64),
        s: &mut Sched,
    ) {
        let label = count_mismatch::own_label(given, needed);
        let place = CallSite::at(rank, site, self.ranks[rank as usize].call, label);
        self.fail(count_mismatch::with_itself(place, call, given, needed), s);
    }

    /// Ends the run: the rank of this execution of a collective expects a block of another size from
    /// `source`.
    pub(crate) fn report_blocks(
        &mut self,
        index: u32,
        source: u32,
        (sent, expected): (u64, u64),
        s: &mut Sched,
    ) {
        let e = self.collectives.execution(index);
        let (rank, kind, shared) = (e.rank, e.kind, self.collectives.entered(e.instance));
        // The sender may have left the call long ago.
        let [mine, theirs] = [rank, source].map(|rank| (rank, shared.site_of(rank)));
        let call = shared.block_call(e.members.size());
        self.fail(unlike_blocks(kind, call, (mine, expected), (theirs, sent)), s);
    }

    /// Ends the run as a livelock: nothing is under way, and the ranks that are not blocked poll
    /// for ever.
    pub(crate) fn report_livelock(&mut self, awaited: check::livelock::Awaited, s: &mut Sched) {
        let polling: Vec<u32> = (0..self.ranks.len() as u32)
            .filter(|rank| {
                let state = &self.ranks[*rank as usize];
                state.rest.polls > 0 && state.runs() && !state.finished
            })
            .collect();
        let place = |rank: &u32| {
            let (state, label) =
                (&self.ranks[*rank as usize], check::livelock::label(*rank, awaited));
            match state.rest.polled_at.filter(|_| state.rest.naps > 0) {
                // It sleeps between its polls.
                Some(place) => CallSite::of(*rank, place, label),
                None => self.present_site(*rank, label),
            }
        };
        let sites = polling.iter().map(place).collect();
        let blocked = self.blocked_beside(&polling);
        let finding = check::livelock::of_ranks((polling.clone(), awaited), sites, &blocked);
        let finding = match awaited {
            check::livelock::Awaited::Event => self.with_near_miss_of_polls(finding, &polling),
            check::livelock::Awaited::Memory => finding,
        };
        self.fail(finding, s);
    }
}

/// Returns a rank's side of a disagreement about a collective operation.
fn side(call: &First, has: String) -> Side {
    let First { rank, site, .. } = *call;
    Side { rank, site, call: call.call(), has }
}

fn in_collectives(me: &First, first: &First, what: (String, String, Code)) -> Finding {
    let (mine, theirs, code) = what;
    in_collective(side(me, mine), side(first, theirs), code)
}

fn in_manner(call: &First) -> String {
    collective_mismatch::in_manner(call.site, call.manner.word(), call.call())
}

fn in_form(call: &First, form: Form) -> String {
    collective_mismatch::in_form(call.site, (call.kind, call.call()), form)
}

/// Returns the finding that a rank sends blocks of another size than one expects; each with the place of its call.
fn unlike_blocks(
    kind: CollectiveKind,
    call: BlockCall,
    (receiver, expected): ((u32, Site), u64),
    (sender, sent): ((u32, Site), u64),
) -> Finding {
    let place = |(rank, site), label| CallSite::at(rank, site, kind.name(), label);
    let [expects, sends] = block_labels((receiver.0, expected), (sender.0, sent));
    let (receiver, sender) = (place(receiver, expects), place(sender, sends));
    count_mismatch::of_blocks([receiver, sender], call, expected, sent)
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
        // Their blocks are compared with each other.
        CollectiveKind::Gather
        | CollectiveKind::Scatter
        | CollectiveKind::Allgather
        | CollectiveKind::Alltoall => false,
        CollectiveKind::Barrier | CollectiveKind::Management(_) => false,
    }
}
