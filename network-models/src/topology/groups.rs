//! The cables between the groups of dragonflies, and groups drawn as circles on a circle.

use std::f64::consts::{PI, TAU};

use sim_core::SimDuration;

use super::{BadSizes, LinkNumbers, Sizes, file::latency};

/// What follows the numbers of a topology of groups: the arrangement of the cables between groups, and
/// the lengths of cables.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wiring {
    pub(super) arrangement: Arrangement,
    pub(super) lengths: Lengths,
}

impl Wiring {
    /// Splits the words, each after a colon, off the numbers.
    pub(super) fn after(sizes: Sizes<'_>) -> Result<(Sizes<'_>, Self), BadSizes> {
        let (mut arrangement, mut lengths) = (None, Lengths::default());
        let mut words = sizes.0;
        let mut numbers = None;
        if sizes.0.is_some_and(|text| text.starts_with(|first: char| first.is_ascii_digit())) {
            let text = sizes.0.unwrap_or_default();
            let end = text.find(':').unwrap_or(text.len());
            (numbers, words) = (Some(&text[..end]), text.get(end + 1..));
        }
        for word in words.iter().flat_map(|words| words.split(':')) {
            let is_first = match word.split_once('=') {
                None => arrangement.replace(Arrangement::parse(word)?).is_none(),
                Some((name, time)) => {
                    let length = match name {
                        "local" => &mut lengths.local,
                        "global" => &mut lengths.global,
                        _ => return Err(BadSizes),
                    };
                    length.replace(latency(time).map_err(|_| BadSizes)?).is_none()
                }
            };
            if !is_first {
                return Err(BadSizes);
            }
        }
        let arrangement = arrangement.unwrap_or(Arrangement::Absolute);
        Ok((Sizes(numbers), Self { arrangement, lengths }))
    }

    /// Returns the words, each after a colon; nothing for the defaults.
    pub(super) fn suffix(self) -> String {
        let length = |name: &str, length: Option<SimDuration>| match length.map(SimDuration::as_ps)
        {
            None => String::new(),
            Some(time) if time.is_multiple_of(1000) => format!(":{name}={}ns", time / 1000),
            Some(time) => format!(":{name}={time}ps"),
        };
        let Lengths { local, global } = self.lengths;
        format!(
            "{}{}{}",
            self.arrangement.suffix(),
            length("local", local),
            length("global", global)
        )
    }
}

/// The times of switch and wire of cables inside groups and between them, where they are not the
/// machine's.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lengths {
    local: Option<SimDuration>,
    global: Option<SimDuration>,
}

impl Lengths {
    /// Returns the numbers of a cable between switches of two groups.
    pub(super) fn between(self, one: u32, other: u32) -> LinkNumbers {
        let delay = if one == other { self.local } else { self.global };
        LinkNumbers { delay, ..LinkNumbers::default() }
    }
}

/// The rule by which the ports of a group lead to the other groups.
///
/// Ports are numbered through a group, from 0. A round of ports has one for each other group; port
/// k of a round of group i leads to the group that the rule names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arrangement {
    /// To group k, or k + 1 from i on: the order of the groups (Kim, Dally, Scott, Abts 2008).
    Absolute,
    /// To group i + k + 1 (Hastings and others 2015).
    Relative,
    /// To group i - k - 1 (Camarero, Vallejo, Beivide 2014).
    PalmTree,
}

impl Arrangement {
    /// Reads an arrangement by its name.
    fn parse(text: &str) -> Result<Self, BadSizes> {
        [Self::Absolute, Self::Relative, Self::PalmTree]
            .into_iter()
            .find(|arrangement| arrangement.name() == text)
            .ok_or(BadSizes)
    }

    /// Returns the name in sizes.
    fn name(self) -> &'static str {
        match self {
            Self::Absolute => "absolute",
            Self::Relative => "relative",
            Self::PalmTree => "palm-tree",
        }
    }

    /// Returns what sizes end with: nothing for the absolute arrangement.
    fn suffix(self) -> String {
        match self {
            Self::Absolute => String::new(),
            Self::Relative | Self::PalmTree => format!(":{}", self.name()),
        }
    }
}

/// The global cables of a dragonfly: every two groups are joined by equally many.
#[derive(Clone, Copy, Debug)]
pub(super) struct GlobalCables {
    /// Number of groups.
    pub(super) groups: u32,
    /// Routers of a group that have global ports.
    pub(super) routers: u32,
    /// Global ports of a router. With several groups it is at most the number of other groups, so
    /// that a router has at most one cable to a group.
    pub(super) ports: u32,
    pub(super) arrangement: Arrangement,
}

impl GlobalCables {
    /// Returns the smallest number of groups, of `group_nodes` nodes each, that hold `needed`, and
    /// are as many as a router has ports; but not more than the ports of a group lead to.
    pub(super) fn fewest_groups(routers: u32, ports: u32, group_nodes: u64, needed: u32) -> u32 {
        let most = u64::from(routers) * u64::from(ports) + 1;
        let enough = u64::from(needed).div_ceil(group_nodes.max(1));
        let groups = if enough > 1 { enough.max(u64::from(ports) + 1) } else { 1 };
        groups.min(most).min(u64::from(u32::MAX)) as u32
    }

    /// Checks the number of groups.
    pub(super) fn check(self) -> Result<Self, BadSizes> {
        let most = u64::from(self.routers) * u64::from(self.ports) + 1;
        let fits = self.groups > self.ports && u64::from(self.groups) <= most;
        if self.groups == 1 || fits { Ok(self) } else { Err(BadSizes) }
    }

