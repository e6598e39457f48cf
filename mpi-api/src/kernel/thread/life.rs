//! Creation, joining and end of threads.

use sim_core::{ProcessId, SimDuration, TieBreak, stream};

use crate::{
    call::{Reply, ThreadBody, ThreadCall, Threading},
    kernel::{
        MpiKernel, Sched,
        request::completion::Blocked,
        thread::{
            REVERSE_DELAY,
            threads::{Further, Parked, Thread, Threads},
        },
        transport::receive::FREE,
    },
    policy::Policy,
};

impl MpiKernel {
    /// Executes a call about threads.
    pub(crate) fn thread_call(&mut self, rank: u32, call: ThreadCall, s: &mut Sched) {
        match call {
            ThreadCall::Spawn(level, body) => self.spawn_thread(rank, level, body, s),
            ThreadCall::Join(thread) => self.join_thread(rank, thread, s),
            ThreadCall::Park(parking) => self.park(rank, parking, s),
            ThreadCall::Unpark(woken, left) => self.unpark(rank, woken, &left, s),
            ThreadCall::Yield => self.yield_thread(rank, s),
            ThreadCall::Spin { fresh } => self.spin_thread(rank, fresh, s),
            ThreadCall::SetLevel(level) => self.set_thread_level(rank, level, s),
            ThreadCall::EndRank => self.end_threads(rank, s),
            // The rules for threads have been applied before.
            ThreadCall::Announce => self.done(rank, s),
        }
    }

    /// Creates a further thread of a rank.
    fn spawn_thread(&mut self, rank: u32, level: Threading, body: ThreadBody, s: &mut Sched) {
        let none = self.settings.environment.policies.differs(Policy::ThreadLevels);
        let level = if none { Threading::Single } else { level };
        let now = s.now();
        let process = match self.reverses_threads(rank) {
            true => {
                let threads = self.ranks[rank as usize].threads.as_ref();
                let before = threads.map_or(1, |threads| threads.all.len() as u64);
                s.spawn_at(now + (REVERSE_DELAY - SimDuration::from_ps(before)))
            }
            false => s.spawn(),
        };
        let outlives = body.outlives;
        self.population.processes.give_body(process, Further::Thread(body));
        let thread = |process| Thread {
            process,
            ended: false,
            outlives,
            calls_mpi: false,
            parked: Parked::new(now),
            permitted: false,
        };
        let main = self.ranks[rank as usize].process;
        let draws = match self.settings.tie_break {
            TieBreak::InsertionOrder => None,
            TieBreak::Seeded(seed) => Some(stream(seed, "wakes", rank.into())),
        };
        let threads = self.ranks[rank as usize].threads.get_or_insert_with(|| {
            Box::new(Threads {
                level,
                main: 0,
                ended_in: None,
                current: 0,
                all: vec![thread(main)],
                probed: Vec::new(),
                is_warned: false,
                draws,
            })
        });
        let number = threads.all.len() as u32;
        threads.all.push(thread(process));
        self.add_process(rank, number);
        self.answer(rank, now, FREE, Reply::Object(number), s);
    }

    /// Answers when a thread of the rank has ended.
    fn join_thread(&mut self, rank: u32, thread: u32, s: &mut Sched) {
        let threads = self.ranks[rank as usize].threads.as_ref();
        let known = threads.and_then(|threads| threads.all.get(thread as usize));
        if known.is_none_or(|thread| thread.ended) {
            self.done(rank, s);
        } else {
            self.ranks[rank as usize].blocked = Some(Blocked::Join(thread));
        }
    }

    /// Ends a thread. True if it was the last one of its rank.
    #[cold]
    pub(crate) fn end_thread(&mut self, process: ProcessId, s: &mut Sched) -> bool {
        let (rank, thread) = self.thread_of(process);
        let Some(threads) = &mut self.ranks[rank as usize].threads else { return true };
        threads.all[thread as usize].ended = true;
        let last = threads.ended_in.is_none() && threads.all.iter().all(|thread| thread.ended);
        self.each_thread(rank, |kernel| {
            let blocked = &mut kernel.ranks[rank as usize].blocked;
            if blocked.take_if(|b| matches!(b, Blocked::Join(other) if *other == thread)).is_some()
            {
                let now = s.now();
                kernel.answer(rank, now, FREE, Reply::Done, s);
            }
            false
        });
        last
    }

    /// Executes `MPI_Init` of a rank that already has several threads.
    fn set_thread_level(&mut self, rank: u32, level: Threading, s: &mut Sched) {
        if let Some(threads) = &mut self.ranks[rank as usize].threads {
            threads.level = level;
            threads.main = threads.current;
        }
        self.done(rank, s);
    }

    /// Finishes a rank whose program has ended, whatever its other threads are in; they are left
    /// where they are.
    fn end_threads(&mut self, rank: u32, s: &mut Sched) {
        if self.ranks[rank as usize].threads.is_some() {
            self.finish_in_thread(rank, s);
        }
        self.done(rank, s);
    }

    /// Finishes a rank whose program ends in the current thread.
    pub(crate) fn finish_in_thread(&mut self, rank: u32, s: &Sched) {
        let state = &mut self.ranks[rank as usize];
        if let Some(threads) = &mut state.threads {
            threads.ended_in = Some(threads.current);
        }
        self.end_rank(rank, s.now());
    }
}
