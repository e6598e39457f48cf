//! Carries accesses to their targets and the answers back (MPI section 12.3).

use sim_core::{SimDuration, SimTime, words::out_of_range};

use super::{
    effect,
    epoch::{Beside, Misuse, Opened},
    flight::{AccessFlight, Flight, Spot, Stage},
    recorded,
    shadow::Seen,
    table::{Member, Window, Windows},
};
use crate::{
    call::{Access, AccessCompletion, Action, Flavor, Layout, Payload, Reply, WindowId},
    check::epoch_misuse::Shown,
    error::{ErrorClass, MpiError},
    finding::CallPlace,
    kernel::{
        Event, MpiKernel, Sched,
        causality::Clock,
        request::table::{Kind, Owner},
    },
    observation::Observation,
    settings::OneSided,
    trace::{Protocol, Record},
    window_memory::{self, WindowMemory},
};

/// Checks that an action is defined for its type.
fn defined(action: &Action) -> Result<(), MpiError> {
    match action {
        Action::Swap(primitive) if !primitive.is_comparable() => {
            let text = format!("{} cannot be compared and swapped", primitive.name());
            Err(MpiError::new(ErrorClass::Type, text))
        }
        Action::Swap(_) | Action::Put | Action::Get | Action::Update { .. } => Ok(()),
    }
}

/// Returns the bytes of an access in the memory of its target.
fn spot(window: &Window, access: &Access) -> Result<Spot, MpiError> {
    spot_at(window, access, access.at).map_err(|error| {
        let is_inside = |at: i64| spot_at(window, access, at).is_ok();
        if error.class != ErrorClass::RmaRange {
            return error;
        }
        let with = |more: std::fmt::Arguments<'_>| {
            MpiError::new(error.class, format!("{}; {more}", error.message))
        };
        // An integer of 4 bytes has been passed, with whatever follows it in memory.
        let half = access.at as i32;
        if i64::from(half) != access.at && is_inside(half.into()) {
            return with(format_args!(
                "the lower half of the displacement, {half}, would be inside: a displacement has 8 bytes (MPI_Aint, \
                 in Fortran INTEGER(KIND=MPI_ADDRESS_KIND))"
            ));
        }
        // Bytes have been counted, not units.
        let unit = window.part(access.target).map_or(1, |part| part.unit);
        if unit > 1 && access.at % unit == 0 && is_inside(access.at / unit) {
            return with(format_args!(
                "the displacement, {}, counts units of {unit} bytes, as the window says: {} would be inside",
                access.at,
                access.at / unit
            ));
        }
        error
    })
}

/// Like [`spot`], with this displacement.
fn spot_at(window: &Window, access: &Access, at: i64) -> Result<Spot, MpiError> {
    let part = window.part(access.target).ok_or_else(|| {
        let (rank, size) = (access.target, window.group.size());
        MpiError::new(ErrorClass::Rank, out_of_range(format_args!("target rank {rank}"), size))
    })?;
    let base = at.checked_mul(part.unit).and_then(|by| part.base.checked_add(by));
    let outside = |text: String| Err(MpiError::new(ErrorClass::RmaRange, text));
    let Some(base) = base else {
        let (rank, bytes) = (access.target, part.bytes);
        return outside(format!(
            "displacement {at} is far outside of the window at rank {rank}, which has {bytes} bytes"
        ));
    };
    let Some((first, end)) = access.runs.bounds() else { return Ok(Spot { base, bytes: None }) };
    let (first, end) = (base.saturating_add(first), base.saturating_add(end));
    inside(window, access.target, (first, end))?;
    let spot = Spot { base, bytes: Some((first, end)) };
    match part.flavor {
        Flavor::Create | Flavor::Dynamic => {}
        // It is not the program's word that there is memory.
        Flavor::Allocate | Flavor::Shared => return Ok(spot),
    }
    match window_memory::with(part.memory, |memory| spot.is_in(memory)) {
        Some(false) => outside(format!(
            "rank {} has no memory there, though its window says so",
            access.target
        )),
        Some(true) | None => Ok(spot),
    }
}

