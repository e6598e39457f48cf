//! The command lines of the standard's chapter on starting programs: which ranks run what, where.

use std::fs;

use tempfile::TempDir;

use super::c_programs::{compile, windtunnel};

/// A folder with the program under a name, so that command lines read as in the standard.
struct Started(TempDir, String);

impl Started {
    fn new() -> Self {
        let folder = TempDir::new().expect("a folder");
        let program = compile("start.c", &folder);
        Self(folder, program)
    }

    /// What the ranks say, in order; `@` stands for the program.
    fn lines(&self, command: &str) -> Vec<String> {
        let command = command.replace('@', &self.1);
        let words: Vec<&str> = ["mpiexec"].into_iter().chain(command.split(' ')).collect();
        let (code, text) = windtunnel(&words, self.0.path());
        assert_eq!(code, Some(0), "{command}: {text}");
        let mut lines: Vec<String> = text.lines().map(Into::into).collect();
        lines.sort_unstable();
        lines
    }
}

#[test]
fn output_goes_to_files_by_pattern() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("draws.c", &folder);
    let file = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap_or_default();
    let pattern = |name: &str| folder.path().join(name).display().to_string();
    let words = ["mpiexec", "-outfile-pattern", &pattern("out.%g.%r"), "-n", "3", &program];
    for _ in 0..2 {
        let (code, text) = windtunnel(&words, folder.path());
        assert_eq!(code, Some(0), "{text}");
        assert_eq!(text.matches("error of").count(), 3, "{text}");
        assert_eq!(text.lines().count(), 3, "{text}");
        for rank in 0..3 {
            let text = file(&format!("out.0.{rank}"));
            assert!(text.starts_with(&format!("{rank} ")) && text.lines().count() == 1, "{text}");
        }
    }
    let option = format!("-errfile-pattern={}", pattern("err.%p.%h"));
    let words = ["mpiexec", "-ppn", "2", &option, "-n", "3", &program];
    let (code, text) = windtunnel(&words, folder.path());
    assert_eq!((code, text.lines().count()), (Some(0), 3), "{text}");
    assert_eq!(file("err.0.node0").lines().count(), 2);
    assert_eq!(file("err.1.node1"), "error of 2\n");
    for (pattern, says) in [("%x", "%r (rank)"), ("/no/such/folder/%r", "/no/such/folder/0")] {
        let words = ["mpiexec", "-outfile-pattern", pattern, "-n", "1", &program];
        let (code, text) = windtunnel(&words, folder.path());
        assert_eq!(code, Some(2), "{text}");
        assert!(text.contains(says), "{text}");
    }
}

#[test]
fn what_programs_draw_from_the_system_depends_on_the_seed() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("draws.c", &folder);
    let drawn = |seed: &str| {
        let words = ["mpiexec", "-seed", seed, "-n", "3", &program];
        let (code, text) = windtunnel(&words, folder.path());
        assert_eq!(code, Some(0), "{text}");
        let mut lines: Vec<String> =
            text.lines().filter(|line| !line.starts_with("error")).map(String::from).collect();
        lines.sort_unstable();
        lines
    };
    let numbers = |lines: &[String]| -> Vec<String> {
        lines.iter().flat_map(|line| line.split(' ').skip(1)).map(String::from).collect()
    };
    let (first, second) = (drawn("1"), drawn("2"));
    assert_eq!(first, drawn("1"));
    let mut all = [numbers(&first), numbers(&second)].concat();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), 18, "no two are the same: {all:?}");
}

#[test]
fn d8_13_sixteen_processes() {
    let lines = Started::new().lines("-n 16 @");
    assert_eq!(lines.len(), 16);
    assert_eq!(lines[15], "15/16 0 - windtunnel x86_64 -");
}

#[test]
fn d8_14_ten_processes_on_one_host() {
    let lines = Started::new().lines("-n 10 -host ferrari @");
    assert_eq!(lines.len(), 10);
    assert!(lines.iter().all(|line| line.contains(" ferrari ")), "{lines:?}");
}

#[test]
fn d8_15_three_programs_of_one_process_each() {
    let lines = Started::new().lines("@ infile1 : @ infile2 : @ infile3");
    let expected: Vec<String> = (0..3)
        .map(|rank| format!("0{rank}/3 {rank} infile{} windtunnel x86_64 -", rank + 1))
        .collect();
    assert_eq!(lines, expected);
}

