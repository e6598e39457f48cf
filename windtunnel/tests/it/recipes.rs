//! The recipes of `docs/extending.md` name files that exist, and every code has what the recipe of a
//! check asks for.

use std::{
    fs,
    path::{Path, PathBuf},
};

use mpi_api::finding::Code;

const PAGE: &str = include_str!("../../../docs/extending.md");

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Adds the paths of all files and folders below a folder of ours, relative to the root.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        let below = path.strip_prefix(root()).expect("below the root").to_path_buf();
        found.push(below);
        if path.is_dir() && name != "target" && name != ".git" {
            files(&path, found);
        }
    }
}

/// Returns the paths that the page names in its text: with a slash or an ending, and in backquotes.
fn named() -> Vec<&'static str> {
    let mut in_program = false;
    let text = PAGE.lines().filter(|line| {
        let fence = line.trim_start().starts_with("```");
        in_program ^= fence;
        !fence && !in_program
    });
    let quoted = text.flat_map(|line| line.split('`').skip(1).step_by(2));
    let is_path = |name: &&str| {
        let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c));
        plain
            && (name.contains('/')
                || [".rs", ".json", ".md", ".h"].iter().any(|end| name.ends_with(end)))
    };
    quoted.filter(is_path).collect()
}

#[test]
fn files_that_the_recipes_name_exist() {
    let mut known = Vec::new();
    files(&root(), &mut known);
    let named = named();
    assert!(named.len() > 20, "the page names its files: {named:?}");
    for name in named {
        let found = known.iter().any(|path| path.ends_with(name.trim_end_matches('/')));
        assert!(found, "docs/extending.md names `{name}`, and there is no such file");
    }
}

#[test]
fn every_code_has_a_file_with_its_words() {
    let folder = root().join("mpi-api/src/check");
    let head = |entry: fs::DirEntry| {
        let text = fs::read_to_string(entry.path()).expect("a source");
        text.lines().next().unwrap_or_default().to_string()
    };
    let heads: Vec<String> =
        fs::read_dir(folder).expect("the room of the checks").flatten().map(head).collect();
    for code in Code::ALL {
        let name = code.name();
        let found = heads.iter().any(|head| head.starts_with("//! ") && head.contains(&name));
        assert!(found, "no file of mpi-api/src/check has the words of {name}");
    }
}
