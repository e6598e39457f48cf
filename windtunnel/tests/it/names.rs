//! The page on what the Rust API lacks is complete and has nothing that is there.
//!
//! A name is there if the API's source defines it publicly, on whatever type: the names of the
//! `mpi` crate are its public items and methods.

use std::{collections::BTreeSet, fs, path::Path};

const NAMES: &str = include_str!("names-of-mpi-0.8.txt");
const PAGE: &str = include_str!("../../../docs/missing-from-rust-api.md");

/// Words before a name that is public by itself.
const ITEMS: [&str; 11] = [
    "pub fn ",
    "pub unsafe fn ",
    "pub const fn ",
    "pub struct ",
    "pub enum ",
    "pub trait ",
    "pub unsafe trait ",
    "pub type ",
    "pub mod ",
    "pub const ",
    "pub static ",
];

fn word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    &text[..end]
}

/// The public names of a source file.
fn defined(text: &str, names: &mut BTreeSet<String>) {
    let mut in_trait = false;
    for line in text.lines() {
        let code = line.trim_start();
        if let Some(rest) = ITEMS.iter().find_map(|item| code.strip_prefix(item)) {
            names.insert(word(rest).into());
        }
        in_trait |= line.starts_with("pub trait ") || line.starts_with("pub unsafe trait ");
        in_trait &= !line.starts_with('}');
        let member =
            ["fn ", "unsafe fn ", "const "].iter().find_map(|item| code.strip_prefix(item));
        if let Some(rest) = member.filter(|_| in_trait) {
            names.insert(word(rest).into());
        }
        // Functions that a macro writes: `contiguous[D: ...](...)`.
        if !word(code).is_empty() && code[word(code).len()..].starts_with('[') {
            names.insert(word(code).into());
        }
    }
    for list in text.split("pub use ").skip(1).filter_map(|rest| rest.split(';').next()) {
        let words = list.split(|c: char| !c.is_alphanumeric() && c != '_');
        names.extend(words.map(String::from));
    }
}

fn read(folder: &Path, names: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("a folder of the source") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            read(&path, names);
        } else {
            names.insert(path.file_stem().expect("a name").to_string_lossy().into_owned());
            defined(&fs::read_to_string(&path).expect("text"), names);
        }
    }
}

#[test]
fn the_page_lists_what_is_missing() {
    let mut there = BTreeSet::new();
    read(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../mpi-api/src/api")), &mut there);
    let missing: BTreeSet<&str> = NAMES.lines().filter(|name| !there.contains(*name)).collect();
    let rows = PAGE.lines().filter_map(|line| line.strip_prefix("| `")?.split(" | ").next());
    let told: BTreeSet<&str> =
        rows.flat_map(|row| row.split('`').step_by(2)).filter(|name| !name.is_empty()).collect();
    assert_eq!(told, missing);
    assert!(there.len() > 500 && NAMES.lines().count() > 300, "the lists were read");
}
