//! Small MPI programs as data, and their text in C and Fortran.

use std::fmt::Write as _;

/// The language of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Language {
    C,
    Fortran,
}

impl Language {
    /// Returns its name in small letters.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::C => "c",
            Self::Fortran => "fortran",
        }
    }
}

/// The ranks that execute a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    All,
    Only(u32),
    Except(u32),
}

/// An argument or a place in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Term {
    Number(i64),
    /// An array of 4,096 numbers, by name.
    Array(&'static str),
    /// A null pointer; only in C.
    Null,
    /// An array of two numbers.
    Tiny,
    Type(Type),
    /// A constant of MPI with the same name in both languages.
    Constant(&'static str),
    /// A variable that holds a handle; an output.
    Out(&'static str),
    /// A variable that holds a handle or a number.
    Value(&'static str),
}

/// The types of the buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Int,
    Float,
    Double,
    Long,
}

impl Type {
    pub(crate) const ALL: [Self; 4] = [Self::Int, Self::Float, Self::Double, Self::Long];

    fn of_memory(self, language: Language) -> &'static str {
        match (self, language) {
            (Self::Int, Language::C) => "int",
            (Self::Float, Language::C) => "float",
            (Self::Double, Language::C) => "double",
            (Self::Long, Language::C) => "long",
            (Self::Int, Language::Fortran) => "integer",
            (Self::Float, Language::Fortran) => "real",
            (Self::Double, Language::Fortran) => "double precision",
            (Self::Long, Language::Fortran) => "integer(8)",
        }
    }

    fn of_message(self, language: Language) -> &'static str {
        match (self, language) {
            (Self::Int, Language::C) => "MPI_INT",
            (Self::Float, Language::C) => "MPI_FLOAT",
            (Self::Double, Language::C) => "MPI_DOUBLE",
            (Self::Long, Language::C) => "MPI_LONG",
            (Self::Int, Language::Fortran) => "MPI_INTEGER",
            (Self::Float, Language::Fortran) => "MPI_REAL",
            (Self::Double, Language::Fortran) => "MPI_DOUBLE_PRECISION",
            (Self::Long, Language::Fortran) => "MPI_INTEGER8",
        }
    }

    /// Returns another type.
    pub(crate) fn other(self) -> Self {
        match self {
            Self::Int => Self::Float,
            Self::Float | Self::Double | Self::Long => Self::Int,
        }
    }
}

/// One statement.
#[derive(Clone, Debug)]
pub(crate) enum Action {
    Call(String, Vec<Term>),
    /// Writes to the first number of an array.
    Write(&'static str),
    /// Reads the first number of an array.
    Read(&'static str),
    /// A line of C.
    Text(String),
}

#[derive(Clone, Debug)]
pub(crate) struct Statement {
    pub(crate) who: Who,
    pub(crate) action: Action,
    /// Whether a finding must name this line.
    pub(crate) marked: bool,
}

impl Statement {
    pub(crate) fn call(who: Who, name: impl Into<String>, arguments: &[Term]) -> Self {
        Self { who, action: Action::Call(name.into(), arguments.to_vec()), marked: false }
    }

    pub(crate) fn all(name: impl Into<String>, arguments: &[Term]) -> Self {
        Self::call(Who::All, name, arguments)
    }

    pub(crate) fn of(who: Who, action: Action) -> Self {
        Self { who, action, marked: false }
    }

    /// Reports whether it is a call of a function.
    pub(crate) fn calls(&self, function: &str) -> bool {
        matches!(&self.action, Action::Call(name, _) if name == function)
    }
}

/// A program with what a check must say of it.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    /// The functions that it is about.
    pub(crate) family: String,
    /// What is wrong with it, or which correct variant it is.
    pub(crate) variant: String,
    pub(crate) ranks: u32,
    pub(crate) memory: Type,
    pub(crate) body: Vec<Statement>,
    /// The verdicts that are right.
    pub(crate) expected: Vec<&'static str>,
}

impl Program {
    pub(crate) fn name(&self) -> String {
        format!("{} / {} / {:?} / {} ranks", self.family, self.variant, self.memory, self.ranks)
    }

