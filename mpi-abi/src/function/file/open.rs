//! Opens, closes, deletes and resizes files (MPI section 14.2).

use std::{
    cell::{Cell, RefCell},
    ffi::{c_char, c_int},
    rc::Rc,
};

use mpi_api::call::{
    Brought, CommCall, CommInfo, FileCall, FileId, FileMeeting, FileMode, Reply, Site,
};

use super::{
    super::{group, info, request::peek, text},
    come, for_file, hear, hear_without_file, meet, note_unopened, on_file, with_all,
};
use crate::{
    constant::{Handle, class, handle, number},
    host_file,
    state::{Fault, File, Mpi, Representation, Seen, State, call, creating, put, wanted},
};

/// Checks a mode and returns it for the kernel (MPI section 14.2.1).
fn mode_of(amode: c_int) -> Mpi<FileMode> {
    let known = number::MODE_RDONLY
        | number::MODE_WRONLY
        | number::MODE_RDWR
        | number::MODE_CREATE
        | number::MODE_EXCL
        | number::MODE_DELETE_ON_CLOSE
        | number::MODE_UNIQUE_OPEN
        | number::MODE_SEQUENTIAL
        | number::MODE_APPEND;
    let fault = |text: &str| Err(Fault::new(class::AMODE, text));
    if amode & !known != 0 {
        return fault("the mode has bits that no mode has");
    }
    let set = |bit| amode & bit != 0;
    let ways = [number::MODE_RDONLY, number::MODE_WRONLY, number::MODE_RDWR].map(set);
    match ways.iter().filter(|way| **way).count() {
        0 => {
            return fault("the mode is none of MPI_MODE_RDONLY, MPI_MODE_WRONLY and MPI_MODE_RDWR");
        }
        1 => {}
        _ => return fault("MPI_MODE_RDONLY, MPI_MODE_WRONLY and MPI_MODE_RDWR exclude each other"),
    }
    let mode = FileMode {
        reads: !ways[1],
        writes: !ways[0],
        create: set(number::MODE_CREATE),
        exclusive: set(number::MODE_EXCL),
        delete_on_close: set(number::MODE_DELETE_ON_CLOSE),
        unique: set(number::MODE_UNIQUE_OPEN),
        sequential: set(number::MODE_SEQUENTIAL),
        append: set(number::MODE_APPEND),
    };
    if !mode.writes && (mode.create || mode.exclusive) {
        return fault("MPI_MODE_CREATE and MPI_MODE_EXCL exclude MPI_MODE_RDONLY");
    }
    if ways[2] && mode.sequential {
        return fault("MPI_MODE_SEQUENTIAL excludes MPI_MODE_RDWR");
    }
    Ok(mode)
}

/// Returns the name of a file for the kernel.
fn name_of(state: &State, name: *const c_char) -> Mpi<String> {
    let name = text::read(name)?;
    host_file::provide();
    Ok(host_file::path_of(&name, state.environment().files.as_deref())?)
}

/// Opens a file whose communicator exists, together with its other ranks.
fn opened(
    state: &State,
    site: Site,
    (own, amode): (CommInfo, c_int),
    (name, mode): (String, FileMode),
    hints: Handle,
) -> Mpi<Handle> {
    let id = FileId(own.id);
    let freed = own.id;
    let what = Box::new(FileMeeting::Open(name, mode));
    let given = info::of(state, hints)?;
    let brought = Brought::Hints(Box::new(for_file(&given)));
    state.kernel(site, FileCall::Meet(id, what, brought))?;
    if let Err(fault) = state.kernel(site, FileCall::Outcome(id)) {
        state.kernel(site, CommCall::Free(freed))?;
        return Err(fault);
    }
    let (handler, chosen) = state.rare().file_handler.get();
    let byte = (handle::BYTE, state.any_type(handle::BYTE)?);
    let file = File {
        info: own,
        mode: amode,
        site,
        handler: Cell::new(handler),
        chosen: Cell::new(chosen),
        hints: RefCell::new(given),
        seen: RefCell::new(Seen {
            displacement: 0,
            etype: byte.clone(),
            filetype: byte,
            representation: Representation::Native,
        }),
        atomic: Cell::new(false),
        split: RefCell::default(),
    };
    Ok(state.files().borrow_mut().insert(Rc::new(file)))
}

pub(in super::super) extern "C-unwind" fn open(
    comm: Handle,
    name: *const c_char,
    amode: c_int,
    hints: Handle,
    place: *mut Handle,
) -> c_int {
    creating(comm, (place, handle::FILE_NULL), |state, site| {
        let open = || {
            wanted(place)?;
            let mode = mode_of(amode)?;
            info::known(state, hints)?;
            let parent = state.intra(comm)?;
            let name = name_of(state, name)?;
            let own = match state.kernel(site, CommCall::Duplicate(parent.info.id))? {
                Reply::Comm(Some(own)) => *own,
                _ => return Err(Fault::new(class::INTERN, "no communicator")),
            };
            put(place, opened(state, site, (own, amode), (name, mode), hints)?)
        };
        open().map_err(|fault| {
            note_unopened(state, site, &fault);
            hear_without_file(state, site, fault)
        })
    })
}

