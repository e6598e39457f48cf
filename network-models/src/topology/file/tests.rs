use super::*;
use crate::{
    catalog::Catalog,
    model,
    network::{NodeId, Transfer, TransferId},
    topology::{LinkId, Topology, TopologySpec, VertexId},
    units::Bandwidth,
};
use sim_core::{SimDuration, SimTime};

fn build(text: &str) -> Result<Topology, GraphFileError> {
    let spec = TopologySpec::from(GraphFile::parse(text, "it")?);
    Ok(spec.build(1).expect("it fits"))
}

fn sound(text: &str) -> Topology {
    let topology = build(text).unwrap_or_else(|error| panic!("{error}"));
    topology.verify().expect("sound");
    assert_eq!(topology.deadlock(), None, "there are enough virtual channels");
    topology
}

fn error(text: &str) -> String {
    build(text).expect_err("malformed").to_string()
}

fn names(topology: &Topology) -> Vec<String> {
    (0..topology.vertices()).map(|vertex| topology.describe(VertexId(vertex))).collect()
}

/// Returns rate and delay of the links of the route between two nodes, on a machine with 1 byte/s
/// and 1 ps.
fn route(topology: &Topology, source: u32, target: u32) -> Vec<(u64, u64)> {
    let mut links = Vec::new();
    topology.route(NodeId(source), NodeId(target), &mut links);
    let (rate, delay) = (Bandwidth::from_bytes_per_sec(1), SimDuration::from_ps(1));
    let numbers = |link: &LinkId| {
        let rate = topology.link_bandwidth(*link, rate).bytes_per_sec();
        (rate, topology.link_delay(*link, delay).as_ps())
    };
    links.iter().map(numbers).collect()
}

#[test]
fn the_petersen_graph() {
    // 3-regular, diameter 2, 6 of 9 others at distance 2.
    let list = "0 1\n1 2\n2 3\n3 4\n4 0\n0 5\n1 6\n2 7\n3 8\n4 9\n5 7\n7 9\n9 6\n6 8\n8 5\n";
    let topology = sound(list);
    assert_eq!(topology.name(), "file:it");
    assert_eq!(topology.describe(VertexId(3)), "node 3");
    let s = topology.structure();
    assert_eq!((s.nodes, s.links, s.degree, s.diameter), (10, 15, 3, 2));
    assert!((s.mean_hops - 15.0 / 9.0).abs() < 1e-9);
}

#[test]
fn all_shortest_routes_and_parallel_cables_are_used() {
    // Two leaves and two spines, with two cables between a leaf and a spine.
    let mut list = String::from("switch l0 l1 s0 s1\n");
    for (leaf, spine) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        list.push_str(&format!("l{leaf} s{spine} cables=2\n"));
    }
    (0..16).for_each(|node| list.push_str(&format!("{node} l{}\n", node / 8)));
    let topology = sound(&list);
    assert_eq!((topology.nodes(), topology.vertices(), topology.channels()), (16, 20, 1));
    let s = topology.structure();
    assert_eq!((s.links, s.bisection, s.diameter), (16 + 8, 4, 4));
    let mut used = vec![0u32; topology.link_count() as usize];
    for (source, target) in (0..16).flat_map(|source| (0..16).map(move |target| (source, target))) {
        let mut links = Vec::new();
        topology.route(NodeId(source), NodeId(target), &mut links);
        links.iter().for_each(|link| used[link.0 as usize] += 1);
    }
    let inner = |link: &u32| {
        let (from, to) = topology.link_ends(LinkId(*link));
        from.0 >= 16 && to.0 >= 16
    };
    let loads: Vec<u32> =
        (0..topology.link_count()).filter(inner).map(|link| used[link as usize]).collect();
    let named = |link: u32| topology.describe_link(LinkId(link));
    assert!((0..16).any(|link| named(link) == "node 3 -> switch l0"));
    let all: Vec<String> = (0..topology.link_count()).map(named).collect();
    let cables = ["switch l1 -> switch s0 (cable 1)", "switch l1 -> switch s0 (cable 2)"];
    assert!(cables.iter().all(|name| all.contains(&(*name).to_owned())), "{all:?}");
    // 128 pairs cross the spines, over 8 links up and 8 links down.
    assert_eq!((loads.len(), loads.iter().sum::<u32>()), (16, 256));
    assert!(loads.iter().all(|load| (6..=28).contains(load)), "{loads:?}");
}

