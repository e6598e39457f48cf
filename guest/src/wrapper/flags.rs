//! Reads and assembles the compiler's command line.

use std::{ffi::OsString, path::Path};

use super::Places;
use crate::statement;

/// The language of a compiler command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// C, by `windtunnel cc`.
    C,
    /// C++, by `windtunnel cxx`.
    Cxx,
    /// Fortran, by `windtunnel fc`.
    Fortran,
}

/// Flags of every compilation: debug information for the lines of calls, no tail calls, which would
/// hide the line, frame pointers for backtraces, stack probes so that no frame skips a guard page,
/// and thread-local variables reached through a pointer that the loader can replace.
const COMPILE: [&str; 6] = [
    "-g",
    "-fPIE",
    "-fno-omit-frame-pointer",
    "-fno-optimize-sibling-calls",
    "-fstack-clash-protection",
    "-mno-tls-direct-seg-refs",
];

/// Flags of compilations by GCC: equal calls, the equal ends of blocks and equal functions stay apart, so that each has its
/// own lines. The header has an attribute for Clang to the same end.
const COMPILE_WITH_GCC: [&str; 3] = ["-fno-crossjumping", "-fno-tree-tail-merge", "-fno-ipa-icf"];

/// The same of C++: without this flag, unique symbols would be shared by all ranks. Clang has no such symbols.
const COMPILE_CXX_WITH_GCC: &str = "-fno-gnu-unique";

/// The simulator reports where a program failed; the library's own handlers cannot.
const COMPILE_FORTRAN: [&str; 1] = ["-fno-backtrace"];

/// Options whose value is the next argument.
const WITH_VALUE: [&str; 26] = [
    "-o",
    "-I",
    "-D",
    "-U",
    "-L",
    "-l",
    "-x",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-iprefix",
    "-isysroot",
    "-MF",
    "-MT",
    "-MQ",
    "-Xlinker",
    "-Xassembler",
    "-Xpreprocessor",
    "-T",
    "-z",
    "-u",
    "-e",
    "-J",
    "--param",
];

/// Options that stop before linking.
const NO_LINK: [&str; 6] = ["-c", "-S", "-E", "-M", "-MM", "-fsyntax-only"];

/// Options that select the kind of the output file.
const OWN_KIND: [&str; 4] = ["-shared", "-no-pie", "-nopie", "-r"];

/// Options by which integers of Fortran have eight bytes, of several compilers.
const LONG_INTEGERS: [&str; 5] =
    ["-fdefault-integer-8", "-finteger-4-integer-8", "-i8", "-qintsize=8", "-integer-size=64"];

/// Options that link the C library into the output file.
const STATIC: [&str; 2] = ["-static", "-static-pie"];

impl Language {
    /// Returns the language of a source file, by the end of its name as compilers know it.
    pub fn of_source(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "c" => Some(Self::C),
            "cc" | "cpp" | "cxx" | "c++" | "cp" | "C" | "CPP" => Some(Self::Cxx),
            _ => statement::is_fortran(path.to_str()?).then_some(Self::Fortran),
        }
    }

    /// Returns the command of this program that compiles the language.
    pub fn command_name(self) -> &'static str {
        match self {
            Self::C => "cc",
            Self::Cxx => "cxx",
            Self::Fortran => "fc",
        }
    }

    /// Returns the compiler to run.
    pub fn compiler(self) -> String {
        let standard = match self {
            Self::C => "cc",
            Self::Cxx => "c++",
            Self::Fortran => "gfortran",
        };
        let chosen = std::env::var(self.variable()).ok().filter(|name| !name.is_empty());
        chosen.unwrap_or_else(|| standard.to_string())
    }

    /// Returns the environment variable that selects another compiler.
    pub fn variable(self) -> &'static str {
        match self {
            Self::C => "WINDTUNNEL_CC",
            Self::Cxx => "WINDTUNNEL_CXX",
            Self::Fortran => "WINDTUNNEL_FC",
        }
    }
}

/// The part of the command line that a query such as `-show` asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The whole command.
    Command,
    /// The command that compiles.
    CompileCommand,
    /// The command that links.
    LinkCommand,
    /// The flags of a compilation only.
    CompileFlags,
    /// The flags of a link only.
    LinkFlags,
    /// The compiler alone.
    Compiler,
    /// The folders of headers and modules, without the option before them.
    IncludeFolders,
    /// The folders of libraries, without the option before them.
    LibraryFolders,
    /// The names of the libraries, without the option before them.
    Libraries,
    /// The version of this MPI.
    Version,
}

/// The arguments of a command, by purpose.
pub struct Words {
    all: Vec<OsString>,
    compile: Vec<OsString>,
    link: Vec<OsString>,
}

impl Words {
    /// Returns all arguments of the compiler.
    pub fn all(self) -> Vec<OsString> {
        self.all
    }
}

impl Part {
    /// Returns the requested part as one line of text.
    pub fn text(self, compiler: &str, words: &Words) -> String {
        let text = |words: &[OsString]| -> Vec<String> {
            words.iter().map(|word| word.to_string_lossy().into_owned()).collect()
        };
        let [all, compile, link] = [&words.all, &words.compile, &words.link].map(|part| text(part));
        let after = |option: &str, words: &[String]| -> Vec<String> {
            words.iter().filter_map(|word| word.strip_prefix(option)).map(String::from).collect()
        };
        let command = |words: Vec<String>| [vec![compiler.to_string()], words].concat();
        let shown = match self {
            Self::Command => command(all),
            Self::CompileCommand => command(compile),
            Self::LinkCommand => command(link),
            Self::CompileFlags => compile,
            Self::LinkFlags => link,
            Self::Compiler => command(Vec::new()),
            Self::IncludeFolders => after("-I", &compile),
            Self::LibraryFolders => after("-L", &link),
            Self::Libraries => after("-l", &link),
            Self::Version => {
                return concat!("Windtunnel ", env!("CARGO_PKG_VERSION"), " (MPI 5.0)").into();
            }
        };
        shown.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
    }
}

