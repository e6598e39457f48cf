//! How many files of a crate import each other in one circle. A name that a module re-exports
//! counts as an import of the file that defines it, and unit tests do not count.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

/// A path from the root of a crate, such as `["kernel", "transport"]`.
type ModulePath = Vec<String>;

const CRATES: [&str; 14] = [
    "sim-core",
    "network-models",
    "mpi-api",
    "mpi-abi",
    "mpi-abi/functions",
    "guest",
    "workers",
    "scenarios",
    "conformance",
    "replay",
    "reports",
    "windtunnel",
    "oracle",
    "fuzz",
];

/// The number of files that a circle may have.
const MAX: usize = 5;

/// The imports of one file.
#[derive(Default)]
struct File {
    imports: Vec<ModulePath>,
    /// What its public `use` declarations offer, by name.
    offers: BTreeMap<String, ModulePath>,
}

/// Splits the tree of a `use` declaration into paths.
fn paths(tree: &str, before: &[String], found: &mut Vec<ModulePath>) {
    let (mut depth, mut start) = (0, 0);
    let mut parts = Vec::new();
    for (at, letter) in tree.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&tree[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&tree[start..]);
    for part in parts.iter().map(|part| part.trim()).filter(|part| !part.is_empty()) {
        let (plain, list) = match part.split_once('{') {
            Some((plain, list)) => (plain, list.strip_suffix('}')),
            None => (part, None),
        };
        let plain = plain.split(" as ").next().unwrap_or_default();
        let names = plain.split("::").map(str::trim).filter(|name| !name.is_empty());
        let path: ModulePath = before.iter().cloned().chain(names.map(str::to_string)).collect();
        match list {
            Some(list) => paths(list, &path, found),
            None => found.push(path),
        }
    }
}

/// Returns a path as seen from the root of the crate; `None` if it leads out of the crate.
fn from_root(
    path: &[String],
    module: &[String],
    files: &BTreeSet<ModulePath>,
) -> Option<ModulePath> {
    let (first, after) = path.split_first()?;
    let (mut base, mut rest) = (module.to_vec(), path);
    match first.as_str() {
        "crate" => return Some(after.to_vec()),
        "self" => rest = after,
        "super" => {
            while let [first, more @ ..] = rest
                && first == "super"
            {
                base.pop();
                rest = more;
            }
        }
        // Of other names only those of modules inside this one belong to the crate.
        name => _ = files.get(&[module, &[name.to_string()]].concat())?,
    }
    base.extend(rest.iter().cloned());
    // `use x::{self}` imports `x`.
    base.pop_if(|last| *last == "self");
    Some(base)
}

/// Reads the imports of a file without comments and unit tests.
fn read(text: &str, module: &[String], files: &BTreeSet<ModulePath>) -> File {
    let code: Vec<&str> =
        text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
    let code = code.join("\n");
    let code = code.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let mut file = File::default();
    // The modules that the file imports, by their names.
    let mut modules: BTreeMap<String, ModulePath> = BTreeMap::new();
    let mut body = String::new();
    let mut rest = code;
    while let Some(at) = rest.find("use ") {
        let line = rest[..at].rfind('\n').map_or(0, |end| end + 1);
        let before = rest[line..at].trim();
        let is_use = before.is_empty() || before == "pub" || before.starts_with("pub(");
        let end = rest[at..].find(';').map(|end| at + end);
        let (true, Some(end)) = (is_use, end) else {
            body.push_str(&rest[..at + 4]);
            rest = &rest[at + 4..];
            continue;
        };
        body.push_str(&rest[..line]);
        let mut found = Vec::new();
        paths(&rest[at + 4..end].replace('\n', " "), &[], &mut found);
        for path in found.iter().filter_map(|path| from_root(path, module, files)) {
            if let Some(name) = path.last().filter(|_| files.contains(&path)) {
                modules.insert(name.clone(), path.clone());
            }
            match path.last() {
                Some(name) if !before.is_empty() => _ = file.offers.insert(name.clone(), path),
                _ => file.imports.push(path),
            }
        }
        rest = &rest[end + 1..];
    }
    body.push_str(rest);
    // A visibility, as in `pub(in crate::kernel)`, imports nothing.
    let body = body.replace("pub(in crate::", "pub(in ");
    let word = |letter: char| !(letter.is_alphanumeric() || letter == '_' || letter == ':');
    for word in body.split(word).filter(|word| word.contains("::")) {
        let path: ModulePath =
            word.split("::").filter(|name| !name.is_empty()).map(str::to_string).collect();
        match path.split_first().map(|(first, rest)| (first.as_str(), rest)) {
            Some(("crate" | "super" | "self", _)) => {
                file.imports.extend(from_root(&path, module, files));
            }
            Some((name, rest)) => {
                let known = modules.get(name);
                file.imports.extend(known.map(|known| [known, rest].concat()));
            }
            None => {}
        }
    }
    file
}