#[test]
fn cables_have_rates_and_latencies() {
    let topology = sound(
        "# A leaf and a spine\nswitch leaf spine # two\nbandwidth=100Gb/s latency=250ns\n0 leaf\n\
         1 spine latency=1us\n\nleaf spine bandwidth=2GB/s\nlatency=0ns\n2 leaf\n",
    );
    let rate = 12_500_000_000;
    let expected = [(rate, 250_000), (2_000_000_000, 250_000), (rate, 1_000_000)];
    assert_eq!(route(&topology, 0, 1), expected);
    assert_eq!(route(&topology, 0, 2), [(rate, 250_000), (rate, 0)]);
    assert_eq!(names(&topology)[2..], ["node 2", "switch leaf", "switch spine"]);
    assert_eq!(route(&sound("0 1\n"), 0, 1), [(1, 1)], "the machine's");
}

#[test]
fn nodes_without_switches_forward_and_others_do_not() {
    assert_eq!(sound("0 1\n1 2\n").hops(NodeId(0), NodeId(2)), 2);
    // The way over node 1, which has two cables, would be shorter.
    let rails = "switch a b c d\n0 a\n1 a\n1 d\n2 d\na b\nb c\nc d\n";
    assert_eq!(sound(rails).hops(NodeId(0), NodeId(2)), 5);
    let apart = error("switch a b\n0 a\n1 a\n1 b\n2 b\n");
    assert!(
        apart.starts_with("line 5: ") && apart.contains("unless other nodes forward"),
        "{apart}"
    );
}

#[test]
fn rings_have_a_virtual_channel_for_each_hop() {
    let ring = sound("0 1\n1 2\n2 3\n3 4\n4 5\n5 0\n");
    assert_eq!((ring.channels(), ring.is_free_from_deadlock()), (3, true));
    assert!(ring.shortest_paths_cycle().is_some());
    assert_eq!(sound("0 1\n1 2\n2 0\n").channels(), 1);
    let hosts = sound("switch a b c d e\na b\nb c\nc d\nd e\ne a\n0 a\n1 b\n2 c\n3 d\n4 e\n");
    assert_eq!(hosts.channels(), 4, "host, two hops of the ring, host");
}

#[test]
fn malformed_lists_are_refused_with_their_line() {
    for (text, expected) in [
        ("0 1\n1\n", "line 2: expected `a b`"),
        ("0 1\n\n# x\n2 2\n", "line 4: a cable joins `2` with itself"),
        ("0 1 2\n", "line 1: expected `a b`"),
        ("# nothing\n", "the file has no cables"),
        ("", "the file has no cables"),
        ("0 1\n2 3\n", "line 2: the graph is not connected: node `2`"),
        ("0 9000\n", "no cable leads to node 1; nodes whose names are numbers must be 0 to 1"),
        ("switch\n", "line 1: expected"),
        ("switch a\nnode a\na b\n", "line 2: `a` is declared a node and a switch"),
        ("0 1 bandwidth=7\n", "line 1: the bandwidth `7` is not a rate"),
        ("0 1 width=7\n", "no cable has an attribute `width=7`; there are bandwidth=RATE"),
        ("0 1 bandwidth=1GB/s bandwidth=2GB/s\n", "line 1: `bandwidth` is given twice"),
        ("cables=2 latency=1us cables=2\n0 1\n", "line 1: `cables` is given twice"),
        ("0 1 latency=\n", "line 1: the latency `` is not a time"),
        ("0 1 cables=0\n", "the number of cables `0`"),
        ("switch 0 1\n0 1\n", "the file has switches only"),
        ("{\"a\": 1}\n", "line 1: `{\"a\":` is not the name of a vertex"),
        ("-1 0\n", "line 1: `-1` is not the name"),
        (
            "switch b\nSwitch a\n0 a\na b\n",
            "line 2: `Switch` begins the line; did you mean `switch`?",
        ),
        ("swtich a b\n0 a\n1 b\n", "line 1: `swtich` begins the line; did you mean `switch`?"),
        ("Nodes a b\na b\n", "line 1: `Nodes` begins the line; did you mean `node`?"),
        ("host a\na b\n", "line 1: `host` begins the line; did you mean `node`?"),
        (
            "0 1 bandwith=1GB/s\n",
            "attribute `bandwith=1GB/s` (did you mean `bandwidth`?); there are",
        ),
    ] {
        let told = error(text);
        assert!(told.contains(expected), "{text:?}: {told}");
    }
    let star: String = (1..=9000).map(|node| format!("0 {node}\n1 {node}\n")).skip(1).collect();
    assert!(error(&star).contains("at most 8192 are possible"), "{}", error(&star));
}

