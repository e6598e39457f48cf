//! The output of `ibnetdiscover`: the switches, adapters and cables of an InfiniBand fabric.
//!
//! ```text
//! Switch  36 "S-248a0703002b5a40"      # "leaf1" enhanced port 0 lid 3 lmc 0
//! [1]  "H-248a0703008f1234"[1](248a0703008f1234)   # "node001 mlx5_0" lid 7 4xHDR
//! Ca  1 "H-248a0703008f1234"           # "node001 mlx5_0"
//! [1](248a0703008f1234)  "S-248a0703002b5a40"[1]   # lid 7 lmc 0 "leaf1" lid 3 4xHDR
//! ```
//!
//! Every cable appears at both of its ends and counts once. LIDs and ports of management are
//! ignored. The ports of one adapter, and the adapters of one host, are cables of one node.

use std::{cmp::Ordering, collections::BTreeMap};

use super::{
    GraphFileError,
    draft::{Cable, Draft, Role, Undeclared},
};
use crate::units::Bandwidth;

/// Rates of one lane, in 10^6 bits per second after coding (InfiniBand specification, volume 2).
const LANES: [(&str, u64); 9] = [
    ("SDR", 2_000),
    ("DDR", 4_000),
    ("QDR", 8_000),
    ("FDR10", 10_000),
    ("FDR", 13_625),
    ("EDR", 25_000),
    ("HDR", 50_000),
    ("NDR", 100_000),
    ("XDR", 200_000),
];

/// The description of an adapter inside a switch that reduces data; it is not a host.
const AGGREGATION: &str = "Aggregation Node";

/// What a line is.
enum Line<'a> {
    /// The begin of a switch, an adapter or a router: its identifier and its description.
    Device {
        id: &'a str,
        description: &'a str,
    },
    /// A cable: the port, the identifier and the port at the other end, and what follows `#`.
    Port {
        own: u32,
        id: &'a str,
        other: u32,
        comment: &'a str,
    },
    Other,
}

/// Returns whether a text has a line that begins a switch or an adapter.
pub(super) fn is_discovery(text: &str) -> bool {
    text.lines().any(|line| matches!(parse(line), Ok(Line::Device { .. })))
}

/// Reads the text.
pub(super) fn read(text: &str) -> Result<Draft, GraphFileError> {
    let mut fabric = Fabric::default();
    let mut current: Option<&str> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let bad = |reason: &str| GraphFileError::at(number, reason);
        match parse(line).map_err(bad)? {
            Line::Other => {}
            Line::Device { id, description } => {
                fabric.devices.insert(id, Device { line: number, description });
                current = Some(id);
            }
            Line::Port { own, id, other, comment } => {
                let Some(current) = current else {
                    return Err(bad("a port comes before the first `Switch` or `Ca` line"));
                };
                // The first description is that of the device at the other end.
                let description = quoted(comment).map_or("", |(text, _)| text);
                fabric.seen.entry(id).or_insert(Device { line: number, description });
                let rate = rate(comment).map_err(|reason| GraphFileError::at(number, reason))?;
                fabric.join(number, (current, own), (id, other), rate)?;
            }
        }
    }
    fabric.draft()
}