/// Five of one program on one architecture, then ten of another.
fn ocean_and_atmosphere() -> Vec<String> {
    (0..15)
        .map(|rank| match rank {
            0..5 => format!("0{rank}/15 0 ocean windtunnel sun -"),
            _ => format!("{rank:02}/15 1 atmos windtunnel rs6000 -"),
        })
        .collect()
}

#[test]
fn d8_16_two_programs_on_two_architectures() {
    let lines = Started::new().lines("-n 5 -arch sun @ ocean : -n 10 -arch rs6000 @ atmos");
    assert_eq!(lines, ocean_and_atmosphere());
}

#[test]
fn d8_17_the_same_from_a_file() {
    let started = Started::new();
    let file = started.0.path().join("myfile");
    let text = "# ocean and atmosphere\n-n 5 -arch sun @ ocean\n-n 10 \\\n -arch rs6000 @ atmos\n";
    fs::write(&file, text.replace('@', &started.1)).expect("a file");
    let lines = started.lines(&format!("-configfile {}", file.display()));
    assert_eq!(lines, ocean_and_atmosphere());
}

#[test]
fn d8_18_four_processes_in_each_address_space() {
    let started = Started::new();
    let lines = started.lines("-policy address-space-key=MPI_ENV_ASP -asp 4 -n 12 @ foo");
    assert_eq!(lines.len(), 12);
    assert!(lines.iter().all(|line| line.ends_with(" 4")), "{lines:?}");
    let lines = started.lines("-policy address-space-key=MPI_ENV_ASP -asp 4 -n 6 @ foo");
    let last: Vec<&str> = lines.iter().map(|line| &line[line.len() - 1..]).collect();
    assert_eq!(last, ["4", "4", "4", "4", "2", "2"]);
}

#[test]
fn d10_soft_the_largest_number_allowed_is_started() {
    let started = Started::new();
    for (soft, most, ranks) in [("2:10:2,7", 9, 8), ("0:9", 5, 5), ("1,2,4,8,16", 10, 8)] {
        assert_eq!(started.lines(&format!("-n {most} -soft {soft} @")).len(), ranks);
    }
    for wrong in ["20:30", "a:b"] {
        let words = ["mpiexec", "-n", "4", "-soft", wrong, &started.1];
        let (code, text) = windtunnel(&words, started.0.path());
        assert_eq!(code, Some(2), "{text}");
        assert!(text.contains(wrong), "{text}");
    }
}

#[test]
fn the_exit_code_is_the_one_a_rank_chose() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("exits.c", &folder);
    for (how, expected) in [("well", 0), ("exit", 3), ("abort", 7)] {
        let (code, text) = windtunnel(&["mpiexec", "-n", "2", &program, how], folder.path());
        assert_eq!(code, Some(expected), "{how}: {text}");
    }
}

#[test]
fn what_is_fragile_is_told_on_request() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("faults/requests.c", &folder);
    let told = |words: &[&str]| {
        let words = [&["mpiexec", "-n", "3"], words, &[&program, "grid_kept"]].concat();
        let (code, text) = windtunnel(&words, folder.path());
        assert_eq!(code, Some(0), "{text}");
        text
    };
    assert_eq!(told(&[]), "");
    assert!(told(&["-warnings"]).contains("warning[WT0017]"));
}

#[test]
fn a_command_line_without_a_program_is_told_as_it_was_typed() {
    let folder = TempDir::new().expect("a folder");
    for (words, told) in [
        (&["-np", "4"][..], "mpiexec: the word is `-np 4`; allowed is options and then"),
        (&["-n", "4"], "the word is `-n 4`;"),
        (&["--np=4", "-machine", "ideal"], "the word is `--np=4`;"),
        (&["-machine", "ideal"], "mpiexec: no program is named; allowed is options and then"),
    ] {
        let (code, text) = windtunnel(&[&["mpiexec"], words].concat(), folder.path());
        assert_eq!(code, Some(2), "{words:?}: {text}");
        assert!(text.contains(told), "{words:?}: {text}");
    }
}

