//! Process creation (MPI section 11.8).

use std::ffi::{c_char, c_int};

use mpi_api::{
    call::{ProcessCall, Reply, Site},
    error::{ErrorClass, MpiError},
    spawn::{Launch, Spawned},
};

use super::info;
use crate::{
    constant::{Handle, SUCCESS, class, handle},
    launch::Wanted,
    memory,
    state::{Comm, Fault, Heritage, Mpi, State, argument, array, creating, put, put_in},
};

/// One command of a spawn, as the program passes it.
struct Given {
    command: *const c_char,
    /// Array of arguments that ends in a null pointer; null for no arguments.
    arguments: *const *const c_char,
    most: c_int,
    info: Handle,
}

impl Given {
    fn wanted(&self, state: &State, number: c_int) -> Mpi<Wanted> {
        argument::at_least(0, class::ARG, "the number of processes", self.most.into())?;
        Ok(Wanted {
            number,
            command: memory::text(self.command)?.trim().to_string(),
            arguments: memory::texts(self.arguments)?,
            most: self.most as u32,
            keys: info::of(state, self.info)?.0,
        })
    }

    /// Resolves the command. Errors are part of the result, because the kernel reports them to all
    /// parents.
    fn launch(&self, state: &State, number: c_int) -> Launch {
        match self.wanted(state, number) {
            Ok(wanted) => wanted.launch(state.number()),
            Err(fault) => Launch::refused(self.most.max(0) as u32, error(fault)),
        }
    }
}

fn error(fault: Fault) -> MpiError {
    let class = ErrorClass::of_mpi(fault.code).unwrap_or(ErrorClass::Other);
    let Fault { code, origin, text, .. } = fault;
    MpiError { code, origin, ..MpiError::new(class, text) }
}

/// Performs the collective call; `given` is evaluated at the root only.
fn spawn(
    (state, site): (&State, Site),
    (comm, root): (Handle, c_int),
    given: impl FnOnce() -> Mpi<Vec<Given>>,
    (made, codes): (*mut Handle, *mut c_int),
) -> Mpi {
    let parent = state.intra(comm)?;
    let root = argument::root(root, parent.size())?;
    let launches = (parent.info.rank == root).then(|| match given() {
        Ok(list) => (0..).zip(&list).map(|(at, given)| given.launch(state, at)).collect(),
        Err(fault) => vec![Launch::refused(0, error(fault))],
    });
    let operation = ProcessCall::Spawn { comm: parent.info.id, root, launches };
    match state.kernel(site, operation)? {
        Reply::Spawned(spawned) => finish((state, site), &parent, *spawned, (made, codes)),
        _ => Err(Fault::new(class::INTERN, "no processes")),
    }
}

/// Writes the results of a spawn to the program's variables.
fn finish(
    (state, site): (&State, Site),
    parent: &Comm,
    spawned: Spawned,
    (made, codes): (*mut Handle, *mut c_int),
) -> Mpi {
    if !codes.is_null() {
        let each = spawned.counts.iter().flat_map(|(asked, started)| {
            (0..*asked).map(|at| if at < *started { SUCCESS } else { class::SPAWN })
        });
        (0..).zip(each).try_for_each(|(at, code)| put_in(codes, at, code))?;
    }
    match spawned.made {
        Ok(inter) => put(made, state.add_comm(site, inter, Heritage::of(parent))?),
        Err(error) => {
            put(made, handle::COMM_NULL)?;
            Err(error.into())
        }
    }
}

#[allow(clippy::too_many_arguments, reason = "the standard's")]
pub(super) extern "C-unwind" fn comm_spawn(
    command: *const c_char,
    arguments: *mut *mut c_char,
    most: c_int,
    info: Handle,
    root: c_int,
    comm: Handle,
    made: *mut Handle,
    codes: *mut c_int,
) -> c_int {
    creating(comm, (made, handle::COMM_NULL), |state, site| {
        let arguments = arguments.cast_const().cast();
        let given = || Ok(vec![Given { command, arguments, most, info }]);
        spawn((state, site), (comm, root), given, (made, codes))
    })
}

#[allow(clippy::too_many_arguments, reason = "the standard's")]
pub(super) extern "C-unwind" fn comm_spawn_multiple(
    count: c_int,
    commands: *mut *mut c_char,
    arguments: *mut *mut *mut c_char,
    most: *const c_int,
    infos: *const Handle,
    root: c_int,
    comm: Handle,
    made: *mut Handle,
    codes: *mut c_int,
) -> c_int {
    creating(comm, (made, handle::COMM_NULL), |state, site| {
        let given = || {
            let length = i64::from(count.max(1));
            argument::at_least(1, class::COUNT, "the number of commands", count.into())?;
            let commands = array(commands.cast_const(), length)?;
            let none = vec![std::ptr::null_mut(); commands.len()];
            let arguments =
                if arguments.is_null() { &none } else { array(arguments.cast_const(), length)? };
            let (most, infos) = (array(most, length)?, array(infos, length)?);
            let one = |at: usize| Given {
                command: commands[at],
                arguments: arguments[at].cast_const().cast(),
                most: most[at],
                info: infos[at],
            };
            Ok((0..commands.len()).map(one).collect())
        };
        spawn((state, site), (comm, root), given, (made, codes))
    })
}
