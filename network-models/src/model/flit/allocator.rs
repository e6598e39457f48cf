//! [`Allocator`]: matches the inputs of a router with its outputs, one to one.

/// No request.
const NONE: u32 = u32::MAX;

/// The algorithm of an allocator (Dally and Towles, chapter 19).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allocation {
    /// Separable, input first: each input chooses one of its requests, then each output one of the
    /// inputs that chose it.
    InputFirst,
    /// Separable, output first: each output chooses one of its requests, then each input one of the
    /// outputs that chose it.
    OutputFirst,
    /// iSLIP with one iteration: output first, and an arbiter moves on only when its choice is
    /// accepted (McKeown 1999). Speculative requests compete with the others like any request.
    Islip,
}

impl Allocation {
    /// Reads an algorithm by its name.
    pub(super) fn parse(name: &str) -> Option<Self> {
        match name {
            "input-first" => Some(Self::InputFirst),
            "output-first" => Some(Self::OutputFirst),
            "islip" => Some(Self::Islip),
            _ => None,
        }
    }
}

/// A request of an input for an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) input: u32,
    pub(super) output: u32,
    pub(super) rank: Rank,
}

/// The rank of a request: a lower one is granted first, and arbiters choose among equal ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    /// Whether it is granted only where no other request competes.
    pub(super) speculative: bool,
    /// When its packet was created, if older packets come first.
    pub(super) born: u64,
}

/// An allocator with a round-robin arbiter at each input and each output.
///
/// Determinism: grants depend on the requests and on earlier grants, not on the order of requests.
#[derive(Debug)]
pub(super) struct Allocator {
    allocation: Allocation,
    inputs: Arbiters,
    outputs: Arbiters,
    grants: Vec<u32>,
}

/// Round-robin arbiters for one side of an allocator.
#[derive(Debug)]
struct Arbiters {
    /// The place on the other side that each arbiter prefers.
    preferred: Vec<u32>,
    /// The request that each arbiter has chosen in this round.
    chosen: Vec<u32>,
    /// The arbiters that have chosen in this round.
    touched: Vec<u32>,
    /// Number of places on the other side.
    others: u32,
}

impl Arbiters {
    fn new(count: u32, others: u32) -> Self {
        Self {
            preferred: vec![0; count as usize],
            chosen: vec![NONE; count as usize],
            touched: Vec::new(),
            others,
        }
    }

    /// Offers a request to an arbiter, which keeps the one with the lowest rank, and of equal ones
    /// that which is nearest to the preferred place on the other side.
    fn offer(&mut self, arbiter: u32, number: u32, rank: impl Fn(u32) -> (Rank, u32)) {
        let place = arbiter as usize;
        let known = self.chosen[place];
        if known == NONE {
            self.touched.push(arbiter);
            self.chosen[place] = number;
            return;
        }
        let key = |number: u32| {
            let (rank, other) = rank(number);
            let preferred = self.preferred[place];
            let steps = if other >= preferred {
                other - preferred
            } else {
                other + self.others - preferred
            };
            (rank, steps)
        };
        if key(number) < key(known) {
            self.chosen[place] = number;
        }
    }

    /// Prefers the place after `served` from now on.
    fn advance(&mut self, arbiter: u32, served: u32) {
        self.preferred[arbiter as usize] = if served + 1 == self.others { 0 } else { served + 1 };
    }

    fn clear(&mut self) {
        for arbiter in self.touched.drain(..) {
            self.chosen[arbiter as usize] = NONE;
        }
    }
}

impl Allocator {
    pub(super) fn new(allocation: Allocation, inputs: u32, outputs: u32) -> Self {
        Self {
            allocation,
            inputs: Arbiters::new(inputs, outputs),
            outputs: Arbiters::new(outputs, inputs),
            grants: Vec::new(),
        }
    }

