//! The functions of MPI, each described once, in `data/functions.json`.
//!
//! A row of the file gives the name of a function, its section, its parameters as C declares them,
//! the Rust function that implements it, and what is special about its Fortran procedure. A row may
//! stand for up to six functions: the blocking, the nonblocking and the persistent form, each also
//! with large counts. [`functions`] expands the rows.
//!
//! The tests of this crate write what follows from the descriptions: the prototypes in `mpi.h`, the
//! table of exported functions and the table of Fortran procedures of `mpi-abi`. They fail when a
//! written file is stale, and write it again if `WINDTUNNEL_BLESS` is set.
//!
//! # Rows
//!
//! - `name`, `section` of MPI 5.0 (absent for functions of our own), and `group`: the letter under
//!   which textbooks' calls are counted.
//! - `parameters`: C declarations. `COUNT` is `int`, or `MPI_Count` in the large-count form, whose
//!   name ends in `_c`; `UNIT` is `int` or `MPI_Aint`; `EXTENT` is `MPI_Aint` or `MPI_Count`;
//!   `function_N` is `function` or `function_c`.
//! - `large`: there is a large-count form. `returns`: the type returned, if it is not `int`.
//! - `by`: the implementation, a path in `mpi-abi/src/function`. `<N>` becomes the type of a count.
//!   A row without it is a function that is not modelled. `refused`: it always returns an error.
//!   `takes`: the implementation looks at this many parameters only.
//! - `immediate`, `persistent`: there is also a nonblocking form, such as `MPI_Ibcast`, and a
//!   persistent one, such as `MPI_Bcast_init`, with their own section and group. They are
//!   implemented by `ibcast` and `bcast_init` in the same module.
//! - `fortran`: the procedure of Fortran has the same parameters without those that are null here,
//!   and is implemented by the same function, or by that of `by`. Kinds of arguments
//!   (`function/fortran/argument`) that do not follow from the declaration in C are given by
//!   parameter. Without `fortran` there is no procedure in the table.

mod editions;
mod fortran;

use std::{collections::BTreeMap, sync::LazyLock};

use serde::Deserialize;

pub use self::editions::{Edition, History, Standing, editions, history};

const DATA: &str = include_str!("../data/functions.json");

/// Placeholders of declarations with their C types, without and with large counts.
const WORDS: [(&str, &str, &str); 4] = [
    ("COUNT", "int", "MPI_Count"),
    ("UNIT", "int", "MPI_Aint"),
    ("EXTENT", "MPI_Aint", "MPI_Count"),
    ("function_N", "function", "function_c"),
];

/// One function of MPI.
#[derive(Clone, Debug)]
pub struct Function {
    /// Name, such as `MPI_Ibcast_c`.
    pub name: String,
    /// Section of MPI 5.0 that defines it; empty for functions of our own.
    pub section: String,
    /// Letter of its group, for the functions that textbooks cover.
    pub group: Option<char>,
    /// How far it is modelled.
    pub status: Status,
    /// Type that it returns in C.
    pub returns: String,
    /// Parameters in C.
    pub parameters: Vec<Parameter>,
    /// Rust path of its implementation below `mpi_abi::function`; `None` if it is absent.
    pub implementation: Option<String>,
    /// Number of parameters that the implementation takes: the first ones.
    pub takes: usize,
    /// The procedure in the table of Fortran procedures.
    pub procedure: Option<Procedure>,
}

/// How far a function is modelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The function does what the standard says.
    Supported,
    /// The function always returns an error.
    Refused,
    /// A call ends the run with a finding.
    Absent,
}

/// A parameter of a function in C: `const int`, `counts`, `[]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The type before the name.
    pub kind: String,
    /// The name.
    pub name: String,
    /// The dimensions after the name; empty unless it is an array.
    pub dimensions: String,
}

/// A procedure of Fortran.
#[derive(Clone, Debug)]
pub struct Procedure {
    /// Rust path of its implementation below `mpi_abi::function`.
    pub implementation: String,
    /// Name and kind of each argument except the error code.
    pub arguments: Vec<(String, String)>,
}

