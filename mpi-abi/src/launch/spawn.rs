//! Starts programs on behalf of a running program (MPI section 11.8).

use std::{
    env,
    path::{Path, PathBuf},
    rc::Rc,
};

use mpi_api::{
    error::{ErrorClass, MpiError},
    raw::Raw,
    spawn::{Launch, Soft},
};

use super::{
    origin::{Origin, Start},
    part::{Part, RUN, part_of},
};
use guest::loader::Images;

/// One command of a spawn, as the root specifies it.
pub(crate) struct Wanted {
    /// Position among the commands of the call.
    pub(crate) number: i32,
    pub(crate) command: String,
    pub(crate) arguments: Vec<String>,
    /// Largest number of processes (`maxprocs`).
    pub(crate) most: u32,
    /// Keys and values of the info object.
    pub(crate) keys: Vec<(String, String)>,
}

/// Returns the number of the world that a command belongs to; the first of several commands starts
/// a new world.
fn group_of(command: i32) -> u32 {
    let last = RUN.with_borrow(|run| {
        let parts = run.iter().flat_map(|run| &run.parts);
        parts.map(|part| part.start.group).max().unwrap_or(0)
    });
    last + u32::from(command == 0)
}

impl Wanted {
    fn key(&self, name: &str) -> Option<&str> {
        self.keys.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Resolves a command requested by rank `by`: what to start, or why it cannot be started.
    pub(crate) fn launch(&self, by: u32) -> Launch {
        self.prepare(by).unwrap_or_else(|error| Launch::refused(self.most, error))
    }

    fn prepare(&self, by: u32) -> Result<Launch, MpiError> {
        let over = || MpiError::new(ErrorClass::Spawn, "the run is over");
        let parent = part_of(by).ok_or_else(over)?;
        let bad = |key: &str, value: &str, allowed: &str| {
            MpiError::new(ErrorClass::InfoValue, format!("{key} is {value:?}, not {allowed}"))
        };
        let soft = self.key("soft").map(|text| {
            Soft::parse(text).ok_or_else(|| bad("soft", text, "a list of a, a:b and a:b:c"))
        });
        let soft = soft.transpose()?;
        let together = self.key("asp").map(|text| {
            let number = text.parse().ok().filter(|ranks| *ranks > 0);
            number.ok_or_else(|| bad("asp", text, "a number of ranks"))
        });
        let together = together.transpose()?;
        let capacity = soft.as_ref().map_or(Some(self.most), |soft| soft.largest(self.most));
        let part = Rc::new(self.part(&parent, capacity.unwrap_or(0).max(1))?);
        RUN.with_borrow_mut(|run| {
            if let Some(run) = run {
                run.parts.push(Rc::clone(&part));
            }
        });
        Ok(Launch {
            soft,
            node: self.key("host").and_then(|host| host.strip_prefix("node")?.parse().ok()),
            ranks_per_process: together.unwrap_or(1),
            ..Launch::new(
                self.most,
                Rc::new(move || {
                    if let Some(begun) = Raw::take_aside(|raw| Box::new(part.begin(raw))) {
                        begun.run();
                    }
                }),
            )
        })
    }

    fn part(&self, parent: &Part, ranks: u32) -> Result<Part, MpiError> {
        let here = env::current_dir().unwrap_or_default();
        let folder = here.join(self.key("wdir").unwrap_or_default());
        let beside = parent.images.program().path().parent().map(Path::to_path_buf);
        let path = self.locate(&[Some(folder.clone()), beside, Some(here)]);
        let path = path.ok_or_else(|| {
            MpiError::new(ErrorClass::Spawn, format!("there is no program {}", self.command))
        })?;
        let common = parent.common.clone();
        let unfit =
            |error: &dyn std::fmt::Display| MpiError::new(ErrorClass::Spawn, error.to_string());
        let program = common.programs.open(&path).map_err(|error| unfit(&error))?;
        if program.runs_on_stack() && !common.runs_on_stack {
            let text = format!("{} has code on its stack, its parents have not", path.display());
            return Err(MpiError::new(ErrorClass::Spawn, text));
        }
        let images = Images::new(&program, ranks, None).map_err(|error| unfit(&error))?;
        let mut arguments = vec![self.command.clone()];
        arguments.extend_from_slice(&self.arguments);
        let own = |name| self.key(name).map(str::to_string);
        let soft = own("soft").unwrap_or_else(|| self.most.to_string());
        let origin = Origin {
            host: own("host"),
            arch: own("arch"),
            file: own("file"),
            folder: Some(folder),
            variables: Vec::new(),
        };
        let command = self.command.clone();
        let asked = Some((self.most, soft));
        let group = group_of(self.number);
        let start = Start { number: self.number, command, asked, group, origin };
        let variables = parent.variables.clone();
        Ok(Part { images, arguments, start, variables, common })
    }

    /// Finds the program's file: in the folders of the key `path`, in those given, or on the search
    /// path.
    fn locate(&self, places: &[Option<PathBuf>]) -> Option<PathBuf> {
        let named = self.key("path").unwrap_or_default().split(':').filter(|name| !name.is_empty());
        let search = env::var_os("PATH").unwrap_or_default();
        let bare = Path::new(&self.command).components().count() == 1;
        let searched = env::split_paths(&search).filter(|_| bare);
        let mut files = (named.map(PathBuf::from))
            .chain(places.iter().flatten().cloned())
            .chain(searched)
            .map(|folder| folder.join(&self.command));
        files.find(|file| file.is_file())
    }
}
