//! What the sizes of measurements can determine, and which sizes they lack.

use sim_core::words::counted;

use super::{
    measurement::{Benchmark, Point, Series},
    ping_pong::MessageTime,
};

/// Fewest sizes of a ping-pong that tell noise from protocols.
pub(super) const MANY: usize = 8;
/// Longest of the short messages, whose time is that of calls and latencies.
const SHORT: u64 = 64;
/// Shortest of the long messages, whose time is that of their bytes.
const LONG: u64 = 1 << 20;
/// Most sizes that a message lists.
const LISTED_MAX: usize = 4;

/// Returns the measured sizes in words.
pub(super) fn sizes(points: &[Point]) -> String {
    let list: Vec<String> = points.iter().map(|point| point.bytes.to_string()).collect();
    match &list[..] {
        [] => "no size".into(),
        [one] => format!("{one} bytes"),
        [first, .., last] if list.len() > LISTED_MAX => {
            format!("{} from {first} to {last} bytes", counted(list.len() as u64, "size"))
        }
        [first @ .., last] => format!("{} and {last} bytes", first.join(", ")),
    }
}

/// Returns which sizes a ping-pong lacks, in words.
pub(super) fn lacking(points: &[Point]) -> String {
    let mut lacking = Vec::new();
    if points.first().is_none_or(|first| first.bytes > SHORT) {
        lacking.push(format!("messages of at most {SHORT} bytes"));
    }
    if points.last().is_none_or(|last| last.bytes < LONG) {
        lacking.push("messages of 1 MiB or more".into());
    }
    if points.len() < MANY {
        lacking.push(format!("at least {MANY} sizes, each about twice the one before"));
    }
    match &lacking[..] {
        [] => "more sizes".into(),
        lacking => lacking.join(", and "),
    }
}

/// Reports whether the bytes of a message take at least half of its time in a stream of several pairs at one port.
fn is_long(point: &Point, pairs: u32, message: &MessageTime) -> bool {
    let per_byte = message.per_byte + message.big;
    2.0 * f64::from(pairs) * per_byte * point.bytes as f64 >= point.time_ns
}

/// Reports whether the longest messages of a stream determine the time per byte of a port: bytes take most of their
/// time, or they take far longer than short ones.
pub(super) fn has_long(points: &[Point], pairs: u32, message: &MessageTime) -> bool {
    let ends = points.first().zip(points.last());
    ends.is_some_and(|(first, last)| {
        is_long(last, pairs, message) || last.time_ns >= 2.0 * first.time_ns
    })
}

/// Returns the shortest message of a stream, if what it takes is not the time of its bytes.
pub(super) fn shortest<'a>(
    points: &'a [Point],
    pairs: u32,
    message: &MessageTime,
) -> Option<&'a Point> {
    points.first().filter(|first| !is_long(first, pairs, message))
}

/// Returns what streams cannot determine since sizes are missing, a sentence for each.
pub(super) fn of_streams(series: &[Series], message: &MessageTime) -> Vec<String> {
    let told = |table: &Series| {
        let Benchmark::Stream { pairs, .. } = table.benchmark else { return Vec::new() };
        let points = &table.points[..];
        let lacks = |what: &str, lacking: &str| {
            let (name, source) = (table.benchmark.name(), &table.source);
            format!(
                "the {name} ({source}, {}) does not determine {what}: measure {lacking}",
                sizes(points)
            )
        };
        let long = (!has_long(points, pairs, message))
            .then(|| lacks("the rate of a port", "messages of 1 MiB or more"));
        let short = shortest(points, pairs, message).is_none().then(|| {
            lacks("the time of short messages", &format!("messages of at most {SHORT} bytes"))
        });
        long.into_iter().chain(short).collect()
    };
    series.iter().flat_map(told).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(sizes: &[u64]) -> Vec<Point> {
        let point = |bytes: &u64| Point { bytes: *bytes, time_ns: 1000.0, rounding_ns: 0.0 };
        sizes.iter().map(point).collect()
    }

    #[test]
    fn sizes_that_are_missing_are_named() {
        let (few, none) = (points(&[0, 8]), points(&[]));
        assert_eq!(sizes(&few), "0 and 8 bytes");
        assert_eq!(sizes(&points(&[8])), "8 bytes");
        assert_eq!(sizes(&points(&[1, 2, 4, 8, 16])), "5 sizes from 1 to 16 bytes");
        let twice = "at least 8 sizes, each about twice the one before";
        assert_eq!(lacking(&few), format!("messages of 1 MiB or more, and {twice}"));
        assert!(lacking(&none).starts_with("messages of at most 64 bytes, and messages of 1 MiB"));
        assert_eq!(
            lacking(&points(&[4096, 1 << 22])),
            format!("messages of at most 64 bytes, and {twice}")
        );
        let doubled: Vec<u64> = (0..21).map(|power| 1 << power).collect();
        assert_eq!(lacking(&points(&doubled)), "more sizes");
    }
}
