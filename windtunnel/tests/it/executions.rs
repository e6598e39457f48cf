//! Executions of one `check` or `compare`: they do not see each other, they change nothing, and
//! none of them takes the tool along.
#![allow(clippy::disallowed_types, reason = "bounds the time of a test")]

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;
use tempfile::TempDir;

use super::c_programs::{compile, compile_by};

/// What a command has left.
struct Ended {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Ended {
    fn object(&self) -> Value {
        serde_json::from_str(&self.out)
            .unwrap_or_else(|error| panic!("{error}: {}\n{}", self.out, self.err))
    }

    fn verdict(&self) -> String {
        self.object()["verdict"].as_str().expect("a word").into()
    }
}

fn with_input(mut command: Command, input: &str) -> Ended {
    let streams = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = streams.spawn().expect("it runs");
    // Who does not read may be gone already.
    let _ = running.stdin.take().expect("a pipe").write_all(input.as_bytes());
    let output = running.wait_with_output().expect("it ends");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ended { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// Runs a command in a folder; the input is written to a pipe.
fn windtunnel(words: &str, folder: &Path, input: &str) -> Ended {
    let mut command = Command::new(cargo_bin("windtunnel"));
    command.args(words.split_whitespace()).current_dir(folder);
    with_input(command, input)
}

/// A folder with a program of `c/executions`.
fn program(name: &str) -> TempDir {
    program_named(&format!("executions/{name}.c"))
}

/// A folder with a program of `c`.
fn program_named(file: &str) -> TempDir {
    let folder = TempDir::new().expect("a folder");
    compile(file, &folder);
    folder
}

#[test]
fn ranks_open_a_file_before_one_of_them_writes_it() {
    let folder = program("together");
    windtunnel("run ./program -n 4", folder.path(), "");
    let text = |name: &str| fs::read_to_string(folder.path().join(name)).expect("a file");
    assert_eq!((text("table.txt").as_str(), text("log.txt").as_str()), ("1 2 3\n", "begins\n"));
}

#[test]
fn every_execution_reads_all_of_standard_input() {
    let folder = program("input");
    let words = "check ./program -n 3 --json";
    let piped = windtunnel(words, folder.path(), "42\n");
    assert_eq!((piped.code, piped.verdict()), (Some(0), "ok".into()), "{}", piped.err);
    assert_eq!(piped.err, "42 steps\n", "the output of one execution, on standard error");
    let silent = windtunnel(&format!("{words} --quiet"), folder.path(), "42\n");
    assert_eq!((silent.code, silent.err.as_str()), (Some(0), ""));
    let file = folder.path().join("numbers");
    fs::write(&file, "17\n").expect("writable");
    let mut from_file = Command::new(cargo_bin("windtunnel"));
    from_file.args(words.split_whitespace()).current_dir(folder.path());
    from_file.stdin(fs::File::open(&file).expect("it is there"));
    let output = from_file.output().expect("it runs");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "17 steps\n");
    assert_eq!(output.status.code(), Some(0));
    let compared = "compare ./program -n 4 --topologies ring,mesh --json";
    assert_eq!(windtunnel(compared, folder.path(), "42\n").code, Some(0));
}

#[test]
fn input_that_nobody_reads_stays_where_it_is() {
    let folder = program("files");
    fs::write(folder.path().join("input.txt"), "").expect("writable");
    let check = format!("{} check ./program -n 2 --quiet; cat", cargo_bin("windtunnel").display());
    let mut shell = Command::new("sh");
    shell.args(["-c", &check]).current_dir(folder.path());
    let ended = with_input(shell, "for somebody else\n");
    assert_eq!(ended.out, "VERDICT: ok\nfor somebody else\n", "{}", ended.err);
}

#[test]
fn executions_work_in_a_view_of_the_folder_that_vanishes() {
    let folder = program("files");
    fs::write(folder.path().join("input.txt"), "precious").expect("writable");
    let before = entries(folder.path());
    let checked = windtunnel("check ./program -n 3 --json", folder.path(), "");
    assert_eq!((checked.code, checked.verdict()), (Some(0), "ok".into()), "{}", checked.err);
    let compared = "compare ./program -n 4 --topologies ring,mesh,torus --quiet";
    assert_eq!(windtunnel(compared, folder.path(), "").code, Some(0));
    assert_eq!(entries(folder.path()), before, "nothing has changed");
    let kept = windtunnel("check ./program -n 3 --keep-files=kept --quiet", folder.path(), "");
    assert_eq!(kept.code, Some(0), "{}", kept.err);
    let written = fs::read_to_string(folder.path().join("kept/zero/out.1"));
    assert_eq!(written.expect("it was kept"), "rank 1\n");
    // A run is not an experiment: it writes for real.
    let ran = windtunnel("mpiexec -n 2 ./program", folder.path(), "");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(folder.path().join("out.1").is_file() && !folder.path().join("input.txt").exists());
}

#[test]
fn files_of_mpi_are_in_the_view_too_and_in_a_folder_of_their_own() {
    let folder = program("mpi_files");
    fs::write(folder.path().join("input.txt"), "precious").expect("writable");
    let before = entries(folder.path());
    let checked = windtunnel("check ./program -n 3 --json", folder.path(), "");
    assert_eq!((checked.code, checked.verdict()), (Some(0), "ok".into()), "{}", checked.err);
    assert_eq!(entries(folder.path()), before, "nothing has changed");
    // The folder for files has no such file.
    let room = folder.path().join("room");
    let ran = windtunnel("run ./program -n 2 --files room --quiet", folder.path(), "");
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    fs::create_dir_all(&room).expect("a folder");
    fs::write(room.join("input.txt"), "precious, too").expect("writable");
    let checked = windtunnel("check ./program -n 3 --files room --json", folder.path(), "");
    assert_eq!((checked.code, checked.verdict()), (Some(0), "ok".into()), "{}", checked.err);
    assert_eq!(entries(&room), ["input.txt"]);
    let ran = windtunnel("run ./program -n 2 --files room --quiet", folder.path(), "");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(entries(&room), ["result"]);
    assert_eq!(fs::read_to_string(room.join("result")).expect("a file"), "rank 0\nrank 1\n");
    let outside = windtunnel("check ./program -n 2 --files /tmp", folder.path(), "");
    assert_eq!(outside.code, Some(2), "{}", outside.err);
    assert!(outside.err.contains("below the working folder"), "{}", outside.err);
    let no_folder = windtunnel("run ./program -n 2 --files input.txt", folder.path(), "");
    assert_eq!(no_folder.code, Some(2), "{}", no_folder.err);
    let ran = windtunnel("run ./program -n 2", folder.path(), "");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("waiting for files"), "{}", ran.out);
    assert!(folder.path().join("result").is_file() && !folder.path().join("input.txt").exists());
}

fn entries(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("readable");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .filter(|name| name != "cache")
        .collect();
    names.sort_unstable();
    names
}

#[test]
fn an_execution_that_dies_is_a_finding_with_its_last_words() {
    let folder = program("dies");
    let ended = windtunnel("check ./program -n 2 --json", folder.path(), "");
    assert_eq!((ended.code, ended.verdict()), (Some(1), "error".into()));
    let finding = &ended.object()["findings"][0];
    assert_eq!(finding["code"], "WT0026");
    assert!(finding["notes"].to_string().contains("last words of rank 1"), "{finding}");
    let compared = "compare ./program -n 2 --topologies ring,mesh --json";
    assert_eq!(windtunnel(compared, folder.path(), "").code, Some(1));
}

#[test]
fn a_rank_that_never_calls_again_is_stopped_with_its_line() {
    let folder = program("spins");
    for words in
        ["check ./program -n 2 --json --max-wall 1s", "run ./program -n 2 --json --max-wall 1s"]
    {
        let since = Instant::now();
        let ended = windtunnel(words, folder.path(), "");
        assert!(since.elapsed() < Duration::from_secs(60), "{words}");
        assert_eq!(ended.code, Some(1), "{words}: {}", ended.err);
        let finding = &ended.object()["findings"][0];
        assert_eq!(finding["code"], "WT0021");
        let place = &finding["sites"][0];
        assert_eq!(place["rank"], 1, "{words}: {finding}");
        let line = place["line"].as_u64().expect("a line");
        assert!((12..=14).contains(&line), "{words}: {place}");
    }
}

#[test]
fn a_check_that_is_told_to_end_says_what_it_knows() {
    let folder = program("spins");
    // `timeout` sends its signal to the process and to its group: it arrives once or twice.
    for signals in [&["-INT"][..], &["-TERM", "-TERM"]] {
        let mut command = Command::new(cargo_bin("windtunnel"));
        command.args(["check", "./program", "-n", "2", "--json"]).current_dir(folder.path());
        let running = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let running = running.expect("it runs");
        thread::sleep(Duration::from_secs(1));
        let pid = running.id().to_string();
        for signal in signals {
            assert!(
                Command::new("kill").args([signal, &pid[..]]).status().expect("kill").success()
            );
            thread::sleep(Duration::from_millis(20));
        }
        let output = running.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(1), "{signals:?}");
        let object: Value = serde_json::from_slice(&output.stdout).expect("one object");
        assert_eq!(object["explored"]["stopped_by"], "signal", "{signals:?}");
    }
}

