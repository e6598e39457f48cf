//! The files of the host: what MPI's input and output read and write.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, ErrorKind},
    os::unix::fs::FileExt,
    path::{Component, Path, PathBuf},
    rc::Rc,
};

use guest::libc::folder;
use mpi_api::{
    call::FileMode,
    error::{ErrorClass, MpiError},
    file_system::{self, FileSystem, OpenFile},
};

/// The files of the host.
struct HostFiles;

/// An open file of the host.
struct HostFile(File);

/// Makes the files of the host those of the runs of this thread. Compiled programs need no such call.
pub fn provide() {
    file_system::provide(Rc::new(HostFiles));
}

/// Returns the error class of an error of the host (MPI section 14.7).
fn class(error: &io::Error) -> ErrorClass {
    match error.kind() {
        ErrorKind::NotFound => ErrorClass::NoSuchFile,
        ErrorKind::AlreadyExists => ErrorClass::FileExists,
        ErrorKind::PermissionDenied => ErrorClass::Access,
        ErrorKind::ReadOnlyFilesystem => ErrorClass::ReadOnly,
        ErrorKind::StorageFull => ErrorClass::NoSpace,
        ErrorKind::QuotaExceeded => ErrorClass::Quota,
        ErrorKind::IsADirectory
        | ErrorKind::NotADirectory
        | ErrorKind::InvalidFilename
        | ErrorKind::InvalidInput => ErrorClass::BadFile,
        ErrorKind::ResourceBusy | ErrorKind::ExecutableFileBusy => ErrorClass::FileInUse,
        _ => ErrorClass::Io,
    }
}

fn named(name: &str) -> impl Fn(io::Error) -> MpiError + '_ {
    move |error| MpiError::new(class(&error), format!("{name}: {error}"))
}

fn plain(error: io::Error) -> MpiError {
    MpiError::new(class(&error), error.to_string())
}

impl FileSystem for HostFiles {
    fn open(&self, name: &str, mode: FileMode) -> Result<Box<dyn OpenFile>, MpiError> {
        let mut options = OpenOptions::new();
        // A file that is created is opened for writing by the host, too.
        options.read(mode.reads).write(mode.writes || mode.create);
        options.create(mode.create).create_new(mode.create && mode.exclusive);
        let file = options.open(name).map_err(named(name))?;
        if file.metadata().map_err(named(name))?.is_dir() {
            return Err(MpiError::new(ErrorClass::BadFile, format!("{name} is a folder")));
        }
        Ok(Box::new(HostFile(file)))
    }

    fn resolve(&self, name: &str, root: Option<&str>) -> Result<String, MpiError> {
        path_of(name, root)
    }

    fn delete(&self, name: &str) -> Result<(), MpiError> {
        fs::remove_file(name).map_err(named(name))
    }
}

impl OpenFile for HostFile {
    fn size(&self) -> Result<u64, MpiError> {
        Ok(self.0.metadata().map_err(plain)?.len())
    }

    fn read(&self, at: u64, into: &mut [u8]) -> Result<usize, MpiError> {
        let mut read = 0;
        while read < into.len() {
            match self.0.read_at(&mut into[read..], at + read as u64) {
                Ok(0) => break,
                Ok(bytes) => read += bytes,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(plain(error)),
            }
        }
        Ok(read)
    }

    fn write(&self, at: u64, bytes: &[u8]) -> Result<(), MpiError> {
        self.0.write_all_at(bytes, at).map_err(plain)
    }

    fn resize(&self, size: u64) -> Result<(), MpiError> {
        self.0.set_len(size).map_err(plain)
    }
}

