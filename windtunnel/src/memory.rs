//! A check, before a run starts, that its ranks fit into the memory of this machine: otherwise the
//! run would end in the middle, without a result.

use std::fs;

use rustix::process::{Resource, getrlimit};
use scenarios::{
    error::Error,
    scenario::{Need, Scenario},
};

/// Memory that the process keeps for everything but the ranks, in bytes.
const RESERVE: u64 = 64 << 20;

/// Remaining memory in bytes, and the limit it comes from.
struct Left {
    bytes: u64,
    of: &'static str,
}

/// Checks that the ranks of a scenario fit into memory.
///
/// # Errors
/// Returns an error if they do not; it says how many ranks would.
pub(crate) fn suffices_for(scenario: &Scenario) -> Result<(), Error> {
    let need = scenario.need_per_rank();
    let Need { address_space, touched } = need;
    let ranks = u64::from(scenario.request.ranks);
    for (each, left) in [(address_space, left_to_map()), (touched, left_to_touch())] {
        let Some(Left { bytes, of }) = left else { continue };
        let room = bytes.saturating_sub(RESERVE);
        if ranks.saturating_mul(each) <= room {
            continue;
        }
        let (most, each, bytes) = (room / each, size(each), size(bytes));
        return Err(Error::BadValue {
            what: "the number of ranks".into(),
            value: ranks.to_string(),
            allowed: format!(
                "at most {most} here: each takes {each} of {of}, of which {bytes} are left"
            ),
        });
    }
    Ok(())
}

/// Returns a number of bytes with a unit, for display.
fn size(bytes: u64) -> String {
    match bytes {
        0..0x10_0000 => format!("{} KiB", bytes >> 10),
        0x10_0000..0x4000_0000 => format!("{} MiB", bytes >> 20),
        _ => format!("{:.1} GiB", bytes as f64 / f64::from(1 << 30)),
    }
}

/// Returns the address space that the limit of the process leaves, if it has one.
fn left_to_map() -> Option<Left> {
    let limit = getrlimit(Resource::As).current?;
    let pages = fs::read_to_string("/proc/self/statm").ok()?;
    let used: u64 = pages.split(' ').next()?.parse().ok()?;
    let bytes = limit.saturating_sub(used * 4096);
    Some(Left { bytes, of: "address space (ulimit -v)" })
}

/// Returns the memory that the system, or the control group of this process, can still give.
fn left_to_touch() -> Option<Left> {
    let system = fs::read_to_string("/proc/meminfo").ok()?;
    let mut lines = system.lines();
    let line = lines.find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().trim_end_matches(" kB").parse().ok()?;
    let group = in_group("memory.max").zip(in_group("memory.current"));
    let group = group.map_or(u64::MAX, |(most, used)| most.saturating_sub(used));
    Some(Left { bytes: group.min(kilobytes << 10), of: "memory" })
}

fn in_group(name: &str) -> Option<u64> {
    fs::read_to_string(format!("/sys/fs/cgroup/{name}")).ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_told_in_the_unit_that_fits() {
        assert_eq!([size(8 << 10), size(3 << 20), size(5 << 29)], ["8 KiB", "3 MiB", "2.5 GiB"]);
    }
}
