//! How a message is carried, and which side copies it: the one place where both are decided.
//!
//! Everything here is pure. [`passage`] takes the mode of the send, the size of the message and the
//! space in the sender's pool; the steps of a message follow from its answer (`launch.rs`), and so
//! do the prices of the copies at both ends (`charge.rs`).

use crate::kernel::transport::buffer::Space;
use crate::{call::Mode, settings::CollectiveSynchronization, trace::Protocol};

/// The place where the data of a message are kept between its send and its receive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keeping {
    /// In the send buffer of the program.
    Sender,
    /// In the send buffer, until the sender's pool has space for them or a receive matches.
    InLine,
    /// In the sender's pool.
    Pool,
    /// In the attached buffer (MPI section 3.6).
    Attached,
}

/// The decision how one message is carried: its protocol, and the place of its data until they
/// leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Passage {
    pub(crate) protocol: Protocol,
    pub(crate) keeping: Keeping,
}

/// Whether the program may write to its send buffer as soon as the call returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Returns {
    /// A blocking send: the buffer is reusable.
    Reusable,
    /// A nonblocking or persistent send, or the send of a combined send and receive: the data stay
    /// in the buffer until the network takes them.
    InUse,
}

/// Decides how a message of this mode and size is carried (MPI sections 3.4, 3.5).
///
/// A standard send is eager if it fits the eager limit and the pool. If the pool has no space at
/// present, the message waits for it; a message that the pool can never hold goes by rendezvous, as
/// a longer one does.
pub(crate) fn passage(mode: Mode, bytes: u64, eager_limit: u64, space: Space) -> Passage {
    let short = bytes <= eager_limit;
    let (protocol, keeping) = match (mode, short, space) {
        (Mode::Standard, true, Space::Free) => (Protocol::Eager, Keeping::Pool),
        (Mode::Standard, true, Space::Taken) => (Protocol::Rendezvous, Keeping::InLine),
        (Mode::Standard, true, Space::TooSmall) | (Mode::Standard, false, _) => {
            (Protocol::Rendezvous, Keeping::Sender)
        }
        (Mode::Buffered, true, _) => (Protocol::Eager, Keeping::Attached),
        (Mode::Buffered, false, _) => (Protocol::Rendezvous, Keeping::Attached),
        (Mode::Synchronous, _, _) => (Protocol::Rendezvous, Keeping::Sender),
        (Mode::Ready, _, _) => (Protocol::Eager, Keeping::Sender),
    };
    Passage { protocol, keeping }
}

/// Returns the protocol of a message inside a collective, which takes no space from any pool.
pub(crate) fn inside_collective(
    bytes: u64,
    eager_limit: u64,
    synchronisation: CollectiveSynchronization,
) -> Protocol {
    let eager = match synchronisation {
        CollectiveSynchronization::Minimal => true,
        CollectiveSynchronization::Algorithm | CollectiveSynchronization::Full => {
            bytes <= eager_limit
        }
    };
    if eager { Protocol::Eager } else { Protocol::Rendezvous }
}

impl Passage {
    /// The passage of an eager message from the pool.
    pub(crate) const POOLED: Self = Self { protocol: Protocol::Eager, keeping: Keeping::Pool };

    /// Reports whether the call of the send copies the data. The data of a message that waits for
    /// pool space are copied only once there is space.
    pub(crate) fn copies(self, returns: Returns) -> bool {
        match self.keeping {
            Keeping::Attached => true,
            Keeping::Pool => returns == Returns::Reusable,
            Keeping::Sender | Keeping::InLine => false,
        }
    }
}

