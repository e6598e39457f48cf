//! The numbers of a machine from what measurements determine, and the conventions by which the
//! rest is split.

use std::collections::BTreeMap;

use sim_core::words::counted;

use super::{
    pieces::Piece,
    ping_pong::MessageTime,
    uncertainty::{Estimate, Unit},
};
use crate::machine::{
    BufferingNumbers, CostNumbers, Machine, NetworkNumbers, ProtocolNumbers, Provenance, Quantity,
};

/// What measurements determine. Times are nanoseconds.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) message: MessageTime,
    /// Hops between the two nodes of a ping-pong.
    pub(super) hops: u32,
    /// Time per byte of one stream of long messages.
    pub(super) single_stream: Option<f64>,
    /// Time per byte of a node whose ranks all send.
    pub(super) node_stream: Option<f64>,
    /// Half of the interval of these two, relative to them.
    pub(super) port_half: Option<f64>,
    pub(super) nonblocking: Option<Nonblocking>,
    /// Least time between two short messages of a node.
    pub(super) message_rate: Option<f64>,
    /// Latency inside of a node, nanoseconds.
    pub(super) in_node: Option<f64>,
    /// Rate of a link in bytes per second, and whether it is determined or only a lower bound.
    pub(super) link: Option<(f64, bool)>,
    /// The eager limit, if it was given.
    pub(super) eager_limit: Option<u64>,
    /// Whether every message of the ping-pong is longer than the given eager limit, so that its time contains the
    /// latency three times.
    pub(super) all_rendezvous: bool,
    /// Whether what a byte takes beyond the port keeps no processor busy.
    pub(super) delayed: bool,
}

impl Found {
    /// Returns what a byte of a message takes beyond the port of its node.
    pub(super) fn beyond_port(&self) -> f64 {
        let (port, ..) = ports_and_processors(self);
        self.message.per_byte - port
    }

    /// Returns the protocols by size.
    fn protocols(&self) -> Vec<Piece> {
        let mut pieces = self.message.protocols.clone();
        let rest = self.beyond_port();
        if self.delayed && rest > 0.0 {
            if pieces.first().is_none_or(|piece| piece.from > 1) {
                pieces.insert(0, Piece { from: 1, behind: None, fixed: 0.0, per_byte: 0.0 });
            }
            pieces.iter_mut().for_each(|piece| piece.per_byte += rest);
        }
        pieces
    }

    /// Returns how often the time of a message without a jump at an eager limit contains the latency: a
    /// rendezvous sends a request and an answer before the data.
    fn latencies(&self) -> f64 {
        if self.all_rendezvous { 3.0 } else { 1.0 }
    }

    /// Returns the largest size of an eager message, if there is a limit.
    pub(super) fn eager_limit(&self) -> Option<u64> {
        self.eager_limit.or(self.message.eager_break.map(|(below, _)| below))
    }
}

/// Overheads of nonblocking calls, nanoseconds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Nonblocking {
    /// Posting a send; completing it takes a thirteenth of that.
    pub(super) post: f64,
    /// Completing a receive; posting it takes three tenths of that.
    pub(super) wait: f64,
}

impl Nonblocking {
    /// Divides an overhead as most machines do.
    pub(super) fn of(post: f64) -> Self {
        Self { post, wait: 0.92 * post }
    }
}

/// Usual time of a switch, nanoseconds.
const HOP: f64 = 100.0;
/// Difference of two times per byte that counts as none, relative.
const NOISE: f64 = 1e-3;
/// Difference between one stream and a full node above which one rank cannot fill its node's port.
const UNFILLED: f64 = 1.1;

/// The sums of the measurements divided among the machine's numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Splits {
    /// o of a blocking send, and of a receive.
    pub(super) overhead: f64,
    pub(super) latency: f64,
    pub(super) hop: f64,
    pub(super) byte_time_ps: f64,
    pub(super) send_per_byte_ps: f64,
    pub(super) receive_per_byte_ps: f64,
    pub(super) nonblocking: Nonblocking,
}

impl Splits {
    /// Divides the sums: overheads in halves; without a jump at an eager limit a third of the time of an empty
    /// message at most for each side; hops take at most half of the latency.
    pub(super) fn of(found: &Found) -> Self {
        let message = &found.message;
        let (overhead, whole) = match message.latency {
            Some(latency) => (message.overheads / 2.0, latency),
            None => {
                let third = message.overheads / 3.0;
                let overhead = found.nonblocking.map_or(third, |calls| calls.post.min(third));
                (overhead, (message.overheads - 2.0 * overhead) / found.latencies())
            }
        };
        let hops = f64::from(found.hops);
        let hop = if found.hops == 0 { HOP } else { HOP.min(whole / 2.0 / hops) };
        let (port, send, receive) = per_byte(found);
        Self {
            overhead,
            latency: whole - hop * hops,
            hop,
            byte_time_ps: 1e3 * port,
            send_per_byte_ps: 1e3 * send,
            receive_per_byte_ps: 1e3 * receive,
            nonblocking: found.nonblocking.unwrap_or(Nonblocking::of(0.65 * overhead)),
        }
    }
}