#[test]
fn a_loop_that_never_calls_is_told_with_its_line() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("spins.c", &folder);
    let mut running = Command::new(cargo_bin("windtunnel"))
        .args(["mpiexec", "-n", "2", "-max-wall", "60s", &program])
        .stderr(Stdio::piped())
        .spawn()
        .expect("windtunnel runs");
    let pipe = running.stderr.take().expect("a pipe");
    let told: Vec<String> = BufReader::new(pipe).lines().take(2).map_while(Result::ok).collect();
    running.kill().expect("it still runs");
    let status = running.wait().expect("it ends");
    assert!(status.code().is_none(), "it ended by itself: {told:?}");
    assert!(told[0].contains("rank 1 has computed for 1 s"), "{told:?}");
    assert!(told[0].ends_with("spins.c:20"), "{told:?}");
    assert!(told[1].contains("its 1 other thread can go on only when it calls"), "{told:?}");
}

#[test]
fn executions_do_not_share_what_has_a_name_in_the_system() {
    let folder = program("named");
    for _ in 0..2 {
        let ended = windtunnel("check ./program -n 2 --json", folder.path(), "");
        assert_eq!((ended.code, ended.verdict()), (Some(0), "ok".into()), "{}", ended.err);
    }
    for left in ["/dev/shm/windtunnel-named", "/dev/shm/sem.windtunnel-named"] {
        assert!(!Path::new(left).exists(), "{left}");
    }
}