    /// Reports whether a language can say it.
    pub(crate) fn can_be(&self, language: Language) -> bool {
        let only_c = |statement: &Statement| match &statement.action {
            // Fortran has logical values where C has numbers in `MPI_Cart_create`.
            Action::Call(name, arguments) => {
                name == "MPI_Cart_create" || arguments.contains(&Term::Null)
            }
            Action::Text(_) => true,
            Action::Write(_) | Action::Read(_) => false,
        };
        language == Language::C || !self.body.iter().any(only_c)
    }
}

fn term(term: Term, language: Language) -> String {
    let c = language == Language::C;
    match term {
        Term::Number(number) => number.to_string(),
        Term::Array(name) => format!("{name}_data"),
        Term::Null => "NULL".into(),
        Term::Tiny => "tiny".into(),
        Term::Type(of) => of.of_message(language).into(),
        // `size` is an intrinsic function of Fortran.
        Term::Value("size") if !c => "size_of_world".into(),
        Term::Constant(name) | Term::Value(name) => name.into(),
        Term::Out(name) if c => format!("&{name}"),
        Term::Out(name) => name.into(),
    }
}

/// Returns a program that is written in C. In its text `T` is the type of its numbers and `M` that of MPI;
/// a line that a finding must name ends with `/* here */`.
pub(crate) fn written(
    family: &str,
    variant: &str,
    (ranks, memory): (u32, Type),
    text: &str,
    verdict: &'static str,
) -> Program {
    let word = |word: &str| match word {
        "T" => memory.of_memory(Language::C).to_string(),
        "M" => memory.of_message(Language::C).to_string(),
        _ => word.to_string(),
    };
    let line = |line: &str| {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let (mut made, mut name) = (String::new(), String::new());
        for c in line.chars() {
            if is_part(c) {
                name.push(c);
            } else {
                made += &word(&std::mem::take(&mut name));
                made.push(c);
            }
        }
        made + &word(&name)
    };
    let statement = |text: &str| Statement {
        who: Who::All,
        action: Action::Text(line(text)),
        marked: text.ends_with("/* here */"),
    };
    Program {
        family: family.into(),
        variant: variant.into(),
        ranks,
        memory,
        body: text.lines().map(statement).collect(),
        expected: vec![verdict],
    }
}

/// Returns the text of a statement.
fn line(statement: &Statement, language: Language) -> String {
    let (c, fortran) = (language == Language::C, language == Language::Fortran);
    let guard = match statement.who {
        Who::All => String::new(),
        Who::Only(rank) => format!("if (rank == {rank}) "),
        Who::Except(rank) if c => format!("if (rank != {rank}) "),
        Who::Except(rank) => format!("if (rank /= {rank}) "),
    };
    let action = match &statement.action {
        Action::Call(name, arguments) => {
            let mut list: Vec<String> =
                arguments.iter().map(|argument| term(*argument, language)).collect();
            if fortran {
                list.push("ierr".into());
            }
            let call = if c { "" } else { "call " };
            format!("{call}{name}({})", list.join(", "))
        }
        Action::Text(text) => return text.clone(),
        Action::Write(name) if c => format!("{name}_data[0] = 5"),
        Action::Write(name) => format!("{name}_data(1) = 5"),
        Action::Read(name) if c => format!("seen = {name}_data[0]"),
        Action::Read(name) => format!("seen = {name}_data(1)"),
    };
    format!("{guard}{action}{}", if c { ";" } else { "" })
}

/// Number of programs in one file.
pub(crate) const BATCH: usize = 100;

/// Returns the text of a file with several programs, which its first argument chooses by number, and
/// the line of each that a finding must name; 0 if it has none.
pub(crate) fn file(programs: &[Program], language: Language) -> (String, Vec<u32>) {
    let mut text = String::new();
    let mut marks = vec![0; programs.len()];
    for (number, program) in programs.iter().enumerate() {
        text += &begin(program, number, language);
        for statement in &program.body {
            if statement.marked {
                marks[number] = text.lines().count() as u32 + 1;
            }
            let _ = writeln!(text, "  {}", line(statement, language));
        }
        text += &end(number, language);
    }
    text += &main(programs.len(), language);
    (text, marks)
}

fn begin(program: &Program, number: usize, language: Language) -> String {
    let of = program.memory.of_memory(language);
    match language {
        Language::C => format!(
            "{}static {of} in_{number}[4096], out_{number}[4096], tiny_{number}[2];\nstatic void case_{number}(void) {{\n  \
             {of} *in_data = in_{number}, *out_data = out_{number}, *tiny = tiny_{number};\n  \
             MPI_Datatype type; MPI_Op op;\n  (void)in_data; (void)out_data; (void)tiny; (void)type; (void)op;\n",
            if number == 0 { C_HEAD } else { "" }
        ),
        Language::Fortran => format!(
            "subroutine case_{number}()\n  use mpi\n  use common_data\n  implicit none\n  \
             {of}, asynchronous, save :: in_data(4096), out_data(4096), tiny(2)\n  integer :: type, op\n  in_data = 1\n  out_data = 0\n  tiny = 0\n"
        ),
    }
}

const C_HEAD: &str = "#include <mpi.h>\n#include <stdlib.h>\nstatic int rank, size, counts[64], fewer[64], places[64];\n/* Reads are kept in optimised code. */\nstatic volatile int seen;\nstatic \
                      MPI_Comm copy, made = MPI_COMM_NULL;\nstatic MPI_Request request, second;\nstatic MPI_Message message;\nstatic MPI_Group group, world_group;\nstatic MPI_Info info;\nstatic MPI_Win \
                      window;\nstatic MPI_Errhandler handler;\nstatic int keyval, one[1] = {0};\n\
                      static void add_bytewise(void *from, void *into, int *count, MPI_Datatype *type) {\n  int bytes;\n  \
                      MPI_Type_size(*type, &bytes);\n  for (int i = 0; i < *count * bytes; i++) ((unsigned char *)into)[i] += \
                      ((unsigned char *)from)[i];\n}\n";

fn end(number: usize, language: Language) -> String {
    match language {
        Language::C => "}\n".into(),
        Language::Fortran => format!("end subroutine case_{number}\n"),
    }
}

fn main(programs: usize, language: Language) -> String {
    let mut text = String::new();
    match language {
        Language::C => {
            text += "int main(int argc, char **argv) {\n  MPI_Init(&argc, &argv);\n  \
                     MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n  MPI_Comm_size(MPI_COMM_WORLD, &size);\n  \
                     MPI_Comm_dup(MPI_COMM_WORLD, &copy);\n  \
                     for (int i = 0; i < 64; i++) { counts[i] = 4; fewer[i] = 3; places[i] = 4 * i; }\n  \
                     switch (atoi(argv[1])) {\n";
            for number in 0..programs {
                let _ = writeln!(text, "  case {number}: case_{number}(); break;");
            }
            text += "  }\n  MPI_Comm_free(&copy);\n  MPI_Finalize();\n  return 0;\n}\n";
        }
        Language::Fortran => {
            text += "program yardstick\n  use mpi\n  use common_data\n  implicit none\n  character(16) :: text\n  integer :: chosen, i\n  \
                     call MPI_Init(ierr)\n  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)\n  \
                     call MPI_Comm_size(MPI_COMM_WORLD, size_of_world, ierr)\n  call MPI_Comm_dup(MPI_COMM_WORLD, copy, ierr)\n  \
                     counts = 4\n  fewer = 3\n  places = (/ (4 * i, i = 0, 63) /)\n  call get_command_argument(1, text)\n  read (text, *) chosen\n  \
                     select case (chosen)\n";
            for number in 0..programs {
                let _ = writeln!(text, "  case ({number})\n    call case_{number}()");
            }
            text += "  end select\n  call MPI_Comm_free(copy, ierr)\n  call MPI_Finalize(ierr)\nend program\n";
        }
    }
    text
}

/// The module that Fortran programs share; a file of its own, in front.
pub(crate) const FORTRAN_HEAD: &str = "module common_data\n  implicit none\n  integer :: rank, size_of_world, ierr, copy, made, request, second, message, \
                                       group, world_group, info, window, handler, keyval\n  integer :: counts(64), \
                                       fewer(64), places(64), one(1) = 0\n  integer :: seen\nend module\n";
