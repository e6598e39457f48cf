//! A topology with each link coloured by its utilisation.

use std::collections::BTreeMap;

use network_models::{Labels, LinkId, LinkUsage, Topology, VertexId};
use sim_core::SimTime;

use super::{
    canvas::{Anchor, Canvas, Ink, LABEL, NOTE, Point, draw, text_width, title_width},
    palette::{ACCENT, FAINT, INK, PAPER, ramp},
};
use crate::{
    analysis::HottestLink,
    format::{percent, percent_of},
};

/// Most vertices of a topology that is drawn.
const MOST_VERTICES: u32 = 2048;
const MARGIN: f64 = 46.0;
const TOP: f64 = 84.0;

/// A picture of a topology and its links.
pub struct LinkHeat {
    /// The picture.
    pub svg: String,
    /// The link that each `polyline` of the picture shows, in their order; `None` for those that mark
    /// something.
    pub lines: Vec<Option<LinkId>>,
    /// Whether nodes are drawn twice, where they send and where they receive.
    pub nodes_twice: bool,
}

/// Draws the topology in its natural layout. Each link is a line on the right-hand side of its direction, so
/// that a cable which serves both directions is two lines; darker lines were busier. Wrap-around links of a
/// torus are stubs at the border of the grid. Where they lead from the last stage of switches back to the
/// nodes, the nodes are drawn a second time behind that stage.
pub fn link_heat(topology: &Topology, usage: &[LinkUsage], makespan: SimTime) -> LinkHeat {
    if topology.vertices() > MOST_VERTICES {
        let svg = draw(760, 90, |canvas| {
            canvas.title(&format!("How busy the links of {} were", topology.name()));
            canvas.text((16, 54), "The topology is too large to draw.", Anchor::Left, NOTE);
        });
        return LinkHeat { svg, lines: Vec::new(), nodes_twice: false };
    }
    let hottest = HottestLink::of(usage, topology, makespan);
    let note = match &hottest {
        Some(link) => format!("hottest: {}, busy {}", link.name, percent(link.busy)),
        None => "no link was busy, or the network model has none that are shared".to_owned(),
    };
    let title = format!("How busy the links of {} were", topology.name());
    let plan = Plan::new(topology, (58 + text_width(&note)).max(32 + title_width(&title)));
    let share = |link: u32| {
        usage
            .get(link as usize)
            .map_or(0.0, |usage| percent_of(usage.busy.as_ps(), u128::from(makespan.as_ps())))
    };
    let most = hottest.as_ref().map_or(0.0, |link| link.busy);
    let mut lines = Vec::new();
    let svg = draw(plan.width, plan.height, |canvas| {
        canvas.title(&title);
        if most > 0.0 {
            canvas.ramp_legend((46, 50), "0 %", &format!("{} of the run", percent(most)));
        }
        let mut order: Vec<u32> = (0..topology.link_count()).collect();
        order.sort_by(|a, b| share(*a).total_cmp(&share(*b)).then(a.cmp(b)));
        for link in order {
            let part = if most > 0.0 { share(link) / most } else { 0.0 };
            let is_hottest = hottest.as_ref().is_some_and(|hottest| hottest.link.0 == link);
            let paths = plan.paths(topology, LinkId(link));
            for path in paths {
                if is_hottest {
                    canvas.path(path.clone(), plan.stroke(1.0) + 5, ACCENT);
                    lines.push(None);
                }
                canvas.path(path, plan.stroke(part), ramp(part));
                lines.push(Some(LinkId(link)));
            }
        }
        plan.draw_vertices(canvas, topology);
        let bottom = plan.height as i32;
        if hottest.is_some() {
            canvas.path(vec![(16, bottom - 16), (34, bottom - 16)], 5, ACCENT);
            lines.push(None);
        }
        let ink = if hottest.is_some() { LABEL } else { NOTE };
        canvas.text((42, bottom - 16), &note, Anchor::Left, ink);
    });
    LinkHeat { svg, lines, nodes_twice: !plan.receivers.is_empty() }
}

