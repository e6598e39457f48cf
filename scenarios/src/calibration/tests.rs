use network_models::Catalog;

use super::{
    measurement::{Collective, Point},
    simulated::times,
    *,
};

const SIZES: [u64; 23] = {
    let mut sizes = [1; 23];
    let mut at = 1;
    while at < 23 {
        sizes[at] = sizes[at - 1] * 2;
        at += 1;
    }
    sizes
};

/// Returns what a benchmark of ours measures on a machine.
fn measured(machine: &Machine, setting: &Setting, benchmark: Benchmark) -> Series {
    let found = times(machine, &setting.platform(benchmark), benchmark, &SIZES).expect("it runs");
    let point = |(bytes, time): (&u64, Option<f64>)| {
        Some(Point { bytes: *bytes, time_ns: time?, rounding_ns: 0.0 })
    };
    let points = SIZES.iter().zip(found).filter_map(point).collect();
    Series { benchmark, source: "ours".into(), points }
}

fn setting(machine: &Machine) -> Setting {
    Setting {
        name: "again".into(),
        topology: machine.default_topology.clone(),
        network: "link".into(),
        ranks_per_node: None,
        eager_limit: None,
    }
}

fn value(machine: &Machine, key: &str) -> f64 {
    let numbers = machine.quantities();
    numbers.iter().find(|(_, name, _)| name == key).expect("there is such a number").2.value
}

fn is_near(found: f64, wanted: f64, what: &str) {
    assert!((found - wanted).abs() <= 0.01 * wanted.abs() + 1e-3, "{what}: {found}, not {wanted}");
}

#[test]
fn a_machine_is_given_back_by_its_own_benchmarks() {
    // Machines that state protocols by size are below: the split of their sums is not unique.
    for name in
        ["infiniband-hdr", "infiniband-ndr", "slingshot", "ethernet-10g", "bluegene-q", "t3d"]
    {
        let known = Machine::load(name).expect("a machine of ours");
        let setting = setting(&known);
        let benchmarks = [
            Benchmark::PingPong { pairs: 1 },
            Benchmark::Stream { pairs: 1, window: 64 },
            Benchmark::Stream { pairs: 4, window: 64 },
        ];
        let series = benchmarks.map(|benchmark| measured(&known, &setting, benchmark));
        let calibration = Calibration::of(&series, &setting).expect("a fit");
        let again = &calibration.machine;
        for key in ["byte_time_ps", "copy_per_byte_ps", "eager_limit_bytes"] {
            is_near(value(again, key), value(&known, key), &format!("{name} {key}"));
        }
        let overheads = |machine| value(machine, "send_ns") + value(machine, "receive_ns");
        is_near(overheads(again), overheads(&known), &format!("{name}, overheads"));
        // Two nodes of a torus are neighbours; others have a switch between them.
        let hops = if matches!(name, "bluegene-q" | "t3d") { 1.0 } else { 2.0 };
        let latency = |machine| value(machine, "latency_ns") + hops * value(machine, "hop_ns");
        is_near(latency(again), latency(&known), &format!("{name}, latency"));
        for table in &calibration.compared {
            // Ports of these machines are faster than their links by less than a thousandth, which no stream
            // tells. Where pairs compete, their order depends on it.
            let is_close = matches!(name, "infiniband-hdr" | "infiniband-ndr");
            let bound = if table.benchmark.ranks() > 2 && is_close { 0.05 } else { 0.01 };
            let off = |line: &&Comparison| line.error().is_some_and(|error| error.abs() >= bound);
            let wrong: Vec<&Comparison> = table.lines.iter().filter(off).collect();
            assert!(wrong.is_empty(), "{name} {}: {wrong:?}", table.benchmark.name());
        }
    }
}

#[test]
fn extra_time_of_very_long_messages_is_found() {
    let mut known = Machine::load("paragon").expect("a machine of ours");
    known.buffering.eager_limit_bytes.value = 65_536.0;
    let setting = setting(&known);
    let benchmarks = [Benchmark::PingPong { pairs: 1 }, Benchmark::Stream { pairs: 1, window: 64 }];
    let series = benchmarks.map(|benchmark| measured(&known, &setting, benchmark));
    let calibration = Calibration::of(&series, &setting).expect("a fit");
    let again = &calibration.machine;
    for key in ["byte_time_ps", "big_per_byte_ps", "big_message_bytes"] {
        is_near(value(again, key), value(&known, key), key);
    }
    assert!(calibration.residuals.largest < 0.01, "{:?}", calibration.residuals);
}

