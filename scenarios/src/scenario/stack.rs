//! The stack size of a rank.

use mpi_api::run::Body;
use sim_core::{Limits, words::counted};

use super::Request;
use crate::error::Error;

/// Default stack of a rank if there are few ranks, as large as a process usually has.
const USUAL: u64 = 8 << 20;
/// Default address space for the stacks of all ranks. Untouched pages take no memory, but stacks
/// that lie far apart need page tables, and these compete for space in the processor's caches: 8
/// MiB each at 1,024 ranks make a run about 10 % slower, 2 MiB do not.
const TOGETHER: u64 = 2 << 30;
/// Smallest and largest stack that a request may name.
const RANGE: (u64, u64) = (16 << 10, 64 << 30);
/// Most address space for the stacks of all ranks: half of what a process has.
const TOGETHER_MAX: u64 = 64 << 40;

impl Request {
    /// Returns the stack size of each rank in bytes: as requested, otherwise 8 MiB for up to 256
    /// ranks and an equal part of 2 GiB for more, but never less than the engine's default.
    pub fn stack_bytes(&self) -> usize {
        let least = Limits::standard().stack_bytes as u64;
        let usual = || (TOGETHER / u64::from(self.ranks.max(1))).clamp(least, USUAL);
        self.stack_size.unwrap_or_else(usual) as usize
    }

    /// Checks that the stacks fit into the address space and are as large as the program needs: a compiled one
    /// would be given more than was asked for.
    pub(super) fn check_stack(&self, program: &dyn Body) -> Result<(), Error> {
        let Some(bytes) = self.stack_size else { return Ok(()) };
        let smallest =
            Limits { stack_bytes: RANGE.0 as usize, stack_is_asked: true, ..Limits::standard() };
        let least = program.limits(smallest).stack_bytes as u64;
        let most = RANGE.1.min(TOGETHER_MAX / u64::from(self.ranks.max(1)));
        if (least..=most).contains(&bytes) {
            return Ok(());
        }
        Err(Error::BadValue {
            what: "the stack of a rank".into(),
            value: bytes.to_string(),
            allowed: format!("{least} to {most} bytes with {}", counted(self.ranks.into(), "rank")),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stack(ranks: u32) -> u64 {
        Request::new("", ranks).stack_bytes() as u64
    }

    #[test]
    fn few_ranks_have_large_stacks_and_very_many_fit() {
        assert_eq!((stack(1), stack(256)), (8 << 20, 8 << 20));
        assert_eq!(stack(1024), 2 << 20);
        assert!(stack(1_000_000) * 1_000_000 <= 300 << 30);
        assert_eq!(stack(1_000_000), Limits::standard().stack_bytes as u64);
    }

    #[test]
    fn what_was_asked_for_has_bounds() {
        let check = |ranks, bytes| {
            Request { stack_size: Some(bytes), ..Request::new("", ranks) }.check_stack(&|| {})
        };
        assert!(check(4, 1 << 30).is_ok());
        assert!(check(4, 1).is_err());
        assert!(check(1, 65 << 30).is_err());
        assert!(check(1 << 20, 65 << 20).is_err());
    }

    /// A program that raises small stacks.
    struct Needy;

    impl Body for Needy {
        fn rank(&self) {}

        fn limits(&self, asked: Limits) -> Limits {
            Limits { stack_bytes: asked.stack_bytes.max(256 << 10), ..asked }
        }
    }

    #[test]
    fn less_than_the_program_needs_is_refused() {
        let check =
            |bytes| Request { stack_size: Some(bytes), ..Request::new("", 2) }.check_stack(&Needy);
        let error = check(20_000).expect_err("too little").to_string();
        assert!(error.contains("`20000`; allowed is 262144 to"), "{error}");
        assert!(check(256 << 10).is_ok());
    }
}
