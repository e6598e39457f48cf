//! Where the time of a run goes (`windtunnel run --profile`), through the command line.

use std::{fs, path::Path};

use serde_json::Value;
use tempfile::TempDir;

use super::windtunnel;
use crate::c_programs;

fn object(words: &str) -> Value {
    let (_, out, err) = windtunnel(words);
    serde_json::from_str(&out).unwrap_or_else(|_| panic!("{words}: {out}{err}"))
}

/// Rank 0 waits two milliseconds for rank 1; all wait one more for rank 0.
const C: &str = r#"#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    int rank, data[4] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        windtunnel_compute(2e-3);
        MPI_Send(data, 4, MPI_INT, 0, 7, MPI_COMM_WORLD);
    } else if (rank == 0) {
        MPI_Recv(data, 4, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        windtunnel_compute(1e-3);
    }
    if (argc > 1) exit(3);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
}
"#;

const FORTRAN: &str = "program late
use mpi
integer :: rank, code, data(4)
call MPI_Init(code)
call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
data = 0
if (rank == 1) then
  call windtunnel_compute(2d-3)
  call MPI_Send(data, 4, MPI_INTEGER, 0, 7, MPI_COMM_WORLD, code)
else if (rank == 0) then
  call MPI_Recv(data, 4, MPI_INTEGER, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE, code)
end if
call MPI_Finalize(code)
end program
";

fn compiled(command: &str, name: &str, text: &str, folder: &TempDir) -> String {
    let source = folder.path().join(name);
    fs::write(&source, text).expect("the folder is there");
    let program = folder.path().join("program").display().to_string();
    let words = [command, "-w", &source.display().to_string(), "-o", &program];
    let (code, told) = c_programs::windtunnel(&words, folder.path());
    assert_eq!(code, Some(0), "{told}");
    program
}

/// The call sites of a profile: name, file without its folder, line.
fn sites(told: &Value) -> Vec<(String, String, u64)> {
    let sites = told["profile"]["call_sites"].as_array().expect("a list");
    let file = |site: &Value| {
        let path = Path::new(site["file"].as_str().unwrap_or("")).file_name();
        path.unwrap_or_default().to_string_lossy().into_owned()
    };
    let of = |site: &Value| {
        let call = site["call"].as_str().unwrap_or_default().to_owned();
        (call, file(site), site["line"].as_u64().unwrap_or(0))
    };
    sites.iter().map(of).collect()
}

#[test]
fn calls_of_c_have_their_names_lines_and_times() {
    let folder = TempDir::new().expect("a folder");
    let program = compiled("cc", "late.c", C, &folder);
    let told = object(&format!("run {program} -n 4 --machine ideal --profile --json"));
    let found = sites(&told);
    assert!(found.contains(&("MPI_Recv".into(), "late.c".into(), 11)), "{found:?}");
    assert_eq!(found[0], ("MPI_Barrier".into(), "late.c".into(), 15));
    let cause = |name: &str| told["profile"]["blocked"]["by_cause_ns"][name].as_f64();
    assert_eq!(cause("late sender"), Some(2e6));
    // Until rank 0 comes at 3 ms and the time of a message.
    let barrier = cause("wait at barrier").expect("ranks wait");
    assert!((7e6..7.1e6).contains(&barrier), "{barrier}");
    let waiting: f64 = (told["per_rank"].as_array().expect("ranks").iter())
        .filter_map(|rank| rank["waiting_ns"].as_f64())
        .sum();
    let total = told["profile"]["blocked"]["total_ns"].as_f64().expect("a time");
    assert!((waiting - total).abs() < 1e-3, "{waiting} {total}");
    // Without --profile nothing else changes.
    let mut plain = object(&format!("run {program} -n 4 --machine ideal --json"));
    assert_eq!(plain["profile"], Value::Null);
    for member in ["profile", "efficiencies"] {
        plain[member] = told[member].clone();
    }
    assert_eq!(plain, told);
}

