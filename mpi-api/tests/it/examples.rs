//! Every example, run.

#[path = "../../examples/buffered.rs"]
mod buffered;
#[path = "../../examples/cartesian.rs"]
mod cartesian;
#[path = "../../examples/collection.rs"]
mod collection;
#[path = "../../examples/gather_varcount.rs"]
mod gather_varcount;
#[path = "../../examples/groups.rs"]
mod groups;
#[path = "../../examples/immediate.rs"]
mod immediate;
#[path = "../../examples/immediate_collectives.rs"]
mod immediate_collectives;
#[path = "../../examples/pack.rs"]
mod pack;
#[path = "../../examples/persistent.rs"]
mod persistent;
#[path = "../../examples/profile.rs"]
mod profile;
#[path = "../../examples/receive_vec.rs"]
mod receive_vec;
#[path = "../../examples/reduce.rs"]
mod reduce;
#[path = "../../examples/ring.rs"]
mod ring;
#[path = "../../examples/structure.rs"]
mod structure;
#[path = "../../examples/transpose.rs"]
mod transpose;
#[path = "../../examples/vector.rs"]
mod vector;

#[test]
fn buffered_holds() {
    buffered::main();
}

#[test]
fn cartesian_holds() {
    cartesian::main();
}

#[test]
fn collection_holds() {
    collection::main();
}

#[test]
fn gather_varcount_holds() {
    gather_varcount::main();
}

#[test]
fn groups_holds() {
    groups::main();
}

#[test]
fn immediate_holds() {
    immediate::main();
}

#[test]
fn immediate_collectives_holds() {
    immediate_collectives::main();
}

#[test]
fn pack_holds() {
    pack::main();
}

#[test]
fn persistent_holds() {
    persistent::main();
}

#[test]
fn profile_holds() {
    profile::main();
}

#[test]
fn receive_vec_holds() {
    receive_vec::main();
}

#[test]
fn reduce_holds() {
    reduce::main();
}

#[test]
fn ring_holds() {
    ring::main();
}

#[test]
fn structure_holds() {
    structure::main();
}

#[test]
fn transpose_holds() {
    transpose::main();
}

#[test]
fn vector_holds() {
    vector::main();
}

#[test]
fn none_is_left_out() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
    let files = std::fs::read_dir(folder).expect("the examples").flatten();
    let names: Vec<String> = files
        .filter_map(|file| file.file_name().to_str()?.strip_suffix(".rs").map(str::to_owned))
        .collect();
    assert!(!names.is_empty());
    for name in names {
        assert!(include_str!("examples.rs").contains(&format!("{name}::main()")), "{name}");
    }
}