/// Returns the file that defines what a path names.
fn definition(path: &[String], files: &BTreeMap<ModulePath, File>, depth: u32) -> ModulePath {
    let known = (0..=path.len()).rev().find(|length| files.contains_key(&path[..*length]));
    let (module, rest) = path.split_at(known.unwrap_or(0));
    let offered = rest.first().and_then(|name| files.get(module)?.offers.get(name));
    match offered {
        Some(offered) if depth < 10 => {
            let whole: ModulePath = offered.iter().chain(&rest[1..]).cloned().collect();
            definition(&whole, files, depth + 1)
        }
        _ => module.to_vec(),
    }
}

fn sources(folder: &Path, module: &mut ModulePath, found: &mut BTreeMap<ModulePath, String>) {
    for entry in std::fs::read_dir(folder).expect("a folder of ours").flatten() {
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        if path.is_dir() {
            module.push(name);
            sources(&path, module, found);
            module.pop();
        } else if let Some(stem) = name.strip_suffix(".rs") {
            let mut file = module.clone();
            if !matches!(stem, "mod" | "lib" | "main") {
                file.push(stem.to_string());
            }
            let text = std::fs::read_to_string(path).expect("a source of ours");
            found.entry(file).or_default().push_str(&text);
        }
    }
}

/// Returns the files of each circle of a crate.
fn circles(folder: &Path) -> BTreeSet<Vec<String>> {
    let mut texts = BTreeMap::new();
    sources(folder, &mut Vec::new(), &mut texts);
    let names: BTreeSet<ModulePath> = texts.keys().cloned().collect();
    let files: BTreeMap<ModulePath, File> =
        texts.iter().map(|(name, text)| (name.clone(), read(text, name, &names))).collect();
    let imports: BTreeMap<&ModulePath, BTreeSet<ModulePath>> = files
        .iter()
        .map(|(name, file)| {
            let all = file.imports.iter().map(|path| definition(path, &files, 0));
            (name, all.filter(|target| target != name && files.contains_key(target)).collect())
        })
        .collect();
    let reach = |from: &ModulePath| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from.clone()]);
        while let Some(next) = open.pop() {
            for target in &imports[&next] {
                if seen.insert(target.clone()) {
                    open.push(target.clone());
                }
            }
        }
        seen
    };
    let reached: BTreeMap<&ModulePath, BTreeSet<ModulePath>> =
        files.keys().map(|name| (name, reach(name))).collect();
    let circle = |name: &ModulePath| -> Vec<String> {
        let others = reached[name].iter().filter(|other| reached[*other].contains(name));
        others.map(|other| other.join("::")).collect()
    };
    files.keys().map(circle).filter(|circle| !circle.is_empty()).collect()
}

#[test]
fn circles_of_files_that_import_each_other_are_small() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for name in CRATES {
        let folder = root.join(name).join("src");
        if !folder.is_dir() {
            continue;
        }
        for circle in circles(&folder) {
            assert!(
                circle.len() <= MAX,
                "{name}: {} files import each other, {MAX} are allowed: {}",
                circle.len(),
                circle.join(", ")
            );
        }
    }
}

#[test]
fn the_measure_sees_through_re_exports() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    };
    write("lib.rs", "mod a;\nmod b;\npub use self::b::{B, C};\n");
    write("a/mod.rs", "mod inner;\nuse crate::{B, C as Other};\npub(crate) use self::inner::A;\n");
    write("a/inner.rs", "use crate::b;\npub struct A;\n");
    write("b.rs", "pub struct B;\npub struct C;\n");
    assert!(circles(folder.path()).is_empty());
    // Now `b` imports what `a` re-exports from its inner file.
    write("b.rs", "use super::a::A;\npub struct B(A);\npub struct C;\n");
    assert_eq!(circles(folder.path()), [["a::inner", "b"].map(String::from).to_vec()].into());
    // Or calls a function of it by the name of the module.
    write("b.rs", "use super::a;\npub fn b() {\n    a::inner();\n    a::A::new();\n}\n");
    assert_eq!(circles(folder.path()).len(), 1);
    write("b.rs", "pub struct B;\n#[cfg(test)]\nmod tests {\n    use super::super::a::A;\n}\n");
    assert!(circles(folder.path()).is_empty());
}
