//! Carries accesses to their targets and the answers back (MPI section 12.3).

use sim_core::SimTime;

use super::{
    effect,
    epoch::{Misuse, Opened},
    flight::{AccessFlight, Flight, Stage},
    shadow::Seen,
    table::{Window, targets},
};
use crate::{
    call::{Access, Action, Flavor, Layout, Payload, Reply, WindowId},
    error::{ErrorClass, MpiError},
    kernel::{
        Event, MpiKernel, Sched,
        causality::Clock,
        request::table::{Kind, Owner},
    },
    observation::Observation,
    settings::OneSided,
    trace::{Protocol, Record},
    window_memory,
};

/// Returns the place of an access in the memory of its target.
fn place(window: &Window, access: &Access) -> Result<i64, MpiError> {
    let part = window.part(access.target).ok_or_else(|| {
        let (rank, size) = (access.target, window.group.size());
        MpiError::new(ErrorClass::Rank, format!("target rank {rank} is not in 0..{size}"))
    })?;
    let base = access.at.checked_mul(part.unit).and_then(|by| part.base.checked_add(by));
    let outside = |text: String| Err(MpiError::new(ErrorClass::RmaRange, text));
    let Some(base) = base else { return outside(format!("displacement {}", access.at)) };
    let Some((first, end)) = access.runs.bounds() else { return Ok(base) };
    let (first, end) = (base.saturating_add(first), base.saturating_add(end));
    inside(window, access.target, (first, end))?;
    match window_memory::find(part.memory) {
        Some(memory) if !memory.is_there(first, end) => {
            let text =
                format!("rank {} has no memory there, though its window says so", access.target);
            Err(MpiError::new(ErrorClass::RmaRange, text))
        }
        _ => Ok(base),
    }
}

/// Checks that bytes are inside the window at a target.
fn inside(window: &Window, target: u32, (first, end): (i64, i64)) -> Result<(), MpiError> {
    let Some(part) = window.part(target) else { return Ok(()) };
    let outside = |text: String| Err(MpiError::new(ErrorClass::RmaRange, text));
    if part.flavor == Flavor::Dynamic {
        let member = &window.members[target as usize];
        let attached = member.attached.range(..=first).next_back();
        if attached.is_some_and(|(_, past)| end <= *past) {
            return Ok(());
        }
        let before = member.detached.range(..end).rev().find(|(_, (past, _))| *past > first);
        return outside(match (attached, before) {
            (Some((from, past)), _) if *past > first => format!(
                "an access to bytes {} to {} of memory that rank {target} has attached to the window, \
                 which has {} bytes",
                first - from,
                end - 1 - from,
                past - from
            ),
            (_, Some((_, (_, (call, site))))) => {
                let at = site
                    .known()
                    .map_or_else(String::new, |site| format!(" at {}:{}", site.file, site.line));
                format!(
                    "an access to memory that rank {target} has detached from the window ({call}{at})"
                )
            }
            _ => format!("an access to memory that rank {target} has not attached to the window"),
        });
    }
    let (low, high) = (part.base, part.base.saturating_add_unsigned(part.bytes));
    if first < low || end > high {
        let (first, end) = (first - low, end - low);
        return outside(format!(
            "an access to bytes {first} to {} of the window at rank {target}, which has {} bytes",
            end - 1,
            part.bytes
        ));
    }
    Ok(())
}