/// Lets the system refuse namespaces of its own to a command, as in many containers.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code, reason = "restricts a child between fork and exec")]
fn without_namespaces(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    const UNSHARE: u32 = libc::SYS_unshare as u32;
    let step = |code: u32, (yes, no): (u8, u8), k: u32| libc::sock_filter {
        code: code as u16,
        jt: yes,
        jf: no,
        k,
    };
    let refused = libc::SECCOMP_RET_ERRNO | libc::EPERM as u32;
    let filter = [
        step(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, (0, 0), 0),
        step(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, (0, 1), UNSHARE),
        step(libc::BPF_RET | libc::BPF_K, (0, 0), refused),
        step(libc::BPF_RET | libc::BPF_K, (0, 0), libc::SECCOMP_RET_ALLOW),
    ];
    let refuse = move || {
        let program =
            libc::sock_fprog { len: filter.len() as u16, filter: filter.as_ptr().cast_mut() };
        // SAFETY: system calls that read the filter.
        let answer = unsafe {
            libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
            libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const program)
        };
        if answer == 0 { Ok(()) } else { Err(std::io::Error::last_os_error()) }
    };
    // SAFETY: only system calls between `fork` and `exec`.
    unsafe { command.pre_exec(refuse) };
}

#[test]
#[cfg(target_arch = "x86_64")]
fn executions_are_apart_where_the_system_has_no_namespaces() {
    let folder = program("folders");
    let inner = folder.path().join("work");
    fs::create_dir(&inner).expect("created");
    fs::write(folder.path().join("beside.txt"), "beside").expect("written");
    let inner = inner.canonicalize().expect("it exists");
    let words = ["check", "../program", "-n", "2", "--json", "--"];
    for refused in [false, true] {
        let mut command = Command::new(cargo_bin("windtunnel"));
        command.args(words).arg(&inner).current_dir(&inner);
        if refused {
            without_namespaces(&mut command);
        }
        let ended = with_input(command, "");
        assert_eq!((ended.code, ended.verdict()), (Some(0), "ok".into()), "{}", ended.err);
        assert_eq!(ended.err.contains("a copy of the working folder"), refused, "{}", ended.err);
        assert!(entries(&inner).is_empty(), "nothing has changed");
    }
    let shared = fs::read_dir("/dev/shm").expect("readable").flatten();
    let left = shared.filter(|entry| entry.file_name().to_string_lossy().contains("of-folders"));
    assert_eq!(left.count(), 0, "nothing is left in shared memory");
}