impl Spot {
    fn is_in(self, memory: &dyn WindowMemory) -> bool {
        self.bytes.is_none_or(|(first, end)| memory.is_there(first, end))
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
            (_, Some((_, (_, CallPlace { call, site })))) => {
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

/// How long an access waits that is complete at its origin, where accesses take effect late: others do much meanwhile.
const LATE: SimDuration = SimDuration::from_ms(1);

/// How long a put waits for which its origin waits, where accesses take effect late: longer than messages take.
const SLOW: SimDuration = SimDuration::from_us(50);

/// Ranks whose puts do not arrive together. A prime, so that neighbours in regular grids are among them.
const STAGGERED: u32 = 7;

/// Returns how long a put of this rank of a window waits for which the rank waits. If two ranks exchange data and synchronise
/// at the same time, the first one to go on may then meet the put of the other.
fn slowness(me: u32) -> SimDuration {
    SLOW * u64::from(me % STAGGERED + 1)
}

impl MpiKernel {
    /// Starts an access.
    pub(super) fn access(
        &mut self,
        rank: u32,
        (id, me): (WindowId, u32),
        access: Box<Access>,
        request: bool,
        s: &mut Sched,
    ) {
        if self.ends_spinning(rank, s) {
            return;
        }
        let by = self.ranks[rank as usize].call_place();
        let window = self.windows.get_mut(id).expect("the caller has found it");
        let spot = match defined(&access.action).and_then(|()| spot(window, &access)) {
            Ok(spot) => spot,
            Err(error) => return self.raise(rank, id.0, error, s),
        };
        let target = access.target;
        let ends = (rank, window.number(target));
        let Member { epochs, pairs, .. } = window.member(me);
        let pair = pairs.place(target);
        let opened = match request {
            true => epochs.access_with_request(target, by),
            false => epochs.access(target, by),
        };
        let opened = match opened.and_then(|opened| promised(window, &access, opened)) {
            Ok(opened) => opened,
            Err(misuse) => return self.misuse_window(rank, id, misuse, s),
        };
        let kept = self.record_access((id, me, by), (&access, spot, pair), opened);
        let layout = if access.strided { Layout::Strided } else { Layout::Dense };
        let mut cost = self.settings.costs.post_send;
        if !self.prepares_free(layout) {
            cost += self.preparation_of(rank, access.payload.bytes(), layout);
        }
        let at = self.charge(rank, cost);
        let request = request.then(|| {
            let read = kept.id.filter(|_| matches!(access.action, Action::Get));
            self.new_request(rank, Owner::Program, Kind::OneSided { window: id, target, read })
        });
        let Windows { windows, flights, .. } = &mut self.windows;
        let window = windows.get_mut(id).expect("the caller has found it");
        let (fetches, is_atomic) = (access.action.fetches(), access.action.is_atomic());
        window.has_atomic |= is_atomic;
        let under_way = window.member(me).pairs.start(pair, fetches);
        let order = is_atomic.then(|| {
            under_way.atomic.0 += 1;
            under_way.atomic.0 - 1
        });
        let flight = flights.insert(Flight::Access(AccessFlight {
            window: id,
            origin: me,
            ends,
            pair,
            access,
            spot,
            by,
            exposed: opened != Opened::Lock,
            request,
            stage: Stage::Departs,
            order,
            number: 0,
            times: [s.now(); 3],
            result: None,
            record: kept.id.filter(|_| kept.moment.is_some()),
            moment: kept.moment.filter(|_| order.is_some()),
            told: kept.told,
        }));
        self.set_off(flight, at, s);
        let reply = request.map_or(Reply::Done, |request| Reply::Request(self.request_id(request)));
        s.reply(self.ranks[rank as usize].process, at, reply);
    }

    /// Lets an access depart that its processor has prepared at `at`, or later if accesses take effect late.
    fn set_off(&mut self, flight: u32, at: SimTime, s: &mut Sched) {
        let Some(Flight::Access(access)) = self.windows.flights.get_mut(flight) else { return };
        let is_atomic = access.order.is_some();
        match self.settings.one_sided {
            OneSided::Prompt if is_atomic => {
                let wait = self.windows.delays.draw(true);
                self.depart_at(flight, at + wait, s);
            }
            OneSided::Prompt => self.depart_at(flight, at, s),
            OneSided::Late => {
                let (id, me, pair) = (access.window, access.origin, access.pair);
                if access.request.is_none() {
                    let window = self.windows.windows.get_mut(id).expect("the caller has found it");
                    return window.member(me).pairs.at(pair).held.push(flight);
                }
                // The data of a request without a result are taken: it is complete, and its access is not.
                let taken = match access.access.action.fetches() {
                    true => None,
                    false => access.request.take(),
                };
                if is_atomic {
                    self.release_atomic((id, me), pair, s);
                }
                if let Some(request) = taken {
                    self.complete_at(request, at, s);
                }
                let wait = if taken.is_some() { LATE } else { SimDuration::ZERO };
                self.depart_at(flight, at + wait, s);
            }
        }
    }

    fn depart_at(&mut self, flight: u32, at: SimTime, s: &mut Sched) {
        if at > s.now() {
            s.schedule(at, Event::Window(flight));
        } else {
            self.depart_access(flight, s);
        }
    }

    /// Lets accesses to a target or to all depart that were held until a synchronisation. If it completes them at their
    /// origin only, those that bring no result depart late. So do puts beside atomic accesses, which may overtake them: only
    /// these are ordered among each other (MPI 5.0, 12.7.2). Other puts are slow, except in windows with atomic accesses: ranks
    /// that wait by these would make very many meanwhile.
    pub(super) fn release_held(
        &mut self,
        (id, me): (WindowId, u32),
        (target, completion): (Option<u32>, AccessCompletion),
        s: &mut Sched,
    ) {
        if self.settings.one_sided != OneSided::Late {
            return;
        }
        let window = self.windows.get_mut(id).expect("the caller has found it");
        let is_slow = !window.has_atomic;
        let released = window.member(me).pairs.take_held(target);
        let flights = &self.windows.flights;
        let held = |flight: u32| flights.get(flight).and_then(Flight::access);
        let is_atomic = |held: &AccessFlight| held.order.is_some();
        let overtaken = released.iter().any(|flight| held(*flight).is_some_and(is_atomic));
        let wait = |held: &AccessFlight| match (completion, is_atomic(held)) {
            _ if held.access.action.fetches() => None,
            (AccessCompletion::Local, _) => Some(LATE),
            (AccessCompletion::Remote, true) => None,
            (AccessCompletion::Remote, false) if overtaken => Some(LATE + slowness(me)),
            (AccessCompletion::Remote, false) => is_slow.then(|| slowness(me)),
        };
        let waits: Vec<Option<SimDuration>> =
            released.iter().map(|flight| held(*flight).and_then(wait)).collect();
        for (flight, wait) in released.into_iter().zip(waits) {
            match wait {
                Some(wait) => s.schedule(s.now() + wait, Event::Window(flight)),
                None => self.proceed(flight, s),
            }
        }
    }

    /// Lets those accesses to a target depart that were held and that an atomic access has to follow: they
    /// take effect in the order of their calls.
    fn release_atomic(&mut self, (id, me): (WindowId, u32), pair: usize, s: &mut Sched) {
        let Windows { windows, flights, .. } = &mut self.windows;
        let Some(window) = windows.get_mut(id) else { return };
        let is_atomic = |index: &mut u32| match flights.get(*index) {
            Some(Flight::Access(flight)) => flight.order.is_some(),
            Some(Flight::Signal(_) | Flight::Vacant) | None => false,
        };
        let held = &mut window.member(me).pairs.at(pair).held;
        let atomic: Vec<u32> = held.extract_if(.., is_atomic).collect();
        atomic.into_iter().for_each(|flight| self.proceed(flight, s));
    }

    /// Continues with an access that has reached the next stage of its way.
    pub(super) fn proceed(&mut self, index: u32, s: &mut Sched) {
        let Some(Flight::Access(flight)) = self.windows.flights.get(index) else { return };
        match flight.stage {
            Stage::Departs => self.depart_access(index, s),
            Stage::Travels => {
                let (origin, target) = flight.ends;
                if !self.lets_time_pass(index, origin, s) && self.is_served(index, target, s) {
                    self.arrive_access(index, s);
                }
            }
            Stage::Served => self.arrive_access(index, s),
            Stage::Returns => self.end_access(index, s),
        }
    }

    /// Lets an access arrive with the next event of a later time, if its origin has only looked at windows for long at
    /// the present one. Returns whether it does.
    fn lets_time_pass(&self, index: u32, origin: u32, s: &mut Sched) -> bool {
        if !self.windows.spinning.stands_still(origin, s.now()) {
            return false;
        }
        let Some(later) = s.next_later() else { return false };
        s.schedule(later, Event::Window(index));
        true
    }

    fn depart_access(&mut self, index: u32, s: &mut Sched) {
        let Some(Flight::Access(flight)) = self.windows.flights.get_mut(index) else { return };
        let (from, to) = flight.ends;
        let bytes = flight.access.payload.bytes();
        let fetches = flight.access.action.fetches();
        let back = if fetches { flight.access.runs.bytes() } else { 0 };
        flight.stage = Stage::Travels;
        flight.number = self.sent.count(&mut self.ranks[from as usize], bytes + back);
        flight.times[1] = s.now();
        // Without an answer that it waits for, a request is complete when the network has the data.
        let request = if fetches { None } else { flight.request.take() };
        let (id, me, pair) = (flight.window, flight.origin, flight.pair);
        let taken = self.transfer(from, to, bytes, Event::Window(index), s);
        if let Some(window) = self.windows.get_mut(id) {
            window.member(me).pairs.take(pair, taken);
        }
        if let Some(request) = request {
            self.complete_at(request, taken, s);
        }
    }

    /// Lets an access take effect, and those atomic ones that it has kept waiting.
    fn arrive_access(&mut self, index: u32, s: &mut Sched) {
        let Windows { windows, flights, .. } = &mut self.windows;
        let Some(Flight::Access(flight)) = flights.get(index) else { return };
        let at = (flight.window, flight.origin, flight.pair);
        let (target, order) = (flight.access.target, flight.order);
        let Some(window) = windows.get_mut(at.0) else { return };
        if let Some(order) = order {
            let pair = window.member(at.1).pairs.at(at.2);
            if order != pair.atomic.1 {
                pair.early.insert(order, index);
                return;
            }
        }
        // Only the end of an exposure waits for accesses of others.
        let is_exposed = window.member(target).epochs.exposure().is_some();
        self.take_effect(index, s);
        if order.is_some() {
            self.let_early_follow(at, s);
        }
        if is_exposed {
            self.wake_in_window((at.0, target), s);
        }
    }

    /// Counts an atomic access that has taken effect, and lets those take effect that had overtaken it.
    fn let_early_follow(&mut self, (id, me, pair): (WindowId, u32, usize), s: &mut Sched) {
        loop {
            let Some(window) = self.windows.get_mut(id) else { return };
            let pair = window.member(me).pairs.at(pair);
            pair.atomic.1 += 1;
            let due = pair.atomic.1;
            let Some(next) = pair.early.remove(&due) else { return };
            self.take_effect(next, s);
        }
    }

    fn take_effect(&mut self, index: u32, s: &mut Sched) {
        let Windows { windows, flights, spinning, .. } = &mut self.windows;
        let Some(Flight::Access(flight)) = flights.get_mut(index) else { return };
        let Some(window) = windows.get_mut(flight.window) else { return };
        window.member(flight.origin).pairs.at(flight.pair).ahead -= 1;
        flight.stage = Stage::Returns;
        flight.times[2] = s.now();
        let mut stored = None;
        let (reached, result) = reach(window, flight, &mut stored);
        flight.result = result;
        let result = flight.result.as_ref();
        if let (Reached::Memory(base), Some(moment)) = (reached, &flight.moment) {
            let told = window.words.update(base, &flight.access, result, moment);
            flight.told = joined(flight.told.take(), told);
        }
        if let Some(record) = flight.record {
            let action = &flight.access.action;
            let fetches = action.is_atomic() && action.fetches() && flight.request.is_none();
            window.conflicts.land(flight.access.target, record, fetches);
        }
        let bytes = result.map_or(0, Payload::bytes);
        let (origin, target) = flight.ends;
        let from = (origin, flight.window, reached.base());
        let moment = (s.now(), self.sent.of_two_sides());
        spinning.follow(from, &flight.access, result, moment);
        let is_followed = self.settings.one_sided == OneSided::Late;
        let Access { action, runs, .. } = &*flight.access;
        let base = from.2.filter(|_| is_followed && recorded::writes(action));
        let written = base.map(|base| Seen::new((origin, flight.by), action.clone(), (base, runs)));
        if let Some((seen, other)) = stored {
            let period = window.members[flight.access.target as usize].epochs.exposure();
            self.report_store(target, (origin, seen), other, period.is_some());
        }
        if let Some(seen) = written {
            self.windows.windows.note_in_others(from.1, target, &seen);
        }
        self.transfer(target, origin, bytes, Event::Window(index), s);
    }

    /// Ends an access whose answer has come back.
    fn end_access(&mut self, index: u32, s: &mut Sched) {
        if self.journal.sink.is_some() {
            self.trace_access(index, s.now());
        }
        let flights = &mut self.windows.flights;
        let Some(Flight::Access(flight)) = flights.get_mut(index) else { return };
        let (id, me, pair, request) = (flight.window, flight.origin, flight.pair, flight.request);
        let (result, told) = (flight.result.take(), flight.told.take());
        let (ticket, target) = (flight.access.ticket, flight.access.target);
        let fetched = flight.access.action.fetches();
        let record = flight.record;
        flights.free(index);
        if let (Some(told), Some(request)) = (&told, request) {
            let request = self.request_id(request);
            self.history.iter_mut().for_each(|all| all.learn_with(request, told));
        }
        let Some(window) = self.windows.get_mut(id) else { return };
        let member = window.member(me);
        let pair = member.pairs.end(pair, fetched);
        if told.is_some() {
            pair.told = joined(pair.told.take(), told);
        }
        pair.answered.extend(record.filter(|_| fetched && request.is_none()));
        match (request, result) {
            (Some(request), result) => {
                self.requests[request].payload = result;
                self.complete(request, s);
            }
            (None, Some(result)) => member.fetched.push((ticket, target, result)),
            (None, None) => {}
        }
        self.wake_in_window((id, me), s);
    }

    /// Passes an access to the sink of a traced run, as the message that its data are: from the origin,
    /// or from the target for a get. An analysis is told who accessed whose memory.
    fn trace_access(&mut self, index: u32, now: SimTime) {
        let Some(Flight::Access(flight)) = self.windows.flights.get(index) else { return };
        let Some(sink) = &mut self.journal.sink else { return };
        let ends = flight.ends;
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

/// What an access has reached when it arrives.
#[derive(Clone, Copy)]
enum Reached {
    /// Memory, in which its runs are relative to this place.
    Memory(i64),
    /// No memory: it was withdrawn, or belongs to another process.
    Withdrawn(i64),
    /// Nothing: the window does not reach there any more.
    Nothing,
}

impl Reached {
    /// Returns the place that the runs are relative to, if the window has it.
    fn base(self) -> Option<i64> {
        match self {
            Self::Memory(base) | Self::Withdrawn(base) => Some(base),
            Self::Nothing => None,
        }
    }
}

/// Lets an access have its effect on the memory of its target. Returns what it has reached and what returns to its
/// origin. `stored` becomes the access if the target has stored to the same bytes in the same epoch, in runs that look
/// for that.
fn reach(
    window: &mut Window,
    flight: &AccessFlight,
    stored: &mut Option<(Seen, Option<Seen>)>,
) -> (Reached, Option<Payload>) {
    let (access, target) = (&flight.access, flight.access.target);
    let part = window.part(target).copied();
    // Only memory of a dynamic window may have been detached meanwhile.
    let place = match part.map(|part| part.flavor) {
        Some(Flavor::Create | Flavor::Allocate | Flavor::Shared) => Some(flight.spot),
        Some(Flavor::Dynamic) | None => spot(window, access).ok(),
    };
    let (Some(part), Some(place)) = (part, place) else {
        return (Reached::Nothing, effect::nothing(access));
    };
    let base = place.base;
    let carried = window_memory::with(part.memory, |memory| {
        if !place.is_in(memory) {
            return (Reached::Nothing, effect::nothing(access));
        }
        let shadow = window.member(target).shadow.as_mut().filter(|_| flight.exposed);
        let Some(shadow) = shadow else {
            return (Reached::Memory(base), effect::carry_out(memory, base, access));
        };
        let by = (flight.origin, flight.by);
        let seen = Seen::new(by, access.action.clone(), (base, &access.runs));
        *stored = shadow.differs(memory, &seen).then(|| (seen.clone(), shadow.written_with(&seen)));
        let result = effect::carry_out(memory, base, access);
        shadow.follow(memory, seen);
        (Reached::Memory(base), result)
    });
    carried.unwrap_or_else(|| (Reached::Withdrawn(base), effect::nothing(access)))
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
    let writes = recorded::writes(&access.action) && access.runs.bytes() > 0;
    let promises = member.no_put.iter().flatten();
    match promises.copied().find(|(epoch, _)| writes && *epoch == opened) {
        None => Ok(opened),
        Some((_, by)) => {
            let target = window.number(access.target);
            let text =
                format!("rank {target} asserted MPI_MODE_NOPUT, but its memory is written to");
            let beside = Beside { rank: Some(target), by, shown: Shown::Assertion };
            Err(Misuse::of_assertions(text, Some(beside)))
        }
    }
}
