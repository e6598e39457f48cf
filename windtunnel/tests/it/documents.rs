//! Every command line in README.md and `docs` runs, in a folder with the files that it names.

use std::{
    env, fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
    process::Command,
};

use tempfile::TempDir;

/// A program for `./prog`, `./solver` and so on.
const C: &str = r#"#include <mpi.h>
int main(int argc, char **argv) {
    int rank, size, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &sum, 1, MPI_INT, (rank + size - 1) % size,
                 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
}
"#;

const FORTRAN: &str = "program hello
use mpi
integer :: code
call MPI_Init(code)
call MPI_Finalize(code)
end program
";

const MANAGER: &str = r#"#include <mpi.h>
int main(int argc, char **argv) {
    MPI_Comm workers;
    MPI_Init(&argc, &argv);
    MPI_Comm_spawn("./worker", MPI_ARGV_NULL, 4, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &workers,
                   MPI_ERRCODES_IGNORE);
    MPI_Comm_disconnect(&workers);
    MPI_Finalize();
}
"#;

const WORKER: &str = r#"#include <mpi.h>
int main(int argc, char **argv) {
    MPI_Comm parent;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    MPI_Comm_disconnect(&parent);
    MPI_Finalize();
}
"#;

/// What `osu_latency` and `osu_bw` print, for a machine of 1 us and 10 GB/s.
fn measured(title: &str, value: fn(f64) -> f64) -> String {
    let mut text = format!("# OSU MPI {title} Test v7.3\n");
    let unit = if title == "Latency" { "Latency (us)" } else { "Bandwidth (MB/s)" };
    text.push_str(&format!("# Size          {unit}\n"));
    for power in 0..=22 {
        let size = f64::from(1 << power);
        text.push_str(&format!("{size:<10}      {:.2}\n", value(size)));
    }
    text
}

/// What `ibnetdiscover` prints of one switch with 64 hosts.
fn fabric() -> String {
    let mut text = String::from(
        "Switch\t65 \"S-000000000000000a\"\t\t# \"leaf\" enhanced port 0 lid 1 lmc 0\n",
    );
    for port in 1..=64 {
        text.push_str(&format!(
            "[{port}]\t\"H-{port:016x}\"[1]({port}) \t\t# \"node{port} mlx5_0\" lid {port} 4xHDR\n"
        ));
    }
    text
}

/// A table of routes on the two switches of `docs/examples/cluster.edges`.
fn routes() -> String {
    let switch = |node: u32| if node < 2 { "s0" } else { "s1" };
    let mut text = String::new();
    for (from, to) in (0..4).flat_map(|from| (0..4).map(move |to| (from, to))) {
        if from != to {
            let (first, last) = (switch(from), switch(to));
            let between = if first == last { first.into() } else { format!("{first} {last}") };
            text.push_str(&format!("{from} {to} {between}\n"));
        }
    }
    text
}

/// A ring of 16 nodes in a mesh of 4 x 4, a line for each rank: along the first row, to and fro over what is right of
/// the first column, and back through that column.
fn ring() -> String {
    let nodes = [0, 1, 2, 3, 7, 6, 5, 9, 10, 11, 15, 14, 13, 12, 8, 4];
    nodes.map(|node| format!("{node}\n")).concat()
}

fn root() -> PathBuf {
    fs::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).join("..")).expect("it is there")
}

/// A folder with everything that the documents name.
struct Place {
    folder: TempDir,
}

impl Place {
    fn new() -> Self {
        let place = Self { folder: tempfile::tempdir().expect("a folder") };
        let path = place.folder.path();
        for name in ["docs", "examples", "scenarios"] {
            symlink(root().join(name), path.join(name)).expect("writable");
        }
        let tools = path.join("tools");
        fs::create_dir(&tools).expect("writable");
        symlink(env!("CARGO_BIN_EXE_windtunnel"), tools.join("windtunnel")).expect("writable");
        for (tool, script) in [
            ("sbatch", "#!/bin/sh\necho 17\n".to_owned()),
            ("ibnetdiscover", format!("#!/bin/sh\ncat <<'END'\n{}END\n", fabric())),
        ] {
            fs::write(tools.join(tool), script).expect("writable");
            fs::set_permissions(tools.join(tool), PermissionsExt::from_mode(0o755)).expect("ours");
        }
        let latency = measured("Latency", |size| 1.0 + size / 10_000.0);
        let bandwidth = measured("Bandwidth", |size| size / (0.2 + size / 10_000.0));
        for (name, text) in [
            ("prog.c", C),
            ("prog.f90", FORTRAN),
            ("manager.c", MANAGER),
            ("worker.c", WORKER),
            ("latency.txt", &latency),
            ("osu_latency.txt", &latency),
            ("bandwidth.txt", &bandwidth),
            ("osu_bw.txt", &bandwidth),
            ("cluster.ibnet", &fabric()),
            ("routes.txt", &routes()),
            ("ring.txt", &ring()),
        ] {
            fs::write(path.join(name), text).expect("writable");
        }
        for (from, to) in [("cluster.edges", "cluster.edges"), ("study.json", "study.json")] {
            fs::copy(path.join("docs/examples").join(from), path.join(to)).expect("it is there");
        }
        place.sh(
            "windtunnel cc -g prog.c -o prog && windtunnel machine show ideal > my-cluster.json",
        );
        for name in ["program", "solver", "heat"] {
            fs::copy(path.join("prog"), path.join(name)).expect("it is there");
        }
        place.sh("windtunnel calibrate latency.txt --name mycluster");
        for name in ["before", "after", "a", "b"] {
            place.sh(&format!("windtunnel run allreduce --json > {name}.json"));
        }
        place
    }

