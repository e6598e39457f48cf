//! [`Caches`]: which bytes of files the nodes hold in memory, and which of these the servers do not have
//! yet.

use std::collections::{BTreeMap, VecDeque};

use super::errand::Door;

/// The caches of all nodes.
#[derive(Default)]
pub(super) struct Caches {
    nodes: BTreeMap<u32, Cache>,
}

/// The cache of one node.
#[derive(Default)]
struct Cache {
    /// Bytes that are held, the oldest first; no byte twice.
    held: VecDeque<Held>,
    /// Sum of their bytes.
    bytes: u64,
    /// Bytes that are on their way to the servers.
    dirty: u64,
    /// Number of writes on their way, by where they came from.
    draining: BTreeMap<Door, u32>,
}

/// Consecutive bytes of a file.
struct Held {
    /// The number of the file's name.
    name: u32,
    at: i64,
    end: i64,
}

impl Cache {
    /// Forgets these bytes of a file.
    fn forget(&mut self, name: u32, (at, end): (i64, i64)) {
        if !self.held.iter().any(|held| held.name == name && held.at < end && at < held.end) {
            return;
        }
        let mut kept = VecDeque::with_capacity(self.held.len() + 1);
        for held in self.held.drain(..) {
            if held.name != name || held.end <= at || end <= held.at {
                kept.push_back(held);
                continue;
            }
            self.bytes -= (held.end.min(end) - held.at.max(at)) as u64;
            let rest = [(held.at, at), (end, held.end)];
            let rest = rest.into_iter().filter(|(at, end)| at < end);
            kept.extend(rest.map(|(at, end)| Held { name, at, end }));
        }
        self.held = kept;
    }

    /// Holds these bytes, and forgets the oldest ones if there are too many.
    fn hold(&mut self, name: u32, (at, end): (i64, i64), most: u64) {
        self.forget(name, (at, end));
        let at = at.max(end.saturating_sub_unsigned(most));
        self.held.push_back(Held { name, at, end });
        self.bytes += (end - at) as u64;
        while self.bytes > most {
            let Some(oldest) = self.held.front_mut() else { return };
            let surplus = (self.bytes - most).min((oldest.end - oldest.at) as u64);
            oldest.at += surplus as i64;
            self.bytes -= surplus;
            if oldest.at == oldest.end {
                self.held.pop_front();
            }
        }
    }

    /// Returns the part of these bytes, without gaps, that has to be fetched.
    fn missing(&self, name: u32, (at, end): (i64, i64)) -> Option<(i64, i64)> {
        let mut here: Vec<(i64, i64)> = self
            .held
            .iter()
            .filter(|held| held.name == name && held.at < end && at < held.end)
            .map(|held| (held.at.max(at), held.end.min(end)))
            .collect();
        here.sort_unstable();
        let (mut next, mut missing) = (at, None::<(i64, i64)>);
        for (from, to) in here.into_iter().chain([(end, end)]) {
            if next < from {
                missing = Some((missing.map_or(next, |(first, _)| first), from));
            }
            next = to;
        }
        missing
    }
}

impl Caches {
    /// Returns the part of a read that a node has to fetch from the servers; it holds all of it
    /// afterwards.
    pub(super) fn read(
        &mut self,
        node: u32,
        name: u32,
        (at, bytes): (i64, u64),
        most: u64,
    ) -> Option<(i64, u64)> {
        let cache = self.nodes.entry(node).or_default();
        let range = (at, at + bytes as i64);
        let missing = cache.missing(name, range);
        cache.hold(name, range, most);
        missing.map(|(at, end)| (at, (end - at) as u64))
    }

    /// Records a write of a node. Returns whether its memory takes it, so that it goes to the servers
    /// later.
    pub(super) fn write(
        &mut self,
        (node, name): (u32, u32),
        door: Door,
        (at, bytes): (i64, u64),
        most: u64,
    ) -> bool {
        let range = (at, at + bytes as i64);
        for (other, cache) in &mut self.nodes {
            if *other != node {
                cache.forget(name, range);
            }
        }
        let cache = self.nodes.entry(node).or_default();
        cache.hold(name, range, most);
        if cache.dirty + bytes > most {
            return false;
        }
        cache.dirty += bytes;
        *cache.draining.entry(door).or_default() += 1;
        true
    }

    /// Records that a write of this many bytes has reached the servers. Returns whether it was the last one
    /// of its file on this node.
    pub(super) fn drained(&mut self, node: u32, door: Door, bytes: u64) -> bool {
        let Some(cache) = self.nodes.get_mut(&node) else { return false };
        cache.dirty -= bytes;
        let Some(count) = cache.draining.get_mut(&door) else { return false };
        *count -= 1;
        if *count > 0 {
            return false;
        }
        cache.draining.remove(&door);
        true
    }

    /// Reports whether writes of a node to a file are on their way to the servers.
    pub(super) fn is_draining(&self, node: u32, door: Door) -> bool {
        self.nodes.get(&node).is_some_and(|cache| cache.draining.contains_key(&door))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::{CommId, FileId};

    const FILE: Door = Door::Mpi(FileId(CommId(5)));

    #[test]
    fn what_was_read_is_there() {
        let mut caches = Caches::default();
        assert_eq!(caches.read(0, 1, (0, 50), 100), Some((0, 50)));
        assert_eq!(caches.read(0, 1, (10, 20), 100), None);
        assert_eq!(caches.read(0, 1, (40, 20), 100), Some((50, 10)));
        assert_eq!(caches.read(0, 2, (40, 20), 100), Some((40, 20)), "another file");
        assert_eq!(caches.read(1, 1, (40, 20), 100), Some((40, 20)), "another node");
    }

    #[test]
    fn the_oldest_bytes_are_forgotten() {
        let mut caches = Caches::default();
        caches.read(0, 1, (0, 60), 100);
        caches.read(0, 1, (100, 60), 100);
        assert_eq!(caches.read(0, 1, (0, 60), 100), Some((0, 20)));
        assert_eq!(caches.read(0, 1, (500, 400), 100), Some((500, 400)));
        assert_eq!(caches.read(0, 1, (800, 100), 100), None, "the end of a long read stays");
    }

    #[test]
    fn writes_go_to_memory_while_there_is_room() {
        let mut caches = Caches::default();
        assert!(caches.write((0, 1), FILE, (0, 60), 100));
        assert!(!caches.write((0, 1), FILE, (60, 60), 100));
        assert!(caches.write((0, 1), FILE, (60, 40), 100));
        assert!(caches.is_draining(0, FILE) && !caches.is_draining(1, FILE));
        assert!(!caches.drained(0, FILE, 60));
        assert!(caches.drained(0, FILE, 40));
        assert!(!caches.is_draining(0, FILE));
    }

    #[test]
    fn a_write_elsewhere_makes_copies_old() {
        let mut caches = Caches::default();
        caches.read(0, 1, (0, 60), 100);
        caches.write((1, 1), FILE, (20, 10), 100);
        assert_eq!(caches.read(0, 1, (0, 60), 100), Some((20, 10)));
    }
}