#[test]
fn what_some_executions_leave_is_seen_by_none() {
    let folder = program("sometimes");
    let work = folder.path().join("work");
    fs::create_dir_all(work.join("inner")).expect("created");
    fs::write(work.join("given"), "given").expect("written");
    let files = ["file", "inside", "removed", "changed", "mode", "late"];
    let named = ["memory", "semaphore", "queue", "shmget", "msgget", "semget"];
    for what in files.into_iter().chain(named) {
        passes(&format!("../program -n 4 -- {what}"), &work);
        assert_eq!(entries(&work), ["given", "inner"], "{what}: nothing has changed");
    }
    assert_eq!(fs::read_to_string(work.join("given")).expect("readable"), "given");
}

/// Runs a check in a folder and expects that it finds nothing.
fn passes(words: &str, folder: &Path) {
    let ended = windtunnel(&format!("check --json {words}"), folder, "");
    assert_eq!((ended.code, ended.verdict()), (Some(0), "ok".into()), "{words}: {}", ended.err);
}

#[test]
fn temporary_files_are_private_to_an_execution() {
    // Beside the working folder in /tmp, and somewhere else.
    for place in ["/tmp", env!("CARGO_TARGET_TMPDIR")] {
        let folder = tempfile::tempdir_in(place).expect("a folder");
        compile("executions/sometimes.c", &folder);
        let given = tempfile::NamedTempFile::new_in("/tmp").expect("a file");
        let left = given.path().with_extension("left");
        let program = "./program -n 4";
        passes(&format!("{program} -- file {}", left.display()), folder.path());
        assert!(!left.exists(), "the host's folder is as it was");
        passes(&format!("{program} -- removed {}", given.path().display()), folder.path());
        assert!(given.path().exists(), "the host's folder is as it was");
        let kept = format!("check {program} --keep-files=kept --quiet -- file {}", left.display());
        assert_eq!(windtunnel(&kept, folder.path(), "").code, Some(0));
        let name = left.file_name().expect("a name");
        let folders = fs::read_dir(folder.path().join("kept")).expect("a folder").flatten();
        let kept = folders.map(|entry| entry.path().join(name)).filter(|path| path.exists());
        assert_ne!(kept.count(), 0, "some executions have left a file, which was kept");
    }
}

/// Each rank has the variables of a library for itself, as each process of MPI does.
#[test]
fn ranks_share_no_variables_of_system_libraries() {
    let places = ["/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib"];
    let mut files = places.iter().map(|place| format!("{place}/libgmp.so.10"));
    let Some(library) = files.find(|file| Path::new(file).exists()) else { return };
    let folder = tempfile::tempdir().expect("a folder");
    compile_by("", &["-Wl,--no-as-needed", &library], "system_library.c", &folder);
    let ended = windtunnel("run ./program -n 3 --quiet", folder.path(), "");
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    passes("./program -n 3", folder.path());
}

#[test]
fn folders_that_were_there_before_are_renamed() {
    for place in ["/tmp", env!("CARGO_TARGET_TMPDIR")] {
        let folder = tempfile::tempdir_in(place).expect("a folder");
        compile("executions/renames.c", &folder);
        let at = |name: &str| folder.path().join(name);
        for made in ["plot/inner", "full", "empty"] {
            fs::create_dir_all(at(made)).expect("created");
        }
        for made in ["plot/inner/data", "full/data", "file"] {
            fs::write(at(made), "three").expect("written");
        }
        std::os::unix::fs::symlink("inner/data", at("plot/link")).expect("made");
        fs::set_permissions(at("plot"), fs::Permissions::from_mode(0o750)).expect("set");
        passes("./program -n 2", folder.path());
        assert!(at("plot/inner/data").exists() && !at("plot.new").exists(), "nothing has changed");
        let ended = windtunnel("run ./program -n 2", folder.path(), "");
        assert_eq!(ended.code, Some(0), "{}", ended.err);
        assert!(at("empty/inner/data").exists() && at("plot.new").exists(), "all has");
    }
}