struct Plan {
    width: u32,
    height: u32,
    /// Pixels per unit of the layout.
    scale: f64,
    /// Positions of the vertices in pixels.
    places: Vec<(f64, f64)>,
    /// Positions in pixels of nodes where they receive, if that is not where they send.
    receivers: BTreeMap<u32, (f64, f64)>,
    /// Distance in pixels of the two vertices that are closest to each other.
    nearest: f64,
}

impl Plan {
    /// Plans a drawing at least `least` pixels wide.
    fn new(topology: &Topology, least: i32) -> Self {
        let raw: Vec<(f64, f64)> =
            (0..topology.vertices()).map(|vertex| topology.layout(VertexId(vertex))).collect();
        let receivers = receivers(topology, &raw);
        let bound = |of: fn(&(f64, f64)) -> f64| {
            let all = || raw.iter().chain(receivers.values()).map(of);
            let (least, most) =
                (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
            if least <= most { (least, most - least) } else { (0.0, 0.0) }
        };
        let ((left, wide), (low, high)) = (bound(|p| p.0), bound(|p| p.1));
        let scale = (760.0 / wide.max(1.0)).min(620.0 / high.max(1.0)).min(96.0);
        // Flat drawings are stretched vertically.
        let rise = if high > 0.0 { scale.max((280.0 / high).min(60.0)) } else { scale };
        let width = (wide * scale + 2.0 * MARGIN).max(520.0).max(f64::from(least));
        let shift = (width - wide * scale) / 2.0;
        let place = |&(x, y): &(f64, f64)| {
            (shift + (x - left) * scale, TOP + MARGIN + (low + high - y) * rise)
        };
        let places: Vec<(f64, f64)> = raw.iter().map(place).collect();
        let receivers = receivers.iter().map(|(node, at)| (*node, place(at))).collect();
        let nearest = nearest(&places);
        let height = TOP + high * rise + 2.0 * MARGIN + 40.0;
        let (width, height) = (width.ceil() as u32, height.ceil() as u32);
        Self { width, height, scale, places, receivers, nearest }
    }

    /// Returns half the side of a vertex's square.
    fn radius(&self) -> i32 {
        let most = (self.nearest * 0.4).clamp(2.0, 13.0);
        (self.scale * 0.16).min(most).round().max(2.0) as i32
    }

    fn stroke(&self, part: f64) -> u32 {
        let most = (self.scale / 16.0).clamp(1.0, 5.0);
        (1.0 + part * (most - 1.0)).round() as u32
    }

    /// Returns the lines that show one directed link.
    fn paths(&self, topology: &Topology, link: LinkId) -> Vec<Vec<Point>> {
        let (from, to) = topology.link_ends(link);
        let received = if topology.wraps(link) { self.receivers.get(&to.0) } else { None };
        let (a, b) =
            (self.places[from.0 as usize], *received.unwrap_or(&self.places[to.0 as usize]));
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let length = dx.hypot(dy).max(1.0);
        let (ux, uy) = (dx / length, dy / length);
        let side = (self.scale * 0.05).clamp(1.0, 4.0);
        let beside = |p: (f64, f64), along: f64, off: f64| {
            let x = p.0 + along * ux - (side + off) * uy;
            (x.round() as i32, (p.1 + along * uy + (side + off) * ux).round() as i32)
        };
        if received.is_some() {
            return vec![vec![beside(a, 0.0, 0.0), beside(b, 0.0, 0.0)]];
        }
        if topology.wraps(link) {
            let stub = self.scale * 0.42;
            return vec![
                vec![beside(a, 0.0, -2.0 * side), beside(a, -stub, -2.0 * side)],
                vec![beside(b, stub, -2.0 * side), beside(b, 0.0, -2.0 * side)],
            ];
        }
        if !self.is_crowded(from, to) {
            return vec![vec![beside(a, 0.0, 0.0), beside(b, 0.0, 0.0)]];
        }
        let bow = (self.scale * 0.3).min(length * 0.2);
        let arc = (0..=12).map(|step| {
            let part = f64::from(step) / 12.0;
            beside(a, part * length, 4.0 * bow * part * (1.0 - part))
        });
        vec![arc.collect()]
    }

    /// Returns whether another vertex lies on the straight line between the two.
    fn is_crowded(&self, from: VertexId, to: VertexId) -> bool {
        let (a, b) = (self.places[from.0 as usize], self.places[to.0 as usize]);
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let square = dx * dx + dy * dy;
        let near = f64::from(self.radius()) + 2.0;
        self.places.iter().enumerate().any(|(index, p)| {
            let (px, py) = (p.0 - a.0, p.1 - a.1);
            let along = (px * dx + py * dy) / square.max(1.0);
            let off = (px * dy - py * dx).abs() / square.sqrt().max(1.0);
            index != from.0 as usize
                && index != to.0 as usize
                && (0.0..=1.0).contains(&along)
                && off < near
        })
    }

    /// Draws the numbers of every second, fourth, ... node where there is space: outside a circle,
    /// below a tree, before and behind stages of switches.
    fn number_some(&self, canvas: &Canvas, topology: &Topology) {
        let around = match topology.labels() {
            Labels::Around => true,
            Labels::Below => false,
            Labels::Nowhere => return self.number_at_sides(canvas, topology),
        };
        let nodes = topology.nodes() as usize;
        let middle = (f64::from(self.width) / 2.0, (TOP + f64::from(self.height)) / 2.0 - 20.0);
        let away = f64::from(self.radius()) + 11.0;
        for index in numbered(nodes) {
            let (x, y) = self.places[index];
            let (dx, dy) = if around { (x - middle.0, y - middle.1) } else { (0.0, 1.0) };
            let length = dx.hypot(dy).max(1.0);
            let at = ((x + away * dx / length) as i32, (y + away * dy / length) as i32);
            canvas.text(at, &label(topology, index), Anchor::Middle, LABEL);
        }
    }

    /// Draws the numbers of nodes that are drawn twice, outside of the stages between them.
    fn number_at_sides(&self, canvas: &Canvas, topology: &Topology) {
        let away = f64::from(self.radius()) + 5.0;
        for index in numbered(self.receivers.len()) {
            let Some((right, y)) = self.receivers.get(&(index as u32)) else { continue };
            let (left, number) = (self.places[index].0, label(topology, index));
            canvas.text(((left - away) as i32, *y as i32), &number, Anchor::Right, LABEL);
            canvas.text(((right + away) as i32, *y as i32), &number, Anchor::Left, LABEL);
        }
    }

    fn draw_vertices(&self, canvas: &Canvas, topology: &Topology) {
        let radius = self.radius();
        let widest = text_width(&label(topology, topology.nodes().saturating_sub(1) as usize));
        let numbered = widest + 2 <= 2 * radius;
        let again = self.receivers.iter().map(|(node, place)| (*node, place));
        for (index, (x, y)) in (0..).zip(&self.places).chain(again) {
            let at = (x.round() as i32, y.round() as i32);
            let is_node = index < topology.nodes();
            if is_node {
                canvas.disc(at, radius, INK);
            } else {
                let (low, high) = ((at.0 - radius, at.1 - radius), (at.0 + radius, at.1 + radius));
                canvas.rect(low, high, FAINT);
            }
            if numbered && is_node {
                let ink = Ink { color: PAPER, ..LABEL };
                canvas.text(at, &label(topology, index as usize), Anchor::Middle, ink);
            }
        }
        if !numbered {
            self.number_some(canvas, topology);
        }
        let x = self.width as i32 - 150;
        canvas.disc((x, 50), 6, INK);
        let kind = if topology.nics() > 1 { "NIC" } else { "node" };
        canvas.text((x + 12, 50), kind, Anchor::Left, LABEL);
        if topology.vertices() > topology.nodes() {
            canvas.rect((x + 60, 44), (x + 72, 56), FAINT);
            canvas.text((x + 78, 50), "switch", Anchor::Left, LABEL);
        }
    }
}

fn label(topology: &Topology, node: usize) -> String {
    topology.label(VertexId(node as u32))
}

/// Returns where nodes are drawn a second time: those to which links of switches lead over the edge of the
/// drawing. They are as far from the last stage as stages are from each other.
fn receivers(topology: &Topology, places: &[(f64, f64)]) -> BTreeMap<u32, (f64, f64)> {
    let (mut found, mut pitch) = (BTreeMap::new(), 0.0f64);
    let right = places.iter().map(|place| place.0).fold(f64::NEG_INFINITY, f64::max);
    for link in (0..topology.link_count()).map(LinkId) {
        let (from, to) = topology.link_ends(link);
        let (a, b) = (places[from.0 as usize], places[to.0 as usize]);
        if !topology.wraps(link) {
            pitch = pitch.max((b.0 - a.0).abs());
        } else if to.0 < topology.nodes() && from.0 >= topology.nodes() {
            found.insert(to.0, (right, b.1));
        }
    }
    found.values_mut().for_each(|place| place.0 += pitch);
    found
}

/// Most nodes whose numbers are drawn beside them.
const NUMBERS: usize = 16;

/// Returns the nodes whose numbers are drawn beside them: every second, fourth, ... one.
fn numbered(nodes: usize) -> impl Iterator<Item = usize> {
    (0..nodes).step_by(nodes.div_ceil(NUMBERS).next_power_of_two())
}

/// Returns the smallest distance between points that are neighbours when sorted by column.
fn nearest(places: &[(f64, f64)]) -> f64 {
    let mut sorted = places.to_vec();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let mut least = f64::INFINITY;
    for (index, a) in sorted.iter().enumerate() {
        for b in &sorted[index + 1..] {
            if b.0 - a.0 >= least {
                break;
            }
            least = least.min((b.0 - a.0).hypot(b.1 - a.1));
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use network_models::TopologySpec;

    use super::*;

    fn heat(name: &str) -> LinkHeat {
        let spec = name.parse::<TopologySpec>().expect("a topology");
        link_heat(&spec.build(4).expect("it fits"), &[], SimTime::from_ps(1))
    }

    #[test]
    fn staged_networks_have_their_nodes_at_both_ends() {
        // A disc is the legend's.
        for (name, nodes) in [("omega:2x3", 8), ("butterfly:4x2", 16), ("omega:10x2", 100)] {
            let LinkHeat { svg, lines, nodes_twice } = heat(name);
            assert!(nodes_twice, "{name}");
            assert_eq!(svg.matches("<circle").count(), 2 * nodes + 1, "{name}");
            assert_eq!(svg.matches("<polyline").count(), lines.len(), "{name}: no stubs");
            assert_eq!(svg.matches("\n0\n").count(), 2, "{name}: numbered at both ends");
        }
        for (name, nodes) in [("torus:4x4", 16), ("kautz:2x3", 12), ("fat-tree:2x2", 4)] {
            let LinkHeat { svg, nodes_twice, .. } = heat(name);
            assert!(!nodes_twice, "{name}");
            assert_eq!(svg.matches("<circle").count(), nodes + 1, "{name}");
        }
    }

    #[test]
    fn several_nics_of_a_node_are_called_what_the_text_calls_them() {
        let spec = "crossbar:8".parse::<TopologySpec>().expect("a topology");
        let topology = spec.build(8).expect("it fits").with_nics(2);
        let usage = vec![LinkUsage::default(); topology.link_count() as usize];
        let LinkHeat { svg, .. } = link_heat(&topology, &usage, SimTime::from_ps(1));
        for label in ["0.0", "0.1", "1.0", "3.1", "NIC"] {
            assert_eq!(svg.matches(&format!("\n{label}\n")).count(), 1, "{label}: {svg}");
        }
        assert!(!svg.contains("\n7\n") && !svg.contains("\nnode\n"), "{svg}");
        assert_eq!(topology.describe(VertexId(2)), "node 1 nic 0");
        assert_eq!(topology.label(VertexId(2)), "1.0");
        let LinkHeat { svg, .. } = heat("crossbar:8");
        assert!(svg.contains("\n7\n") && svg.contains("\nnode\n"), "{svg}");
    }
}
