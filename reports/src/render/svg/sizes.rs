//! The distribution of message sizes.

use mpi_api::trace::{Protocol, SentMessage};

use super::bars::{SizeBar, protocols};
use crate::{analysis::size_class, format::size_range, records::Records};

/// Draws a bar for each power of two of bytes that messages have: eager messages, then those by rendezvous.
pub fn message_sizes(records: &Records) -> String {
    let classes = classes(records);
    let rows: Vec<SizeBar> = (0..)
        .zip(classes)
        .filter(|(_, counts)| *counts != [0, 0])
        .map(|(class, counts)| (size_range(size_class::smallest(class)), counts))
        .collect();
    protocols(&rows)
}

/// Counts the messages of each size class, up to the largest one that occurs.
fn classes(records: &Records) -> Vec<[u64; 2]> {
    let mut classes: Vec<[u64; 2]> = Vec::new();
    for SentMessage { bytes, protocol, .. } in records.sent() {
        let class = size_class::of(bytes);
        classes.resize(classes.len().max(class + 1), [0, 0]);
        let protocol = match protocol {
            Protocol::Eager => 0,
            Protocol::Rendezvous => 1,
        };
        classes[class][protocol] += 1;
    }
    classes
}

#[cfg(test)]
mod tests {
    use mpi_api::trace::Record;
    use sim_core::SimTime;

    use super::*;

    fn message(bytes: u64, protocol: Protocol) -> Record {
        let at = SimTime::ZERO;
        Record::Message {
            id: 0,
            source: 0,
            target: 1,
            tag: 0,
            bytes,
            protocol,
            posted: at,
            injected: at,
            arrived: at,
            matched: at,
        }
    }

    #[test]
    fn every_bar_has_its_name() {
        let one = message(64 << 10, Protocol::Rendezvous);
        let picture = message_sizes(&[one.clone()].into_iter().collect());
        assert_eq!(picture.matches("and more").count(), 1, "one size has one bar");
        assert!(picture.contains("64.0 KiB and more"));
        let many = (0..=20).map(|power| message(1 << power, Protocol::Eager)).chain([one]);
        let picture = message_sizes(&many.collect());
        for power in 1..=20 {
            let name = size_range(1 << power);
            assert!(picture.contains(&name), "{name}");
        }
    }
}