    /// Returns the number of cables between any two groups.
    pub(super) fn parallel(&self) -> u32 {
        if self.groups == 1 { 0 } else { self.routers * self.ports / (self.groups - 1) }
    }

    /// Returns the router of `group` whose cable number `round` leads to the group `other`.
    pub(super) fn router(&self, group: u32, other: u32, round: u32) -> u32 {
        let (groups, others) = (self.groups, self.groups - 1);
        let place = match self.arrangement {
            Arrangement::Absolute => other - u32::from(other > group),
            Arrangement::Relative => (other + others - group) % groups,
            Arrangement::PalmTree => (group + others - other) % groups,
        };
        (round * others + place) / self.ports
    }

    /// Returns group and router at the other ends of the cables of a router.
    pub(super) fn ends(&self, group: u32, router: u32) -> impl Iterator<Item = (u32, u32)> {
        let all = (0..self.groups).filter(move |other| *other != group);
        all.flat_map(move |other| (0..self.parallel()).map(move |round| (other, round)))
            .filter(move |(other, round)| self.router(group, *other, *round) == router)
            .map(move |(other, round)| (other, self.router(other, group, round)))
    }

    /// Returns the number of cables between the lower and the upper half of the groups.
    pub(super) fn halved(&self) -> u64 {
        let half = u64::from(self.groups / 2);
        half * (u64::from(self.groups) - half) * u64::from(self.parallel())
    }
}

/// Groups as circles on a circle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Circles {
    pub(super) groups: u32,
    /// Radius of the circle around a group, in which all of it is drawn.
    pub(super) radius: f64,
}

impl Circles {
    /// Returns a place of a group: `turn` is the angle at its centre, in turns from the direction
    /// away from the middle of the drawing, and `distance` that from its centre.
    pub(super) fn place(&self, group: u32, turn: f64, distance: f64) -> (f64, f64) {
        self.beside(group, distance * (TAU * turn).sin(), distance * (TAU * turn).cos())
    }

    /// Returns the place of a group that is `aside` clockwise of its centre and `outward` from it.
    pub(super) fn beside(&self, group: u32, aside: f64, outward: f64) -> (f64, f64) {
        let (sine, cosine) = (TAU * f64::from(group) / f64::from(self.groups)).sin_cos();
        // Neighbouring circles are a quarter of their size apart.
        let middle = match self.groups {
            1 => 0.0,
            groups => 1.25 * self.radius / (PI / f64::from(groups)).sin(),
        };
        let outward = middle + outward;
        (outward * sine + aside * cosine, outward * cosine - aside * sine)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_lead_to_groups_by_the_rule() {
        // Groups of two routers with two ports each: port k of group 1 of 5.
        let leads = |arrangement| {
            let cables = GlobalCables { groups: 5, routers: 2, ports: 2, arrangement };
            [0, 1].map(|router| {
                let mut groups: Vec<u32> = cables.ends(1, router).map(|(group, _)| group).collect();
                groups.sort_unstable();
                groups
            })
        };
        assert_eq!(leads(Arrangement::Absolute), [[0, 2], [3, 4]]);
        assert_eq!(leads(Arrangement::Relative), [[2, 3], [0, 4]]);
        assert_eq!(leads(Arrangement::PalmTree), [[0, 4], [2, 3]]);
    }

    #[test]
    fn two_routers_share_at_most_one_cable_and_any_two_groups_equally_many() {
        for arrangement in [Arrangement::Absolute, Arrangement::Relative, Arrangement::PalmTree] {
            for (groups, routers, ports) in [(9, 4, 2), (3, 4, 2), (5, 4, 2), (4, 6, 3), (19, 6, 3)]
            {
                let cables =
                    GlobalCables { groups, routers, ports, arrangement }.check().expect("it fits");
                let mut between = vec![0; (groups * groups) as usize];
                for (group, router) in
                    (0..groups).flat_map(|group| (0..routers).map(move |router| (group, router)))
                {
                    let ends: Vec<_> = cables.ends(group, router).collect();
                    assert!(ends.len() <= ports as usize);
                    for (index, (other, end)) in ends.iter().enumerate() {
                        assert!(cables.ends(*other, *end).any(|back| back == (group, router)));
                        assert!(!ends[..index].iter().any(|earlier| earlier.0 == *other));
                        between[(group * groups + other) as usize] += 1;
                    }
                }
                let all = |(pair, count): (u32, &u32)| {
                    *count == if pair / groups == pair % groups { 0 } else { cables.parallel() }
                };
                assert!((0..).zip(&between).all(all), "{cables:?}");
            }
        }
    }

    #[test]
    fn numbers_of_groups_have_limits() {
        let check = |groups| {
            let arrangement = Arrangement::Absolute;
            GlobalCables { groups, routers: 4, ports: 2, arrangement }.check().is_ok()
        };
        assert_eq!([1, 2, 3, 9, 10].map(check), [true, false, true, true, false]);
        assert_eq!(GlobalCables::fewest_groups(4, 2, 8, 8), 1);
        assert_eq!(GlobalCables::fewest_groups(4, 2, 8, 9), 3);
        assert_eq!(GlobalCables::fewest_groups(4, 2, 8, 64), 8);
        assert_eq!(GlobalCables::fewest_groups(4, 2, 8, 1000), 9);
    }
}