#[test]
fn a_program_that_fails_has_a_profile_up_to_there() {
    let folder = TempDir::new().expect("a folder");
    let program = compiled("cc", "late.c", C, &folder);
    let words = format!("run {program} -n 4 --machine ideal --profile --json -- fail");
    let told = object(&words);
    assert_ne!(told["outcome"], "completed");
    assert!(sites(&told).iter().any(|(call, ..)| call == "MPI_Init" || call == "MPI_Recv"));
    let missing = &told["efficiencies"]["ideal_missing_because"];
    assert_eq!(missing, "the run did not complete", "{told}");
}

#[test]
fn calls_of_fortran_have_their_names_and_lines() {
    if std::process::Command::new("gfortran").arg("--version").output().is_err() {
        eprintln!("skipped: gfortran is not installed");
        return;
    }
    let folder = TempDir::new().expect("a folder");
    let program = compiled("fc", "late.f90", FORTRAN, &folder);
    let told = object(&format!("run {program} -n 2 --machine ideal --profile --json"));
    let found = sites(&told);
    assert!(found.contains(&("MPI_Recv".into(), "late.f90".into(), 11)), "{found:?}");
    let late = told["profile"]["blocked"]["by_cause_ns"]["late sender"].as_f64();
    assert_eq!(late, Some(2e6));
}

#[test]
fn the_parts_of_an_efficiency_multiply_to_it() {
    let told = object("run jacobi-sendrecv -n 64 --machine sp2 --profile --json");
    let found = &told["efficiencies"];
    let number = |name: &str| found[name].as_f64().unwrap_or_else(|| panic!("{name}: {found}"));
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} {b}: {found}");
    near(number("parallel"), number("load_balance") * number("communication"));
    near(number("communication"), number("serialisation") * number("transfer"));
    assert!(number("ideal_makespan_ns") < told["makespan_ns"].as_f64().expect("a time"));
    assert_eq!(told["profile"]["blocked_per_rank"].as_array().map(Vec::len), Some(64));
    // Nobody asked: the parts are not known, and the run says so.
    let plain = object("run jacobi-sendrecv -n 64 --machine sp2 --json");
    assert_eq!(plain["efficiencies"]["transfer"], Value::Null);
    assert_eq!(plain["efficiencies"]["ideal_missing_because"], "not asked for");
}

