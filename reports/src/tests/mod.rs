//! Tests of renderings and analyses with small hand-made runs.

mod choice;

use std::sync::Arc;

use mpi_api::{
    call::Site,
    outcome::{Ending, RankTotals, Reordering, RunResult, ServerLoad, ServerLoads, Started},
    trace::{Activity, Protocol, Record, TraceSink},
};
use network_models::{
    Bill, Cost, Floor, LinkId, LinkUsage, Method, Prices, Topology, TopologySpec,
};
use sim_core::{SimDuration, SimTime};

use crate::{
    analysis::{CommunicationMatrix, CriticalPath, HottestLink, Part, Summary, advice},
    comparison::{Comparison, Detail, MachineNotes, Row},
    records::Records,
    render::{
        html,
        perfetto::{self, Keeper, Selection},
        svg, table, text,
    },
};

fn at(ps: u64) -> SimTime {
    SimTime::from_ps(ps)
}

fn interval(rank: u32, activity: Activity, call: &'static str, span: [u64; 2]) -> Record {
    let site = Some(Site::at("a \"b\".rs", 3, 1));
    Record::Interval { rank, activity, call, site, start: at(span[0]), end: at(span[1]) }
}

fn message(id: u64, ends: [u32; 2], bytes: u64, times: [u64; 4]) -> Record {
    let [posted, injected, arrived, matched] = times.map(at);
    let ([source, target], protocol) = (ends, Protocol::Eager);
    Record::Message {
        id,
        source,
        target,
        tag: 7,
        bytes,
        protocol,
        posted,
        injected,
        arrived,
        matched,
    }
}

/// Returns records in which rank 0 computes and sends, and rank 1 waits for the message.
fn ping() -> Vec<Record> {
    vec![
        interval(0, Activity::Compute, "compute", [0, 5_000_001]),
        interval(0, Activity::Overhead, "send", [5_000_001, 6_000_000]),
        interval(1, Activity::Compute, "compute", [0, 1_000_000]),
        interval(1, Activity::Waiting, "recv", [1_000_000, 8_500_000]),
        interval(1, Activity::Overhead, "recv", [8_500_000, 9_000_000]),
        message(0, [0, 1], 4, [5_000_001, 6_000_000, 8_500_000, 8_500_000]),
        Record::Link { link: LinkId(0), start: at(6_000_000), end: at(8_000_000) },
    ]
}

fn packed(records: impl IntoIterator<Item = Record>) -> Records {
    records.into_iter().collect()
}

fn line() -> Topology {
    "linear:2".parse::<TopologySpec>().expect("a topology").build(2).expect("it fits")
}

fn result() -> RunResult {
    let rank = |compute, overhead, waiting, finish, messages| RankTotals {
        files: SimDuration::ZERO,
        compute: SimDuration::from_ps(compute),
        overhead: SimDuration::from_ps(overhead),
        waiting: SimDuration::from_ps(waiting),
        finish: at(finish),
        messages,
        bytes: 4 * messages,
        peak_buffered: 0,
    };
    let busy = SimDuration::from_ps(2_000_000);
    RunResult {
        ending: Ending::Completed,
        makespan: at(9_000_000),
        digest: 0x1f,
        events: 9,
        messages: 1,
        bytes: 4,
        messages_alone: None,
        ranks: vec![
            rank(5_000_001, 999_999, 0, 6_000_000, 1),
            rank(1_000_000, 500_000, 7_500_000, 9_000_000, 0),
        ],
        links: vec![LinkUsage { busy, bytes: 4, messages: 1 }, LinkUsage::default()],
        losses: None,
        findings: Vec::new(),
        choices: Vec::new(),
        reorderings: Vec::new(),
        started: Vec::new(),
        blocked: Vec::new(),
        declared: Vec::new(),
        exit_code: None,
        polled: false,
        one_sided: false,
        competes: false,
        servers: None,
        syncs: false,
        shares: false,
        freed: false,
        splits_by_node: false,
        reverses_threads: false,
        cancels: None,
        owns: false,
        comparable: false,
        accesses: 0,
        watched_in_part: false,
        interrupted: false,
        endless: false,
        repeats: None,
        matched: Vec::new(),
        late: Vec::new(),
        unmet: false,
        out_of_memory: false,
    }
}

