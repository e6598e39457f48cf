//! Partitioned communication (MPI section 4.2): one message whose partitions the sender declares
//! ready one by one, and whose partitions the receiver may use as they arrive.
//!
//! Two matching requests, in the order in which they were made, share a channel for their whole
//! lives. The data of a partition leave when it is ready and the sender knows that the receiver has
//! started.

use crate::kernel::request::channel::Key;
use crate::{
    call::{CommId, Completion, Partitioned, PartitionedCall, Payload, Reply, RequestId},
    check,
    finding::CallSite,
    kernel::{
        Event, MpiKernel, Sched,
        request::polling::Sought,
        request::{
            channel::{Channel, Channels, End, Parcel},
            table::{Kind, Owner, State},
        },
        transport::receive::FREE,
    },
    object::status::Status,
    trace::{Protocol, Record},
};

impl MpiKernel {
    /// Executes a call of partitioned communication.
    pub(in crate::kernel) fn partitioned_call(
        &mut self,
        rank: u32,
        call: PartitionedCall,
        s: &mut Sched,
    ) {
        match call {
            PartitionedCall::Init(side) => self.init_partitioned(rank, side, s),
            PartitionedCall::Ready(id, parts) => self.ready_partitions(rank, (id, parts), s),
            PartitionedCall::Arrived(id, number) => self.partition_arrived(rank, (id, number), s),
        }
    }

    /// Executes `MPI_Psend_init` and `MPI_Precv_init`.
    pub(crate) fn init_partitioned(&mut self, rank: u32, given: Partitioned, s: &mut Sched) {
        let sends = given.sends;
        let what = if sends { "destination rank" } else { "source rank" };
        if let Some(peer) = given.peer
            && !self.has_rank(rank, given.comm, (what, peer), s)
        {
            return;
        }
        let channel = given.peer.map(|peer| {
            let peer = self.comms.world_rank(given.comm, peer, rank);
            let (source, target) = if sends { (rank, peer) } else { (peer, rank) };
            self.channel_for((given.comm.0, source, target, given.tag), given.comm, sends)
        });
        let kind = Kind::Partitioned { channel, sends };
        let request = self.new_request(rank, Owner::Program, kind);
        self.requests[request].state = State::Inactive;
        self.requests[request].persistent = true;
        if let Some(channel) = channel {
            let end = End { request, given };
            let ends = &mut self.books.channels.table[channel];
            if sends {
                ends.sent = Some(end.bytes());
                ends.sender = Some(end);
            } else {
                ends.receiver = Some(end);
            }
            if !self.ends_agree(request, s) {
                return;
            }
            // A receive may have started before its send was known to be empty.
            let c = &self.books.channels.table[channel];
            if sends && c.receiver.is_some() && c.total() == 0 {
                self.end_receive(channel, s);
            }
        }
        let id = self.request_id(request);
        let cost = self.settings.costs.init;
        let now = s.now();
        self.answer(rank, now, cost, Reply::Request(id), s);
    }

    /// Returns the first channel that lacks this end, or a new one.
    fn channel_for(&mut self, key: Key, comm: CommId, sends: bool) -> u32 {
        let Channels { table, unmatched, .. } = &mut self.books.channels;
        let line = unmatched.entry(key).or_default();
        let lacks = |channel: &u32| {
            let channel = &table[*channel];
            if sends { channel.sender.is_none() } else { channel.receiver.is_none() }
        };
        if line.front().is_some_and(lacks)
            && let Some(channel) = line.pop_front()
        {
            return channel;
        }
        let channel = table.insert(Channel::new(key, self.comms.rank_in(comm, key.1)));
        line.push_back(channel);
        channel
    }

    fn channel_of(&self, request: u32) -> Option<u32> {
        match self.requests[request].kind {
            Kind::Partitioned { channel, .. } => channel,
            _ => None,
        }
    }

    /// Checks that both ends name the same types, and that the receiver has room for the sender's data (MPI section
    /// 4.2). False when the run has ended instead.
    fn ends_agree(&mut self, request: u32, s: &mut Sched) -> bool {
        let Some(index) = self.channel_of(request) else { return true };
        // Other types may be why the data are longer.
        if !self.types_agree(index, s) {
            return false;
        }
        let channel = &self.books.channels.table[index];
        let (Some(sender), Some(receiver)) = (&channel.sender, &channel.receiver) else {
            return true;
        };
        let (sent, room) = (sender.bytes(), receiver.bytes());
        if sent <= room {
            return true;
        }
        let [sends, receives] = check::truncation::partition_labels(sent, room);
        let (receive, send) = (self.end_site(receiver, receives), self.end_site(sender, sends));
        self.fail(check::truncation::of_partitions(receive, send, sent, room), s);
        false
    }

