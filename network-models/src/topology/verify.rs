//! Checks that the methods of a [`Shape`](super::Shape) agree with each other.

use super::{LinkId, Topology};
use crate::network::NodeId;

/// A disagreement between methods of a topology.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("topology `{topology}`: {fault}")]
pub struct TopologyFault {
    topology: String,
    fault: String,
}

impl Topology {
    /// Checks that cables carry both directions unless the shape is one-way, that every route leads from its source to its
    /// target along links, that [`Shape::next_link`] and [`Shape::route`] agree, that hops are the
    /// length of the route, that virtual channels are below their number, and that axes hold the
    /// nodes and give their distances.
    ///
    /// Meant for the tests of a [`Shape`]: it takes time proportional to the square of the nodes.
    ///
    /// # Errors
    /// Returns the first disagreement.
    ///
    /// [`Shape`]: super::Shape
    /// [`Shape::next_link`]: super::Shape::next_link
    /// [`Shape::route`]: super::Shape::route
    pub fn verify(&self) -> Result<(), TopologyFault> {
        self.fault()
            .map_or(Ok(()), |fault| Err(TopologyFault { topology: self.name().to_owned(), fault }))
    }

    fn fault(&self) -> Option<String> {
        let one_way = |(from, to): &(u32, u32)| !self.graph().neighbours(*to).contains(from);
        if !self.has_one_way_cables()
            && let Some((from, to)) = self.graph().pairs().find(one_way)
        {
            return Some(format!("vertex {to} is next to {from}, but {from} is not next to {to}"));
        }
        if let Some(axes) = self.axes()
            && axes.sizes.iter().map(|size| u64::from(*size)).product::<u64>()
                != u64::from(self.nodes())
        {
            return Some(format!("axes {:?} do not hold {} nodes", axes.sizes, self.nodes()));
        }
        let nodes = 0..self.nodes();
        nodes.clone().find_map(|source| {
            nodes.clone().find_map(|target| {
                self.fault_of_hops(source, target).or_else(|| self.fault_of_route(source, target))
            })
        })
    }

    /// Follows the next hops, before anything else does.
    fn fault_of_hops(&self, source: u32, target: u32) -> Option<String> {
        let (mut at, mut hops) = (source, 0);
        while at != target {
            let next = self.shape().next_hop(at, target);
            if !self.graph().neighbours(at).contains(&next) {
                return Some(format!("the next hop from {at} to {target} is {next}, far from it"));
            }
            if hops == self.vertices() {
                return Some(format!("the route from {source} to {target} never ends"));
            }
            (at, hops) = (next, hops + 1);
        }
        None
    }

    fn fault_of_route(&self, source: u32, target: u32) -> Option<String> {
        let mut route: Vec<LinkId> = Vec::new();
        self.route(NodeId(source), NodeId(target), &mut route);
        let mut at = source;
        for link in &route {
            let (from, to) = self.link_ends(*link);
            if from.0 != at {
                return Some(format!(
                    "the route from {source} to {target} jumps from {at} to {from:?}"
                ));
            }
            let next = self.shape().next_link(self.graph(), source, at, target);
            if at == target || next != *link {
                return Some(format!(
                    "the route from {source} to {target} goes from {at} to {}, the next hop is {}",
                    to.0,
                    self.link_ends(next).1.0
                ));
            }
            let (channel, channels) = (self.shape().channel(source, at, target), self.channels());
            if channel >= channels {
                return Some(format!(
                    "the route from {source} to {target} uses virtual channel {channel} at {at}, \
                     and links have {channels}"
                ));
            }
            at = to.0;
        }
        if at != target {
            return Some(format!("the route from {source} to {target} ends at {at}"));
        }
        let hops = self.hops(NodeId(source), NodeId(target));
        let along = self.axes().and_then(|axes| axes.distance(source, target)).unwrap_or(hops);
        [hops, along].into_iter().find(|hops| *hops as usize != route.len()).map(|hops| {
            format!("the route from {source} to {target} has {} links, not {hops}", route.len())
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::{
        network::NodeId,
        topology::{Axes, AxisMetric, Graph, LinkId, Shape, Topology},
    };

    /// A line of three nodes with one fault.
    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Line {
        Sound,
        OneWay,
        WrongHops,
        WrongRoute,
        WrongAxes,
        Jumps,
        Turns,
        WrongChannel,
    }

    impl Shape for Line {
        fn nodes(&self) -> u32 {
            3
        }

        fn neighbours(&self, vertex: u32) -> Vec<u32> {
            match vertex {
                0 => vec![1],
                2 if *self == Self::OneWay => vec![0, 1],
                2 => vec![1],
                _ => vec![0, 2],
            }
        }

        fn next_hop(&self, at: u32, target: u32) -> u32 {
            match (*self, at < target) {
                (Self::Jumps, true) => target,
                (Self::Turns, _) => 1 - at % 2,
                (_, true) => at + 1,
                (_, false) => at - 1,
            }
        }

        fn route(&self, graph: &Graph, source: u32, target: u32, route: &mut Vec<LinkId>) {
            let mut at = source;
            while at != target && (*self, at) != (Self::WrongRoute, 1) {
                let next = self.next_hop(at, target);
                route.push(graph.link(at, next));
                at = next;
            }
        }

        fn channel(&self, _: u32, at: u32, _: u32) -> u32 {
            if *self == Self::WrongChannel { at } else { 0 }
        }

        fn hops(&self, source: u32, target: u32) -> Option<u32> {
            (*self == Self::WrongHops).then_some(source.max(target))
        }

        fn axes(&self) -> Option<Axes> {
            let metric =
                if *self == Self::WrongAxes { AxisMetric::Rings } else { AxisMetric::Lines };
            Some(Axes { sizes: vec![3], metric })
        }
    }

    #[test]
    fn faults_are_found() {
        let fault = |line: Line| {
            let fault = Topology::new("line", "3", Arc::new(line)).verify();
            fault.map_err(|error| error.to_string())
        };
        assert_eq!(fault(Line::Sound), Ok(()));
        let expect =
            |line, text: &str| assert_eq!(fault(line), Err(format!("topology `line:3`: {text}")));
        expect(Line::OneWay, "vertex 0 is next to 2, but 2 is not next to 0");
        expect(Line::WrongHops, "the route from 1 to 1 has 0 links, not 1");
        expect(Line::Jumps, "the next hop from 0 to 2 is 2, far from it");
        expect(Line::Turns, "the route from 0 to 2 never ends");
        expect(Line::WrongAxes, "the route from 0 to 2 has 2 links, not 1");
        expect(
            Line::WrongChannel,
            "the route from 0 to 2 uses virtual channel 1 at 1, and links have 1",
        );
        expect(Line::WrongRoute, "the route from 0 to 2 ends at 1");
    }

    /// A shape with the next hops of [`Line::Turns`] and the routes that follow from them.
    #[derive(Debug)]
    struct Turning;

    impl Shape for Turning {
        fn nodes(&self) -> u32 {
            3
        }

        fn neighbours(&self, vertex: u32) -> Vec<u32> {
            Line::Turns.neighbours(vertex)
        }

        fn next_hop(&self, at: u32, target: u32) -> u32 {
            Line::Turns.next_hop(at, target)
        }
    }

    #[test]
    #[should_panic(expected = "the route from 0 to 2 never ends")]
    fn a_route_that_turns_back_ends_with_its_fault() {
        let topology = Topology::new("turning", "3", Arc::new(Turning));
        topology.route(NodeId(0), NodeId(2), &mut Vec::new());
    }
}