/// A row of the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    #[serde(default)]
    section: String,
    group: Option<char>,
    #[serde(default)]
    large: bool,
    #[serde(default)]
    refused: bool,
    #[serde(default = "int")]
    returns: String,
    parameters: Vec<String>,
    by: Option<String>,
    takes: Option<usize>,
    immediate: Option<Form>,
    persistent: Option<Form>,
    fortran: Option<BTreeMap<String, Option<String>>>,
}

/// Where another form of a function is defined.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    section: String,
    group: Option<char>,
}

fn int() -> String {
    "int".to_string()
}

impl Parameter {
    /// Reads a declaration such as `const int counts[]`.
    fn new(declaration: &str) -> Self {
        let (rest, dimensions) = match declaration.find('[') {
            Some(at) => declaration.split_at(at),
            None => (declaration, ""),
        };
        let part = |letter: char| letter.is_alphanumeric() || letter == '_';
        let at = rest.rfind(|letter| !part(letter)).map_or(0, |place| place + 1);
        let (kind, name) = rest.split_at(at);
        Self {
            kind: kind.trim_end().to_string(),
            name: name.to_string(),
            dimensions: dimensions.to_string(),
        }
    }

    /// Returns the declaration in C.
    pub fn declaration(&self) -> String {
        let Self { kind, name, dimensions } = self;
        let space = if kind.ends_with(['*', '.']) { "" } else { " " };
        format!("{kind}{space}{name}{dimensions}")
    }

    /// Returns the type of C's argument without its name: `const int[]`.
    fn type_name(&self) -> String {
        format!("{}{}", self.kind, self.dimensions)
    }
}

/// Replaces the placeholders by the types of one form.
fn in_form(text: &str, large: bool) -> String {
    WORDS.iter().fold(text.to_string(), |text, (word, small, wide)| {
        text.replace(word, if large { wide } else { small })
    })
}

/// Replaces the `N` of a list of generic arguments by the type of a count: in `collective::bcast<N>`
/// or `Take<N>`.
fn with_count(text: &str, large: bool) -> String {
    let count = if large { "i64" } else { "c_int" };
    text.replace("<N>", &format!("<{count}>")).replace(", N>", &format!(", {count}>"))
}

/// Spells a path as an expression: `bcast<N>` becomes `bcast::<c_int>`.
fn expression(path: &str, large: bool) -> String {
    with_count(path, large).replacen('<', "::<", 1)
}

impl Row {
    /// Returns the functions that the row stands for.
    fn functions(&self) -> Vec<Function> {
        let mut rows = vec![self.like(&self.name, None, &[], String::clone)];
        let request = "MPI_Request *request";
        if let Some(form) = &self.immediate {
            let rest = self.name.trim_start_matches("MPI_");
            let name = format!("MPI_I{}{}", rest[..1].to_lowercase(), &rest[1..]);
            let path = |path: &String| path.replace("::", "::i");
            rows.push(self.like(&name, Some(form), &[request], path));
        }
        if let Some(form) = &self.persistent {
            // Sends and receives have no info argument (MPI 3.9).
            let more: &[_] = if self.section.starts_with("3.") {
                &[request]
            } else {
                &["MPI_Info info", request]
            };
            let path = |path: &String| match path.split_once('<') {
                Some((path, generics)) => format!("{path}_init<{generics}"),
                None => format!("{path}_init"),
            };
            rows.push(self.like(&format!("{}_init", self.name), Some(form), more, path));
        }
        let forms = |row: Self| {
            let large = row.large.then(|| row.function(true));
            [Some(row.function(false)), large].into_iter().flatten().collect::<Vec<_>>()
        };
        rows.into_iter().flat_map(forms).collect()
    }