/// Parses a line.
fn parse(line: &str) -> Result<Line<'_>, &'static str> {
    const DEVICE: &str = "expected `Switch PORTS \"S-GUID\" # \"NAME\" …` or `Ca PORTS \"H-GUID\" # \
                          \"NAME\" …`";
    const PORT: &str = "expected `[PORT] \"GUID\"[PORT] # … 4xHDR`";
    let line = line.trim();
    if let Some(rest) = line.strip_prefix('[') {
        let port = || {
            let (own, rest) = number_in(rest)?;
            let (id, rest) = quoted(rest)?;
            let (other, rest) = number_in(rest.strip_prefix('[')?)?;
            let comment = rest.split_once('#').map_or("", |(_, comment)| comment);
            Some(Line::Port { own, id, other, comment })
        };
        return port().ok_or(PORT);
    }
    let mut words = line.splitn(2, char::is_whitespace);
    let (Some("Switch" | "Ca" | "Rt"), Some(rest)) = (words.next(), words.next()) else {
        return Ok(Line::Other);
    };
    let rest = rest.trim_start();
    if !rest.starts_with(|c: char| c.is_ascii_digit()) || !rest.contains('"') {
        return Ok(Line::Other);
    }
    let (id, rest) = quoted(rest).ok_or(DEVICE)?;
    let description = rest.split_once('#').and_then(|(_, comment)| quoted(comment));
    Ok(Line::Device { id, description: description.map_or("", |(text, _)| text) })
}

/// Returns the first text in quotes and what follows it.
fn quoted(text: &str) -> Option<(&str, &str)> {
    text.split_once('"')?.1.split_once('"')
}

/// Returns the number before a bracket that closes, and what follows the bracket.
fn number_in(text: &str) -> Option<(u32, &str)> {
    let (number, rest) = text.split_once(']')?;
    Some((number.parse().ok()?, rest))
}

/// Returns the rate at the end of a comment, as in `4xHDR`, if there is one.
fn rate(comment: &str) -> Result<Option<Bandwidth>, String> {
    let plain = comment.split('"').step_by(2).flat_map(str::split_whitespace);
    let width = |word: &'_ str| {
        let (lanes, speed) = word.split_once('x')?;
        let lanes: u64 = lanes.parse().ok().filter(|lanes| (1..=64).contains(lanes))?;
        speed.starts_with(|c: char| c.is_ascii_uppercase()).then(|| (lanes, speed.to_owned()))
    };
    let Some((lanes, speed)) = plain.filter_map(width).last() else { return Ok(None) };
    match LANES.iter().find(|(name, _)| *name == speed) {
        Some((_, rate)) => Ok(Some(Bandwidth::from_bytes_per_sec(lanes * rate * 125_000))),
        None => {
            let known: Vec<&str> = LANES.iter().map(|(name, _)| *name).collect();
            Err(format!("no speed is called `{speed}`; there are {}", known.join(", ")))
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Device<'a> {
    line: usize,
    description: &'a str,
}

/// A port of a device.
type Port<'a> = (&'a str, u32);

/// The cable at a port, and the line that names it.
#[derive(Debug)]
struct Plugged<'a> {
    line: usize,
    other: Port<'a>,
    rate: Option<Bandwidth>,
}

/// Devices and cables by their identifiers.
#[derive(Default)]
struct Fabric<'a> {
    devices: BTreeMap<&'a str, Device<'a>>,
    /// Devices at the other ends of cables.
    seen: BTreeMap<&'a str, Device<'a>>,
    ports: BTreeMap<Port<'a>, Plugged<'a>>,
}

impl<'a> Fabric<'a> {
    /// Adds a cable that one of its ends names.
    fn join(
        &mut self,
        line: usize,
        one: Port<'a>,
        other: Port<'a>,
        rate: Option<Bandwidth>,
    ) -> Result<(), GraphFileError> {
        for (port, other) in [(one, other), (other, one)] {
            let known = self.ports.entry(port).or_insert(Plugged { line, other, rate });
            if known.other != other {
                let reason = format!(
                    "port {} of {} has a cable to port {} of {} in line {}, and here one to port {} \
                     of {}; a port has one cable",
                    port.1, port.0, known.other.1, known.other.0, known.line, other.1, other.0
                );
                return Err(GraphFileError::at(line, reason));
            }
            known.rate = known.rate.or(rate);
        }
        Ok(())
    }