#[test]
fn a_vertex_may_be_called_like_a_keyword_or_nearly() {
    let topology = sound("node Switch noed\nSwitch a\nswitch1 nodea\na switch1\nnoed nodea\n");
    assert_eq!(names(&topology)[..2], ["node Switch", "node noed"]);
}

#[test]
fn a_list_with_too_few_nodes_says_which_vertices_are_nodes() {
    let file = GraphFile::parse("switch a\nx a\ny a\n", "two nodes").expect("a star");
    let error = TopologySpec::from(file).build(3).expect_err("too few").to_string();
    let expected = "topology `file:two nodes` has 2 nodes (those that the file does not declare to \
                    be switches) and 3 are needed";
    assert!(error.starts_with(expected), "{error}");
}

const FABRIC: &str = r#"#
# Topology file: generated on Mon Nov 23 03:00:00 2026
#
vendid=0x2c9
devid=0xd2f0
switchguid=0xa(a)
Switch	41 "S-000000000000000a"		# "leaf;one:MQM8700/U1" enhanced port 0 lid 2 lmc 0
[1]	"H-0000000000000010"[1](10) 		# "node10 mlx5_0" lid 3 4xHDR
[2]	"H-0000000000000002"[1](2) 		# "node2 mlx5_0" lid 4 2xHDR
[3]	"S-000000000000000b"[3]		# "leaf;two:MQM8700/U1" lid 7 4xNDR
[4]	"S-000000000000000b"[4]		# "leaf;two:MQM8700/U1" lid 7 4xNDR
[41]	"H-00000000000000ff"[1](ff) 		# "Mellanox Technologies Aggregation Node" lid 9 4xHDR

Switch	41 "S-000000000000000b"		# "leaf;two:MQM8700/U1" enhanced port 0 lid 7 lmc 0
[1]	"H-0000000000000003"[1](3) 		# "node2 mlx5_1" lid 5 4xHDR
[3]	"S-000000000000000a"[3]		# "leaf;one:MQM8700/U1" lid 2 4xNDR
[4]	"S-000000000000000a"[4]		# "leaf;one:MQM8700/U1" lid 2 4xNDR

vendid=0x2c9
Ca	1 "H-0000000000000010"		# "node10 mlx5_0"
[1](10) 	"S-000000000000000a"[1]		# lid 3 lmc 0 "leaf;one:MQM8700/U1" lid 2 4xHDR

Ca	1 "H-0000000000000002"		# "node2 mlx5_0"
[1](2) 	"S-000000000000000a"[2]		# lid 4 lmc 0 "leaf;one:MQM8700/U1" lid 2 2xHDR

Ca	1 "H-0000000000000003"		# "node2 mlx5_1"
[1](3) 	"S-000000000000000b"[1]		# lid 5 lmc 0 "leaf;two:MQM8700/U1" lid 7 4xHDR

Ca	1 "H-00000000000000ff"		# "Mellanox Technologies Aggregation Node"
[1](ff) 	"S-000000000000000a"[41]		# lid 9 lmc 0 "leaf;one:MQM8700/U1" lid 2 4xHDR
"#;

#[test]
fn ibnetdiscover_gives_hosts_rails_and_rates() {
    let topology = sound(FABRIC);
    let expected =
        ["node node2", "node node10", "switch leaf;one:MQM8700/U1", "switch leaf;two:MQM8700/U1"];
    assert_eq!(names(&topology), expected);
    let s = topology.structure();
    assert_eq!((s.nodes, s.switches, s.links, s.diameter), (2, 2, 5, 2));
    // Half of the lanes of node2's first adapter are used.
    assert_eq!(route(&topology, 0, 1), [(12_500_000_000, 1), (25_000_000_000, 1)]);
    // The order of the file makes no difference.
    let (switches, adapters) = FABRIC.split_at(FABRIC.find("\nvendid=0x2c9\nCa").expect("there"));
    let turned = sound(&format!("{adapters}\n{switches}"));
    assert_eq!(names(&turned), expected);
    assert_eq!(route(&turned, 1, 0), route(&topology, 1, 0));
    // The switches alone name all hosts.
    assert_eq!(names(&sound(switches)), expected);
}