#[test]
fn pairs_that_share_a_link_tell_its_rate() {
    let known = Machine::load("paragon").expect("a machine of ours");
    // Eight messages of 35 MB/s cross the middle link of 175 MB/s.
    let setting =
        Setting { topology: "mesh:16".into(), ranks_per_node: Some(1), ..setting(&known) };
    let benchmarks = [
        Benchmark::PingPong { pairs: 1 },
        Benchmark::Stream { pairs: 1, window: 64 },
        Benchmark::Stream { pairs: 8, window: 64 },
    ];
    let series = benchmarks.map(|benchmark| measured(&known, &setting, benchmark));
    let calibration = Calibration::of(&series, &setting).expect("a fit");
    let key = "link_bandwidth_bytes_per_s";
    is_near(value(&calibration.machine, key), value(&known, key), key);
}

#[test]
fn collectives_are_compared_and_not_fitted() {
    let known = Machine::load("infiniband-hdr").expect("a machine of ours");
    let setting = setting(&known);
    let mut series = vec![measured(&known, &setting, Benchmark::PingPong { pairs: 1 })];
    series.push(measured(&known, &setting, Benchmark::Stream { pairs: 1, window: 64 }));
    let plain = Calibration::of(&series, &setting).expect("a fit");
    let reduction = Benchmark::Collective { operation: Collective::AllReduce, ranks: 8 };
    series.push(measured(&known, &setting, reduction));
    // Times of another machine change no number of the fit.
    series[2].points.iter_mut().for_each(|point| point.time_ns *= 3.0);
    let with = Calibration::of(&series, &setting).expect("a fit");
    assert_eq!(plain.machine.quantities(), with.machine.quantities());
    assert_eq!(with.compared[2].used, Use::Checked);
    let error = with.compared[2].lines[4].error().expect("it is simulated");
    assert!((-0.75..-0.55).contains(&error), "{error}");
}

#[test]
fn a_fit_needs_a_ping_pong() {
    let known = Machine::load("infiniband-hdr").expect("a machine of ours");
    let setting = setting(&known);
    let stream = measured(&known, &setting, Benchmark::Stream { pairs: 1, window: 64 });
    let error = Calibration::of(&[stream], &setting).expect_err("no ping-pong").to_string();
    assert!(error.contains("osu_latency"), "{error}");
    let nameless = Setting { name: " ".into(), ..setting.clone() };
    assert!(Calibration::of(&[], &nameless).is_err());
}

#[test]
fn the_machine_is_a_valid_file() {
    let known = Machine::load("slingshot").expect("a machine of ours");
    let setting = setting(&known);
    let series = [measured(&known, &setting, Benchmark::PingPong { pairs: 1 })];
    let calibration = Calibration::of(&series, &setting).expect("a fit");
    let text = serde_json::to_string_pretty(&calibration.machine).expect("plain data");
    let read = Machine::from_json(&text, "again.json", &Catalog::standard()).expect("it is valid");
    assert_eq!(read, calibration.machine);
    assert!(read.calibration.is_some_and(|text| text.contains("root mean square")));
}

/// Returns a machine of ours and the fit to its ping-pong and its stream.
fn fitted_again(name: &str, eager_limit: Option<u64>) -> (Machine, Calibration) {
    let known = Machine::load(name).expect("a machine of ours");
    let setting = Setting { eager_limit, ..setting(&known) };
    let benchmarks = [Benchmark::PingPong { pairs: 1 }, Benchmark::Stream { pairs: 1, window: 64 }];
    let series = benchmarks.map(|benchmark| measured(&known, &setting, benchmark));
    let calibration = Calibration::of(&series, &setting).expect("a fit");
    (known, calibration)
}

