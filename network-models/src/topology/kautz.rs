//! `kautz`: words without equal neighbouring letters, each joined to those that follow it by a shift
//! (Kautz, "Bounds on directed (d, k) graphs", 1968). SiCortex machines had this network.

use super::{BadSizes, Plan, Shape, Sizes, TopologyDescription, TopologyKind, kind::power};

/// Length of words with which the smallest graph is larger than any topology may be.
const LENGTH_MAX: u32 = 23;

/// The topology `kautz`.
#[derive(Debug)]
pub(super) struct Kautz;

impl TopologyKind for Kautz {
    fn description(&self) -> TopologyDescription {
        TopologyDescription {
            name: "kautz",
            syntax: "kautz[:DEGREE[xDIAMETER]]",
            sizes: "DEGREExDIAMETER, degree at least 2",
            summary: "Kautz graph, cables carry one direction; shortest routes, as many virtual \
                      channels as the diameter",
        }
    }

    fn plan(&self, sizes: Sizes, needed: u32) -> Result<Plan, BadSizes> {
        let (degree, length) = match sizes.many()?.as_slice() {
            [] => (2, None),
            [degree] => (*degree, None),
            [degree, length] if *length < LENGTH_MAX => (*degree, Some(*length)),
            _ => return Err(BadSizes),
        };
        if degree < 2 {
            return Err(BadSizes);
        }
        let count = |length| power(degree, length).saturating_add(power(degree, length - 1));
        let length = length.unwrap_or_else(|| {
            let holds = |length: &u32| count(*length) >= u64::from(needed);
            (1..LENGTH_MAX).find(holds).unwrap_or(LENGTH_MAX)
        });
        let (nodes, shape) = (count(length), Words { degree, length });
        let plan = Plan::new(format!("{degree}x{length}"), nodes, move || shape);
        Ok(plan.with_cables(nodes.saturating_mul(degree.into())))
    }
}

/// The letters of a word, from 0 to the degree; those behind its length are 0.
type Word = [u32; LENGTH_MAX as usize];

/// Node n is the word with number n in the order of words.
///
/// Routing is minimal: letters of the target are shifted in, from the first one that does not
/// already end the word. Each hop has a virtual channel of its own (Günther 1981).
#[derive(Debug)]
struct Words {
    degree: u32,
    /// Letters of a word, which is also the diameter.
    length: u32,
}

impl Words {
    fn word(&self, node: u32) -> Word {
        let mut letters = [0; LENGTH_MAX as usize];
        let mut weight = self.degree.pow(self.length - 1);
        letters[0] = node / weight;
        for place in 1..self.length as usize {
            let rest = node % weight;
            weight /= self.degree;
            // Of the letters, the one before is left out.
            let letter = rest / weight;
            letters[place] = letter + u32::from(letter >= letters[place - 1]);
        }
        letters
    }

    fn node(&self, letters: &[u32]) -> u32 {
        let digit = |pair: &[u32]| pair[1] - u32::from(pair[1] > pair[0]);
        letters.windows(2).fold(letters[0], |node, pair| node * self.degree + digit(pair))
    }

    /// Returns the node that follows by shifting in a letter.
    fn shifted(&self, word: &Word, letter: u32) -> u32 {
        let mut next = [0; LENGTH_MAX as usize];
        let length = self.length as usize;
        next[..length - 1].copy_from_slice(&word[1..length]);
        next[length - 1] = letter;
        self.node(&next[..length])
    }

    /// Returns the fewest shifts that lead from a word to another one.
    fn shifts(&self, from: &Word, to: &Word) -> usize {
        let length = self.length as usize;
        let fits = |shifts: &usize| from[*shifts..length] == to[..length - shifts];
        (0..length).find(fits).unwrap_or(length)
    }
}

impl Shape for Words {
    fn nodes(&self) -> u32 {
        (self.degree + 1) * self.degree.pow(self.length - 1)
    }

    fn neighbours(&self, vertex: u32) -> Vec<u32> {
        let word = self.word(vertex);
        let last = word[self.length as usize - 1];
        let letters = (0..=self.degree).filter(|letter| *letter != last);
        letters.map(|letter| self.shifted(&word, letter)).collect()
    }

    fn is_one_way(&self) -> bool {
        true
    }

    fn next_hop(&self, at: u32, target: u32) -> u32 {
        let (from, to) = (self.word(at), self.word(target));
        self.shifted(&from, to[self.length as usize - self.shifts(&from, &to)])
    }

    fn channels(&self) -> u32 {
        self.length
    }

    fn channel(&self, source: u32, at: u32, target: u32) -> u32 {
        let to = self.word(target);
        let shifts = |node| self.shifts(&self.word(node), &to) as u32;
        shifts(source) - shifts(at)
    }

    fn hops(&self, source: u32, target: u32) -> Option<u32> {
        Some(self.shifts(&self.word(source), &self.word(target)) as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::{
        TopologySpec,
        testing::{build, sound},
    };

    #[test]
    fn closed_forms() {
        for (d, n) in [(2u32, 1u32), (2, 2), (2, 5), (3, 3), (4, 2), (3, 6)] {
            let s = build(&format!("kautz:{d}x{n}")).structure();
            let nodes = d.pow(n) + d.pow(n - 1);
            assert_eq!((s.nodes, s.links), (nodes, u64::from(nodes * d)), "{d} {n}");
            assert_eq!((s.degree, s.diameter), (2 * d, n), "{d} {n}");
        }
        let names = build("kautz:2x1");
        assert!((names.structure().mean_hops - 1.0).abs() < 1e-9, "a complete graph");
        // Of the five others of the six words of two letters, two are neighbours.
        let six = build("kautz:2x2").structure();
        assert!((six.mean_hops - (2.0 * 1.0 + 3.0 * 2.0) / 5.0).abs() < 1e-9);
    }

    #[test]
    fn halves_are_not_those_by_the_first_letter() {
        // 216 of the 324 cables join words whose first letters are in different halves.
        let s = build("kautz:3x4").structure();
        assert!((40..=80).contains(&s.bisection), "{}", s.bisection);
    }

    #[test]
    fn words_are_numbered_in_their_order() {
        let words = Words { degree: 2, length: 3 };
        let all: Vec<[u32; 3]> = (0..words.nodes())
            .map(|node| words.word(node)[..3].try_into().expect("three letters"))
            .collect();
        assert!(all.is_sorted() && all.len() == 12);
        assert_eq!((all[0], all[11]), ([0, 1, 0], [2, 1, 2]));
        assert!((0..12).all(|node| words.node(&all[node as usize]) == node));
    }

    #[test]
    fn routes_and_channels() {
        sound(&["kautz:2x1", "kautz:2x2", "kautz:2x4", "kautz:3x3", "kautz:4x2", "kautz:3x4"]);
    }

    #[test]
    fn sizes() {
        let name = |text: &str, ranks| {
            let spec: TopologySpec = text.parse().expect("a Kautz graph");
            spec.build(ranks).map(|topology| topology.name().to_owned())
        };
        assert_eq!(name("kautz", 64).as_deref(), Ok("kautz:2x6"));
        assert_eq!(name("kautz:3", 64).as_deref(), Ok("kautz:3x4"));
        for text in ["1x3", "2x0", "2x23", "2x2x2", ""] {
            assert!(format!("kautz:{text}").parse::<TopologySpec>().is_err(), "{text}");
        }
    }
}