    /// Returns the row of another form, with further parameters and another implementation.
    fn like(
        &self,
        name: &str,
        form: Option<&Form>,
        more: &[&str],
        path: impl Fn(&String) -> String,
    ) -> Self {
        let more = more.iter().map(ToString::to_string);
        Self {
            name: name.to_string(),
            section: form.map_or(&self.section, |form| &form.section).clone(),
            group: form.map_or(self.group, |form| form.group),
            large: self.large,
            refused: self.refused,
            returns: self.returns.clone(),
            parameters: self.parameters.iter().cloned().chain(more).collect(),
            by: self.by.as_ref().map(path),
            takes: self.takes,
            immediate: None,
            persistent: None,
            fortran: self.fortran.clone().map(|mut special| {
                form.and_then(|_| special.remove("by"));
                special
            }),
        }
    }

    /// Returns the function of this row, with large counts or without.
    fn function(&self, large: bool) -> Function {
        let parameter = |text: &String| Parameter::new(&in_form(text, large));
        let declared = || self.parameters.iter().map(|text| Parameter::new(text));
        Function {
            name: if large { format!("{}_c", self.name) } else { self.name.clone() },
            section: self.section.clone(),
            group: self.group.filter(|_| !large),
            status: match &self.by {
                None => Status::Absent,
                Some(_) if self.refused => Status::Refused,
                Some(_) => Status::Supported,
            },
            returns: self.returns.clone(),
            parameters: self.parameters.iter().map(parameter).collect(),
            implementation: self.by.as_ref().map(|path| expression(path, large)),
            takes: self.takes.unwrap_or(self.parameters.len()),
            procedure: self.by.as_ref().zip(self.fortran.as_ref()).map(|(path, special)| {
                let path = special.get("by").and_then(Option::as_ref).unwrap_or(path);
                let argument = |parameter: Parameter| {
                    let kind = match special.get(&parameter.name) {
                        Some(given) => given.clone()?,
                        None => fortran::kind(&parameter).unwrap_or_else(|| {
                            panic!("{}: {} needs a kind for Fortran", self.name, parameter.name)
                        }),
                    };
                    Some((parameter.name, with_count(&kind, large)))
                };
                Procedure {
                    implementation: expression(path, large),
                    arguments: declared().filter_map(argument).collect(),
                }
            }),
        }
    }
}

/// Returns every function, in order of its name.
pub fn functions() -> &'static [Function] {
    static FUNCTIONS: LazyLock<Vec<Function>> = LazyLock::new(|| {
        let rows: Vec<Row> = serde_json::from_str(DATA).expect("a table of ours is well-formed");
        let mut all: Vec<_> = rows.iter().flat_map(Row::functions).collect();
        all.sort_by(|one, other| one.name.cmp(&other.name));
        all
    });
    &FUNCTIONS
}

/// Returns a function by its name in the spelling of any language.
fn named(function: &str) -> Option<&'static Function> {
    functions().iter().find(|known| known.name.eq_ignore_ascii_case(function))
}

/// Returns the section of MPI 5.0 that defines a function, in the spelling of any language.
pub fn section_of(function: &str) -> Option<&'static str> {
    named(function).map(|known| &*known.section)
}

impl Function {
    /// Returns the number, from 0, of the parameter that is the buffer, if there is just one.
    fn buffer(&self) -> Option<usize> {
        let is_buffer = |it: &Parameter| matches!(&*it.kind, "void *" | "const void *");
        let mut buffers = self.parameters.iter().enumerate().filter(|(_, it)| is_buffer(it));
        let (number, _) = buffers.next()?;
        buffers.next().is_none().then_some(number)
    }
}

/// Returns the number, from 0, of the parameter of a function that is its buffer, if it has just one. The function may be in
/// the spelling of any language.
pub fn buffer_of(function: &str) -> Option<usize> {
    named(function)?.buffer()
}

/// Like [`buffer_of`], for functions that return a request for an operation on the buffer.
pub fn buffer_of_operation(function: &str) -> Option<usize> {
    let known = named(function)?;
    let request = known.parameters.last().filter(|last| last.kind == "MPI_Request *");
    known.buffer().filter(|_| request.is_some())
}

