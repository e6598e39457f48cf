//! Functions of the standard that are not modelled yet. Programs that refer to them compile and
//! link; a call ends the run with a finding that names the function. The table is
//! `data/unmodelled.json`: the text of `mpi.h`, the Fortran interfaces, the exports and `list
//! functions` are generated from it.

use std::{ffi::c_int, fmt::Write as _, sync::LazyLock};

use mpi_api::{
    call::ReportCall,
    finding::{CallSite, Code, Finding},
};
use serde::Deserialize;

use super::Export;
use crate::state::always;

const TABLE: &str = include_str!("../../data/unmodelled.json");

/// Placeholders of the table with their C types, without and with large counts.
const WORDS: [(&str, &str, &str); 4] = [
    ("COUNT", "int", "MPI_Count"),
    ("UNIT", "int", "MPI_Aint"),
    ("EXTENT", "MPI_Aint", "MPI_Count"),
    ("function_N", "function", "function_c"),
];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    section: String,
    /// Whether there is a large-count form.
    #[serde(default)]
    large: bool,
    /// Declarations in C, with [`WORDS`] for types that differ between the forms.
    parameters: Vec<String>,
}

/// A parameter of a function.
#[derive(Debug)]
pub(super) struct Parameter {
    /// The type in C.
    pub(super) kind: String,
    /// The name of the parameter.
    pub(super) name: String,
}

/// A function of the standard that is not modelled yet.
#[derive(Debug)]
pub struct Unmodelled {
    /// Name, such as `MPI_Win_create`.
    pub name: String,
    /// Section of MPI 5.0 that defines it.
    pub section: String,
    pub(super) parameters: Vec<Parameter>,
}

impl Unmodelled {
    fn new(row: &Row, large: bool) -> Self {
        let parameter = |text: &String| {
            let mut text = text.clone();
            for (word, small, wide) in WORDS {
                text = text.replace(word, if large { wide } else { small });
            }
            let part = |letter: char| letter.is_alphanumeric() || letter == '_';
            let at = text.rfind(|letter| !part(letter)).map_or(0, |place| place + 1);
            Parameter { kind: text[..at].trim_end().to_string(), name: text[at..].to_string() }
        };
        let name = if large { format!("{}_c", row.name) } else { row.name.clone() };
        let parameters = row.parameters.iter().map(parameter).collect();
        Self { name, section: row.section.clone(), parameters }
    }

    /// Reports whether it belongs to one-sided communication, which owns its buffers beyond the
    /// call.
    pub(super) fn is_one_sided(&self) -> bool {
        self.section.starts_with("12.")
    }

    /// Returns the declaration in C; `prefix` is `P` for the profiling name.
    fn prototype(&self, prefix: &str) -> String {
        let mut text = format!("int {prefix}{}(", self.name);
        let mut length = text.len();
        for (at, Parameter { kind, name }) in self.parameters.iter().enumerate() {
            let space = if kind.ends_with('*') { "" } else { " " };
            let end = if at + 1 == self.parameters.len() { ");" } else { "," };
            let word = format!("{kind}{space}{name}{end}");
            let before = match at {
                0 => "",
                _ if length + word.len() < 98 => " ",
                _ => "\n    ",
            };
            length = if before.starts_with('\n') { 4 } else { length + before.len() };
            length += word.len();
            text.push_str(before);
            text.push_str(&word);
        }
        text
    }
}

static FUNCTIONS: LazyLock<Vec<Unmodelled>> = LazyLock::new(|| {
    let rows: Vec<Row> = serde_json::from_str(TABLE).expect("a table of ours is well-formed");
    let forms = |row: &Row| {
        let large = row.large.then(|| Unmodelled::new(row, true));
        [Some(Unmodelled::new(row, false)), large].into_iter().flatten().collect::<Vec<_>>()
    };
    rows.iter().flat_map(forms).collect()
});

/// Returns every function of the standard that is not modelled yet, in order of name.
pub fn unmodelled() -> &'static [Unmodelled] {
    &FUNCTIONS
}

/// Returns the declarations in C.
pub(crate) fn prototypes() -> String {
    let mut text = String::new();
    for function in unmodelled() {
        for prefix in ["", "P"] {
            let _ = writeln!(text, "{}", function.prototype(prefix));
        }
    }
    text
}

/// Ends the run; called in place of every unmodelled function. No error handler is called, because
/// the program would continue with results that nobody computed.
pub(super) extern "C-unwind" fn stop() -> c_int {
    always(|state, site| {
        let name = site.call_or("a function of MPI");
        let known = unmodelled().iter().find(|known| known.name.eq_ignore_ascii_case(name));
        let section = known.map_or("12", |known| &known.section);
        let what = if section.starts_with("14") || name.to_uppercase().starts_with("MPI_FILE_") {
            "files"
        } else {
            "windows"
        };
        let rank = state.number();
        let label = format!("{what} of MPI are not simulated");
        let place = CallSite::new(rank, name, site.known(), label);
        let message = format!("rank {rank}: {name} is not modelled yet");
        let finding = Finding::error(Code::NotModelled, message, vec![rank], vec![place])
            .note(format!("the run ends here, whatever the error handler (MPI 5.0, {section})"))
            .help("`windtunnel list functions` tells what is modelled");
        state.kernel(site, ReportCall::Fatal(Box::new(finding))).map(|_| ())
    })
}

/// Returns an export for each of them.
pub(super) fn exports() -> impl Iterator<Item = Export> {
    let address = stop as *const () as usize;
    unmodelled().iter().map(move |function| (function.name.as_str(), address))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_differ_in_their_counts() {
        let find = |name: &str| unmodelled().iter().find(|known| known.name == name);
        let small = find("MPI_Win_shared_query").expect("a function").prototype("");
        assert!(small.ends_with("MPI_Aint *size, int *disp_unit, void *baseptr);"), "{small}");
        let long = find("MPI_Win_create_keyval").expect("a function").prototype("");
        assert!(
            long.contains(",\n    MPI_Win_delete_attr_function *win_delete_attr_fn,"),
            "{long}"
        );
        let large = find("MPI_File_get_type_extent_c").expect("a function").prototype("P");
        assert_eq!(
            large,
            "int PMPI_File_get_type_extent_c(MPI_File fh, MPI_Datatype datatype, MPI_Count *extent);"
        );
        assert!(prototypes().lines().all(|line| line.len() <= 100));
    }

    #[test]
    fn the_table_is_in_order_and_has_no_word_left() {
        let names: Vec<&str> = unmodelled().iter().map(|known| known.name.as_str()).collect();
        let small = |name: &'static str| name.strip_suffix("_c").unwrap_or(name);
        assert!(names.is_sorted_by_key(|name| small(name)));
        let text = prototypes();
        assert!(WORDS.iter().all(|(word, ..)| !text.contains(word)), "{text}");
    }
}