/// The user's command line, analysed.
pub struct Request<'a> {
    arguments: &'a [OsString],
    question: Option<Part>,
    inputs: bool,
    links: bool,
    own_kind: bool,
    is_static: Option<&'static str>,
    long_integers: Option<&'static str>,
    /// Whether a source file in Fortran is compiled.
    has_fortran: bool,
}

impl<'a> Request<'a> {
    /// Analyses the user's arguments.
    pub fn of(arguments: &'a [OsString]) -> Self {
        let mut request = Self {
            arguments,
            question: None,
            inputs: false,
            links: true,
            own_kind: false,
            is_static: None,
            long_integers: None,
            has_fortran: false,
        };
        let mut value = false;
        for argument in arguments {
            let word = argument.to_string_lossy();
            if std::mem::take(&mut value) {
                continue;
            }
            if let Some(part) = question(&word) {
                request.question = Some(part);
            } else if NO_LINK.contains(&&*word) {
                request.links = false;
            } else if OWN_KIND.contains(&&*word) {
                request.own_kind = true;
            } else if let Some(option) = STATIC.into_iter().find(|option| *option == word) {
                request.is_static = Some(option);
            } else if let Some(option) = LONG_INTEGERS.into_iter().find(|option| *option == word) {
                request.long_integers = Some(option);
            } else if WITH_VALUE.contains(&&*word) {
                value = true;
            } else if !word.starts_with('-') || word == "-" {
                request.inputs = true;
                let language = Language::of_source(Path::new(argument));
                request.has_fortran |= language == Some(Language::Fortran);
            }
        }
        request
    }

    /// Returns the part of the command line to print instead of compiling, if one was requested.
    pub fn question(&self) -> Option<Part> {
        self.question
    }

    /// Returns the option by which the command would link a program with the C library in it, which nobody can replace.
    pub(super) fn links_statically(&self) -> Option<&'static str> {
        self.is_static.filter(|_| self.links && self.inputs && self.question.is_none())
    }

    /// Returns the option by which integers of a program in Fortran are not those of MPI.
    pub fn lengthens_integers(&self) -> Option<&'static str> {
        self.long_integers.filter(|_| self.has_fortran && self.question.is_none())
    }

    /// Assembles the compiler's arguments: ours to compile, the user's, ours to link. Queries to
    /// the compiler itself (`--version`) are passed on unchanged.
    pub fn command(&self, language: Language, places: &Places) -> Words {
        let mut compile: Vec<OsString> = COMPILE.iter().map(OsString::from).collect();
        if places.of_gcc {
            compile.extend(COMPILE_WITH_GCC.iter().map(OsString::from));
            compile.extend((language == Language::Cxx).then(|| COMPILE_CXX_WITH_GCC.into()));
        }
        if language == Language::Fortran {
            compile.extend(COMPILE_FORTRAN.iter().map(OsString::from));
            compile.extend(places.fortran.iter().cloned());
        }
        compile.push(joined("-I", &places.include));
        let mut link = vec![
            joined("-L", &places.library),
            joined("-Wl,-rpath,", &places.library),
            OsString::from("-Wl,-z,now"),
            OsString::from("-Wl,-z,norelro"),
            OsString::from("-lmpi_abi"),
        ];
        if !self.own_kind && self.is_static.is_none() {
            link.insert(0, "-pie".into());
        }
        // Code, constants and headers share pages, and so do all variables: every rank has pages of its own. The linker
        // gold knows nothing else.
        if !self.arguments.iter().any(|word| word == "-fuse-ld=gold") {
            link.push("-Wl,-z,noseparate-code".into());
        }
        // The static library accesses its thread-local variable in a way that cannot be made
        // private per rank.
        let kept = |word: &&OsString| {
            question(&word.to_string_lossy()).is_none() && *word != "-static-libgfortran"
        };
        let given = || self.arguments.iter().filter(kept);
        let mut all: Vec<OsString> = Vec::new();
        if self.inputs || self.question.is_some() {
            all.extend(compile.iter().cloned());
        }
        all.extend(given().cloned());
        if self.links && (self.inputs || self.question.is_some()) {
            all.extend(link.iter().cloned());
        }
        Words { all, compile, link }
    }
}

fn question(word: &str) -> Option<Part> {
    match word {
        "-show" | "--show" | "-showme" | "--showme" => Some(Part::Command),
        "-compile-info" | "-compile_info" => Some(Part::CompileCommand),
        "-link-info" | "-link_info" => Some(Part::LinkCommand),
        _ => match word.trim_start_matches('-').strip_prefix("showme:")? {
            "compile" => Some(Part::CompileFlags),
            "link" => Some(Part::LinkFlags),
            "command" => Some(Part::Compiler),
            "incdirs" => Some(Part::IncludeFolders),
            "libdirs" => Some(Part::LibraryFolders),
            "libs" => Some(Part::Libraries),
            "version" => Some(Part::Version),
            _ => None,
        },
    }
}

fn joined(option: &str, path: &std::path::Path) -> OsString {
    let mut word = OsString::from(option);
    word.push(path);
    word
}

/// Quotes an argument for a shell.
fn quoted(word: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_=+,./:@%".contains(&byte);
    if !word.is_empty() && word.bytes().all(plain) {
        return word.to_string();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}
