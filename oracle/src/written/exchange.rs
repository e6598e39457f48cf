//! Steps with several messages at once, and calls with `MPI_PROC_NULL`, as statements.

use super::{
    message::Triple,
    routine::Writer,
    statement::{Arg, Array},
};
use crate::{
    plan::{Exchanged, How, Id, Null, Part, Plan, Style, Together},
    values::Slot,
};

impl Writer<'_> {
    pub(super) fn exchange(&mut self, exchanged: &Exchanged) {
        let Exchanged { messages, first, out, inward, how } = exchanged;
        match how {
            Together::SendReceive => self.send_receive(first.comm, out.first(), inward.first()),
            Together::Replace => self.replace(messages[0], out.first(), inward.first()),
            Together::Immediate => {
                let first = self.new_requests(inward.len() + out.len());
                for (at, id) in (first..).zip(inward) {
                    self.post_receive(Style::Immediate, *id, 0, at);
                }
                for (at, id) in (first + inward.len()..).zip(out) {
                    let data = self.outgoing(*id, 0);
                    self.send(*id, Style::Immediate, data, Some(at));
                }
                self.finish(Array::Requests, first, inward.len() + out.len(), How::All);
                for (at, id) in inward.iter().enumerate() {
                    self.received(*id, 0, at);
                }
            }
            Together::Persistent => self.rounds(inward, out, first.rounds),
            Together::SendFirst => {
                out.iter().for_each(|id| self.whole_send(*id));
                inward.iter().for_each(|id| self.whole_receive(*id));
            }
            Together::ReceiveFirst => {
                inward.iter().for_each(|id| self.whole_receive(*id));
                out.iter().for_each(|id| self.whole_send(*id));
            }
        }
    }

    fn rounds(&mut self, inward: &[Id], out: &[Id], rounds: u32) {
        let count = inward.len() + out.len();
        if count == 0 {
            return;
        }
        let first = self.new_requests(count);
        for (at, id) in (first..).zip(inward) {
            self.post_receive(Style::Persistent, *id, 0, at);
        }
        for (at, id) in (first + inward.len()..).zip(out) {
            let data = self.outgoing(*id, 0);
            self.send(*id, Style::Persistent, data, Some(at));
        }
        for round in 0..rounds {
            if round > 0 {
                inward.iter().for_each(|id| self.refresh(*id, round));
                out.iter().for_each(|id| self.refill(*id, round));
            }
            let requests = Arg::Place(Array::Requests, first);
            self.call("Startall", vec![Arg::Int(count as i64), requests]);
            let how = [How::All, How::Some, How::TestAny][round as usize % 3];
            self.finish(Array::Requests, first, count, how);
            for (at, id) in inward.iter().enumerate() {
                self.received(*id, round, at);
            }
        }
        for at in first..first + count {
            self.call("Request_free", vec![Arg::Place(Array::Requests, at)]);
        }
    }

    /// Adds a small buffer for a call that moves no data.
    fn idle(&mut self, name: &str, bytes: i64) -> Triple {
        let buffer = self.buffer(name, 8);
        [buffer, Arg::Int(bytes), Arg::Word("MPI_BYTE")]
    }

    fn send_receive(&mut self, comm: Id, out: Option<&Id>, inward: Option<&Id>) {
        let mut args = match out {
            Some(id) => self.outgoing(*id, 0).to_vec(),
            None => self.idle("idle_out", 3).to_vec(),
        };
        let to_nobody = [Arg::Word("MPI_PROC_NULL"), Arg::Int(0)];
        let (sent, received) =
            (out.map(|id| Part::Sent(*id)), inward.map(|id| Part::Received(*id)));
        let ends = |part: Part| self.envelope(part)[..2].to_vec();
        let out_ends = sent.map_or_else(|| to_nobody.to_vec(), ends);
        let from_nobody = [Arg::Word("MPI_PROC_NULL"), Arg::Word("MPI_ANY_TAG")];
        let in_ends = received.map_or_else(|| from_nobody.to_vec(), ends);
        args.extend(out_ends);
        match inward {
            Some(id) => args.extend(self.incoming(*id, 0)),
            None => args.extend(self.idle("idle_in", 5)),
        }
        args.extend(in_ends);
        args.extend([Arg::Entry(Array::Comms, comm), Arg::Place(Array::Statuses, 0)]);
        self.counted("Sendrecv", args, &[5, self.step as u64]);
        match inward {
            Some(id) => self.received(*id, 0, 0),
            None => self.nobody(0),
        }
    }

    /// Adds `MPI_Sendrecv_replace`. All messages of such a step have one layout.
    fn replace(&mut self, first: Id, out: Option<&Id>, inward: Option<&Id>) {
        let message = self.message(first);
        let (comm, layout) = (message.comm, message.sent_from.clone());
        let (origin, length) = layout.memory();
        let name = format!("both{}", self.step);
        let place = self.origin(&name, origin, length);
        let (id, kind) = match (out, inward) {
            (Some(id), _) => (*id, 1),
            (None, Some(id)) => (*id, 2),
            (None, None) => (first, 1),
        };
        self.fill_memory(&name, origin, length, [id as u64, 0, kind]);
        let datatype = self.datatype(Part::Sent(id));
        let mut args = vec![place, Arg::Int(layout.elements as i64), datatype];
        let null = Arg::Word("MPI_PROC_NULL");
        match out {
            Some(id) => args.extend_from_slice(&self.envelope(Part::Sent(*id))[..2]),
            None => args.extend([null.clone(), Arg::Int(0)]),
        }
        match inward {
            Some(id) => args.extend_from_slice(&self.envelope(Part::Received(*id))[..2]),
            None => args.extend([null, Arg::Word("MPI_ANY_TAG")]),
        }
        args.extend([Arg::Entry(Array::Comms, comm), Arg::Place(Array::Statuses, 0)]);
        self.counted("Sendrecv_replace", args, &[6, self.step as u64]);
        match inward {
            Some(id) => self.received(*id, 0, 0),
            None => self.nobody(0),
        }
    }

    /// Adds the check of a status that describes `MPI_PROC_NULL`.
    fn nobody(&mut self, status: usize) {
        let envelope = [Arg::Word("MPI_PROC_NULL"), Arg::Word("MPI_ANY_TAG"), Arg::Int(0)];
        self.check_status(status, envelope);
    }

    pub(super) fn null(&mut self, null: Null) {
        let comm = Arg::Entry(Array::Comms, 0);
        let nobody = Arg::Word("MPI_PROC_NULL");
        let any = Arg::Word("MPI_ANY_TAG");
        let status = Arg::Place(Array::Statuses, 0);
        let with = |data: Triple, rest: &[Arg]| -> Vec<Arg> { [&data[..], rest].concat() };
        let (out, room) = (self.idle("idle_out", 3), self.idle("idle_in", 3));
        let to = [nobody.clone(), Arg::Int(0), comm.clone()];
        let from = [nobody.clone(), any.clone(), comm.clone()];
        match null {
            Null::Send => self.counted("Send", with(out, &to), &[8]),
            Null::Receive => {
                let args = with(room, &[&from[..], std::slice::from_ref(&status)].concat());
                self.counted("Recv", args, &[9]);
            }
            Null::Immediate | Null::Persistent => {
                let first = self.new_requests(2);
                let [one, two] = [0, 1].map(|at| Arg::Place(Array::Requests, first + at));
                let lasting = null == Null::Persistent;
                let (send, receive) =
                    if lasting { ("Send_init", "Recv_init") } else { ("Isend", "Irecv") };
                self.counted(
                    send,
                    with(out, &[&to[..], std::slice::from_ref(&two)].concat()),
                    &[10],
                );
                self.counted(
                    receive,
                    with(room, &[&from[..], std::slice::from_ref(&one)].concat()),
                    &[11],
                );
                if lasting {
                    self.call("Startall", vec![Arg::Int(2), one.clone()]);
                }
                let how = if lasting { How::Any } else { How::All };
                self.finish(Array::Requests, first, 2, how);
                if lasting {
                    self.call("Request_free", vec![two]);
                    self.call("Request_free", vec![one]);
                }
            }
            Null::Probe => {
                let [source, tag, comm] = from;
                let asked =
                    vec![source.clone(), tag.clone(), comm.clone(), Arg::Flag, status.clone()];
                self.call("Iprobe", asked);
                self.call("Probe", vec![source, tag, comm, status]);
            }
            Null::SendReceive => {
                let mut args = with(out, &to[..2]);
                args.extend(with(room, &from));
                args.push(status);
                self.counted("Sendrecv", args, &[12]);
            }
            Null::Cancel => {
                let at = self.new_requests(1);
                let request = Arg::Place(Array::Requests, at);
                let tag = Arg::Int(Plan::UNUSED_TAG.into());
                let from = [Arg::Word("MPI_ANY_SOURCE"), tag, comm, request.clone()];
                self.counted("Irecv", with(room, &from), &[13]);
                self.call("Cancel", vec![request.clone()]);
                self.call("Wait", vec![request, status.clone()]);
                self.helper("check_cancelled", vec![Arg::Int(self.step as i64), status]);
            }
        }
        if self.expected.record((self.me, Slot::Null(self.step), 0)).is_some() {
            self.nobody(0);
        }
    }
}
