//! Executions as the command line runs them: in forked processes, at fixed addresses, for a bounded
//! time, with the program's output kept apart from the tool's own.
#![allow(clippy::disallowed_types, reason = "bounds the time on this machine")]
#![allow(unsafe_code, reason = "sets properties of this process before it has threads")]

use std::{
    env,
    ffi::CString,
    fs::OpenOptions,
    io::{self, Write},
    os::{
        fd::{AsFd, OwnedFd},
        unix::ffi::OsStringExt,
    },
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use guest::libc::{
    folder::{rename_folders_by, work_in_copy},
    shared_name::name_shared_memory,
};
use mpi_abi::{launch::tell_stretch, std_process::end_ranks_alone};
use rustix::{
    io::fcntl_dupfd_cloexec,
    stdio::{dup2_stdout, stderr, stdout},
};
use scenarios::{error::Error, scenario::Request};
use sim_core::{interrupt, running_process};
use workers::{Settings, Substitute, Workers, move_folder};

use crate::{args::Options, memory, progress::Progress};

/// Creates the workers of a command. `surroundings` says whether the program may read input and
/// write files.
pub(crate) fn workers(options: &Options, surroundings: bool, progress: Progress) -> Workers {
    let parallel = thread::available_parallelism().map_or(1, usize::from);
    memory::limit(options, parallel);
    Workers::forked(Settings {
        parallel,
        deadline: options.max_wall.map(|time| Instant::now() + time),
        surroundings,
        show: !options.quiet,
        keep_files: options.keep_files.as_ref().map(PathBuf::from),
        prepare: || {
            interrupt::stop_at(libc::SIGTERM);
            interrupt::limit_growth();
            interrupt::tell_long_stretches(tell_stretch);
            interrupt::watch_long_stretches();
        },
        substitute: |substitute| match substitute {
            Substitute::Folder { folder, copy } => work_in_copy(folder, copy),
            Substitute::Renames => rename_folders_by(move_folder),
            Substitute::SharedMemory { prefix } => name_shared_memory(prefix),
        },
        // Processes have the numbers of the ranks with which a run begins.
        at_exit: || match running_process() {
            Some(process) => format!("rank {}", process.0),
            None => String::new(),
        },
        tick: Box::new(move |done, told| progress.show(done, told)),
    })
}

/// Refuses `--keep-files` for a command whose program writes into the working folder itself.
///
/// # Errors
/// Returns an error if it is given.
pub(crate) fn keeps_no_files(options: &Options) -> Result<(), Error> {
    let Some(folder) = &options.keep_files else { return Ok(()) };
    Err(Error::BadValue {
        what: "--keep-files".into(),
        value: folder.clone(),
        allowed: "given to check, compare and tune, whose executions have folders of their own; a run writes \
                  into the working folder"
            .into(),
    })
}

/// Refuses a folder for files of which the executions have no views of their own.
///
/// # Errors
/// Returns an error if the folder is not below the working folder.
pub(crate) fn has_copies_of_files(request: &Request) -> Result<(), Error> {
    let Some(folder) = request.folder_for_files()? else { return Ok(()) };
    let here = env::current_dir().map_err(|error| Error::BadValue {
        what: "the working folder".into(),
        value: error.to_string(),
        allowed: "a folder that exists".into(),
    })?;
    if Path::new(&folder).starts_with(here) {
        return Ok(());
    }
    Err(Error::BadValue {
        what: "the folder for files".into(),
        value: folder,
        allowed: "a folder below the working folder, of which each execution has its own view"
            .into(),
    })
}

/// Bounds the time and the memory of a simulation in this process: `SIGINT`, `SIGTERM`, `--max-wall` and
/// `--max-memory` stop it with a finding that shows where its ranks are. Also reports a rank that computes for a long time
/// without an MPI call. A rank that calls `exit` ends alone.
pub(crate) fn bound(options: &Options) {
    end_ranks_alone(true);
    memory::limit(options, 1);
    interrupt::limit_growth();
    interrupt::watch_long_stretches();
    if !options.quiet {
        interrupt::tell_long_stretches(tell_stretch);
    }
    stop_when_told(options.max_wall);
}

/// Has simulations of this process stop after a time, if one is given, and at `SIGINT` and `SIGTERM`.
pub(crate) fn stop_when_told(time: Option<Duration>) {
    interrupt::stop_at(libc::SIGINT);
    interrupt::stop_at(libc::SIGTERM);
    if let Some(time) = time {
        interrupt::after(time);
    }
}

/// Removes the bound: from now on signals end this process as usual.
pub(crate) fn unbound() {
    end_ranks_alone(false);
    interrupt::after(Duration::from_secs(1 << 30));
    for signal in [libc::SIGINT, libc::SIGTERM] {
        // SAFETY: restores the default action of a signal.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
}

/// Ends this process without the destructors and handlers of the C library, which keeps their lists in the heap that
/// compiled programs use.
pub(crate) fn leave(code: u8) -> ! {
    let _ = io::stdout().flush();
    // SAFETY: ends the process; nothing is left to be written.
    unsafe { libc::_exit(i32::from(code)) }
}

/// Turns off address space randomisation, so that programs that print or hash pointers give the
/// same output each time. Starts this process again if necessary. Has no effect if the system
/// refuses.
pub(crate) fn fix_addresses() {
    const ASK: libc::c_ulong = 0xffff_ffff;
    // SAFETY: reads and sets a property of this process; `execv` gets strings that end in a zero
    // byte, and a null pointer after the last.
    unsafe {
        let present = libc::personality(ASK);
        if present < 0 || present & libc::ADDR_NO_RANDOMIZE != 0 {
            return;
        }
        libc::personality((present | libc::ADDR_NO_RANDOMIZE) as libc::c_ulong);
        if libc::personality(ASK) & libc::ADDR_NO_RANDOMIZE == 0 {
            return;
        }
        let words: Option<Vec<CString>> =
            env::args_os().map(|word| CString::new(word.into_vec()).ok()).collect();
        let Some(words) = words else { return };
        let mut pointers: Vec<*const libc::c_char> =
            words.iter().map(|word| word.as_ptr()).collect();
        pointers.push(std::ptr::null());
        // By its path if it has one: process lists show the last component of it.
        let path = env::current_exe()
            .ok()
            .and_then(|path| CString::new(path.into_os_string().into_vec()).ok());
        if let Some(path) = path {
            libc::execv(path.as_ptr(), pointers.as_ptr());
        }
        libc::execv(c"/proc/self/exe".as_ptr(), pointers.as_ptr());
    }
}

/// Redirects the program's standard output while it exists: standard output is reserved for the
/// JSON object or the one-line result.
pub(crate) struct Aside(Option<OwnedFd>);

impl Aside {
    /// Redirects to standard error with `--json`, and discards the output with `--quiet`.
    pub(crate) fn new(options: &Options) -> io::Result<Self> {
        if !options.json && !options.quiet {
            return Ok(Self(None));
        }
        io::stdout().flush()?;
        let kept = fcntl_dupfd_cloexec(stdout(), 3)?;
        if options.quiet {
            let nowhere = OpenOptions::new().write(true).open("/dev/null")?;
            dup2_stdout(nowhere.as_fd())?;
        } else {
            dup2_stdout(stderr())?;
        }
        Ok(Self(Some(kept)))
    }
}

/// Returns the error for standard output that cannot be redirected, for example because no file
/// descriptors are left.
pub(crate) fn no_output(error: io::Error) -> Error {
    Error::BadFile { path: "standard output".into(), reason: error.to_string() }
}

impl Drop for Aside {
    fn drop(&mut self) {
        if let Some(kept) = &self.0 {
            let _ = io::stdout().flush();
            let _ = dup2_stdout(kept.as_fd());
        }
    }
}