impl MpiKernel {
    /// Starts an access.
    pub(super) fn access(
        &mut self,
        rank: u32,
        (id, me): (WindowId, u32),
        access: Access,
        request: bool,
        s: &mut Sched,
    ) {
        let by = self.ranks[rank as usize].origin();
        let window = self.windows.get_mut(id).expect("the caller has found it");
        let base = match place(window, &access) {
            Ok(base) => base,
            Err(error) => return self.raise(rank, id.0, error, s),
        };
        let epochs = &mut window.member(me).epochs;
        let opened = match request {
            true => epochs.access_with_request(access.target, by),
            false => epochs.access(access.target, by),
        };
        let opened = match opened.and_then(|opened| promised(window, &access, opened)) {
            Ok(opened) => opened,
            Err(misuse) => return self.misuse_window(rank, id, misuse, s),
        };
        let kept = self.record_access((id, me, by), base, &access, opened);
        let layout = if access.strided { Layout::Strided } else { Layout::Dense };
        let cost = self.settings.costs.post_send
            + self.preparation_of(rank, access.payload.bytes(), layout);
        let at = self.charge(rank, cost);
        let (target, only_reads) = (access.target, matches!(access.action, Action::Get));
        let read = kept.number.filter(|_| only_reads);
        let kind = Kind::OneSided { window: id, target, read };
        let request = request.then(|| self.new_request(rank, Owner::Program, kind));
        let window = self.windows.get_mut(id).expect("the caller has found it");
        let pair = window.pair(me, target);
        pair.open += 1;
        pair.ahead += 1;
        pair.fetching += u32::from(access.action.fetches());
        let order = access.action.is_atomic().then(|| {
            pair.atomic.0 += 1;
            pair.atomic.0 - 1
        });
        let flight = Box::new(AccessFlight {
            window: id,
            origin: me,
            access,
            by,
            exposed: opened != Opened::Lock,
            request,
            stage: Stage::Departs,
            order,
            number: 0,
            times: [s.now(); 3],
            result: None,
            moment: kept.moment.filter(|_| order.is_some()),
            told: kept.told,
        });
        let flight = self.windows.flights.insert(Flight::Access(flight));
        // A request completes by itself: its access is never held back.
        if self.settings.one_sided == OneSided::Late && request.is_none() {
            self.windows.get_mut(id).expect("it exists").pair(me, target).held.push(flight);
        } else {
            if order.is_some() {
                self.release_atomic((id, me), target, s);
            }
            self.depart_at(flight, at, s);
        }
        let reply = request.map_or(Reply::Done, |request| Reply::Request(self.request_id(request)));
        s.reply(self.ranks[rank as usize].process, at, reply);
    }

    fn depart_at(&mut self, flight: u32, at: SimTime, s: &mut Sched) {
        if at > s.now() {
            s.schedule(at, Event::Window(flight));
        } else {
            self.proceed(flight, s);
        }
    }

    /// Lets accesses to a target or to all depart that were held until a synchronisation.
    pub(super) fn release_held(
        &mut self,
        (id, me): (WindowId, u32),
        target: Option<u32>,
        s: &mut Sched,
    ) {
        let window = self.windows.get_mut(id).expect("the caller has found it");
        let pairs = window.member(me).pairs.range_mut(targets(target));
        let held: Vec<u32> = pairs.flat_map(|(_, pair)| std::mem::take(&mut pair.held)).collect();
        held.into_iter().for_each(|flight| self.proceed(flight, s));
    }

    /// Lets those accesses to a target depart that were held and that an atomic access has to follow: they
    /// take effect in the order of their calls.
    fn release_atomic(&mut self, (id, me): (WindowId, u32), target: u32, s: &mut Sched) {
        let Some(window) = self.windows.windows.get_mut(&id) else { return };
        let flights = &self.windows.flights;
        let is_atomic = |index: &mut u32| match flights.get(*index) {
            Some(Flight::Access(flight)) => flight.order.is_some(),
            Some(Flight::Signal(_)) | None => false,
        };
        let atomic: Vec<u32> = window.pair(me, target).held.extract_if(.., is_atomic).collect();
        atomic.into_iter().for_each(|flight| self.proceed(flight, s));
    }

    /// Continues with an access that has reached the next stage of its way.
    pub(super) fn proceed(&mut self, index: u32, s: &mut Sched) {
        let Some(Flight::Access(flight)) = self.windows.flights.get(index) else { return };
        match flight.stage {
            Stage::Departs => self.depart_access(index, s),
            Stage::Travels => {
                let Some((_, target)) = self.ends(flight) else { return };
                if self.is_served(index, target, s) {
                    self.arrive_access(index, s);
                }
            }
            Stage::Served => self.arrive_access(index, s),
            Stage::Returns => self.end_access(index, s),
        }
    }

