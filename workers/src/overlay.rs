//! Overlays in a mount namespace of this process.

use std::{
    ffi::{CString, OsString},
    fs, io,
    os::{
        fd::{AsRawFd, OwnedFd},
        unix::ffi::OsStringExt,
    },
    path::{Path, PathBuf},
};

use rustix::{
    fs::{CWD, Mode, OFlags, openat},
    mount::{
        MountFlags, MountPropagationFlags, UnmountFlags, mount, mount_bind_recursive, mount_change,
        unmount,
    },
    process::{getgid, getuid},
    thread::{UnshareFlags, unshare_unsafe},
};

/// Mounts an overlay over a folder. It shows `lower` with changes, which go to `place`. File systems that are mounted below
/// the folder stay there, without a view of their own.
pub(crate) fn mount_overlay(folder: &Path, lower: &Path, place: &Path) -> io::Result<()> {
    let (upper, work) = (place.join("upper"), place.join("work"));
    fs::create_dir_all(&upper)?;
    fs::create_dir_all(&work)?;
    fs::set_permissions(&upper, fs::metadata(folder)?.permissions())?;
    let text = |path: &Path| escaped(path).ok_or(io::ErrorKind::InvalidInput);
    let (lower, upper, work) = (text(lower)?, text(&upper)?, text(&work)?);
    let plain = format!("lowerdir={lower},upperdir={upper},workdir={work}");
    let below = mounts_below(folder)?;
    // One that cannot be opened is hidden already.
    let below = below.iter().filter_map(|at| Some((at, open_place(at).ok()?)));
    let below: Vec<_> = below.collect();
    // Without privileges the overlay stores its marks in extended attributes of the user namespace.
    let mounted = [format!("{plain},userxattr"), plain].iter().any(|options| {
        let options = CString::new(options.as_str()).unwrap_or_default();
        mount("overlay", folder, "overlay", MountFlags::empty(), options.as_c_str()).is_ok()
    });
    if !mounted {
        return Err(io::Error::last_os_error());
    }
    for (at, mounted) in below {
        if let Err(error) = mount_bind_recursive(by_number(&mounted), at) {
            unmount(folder, UnmountFlags::DETACH)?;
            return Err(error.into());
        }
    }
    Ok(())
}

/// Returns where file systems are mounted below a folder, without those below them.
fn mounts_below(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mounts = fs::read("/proc/self/mountinfo")?;
    let points = mounts.split(|byte| *byte == b'\n').filter_map(mount_point);
    let mut below: Vec<PathBuf> =
        points.filter(|point| point != folder && point.starts_with(folder)).collect();
    below.sort();
    below.dedup_by(|point, higher| point.starts_with(higher));
    Ok(below)
}

/// Returns the mount point in a line of `/proc/self/mountinfo`, which is its fifth field (proc(5)).
fn mount_point(line: &[u8]) -> Option<PathBuf> {
    let mut field = line.split(|byte| *byte == b' ').nth(4)?.iter().copied();
    let mut path = Vec::new();
    while let Some(byte) = field.next() {
        // Blanks, line ends and backslashes have three octal digits.
        let digit =
            |value: u8, digit: u8| value.wrapping_mul(8).wrapping_add(digit.wrapping_sub(b'0'));
        path.push(if byte == b'\\' { field.by_ref().take(3).fold(0, digit) } else { byte });
    }
    Some(OsString::from_vec(path).into())
}

/// Opens a folder, or a file, as a place only.
pub(crate) fn open_place(path: &Path) -> io::Result<OwnedFd> {
    Ok(openat(CWD, path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?)
}

/// Returns a path of an open place, which may be hidden by a mount.
pub(crate) fn by_number(place: &OwnedFd) -> PathBuf {
    format!("/proc/self/fd/{}", place.as_raw_fd()).into()
}

/// Moves this process to namespaces of its own, for mounts and for objects that processes share by
/// name or number. Without privileges this needs a user namespace, in which the process keeps its
/// user and group.
pub(crate) fn separate(own: UnshareFlags) -> io::Result<()> {
    if unshare(own).is_err() {
        let (user, group) = (getuid().as_raw(), getgid().as_raw());
        unshare(own | UnshareFlags::NEWUSER)?;
        fs::write("/proc/self/setgroups", "deny")?;
        fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
        fs::write("/proc/self/gid_map", format!("{group} {group} 1"))?;
    }
    mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)?;
    Ok(())
}

#[allow(unsafe_code, reason = "leaves the namespaces of the parent")]
pub(crate) fn unshare(flags: UnshareFlags) -> rustix::io::Result<()> {
    // SAFETY: the flags change which mounts and users this process sees; no descriptor is closed,
    // and there is no other thread.
    unsafe { unshare_unsafe(flags) }
}

/// Returns a path as an option of an overlay, or `None` if it cannot be one.
fn escaped(path: &Path) -> Option<String> {
    let text = path.to_str()?;
    Some(text.replace('\\', "\\\\").replace(',', "\\,").replace(':', "\\:"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mount_point_is_read_with_its_blanks() {
        let line =
            br"36 35 98:0 /mnt1 /mnt/two\040words\134 rw,noatime master:1 - ext3 /dev/root rw";
        assert_eq!(mount_point(line), Some(PathBuf::from(r"/mnt/two words\")));
        assert_eq!(mount_point(b""), None);
    }
}
