//! Other people's build systems: make, configure scripts' habits, CMake.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use tempfile::TempDir;

use super::c_programs::windtunnel;

/// A folder with the names of compilers and launchers of MPI, first on the search path.
struct Site(TempDir);

impl Site {
    fn new() -> Self {
        let folder = TempDir::new().expect("a folder");
        let links = folder.path().join("bin").display().to_string();
        let (code, text) = windtunnel(&["wrappers", &links], folder.path());
        assert_eq!(code, Some(0), "{text}");
        assert!(text.lines().any(|line| line.ends_with("/bin/mpicc")), "{text}");
        Self(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    /// Runs a command in the folder; its exit code and all it says.
    fn run(&self, words: &[&str]) -> (Option<i32>, String) {
        let search = std::env::var("PATH").unwrap_or_default();
        // The program is looked for on the path of the command, not on ours.
        let output = Command::new("env")
            .arg(format!("PATH={}:{search}", self.path("bin")))
            .args(words)
            .env("WINDTUNNEL_CACHE", self.path("cache"))
            .current_dir(self.0.path())
            .output()
            .expect("env runs");
        let bytes = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8_lossy(&bytes).into_owned())
    }

    /// What a command that has to succeed says.
    fn says(&self, words: &[&str]) -> String {
        let (code, text) = self.run(words);
        assert_eq!(code, Some(0), "{words:?}: {text}");
        text
    }
}

fn project(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/projects").join(name)
}

#[test]
fn languages_are_known_by_their_names() {
    let folder = TempDir::new().expect("a folder");
    let (code, text) = windtunnel(&["c++", "-E", "-x", "c++", "/dev/null"], folder.path());
    assert_eq!(code, Some(0), "{text}");
    let (_, text) = windtunnel(&["fortran", "none.f90"], folder.path());
    assert!(text.contains("none.f90") && !text.contains("subcommand"), "{text}");
}

/// The lines of three ranks of the project in C.
fn three_ranks() -> Vec<String> {
    (0..3).map(|rank| format!("{} {rank}", 305 + 2 * rank)).collect()
}

fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}

/// Whether a program is installed; if not, says that a test is skipped.
fn is_there(name: &str) -> bool {
    let there = Command::new(name).arg("--version").output().is_ok();
    if !there {
        eprintln!("skipped: {name} is not installed");
    }
    there
}

#[test]
fn a_project_of_make_is_built_and_runs() {
    if !is_there("make") {
        return;
    }
    let site = Site::new();
    for entry in fs::read_dir(project("make")).expect("the project") {
        let path = entry.expect("readable").path();
        let name = path.file_name().expect("a name").to_owned();
        fs::copy(&path, site.0.path().join(name)).expect("copied");
    }
    site.says(&["make", "CC=mpicc"]);
    assert_eq!(sorted(&site.says(&["mpiexec", "-n", "3", "./program"])), three_ranks());
    assert_eq!(site.says(&["./program"]), "105 0\n", "by itself it is one rank");
    let dependencies = fs::read_to_string(site.path("part.d")).expect("it was written");
    assert!(dependencies.contains("parts.h") && dependencies.contains("mpi.h"), "{dependencies}");
    // Two words do as well where a compiler may have arguments.
    site.says(&["make", "clean-all", "-f", "/dev/null", "--eval=clean-all: ; rm -f *.o program"]);
    let own = assert_cmd::cargo::cargo_bin("windtunnel");
    site.says(&["make", &format!("CC={} cc", own.display())]);
    assert_eq!(sorted(&site.says(&["mpirun", "-np", "3", "./program"])), three_ranks());
}