    /// Returns the ranks of the run at the ends of an access.
    fn ends(&self, flight: &AccessFlight) -> Option<(u32, u32)> {
        let window = self.windows.get(flight.window)?;
        Some((window.number(flight.origin), window.number(flight.access.target)))
    }

    fn depart_access(&mut self, index: u32, s: &mut Sched) {
        let Some(Flight::Access(flight)) = self.windows.flights.get(index) else { return };
        let Some((from, to)) = self.ends(flight) else { return };
        let bytes = flight.access.payload.bytes();
        let moved =
            bytes + if flight.access.action.fetches() { flight.access.runs.bytes() } else { 0 };
        let (id, me, target) = (flight.window, flight.origin, flight.access.target);
        let (request, fetches) = (flight.request, flight.access.action.fetches());
        let number = self.sent.count(&mut self.ranks[from as usize], moved);
        if let Some(Flight::Access(flight)) = self.windows.flights.get_mut(index) {
            flight.stage = Stage::Travels;
            flight.number = number;
            flight.times[1] = s.now();
        }
        let taken = self.transfer(from, to, bytes, Event::Window(index), s);
        if let Some(window) = self.windows.get_mut(id) {
            let pair = window.pair(me, target);
            pair.taken = pair.taken.max(taken);
        }
        if let Some(request) = request.filter(|_| !fetches) {
            if let Some(Flight::Access(flight)) = self.windows.flights.get_mut(index) {
                flight.request = None;
            }
            self.complete_at(request, taken, s);
        }
    }

    /// Lets an access take effect, and those atomic ones that it has kept waiting.
    fn arrive_access(&mut self, index: u32, s: &mut Sched) {
        let Some(Flight::Access(flight)) = self.windows.flights.get(index) else { return };
        let (id, me, target) = (flight.window, flight.origin, flight.access.target);
        let order = flight.order;
        let Some(window) = self.windows.get_mut(id) else { return };
        let pair = window.pair(me, target);
        if let Some(order) = order.filter(|order| *order != pair.atomic.1) {
            pair.early.insert(order, index);
            return;
        }
        let mut next = Some(index);
        while let Some(index) = next {
            self.take_effect(index, s);
            let Some(window) = self.windows.get_mut(id).filter(|_| order.is_some()) else { break };
            let pair = window.pair(me, target);
            pair.atomic.1 += 1;
            let due = pair.atomic.1;
            next = pair.early.remove(&due);
        }
        self.wake_in_window((id, target), s);
    }

    fn take_effect(&mut self, index: u32, s: &mut Sched) {
        let Some(Flight::Access(flight)) = self.windows.flights.get_mut(index) else { return };
        let Some(window) = self.windows.windows.get_mut(&flight.window) else { return };
        window.pair(flight.origin, flight.access.target).ahead -= 1;
        flight.stage = Stage::Returns;
        flight.times[2] = s.now();
        let base = place(window, &flight.access);
        let memory = window.part(flight.access.target).and_then(|p| window_memory::find(p.memory));
        let mut stored = None;
        flight.result = match (&base, memory) {
            (Ok(base), Some(memory)) => {
                let base = *base;
                let (target, by) = (flight.access.target, (flight.origin, flight.by));
                let watched = window.member(target).shadow.as_mut().filter(|_| flight.exposed);
                let seen = watched.as_ref().map(|_| {
                    Seen::new(by, flight.access.action.clone(), (base, &flight.access.runs))
                });
                if let (Some(shadow), Some(seen)) = (&watched, &seen) {
                    stored = shadow.differs(&*memory, seen).then(|| seen.clone());
                }
                let result = effect::carry_out(&*memory, base, &flight.access);
                if let (Some(shadow), Some(seen)) = (watched, seen) {
                    shadow.follow(&*memory, seen);
                }
                if let Some(moment) = &flight.moment {
                    let told = window.words.update(base, &flight.access, result.as_ref(), moment);
                    flight.told = joined(flight.told.take(), told);
                }
                result
            }
            _ => effect::nothing(&flight.access),
        };
        let result = flight.result.as_ref();
        let bytes = result.map_or(0, Payload::bytes);
        let from = (window.number(flight.origin), flight.window, base.ok());
        let messages = self.sent.of_two_sides();
        let waits = self.windows.spinning.follow(from, &flight.access, result, messages);
        let ends = (window.number(flight.access.target), window.number(flight.origin));
        if let Some(seen) = stored {
            let period = window.members[flight.access.target as usize].epochs.exposure();
            let seen = (ends.1, seen);
            self.report_store(ends.0, seen, period.is_some());
        }
        self.transfer(ends.0, ends.1, bytes, Event::Window(index), s);
        if waits {
            self.watch_spinning(s);
        }
    }

