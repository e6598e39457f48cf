//! Messages between nodes that represent data differently (MPI section 3.3.2).

use sim_core::SimDuration;

use crate::kernel::{MpiKernel, Sched, transport::receive::FREE};
use crate::{
    call::{CollectiveCall, CommId, Payload},
    check::unrepresentable::of_value,
    error::{ErrorClass, MpiError},
    finding::CallSite,
    object::{
        representation::{Representation, Unrepresentable},
        signature::Signature,
        status::Status,
    },
};

impl MpiKernel {
    fn representation(&self, rank: u32) -> Representation {
        let all = self.settings.environment.representations.as_ref();
        let node = self.settings.nodes[rank as usize].0;
        all.and_then(|all| all.get(node as usize)).copied().unwrap_or_default()
    }

    /// Like `deliver`, where nodes may differ: converts the values to the representation of the
    /// receiver's node, which takes as long as packing them.
    #[cold]
    pub(crate) fn deliver_converted(
        &mut self,
        message: u32,
        payload: Payload,
        status: Status,
        s: &mut Sched,
    ) {
        let m = &self.messages[message];
        let (source, target, request) = (m.source, m.target, m.receive_request);
        let internal = m.context % 2 == 1;
        let signature = m.signature.clone();
        let mut bytes = payload.contents().into_owned();
        let r = &mut self.requests[request];
        if r.error.is_some() {
            bytes.truncate(r.incoming().map_or(0, |incoming| incoming.capacity) as usize);
            r.status = Status { bytes: bytes.len() as u64, ..status };
        } else {
            r.status = status;
        }
        let converted =
            if internal { Ok(FREE) } else { self.convert(source, target, &mut bytes, &signature) };
        let time = match converted {
            Ok(time) => time,
            Err(error) => {
                let comm = self.requests[request].incoming().map_or(CommId::WORLD, |i| i.comm);
                let text = format!("{}: {}", error.primitive.name(), error.why);
                let failed = self.failure(target, comm, MpiError::new(ErrorClass::Other, text));
                let Ok(failure) = failed else {
                    self.report_conversion(message, request, &error, s);
                    return;
                };
                self.requests[request].error = Some(failure);
                FREE
            }
        };
        self.messages.free(message);
        self.requests[request].payload = Some(bytes.into());
        self.complete_at(request, s.now() + time, s);
    }

    /// Converts data of one rank to the representation of another and returns the time that takes.
    fn convert(
        &self,
        source: u32,
        target: u32,
        data: &mut [u8],
        signature: &Signature,
    ) -> Result<SimDuration, Unrepresentable> {
        let (from, to) = (self.representation(source), self.representation(target));
        from.fit(data, signature)?;
        let numbers = to.fit(data, signature)?;
        let unlike = from != to && numbers;
        let bytes = if unlike { data.len() as u64 } else { 0 };
        Ok(self.settings.costs.pack.time_for(bytes))
    }

    fn report_conversion(
        &mut self,
        message: u32,
        request: u32,
        error: &Unrepresentable,
        s: &mut Sched,
    ) {
        let (m, r) = (&self.messages[message], &self.requests[request]);
        let (source, target, tag) = (m.source, m.target, Some(m.tag));
        let sent = CallSite {
            peer: Some(target),
            tag,
            ..CallSite::at(source, m.site, "send", "the value is sent here".into())
        };
        let received = CallSite {
            peer: Some(source),
            tag,
            ..CallSite::new(target, r.call, r.site.known(), error.why.clone())
        };
        self.fail(of_value(error, vec![target, source], vec![received, sent]), s);
    }

    /// Converts the result of a collective operation at one rank. True when a value in it cannot be
    /// represented there; then the run has ended.
    #[cold]
    pub(crate) fn convert_result(
        &mut self,
        rank: u32,
        signature: &Signature,
        output: &mut [u8],
        s: &mut Sched,
    ) -> bool {
        let representation = self.representation(rank);
        let block: u64 = signature.runs().map(|(p, count)| p.size() as u64 * count).sum();
        if block == 0 {
            return false;
        }
        let every = signature.repeat((output.len() as u64).div_ceil(block));
        let Err(error) = representation.fit(output, &every) else { return false };
        let site = self.present_site(rank, error.why.clone());
        self.fail(of_value(&error, vec![rank], vec![site]), s);
        true
    }

    /// Returns the types of a collective's result, where conversion will need them.
    pub(crate) fn result_types(&self, call: &CollectiveCall) -> Option<Box<Signature>> {
        self.settings.environment.representations.as_ref()?;
        Some(Box::new(call.signature.clone()))
    }
}