/// Returns the functions of the standard that are not modelled yet.
pub fn absent() -> impl Iterator<Item = &'static Function> {
    functions().iter().filter(|function| function.status == Status::Absent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_one_buffer_are_told_from_others() {
        for (function, buffer) in [
            ("MPI_Send", Some(0)),
            ("mpi_irecv", Some(0)),
            ("MPI_Bcast_c", Some(0)),
            ("MPI_Sendrecv_replace", Some(0)),
            ("MPI_File_write_at", Some(2)),
            ("MPI_Scatter", None),
            ("MPI_Sendrecv", None),
            ("MPI_Comm_rank", None),
            ("main", None),
        ] {
            assert_eq!(buffer_of(function), buffer, "{function}");
        }
        for function in ["MPI_Isend", "mpi_ibcast", "MPI_Send_init", "MPI_Imrecv", "MPI_Rput"] {
            assert!(buffer_of_operation(function).is_some(), "{function}");
        }
        for function in ["MPI_Send", "MPI_Wait", "MPI_Start", "MPI_Ibarrier", "MPI_Igather"] {
            assert!(buffer_of_operation(function).is_none(), "{function}");
        }
    }

    fn row(text: &str) -> Vec<Function> {
        serde_json::from_str::<Row>(text).expect("a row").functions()
    }

    fn declarations(function: &Function) -> String {
        let all: Vec<_> = function.parameters.iter().map(Parameter::declaration).collect();
        all.join(", ")
    }

    #[test]
    fn a_row_stands_for_six_functions() {
        let functions =
            row(r#"{"name": "MPI_Gatherv", "section": "6.5", "group": "K", "large": true,
                "parameters": ["const void *buf", "const COUNT counts[]", "MPI_Comm comm"],
                "by": "collective::gatherv<N>", "immediate": {"section": "6.12"},
                "persistent": {"section": "6.13"}, "fortran": {}}"#);
        let names: Vec<_> = functions.iter().map(|function| function.name.as_str()).collect();
        assert_eq!(
            names,
            [
                "MPI_Gatherv",
                "MPI_Gatherv_c",
                "MPI_Igatherv",
                "MPI_Igatherv_c",
                "MPI_Gatherv_init",
                "MPI_Gatherv_init_c"
            ]
        );
        let last = &functions[5];
        assert_eq!(
            declarations(last),
            "const void *buf, const MPI_Count counts[], MPI_Comm comm, MPI_Info info, \
             MPI_Request *request"
        );
        assert_eq!(last.implementation.as_deref(), Some("collective::gatherv_init::<i64>"));
        let procedure = last.procedure.as_ref().expect("Fortran has it");
        let kinds: Vec<_> = procedure.arguments.iter().map(|(_, kind)| kind.as_str()).collect();
        assert_eq!(kinds, ["Input", "Take<i64>", "Object", "Object", "Variable"]);
        assert_eq!(functions[2].implementation.as_deref(), Some("collective::igatherv::<c_int>"));
        assert_eq!((functions[0].group, functions[1].group), (Some('K'), None));
        assert_eq!((&*functions[2].section, &*functions[4].section), ("6.12", "6.13"));
    }

    #[test]
    fn fortran_may_differ_by_argument() {
        let functions = row(r#"{"name": "MPI_Info_create_env", "section": "10",
                "parameters": ["int argc", "char *argv[]", "MPI_Info *info"],
                "by": "info::env", "fortran": {"argc": null, "argv": null, "by": "adapt::env"}}"#);
        let procedure = functions[0].procedure.as_ref().expect("Fortran has it");
        assert_eq!(procedure.arguments, [("info".to_string(), "Variable".to_string())]);
        assert_eq!(procedure.implementation, "adapt::env");
        assert_eq!(functions[0].implementation.as_deref(), Some("info::env"));
    }

    #[test]
    fn names_are_different_and_no_placeholder_is_left() {
        let all = functions();
        assert!(all.is_sorted_by(|one, other| one.name < other.name));
        for function in all {
            let text = declarations(function);
            assert!(WORDS.iter().all(|(word, ..)| !text.contains(word)), "{text}");
            let given = [
                &function.implementation,
                &function.procedure.clone().map(|found| found.implementation),
            ];
            assert!(
                given.into_iter().flatten().all(|path| !path.contains("<N>")),
                "{}",
                function.name
            );
        }
    }
}
