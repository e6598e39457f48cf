//! Rates and times with their units.

use sim_core::SimDuration;

use crate::units::{self, Bandwidth};

/// Largest rate, in bytes per second.
const RATE_MAX: f64 = 1e15;

/// Largest latency of a cable, in picoseconds: about a quarter of an hour.
const LATENCY_MAX: u64 = 1_000_000_000_000_000;

/// Units of a rate and the bytes per second of one. `b` and `bit` are bits, `B` are bytes.
const RATES: [(&str, f64); 17] = [
    ("B/s", 1.0),
    ("kB/s", 1e3),
    ("KB/s", 1e3),
    ("MB/s", 1e6),
    ("GB/s", 1e9),
    ("TB/s", 1e12),
    ("KiB/s", 1024.0),
    ("MiB/s", 1_048_576.0),
    ("GiB/s", 1_073_741_824.0),
    ("kb/s", 125.0),
    ("Mb/s", 125e3),
    ("Gb/s", 125e6),
    ("Tb/s", 125e9),
    ("Mbit/s", 125e3),
    ("Gbit/s", 125e6),
    ("Mbps", 125e3),
    ("Gbps", 125e6),
];

/// Reads a rate such as `100Gb/s`.
pub(super) fn bandwidth(text: &str) -> Result<Bandwidth, String> {
    match units::spaced(text, &RATES).filter(|rate| (1.0..=RATE_MAX).contains(rate)) {
        Some(rate) => Ok(Bandwidth::from_bytes_per_sec(rate.round() as u64)),
        None => Err(format!(
            "the bandwidth `{text}` is not a rate; write a number and a unit, as in 100Gb/s or \
             12.5GB/s, from 1B/s to 1000TB/s"
        )),
    }
}

/// Reads a time such as `250ns`.
pub(in crate::topology) fn latency(text: &str) -> Result<SimDuration, String> {
    match units::time(text).filter(|time| time.as_ps() <= LATENCY_MAX) {
        Some(time) => Ok(time),
        None => Err(format!(
            "the latency `{text}` is not a time; write a number and a unit, as in 250ns or 1.5us, \
             from 0ns to 1000s"
        )),
    }
}

/// Reads the number of parallel cables.
pub(super) fn cables(text: &str) -> Result<u32, String> {
    text.parse()
        .ok()
        .filter(|count| (1..=4096).contains(count))
        .ok_or_else(|| format!("the number of cables `{text}` is not a whole number of 1 to 4096"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_units() {
        let rate = |text| bandwidth(text).map(Bandwidth::bytes_per_sec).ok();
        assert_eq!(rate("100Gb/s"), Some(12_500_000_000));
        assert_eq!(rate("12.5 GB/s"), Some(12_500_000_000));
        assert_eq!(rate("54.5Gbit/s"), Some(6_812_500_000));
        assert_eq!(rate("1KiB/s"), Some(1024));
        for text in ["", "100", "0GB/s", "-1GB/s", "1e99GB/s", "nanGB/s", "1.1.1GB/s", "Gb/s"] {
            assert!(rate(text).is_none(), "{text}");
        }
        let time = |text| latency(text).map(SimDuration::as_ps).ok();
        assert_eq!([time("250ns"), time("0s"), time("1.5us")], [250_000, 0, 1_500_000].map(Some));
        for text in ["", "250", "-1ns", "2000s", "1h", "infs"] {
            assert!(time(text).is_none(), "{text}");
        }
        assert_eq!(cables("4"), Ok(4));
        assert!(["0", "-1", "4097", "x", ""].iter().all(|text| cables(text).is_err()));
    }
}
