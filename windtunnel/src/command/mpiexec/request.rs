//! The parser of the command line of `mpiexec`.

use std::{collections::VecDeque, env, path::PathBuf};

use mpi_abi::launch::{Origin, Pattern};
use scenarios::{error::Error, options::RankCount};

use super::{
    foreign::{self, Meaning},
    passed_on::{listed, of_run},
    words, wrong,
};

/// One program of the command line, with its own options.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) ranks: u32,
    /// The words that gave the number of ranks; `None` if none did.
    pub(super) count: Option<String>,
    pub(super) program: Option<PathBuf>,
    pub(super) arguments: Vec<String>,
    /// Folders in which the program is looked for.
    pub(super) folders: Vec<PathBuf>,
    /// Allowed numbers of ranks, up to `ranks` (MPI `soft`).
    pub(super) soft: Option<String>,
    pub(super) origin: Origin,
}

/// A parsed command line.
#[derive(Debug, Default)]
pub(super) struct Request {
    pub(super) pieces: Vec<Piece>,
    pub(super) label: bool,
    /// Names of the files that receive standard output and standard error.
    pub(super) patterns: [Option<Pattern>; 2],
    /// Whether to print warnings and notes, which no other launcher prints.
    pub(super) warnings: bool,
    /// Options of `windtunnel run`, such as the machine, as words.
    pub(super) simulation: Vec<String>,
    /// Ignored options of other launchers.
    pub(super) ignored: Vec<String>,
    /// Question about the command itself, asked instead of a run.
    pub(super) question: Option<Question>,
}

/// A question about the command itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    Help,
    Version,
}

/// Changes of environment variables: a name and its new value, `None` to remove it.
type Changes = Vec<(String, Option<String>)>;

/// Returns the text that `-help` prints: all options.
pub(super) fn help() -> String {
    let of_run = of_run();
    let of_run = listed(of_run.iter().map(String::as_str), "-");
    format!(
        "\
Usage: mpiexec [-n RANKS] [OPTIONS] PROGRAM [ARGUMENTS] [: [-n RANKS] [OPTIONS] PROGRAM ...]

Starts compiled programs on a simulated machine. For the program that follows:
  -n RANKS, -np RANKS      how many ranks run it [1]
  -soft LIST               numbers of ranks that are allowed, such as 2:10:2
  -wdir FOLDER, -wd        where they work
  -path FOLDERS            where the program is looked for, separated by colons
  -env NAME TEXT           an environment variable; -envlist A,B passes on these alone,
                           -envnone none of them, -envall all of them, as usual
  -host NAME, -arch NAME, -file FILE
                           what the program reads as its host, architecture and file
For all programs:
  -genv NAME TEXT, -genvlist, -genvnone, -genvall, -x NAME[=TEXT]
                           as those without g
  -configfile FILE         the programs stand in the file, one a line
  -label, -l               the number of its rank before each line of output
  -outfile-pattern NAME, -errfile-pattern NAME
                           output or errors go to files: %r is the rank, %g the group of ranks
                           started together, %p the number of the node, %h its name
  -warnings                tells of what is fragile, such as leaks, besides what is wrong
  -asp RANKS               so many ranks share an address space
  -usize RANKS             so many ranks there may be at once: the programs may start others
  -ppn RANKS, -N RANKS, -npernode RANKS, -map-by ppr:RANKS:node
                           as -ranks-per-node
  -map-by node             as -placement cyclic
{of_run}
                           as options of `windtunnel run`
Options of other launchers that mean nothing in a simulation, such as -bind-to and -hostfile, are
ignored with a note. Two dashes do as well as one, and -NAME=VALUE as -NAME VALUE.
"
    )
}

/// Options that this parser handles itself.
const OWN: [&str; 29] = [
    "n",
    "np",
    "soft",
    "wdir",
    "wd",
    "path",
    "env",
    "envlist",
    "envnone",
    "envall",
    "genv",
    "genvlist",
    "genvnone",
    "genvall",
    "x",
    "host",
    "arch",
    "file",
    "configfile",
    "outfile-pattern",
    "errfile-pattern",
    "label",
    "l",
    "prepend-rank",
    "warnings",
    "asp",
    "usize",
    "help",
    "version",
];