/// Reports whether the receiver copies the data. `waited` says that they arrived before their
/// receive was posted; data of a rendezvous arrive after the receive and go straight into its
/// buffer.
pub(crate) fn receiver_copies(protocol: Protocol, waited: bool) -> bool {
    match protocol {
        Protocol::Eager => waited,
        Protocol::Rendezvous => false,
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;
    use crate::{kernel::transport::buffer::SystemPool, settings::Pool};

    const LIMIT: u64 = 100;

    /// Returns how a message of rank 1 is carried while `used` bytes of its pool are taken.
    fn carried(mode: Mode, bytes: u64, (pool, used): (&Pool, u64)) -> (Protocol, Keeping) {
        let mut own = SystemPool::default();
        if used > 0 {
            own.take(used);
        }
        let Passage { protocol, keeping } = passage(mode, bytes, LIMIT, own.space(pool, 1, bytes));
        (protocol, keeping)
    }

    const EAGER: (Protocol, Keeping) = (Protocol::Eager, Keeping::Pool);
    const LINE: (Protocol, Keeping) = (Protocol::Rendezvous, Keeping::InLine);
    const MEETS: (Protocol, Keeping) = (Protocol::Rendezvous, Keeping::Sender);

    #[test]
    fn a_standard_send_goes_by_size_and_space() {
        let per_rank = |bytes| Pool::PerRank(Rc::from([0, bytes]));
        let cases = [
            (0, Pool::Unlimited, 0, EAGER),
            (LIMIT, Pool::Unlimited, u64::MAX / 2, EAGER),
            (LIMIT + 1, Pool::Unlimited, 0, MEETS),
            (0, Pool::Bytes(0), 0, MEETS),
            (0, Pool::Bytes(1), 0, EAGER),
            (0, Pool::Bytes(1), 1, LINE),
            (50, Pool::Bytes(50), 0, EAGER),
            (50, Pool::Bytes(50), 1, LINE),
            (51, Pool::Bytes(50), 0, MEETS),
            (51, Pool::Bytes(50), 50, MEETS),
            (LIMIT + 1, Pool::Bytes(1000), 0, MEETS),
            (50, per_rank(50), 0, EAGER),
            (50, per_rank(50), 50, LINE),
            (51, per_rank(50), 0, MEETS),
            (50, Pool::PerRank(Rc::from([0])), 7, EAGER),
        ];
        for (bytes, pool, used, expected) in cases {
            let got = carried(Mode::Standard, bytes, (&pool, used));
            assert_eq!(got, expected, "{bytes} bytes, {pool:?} of which {used} are used");
        }
    }

    #[test]
    fn other_modes_ask_no_pool() {
        for (pool, used) in [(Pool::Unlimited, 0), (Pool::Bytes(0), 0), (Pool::Bytes(200), 200)] {
            for bytes in [0, 1, LIMIT, LIMIT + 1] {
                let go = |mode| carried(mode, bytes, (&pool, used));
                let fits = if bytes <= LIMIT { Protocol::Eager } else { Protocol::Rendezvous };
                assert_eq!(go(Mode::Buffered), (fits, Keeping::Attached));
                assert_eq!(go(Mode::Synchronous), MEETS);
                assert_eq!(go(Mode::Ready), (Protocol::Eager, Keeping::Sender));
            }
        }
    }

    #[test]
    fn a_copy_is_paid_where_data_are_copied() {
        let copies =
            |keeping, returns| Passage { protocol: Protocol::Eager, keeping }.copies(returns);
        for (keeping, blocking, nonblocking) in [
            (Keeping::Sender, false, false),
            (Keeping::InLine, false, false),
            (Keeping::Pool, true, false),
            (Keeping::Attached, true, true),
        ] {
            assert_eq!(copies(keeping, Returns::Reusable), blocking, "{keeping:?}");
            assert_eq!(copies(keeping, Returns::InUse), nonblocking, "{keeping:?}");
        }
        assert!(receiver_copies(Protocol::Eager, true));
        assert!(!receiver_copies(Protocol::Eager, false));
        assert!(!receiver_copies(Protocol::Rendezvous, true));
    }

    #[test]
    fn collectives_are_eager_up_to_the_limit() {
        let go = |bytes, how| inside_collective(bytes, LIMIT, how);
        assert_eq!(go(LIMIT, CollectiveSynchronization::Algorithm), Protocol::Eager);
        assert_eq!(go(LIMIT + 1, CollectiveSynchronization::Full), Protocol::Rendezvous);
        assert_eq!(go(LIMIT + 1, CollectiveSynchronization::Minimal), Protocol::Eager);
    }
}
