//! Command lines of mpiexec, which are no programs of ranks.

use super::super::Row;

/// Example, what it shows, where it is tested instead.
const REMARKS: [(&str, &str, &str); 7] = [
    ("D8.13", "mpiexec -n 16", "a command line: windtunnel/tests/it/mpiexec.rs, d8_13"),
    ("D8.14", "mpiexec -n 10 -host", "a command line: windtunnel/tests/it/mpiexec.rs, d8_14"),
    (
        "D8.15",
        "three programs without -n, separated by colons",
        "a command line: windtunnel/tests/it/mpiexec.rs, d8_15",
    ),
    (
        "D8.16",
        "two programs with -n and -arch",
        "a command line: windtunnel/tests/it/mpiexec.rs, d8_16",
    ),
    ("D8.17", "mpiexec -configfile", "a command line: windtunnel/tests/it/mpiexec.rs, d8_17"),
    (
        "D8.18",
        "mpiexec -asp 4: four ranks in each address space",
        "a command line: windtunnel/tests/it/mpiexec.rs, d8_18; D6.3 runs the ranks of one space",
    ),
    (
        "D10.soft",
        "numbers of processes that -soft allows",
        "a command line: windtunnel/tests/it/mpiexec.rs, d10_soft, and the unit tests of \
         mpi-api/src/spawn/soft.rs",
    ),
];

pub(super) fn rows() -> Vec<Row> {
    REMARKS.iter().map(|(id, shows, why)| Row::remark(id, super::DRAFT, shows, why)).collect()
}