#[test]
fn options_of_other_launchers_are_taken() {
    let started = Started::new();
    for (options, ranks, notes) in [
        ("-ppn 2 -n 4", 4, 0),
        ("-N 2 -np 4", 4, 0),
        ("--map-by ppr:2:node --bind-to core -np 4", 4, 1),
        ("--oversubscribe --allow-run-as-root --hostfile hosts -n 3", 3, 1),
        ("-hostfile a -machinefile b -f c -iface eth0 -n 2", 2, 1),
        ("--mca btl tcp,self -gmca a b -x A=1 -genv B 2 -c 2", 2, 1),
        ("-output-filename out.%r -bind-to core -n 2", 2, 1),
        ("--map-by=core --timeout=5 -n 2", 2, 1),
        ("--map-by node --ranks-per-node 2 -n 4", 4, 0),
        ("--tag-output -l -n 2", 2, 0),
    ] {
        let words: Vec<&str> = options.split(' ').chain([&*started.1]).collect();
        let words = [&["mpiexec"], &words[..]].concat();
        let (code, text) = windtunnel(&words, started.0.path());
        assert_eq!(code, Some(0), "{options}: {text}");
        let told = text.lines().filter(|line| line.starts_with("note: ignored")).count();
        assert_eq!((text.lines().count() - told, told), (ranks, notes), "{options}: {text}");
    }
    let nodes = |options: &str| {
        let words: Vec<&str> = ["mpiexec", "-report", "r.html", "-n", "4"]
            .into_iter()
            .chain(options.split(' '))
            .collect();
        let report = started.0.path().join("r.html").display().to_string();
        let words: Vec<&str> =
            words.iter().map(|w| if *w == "r.html" { &*report } else { w }).collect();
        let (code, text) = windtunnel(&[&words[..], &[&started.1]].concat(), started.0.path());
        assert_eq!(code, Some(0), "{text}");
        fs::read_to_string(report).expect("a report").contains("crossbar:2")
    };
    assert!(nodes("-ppn 2") && !nodes("-ppn 1"), "two ranks a node need two nodes");
}

#[test]
fn srun_is_a_name_of_the_launcher() {
    let started = Started::new();
    let links = started.0.path().join("bin").display().to_string();
    assert_eq!(windtunnel(&["wrappers", &links], started.0.path()).0, Some(0));
    let run = |options: &str| {
        let output = std::process::Command::new(format!("{links}/srun"))
            .args(options.split(' '))
            .arg(&started.1)
            .output()
            .expect("it was linked");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.code(), text.lines().count())
    };
    assert_eq!(run("-n 4"), (Some(0), 4));
    assert_eq!(run("-N 2 --ntasks-per-node=3 --cpu-bind=cores -p short"), (Some(0), 6));
    assert_eq!(run("--ntasks 5 --mpi=pmix --exclusive"), (Some(0), 5));
    assert_eq!(run("-n none").0, Some(2));
    assert_eq!(run("--ntask=5").0, Some(2), "it is no option of another name");
}

#[test]
fn ranks_are_counted_as_launchers_do() {
    let started = Started::new();
    for command in ["check", "run"] {
        let (code, text) = windtunnel(&[command, &started.1, "-np", "3"], started.0.path());
        assert!(code == Some(0) && text.contains("on 3 ranks"), "{command}: {text}");
        let words = [command, &started.1, "-n", "2", "--", "-np", "3"];
        let (code, text) = windtunnel(&words, started.0.path());
        assert!(code == Some(0) && text.contains("on 2 ranks"), "{command}: {text}");
    }
}

#[test]
fn a_network_may_be_disturbed() {
    let started = Started::new();
    let quiet = started.lines("-n 3 -topology ring:3 @");
    for disturbance in [
        "-fault link:0-1=cut",
        "--fault=link:0-1=0.5",
        "-background uniform:0.5 -seed 3",
        "-noise fixed:1ms,1us",
    ] {
        let lines = started.lines(&format!("-n 3 -topology ring:3 {disturbance} @"));
        assert_eq!(lines, quiet, "{disturbance}");
    }
    let command = ["mpiexec", "-n", "2", "-ranks-per-node", "2", "-ranks-per-socket", "2"];
    let command = [&command[..], &["-machine", "infiniband-hdr", &started.1]].concat();
    assert_eq!(windtunnel(&command, started.0.path()).0, Some(0));
}