impl Splits {
    /// Reports whether several ranks of a node sent faster than one alone.
    pub(super) fn is_unfilled(found: &Found) -> bool {
        match (found.node_stream, found.single_stream) {
            (Some(node), Some(single)) => single > UNFILLED * node,
            _ => false,
        }
    }
}

/// Divides the time per byte of a message among port, sender and receiver.
fn per_byte(found: &Found) -> (f64, f64, f64) {
    let (port, send, receive) = ports_and_processors(found);
    if found.delayed { (port, 0.0, 0.0) } else { (port, send, receive) }
}

/// Returns what [`per_byte`] does if the rest keeps processors busy.
fn ports_and_processors(found: &Found) -> (f64, f64, f64) {
    let whole = found.message.per_byte;
    let port = match (found.node_stream, found.single_stream) {
        (None, None) => return (whole, 0.0, 0.0),
        (Some(node), Some(single)) if Splits::is_unfilled(found) => {
            let send = single.min((whole - node).max(0.0));
            return (node, send, (whole - node - send).max(0.0));
        }
        (_, Some(single)) => single,
        (Some(node), None) => node,
    };
    let rest = whole - port;
    if rest > NOISE * whole { (port, rest / 2.0, rest / 2.0) } else { (port, 0.0, 0.0) }
}

fn rounded(value: f64) -> f64 {
    (value.max(0.0) * 1e3).round() / 1e3
}

fn fitted(value: f64, source: &str) -> Quantity {
    Quantity { value: rounded(value), provenance: Provenance::Fitted, source: source.into() }
}

fn assumed(value: f64, source: &str) -> Quantity {
    Quantity { value: rounded(value), provenance: Provenance::Unverified, source: source.into() }
}

/// Builds the machine.
pub(super) fn machine(name: &str, topology: &str, network: &str, found: &Found) -> Machine {
    Machine {
        node: None,
        filesystem: None,
        filesystems: BTreeMap::new(),
        name: name.into(),
        summary: "A machine fitted to measurements by windtunnel calibrate".into(),
        calibration: None,
        default_topology: topology.into(),
        default_network: network.into(),
        representations: Vec::new(),
        network: network_numbers(found),
        costs: cost_numbers(found),
        buffering: BufferingNumbers { eager_limit_bytes: eager_limit(found), pool_bytes: None },
    }
}

fn network_numbers(found: &Found) -> NetworkNumbers {
    let splits = Splits::of(found);
    let port_rate = 1e12 / splits.byte_time_ps.max(1e-3);
    let latency = match found.message.latency {
        Some(_) => fitted(splits.latency, "half the jump at the eager limit, without the hops"),
        None if found.all_rendezvous => assumed(
            splits.latency,
            "no eager message was measured: a third of what the overheads leave of half a round trip",
        ),
        None => assumed(
            splits.latency,
            "no jump at an eager limit: what is left of half a round trip after the overheads",
        ),
    };
    let gap = match found.message_rate {
        Some(gap) => fitted(gap, "the highest rate of short messages of a node"),
        None => assumed(splits.overhead, "no stream of messages: the overhead of a send"),
    };
    let port = match (found.node_stream, found.single_stream) {
        (Some(_), _) => "long messages of several pairs",
        (None, Some(_)) => "long messages of one stream",
        (None, None) => "long messages of the ping-pong",
    };
    let link = match found.link {
        Some((rate, true)) => fitted(rate.ceil(), "long messages of pairs that share links"),
        Some((rate, false)) => {
            assumed(rate.ceil(), "at least so much: the measured pairs did not wait for links")
        }
        None => assumed(port_rate.ceil(), "no contention was measured: the rate of a port"),
    };
    let inside = "not measured: as between nodes";
    NetworkNumbers {
        latency_ns: latency,
        gap_ns: gap,
        byte_time_ps: fitted(splits.byte_time_ps, port),
        duplex_factor: assumed(1.0, "full duplex"),
        hop_ns: assumed(splits.hop, "a usual switch; only latency and hops together are measured"),
        link_bandwidth_bytes_per_s: link,
        in_node_latency_ns: match found.in_node {
            Some(latency) => fitted(latency, "the order in which pairs of a node use its port"),
            None => assumed(splits.latency, inside),
        },
        in_node_bandwidth_bytes_per_s: assumed(port_rate.ceil(), inside),
        protocols: protocols(&found.protocols()),
    }
}