/// Each rank puts 8 bytes to its neighbour, and draws a number from rank 0 under a lock.
const ONE_SIDED: &str = r#"#include <mpi.h>
int main(int argc, char **argv) {
    int rank, size;
    long board[2] = {0}, one = 1, drawn;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_create(board, sizeof board, sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    if (rank == 0) windtunnel_compute(1e-3);
    MPI_Put(&one, 1, MPI_LONG, (rank + 1) % size, 0, 1, MPI_LONG, window);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
    MPI_Fetch_and_op(&one, &drawn, MPI_LONG, 0, 1, MPI_SUM, window);
    MPI_Win_flush(0, window);
    MPI_Win_unlock(0, window);
    MPI_Win_free(&window);
    MPI_Finalize();
}
"#;

#[test]
fn one_sided_communication_has_its_bytes_and_times_everywhere() {
    let folder = TempDir::new().expect("a folder");
    let program = compiled("cc", "windows.c", ONE_SIDED, &folder);
    let told = object(&format!("run {program} -n 3 --machine ideal --profile --json"));
    let found = &told["profile"]["one_sided"];
    let pairs: Vec<[u64; 5]> = (found["accesses"].as_array().expect("pairs").iter())
        .map(|pair| {
            ["origin", "target", "accesses", "bytes_to_target", "bytes_to_origin"]
                .map(|name| pair[name].as_u64().expect("a number"))
        })
        .collect();
    let expected =
        [[0, 0, 1, 8, 8], [0, 1, 1, 8, 0], [1, 0, 1, 8, 8], [1, 2, 1, 8, 0], [2, 0, 2, 16, 8]];
    assert_eq!(pairs, expected);
    let calls = &found["synchronisation"]["calls"];
    let expected = serde_json::json!({"fence": 6, "flush": 3, "lock": 3, "unlock": 3});
    assert_eq!(*calls, expected);
    // Two ranks wait a millisecond for rank 0.
    let fence = |rank: usize| {
        found["synchronisation_per_rank"][rank]["by_kind_ns"]["fence"].as_f64().expect("a time")
    };
    assert!(fence(1) > 1e6 && fence(2) > 1e6 && fence(0) < 1e5, "{found}");
    let causes = |rank: usize| told["profile"]["blocked_per_rank"][rank]["by_cause_ns"].clone();
    let at_fence = |rank: usize| causes(rank)["wait at fence"].as_f64().unwrap_or_default();
    assert!(at_fence(1) > 0.99e6 && at_fence(2) > 0.99e6 && at_fence(0) < 1e5, "{}", causes(1));
    // The sum over the call sites of these calls.
    let names = ["MPI_Win_fence", "MPI_Win_lock", "MPI_Win_flush", "MPI_Win_unlock"];
    let sites = told["profile"]["call_sites"].as_array().expect("a list").iter();
    let at_sites: f64 = sites
        .filter(|site| names.iter().any(|name| site["call"] == *name))
        .filter_map(|site| site["time_ns"].as_f64())
        .sum();
    let total = found["synchronisation"]["total_ns"].as_f64().expect("a time");
    assert!((at_sites - total).abs() < 1e-3, "{at_sites} {total}");
    let sizes = told["profile"]["message_sizes"].as_array().expect("a list").iter();
    assert_eq!(sizes.filter_map(|class| class["accesses"].as_u64()).sum::<u64>(), 6);

    let page = folder.path().join("page.html").display().to_string();
    let words = format!("run {program} -n 3 --machine ideal --profile --report {page}");
    let (code, out, err) = windtunnel(&words);
    assert_eq!(code, 0, "{err}");
    let parts = [
        "one-sided synchronisation",
        "wait at fence",
        "fence",
        "one-sided accesses",
        "rank 2 at rank 0",
    ];
    for part in parts {
        assert!(out.contains(part), "{part} is not in\n{out}");
    }
    let text = fs::read_to_string(page).expect("it is written");
    for part in ["One-sided communication", "to the origin", "wait at fence"] {
        assert!(text.contains(part), "{part} is not in the page");
    }
}

#[test]
fn text_and_page_show_the_profile() {
    let folder = TempDir::new().expect("a folder");
    let page = folder.path().join("page.html").display().to_string();
    let words = format!("run jacobi-sendrecv -n 64 --machine sp2 --profile=2 --report {page}");
    let (code, out, err) = windtunnel(&words);
    assert_eq!(code, 0, "{err}");
    for part in ["efficiency", "serialisation", "blocked time", "call", "message size"] {
        assert!(out.contains(part), "{part} is not in\n{out}");
    }
    assert!(out.contains("more; --profile=all shows each of them"), "{out}");
    let text = fs::read_to_string(page).expect("it is written");
    assert!(text.contains("Where the time went") && text.contains("Wait states"));
    assert!(!out.contains("one-sided") && !text.to_lowercase().contains("one-sided"), "{out}");
    let told = object("run jacobi-sendrecv -n 64 --machine sp2 --profile=2 --json");
    assert!(told["profile"].get("one_sided").is_none());
    assert!(told["profile"]["message_sizes"][0].get("accesses").is_none());
    for wrong in ["0", "-1", "some"] {
        let (code, _, err) = windtunnel(&format!("run jacobi-sendrecv --profile={wrong}"));
        assert!(code == 2 && err.contains("the number of call sites to show, or all"), "{err}");
    }
}

/// The algorithms of an operation: name, calls, least and most bytes of a rank.
fn algorithms(of: &Value) -> Vec<(String, u64, u64, u64)> {
    let list = of["algorithms"].as_array().expect("a list");
    let number = |one: &Value, name: &str| one[name].as_u64().expect("a number");
    let one = |one: &Value| {
        let name = one["algorithm"].as_str().expect("a name").to_owned();
        (name, number(one, "calls"), number(one, "least_bytes"), number(one, "most_bytes"))
    };
    list.iter().map(one).collect()
}

/// An allreduce of 8 bytes three times, and of 64 KiB once; a fence, whose barriers are not the program's.
const SIZES: &str = r#"#include <mpi.h>
double from[8192], to[8192];
int main(int argc, char **argv) {
    MPI_Win window;
    MPI_Init(&argc, &argv);
    for (int step = 0; step < 4; step++)
        MPI_Allreduce(from, to, step == 2 ? 8192 : 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Win_create(to, 8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
}
"#;

#[test]
fn collectives_have_their_algorithms_by_size() {
    let folder = TempDir::new().expect("a folder");
    let program = compiled("cc", "sizes.c", SIZES, &folder);
    let page = folder.path().join("page.html").display().to_string();
    let words = format!("run {program} -n 6 --machine ideal --profile");
    let told = object(&format!("{words} --json"));
    let all = told["profile"]["collectives"].as_array().expect("a list");
    for one in all {
        let calls: u64 = algorithms(one).iter().map(|used| used.1).sum();
        assert_eq!(Some(calls), one["calls"].as_u64(), "{one}");
    }
    let of = |name: &str| all.iter().find(|one| one["operation"] == name).expect("it was called");
    let sums = [
        ("recursive_doubling".to_owned(), 18, 8, 8),
        ("rabenseifner".to_owned(), 6, 65_536, 65_536),
    ];
    assert_eq!(algorithms(of("allreduce")), sums);
    assert_eq!(algorithms(of("barrier")), [("dissemination".to_owned(), 6, 0, 0)]);
    let sites = told["profile"]["call_sites"].as_array().expect("a list");
    let site = |call: &str| sites.iter().find(|site| site["call"] == call).expect("it is called");
    assert_eq!(algorithms(site("MPI_Allreduce")), sums);
    assert!(site("MPI_Win_fence").get("algorithms").is_none());

    let (code, out, err) = windtunnel(&format!("{words} --report {page}"));
    assert_eq!(code, 0, "{err}");
    let row = |name: &str| out.lines().find(|line| line.contains(name)).unwrap_or_default();
    let cells = |name: &str| row(name).split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(cells("recursive_doubling"), "allreduce recursive_doubling 18 8 B", "{out}");
    assert_eq!(cells("rabenseifner"), "allreduce rabenseifner 6 64.0 KiB", "{out}");
    let text = fs::read_to_string(page).expect("it is written");
    assert!(text.contains("recursive_doubling, rabenseifner"), "the call site has both");
}

#[test]
fn an_algorithm_that_cannot_be_used_is_not_told_as_used() {
    for (program, operation, chosen, used) in [
        ("bcast", "broadcast", "scatter_recursive_doubling", "scatter_ring"),
        ("alltoall", "alltoall", "pairwise", "ring"),
        ("allgather", "allgather", "recursive_doubling", "bruck"),
    ] {
        for (ranks, expected) in [(6, used), (8, chosen)] {
            let told = object(&format!(
                "run {program} -n {ranks} --machine ideal --collectives {operation}={chosen} --profile --json"
            ));
            let all = told["profile"]["collectives"].as_array().expect("a list").iter();
            let own = all.clone().find(|one| one["operation"] == operation).expect("it was called");
            let names: Vec<_> = algorithms(own).into_iter().map(|one| one.0).collect();
            assert_eq!(names, [expected], "{program} on {ranks}");
        }
    }
}

/// Functions that take several steps: each rank calls each of them once.
const STEPS: &str = r#"#include <mpi.h>
int main(int argc, char **argv) {
    int rank;
    char data[16] = {0};
    MPI_File file;
    MPI_Win window;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_File_write_at_all(file, 16 * rank, data, 16, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_iwrite_at_all(file, 64 + 16 * rank, data, 16, MPI_BYTE, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_write_ordered(file, data, 16, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Win_create(data, 16, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_free(&window);
    MPI_Finalize();
}
"#;

#[test]
fn a_function_of_several_steps_is_one_call() {
    let folder = TempDir::new().expect("a folder");
    let program = compiled("cc", "steps.c", STEPS, &folder);
    let file = folder.path().join("steps.dat").display().to_string();
    let words = ["run", &program, "-n", "2", "--profile=all", "--json", "--", &file];
    let (_, text) = c_programs::windtunnel(&words, folder.path());
    let found: Value = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}"));
    let sites = found["profile"]["call_sites"].as_array().expect("a list");
    for name in [
        "MPI_File_open",
        "MPI_File_write_at_all",
        "MPI_File_iwrite_at_all",
        "MPI_File_write_ordered",
        "MPI_File_close",
        "MPI_Win_create",
        "MPI_Win_free",
    ] {
        let of_name = sites.iter().filter(|site| site["call"] == name);
        let calls: Vec<Option<u64>> = of_name.map(|site| site["calls"].as_u64()).collect();
        assert_eq!(calls, [Some(2)], "{name}: {text}");
    }
}

/// Broadcasts of each kind, of 1,000 bytes by rank 1.
const BROADCASTS: &str = r#"#include <mpi.h>
int main(int argc, char **argv) {
    static char data[1000];
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Bcast(data, 1000, MPI_BYTE, 1, MPI_COMM_WORLD);
    MPI_Ibcast(data, 1000, MPI_BYTE, 1, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Bcast_init(data, 1000, MPI_BYTE, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Finalize();
}
"#;

#[test]
fn only_the_root_of_a_broadcast_gives_data() {
    let folder = TempDir::new().expect("a folder");
    let program = compiled("cc", "broadcasts.c", BROADCASTS, &folder);
    let words = ["run", &program, "-n", "4", "--profile=all", "--json"];
    let (_, text) = c_programs::windtunnel(&words, folder.path());
    let found: Value = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}"));
    let sites = found["profile"]["call_sites"].as_array().expect("a list");
    for name in ["MPI_Bcast", "MPI_Ibcast", "MPI_Start"] {
        let site = sites.iter().find(|site| site["call"] == name);
        assert_eq!(site.map(|site| &site["bytes_sent"]), Some(&1000.into()), "{name}: {text}");
    }
}

/// Rank 0 reads a flag in the memory of rank 1 until that has set it.
const READS_AGAIN: &str = r#"#include <mpi.h>
int main(int argc, char **argv) {
    int *memory, rank, found = 0, one = 1;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    *memory = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, window);
    if (rank == 1) {
        windtunnel_compute(1e-3);
        MPI_Accumulate(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, window);
        MPI_Win_flush(1, window);
    }
    while (rank == 0 && !found) {
        MPI_Fetch_and_op(NULL, &found, MPI_INT, 1, 0, MPI_NO_OP, window);
        MPI_Win_flush(1, window);
    }
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Finalize();
}
"#;

/// On the ideal network an access takes no time, however often it is made.
#[test]
fn time_passes_where_accesses_take_none() {
    let folder = TempDir::new().expect("a folder");
    let program = compiled("cc", "reads.c", READS_AGAIN, &folder);
    let words = format!("run {program} -n 2 --profile --json --max-wall 60s");
    let why = &object(&words)["efficiencies"]["ideal_missing_because"];
    // The number of accesses depends on how long they take.
    assert!(why.as_str().is_some_and(|why| why.contains("other messages")), "{why}");
}