    /// Ends an access whose answer has come back.
    fn end_access(&mut self, index: u32, s: &mut Sched) {
        let Flight::Access(flight) = *self.windows.flights.remove(index) else { return };
        self.trace_access(&flight, s.now());
        let AccessFlight { window: id, origin: me, access, request, result, told, .. } = *flight;
        if let (Some(told), Some(request)) = (&told, request) {
            let (rank, request) = (self.requests[request].rank, self.request_id(request));
            self.history.iter_mut().for_each(|all| all.learn_later(rank, Some(request), told));
        }
        let Some(window) = self.windows.get_mut(id) else { return };
        let pair = window.pair(me, access.target);
        pair.open -= 1;
        pair.fetching -= u32::from(access.action.fetches());
        pair.told = joined(pair.told.take(), told);
        match (request, result) {
            (Some(request), result) => {
                self.requests[request].payload = result;
                self.complete(request, s);
            }
            (None, Some(result)) => {
                window.member(me).fetched.push((access.ticket, access.target, result));
            }
            (None, None) => {}
        }
        self.wake_in_window((id, me), s);
    }

    /// Passes an access to the sink of a traced run, as the message that its data are: from the origin,
    /// or from the target for a get. An analysis is told who accessed whose memory.
    fn trace_access(&mut self, flight: &AccessFlight, now: SimTime) {
        let Some(ends) = self.ends(flight) else { return };
        let Some(sink) = &mut self.journal.sink else { return };
        let [posted, injected, arrived] = flight.times;
        let back = flight.result.as_ref().map_or(0, Payload::bytes);
        let out = flight.access.payload.bytes();
        let ((source, target), bytes, arrived) = match flight.access.action {
            Action::Get => ((ends.1, ends.0), back, now),
            _ => (ends, out + back, arrived),
        };
        sink.record(Record::Message {
            id: flight.number,
            source,
            target,
            tag: -1,
            bytes,
            protocol: Protocol::Eager,
            posted,
            injected,
            arrived,
            matched: arrived,
        });
        let (origin, target) = ends;
        self.observe(Observation::Accessed { origin, target, out: bytes - back, back });
    }
}

/// Returns what two results tell together.
fn joined(one: Option<Clock>, other: Option<Clock>) -> Option<Clock> {
    match (one, other) {
        (Some(mut one), Some(other)) => {
            one.join(&other);
            Some(one)
        }
        (one, None) => one,
        (None, other) => other,
    }
}

/// Checks that the target did not assert that nobody writes to its memory (`MPI_MODE_NOPUT`).
fn promised(window: &Window, access: &Access, opened: Opened) -> Result<Opened, Misuse> {
    let member = &window.members[access.target as usize];
    let writes = !matches!(access.action, Action::Get);
    let promises = member.no_put.iter().flatten();
    match promises.copied().find(|(epoch, _)| writes && *epoch == opened) {
        None => Ok(opened),
        Some((_, by)) => {
            let target = window.number(access.target);
            let text =
                format!("rank {target} asserted MPI_MODE_NOPUT, but its memory is written to");
            Err(Misuse { text, opened: Some((Some(target), by)) })
        }
    }
}
