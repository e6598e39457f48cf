//! Tests of how axes are read and combined.

use clap::Parser;
use scenarios::machine::Change;

use super::*;
use crate::args::{Cli, Command};

fn read(words: &str) -> Result<(Vec<Axis>, Request), String> {
    let line = format!("windtunnel compare allreduce {words}");
    let cli = Cli::try_parse_from(line.split_whitespace()).map_err(|error| error.to_string())?;
    let Command::Compare(grid) = cli.command else { panic!("it is compare") };
    let request = grid.options.request("allreduce", None);
    let axes = axes(&grid, &request).map_err(|error| error.to_string())?;
    Ok((axes, request))
}

fn shape(words: &str) -> Vec<(String, usize)> {
    let (axes, _) = read(words).expect("it is well-formed");
    axes.iter().map(|axis| (axis.name(), axis.values.len())).filter(|axis| axis.1 > 1).collect()
}

fn named(pairs: &[(&str, usize)]) -> Vec<(String, usize)> {
    pairs.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect()
}

#[test]
fn options_are_shorthands_of_axes() {
    assert_eq!(shape(""), named(&[("topology", 5)]));
    assert_eq!(shape("--ranks-list 4,8 --topology ring"), named(&[("ranks", 2)]));
    let long = shape("--topologies ring,mesh --ranks-list 4,8 --placements block,cyclic");
    let axes = "--axis ranks=4,8 --axis placement=block,cyclic --axis topology=ring,mesh";
    assert_eq!(long, shape(axes));
    // The machine's own topology, and no grid of five.
    assert_eq!(shape("--axis bytes=8,64,8"), named(&[("bytes", 2)]));
    let points = |words| {
        let (axes, request) = read(words).expect("it is well-formed");
        let points = points(&axes, &request);
        points.iter().map(|point| format!("{:?}", point.request)).collect::<Vec<String>>()
    };
    let long = points("--topologies ring,mesh --ranks-list 8,4 --machines ideal,sp2");
    assert_eq!(long.len(), 8);
    assert_eq!(long, points("--axis machine=ideal,sp2 --axis ranks=4,8 --axis topology=ring,mesh"));
}

#[test]
fn ranges_are_for_all_axes_of_whole_numbers() {
    for (words, expected) in [
        ("--ranks-list 4..64", ("ranks", 5)),
        ("--ranks-list 4..64x4,100", ("ranks", 4)),
        ("--axis ranks=4..64", ("ranks", 5)),
        ("--axis seed=1..5", ("seed", 5)),
        ("--axis ranks-per-node=1..8", ("ranks-per-node", 4)),
        ("--axis buffering=zero,1K..4K", ("buffering", 4)),
        ("--axis eager-limit=1K..4K", ("eager-limit", 3)),
    ] {
        assert_eq!(shape(&format!("{words} --topology ring")), named(&[expected]), "{words}");
    }
    assert!(read("--ranks-list 8..4 --topology ring").is_err());
}

#[test]
fn every_kind_of_axis_changes_its_part() {
    let words = "--axis eager-limit=8K --axis bytes=2K --axis network.latency_ns=x0.5 --axis \
                 collectives.allreduce=ring --axis buffering=zero --axis ranks-per-node=2 --axis seed=7 \
                 --axis network=loggp --axis topology=fat-tree:24,18,18:1,2,1";
    let (axes, request) = read(words).expect("it is well-formed");
    let [point] = points(&axes, &request).try_into().unwrap_or_else(|_| panic!("one point"));
    let request = point.request;
    assert_eq!(request.eager_limit, Some(8192));
    assert_eq!(request.parameters["bytes"], "2048");
    assert_eq!(request.adjustments[0].change, Change::By(0.5));
    assert_eq!(request.collectives, ["allreduce=ring"]);
    assert_eq!((request.ranks_per_node, request.seed), (2, 7));
    assert_eq!(request.network.as_deref(), Some("loggp"));
    assert_eq!(request.topology.as_deref(), Some("fat-tree:24,18,18:1,2,1"));
}

#[test]
fn all_algorithms_of_a_collective() {
    let count = |text: &str| read(text).expect("it is well-formed").0[0].values.len();
    let all = count("--axis collectives.allreduce=all");
    assert_eq!(count("--axis collectives.allreduce=ring,all,ring"), all);
    assert_eq!(count("--axis allreduce=all"), all);
    let (axes, _) = read("--axis collectives.allreduce=all").expect("it is well-formed");
    let axis = axes.iter().find(|axis| axis.collective().is_some()).expect("it is there");
    assert!(axis.values.len() > 3);
    assert!(axis.values.iter().any(|value| value.text == "recursive_doubling"));
    let (axes, _) =
        read("--axis collectives.allreduce=recursive-doubling").expect("it is well-formed");
    assert!(axes.iter().any(|axis| axis.reported().values == ["recursive_doubling"]));
}

#[test]
fn mistakes_are_told_with_the_nearest_name() {
    for (words, told) in [
        ("--axis eager-limti=8K", "did you mean `eager-limit`"),
        ("--axis p.byte=8", "no parameter is called `byte` (did you mean `bytes`"),
        ("--axis network.latency_ns=x-1", "is `x-1`"),
        ("--axis byte=8", "did you mean `bytes`"),
        ("--axis network.latncy_ns=x2", "did you mean `network.latency_ns`"),
        ("--axis collectives.alreduce=ring", "did you mean `collectives.allreduce`"),
        ("--axis collectives.bcast=all", "did you mean `collectives.broadcast`"),
        ("--axis collectives.allreduce=rign", "did you mean `ring`"),
        ("--axis bytes", "NAME=VALUE"),
        ("--axis bytes=", "one value or more"),
        ("--axis bytes=8,,9", "one value or more"),
        ("--axis bytes=8 --axis p.bytes=9", "each setting once"),
        ("--axis topology=ring --topologies mesh", "each setting once"),
        ("--axis topology=ring --topology mesh", "each setting once"),
        ("--axis network=loggp,link --network fluid", "each setting once"),
        ("--axis network.latency_ns=1ms", "a factor such as x0.5"),
        ("--axis eager-limit=-1", "a number of bytes"),
        ("--axis args=8", "takes parameters, no arguments"),
        ("--axis noise=loud", "noise"),
        ("--axis ranks-per-node=0", "from 1 on"),
        (
            "--axis bytes=1..1Gx2 --axis seed=1,2,3,4,5,6 --axis repeats=1..1G --axis ranks=1..1G",
            "at most 100000",
        ),
    ] {
        let error = read(words).err().unwrap_or_else(|| panic!("{words} is wrong"));
        assert!(error.contains(told), "{words}: {error}");
    }
}