impl Piece {
    fn new() -> Self {
        let (folders, arguments) = (Vec::new(), Vec::new());
        let origin = Origin::default();
        Self { ranks: 1, count: None, program: None, arguments, folders, soft: None, origin }
    }
}

/// Parses the words of the command line.
///
/// # Errors
/// Returns an error if an option is unknown or a value is missing or wrong.
pub(super) fn read(words: VecDeque<String>) -> Result<Request, Error> {
    let mut reader = Reader {
        words,
        request: Request::default(),
        piece: Piece::new(),
        everywhere: Changes::new(),
        of_run: of_run(),
    };
    while let Some(word) = reader.words.pop_front() {
        reader.word(word)?;
    }
    let Reader { mut request, piece, everywhere, .. } = reader;
    request.pieces.push(piece);
    for piece in &mut request.pieces {
        let own = std::mem::take(&mut piece.origin.variables);
        piece.origin.variables = everywhere.iter().cloned().chain(own).collect();
    }
    Ok(request)
}

struct Reader {
    words: VecDeque<String>,
    request: Request,
    piece: Piece,
    /// Changes of the environment for all programs.
    everywhere: Changes,
    /// Options that are passed on to `windtunnel run`.
    of_run: Vec<String>,
}

impl Reader {
    fn word(&mut self, word: String) -> Result<(), Error> {
        if word == ":" {
            let piece = std::mem::replace(&mut self.piece, Piece::new());
            self.request.pieces.push(piece);
            return Ok(());
        }
        if !word.starts_with('-') {
            self.piece.program = Some(word.into());
            while self.words.front().is_some_and(|next| next != ":") {
                self.piece.arguments.extend(self.words.pop_front());
            }
            return Ok(());
        }
        let bare = word.strip_prefix("--").unwrap_or(&word[1..]);
        let name = match bare.split_once('=') {
            Some((name, value)) => {
                self.words.push_front(value.into());
                name
            }
            None => bare,
        };
        if self.of_run.iter().any(|known| known == name) {
            let value = self.value(&word)?;
            self.request.simulation.extend([format!("--{name}"), value]);
            return Ok(());
        }
        if let Some(meaning) = foreign::meaning(name) {
            return self.foreign(meaning, &word, bare.contains('='));
        }
        self.option(name, &word)
    }

    /// Handles an option of another launcher. `given` says whether its value is already present.
    fn foreign(&mut self, meaning: Meaning, word: &str, given: bool) -> Result<(), Error> {
        let per_node = |count: String| ["--ranks-per-node".to_string(), count];
        match meaning {
            Meaning::Ranks => return self.option("n", word),
            Meaning::PerNode => {
                let count = self.value(word)?;
                self.request.simulation.extend(per_node(count));
            }
            Meaning::OnePerNode => self.request.simulation.extend(per_node("1".into())),
            Meaning::MapBy => {
                let map = self.value(word)?;
                match foreign::mapping(&map) {
                    Some(words) => self.request.simulation.extend(words),
                    None => self.request.ignored.push(word.into()),
                }
            }
            Meaning::Label => self.request.label = true,
            Meaning::Nothing(values) => {
                for _ in 0..values.max(usize::from(given)) {
                    self.value(word)?;
                }
                let name = word.split('=').next().unwrap_or_default();
                self.request.ignored.push(name.into());
            }
        }
        Ok(())
    }

    fn value(&mut self, word: &str) -> Result<String, Error> {
        self.words.pop_front().ok_or_else(|| wrong(word, "followed by its value"))
    }

    fn pattern(&mut self, word: &str) -> Result<Pattern, Error> {
        let given = self.value(word)?;
        Pattern::new(&given).map_err(|allowed| wrong(&given, &allowed))
    }