#[test]
fn protocols_by_size_come_back() {
    for name in ["aries", "infiniband-edr"] {
        let limit = value(&Machine::load(name).expect("a machine of ours"), "eager_limit_bytes");
        for eager_limit in [None, Some(limit as u64)] {
            let (known, calibration) = fitted_again(name, eager_limit);
            let again = &calibration.machine;
            assert!(!again.network.protocols.is_empty(), "{name}");
            assert!(calibration.residuals.largest < 0.03, "{name}: {:?}", calibration.residuals);
            for key in ["byte_time_ps", "eager_limit_bytes"] {
                is_near(value(again, key), value(&known, key), &format!("{name} {key}"));
            }
            let latency = |machine: &Machine| {
                value(machine, "latency_ns")
                    + value(machine, "send_ns")
                    + value(machine, "receive_ns")
            };
            is_near(latency(again), latency(&known), &format!("{name}, an empty message"));
            // Sizes that were not measured lie on the curve, too, except between the two around a break.
            let between = [3, 96, 6000, 12_000, 100_000, 3_000_000];
            let platform = setting(&known).platform(Benchmark::PingPong { pairs: 1 });
            let curve = |machine: &Machine| {
                times(machine, &platform, Benchmark::PingPong { pairs: 1 }, &between)
                    .expect("it runs")
            };
            for ((bytes, found), wanted) in between.iter().zip(curve(again)).zip(curve(&known)) {
                let (found, wanted) = (found.expect("short"), wanted.expect("short"));
                is_near(found, wanted, &format!("{name}, {bytes} bytes"));
            }
        }
    }
}

/// `osu_latency` prints microseconds with two decimals: they show no time per byte of short messages.
#[test]
fn times_with_two_decimals_are_enough() {
    for name in ["aries", "infiniband-edr"] {
        let known = Machine::load(name).expect("a machine of ours");
        let setting = setting(&known);
        let benchmarks =
            [Benchmark::PingPong { pairs: 1 }, Benchmark::Stream { pairs: 1, window: 64 }];
        let mut series = benchmarks.map(|benchmark| measured(&known, &setting, benchmark));
        for point in &mut series[0].points {
            (point.time_ns, point.rounding_ns) = ((point.time_ns / 10.0).round() * 10.0, 5.0);
        }
        for all in [&series[..1], &series[..]] {
            let calibration = Calibration::of(all, &setting).expect("a fit");
            let found = &calibration.residuals;
            assert!(found.largest < 0.03, "{name}, {}: {found:?}", all.len());
            let port = value(&calibration.machine, "byte_time_ps");
            let wanted = value(&known, "byte_time_ps");
            // Without a stream the port takes what processors take beside it.
            assert!((0.9 * wanted..2.0 * wanted).contains(&port), "{name}: {port}, not {wanted}");
        }
    }
}

/// Nothing but the jump there shows the eager limit of a machine that copies for nothing. A stream does not
/// change that, nor do two decimals.
#[test]
fn an_eager_limit_without_a_copy_is_found() {
    let mut known = Machine::load("ideal").expect("a machine of ours");
    known.buffering.eager_limit_bytes.value = 8192.0;
    known.network.latency_ns.value = 500.0;
    known.network.byte_time_ps.value = 250.0;
    known.network.link_bandwidth_bytes_per_s.value = 4e9;
    (known.costs.send_ns.value, known.costs.receive_ns.value) = (250.0, 250.0);
    let setting = setting(&known);
    let benchmarks = [Benchmark::PingPong { pairs: 1 }, Benchmark::Stream { pairs: 1, window: 64 }];
    let mut series = benchmarks.map(|benchmark| measured(&known, &setting, benchmark));
    for rounding_ns in [0.0, 5.0] {
        for point in series[0].points.iter_mut().filter(|_| rounding_ns > 0.0) {
            (point.time_ns, point.rounding_ns) = ((point.time_ns / 10.0).round() * 10.0, 5.0);
        }
        for all in [&series[..1], &series[..]] {
            let calibration = Calibration::of(all, &setting).expect("a fit");
            let again = &calibration.machine;
            is_near(value(again, "eager_limit_bytes"), 8192.0, "the eager limit");
            assert!(again.network.protocols.is_empty(), "{:?}", again.network.protocols);
            let latency = |machine| value(machine, "latency_ns") + 2.0 * value(machine, "hop_ns");
            is_near(latency(again), latency(&known), "the latency");
            let overheads = value(again, "send_ns") + value(again, "receive_ns");
            is_near(overheads, 500.0, "the overheads");
        }
    }
}