fn row(topology: &str, ranks: u32, microseconds: u64) -> Row {
    let built =
        topology.parse::<TopologySpec>().expect("a topology").build(ranks).expect("it fits");
    let structure = built.structure();
    let bill = Bill::of(&built, Floor::default());
    Row {
        topology: topology.to_owned(),
        kind: built.kind(),
        ranks,
        machine: "paragon".to_owned(),
        network: "link".to_owned(),
        ending: Ending::Completed,
        placement: "block".to_owned(),
        collectives: "auto".to_owned(),
        makespan: at(microseconds * 1_000_000),
        speedup: 100.0 / microseconds as f64,
        efficiency: 100.0 / microseconds as f64 / f64::from(ranks),
        mean_hops: structure.mean_hops,
        hottest_link: Some(("node 0 -> node 1".to_owned(), 41.5)),
        one_way_cables: built.has_one_way_cables(),
        structure,
        nodes: built.machine_nodes(),
        nodes_idle: built.machine_nodes().saturating_sub(ranks),
        messages: 10,
        bytes: 40,
        digest: microseconds,
        compute_share: 60.0,
        overhead_share: 10.0,
        waiting_share: 30.0,
        family: topology.to_owned(),
        line: 0,
        settings: Vec::new(),
        point: Vec::new(),
        findings: Vec::new(),
        cost: Prices::default().cost(&bill),
        bill,
    }
}