    fn option(&mut self, name: &str, word: &str) -> Result<(), Error> {
        match name {
            "n" | "np" => {
                let given = self.value(word)?;
                let ranks: Option<RankCount> = given.parse().ok();
                let allowed = || format!("a number of ranks, 1 to {}", RankCount::MAX);
                self.piece.ranks =
                    ranks.map(RankCount::get).ok_or_else(|| wrong(&given, &allowed()))?;
                let typed =
                    if word.contains('=') { word.into() } else { format!("{word} {given}") };
                self.piece.count = Some(typed);
            }
            "wdir" | "wd" => self.piece.origin.folder = Some(self.value(word)?.into()),
            "path" => {
                let value = self.value(word)?;
                self.piece.folders.extend(value.split(':').map(PathBuf::from));
            }
            "configfile" => {
                let path = self.value(word)?;
                let text = scenarios::json::text_of(&path)?;
                let open = |line| Error::BadFile {
                    path,
                    reason: format!("a quote is not closed in `{line}`"),
                };
                for word in words::of(&text).map_err(open)?.into_iter().rev() {
                    self.words.push_front(word);
                }
            }
            "soft" => self.piece.soft = Some(self.value(word)?),
            "host" => self.piece.origin.host = Some(self.value(word)?),
            "arch" => self.piece.origin.arch = Some(self.value(word)?),
            "file" => self.piece.origin.file = Some(self.value(word)?),
            "l" | "label" | "prepend-rank" => self.request.label = true,
            "outfile-pattern" => self.request.patterns[0] = Some(self.pattern(word)?),
            "errfile-pattern" => self.request.patterns[1] = Some(self.pattern(word)?),
            "warnings" => self.request.warnings = true,
            "asp" => {
                let value = self.value(word)?;
                self.request.simulation.extend(["--ranks-per-process".into(), value]);
            }
            "usize" => {
                let value = self.value(word)?;
                self.request.simulation.extend(["--universe".into(), value]);
            }
            "help" | "h" => self.request.question = Some(Question::Help),
            "version" | "V" => self.request.question = Some(Question::Version),
            _ => return self.variable(name, word),
        }
        Ok(())
    }

    /// Handles an option about environment variables.
    fn variable(&mut self, name: &str, word: &str) -> Result<(), Error> {
        let changes = match name {
            "env" | "genv" => {
                let (name, text) = (self.value(word)?, self.value(word)?);
                vec![(variable_name(name)?, Some(text))]
            }
            "envlist" | "genvlist" => {
                let kept = self.value(word)?;
                let kept: Vec<&str> = kept.split(',').collect();
                all_variables().filter(|(name, _)| !kept.contains(&name.as_str())).collect()
            }
            "envnone" | "genvnone" => all_variables().collect(),
            "envall" | "genvall" => Changes::new(),
            "x" => vec![self.exported(word)?],
            _ => {
                let of_run = self.of_run.iter().map(String::as_str);
                let known = OWN.into_iter().chain(of_run).map(|name| format!("-{name}"));
                let known: Vec<String> = known.collect();
                let known = known.iter().map(String::as_str);
                return Err(Error::unknown("option of mpiexec", word, known));
            }
        };
        let everywhere = name.starts_with('g') || name == "x";
        let place =
            if everywhere { &mut self.everywhere } else { &mut self.piece.origin.variables };
        place.extend(changes);
        Ok(())
    }

    /// Parses `NAME=TEXT` or the name of an existing variable, which programs inherit in any case.
    fn exported(&mut self, word: &str) -> Result<(String, Option<String>), Error> {
        let given = self.value(word)?;
        let (name, text) = match given.split_once('=') {
            Some((name, text)) => (name.to_string(), Some(text.to_string())),
            None => {
                let text = env::var_os(&given).map(|text| text.to_string_lossy().into_owned());
                (given, text)
            }
        };
        Ok((variable_name(name)?, text))
    }
}

fn variable_name(name: String) -> Result<String, Error> {
    if name.is_empty() || name.contains('=') {
        return Err(wrong(&name, "the name of an environment variable"));
    }
    Ok(name)
}

/// Returns a change for each existing variable that removes it.
fn all_variables() -> impl Iterator<Item = (String, Option<String>)> {
    env::vars_os().map(|(name, _)| (name.to_string_lossy().into_owned(), None))
}