/// Where no eager message was measured, the time of each contains a request and an answer.
#[test]
fn messages_above_the_given_eager_limit_are_fitted_as_they_run() {
    let mut known = Machine::load("infiniband-hdr").expect("a machine of ours");
    for limit in [0, 16, 1024] {
        known.buffering.eager_limit_bytes.value = limit as f64;
        let setting = Setting { eager_limit: Some(limit), ..setting(&known) };
        let benchmarks =
            [Benchmark::PingPong { pairs: 1 }, Benchmark::Stream { pairs: 1, window: 64 }];
        let mut series = benchmarks.map(|benchmark| measured(&known, &setting, benchmark));
        series.iter_mut().for_each(|table| table.points.retain(|point| point.bytes > limit));
        for all in [&series[..1], &series[..]] {
            let calibration = Calibration::of(all, &setting).expect("a fit");
            let curve = calibration.compared.first().expect("the ping-pong");
            let errors = curve.lines.iter().filter_map(Comparison::error);
            let largest = errors.fold(0.0, |most: f64, error| most.max(error.abs()));
            assert!(largest < 0.02, "{limit}: {largest}");
            is_near(value(&calibration.machine, "eager_limit_bytes"), limit as f64, "the limit");
            let notes = calibration.notes.join(" ");
            assert!(notes.contains("three latencies"), "{notes}");
        }
    }
}

/// A ping-pong of 340 ns of overheads, 910 ns of latency and an eager limit of 16 KiB, measured with errors.
struct Noisy {
    state: u64,
    series: Series,
}

impl Noisy {
    fn new(noise: f64, seed: u64) -> Self {
        let benchmark = Benchmark::PingPong { pairs: 1 };
        let series = Series { benchmark, source: "ours".into(), points: Vec::new() };
        let mut made = Self { state: seed, series };
        for bytes in SIZES {
            let n = bytes as f64;
            let time_ns = match bytes {
                ..=16_384 => 340.0 + 910.0 + 0.1308 * n,
                _ => 340.0 + 3.0 * 910.0 + 0.0408 * n,
            };
            let error = noise * (2.0 * made.random() - 1.0);
            let point = Point { bytes, time_ns: time_ns * (1.0 + error), rounding_ns: 0.0 };
            made.series.points.push(point);
        }
        made
    }

    /// Returns a number from 0 up to 1.
    fn random(&mut self) -> f64 {
        self.state = self
            .state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 40) as f64 / f64::from(1 << 24)
    }

    fn calibration(&self) -> Calibration {
        let setting = setting(&Machine::load("infiniband-hdr").expect("a machine of ours"));
        Calibration::of(std::slice::from_ref(&self.series), &setting).expect("a fit")
    }
}

fn estimate<'a>(found: &'a Calibration, name: &str) -> Option<&'a Estimate> {
    found.estimates.iter().find(|estimate| estimate.name == name)
}

#[test]
fn noisy_measurements_give_intervals_that_contain_the_truth() {
    let truth = [
        ("latency with 2 hops", 910.0),
        ("overheads of both sides", 340.0),
        ("time per byte", 0.0408),
        ("copy of an eager message", 0.09),
    ];
    let (mut inside, mut all) = (0, 0);
    for noise in [0.02, 0.1, 0.2] {
        for seed in 1..=4 {
            let found = Noisy::new(noise, seed).calibration();
            // A value without an interval around it is never told as if it were known.
            for estimate in &found.estimates {
                let told = found.warnings.iter().any(|text| text.contains(&estimate.name));
                assert!(estimate.is_determined() || told, "{noise} {seed}: {estimate:?}");
            }
            for (name, value) in truth {
                let Some(estimate) = estimate(&found, name) else { continue };
                let (low, high) = estimate.interval.expect("there are many sizes");
                all += 1;
                inside += usize::from((low..=high).contains(&value));
            }
            if let Some(latency) = estimate(&found, "latency with 2 hops") {
                assert!(latency.value > 300.0, "{noise} {seed}: {latency:?}");
            }
        }
    }
    assert!(all > 24 && 10 * inside >= 8 * all, "{inside} of {all}");
    let exact = Noisy::new(0.0, 1).calibration();
    assert!(exact.warnings.is_empty(), "{:?}", exact.warnings);
    for (name, value) in truth {
        is_near(estimate(&exact, name).expect("it is determined").value, value, name);
    }
}

#[test]
fn outliers_are_left_out_and_named() {
    for (seed, far) in [(1, [4, 19]), (2, [8, 9]), (3, [13, 17]), (4, [2, 11])] {
        let mut noisy = Noisy::new(0.02, seed);
        for (at, factor) in far.into_iter().zip([4.0, 3.0]) {
            noisy.series.points[at].time_ns *= factor;
        }
        let found = noisy.calibration();
        let note = found.notes.iter().find(|note| note.contains("Left out")).expect("it is told");
        for at in far {
            assert!(note.contains(&format!("{} bytes", SIZES[at])), "{seed}: {note}");
        }
        let latency = estimate(&found, "latency with 2 hops").expect("a jump");
        assert!((latency.value / 910.0 - 1.0).abs() < 0.1, "{seed}: {latency:?}");
        assert_eq!(found.residuals.points, 21);
        assert!(found.residuals.largest < 0.04, "{:?}", found.residuals);
    }
}

