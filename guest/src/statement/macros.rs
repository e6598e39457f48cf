//! The macros of Fortran sources: a statement with one of them is not what its text says.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    rc::Rc,
};

use super::{includes_mpif, is_part};

/// Returns the name that a line gives to a macro, or the file that it includes, if it does either.
fn directive(line: &str) -> Option<Directive<'_>> {
    let text = line.trim_start().strip_prefix('#')?.trim_start();
    if let Some(rest) = text.strip_prefix("define") {
        let name = rest.trim_start();
        return Some(Directive::Define(name.split(|letter| !is_part(letter)).next()?));
    }
    let rest = text.strip_prefix("include")?.trim();
    let name = rest.strip_prefix('"').and_then(|name| name.strip_suffix('"'));
    (!includes_mpif(line)).then_some(Directive::Include(name))
}

enum Directive<'a> {
    /// A macro of this name is defined.
    Define(&'a str),
    /// The file of this name is included; `None` for one of the system.
    Include(Option<&'a str>),
}

/// Most files that include each other.
const INCLUDES_MAX: usize = 8;

/// The names that source files give to macros, themselves or by what they include; `None` where that is not known.
type Known = BTreeMap<&'static str, Option<Rc<BTreeSet<String>>>>;

thread_local! {
    /// A cache of the names in the files that were looked up.
    static MACROS: RefCell<Known> = const { RefCell::new(BTreeMap::new()) };
}

/// Adds the names of the macros of some lines; false if they include a file that is not beside theirs.
fn add_macros(folder: &Path, lines: &[String], depth: usize, names: &mut BTreeSet<String>) -> bool {
    lines.iter().filter_map(|line| directive(line)).all(|directive| match directive {
        Directive::Define(name) => {
            names.insert(name.to_string());
            true
        }
        Directive::Include(None) => false,
        Directive::Include(Some(name)) => {
            let path = folder.join(name);
            let Some(text) = fs::read(&path).ok().filter(|_| depth < INCLUDES_MAX) else {
                return false;
            };
            let lines: Vec<String> =
                String::from_utf8_lossy(&text).lines().map(str::to_string).collect();
            add_macros(path.parent().unwrap_or(folder), &lines, depth + 1, names)
        }
    })
}

/// Reports whether a macro of a source file may be part of a statement in it.
pub(super) fn may_be_in(file: &'static str, lines: &[String], statement: &str) -> bool {
    let known = MACROS.with_borrow_mut(|known| {
        let read = || {
            let (mut names, folder) = (BTreeSet::new(), Path::new(file).parent());
            let is_known = add_macros(folder.unwrap_or(Path::new("")), lines, 0, &mut names);
            is_known.then(|| Rc::new(names))
        };
        known.entry(file).or_insert_with(read).clone()
    });
    let Some(names) = known else { return true };
    statement.split(|letter| !is_part(letter)).any(|word| names.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_of_a_file_and_of_what_it_includes_are_known() {
        let folder = tempfile::TempDir::new().expect("a folder");
        fs::write(folder.path().join("sizes.h"), "#define SIZE 3\n").expect("a file");
        let names = |text: &str| {
            let mut names = BTreeSet::new();
            let lines: Vec<String> = text.lines().map(str::to_string).collect();
            let is_known = add_macros(folder.path(), &lines, 0, &mut names);
            is_known.then(|| names.into_iter().collect::<Vec<_>>().join(" "))
        };
        let text = "#ifdef D\n# define ARGS(a) a, 1\n#endif\n#include \"sizes.h\"\n#undef X\n";
        assert_eq!(names(text), Some("ARGS SIZE".into()));
        assert_eq!(names("#include \"mpif.h\"\n      include 'mpif.h'"), Some(String::new()));
        assert_eq!(names("#include <sizes.h>"), None);
        assert_eq!(names("#include \"others.h\""), None);
    }
}