/// Returns the protocols of the machine file.
fn protocols(pieces: &[Piece]) -> Vec<ProtocolNumbers> {
    let numbers = |piece: &Piece| {
        let from = match piece.behind {
            Some(below) => {
                let source = format!("a break between {below} and {} bytes", piece.from);
                fitted(below as f64 + 1.0, &source)
            }
            None => fitted(piece.from.max(1) as f64, "the smallest measured message"),
        };
        let source = "the ping-pong from this size to that of the next protocol";
        ProtocolNumbers {
            from_bytes: from,
            latency_ns: fitted(piece.fixed, source),
            per_byte_ps: fitted(1e3 * piece.per_byte, source),
        }
    };
    pieces.iter().map(numbers).collect()
}

fn cost_numbers(found: &Found) -> CostNumbers {
    let splits = Splits::of(found);
    let message = &found.message;
    let half = match message.latency {
        Some(_) => "half of what the latency leaves of half a round trip",
        None => "no jump at an eager limit: at most a third of half a round trip",
    };
    let Nonblocking { post, wait } = splits.nonblocking;
    let call = |value: f64| match found.nonblocking {
        Some(_) => fitted(value, "the rate of short messages; the split among calls is ours"),
        None => assumed(value, "no stream of messages: in proportion to blocking calls"),
    };
    let per_byte = "the time per byte of a message beyond that of the port";
    let analogy = "not measured: by analogy with blocking calls";
    let copy = if message.latency.is_some() { message.copy } else { 0.0 };
    CostNumbers {
        send_ns: fitted(splits.overhead, half),
        receive_ns: fitted(splits.overhead, half),
        post_send_ns: call(post),
        post_receive_ns: call(0.3 * wait),
        wait_send_ns: call(post / 13.0),
        wait_receive_ns: call(wait),
        start_ns: assumed(0.75 * post, analogy),
        init_ns: assumed(0.3 * post, analogy),
        request_free_ns: assumed(0.1 * post, analogy),
        datatype_ns: assumed(2.0 * splits.overhead, analogy),
        poll_ns: assumed(splits.overhead.max(100.0), analogy),
        first_use_ns: assumed(0.0, "benchmarks warm up"),
        long_message_bytes: assumed(65_536.0, "without meaning: first use costs nothing"),
        send_per_byte_ps: fitted(splits.send_per_byte_ps, per_byte),
        receive_per_byte_ps: fitted(splits.receive_per_byte_ps, per_byte),
        pack_per_byte_ps: assumed(200.0, "not measured: a copy with strides in memory of today"),
        copy_per_byte_ps: match message.latency {
            Some(_) => fitted(1e3 * copy, "what a byte of an eager message takes beyond others"),
            None => assumed(0.0, "no eager limit was found: contained in the other times per byte"),
        },
        big_per_byte_ps: match message.big_from {
            Some(_) => fitted(1e3 * message.big, "very long messages of the ping-pong"),
            None => assumed(0.0, "no size from which messages take longer per byte"),
        },
        big_message_bytes: match message.big_from {
            Some(bytes) => fitted(bytes as f64, "smallest measured size with more time per byte"),
            None => assumed(524_288.0, "without meaning: very long messages cost nothing more"),
        },
        reduce_per_byte_ps: assumed(200.0, "not measured: an addition in memory of today"),
    }
}

fn eager_limit(found: &Found) -> Quantity {
    match (found.eager_limit, found.message.eager_break) {
        (Some(limit), _) => Quantity {
            value: limit as f64,
            provenance: Provenance::Seen,
            source: "given to windtunnel calibrate".into(),
        },
        (None, Some((below, above))) => {
            fitted(below as f64, &format!("the break between {below} and {above} bytes"))
        }
        (None, None) => assumed(1e12, "no break: no measured message waits for its receive"),
    }
}

/// Returns a sentence on the sums of overheads and latency.
fn sums(found: &Found, splits: &Splits) -> String {
    let message = &found.message;
    if let (Some(latency), Some((below, above))) = (message.latency, message.eager_break) {
        return format!(
            "Eager limit between {below} and {above} bytes; latency with {} {latency:.1} ns (half the jump \
             there), overheads of send and receive together {:.1} ns, divided equally.",
            counted(found.hops.into(), "hop"),
            message.overheads
        );
    }
    let (told, latency) = match found.all_rendezvous {
        true => ("Every measured message is longer than the eager limit", "three latencies"),
        false => ("No break of an eager limit", "latency"),
    };
    format!(
        "{told}: overheads and {latency} together {:.1} ns are determined; {:.1} ns for each side and \
         {:.1} ns of latency are a convention.",
        message.overheads,
        splits.overhead,
        (message.overheads - 2.0 * splits.overhead) / found.latencies()
    )
}

