//! The tools interface (MPI section 15.3): settings that a program changes during the run, and what the
//! kernel counts and what happens for each rank. State: `selections`, `heard`.

mod heard;
mod listening;
mod selections;

use sim_core::SimDuration;

pub(super) use self::{heard::Heard, selections::Selections};
use super::{MpiKernel, Sched, transport::receive::FREE};
use crate::{
    call::{Control, Gauge, Reply, ToolCall},
    settings::Pool,
};

/// Returns a number of bytes, where -1 stands for no limit.
fn limit(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(-1)
}

impl MpiKernel {
    /// Executes a call of the tools interface.
    pub(super) fn tool_call(&mut self, rank: u32, call: ToolCall, s: &mut Sched) {
        let now = s.now();
        match call {
            ToolCall::Get(control) => {
                let value = self.control(rank, control);
                self.answer(rank, now, FREE, Reply::Offset(value), s);
            }
            ToolCall::Set(control, value) => {
                self.set_control(control, value, s);
                self.done(rank, s);
            }
            ToolCall::Listen(room) => {
                self.listen(rank, room);
                self.done(rank, s);
            }
            // A rank that listens has had its events before its call began (`look_at`).
            ToolCall::TakeEvents => {
                let none = Box::default();
                self.answer(rank, now, FREE, Reply::Events(none), s);
            }
            ToolCall::Read(gauge) => {
                let value = self.gauge(rank, gauge);
                // A program may read a variable until it changes, so time has to pass.
                let cost = self.settings.costs.poll.max(SimDuration::from_ps(1));
                self.answer(rank, now, cost, Reply::Offset(value), s);
            }
        }
    }

    fn control(&self, rank: u32, control: Control) -> i64 {
        let buffering = &self.settings.buffering;
        match control {
            Control::EagerLimit => limit(buffering.eager_limit),
            Control::BufferPool => match &buffering.pool {
                Pool::Unlimited => -1,
                Pool::Bytes(bytes) => limit(*bytes),
                Pool::ByChoice => 0,
                Pool::PerRank(list) => list.get(rank as usize).map_or(-1, |bytes| limit(*bytes)),
            },
            Control::Algorithm(collective) => self.settings.selector.chosen(collective).into(),
        }
    }

    fn set_control(&mut self, control: Control, value: i64, s: &mut Sched) {
        let bytes = u64::try_from(value);
        match control {
            Control::EagerLimit => {
                self.settings.buffering.eager_limit = bytes.unwrap_or(u64::MAX);
                self.shortcuts.change_limits(&self.settings);
            }
            Control::BufferPool => {
                self.settings.buffering.pool = bytes.map_or(Pool::Unlimited, Pool::Bytes);
                self.shortcuts.change_limits(&self.settings);
                for rank in 0..self.ranks.len() as u32 {
                    self.move_up(rank, s);
                }
            }
            Control::Algorithm(collective) => {
                let old = self.settings.selector.clone();
                self.settings.selector.choose(collective, value as u32);
                self.selections.replace(old, self.collectives.next_tag());
                self.collectives.forget_schedules();
                for rank in &mut self.ranks {
                    rank.rest.last_schedule = None;
                }
            }
        }
    }

    fn gauge(&self, rank: u32, gauge: Gauge) -> i64 {
        let state = &self.ranks[rank as usize];
        let totals = &state.totals;
        let value = match gauge {
            Gauge::PostedReceives => state.queues.posted().into(),
            Gauge::UnexpectedMessages => {
                let of_program = |index: &u32| self.messages[*index].context.is_multiple_of(2);
                state.queues.waiting().filter(of_program).count() as u64
            }
            Gauge::UnexpectedTotal => state.queues.kept(),
            Gauge::MessagesSent => totals.messages,
            Gauge::BytesSent => totals.bytes,
            Gauge::BufferedBytes => state.pool.used(),
            Gauge::BufferedPeak => state.pool.peak,
            Gauge::ComputingTime => totals.compute.as_ps(),
            Gauge::OverheadTime => totals.overhead.as_ps(),
            Gauge::WaitingTime => totals.waiting.as_ps(),
            Gauge::FileTime => totals.files.as_ps(),
        };
        value.min(i64::MAX as u64) as i64
    }
}