pub(in super::super) extern "C-unwind" fn close(place: *mut Handle) -> c_int {
    call(handle::COMM_NULL, |state, site| {
        let found = peek(place).and_then(|given| Ok((given, state.file(given)?)));
        let (given, file) = found.map_err(|fault| hear_without_file(state, site, fault))?;
        let closed = meet(state, site, &file, FileMeeting::Close, Brought::Nothing);
        let closed = closed.map_err(|fault| hear(state, site, (given, &file), fault));
        state.kernel(site, CommCall::Free(file.info.id))?;
        state.files().borrow_mut().remove(given);
        put(place, handle::FILE_NULL)?;
        closed
    })
}

pub(in super::super) extern "C-unwind" fn delete(name: *const c_char, hints: Handle) -> c_int {
    call(handle::COMM_NULL, |state, site| {
        let delete = || {
            info::known(state, hints)?;
            let name = name_of(state, name)?;
            state.kernel(site, FileCall::Delete(name)).map(|_| ())
        };
        delete().map_err(|fault| hear_without_file(state, site, fault))
    })
}

/// Checks that the size of a file may change: files in a sequence have no size (MPI 14.2.4).
fn resizable(file: &File, size: i64) -> Mpi {
    if file.is_sequential() {
        let text = "a file opened with MPI_MODE_SEQUENTIAL has no size";
        return Err(Fault::new(class::UNSUPPORTED_OPERATION, text));
    }
    if size < 0 {
        return Err(Fault::new(class::ARG, format!("a file of {size} bytes")));
    }
    Ok(())
}

pub(in super::super) extern "C-unwind" fn set_size(file: Handle, size: i64) -> c_int {
    with_all(file, |state, site, file| {
        resizable(file, size)?;
        meet(state, site, file, FileMeeting::Resize(size), Brought::Nothing)
    })
}

pub(in super::super) extern "C-unwind" fn preallocate(file: Handle, size: i64) -> c_int {
    with_all(file, |state, site, file| {
        resizable(file, size)?;
        meet(state, site, file, FileMeeting::Reserve(size), Brought::Nothing)
    })
}

pub(in super::super) extern "C-unwind" fn get_size(file: Handle, place: *mut i64) -> c_int {
    on_file(file, |state, site, file| {
        wanted(place)?;
        put(place, super::offset(state, site, FileCall::Size(file.id()))?)
    })
}

pub(in super::super) extern "C-unwind" fn get_file_group(
    file: Handle,
    place: *mut Handle,
) -> c_int {
    on_file(file, |state, site, file| {
        group::give(state, site, (file.info.group.clone(), None), place)
    })
}

pub(in super::super) extern "C-unwind" fn get_amode(file: Handle, place: *mut c_int) -> c_int {
    on_file(file, |_, _, file| put(place, file.mode))
}

pub(in super::super) extern "C-unwind" fn sync(file: Handle) -> c_int {
    with_all(file, |state, site, file| come(state, site, file, FileMeeting::Sync, Brought::Nothing))
}

pub(in super::super) extern "C-unwind" fn set_atomicity(file: Handle, flag: c_int) -> c_int {
    with_all(file, |state, site, file| {
        meet(state, site, file, FileMeeting::SetAtomicity(flag != 0), Brought::Nothing)?;
        file.atomic.set(flag != 0);
        Ok(())
    })
}

pub(in super::super) extern "C-unwind" fn get_atomicity(file: Handle, flag: *mut c_int) -> c_int {
    on_file(file, |_, _, file| put(flag, c_int::from(file.atomic.get())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_that_exclude_each_other_are_refused() {
        use number as n;
        let class = |amode| mode_of(amode).err().map(|fault| fault.code);
        for good in [
            n::MODE_RDONLY,
            n::MODE_RDWR | n::MODE_CREATE | n::MODE_EXCL | n::MODE_DELETE_ON_CLOSE,
            n::MODE_WRONLY | n::MODE_CREATE | n::MODE_APPEND | n::MODE_SEQUENTIAL,
            n::MODE_RDONLY | n::MODE_SEQUENTIAL | n::MODE_UNIQUE_OPEN,
        ] {
            assert_eq!(class(good), None, "{good}");
        }
        for bad in [
            0,
            n::MODE_CREATE,
            n::MODE_RDONLY | n::MODE_WRONLY,
            n::MODE_RDWR | n::MODE_WRONLY,
            n::MODE_RDONLY | n::MODE_CREATE,
            n::MODE_RDONLY | n::MODE_EXCL,
            n::MODE_RDWR | n::MODE_SEQUENTIAL,
            n::MODE_RDWR | 1 << 20,
            -1,
        ] {
            assert_eq!(class(bad), Some(class::AMODE), "{bad}");
        }
    }
}