    /// Names nodes and switches and makes cables of the ports.
    fn draft(self) -> Result<Draft, GraphFileError> {
        let mut devices = self.seen;
        devices.extend(self.devices);
        let is_host = |id: &str| id.starts_with("H-");
        let mut hosts = BTreeMap::new();
        let mut names: BTreeMap<&str, String> = BTreeMap::new();
        for (id, device) in devices.iter().filter(|(id, _)| is_host(id)) {
            if !device.description.contains(AGGREGATION) {
                let host = host_of(device.description, id);
                names.insert(id, host.to_owned());
                hosts.insert(NaturalOrder(host), device.line);
            }
        }
        let mut draft = Draft::new(Undeclared::ByDegree);
        draft.keep_order();
        for (NaturalOrder(host), line) in hosts {
            let vertex = draft.vertex(line, host)?;
            draft.declare(line, vertex, Role::Node)?;
        }
        let mut switches: Vec<_> = devices.iter().filter(|(id, _)| !is_host(id)).collect();
        switches.sort_by_key(|(id, device)| (NaturalOrder(device.description), **id));
        for (place, (id, device)) in switches.iter().enumerate() {
            let beside = [place.wrapping_sub(1), place + 1].map(|at| switches.get(at));
            let shared =
                beside.iter().flatten().any(|(_, it)| it.description == device.description);
            let unclear = shared || device.description.is_empty();
            let taken = draft.known(device.description).is_some();
            let name = if unclear || taken { *id } else { device.description };
            let vertex = draft.vertex(device.line, name)?;
            draft.declare(device.line, vertex, Role::Switch)?;
            names.insert(id, name.to_owned());
        }
        for (port, plugged) in self.ports.iter().filter(|(port, it)| **port <= it.other) {
            let ends = [port.0, plugged.other.0].map(|id| names.get(id));
            // Cables of adapters that are no hosts are left out, as are those of a device to itself.
            let [Some(one), Some(other)] = ends else { continue };
            if one == other {
                continue;
            }
            let one = draft.vertex(plugged.line, one)?;
            let other = draft.vertex(plugged.line, other)?;
            let mut cable = Cable::default();
            cable.numbers.bandwidth = plugged.rate;
            draft.join(plugged.line, one, other, cable)?;
        }
        Ok(draft)
    }
}

/// Returns the name of the host of an adapter: of `HOST ADAPTER` the first word. Other descriptions
/// are those of the maker, which many adapters share: then the identifier.
fn host_of<'a>(description: &'a str, id: &'a str) -> &'a str {
    let mut words = description.split_whitespace();
    match (words.next(), words.next(), words.next()) {
        (Some(host), None | Some(_), None) => host,
        _ => id,
    }
}

/// A text with numbers in it: `node2` comes before `node10`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct NaturalOrder<'a>(&'a str);

impl NaturalOrder<'_> {
    /// Returns digits without leading zeros, or one character that is none, and the rest.
    fn split(text: &str) -> Option<(bool, &str, &str)> {
        let first = text.chars().next()?;
        if !first.is_ascii_digit() {
            let (character, rest) = text.split_at(first.len_utf8());
            return Some((false, character, rest));
        }
        let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let (digits, rest) = text.split_at(end);
        Some((true, digits.trim_start_matches('0'), rest))
    }
}

impl Ord for NaturalOrder<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let (mut one, mut two) = (self.0, other.0);
        loop {
            let ((is_number, a, rest_a), (other_number, b, rest_b)) =
                match (Self::split(one), Self::split(two)) {
                    (Some(a), Some(b)) => (a, b),
                    (a, b) => return (a.is_some().cmp(&b.is_some())).then(self.0.cmp(other.0)),
                };
            let order = match is_number && other_number {
                true => a.len().cmp(&b.len()).then(a.cmp(b)),
                false => other_number.cmp(&is_number).then(a.cmp(b)),
            };
            if order != Ordering::Equal {
                return order;
            }
            (one, two) = (rest_a, rest_b);
        }
    }
}

impl PartialOrd for NaturalOrder<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