#[test]
fn what_says_nothing_is_refused() {
    // Short messages only, with errors: how long a byte takes is not known at all.
    let mut noisy = Noisy::new(0.2, 1);
    noisy.series.points.truncate(10);
    let setting = setting(&Machine::load("infiniband-hdr").expect("a machine of ours"));
    let error = Calibration::of(&[noisy.series], &setting).expect_err("nothing is known");
    let text = error.to_string();
    assert!(text.contains("noise of") && text.contains("longer messages"), "{text}");
    // Without errors, and all alike.
    let mut alike = Noisy::new(0.0, 1);
    alike.series.points.iter_mut().for_each(|point| point.time_ns = 1400.0);
    let error = Calibration::of(&[alike.series], &setting).expect_err("a byte takes no time");
    assert!(error.to_string().contains("time per byte by the measurements is `0`"), "{error}");
}

/// Returns a ping-pong or a stream with these sizes and times in microseconds.
fn table(benchmark: Benchmark, times: &[(u64, f64)]) -> Series {
    let point =
        |(bytes, time): &(u64, f64)| Point { bytes: *bytes, time_ns: 1e3 * time, rounding_ns: 5.0 };
    Series { benchmark, source: "few".into(), points: times.iter().map(point).collect() }
}

#[test]
fn few_sizes_determine_what_they_can_and_the_missing_ones_are_named() {
    let setting = setting(&Machine::load("infiniband-hdr").expect("a machine of ours"));
    let of = |series: &[Series]| Calibration::of(series, &setting);
    let ping_pong = |times: &[(u64, f64)]| table(Benchmark::PingPong { pairs: 1 }, times);
    let stream = |times: &[(u64, f64)]| table(Benchmark::Stream { pairs: 1, window: 64 }, times);
    // No byte takes time between sizes that are alike, and no machine has a port without limit.
    let missing = "measure messages of 1 MiB or more, and at least 8 sizes";
    for times in [&[(0, 1.5), (8, 1.5)][..], &[(0, 1.5), (8, 1.5), (64, 1.5)]] {
        let told = of(&[ping_pong(times)]).expect_err("a byte takes no time").to_string();
        assert!(told.contains("time per byte by the measurements is `0`"), "{told}");
        assert!(told.contains(missing), "{told}");
    }
    let told = of(&[ping_pong(&[(8, 1.5), (64, 1.4)])]).expect_err("longer ones are faster");
    let told = told.to_string();
    assert!(told.contains("the ping-pong is `8 and 64 bytes`") && told.contains(missing), "{told}");
    let told = of(&[ping_pong(&[(1, 1.5), (1024, 1.9), (1 << 20, 120.5)])]);
    let told = told.expect_err("one line is not through them").to_string();
    let expected = "the ping-pong is `1, 1024 and 1048576 bytes`; allowed is sizes that determine";
    assert!(told.contains(expected) && told.contains("at least 8 sizes"), "{told}");
    // A stream of short messages tells no rate of a port, and one of long messages no gap.
    let ends = ping_pong(&[(8, 1.5), (1 << 20, 120.5)]);
    let found = of(&[ends.clone(), stream(&[(8, 1.0)])]).expect("a fit");
    is_near(value(&found.machine, "byte_time_ps"), 113.5, "the port of the ping-pong");
    assert!(found.warnings[1].contains("(few, 8 bytes) does not determine the rate of a port"));
    let found = of(&[ends.clone(), stream(&[(1 << 20, 87.4)])]).expect("a fit");
    is_near(value(&found.machine, "byte_time_ps"), 82.9, "the port of the stream");
    assert!(value(&found.machine, "gap_ns") < 2000.0);
    assert!(found.warnings[1].contains("does not determine the time of short messages"));
    let found = of(&[ends, stream(&[(8, 0.6), (1 << 20, 87.4)])]).expect("a fit");
    let [few] = &found.warnings[..] else { panic!("{:?}", found.warnings) };
    assert!(
        few.contains("(8 and 1048576 bytes) has too few sizes") && few.contains("8 sizes, each")
    );
}