/// Returns the fitted values with their intervals.
pub(super) fn estimates(found: &Found) -> Vec<Estimate> {
    let (message, splits) = (&found.message, Splits::of(found));
    let uncertainty = &message.uncertainty;
    let of_one = |value: f64| uncertainty.of_one(value);
    let time = |name: &str, value, half| Estimate::new(name.into(), value, half, Unit::Time);
    let per_byte =
        |name: &str, value, half| Estimate::new(name.into(), value, half, Unit::TimePerByte);
    let mut all = Vec::new();
    match message.latency {
        Some(latency) => {
            let hops = counted(found.hops.into(), "hop");
            all.push(time(&format!("latency with {hops}"), latency, uncertainty.latency));
            all.push(time("overheads of both sides", message.overheads, uncertainty.overheads));
        }
        None => all.push(time("overheads and latency", message.overheads, uncertainty.empty)),
    }
    if let (None, Some((low, high)), Some((below, _))) =
        (found.eager_limit, uncertainty.eager_limit, message.eager_break)
    {
        let (value, interval) = (below as f64, Some((low as f64, high as f64)));
        all.push(Estimate { name: "eager limit".into(), value, interval, unit: Unit::Size });
    }
    all.push(per_byte("time per byte", message.per_byte, uncertainty.per_byte));
    if message.copy > 0.0 {
        all.push(per_byte("copy of an eager message", message.copy, uncertainty.copy));
    }
    if message.big > 0.0 {
        all.push(per_byte("very long messages", message.big, uncertainty.big));
    }
    // Protocols that add nothing were left out at the beginning.
    let halves = uncertainty.protocols.iter().rev().zip(message.protocols.iter().rev());
    let halves: Vec<_> = halves.collect();
    for ([fixed, slope], piece) in halves.into_iter().rev() {
        if piece.fixed > 0.0 {
            all.push(time(&format!("from {} bytes", piece.from), piece.fixed, *fixed));
        }
        if piece.per_byte > 0.0 {
            all.push(per_byte(&format!("from {} bytes", piece.from), piece.per_byte, *slope));
        }
    }
    if found.single_stream.or(found.node_stream).is_some() {
        let port = splits.byte_time_ps / 1e3;
        all.push(per_byte("port", port, found.port_half.map(|half| half * port)));
    }
    if let Some(Nonblocking { post, .. }) = found.nonblocking {
        all.push(time("posting a send", post, of_one(post)));
    }
    if let Some(gap) = found.message_rate {
        all.push(time("gap", gap, of_one(gap)));
    }
    if let Some((rate, true)) = found.link {
        let (value, half) = (rate / 1e6, of_one(rate / 1e6));
        all.push(Estimate::new("rate of a link".into(), value, half, Unit::Rate));
    }
    all
}

/// Returns what is determined and how the rest was split, a sentence each.
pub(super) fn notes(found: &Found) -> Vec<String> {
    let splits = Splits::of(found);
    let message = &found.message;
    let mut notes = vec![sums(found, &splits)];
    notes.push(format!(
        "Time per byte of a message {:.4} ns: port {:.4} ns, processors {:.4} ns; an eager message \
         {:.4} ns more (copy).",
        message.per_byte,
        splits.byte_time_ps / 1e3,
        (splits.send_per_byte_ps + splits.receive_per_byte_ps) / 1e3,
        message.copy
    ));
    if let Some(bytes) = message.big_from {
        notes.push(format!(
            "Messages from {bytes} bytes on take {:.4} ns more per byte.",
            message.big
        ));
    }
    let pieces = found.protocols();
    notes.extend(pieces.iter().map(|piece| piece.note(&pieces)));
    notes.push(match found.nonblocking {
        Some(Nonblocking { post, wait }) => format!(
            "Nonblocking calls: the rate of short messages determines their sum; divided into \
             posting a send {post:.1} and completing it {:.1} ns, posting a receive {:.1} and \
             completing it {wait:.1} ns.",
            post / 13.0,
            0.3 * wait
        ),
        None => "Nonblocking calls were not measured (osu_bw measures them): in proportion to \
                 blocking ones."
            .into(),
    });
    notes.extend(found.in_node.map(|latency| {
        format!(
            "Latency inside of a node {latency:.1} ns: with it the pairs of a node, which begin after a \
             barrier, take turns at their port as measured."
        )
    }));
    notes.push(match found.link {
        Some((rate, true)) => format!("Links carry {:.1} MB/s each way.", rate / 1e6),
        Some((rate, false)) => {
            format!("The pairs did not wait for links, which carry {:.1} MB/s or more.", rate / 1e6)
        }
        None => {
            "Contention on links was not measured (osu_mbw_mr with --ranks-per-node 1 measures \
                 it): links are as fast as ports."
                .into()
        }
    });
    notes
}
