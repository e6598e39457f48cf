//! The memory that this machine can still give to this process.

use std::{fs, path::Path};

/// Returns the memory that the system, and every control group around this process, can still give, in
/// bytes; `None` if the system does not say.
pub(crate) fn memory() -> Option<u64> {
    let system = fs::read_to_string("/proc/meminfo").ok()?;
    let kilobytes = field(&system, "MemAvailable:")?;
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let limits = groups.lines().filter_map(|line| in_groups(Path::new("/sys/fs/cgroup"), line));
    Some(limits.fold(kilobytes << 10, u64::min))
}

/// Returns the number behind a name at the beginning of a line.
fn field(text: &str, name: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
    rest.split_whitespace().next()?.parse().ok()
}

/// Returns what the control group of a line of `/proc/self/cgroup` leaves, and those around it. `root` is
/// where the groups are mounted. Version 2 has one hierarchy, version 1 one of its own for memory.
fn in_groups(root: &Path, line: &str) -> Option<u64> {
    let mut parts = line.splitn(3, ':').skip(1);
    let (controllers, path) = (parts.next()?, parts.next()?);
    let (root, files) = match controllers {
        "" => (root.to_owned(), ["memory.max", "memory.current"]),
        "memory" => (root.join("memory"), ["memory.limit_in_bytes", "memory.usage_in_bytes"]),
        _ => return None,
    };
    let inner = root.join(path.trim_start_matches('/'));
    let groups = inner.ancestors().take_while(|folder| folder.starts_with(&root));
    groups.filter_map(|folder| left_in(folder, files)).min()
}

/// Returns what one group leaves. Pages of files that it holds are given back when memory is short.
fn left_in(folder: &Path, [most, used]: [&str; 2]) -> Option<u64> {
    let text = |name: &str| fs::read_to_string(folder.join(name)).ok();
    let number = |name: &str| text(name)?.trim().parse::<u64>().ok();
    let (most, used) = (number(most)?, number(used)?);
    let held = text("memory.stat").unwrap_or_default();
    let files = |name| field(&held, name).unwrap_or_default();
    let files = files("inactive_file ") + files("active_file ");
    Some(most.saturating_sub(used.saturating_sub(files)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tightest_group_decides() {
        let root = tempfile::tempdir().expect("a folder");
        let inner = root.path().join("slurm/job");
        fs::create_dir_all(&inner).expect("writable");
        let write = |folder: &Path, name: &str, text: &str| {
            fs::write(folder.join(name), text).expect("writable");
        };
        let outer = root.path().join("slurm");
        for (folder, most, used) in [(&outer, "1000", "600"), (&inner, "max", "500")] {
            write(folder, "memory.max", most);
            write(folder, "memory.current", used);
        }
        let left = |line| in_groups(root.path(), line);
        assert_eq!(left("0::/slurm/job"), Some(400));
        write(&outer, "memory.stat", "anon 10\ninactive_file 100\nactive_file 50\n");
        assert_eq!(left("0::/slurm/job"), Some(550), "pages of files can be given back");
        assert_eq!([left("0::/"), left("3:cpu:/slurm"), left("nonsense")], [None; 3]);
    }

    #[test]
    fn this_machine_has_some() {
        assert!(memory().is_some_and(|bytes| bytes > 1 << 20));
    }
}