#[test]
fn what_is_mounted_below_a_view_is_there() {
    let mounts = |command: &str| {
        let mut shell = Command::new("unshare");
        shell.args(["--map-root-user", "--mount", "sh", "-c", command]);
        shell
    };
    let folder = program("sometimes");
    let mounted = folder.path().join("two words");
    fs::create_dir(&mounted).expect("created");
    // Where it is allowed at all.
    let mount = "mount -t tmpfs none 'two words' && echo there > 'two words/given'";
    if !mounts(mount).current_dir(folder.path()).status().is_ok_and(|status| status.success()) {
        return;
    }
    let work = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    for present in [folder.path(), &mounted, work.path()] {
        let check = format!(
            "{mount} && cd '{}' && {} check {} -n 2 -- removed '{}/given'",
            present.display(),
            cargo_bin("windtunnel").display(),
            folder.path().join("program").display(),
            mounted.display(),
        );
        let mut shell = mounts(&check);
        shell.current_dir(folder.path());
        let ended = with_input(shell, "");
        assert_eq!(ended.code, Some(0), "{}{}", ended.out, ended.err);
    }
}

#[test]
fn a_signal_is_explained_by_the_memory_that_was_accessed() {
    let folder = program("strikes");
    let struck = |how: &str| {
        let ended = windtunnel(&format!("run ./program -n 2 --json -- {how}"), folder.path(), "");
        let finding = ended.object()["findings"][0].clone();
        assert_eq!(finding["code"], "WT0026", "{finding}");
        finding
    };
    let says = |how: &str, message: &str, note: &str| {
        let finding = struck(how);
        assert!(finding["message"].as_str().expect("a text").contains(message), "{finding}");
        assert!(finding["notes"].to_string().contains(note), "{finding}");
    };
    says("null", "SIGSEGV: it used a null pointer", "");
    says("beyond", "it wrote to memory", "before it is `table` (400 bytes)");
    says("literal", "it wrote to memory", "a constant, such as a string literal");
    says("constant", "it wrote to memory", "the static variable `limits` (32 bytes)");
    says("call", "SIGSEGV: it called a function through a null pointer", "");
    says("overrun", "SIGSEGV: the return address of a function is overwritten", "");
    says("divide", "SIGFPE: it divided an integer by zero", "");
    says("abort", "rank 1 was ended by SIGABRT", "");
    let words = "run ./program -n 2 -- beyond";
    let shown = windtunnel(words, folder.path(), "").out;
    assert!(shown.contains("fill is called from main at "), "{shown}");
}

#[test]
fn a_program_that_ends_early_is_shown_where_it_did() {
    let folder = program("strikes");
    for (how, code, line, label) in [
        ("abort", "WT0026", "/* gives up */", "it aborts here"),
        ("deep", "WT0020", "deep(", "the stack ended here"),
        ("copy", "WT0018", "/* one more */", "called here"),
        ("call", "WT0026", "cell.values)();", "in the function that is called here"),
        ("overrun", "WT0026", "/* overwritten */", "the signal struck here"),
    ] {
        for command in ["run", "check"] {
            let words = format!("{command} ./program -n 2 -- {how}");
            let ended = windtunnel(&words, folder.path(), "");
            let shown = ended.out + &ended.err;
            for part in [code, line, label] {
                assert!(shown.contains(part), "{part} is not in {shown}");
            }
        }
    }
}

