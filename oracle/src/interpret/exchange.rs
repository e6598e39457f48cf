//! Steps in which a rank has several messages at once.

use mpi_api::{
    call::{
        Incoming, Layout as Cost, MessageCall, Mode, Outgoing, Payload, ProbeCall, Reply,
        RequestCall, RequestId, Source,
    },
    object::{
        signature::{Primitive, Signature},
        status::Status,
    },
};

use super::Rank;
use crate::{
    plan::{Exchanged, How, Id, Null, Part, Plan, Together},
    values::{Record, Slot},
};

impl Rank<'_> {
    pub(super) fn exchange(&mut self, exchanged: &Exchanged) {
        let Exchanged { messages, first, out, inward, how } = exchanged;
        match how {
            Together::SendReceive | Together::Replace => {
                if *how == Together::Replace {
                    // The buffer has one type for sending and receiving.
                    let (out, inward) = (out.first().copied(), inward.first().copied());
                    let id = out.or(inward).unwrap_or(messages[0]);
                    self.need_type(Part::Sent(id));
                }
                self.send_receive(first.comm, out.first(), inward.first(), *how);
            }
            Together::Immediate => {
                self.all_at_once(inward, out);
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

    pub(super) fn null_outgoing(&self, comm: Id) -> Outgoing {
        Outgoing {
            comm: self.comm(comm),
            dest: None,
            tag: 0,
            mode: Mode::Standard,
            payload: Payload::from_slice(&[1, 2, 3]),
            signature: Signature::of(Primitive::Byte, 3),
            layout: Cost::Dense,
        }
    }

    pub(super) fn bytes_from(
        &self,
        comm: Id,
        source: Source,
        tag: Option<i32>,
        bytes: u64,
    ) -> Incoming {
        let signature = Signature::of(Primitive::Byte, bytes);
        let comm = self.comm(comm);
        Incoming { comm, source, tag, capacity: bytes, signature, layout: Cost::Dense }
    }

    fn send_receive(&self, comm: Id, out: Option<&Id>, inward: Option<&Id>, how: Together) {
        let send = out.map_or_else(|| self.null_outgoing(comm), |id| self.outgoing(*id, 0));
        if let (Together::Replace, Some(id)) = (how, inward) {
            self.typed.borrow_mut().insert(Part::Received(*id));
        }
        let nothing = || self.bytes_from(comm, Source::Null, None, 5);
        let receive = inward.map_or_else(nothing, |id| self.incoming(*id));
        let completion = self.completed(MessageCall::SendReceive(send, receive));
        let Some(id) = inward else {
            assert_eq!(completion.status, Status::null_process());
            return;
        };
        let layout = &self.plan.messages[*id].received_into;
        let memory = match out {
            Some(out) if how == Together::Replace => self.plan.sent_memory(*out, 0),
            _ => self.plan.fresh_memory(*id, 0, layout),
        };
        self.store((self.me, Slot::Message(*id), 0), layout, memory, &completion);
    }

    fn all_at_once(&mut self, inward: &[Id], out: &[Id]) {
        let mut list: Vec<RequestId> = inward.iter().map(|id| self.start_receive(*id)).collect();
        list.extend(out.iter().map(|id| self.start_send(*id, 0)));
        for (position, completion) in self.finish(&list, How::All) {
            if let Some(id) = inward.get(position) {
                self.received(*id, 0, &completion);
            }
        }
    }

    fn rounds(&mut self, inward: &[Id], out: &[Id], rounds: u32) {
        if inward.is_empty() && out.is_empty() {
            return;
        }
        let mut list: Vec<RequestId> = inward.iter().map(|id| self.init_receive(*id)).collect();
        list.extend(out.iter().map(|id| self.init_send(*id)));
        for round in 0..rounds {
            let data = |id: &Id| self.data(*id, round);
            let given = inward.iter().map(|_| None).chain(out.iter().map(data));
            self.call(RequestCall::Start(list.iter().copied().zip(given).collect()));
            let how = [How::All, How::Some, How::TestAny][round as usize % 3];
            for (position, completion) in self.finish(&list, how) {
                if let Some(id) = inward.get(position) {
                    self.received(*id, round, &completion);
                }
            }
        }
        list.into_iter().for_each(|request| {
            self.call(RequestCall::Free(request));
        });
    }

    pub(super) fn null(&self, null: Null) {
        let nothing = || self.bytes_from(0, Source::Null, None, 3);
        let (comm, null_source) = (self.comm(0), Source::Null);
        let status = match null {
            Null::Send => {
                assert!(matches!(self.call(MessageCall::Send(self.null_outgoing(0))), Reply::Done));
                return;
            }
            Null::Receive => self.completed(MessageCall::Receive(nothing())).status,
            Null::Immediate => {
                let send = self.request(MessageCall::StartSend(self.null_outgoing(0)));
                let receive = self.request(MessageCall::StartReceive(nothing()));
                self.finish(&[send, receive], How::All).swap_remove(1).1.status
            }
            Null::Persistent => {
                let send = self.request(MessageCall::InitSend(self.null_outgoing(0)));
                let receive = self.request(MessageCall::InitReceive(nothing()));
                self.call(RequestCall::Start(vec![(send, None), (receive, None)]));
                let status = self.finish(&[receive, send], How::Any).swap_remove(0).1.status;
                self.call(RequestCall::Free(send));
                self.call(RequestCall::Free(receive));
                status
            }
            Null::Probe => {
                self.completed(ProbeCall::Immediate(comm, null_source, None));
                self.completed(ProbeCall::Blocking(comm, null_source, None)).status
            }
            Null::SendReceive => {
                self.completed(MessageCall::SendReceive(self.null_outgoing(0), nothing())).status
            }
            Null::Cancel => {
                let receive = self.bytes_from(0, Source::Any, Some(Plan::UNUSED_TAG), 3);
                let request = self.request(MessageCall::StartReceive(receive));
                self.call(RequestCall::Cancel(request));
                assert!(self.wait(request).status.cancelled, "nobody sends this");
                return;
            }
        };
        let status = Some((status.source, status.tag, status.bytes));
        self.record((self.me, Slot::Null(self.step), 0), Record { bytes: Vec::new(), status });
    }
}