    /// Returns the call that made an end.
    pub(in crate::kernel) fn end_site(&self, end: &End, label: String) -> CallSite {
        let request = &self.requests[end.request];
        CallSite::new(request.rank, request.call, request.site.known(), label)
    }

    /// Checks that both ends of a channel name the same types. False when the run has ended
    /// instead.
    fn types_agree(&mut self, index: u32, s: &mut Sched) -> bool {
        let channel = &self.books.channels.table[index];
        let (Some(sender), Some(receiver)) = (&channel.sender, &channel.receiver) else {
            return true;
        };
        let (sent, wanted) = (&sender.given.signature, &receiver.given.signature);
        let Err(what) = wanted.receive_matches(sent) else { return true };
        if self.represents_alike(wanted, sent) {
            return true;
        }
        let [sends, receives] = check::type_mismatch::labels(sent, wanted);
        let (receive, send) = (self.end_site(receiver, receives), self.end_site(sender, sends));
        self.fail(check::type_mismatch::of_partitions(receive, send, &what), s);
        false
    }

    /// Executes `MPI_Start` of a partitioned request.
    pub(crate) fn start_partitioned(&mut self, rank: u32, request: u32, s: &mut Sched) {
        self.charge(rank, self.settings.costs.start);
        self.requests[request].state = State::Active;
        let Kind::Partitioned { channel, sends } = self.requests[request].kind else { return };
        let Some(channel) = channel else {
            self.requests[request].state = State::Complete;
            self.requests[request].status = Status::null_process();
            return;
        };
        let c = &mut self.books.channels.table[channel];
        if sends {
            c.missing = c.sender.as_ref().map_or(0, |end| end.given.partitions);
            if c.missing == 0 {
                self.complete(request, s);
            }
            return;
        }
        c.arrived.clear();
        c.data = vec![0; c.room() as usize];
        let (_, source, target, _) = c.key;
        let empty = c.total() == 0;
        self.transfer(target, source, 0, Event::Open(channel), s);
        if empty {
            self.end_receive(channel, s);
        }
    }

    /// Notifies the sender that the receiver has started.
    pub(crate) fn open_channel(&mut self, channel: u32, s: &mut Sched) {
        let c = &mut self.books.channels.table[channel];
        c.open = true;
        for (place, payload) in std::mem::take(&mut c.waiting) {
            self.send_part(channel, place, payload, s);
        }
        self.end_send(channel, s);
    }

    /// Executes `MPI_Pready` and its variants, with partitions by number.
    pub(crate) fn ready_partitions(
        &mut self,
        rank: u32,
        (id, parts): (RequestId, Vec<(u64, Payload)>),
        s: &mut Sched,
    ) {
        let channel = self.live(id).and_then(|request| self.channel_of(request));
        if let Some(channel) = channel {
            for (number, payload) in parts {
                self.charge(rank, self.settings.costs.post_send);
                let c = &mut self.books.channels.table[channel];
                c.missing = c.missing.saturating_sub(1);
                let place = number * c.sender.as_ref().map_or(0, |end| end.given.bytes);
                match c.open {
                    true => self.send_part(channel, place, payload, s),
                    false => c.waiting.push((place, payload)),
                }
            }
            self.end_send(channel, s);
        }
        let now = s.now();
        self.answer(rank, now, FREE, Reply::Done, s);
    }

    fn send_part(&mut self, channel: u32, place: u64, payload: Payload, s: &mut Sched) {
        let (_, source, target, _) = self.books.channels.table[channel].key;
        let bytes = payload.bytes();
        self.sent.messages += 1;
        self.sent.bytes += bytes;
        let totals = &mut self.ranks[source as usize].totals;
        totals.messages += 1;
        totals.bytes += bytes;
        let parcel = Parcel { channel, place, payload, posted: s.now() };
        let parcel = self.books.channels.parcels.insert(parcel);
        self.transfer(source, target, bytes, Event::Part(parcel), s);
    }