    /// Runs a command line of a shell and returns its exit code with what it printed.
    fn sh(&self, line: &str) -> (Option<i32>, String) {
        let tools = self.folder.path().join("tools");
        let path = format!("{}:{}", tools.display(), env::var("PATH").unwrap_or_default());
        let out = Command::new("sh")
            .args(["-c", line])
            .current_dir(self.folder.path())
            .env("PATH", path)
            .env("WINDTUNNEL_CACHE", self.folder.path().join("cache"))
            .output()
            .expect("a shell");
        let told = [out.stdout, out.stderr].concat();
        (out.status.code(), String::from_utf8_lossy(&told).into_owned())
    }
}

/// Returns the command lines of a page: indented by four or more outside of fences, or after `$ `.
fn commands(page: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut fence: Option<bool> = None;
    let mut goes_on = false;
    for line in page.lines() {
        if let Some(kind) = line.trim_start().strip_prefix("```") {
            fence = if fence.is_some() { None } else { Some(kind == "console") };
            continue;
        }
        let text = line.trim();
        let shown = text.strip_prefix("$ ");
        let words = match fence {
            None => line.starts_with("    ").then(|| shown.unwrap_or(text)),
            Some(true) => shown,
            Some(false) => None,
        };
        if goes_on {
            let last = found.last_mut().expect("it was begun");
            last.push(' ');
            last.push_str(text.trim_end_matches('\\'));
        } else if let Some(words) =
            words.filter(|it| it.starts_with("windtunnel ") || it.starts_with("ibnetdiscover"))
        {
            found.push(words.trim_end_matches('\\').to_owned());
        } else {
            continue;
        }
        goes_on = text.ends_with('\\');
    }
    found
}

#[test]
fn every_command_line_of_the_documents_runs() {
    let there = |tool: &str| Command::new(tool).arg("--version").output().is_ok();
    if !there("cc") {
        eprintln!("skipped: there is no C compiler");
        return;
    }
    let mut pages: Vec<PathBuf> = fs::read_dir(root().join("docs"))
        .expect("it is there")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "md"))
        .chain([root().join("README.md")])
        .collect();
    pages.sort_unstable();
    let place = Place::new();
    let mut count = 0;
    for page in pages {
        for line in commands(&fs::read_to_string(&page).expect("readable")) {
            let needs = [("prog.f90", "gfortran"), ("--gdb", "gdb")];
            let missing = needs.iter().find(|(word, tool)| line.contains(word) && !there(tool));
            if let Some((_, tool)) = missing {
                eprintln!("skipped: {line}: {tool} is not installed");
                continue;
            }
            let (code, told) = place.sh(&line);
            // What shows an error says so.
            let suits = if line.ends_with("# exit code 2") { [2, 2] } else { [0, 1] };
            let as_told = code.is_some_and(|code| suits.contains(&code));
            assert!(as_told, "{}: {line}\n{code:?}: {told}", page.display());
            count += 1;
        }
    }
    assert!(count > 80, "the documents show commands: {count}");
}

#[test]
fn command_lines_are_found_in_pages() {
    let page = "text `windtunnel x`\n\n    windtunnel a \\\n        b\n    other\n\n```sh\n    windtunnel c\n```\n\
                ```console\n$ windtunnel d\nwindtunnel e\n```\n      windtunnel f\n";
    assert_eq!(commands(page), ["windtunnel a  b", "windtunnel d", "windtunnel f"]);
}