#[test]
fn a_compiler_answers_what_build_systems_ask() {
    let site = Site::new();
    fs::write(site.0.path().join("a.c"), "#include <mpi.h>\nint a = MPI_SUCCESS;\n").expect("ok");
    fs::write(site.0.path().join("b.c"), "int main(void) { return 5; }\n").expect("ok");
    let plain = |name: &str| {
        let output = Command::new(name).arg("--version").output().expect("a compiler");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert_eq!(site.says(&["mpicc", "--version"]), plain("cc"));
    assert_eq!(site.says(&["mpicxx", "--version"]), plain("c++"));
    for (question, part) in [
        ("-show", "-lmpi_abi"),
        ("-compile-info", "-I"),
        ("-link-info", "-lmpi_abi"),
        ("-showme:compile", "-I"),
        ("-showme:link", "-lmpi_abi"),
        ("--showme:incdirs", "include"),
        ("--showme:libs", "mpi_abi"),
        ("--showme:version", "MPI 5.0"),
    ] {
        for compiler in ["mpicc", "mpic++"] {
            let text = site.says(&[compiler, question]);
            assert!(text.contains(part) && text.lines().count() == 1, "{compiler} {text}");
        }
    }
    assert!(site.says(&["mpicc", "-E", "a.c"]).contains("MPI_Comm_rank"));
    assert!(site.says(&["mpicc", "-M", "a.c"]).contains("mpi.h"));
    for library in ["mpi", "mpich", "openmpi"] {
        let text = format!("#include <{library}/mpi.h>\nint other = MPI_SUCCESS;\n");
        fs::write(site.0.path().join("other.c"), text).expect("ok");
        assert!(site.says(&["mpicc", "-E", "other.c"]).contains("MPI_Session_init"), "{library}");
    }
    site.says(&["mpicc", "-S", "a.c", "-o", "a.s"]);
    site.says(&["mpicc", "-c", "a.s"]);
    site.says(&["mpicc", "-c", "a.c", "b.c"]);
    site.says(&["mpicc", "a.o", "b.o", "-o", "ab"]);
    assert_eq!(site.run(&["./ab"]).0, Some(5), "as configure scripts run what they compile");
    fs::write(site.0.path().join("wrong.c"), "int main(void) { return }\n").expect("ok");
    assert_eq!(site.run(&["mpicc", "wrong.c"]).0, Some(1));
}

#[test]
fn a_file_that_is_no_link_is_left_alone() {
    let site = Site::new();
    site.says(&["mpiexec", "--version"]);
    let links = site.path("bin");
    assert_eq!(windtunnel(&["wrappers", &links], site.0.path()).0, Some(0), "links are renewed");
    fs::remove_file(site.path("bin/mpif77")).expect("it was there");
    fs::write(site.path("bin/mpif77"), "mine").expect("writable");
    let (code, text) = windtunnel(&["wrappers", &links], site.0.path());
    assert!(code == Some(2) && text.contains("mpif77: it is there already"), "{text}");
    let (code, text) = windtunnel(&["wrappers", "/dev/null/bin"], site.0.path());
    assert!(code == Some(2) && text.contains("/dev/null/bin"), "{text}");
}

#[test]
fn cmake_finds_mpi_and_its_launcher() {
    if !is_there("cmake") || !is_there("make") {
        return;
    }
    let site = Site::new();
    let source = project("cmake").display().to_string();
    // The wrappers as compilers: everything is compiled with all flags.
    let whole = ["-DCMAKE_C_COMPILER=mpicc", "-DCMAKE_CXX_COMPILER=mpicxx"];
    site.says(&["cmake", "-S", &source, "-B", "whole", whole[0], whole[1]]);
    site.says(&["cmake", "--build", "whole"]);
    assert_eq!(sorted(&site.says(&["mpiexec", "-n", "3", "whole/in-c"])), three_ranks());
    site.says(&["ctest", "--test-dir", "whole"]);
    // FindMPI asks the wrappers for their flags, and passes on some of them.
    site.says(&["cmake", "-S", &source, "-B", "found", "-DCMAKE_POSITION_INDEPENDENT_CODE=ON"]);
    site.says(&["cmake", "--build", "found", "--target", "in-cxx"]);
    assert_eq!(sorted(&site.says(&["mpiexec", "-n", "3", "found/in-cxx"])), ["0", "1", "2"]);
    site.says(&["ctest", "--test-dir", "found"]);
}

#[test]
fn checks_are_tests_of_cmake() {
    if !is_there("cmake") || !is_there("make") {
        return;
    }
    let site = Site::new();
    let source = project("checked").display().to_string();
    site.says(&["cmake", "-S", &source, "-B", "built", "-DCMAKE_C_COMPILER=mpicc"]);
    site.says(&["cmake", "--build", "built"]);
    let (code, text) = site.run(&["ctest", "--test-dir", "built"]);
    assert_ne!(code, Some(0), "{text}");
    for name in ["windtunnel.exchange.2", "windtunnel.exchange.3", "windtunnel.careless.2"] {
        let line = text.lines().find(|line| line.contains(name) && line.contains("Test "));
        assert!(
            line.is_some_and(|line| line.contains("Passed") != name.contains("careless")),
            "{text}"
        );
    }
    let file = site.path("bin/Windtunnel.cmake");
    fs::write(&file, "mine").expect("writable");
    let (code, text) = windtunnel(&["wrappers", &site.path("bin")], site.0.path());
    assert!(code == Some(2) && text.contains("Windtunnel.cmake"), "{text}");
}