    /// Completes the send if every partition has left.
    fn end_send(&mut self, channel: u32, s: &mut Sched) {
        let c = &mut self.books.channels.table[channel];
        let Some(request) = c.sender.as_ref().map(|end| end.request) else { return };
        let active = self.requests[request].state == State::Active;
        if active && c.open && c.missing == 0 && c.waiting.is_empty() {
            c.open = false;
            self.complete(request, s);
        }
    }

    /// Handles partition data that arrive at the receiver.
    pub(crate) fn part_arrived(&mut self, parcel: u32, s: &mut Sched) {
        let Parcel { channel, place, payload, posted } =
            *self.books.channels.parcels.remove(parcel);
        let c = &mut self.books.channels.table[channel];
        let bytes = payload.bytes();
        let data = payload.as_slice();
        c.data[place as usize..][..data.len()].copy_from_slice(data);
        c.arrived.push((place, place + bytes));
        let (_, source, target, tag) = c.key;
        if let Some(sink) = &mut self.journal.sink {
            sink.record(Record::Message {
                id: self.sent.messages,
                source,
                target,
                tag,
                bytes,
                protocol: Protocol::Rendezvous,
                posted,
                injected: posted,
                arrived: s.now(),
                matched: s.now(),
            });
            let receiver = self.books.channels.table[channel].receiver.as_ref();
            if let Some(request) = receiver.map(|end| end.request) {
                self.observe_filled(request, (source, bytes, posted));
            }
        }
        let c = &self.books.channels.table[channel];
        if c.has(0, c.total()) {
            self.end_receive(channel, s);
        }
    }

    fn end_receive(&mut self, channel: u32, s: &mut Sched) {
        let c = &mut self.books.channels.table[channel];
        let Some(request) = c.receiver.as_ref().map(|end| end.request) else { return };
        if self.requests[request].state != State::Active {
            return;
        }
        let payload = Payload::from_slice(&c.data[..c.total() as usize]);
        let r = &mut self.requests[request];
        r.status = Status::message(c.source_rank, c.key.3, c.total());
        r.payload = Some(payload);
        self.complete(request, s);
    }

    /// Executes `MPI_Parrived`.
    pub(crate) fn partition_arrived(
        &mut self,
        rank: u32,
        (id, number): (RequestId, u64),
        s: &mut Sched,
    ) {
        let channel = self.live(id).and_then(|request| self.channel_of(request));
        let c = channel.map(|channel| &self.books.channels.table[channel]);
        let Some((c, end)) = c.and_then(|c| Some((c, c.receiver.as_ref()?))) else {
            self.answer_status(rank, Status::empty(), s);
            return;
        };
        let (bytes, layout) = (end.given.bytes, end.given.layout);
        let (start, past) = (number * bytes, (number + 1) * bytes);
        if !c.has(start, past) || self.refuses_partition(id, number) {
            self.failed_poll(rank, Sought::Other, s);
            return;
        }
        let c = &self.books.channels.table[channel.expect("its channel was found")];
        let known = |place: u64| place.min(c.total()) as usize;
        let payload = Payload::from_slice(&c.data[known(start)..known(past)]);
        let cost = self.taking(bytes, layout, false);
        let completion = Completion { payload: Some(payload), ..Completion::of(Status::empty()) };
        let now = s.now();
        self.answer(rank, now, cost, Reply::Completed(Box::new(completion)), s);
    }

    /// Returns the world rank at the other end of a partitioned request.
    pub(crate) fn partitioned_peer(&self, request: u32) -> Option<u32> {
        let Kind::Partitioned { channel: Some(channel), sends } = self.requests[request].kind
        else {
            return None;
        };
        let (_, source, target, _) = self.books.channels.table[channel].key;
        Some(if sends { target } else { source })
    }

    /// Frees a partitioned request: a channel without a match will not be matched any more.
    pub(crate) fn forget_partitioned(&mut self, request: u32) {
        let Some(channel) = self.channel_of(request) else { return };
        let c = &mut self.books.channels.table[channel];
        let (mine, other) = match c.sender.as_ref().is_some_and(|end| end.request == request) {
            true => (&mut c.sender, &c.receiver),
            false => (&mut c.receiver, &c.sender),
        };
        *mine = None;
        // The channel itself stays: partitions of it may be under way.
        if other.is_none()
            && let Some(line) = self.books.channels.unmatched.get_mut(&c.key)
        {
            line.retain(|waiting| *waiting != channel);
        }
    }
}