/// A program whose static variables, random numbers and output would tell an execution that another one went before.
const MANNERED: &str = "\
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int runs;
static char text[] = \"one two\";
int main(int argc, char **argv) {
    int rank, i, x, drawn = rand(), from[3], bad = argc > 1;
    char *word = strtok(text, \" \");
    double *lost = malloc(1000);
    MPI_Status status;
    lost[0] = ++runs;
    if (runs != 1 || strcmp(word, \"one\") || drawn != 1804289383) return 9;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (i = 0; i < 3; i++)
        if (rank) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD), i = 3;
        else MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status), from[i] = x;
    if (rank == 0) printf(\"%d %d %d\\n\", from[0], from[1], from[2]);
    if (rank == 0 && bad && from[0] == 2 && from[1] == 3) abort();
    MPI_Finalize();
    return 0;
}
";

#[test]
fn executions_that_share_a_process_give_what_others_give() {
    let folder = TempDir::new().expect("a folder");
    // With a call of a function of the system, each execution has its own process. With one in some orders only, the
    // others share processes.
    let calling = |condition: &str| {
        let call = format!("if ({condition}) rank += getpid() == 0;\n    if (rank == 0 && bad");
        let source = MANNERED.replace("if (rank == 0 && bad", &call);
        format!("#include <unistd.h>\n{source}")
    };
    let (alone, mixed) = (calling("1"), calling("rank == 0 && from[0] == 3"));
    for (name, source) in [("shared", MANNERED), ("alone", &alone), ("mixed", &mixed)] {
        let file = format!("{name}.c");
        fs::write(folder.path().join(&file), source).expect("a file");
        let built = windtunnel(&format!("cc -w -g {file} -o {name}"), folder.path(), "");
        assert_eq!(built.code, Some(0), "{}", built.err);
    }
    for (budget, arguments, verdict) in
        [(100, "", "ok"), (8, "", "ok"), (100, "bad", "message-race")]
    {
        let check = |name: &str| {
            let words = format!("check ./{name} -n 4 --budget {budget} --json -- {arguments}");
            windtunnel(&words, folder.path(), "").object()
        };
        let shared = check("shared");
        assert_eq!(shared["verdict"], verdict, "{shared}");
        for name in ["alone", "mixed"] {
            let other = check(name);
            for part in ["verdict", "runs", "explored"] {
                assert_eq!(shared[part], other[part], "{part}, {name}, {budget}, {arguments}");
            }
            assert_eq!(shared["findings"][0]["schedule"], other["findings"][0]["schedule"]);
        }
    }
}

#[test]
fn the_check_of_an_application_ends_and_says_what_it_has_followed() {
    let folder = program_named("miniapp.c");
    let check = |arguments: &str| {
        windtunnel(&format!("check ./program -n 4 --json -- {arguments}"), folder.path(), "")
            .object()
    };
    let small = check("4");
    assert_eq!(small["verdict"], "ok", "{small}");
    assert_eq!(small["explored"]["orders"], serde_json::json!([18, 18]), "{small}");
    let large = check("12");
    assert_eq!(large["verdict"], "ok", "{large}");
    assert_eq!(large["explored"]["exhaustive"], false, "{large}");
    let explored = &large["explored"];
    let count = |of: &serde_json::Value| of.as_u64().expect("a number");
    // Each watched one makes another one again.
    let made = count(&explored["executions"]) - count(&explored["watched"]["executions"]);
    assert!(made < 300, "{large}");
}

/// Ranks that are alone on their nodes race with nobody. The check puts them on one node, too, unless it is told how many a
/// node has.
#[test]
fn programs_that_split_by_node_are_checked_on_one_node_too() {
    let folder = TempDir::new().expect("a folder");
    compile("by_node.c", &folder);
    let check =
        |options: &str| windtunnel(&format!("check ./program -n 4 {options}"), folder.path(), "");
    let told = check("");
    assert_eq!(told.code, Some(0), "{}", told.out);
    assert!(told.out.contains("more with all ranks on one node"), "{}", told.out);
    let races = check("--json -- races").object();
    assert_eq!(races["verdict"], "global-concurrency", "{races}");
    assert!(races["explored"]["on_one_node"].as_u64() > Some(0), "{races}");
    let told = check("-- races").out;
    assert!(told.contains("(`--ranks-per-node 4`)"), "{told}");
    for each in ["1", "4"] {
        let found = check(&format!("--ranks-per-node {each} --json -- races")).object();
        let verdict = if each == "1" { "ok" } else { "global-concurrency" };
        assert_eq!(found["verdict"], verdict, "{found}");
        assert_eq!(found["explored"]["on_one_node"], 0, "{found}");
    }
}