    /// Grants requests so that each input and each output has at most one. At least one request is
    /// granted if there are any. Returns the places of those that are granted.
    pub(super) fn allocate(&mut self, requests: &[Request]) -> &[u32] {
        self.grants.clear();
        let alike = self.allocation == Allocation::Islip;
        let rank = |rank: Rank| Rank { speculative: rank.speculative && !alike, ..rank };
        let by_input = |number: u32| {
            let request = &requests[number as usize];
            (rank(request.rank), request.output)
        };
        let by_output = |number: u32| {
            let request = &requests[number as usize];
            (rank(request.rank), request.input)
        };
        let (inputs, outputs) = (&mut self.inputs, &mut self.outputs);
        if self.allocation == Allocation::InputFirst {
            for (number, request) in (0..).zip(requests) {
                inputs.offer(request.input, number, by_input);
            }
            for input in &inputs.touched {
                let number = inputs.chosen[*input as usize];
                outputs.offer(requests[number as usize].output, number, by_output);
            }
            self.grants.extend(outputs.touched.iter().map(|at| outputs.chosen[*at as usize]));
        } else {
            for (number, request) in (0..).zip(requests) {
                outputs.offer(request.output, number, by_output);
            }
            for output in &outputs.touched {
                let number = outputs.chosen[*output as usize];
                inputs.offer(requests[number as usize].input, number, by_input);
            }
            self.grants.extend(inputs.touched.iter().map(|at| inputs.chosen[*at as usize]));
            if self.allocation == Allocation::OutputFirst {
                for output in &outputs.touched {
                    let chosen = requests[outputs.chosen[*output as usize] as usize].input;
                    outputs.preferred[*output as usize] = (chosen + 1) % outputs.others;
                }
            }
        }
        for number in &self.grants {
            let Request { input, output, .. } = requests[*number as usize];
            inputs.advance(input, output);
            outputs.advance(output, input);
        }
        inputs.clear();
        outputs.clear();
        &self.grants
    }

    /// Returns a place that the last call of [`Allocator::allocate`] returned.
    pub(super) fn granted(&self, place: usize) -> u32 {
        self.grants[place]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Allocation; 3] =
        [Allocation::InputFirst, Allocation::OutputFirst, Allocation::Islip];

    fn requests(pairs: &[(u32, u32)]) -> Vec<Request> {
        let request = |(input, output)| Request { input, output, rank: Rank::default() };
        pairs.iter().copied().map(request).collect()
    }

    /// Returns the granted pairs in order.
    fn granted(allocator: &mut Allocator, requests: &[Request]) -> Vec<(u32, u32)> {
        let pair = |number: &u32| {
            let request = requests[*number as usize];
            (request.input, request.output)
        };
        let mut pairs: Vec<_> = allocator.allocate(requests).iter().map(pair).collect();
        pairs.sort_unstable();
        pairs
    }

    #[test]
    fn grants_are_a_matching_and_do_not_depend_on_the_order_of_requests() {
        let all: Vec<(u32, u32)> = (0..16).map(|place| (place / 4, place % 4)).collect();
        for allocation in ALL {
            let mut one = Allocator::new(allocation, 4, 4);
            let mut two = Allocator::new(allocation, 4, 4);
            for mask in 1u32..1 << 16 {
                let some: Vec<_> =
                    (0..16).filter(|bit| mask >> bit & 1 == 1).map(|bit| all[bit]).collect();
                let backwards: Vec<_> = some.iter().rev().copied().collect();
                let pairs = granted(&mut one, &requests(&some));
                assert_eq!(pairs, granted(&mut two, &requests(&backwards)), "{allocation:?}");
                assert!(!pairs.is_empty());
                for side in [|pair: &(u32, u32)| pair.0, |pair: &(u32, u32)| pair.1] {
                    let mut places: Vec<u32> = pairs.iter().map(side).collect();
                    places.sort_unstable();
                    places.dedup();
                    assert_eq!(places.len(), pairs.len(), "{allocation:?}: {pairs:?}");
                }
            }
        }
    }

    #[test]
    fn every_request_is_served_in_turn() {
        for allocation in ALL {
            let mut allocator = Allocator::new(allocation, 3, 1);
            let same = requests(&[(0, 0), (1, 0), (2, 0)]);
            let served: Vec<u32> = (0..6).map(|_| granted(&mut allocator, &same)[0].0).collect();
            assert_eq!(served, [0, 1, 2, 0, 1, 2], "{allocation:?}");
        }
    }

    #[test]
    fn islip_serves_full_queues_without_loss_after_some_cycles() {
        let all: Vec<(u32, u32)> = (0..16).map(|place| (place / 4, place % 4)).collect();
        let mut allocator = Allocator::new(Allocation::Islip, 4, 4);
        let sizes: Vec<usize> =
            (0..20).map(|_| granted(&mut allocator, &requests(&all)).len()).collect();
        assert!(sizes[0] < 4 && sizes[4..].iter().all(|size| *size == 4), "{sizes:?}");
    }

    #[test]
    fn speculative_and_younger_requests_give_way() {
        for allocation in [Allocation::InputFirst, Allocation::OutputFirst] {
            let mut allocator = Allocator::new(allocation, 2, 1);
            for _ in 0..3 {
                let mut both = requests(&[(0, 0), (1, 0)]);
                both[0].rank.speculative = true;
                assert_eq!(granted(&mut allocator, &both), [(1, 0)], "{allocation:?}");
                both[1].rank = Rank { speculative: true, born: 1 };
                assert_eq!(granted(&mut allocator, &both), [(0, 0)], "{allocation:?}");
            }
        }
    }
}
