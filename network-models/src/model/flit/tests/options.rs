//! The options of `flit`, and what they are if they are left out.

use super::*;

#[test]
fn options_name_every_routing_and_their_limits() {
    let options = FlitKind::default().options();
    let form = |name| options.iter().find(|option| option.name == name).map(|option| option.form);
    let mut names: Vec<&str> =
        crate::routing::routings().iter().map(|kind| kind.description().name).collect();
    names.push("table:PATH");
    assert_eq!(form("routing"), Some(names.join("|").as_str()));
    assert_eq!(form("channels"), Some(format!("1..{CHANNELS_MAX}").as_str()));
    let accepts = |name, value| FlitKind::default().with_option(name, value).is_ok();
    for (name, good, bad) in [
        ("channels", "64", "65"),
        ("vc", "1", "0"),
        ("route", "0", "-1"),
        ("speculation", "yes", "maybe"),
        ("allocator", "islip", "slip"),
        ("priority", "age", "old"),
        ("routing", "ugal-l", "ugal"),
        ("buffer", "1048576", "1048577"),
        ("seed", "18446744073709551615", "1.5"),
    ] {
        assert!(accepts(name, good) && !accepts(name, bad), "{name}");
    }
    assert!(!accepts("speed", "1"));
}

#[test]
fn a_hop_is_that_of_the_machine_where_the_stages_are_short_enough() {
    let topology = topology("linear:9");
    let machine = |rate: u64, hop| {
        let link_bandwidth = Bandwidth::from_bytes_per_sec(rate);
        let kind = FlitKind::default();
        let found = kind.parameters(&hardware(link_bandwidth, hop), &topology);
        (found.flit.get(), found.wire.get(), found.buffer.get())
    };
    // Cycles of 2.56 ns: 40 of them, less 4 of the stages.
    assert_eq!(machine(12_500_000_000, 100), (32, 36, 78));
    // 16 bytes take 16 ns, five times of which fit.
    assert_eq!(machine(1_000_000_000, 100), (16, 3, 12));
    assert_eq!(machine(1_000_000_000, 20), (8, 1, 8));
}

fn hardware(link_bandwidth: Bandwidth, hop: u64) -> Hardware {
    Hardware { injection: link_bandwidth, link_bandwidth, ..test_hardware(0, hop) }
}
