//! What images cost: time to make one, memory, a switch between ranks.
#![allow(unsafe_code, reason = "reads the clock of the thread")]

#[path = "../tests/it/harness.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod harness;

use std::fs;

use guest::loader::Text;

fn cpu_seconds() -> f64 {
    // SAFETY: all zero is a time.
    let mut time: libc::timespec = unsafe { std::mem::zeroed() };
    // SAFETY: the place is a variable of ours.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

/// Kilobytes from a line of `/proc/self/status`.
fn status(key: &str) -> f64 {
    let text = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with(key)).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|word| word.parse().ok()).unwrap_or(0.0)
}

/// CPU time of a run, and the growth of the peak of memory.
fn measure(program: &str, ranks: u32, argument: &str, text: Text) -> (f64, f64) {
    let program = harness::compile(program, &["-O2"]);
    let opened = program.open();
    harness::simulate(&opened, ranks.min(100), &["1"], Some(text));
    fs::write("/proc/self/clear_refs", "5").expect("the peak of memory is reset");
    let (memory, begin) = (status("VmRSS"), cpu_seconds());
    harness::simulate(&opened, ranks, &[argument], Some(text));
    (cpu_seconds() - begin, status("VmHWM") - memory)
}

fn main() {
    for ranks in [1000, 10_000] {
        harness::simulate_nothing(ranks, 1);
        let begin = cpu_seconds();
        harness::simulate_nothing(ranks, 1);
        let one = cpu_seconds();
        harness::simulate_nothing(ranks, 101);
        let switch = (cpu_seconds() - one - (one - begin)) / (100.0 * f64::from(ranks));
        let start = (one - begin) / f64::from(ranks);
        println!(
            "{ranks:>7} ranks without a program: {:.1} us to start, {:.0} ns per switch",
            1e6 * start,
            1e9 * switch
        );
    }
    for text in [Text::Shared, Text::Copied] {
        println!("{text:?}");
        for ranks in [1000, 10_000] {
            let (one, memory) = measure("switches.c", ranks, "1", text);
            let (many, _) = measure("switches.c", ranks, "101", text);
            println!(
                "{ranks:>7} ranks: {:8.0} images/s, {:6.1} kB per rank, {:5.0} ns per switch",
                f64::from(ranks) / one,
                memory / f64::from(ranks),
                1e9 * (many - one) / (100.0 * f64::from(ranks)),
            );
        }
        let (time, memory) = measure("large.c", 1024, "", text);
        println!("   1024 ranks of 1 MB: {time:.2} s, peak {:.2} GB", memory / 1e6);
    }
}