#[test]
fn malformed_discoveries_are_refused_with_their_line() {
    let wrong = |from: &str, to: &str| error(&FABRIC.replacen(from, to, 1));
    let twice = wrong("[2]\t\"H-0000000000000002\"", "[1]\t\"H-0000000000000002\"");
    assert!(twice.starts_with("line 9: port 1 of S-000000000000000a has a cable"), "{twice}");
    let speed = wrong("lid 3 4xHDR", "lid 3 4xWDR");
    assert!(speed.starts_with("line 8: no speed is called `WDR`; there are SDR"), "{speed}");
    let port = wrong("[1]\t\"H-0000000000000010\"[1]", "[1]\t\"H-0000000000000010\"");
    assert!(port.starts_with("line 8: expected `[PORT]"), "{port}");
    let early = wrong("vendid=0x2c9", "[1] \"S-1\"[2] # 4xHDR");
    assert!(early.starts_with("line 4: a port comes before"), "{early}");
}

const GRAPHML: &str = r#"<?xml version="1.0"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="d0" for="node" attr.name="kind" attr.type="string"><default>host</default></key>
  <key id="d1" for="edge" attr.name="bandwidth" attr.type="string"/>
  <key id="latency" for="edge"/>
  <graph edgedefault="undirected">
    <node id="n0"/><node id="n1"/>
    <node id="sw"><data key="d0">switch</data></node>
    <edge source="n0" target="sw"><data key="d1">10Gb/s</data></edge>
    <edge source="sw" target="n1"><data key="latency"> 5us </data></edge>
  </graph>
</graphml>
"#;

#[test]
fn graphml_has_kinds_rates_and_latencies() {
    let topology = sound(GRAPHML);
    assert_eq!(names(&topology), ["node n0", "node n1", "switch sw"]);
    assert_eq!(route(&topology, 0, 1), [(1_250_000_000, 1), (1, 5_000_000)]);
    let wrong = |from: &str, to: &str| error(&GRAPHML.replacen(from, to, 1));
    let told = wrong("target=\"n1\"", "target=\"n2\"");
    assert_eq!(told, "line 10: the target of the edge, `n2`, is not a node");
    assert!(wrong(">switch<", ">router<").starts_with("line 8: no vertex is of kind `router`"));
    assert!(wrong("10Gb/s", "10").starts_with("line 9: the bandwidth `10`"));
    assert!(wrong("</graph>", "</grap>").starts_with("line 11: the XML is malformed"));
    let key = wrong("attr.name=\"bandwidth\"", "attr.name=\"bandwith\"");
    assert!(
        key.starts_with("line 4: `bandwith` is not known (did you mean `bandwidth`?)"),
        "{key}"
    );
    assert!(wrong("<node id=\"n0\"/>", "<node/>").contains("the node has no attribute `id`"));
    assert!(error("<svg/>").contains("must be GraphML"));
}

#[test]
fn undeclared_vertices_with_one_cable_are_hosts() {
    let body = "<node id='7'/><node id='a'/><node id='b'/><node id='c'/>\
                <edge source='a' target='7'/><edge source='a' target='b'/>\
                <edge source='b' target='a'/><edge source='b' target='c'/>";
    let graph = |direction: &str| {
        sound(&format!("<graphml><graph edgedefault='{direction}'>{body}</graph></graphml>"))
    };
    // Arrows in both directions are one cable.
    let (one, two) = (graph("directed"), graph("undirected"));
    assert_eq!(names(&one), ["node 7", "node c", "switch a", "switch b"]);
    assert_eq!([one.structure().links, two.structure().links], [3, 4]);
    assert_eq!(names(&sound("graph { a -- b -- c -- a }")).len(), 3, "a ring of nodes");
}

#[test]
fn dot_has_chains_defaults_and_subgraphs() {
    let topology = sound(
        "/* a */ strict Graph \"my net\" {\n  rankdir = LR; // b\n# c\n  node [kind=switch, shape=box]\n  \
         edge [bandwidth=\"100Gb/s\"];\n  s0 -- s1 -- s2 [latency=\"1us\" label=<<b>x</b>>]\n  \
         subgraph hosts { node [kind=host]; h0; h1; \"h-2\" }\n  h0:p0:n -- s0; h1 -- s1\n  \
         { \"h-2\" } -- { s2 s0 } [bandwidth=\"1\" + \"GB/s\"]\n}\n",
    );
    assert_eq!(names(&topology)[..3], ["node h0", "node h1", "node h-2"]);
    assert_eq!((topology.nodes(), topology.structure().links), (3, 6));
    assert_eq!(route(&topology, 0, 2), [(12_500_000_000, 1), (1_000_000_000, 1)]);
    let rate = 12_500_000_000;
    assert_eq!(route(&topology, 0, 1), [(rate, 1), (rate, 1_000_000), (rate, 1)]);
    let directed = sound("digraph { a -> s; s -> a; s -> b; s -> c; c -> s }");
    assert_eq!((directed.nodes(), directed.structure().links), (3, 3));
}