#[test]
fn perfetto_is_json_with_exact_times() {
    let mut out = Vec::new();
    let (mut keeper, handle) = Keeper::new(Selection::default(), None);
    ping().into_iter().for_each(|record| keeper.record(record));
    perfetto::write(2, &handle.finish(), Some(&line()), &mut out).expect("memory takes all");
    let text = String::from_utf8(out).expect("UTF-8");
    let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let events = json["traceEvents"].as_array().expect("a list");
    assert_eq!(events.iter().filter(|event| event["ph"] == "X").count(), 6);
    assert!(text.contains("\"ts\":0.000000,\"dur\":5.000001"));
    assert!(text.contains("\"ts\":5.000001,\"dur\":0.999999"));
    // The arrow ends at the beginning of a slice of the receiver.
    assert!(text.contains("\"ph\":\"f\",\"bp\":\"e\",\"pid\":1,\"tid\":2"));
    assert!(text.contains("\"id\":0,\"ts\":8.500000"));
    assert!(text.contains("\"name\":\"node 0 -> node 1\""));
    assert!(text.contains(r#""site":"a \"b\".rs:3:1""#));
}

#[test]
fn the_critical_path_of_a_ping_goes_through_the_message() {
    let path = CriticalPath::of(2, &packed(ping()));
    let parts: Vec<(u32, Part, u64)> = path
        .segments
        .iter()
        .map(|piece| (piece.rank, piece.what, piece.end.since(piece.start).as_ps()))
        .collect();
    assert_eq!(
        parts,
        [
            (0, Part::Compute, 5_000_001),
            (0, Part::Overhead, 999_999),
            (1, Part::Transfer, 2_500_000),
            (1, Part::Overhead, 500_000),
        ]
    );
    assert_eq!(path.total(Part::Overhead).as_ps(), 1_499_999);
    assert_eq!(path.segments[2].peer, Some(0));
}

/// Returns the records of a rendezvous message from rank 0 to rank 1: its envelope leaves at 100
/// and arrives at 200; the clear-to-send leaves at `ready`, the data leave 100 later and arrive 300
/// after that.
fn rendezvous(ready: u64) -> [Record; 2] {
    let mut data = message(0, [0, 1], 1 << 20, [100, ready + 100, ready + 400, ready + 400]);
    if let Record::Message { protocol, .. } = &mut data {
        *protocol = Protocol::Rendezvous;
    }
    [Record::Handshake { id: 0, sent: at(100), arrived: at(200), ready: at(ready) }, data]
}

/// Returns rank, kind and length of each segment.
fn pieces(records: &[Record]) -> Vec<(u32, Part, u64)> {
    let path = CriticalPath::of(2, &packed(records.iter().cloned()));
    let all = path.segments.iter();
    all.map(|p| (p.rank, p.what, p.end.since(p.start).as_ps())).collect()
}

#[test]
fn what_a_late_receiver_did_before_is_on_the_path_of_a_rendezvous() {
    let [handshake, data] = rendezvous(500);
    let compute = |rank, till| interval(rank, Activity::Compute, "compute", [0, till]);
    let receives = [
        compute(0, 100),
        interval(0, Activity::Waiting, "send", [100, 850]),
        compute(1, 500),
        interval(1, Activity::Waiting, "recv", [500, 900]),
        handshake.clone(),
        data.clone(),
    ];
    // The data take 300 and the clear-to-send 100.
    let transfer = |rank, time| (rank, Part::Transfer, time);
    let late = (1, Part::Compute, 500);
    assert_eq!(pieces(&receives), [late, transfer(1, 100), transfer(1, 300)]);
    let sends = [
        compute(0, 100),
        interval(0, Activity::Waiting, "send", [100, 950]),
        compute(1, 500),
        interval(1, Activity::Waiting, "recv", [500, 900]),
        handshake,
        data,
    ];
    assert_eq!(pieces(&sends), [late, transfer(0, 100), transfer(0, 350)]);
}

#[test]
fn what_a_late_sender_did_before_is_on_the_path_of_a_rendezvous() {
    let [handshake, data] = rendezvous(200);
    let records = [
        interval(0, Activity::Compute, "compute", [0, 100]),
        interval(0, Activity::Waiting, "send", [100, 550]),
        interval(1, Activity::Waiting, "recv", [0, 600]),
        handshake,
        data,
    ];
    let transfer = |time| (1, Part::Transfer, time);
    assert_eq!(
        pieces(&records),
        [(0, Part::Compute, 100), transfer(100), transfer(100), transfer(300)]
    );
}

#[test]
fn messages_without_latency_do_not_loop() {
    let records = [
        interval(0, Activity::Waiting, "recv", [0, 100]),
        interval(1, Activity::Waiting, "recv", [0, 100]),
        message(0, [0, 1], 4, [50; 4]),
        message(1, [1, 0], 4, [50; 4]),
    ];
    assert_eq!(CriticalPath::of(2, &packed(records)).total(Part::Wait).as_ps(), 100);
    assert!(CriticalPath::of(0, &Records::default()).segments.is_empty());
}

#[test]
fn ranks_of_four_digits_do_not_run_into_each_other() {
    let numbers = |ranks| {
        let picture = svg::matrix(&CommunicationMatrix::of(ranks, &packed(ping())));
        let lines = picture.lines().filter_map(|line| line.trim().parse::<u32>().ok());
        lines.filter(|number| *number > 0).min()
    };
    assert_eq!((numbers(256), numbers(4096)), (Some(16), Some(512)));
}

#[test]
fn the_matrix_counts_every_message() {
    let records = (0..200).map(|id| message(id, [id as u32 % 130, 129], 10, [0, 1, 2, 3]));
    let matrix = CommunicationMatrix::of(130, &packed(records));
    assert_eq!((matrix.block, matrix.side), (3, 44));
    assert_eq!((matrix.total_messages(), matrix.total_bytes()), (200, 2000));
    assert_eq!(matrix.span(43), (129, 129));
    let small = CommunicationMatrix::of(2, &packed(ping()));
    assert_eq!((small.bytes, small.messages), (vec![0, 4, 0, 0], vec![0, 1, 0, 0]));
}

#[test]
fn the_summary_says_what_bounds_the_run() {
    let summary = Summary::of(&result());
    assert!((summary.waiting_share - 41.666).abs() < 0.01);
    assert!((summary.imbalance - 1.666).abs() < 0.01);
    insta::assert_snapshot!(summary.bound, @"waiting for messages: 42 % of rank time; mostly uneven computation (the most loaded rank computes 1.67 times the mean)");
    // Both compute for a while, one after the other: messages of 4 us do not explain a run of 9 us, those of 5 us may.
    let mut turns = result();
    turns.ranks.iter_mut().for_each(|rank| rank.compute = SimDuration::from_us(1));
    let bound = |turns: &RunResult| Summary::of(turns).bound;
    assert!(bound(&turns).ends_with("latency-dominated (mean message 4 B)"), "{}", bound(&turns));
    turns.messages_alone = Some(SimDuration::from_us(4));
    assert!(bound(&turns).ends_with("they come late or take turns"), "{}", bound(&turns));
    turns.links[0].busy = SimDuration::from_us(5);
    assert!(bound(&turns).contains("latency-dominated"), "{}", bound(&turns));
    turns.links[0].busy = SimDuration::ZERO;
    turns.messages_alone = Some(SimDuration::from_us(5));
    assert!(bound(&turns).contains("latency-dominated"), "{}", bound(&turns));
    // Rank 1 waits for 7.5 us in accesses of files, and the server is busy for 3 us or for 1 us.
    let mut files = turns;
    files.ranks[1].files = SimDuration::from_us(7);
    let server = |us| ServerLoad { busy: SimDuration::from_us(us), ..ServerLoad::default() };
    files.servers = Some(ServerLoads { data: vec![server(3)], metadata: server(1) });
    assert!(bound(&files).ends_with("93 % of it for the file system"), "{}", bound(&files));
    files.servers = Some(ServerLoads { data: vec![server(1)], metadata: server(1) });
    assert!(bound(&files).contains("on the way to the servers"), "{}", bound(&files));
    // Nobody computes, and rank 0 has ended long before the other.
    let mut ended = result();
    for rank in &mut ended.ranks {
        (rank.compute, rank.waiting, rank.overhead) = Default::default();
    }
    ended.ranks[0].finish = at(2_000_000);
    let told = bound(&ended);
    assert!(told.starts_with("ranks that have ended while others go on: 100 %"), "{told}");
    assert!(told.ends_with("; the first ends at 2.00 us, the run at 9.00 us"), "{told}");
    let link = HottestLink::of(&result().links, &line(), at(9_000_000)).expect("it was used");
    assert_eq!(link.name, "node 0 -> node 1");
    assert_eq!(HottestLink::of(&[], &line(), at(1)), None);
}

#[test]
fn advice_prefers_the_cheaper_of_two_that_are_close() {
    let close = [row("mesh:4x4", 16, 102), row("torus:4x4", 16, 100), row("ring:16", 16, 180)];
    insta::assert_snapshot!(advice(&close, "units", false), @"With 16 ranks choose mesh:4x4: it runs in 102 us and costs 98.4 units (24 links, 48 ports), with a diameter of 6 hops. torus:4x4 would be 2.0 % faster (100 us) but costs 136 units (32 links, 64 ports): 38 % more. ring:16 costs less (62.4 units (16 links, 32 ports)) and is 76.5 % slower (180 us). Its hottest link, node 0 -> node 1, is busy 41.5 % of the run. This holds for one program size and one number of ranks: --ranks-list and --axis show over which range it does.");
    let apart = [row("mesh:4x4", 16, 120), row("torus:4x4", 16, 100)];
    insta::assert_snapshot!(advice(&apart, "units", false), @"With 16 ranks choose torus:4x4: it runs in 100 us and costs 136 units (32 links, 64 ports), with a diameter of 4 hops. mesh:4x4 costs less (98.4 units (24 links, 48 ports)) and is 20.0 % slower (120 us). Its hottest link, node 0 -> node 1, is busy 41.5 % of the run. This holds for one program size and one number of ranks: --ranks-list and --axis show over which range it does.");
    assert!(advice(&[], "units", false).starts_with("There is nothing"));
}

#[test]
fn the_report_for_a_terminal() {
    let header = text::Header {
        program: "ping",
        machine: "paragon",
        topology: "linear:2",
        network: "link",
        placement: "block",
        computing: None,
        irreproducible: None,

        disturbances: &[],
        repetitions: None,
        efficiencies: None,
    };
    insta::assert_snapshot!(text::run_report(&header, &result(), Some(&line())), @r"
    program       ping on 2 ranks
    machine       paragon
    topology      linear:2
    placement     block
    network       link

    makespan      9.00 us
    messages      1, 4 B of data, 4 B on average
    hottest link  node 0 -> node 1, busy 22.2 % of the run, 4 B in 1 message
    bound by      waiting for messages: 42 % of rank time; mostly uneven computation (the most loaded rank computes 1.67 times the mean)
    efficiency    33.3 % = load balance 60.0 % x communication 55.6 %
    digest        000000000000001f

    rank          compute         overhead          waiting  messages  bytes      end
       0  5.00 us  55.6 %  1.00 us  11.1 %     0 ps   0.0 %         1    4 B  6.00 us
       1  1.00 us  11.1 %   500 ns   5.6 %  7.50 us  83.3 %         0    0 B  9.00 us
    ");
    // A link that is busy for a small part of the run, and a rank that computes for one, are not idle.
    let mut brief = result();
    brief.links[0].busy = SimDuration::from_ps(4_100);
    brief.ranks[0].compute = SimDuration::from_ps(1_100);
    let report = text::run_report(&header, &brief, Some(&line()));
    assert!(report.contains("busy 0.046 % of the run"), "{report}");
    assert!(report.contains("1.10 ns 0.012 %"), "{report}");
    let mut slow = row("torus:4x4", 16, 100);
    (slow.efficiency, slow.hottest_link) = (0.0043, Some(("a -> b".into(), 0.0072)));
    let table = table::comparison_table(&[slow, row("mesh:2x4", 8, 102)], false, "units");
    assert!(table.contains(" 0.4 % ") && table.contains(" 0.0072 % "), "{table}");
    let rows = [row("torus:4x4", 16, 100), row("mesh:2x4", 8, 102)];
    insta::assert_snapshot!(table::comparison_table(&rows, false, "units"), @r"
    topology   ranks  run time  speed-up  efficiency  links  ports        cost  diameter  hops    busy  hottest link
    mesh:2x4       8    102 us      0.98        12 %     10     20  40.0 units         4  2.00  41.5 %  node 0 -> node 1
    torus:4x4     16    100 us      1.00         6 %     32     64   136 units         4  2.13  41.5 %  node 0 -> node 1
    ");
}

fn reordering(site: u32, after: u64) -> Reordering {
    Reordering {
        site: Site::at("grid.c", site, 1),
        topology: "torus 8x8".to_owned(),
        ranks: 64,
        method: if after < 1448 { Method::GrayCode } else { Method::Identity },
        before: Cost { hops: 1448, load: Some(2), longest: 3 },
        after: Cost { hops: after, load: Some(2), longest: 1 },
    }
}

#[test]
fn the_report_tells_which_ranks_were_started() {
    let header = text::Header {
        program: "manager",
        machine: "ideal",
        topology: "crossbar:2",
        network: "link",
        placement: "in-order",
        computing: None,
        irreproducible: None,

        disturbances: &[],
        repetitions: None,
        efficiencies: None,
    };
    let mut result = result();
    let site = Site::at("manager.c", 7, 1);
    result.started = vec![Started { first: 1, ranks: 1, by: 0, site, time: at(2_000_000) }];
    let report = text::run_report(&header, &result, None);
    let told =
        |words: &str| report.lines().any(|line| line.split_whitespace().eq(words.split(' ')));
    assert!(told("program manager on 1 rank and 1 more"), "{report}");
    assert!(told("started rank 1 was started by rank 0, manager.c:7 at 2.00 us"), "{report}");
    assert!(!report.contains("files"), "{report}");
    let load =
        |us| ServerLoad { requests: us, read: 1 << 20, written: 0, busy: SimDuration::from_us(us) };
    // A run of 9 us, in which the second server is busy for 3 us.
    let data = vec![load(1), load(3), load(3), load(2)];
    result.servers = Some(ServerLoads { data, metadata: ServerLoad { read: 0, ..load(1) } });
    let report = text::run_report(&header, &result, None);
    let told =
        |words: &str| report.lines().any(|line| line.split_whitespace().eq(words.split(' ')));
    assert!(told("files 4.00 MiB read, 0 B written by 4 servers"), "{report}");
    let busiest = "busiest is server 1: 33.3 % of the run, 3 requests; mean 25.0 %";
    assert!(told(busiest), "{report}");
    assert!(told("metadata: 1 request, busy 11.1 % of the run"), "{report}");
    result.started = vec![Started { first: 1, ranks: 0, by: 0, site, time: at(0) }; 6];
    let report = text::run_report(&header, &result, None);
    assert!(report.contains("(2 more calls; --json lists each of them)"), "{report}");
}

#[test]
fn the_report_tells_what_numbering_ranks_anew_gained() {
    let header = text::Header {
        program: "heat",
        machine: "cube",
        topology: "hypercube:6",
        network: "link",
        placement: "random",
        computing: None,
        irreproducible: None,

        disturbances: &[],
        repetitions: None,
        efficiencies: None,
    };
    let mut result = result();
    let lines = |result: &RunResult| {
        let report = text::run_report(&header, result, None);
        let part = report.lines().skip_while(|line| !line.starts_with("reordering"));
        part.take_while(|line| !line.starts_with("bound")).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(lines(&result), "");
    result.reorderings = vec![reordering(12, 1086), reordering(0, 1448)];
    insta::assert_snapshot!(lines(&result), @r"
    reordering    torus 8x8, 64 ranks at grid.c:12: gray code
                  hops 1,448 -> 1,086 (-25 %), most loaded link 2, longest edge 3 -> 1 (-67 %)
    reordering    torus 8x8, 64 ranks: identity
                  hops 1,448, most loaded link 2, longest edge 3 -> 1 (-67 %)
    ");
    result.reorderings = vec![reordering(12, 1086); 7];
    assert!(lines(&result).ends_with("(3 more communicators; --json lists each of them)"));
}

/// Asserts that every element is closed, and that no stray `<` or `&` is left.
fn assert_well_formed(svg: &str) {
    let mut open = Vec::new();
    for part in svg.split('<').skip(1) {
        let (tag, text) = part.split_once('>').expect("a tag ends");
        assert!(!text.replace("&gt;", "").replace("&lt;", "").replace("&amp;", "").contains('&'));
        let name = tag.split([' ', '/']).next().unwrap_or("");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert_eq!(open, [""; 0]);
    assert!(!svg.contains("NaN"));
}

fn star(nodes: u32) -> Topology {
    "star".parse::<TopologySpec>().expect("a topology").build(nodes).expect("it fits")
}

/// Returns the value of an attribute of an SVG tag.
fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    rest.split('"').next()
}

/// Asserts that every text is large enough to read and inside the picture.
fn assert_readable(svg: &str) {
    let number = |tag: &str, name: &str| -> f64 {
        attribute(tag, name).and_then(|text| text.parse().ok()).expect("a number")
    };
    let [width, height] = ["width", "height"].map(|name| number(svg, name));
    for text in svg.split("<text").skip(1) {
        let (tag, content) = text.split_once('>').expect("a tag");
        let content = content.split('<').next().unwrap_or_default().trim();
        let content = content.replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">");
        let (x, y, size) = (number(tag, "x"), number(tag, "y"), number(tag, "font-size"));
        assert!(size >= 12.0, "{content}: {size} px");
        // Sans-serif letters are about half as wide as they are high.
        let extent = size * 0.5 * content.chars().count() as f64;
        let (at, room) = if tag.contains("rotate") { (y, height) } else { (x, width) };
        let start = match attribute(tag, "text-anchor") {
            Some("end") => at - extent,
            Some("middle") => at - extent / 2.0,
            _ => at,
        };
        assert!(start >= 0.0 && start + extent <= room, "{content} is cut: {tag}");
        assert!((0.0..=width).contains(&x) && (0.0..=height).contains(&y), "{content}: {tag}");
    }
}

#[test]
fn pictures_are_well_formed() {
    let topology = "torus:4x4".parse::<TopologySpec>().unwrap().build(16).unwrap();
    let named = |name: &str| name.to_owned();
    let point = |ranks, speedup| svg::SpeedupPoint { ranks, speedup, efficiency: 0.5 };
    let pictures = [
        svg::space_time(2, &packed(ping()), at(9_000_000), 900, 300),
        svg::space_time(0, &Records::default(), SimTime::ZERO, 0, 0),
        svg::link_heat(&topology, &[], SimTime::ZERO).svg,
        svg::link_heat(&line(), &result().links, at(9_000_000)).svg,
        svg::matrix(&CommunicationMatrix::of(2, &packed(ping()))),
        svg::matrix(&CommunicationMatrix::of(0, &Records::default())),
        svg::message_sizes(&packed(ping())),
        svg::message_sizes(&Records::default()),
        svg::speedup_lines(&[(named("a & <b>"), vec![point(4, 1.0), point(16, 3.0)])], "n", false),
        svg::speedup_lines(&[], "", true),
        svg::link_heat(&star(1_000), &[], SimTime::ZERO).svg,
        svg::bars("Run time", &[(named(&"a long name ".repeat(9)), 123_456.7), (named("c"), 1e-7)]),
        svg::bars("Run time", &[(named("a & <b>"), 2.0), (named("c"), 0.0)]),
        svg::breakdown(&[(named("a"), [50.0, 20.0, 30.0])]),
    ];
    for picture in &pictures {
        assert_well_formed(picture);
        assert_readable(picture);
        assert_follows_dark_pages(picture);
    }
}

/// Asserts that a dark page has a colour for each colour of a picture that is not a hue.
fn assert_follows_dark_pages(svg: &str) {
    const HUES: [&str; 8] =
        ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8C8420", "#7D91A5"];
    let rules = svg::on_dark_pages();
    for tag in svg.split('<').skip(1).filter_map(|part| part.split('>').next()) {
        for property in ["fill", "stroke"] {
            let Some(color) = attribute(tag, property).filter(|color| *color != "none") else {
                continue;
            };
            let rule = format!("[{property}=\"{color}\"]{{{property}:");
            assert!(HUES.contains(&color) || rules.contains(&rule), "{color}: {tag}");
        }
    }
    assert!(svg.contains("fill=\"#FFFFFF\""), "alone it stands on white");
}

/// Returns the comparison of these rows.
fn comparison(rows: Vec<Row>, details: Vec<Detail>) -> Comparison {
    Comparison {
        program: "heat".to_owned(),
        machines: vec![MachineNotes {
            name: "paragon".to_owned(),
            summary: "a mesh".to_owned(),
            numbers: vec![("latency".to_owned(), "50 us, measured 1995".to_owned())],
        }],
        caution: None,
        seed: 1,
        command: "windtunnel compare heat".to_owned(),
        advice: advice(&rows, "units", false),
        rows,
        details,
        axes: Vec::new(),
        pivoted: false,
        skipped: Vec::new(),
        weak: false,
        cost_unit: "units".to_owned(),
        price_list: None,
    }
}

#[test]
fn the_page_is_complete_and_loads_nothing() {
    let rows = vec![row("ring:4", 4, 90), row("torus:4x4", 16, 30), row("mesh:4x4", 16, 31)];
    let detail = Detail {
        title: "linear:2, 2 ranks".to_owned(),
        topology: Arc::new(line()),
        result: RunResult { reorderings: vec![reordering(12, 1086)], ..result() },
        records: packed(ping()),
    };
    let data = Comparison {
        caution: Some("Not reproducible".to_owned()),
        ..comparison(rows, vec![detail])
    };
    let page = html::comparison(&data);
    assert_eq!(page, html::comparison(&data));
    for section in [
        "Not reproducible",
        "choose mesh:4x4",
        "Ranking",
        "Run time",
        "Speed-up and efficiency",
        "Breakdown",
        "Reordered communicators",
        "1,448 -&gt; 1,086 (-25 %)",
        "Link heat map",
        "Space-time diagram",
        "Communication matrix",
        "Critical path",
        "Settings and digests",
        "Provenance of the machine",
        "measured 1995",
        "000000000000001e",
    ] {
        assert!(page.contains(section), "{section}");
    }
    for load in ["http", "@import", "url(", "src=", "fetch("] {
        assert!(!page.contains(load), "{load}");
    }
    assert!(page.contains(&svg::on_dark_pages()), "pictures follow the page");
}

#[test]
fn models_that_disagree_are_told_in_the_advice() {
    let of = |network: &str, topology, microseconds| Row {
        network: network.to_owned(),
        ..row(topology, 16, microseconds)
    };
    let rows = [
        of("link", "ring:16", 100),
        of("packet", "ring:16", 140),
        of("link", "torus:4x4", 120),
        of("packet", "torus:4x4", 110),
    ];
    let found = crate::analysis::winners(&rows);
    let names: Vec<Option<&str>> = found.iter().map(|winner| winner.decided()).collect();
    assert_eq!(names, [Some("ring:16"), Some("torus:4x4")]);
    let text = crate::analysis::advice(&rows, "units", false);
    assert!(text.starts_with("Under packet: With 16 ranks choose torus:4x4"), "{text}");
    assert!(
        text.contains("The models disagree about the winner: ring:16 is fastest under link"),
        "{text}"
    );
    // 100 to 140 is 120 and 16.7 % of it to either side.
    assert!(text.contains("up to ±16.7 %"), "{text}");
    assert_eq!(crate::analysis::spreads(&rows[..1]), []);
}

#[test]
fn run_times_stand_below_their_models_where_a_model_cannot_run_a_configuration() {
    let of = |network: &str, topology, microseconds| Row {
        network: network.to_owned(),
        ..row(topology, 16, microseconds)
    };
    let rows = [
        of("fluid", "ring:16", 150),
        of("link", "torus:4x4", 100),
        of("packet", "torus:4x4", 120),
        of("fluid", "torus:4x4", 100),
    ];
    let times = |spread: &crate::analysis::Spread| -> Vec<(String, Option<u64>)> {
        let time = |time: &SimTime| time.as_ps() / 1_000_000;
        spread.times.iter().map(|(name, of)| (name.clone(), of.as_ref().map(time))).collect()
    };
    let named = |times: [Option<u64>; 3]| -> Vec<(String, Option<u64>)> {
        ["fluid", "link", "packet"].map(String::from).into_iter().zip(times).collect()
    };
    let found = crate::analysis::spreads(&rows);
    assert_eq!(times(&found[0]), named([Some(150), None, None]));
    assert_eq!(times(&found[1]), named([Some(100), Some(100), Some(120)]));
    assert_eq!(found[0].half_width(), None, "one model alone differs from none");
}

#[test]
fn a_model_that_sees_no_difference_is_undecided() {
    let of = |network: &str, topology, microseconds| Row {
        network: network.to_owned(),
        ..row(topology, 16, microseconds)
    };
    let told = |models: &[(&str, [u64; 3])]| {
        let names = ["ring:16", "torus:4x4", "mesh:4x4"];
        let times = |network| names.into_iter().zip(network);
        let rows: Vec<Row> = models
            .iter()
            .flat_map(|(network, all)| times(*all).map(move |(name, time)| of(network, name, time)))
            .collect();
        crate::analysis::advice(&rows, "units", false)
    };
    let text = told(&[("loggp", [100, 100, 100]), ("packet", [140, 110, 120])]);
    let doubt = "loggp is undecided, since it sees no difference between ring:16 and torus:4x4 and mesh:4x4.";
    assert!(text.contains(&format!("packet says that torus:4x4 is fastest; {doubt}")), "{text}");
    let text = told(&[("loggp", [100; 3]), ("link", [140, 110, 120]), ("fluid", [150, 110, 120])]);
    assert!(
        text.contains(&format!("link, fluid agree that torus:4x4 is fastest; {doubt}")),
        "{text}"
    );
    // A tie without the others' winner is no agreement.
    let text = told(&[("loggp", [100, 120, 100]), ("packet", [140, 110, 120])]);
    assert!(
        text.contains(
            "disagree about the winner: torus:4x4 is fastest under packet, loggp is undecided"
        ),
        "{text}"
    );
    let text = told(&[("constant", [100; 3]), ("loggp", [100; 3])]);
    assert!(text.contains("No model has a winner: constant is undecided"), "{text}");
}