/// Returns the absolute path of a file that a program names: below `root` if there is one, where names
/// cannot leave it, else relative to the rank's working folder.
pub(crate) fn path_of(name: &str, root: Option<&str>) -> Result<String, MpiError> {
    if name.is_empty() {
        return Err(MpiError::new(ErrorClass::BadFile, "the name of the file is empty"));
    }
    let path = match root {
        Some(root) => {
            let path = inside(Path::new(root), Path::new(name)).ok_or_else(|| {
                let text = format!("{name} is outside the folder for files, {root}");
                MpiError::new(ErrorClass::Access, text)
            })?;
            fs::create_dir_all(folder::absolute(Path::new(root)).map_err(named(root))?)
                .map_err(named(root))?;
            folder::absolute(&path).map_err(named(name))?
        }
        None => folder::absolute(Path::new(name)).map_err(named(name))?,
    };
    // Two names of one folder are one name.
    let parent = path.parent().and_then(|parent| parent.canonicalize().ok());
    let path = match (parent, path.file_name()) {
        (Some(parent), Some(file)) => parent.join(file),
        _ => path,
    };
    path.into_os_string()
        .into_string()
        .map_err(|_| MpiError::new(ErrorClass::BadFile, format!("{name} is not UTF-8")))
}

/// Returns a path below a folder; `None` if it leads out of it.
fn inside(root: &Path, name: &Path) -> Option<PathBuf> {
    let relative = if name.is_absolute() { name.strip_prefix(root).ok()? } else { name };
    let mut path = root.to_path_buf();
    let mut depth = 0;
    for part in relative.components() {
        match part {
            Component::Normal(part) => {
                path.push(part);
                depth += 1;
            }
            Component::ParentDir if depth > 0 => {
                path.pop();
                depth -= 1;
            }
            Component::CurDir => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    (depth > 0).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_inside_the_folder() {
        let found = |name: &str| inside(Path::new("/box"), Path::new(name));
        let at = |path: &str| Some(PathBuf::from(path));
        assert_eq!(found("a"), at("/box/a"));
        assert_eq!(found("./a/../b"), at("/box/b"));
        assert_eq!(found("/box/a"), at("/box/a"));
        for outside in ["..", "../a", "a/../../b", "/etc/passwd", "/boxes/a", "."] {
            assert_eq!(found(outside), None, "{outside}");
        }
    }

    #[test]
    fn errors_of_the_host_have_classes() {
        let folder = std::env::temp_dir().join(format!("windtunnel-files-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder for the test");
        let name = |file: &str| folder.join(file).display().to_string();
        let reads = FileMode { reads: true, ..FileMode::default() };
        let creates = FileMode { writes: true, create: true, exclusive: true, ..reads };
        let open = |file: &str, mode| HostFiles.open(&name(file), mode).err().map(|e| e.class);
        assert_eq!(open("a", reads), Some(ErrorClass::NoSuchFile));
        assert_eq!(open("a", creates), None);
        assert_eq!(open("a", creates), Some(ErrorClass::FileExists));
        assert_eq!(open("", reads), Some(ErrorClass::BadFile));
        assert_eq!(open("a/b", reads), Some(ErrorClass::BadFile));
        assert_eq!(HostFiles.delete(&name("b")).map_err(|e| e.class), Err(ErrorClass::NoSuchFile));
        assert_eq!(HostFiles.delete(&name("a")), Ok(()));
        fs::remove_dir(folder).expect("the folder is empty again");
    }

    #[test]
    fn reads_end_at_the_end_of_the_file() {
        let name = std::env::temp_dir().join(format!("windtunnel-file-{}", std::process::id()));
        let name = name.display().to_string();
        let mode = FileMode { reads: true, writes: true, create: true, ..FileMode::default() };
        let file = HostFiles.open(&name, mode).expect("a new file");
        file.write(4, b"abc").expect("it is written");
        let mut data = [1; 8];
        assert_eq!(file.read(2, &mut data), Ok(5));
        assert_eq!(&data, b"\0\0abc\x01\x01\x01");
        assert_eq!((file.read(9, &mut data), file.size()), (Ok(0), Ok(7)));
        assert_eq!((file.resize(3), file.size()), (Ok(()), Ok(3)));
        HostFiles.delete(&name).expect("it is deleted");
    }
}