#[test]
fn malformed_dot_is_refused_with_its_line() {
    for (text, expected) in [
        ("graph {\n a -- }", "line 2: `}` is not expected here, but the name of a node"),
        ("graph {\n a -- b", "line 2: the end of the file is not expected"),
        ("graph {\n a -- b [latency=1]\n}", "line 2: the latency `1`"),
        ("graph { a -- b } x", "line 1: `x` is not expected here, but the end"),
        ("graph { a [kind=hub] }", "no vertex is of kind `hub`"),
        ("graph {\n\n a -- b! }", "line 3: `!` is not expected"),
        ("graph {\n\"a\n-- b }", "line 2: the text is not closed"),
        ("graph { }", "the file has no cables"),
        ("graph { a -- a }", "line 1: a cable joins `a` with itself"),
        (
            "graph {\n a -- b [bandwith=\"1GB/s\"] }",
            "line 2: `bandwith` is not known (did you mean `bandwidth`?)",
        ),
        ("graph {\n edge [speed=\"1GB/s\"] a -- b }", "line 2: `speed` is not known (did you mean"),
        (
            "graph {\n\n a [Kind=switch] a -- b }",
            "line 3: `Kind` is not known (did you mean `kind`?)",
        ),
        ("graph { node [bandwidth=\"1GB/s\"] a -- b }", "`bandwidth` is an attribute of edges"),
        ("graph { bandwidth=\"1GB/s\" a -- b }", "`edge [bandwidth=…]` is for all edges"),
    ] {
        let told = error(text);
        assert!(told.contains(expected), "{text:?}: {told}");
    }
    let deep = format!("graph {{ {}", "{".repeat(100_000));
    assert!(error(&deep).contains("more than 64 subgraphs"), "{}", error(&deep));
}

/// Returns when a message of 1,000 bytes from node 0 arrives at node 1 of an idle network whose
/// machine has links and ports of 1 GB/s. Units: picoseconds.
fn arrival(text: &str, model: &str) -> Result<u64, String> {
    let (topology, hardware) = (Arc::new(sound(text)), model::test_hardware(0, 1));
    let kind = Catalog::standard().model(model).expect("a model");
    kind.check(&hardware, &topology).map_err(|misfit| misfit.to_string())?;
    let mut network = kind.build(&hardware, &topology);
    let (id, source, target) = (TransferId(0), NodeId(0), NodeId(1));
    let delivery = network.inject(SimTime::ZERO, Transfer { id, source, target, bytes: 1000 });
    let network = network.event_driven().expect("it has links");
    let mut reports = Vec::new();
    while let Some(next) = network.next_time() {
        network.advance(next, &mut reports);
    }
    let last = reports.iter().map(|report| report.time).max();
    Ok(delivery.arrival().or(last).expect("it arrives").as_ps())
}

#[test]
fn a_message_takes_the_delays_of_its_cables_and_the_lowest_rate() {
    let unlike = "switch a b\n0 a latency=100ns\na b bandwidth=500MB/s latency=200ns\n\
                  b 1 bandwidth=2GB/s latency=50ns\n";
    for model in ["link", "fluid", "packet"] {
        assert_eq!(arrival(unlike, model), Ok(350_000 + 2_000_000), "{model}");
        let like = "switch a b\n0 a\na b\nb 1\n";
        assert_eq!(arrival(like, model), Ok(3_000 + 1_000_000), "{model}");
    }
    let refused = arrival(unlike, "flit").expect_err("unlike rates");
    assert!(refused.contains("different rates (1000000000 and 2000000000 bytes/s)"), "{refused}");
    // A cycle is 8 ns: 1 us more are 125 cycles.
    let cable = |delay: u32| format!("switch a b\n0 a\na b latency={delay}us\nb 1\n");
    let [one, two] = [1, 2].map(|delay| arrival(&cable(delay), "flit:flit=8").expect("a time"));
    assert_eq!(two - one, 1_000_000);
    for first in ["0 a bandwidth=2GB/s\n1 a\n", "0 a\n1 a bandwidth=2GB/s\n"] {
        let refused = arrival(&format!("switch a\n{first}"), "flit").expect_err("unlike rates");
        assert!(refused.contains("different rates (1000000000 and 2000000000"), "{refused}");
    }
    let fast = "bandwidth=2GB/s\nswitch a\n0 a\n1 a\n";
    assert!(arrival(fast, "flit:flit=8").is_ok(), "one rate, which is not the machine's");
}
