//! `sweep --slurm` on a real Slurm: a cluster of one node, whose daemons run as this user in a temporary folder.
//! Ignored, since it needs root and the packages `slurm-wlm` and `munge`; `.ci/run` installs them.

use std::{
    fs,
    net::TcpListener,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    thread::sleep,
    time::Duration,
};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A cluster, which ends when it is dropped.
struct Cluster {
    folder: TempDir,
    daemons: Vec<Child>,
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // The last one to begin is the first one to end.
        for mut daemon in self.daemons.drain(..).rev() {
            let _ = Command::new("kill").arg(daemon.id().to_string()).status();
            let _ = daemon.wait();
        }
    }
}

/// Waits until something is there, for a minute at most.
fn wait_for(what: &str, is_there: impl Fn() -> bool) {
    for _ in 0..600 {
        if is_there() {
            return;
        }
        sleep(Duration::from_millis(100));
    }
    panic!("{what}: not after a minute");
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

impl Cluster {
    fn start() -> Self {
        let folder = TempDir::new().expect("a folder");
        let mut cluster = Self { folder, daemons: Vec::new() };
        let key = cluster.path("munge.key");
        fs::write(&key, [b'k'; 1024]).expect("writable");
        fs::set_permissions(&key, PermissionsExt::from_mode(0o400)).expect("ours");
        for name in ["state", "spool", "work"] {
            fs::create_dir(cluster.path(name)).expect("writable");
        }
        fs::write(cluster.path("slurm.conf"), cluster.configuration()).expect("writable");
        let option = |name: &str, file: &str| format!("--{name}={}", cluster.path(file).display());
        let munge = [
            "--force".to_owned(),
            "--foreground".into(),
            option("socket", "munge.socket"),
            option("key-file", "munge.key"),
            option("log-file", "munged.log"),
            option("pid-file", "munged.pid"),
            option("seed-file", "munged.seed"),
        ];
        cluster.daemon("munged", &munge);
        let socket = cluster.path("munge.socket");
        wait_for("munged", || socket.exists());
        let file = cluster.path("slurm.conf").display().to_string();
        cluster.daemon("slurmctld", &["-D".into(), "-i".into(), "-f".into(), file.clone()]);
        cluster.daemon("slurmd", &["-D".into(), "-f".into(), file, "-N".into(), host()]);
        wait_for("an idle node", || {
            text(&cluster.command("sinfo", &["-h", "-o", "%T"]).stdout).contains("idle")
        });
        cluster
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn configuration(&self) -> String {
        let (at, host) = (self.folder.path().display(), host());
        // Both are held until both are known, so that they differ.
        let free = || TcpListener::bind("127.0.0.1:0").expect("a port");
        let [one, other] = [free(), free()];
        let number = |port: &TcpListener| port.local_addr().expect("bound").port();
        let (one, other) = (number(&one), number(&other));
        format!(
            "ClusterName=test\nSlurmctldHost={host}(127.0.0.1)\nSlurmUser=root\nSlurmdUser=root\n\
             AuthType=auth/munge\nAuthInfo=socket={at}/munge.socket\nCredType=cred/munge\n\
             StateSaveLocation={at}/state\nSlurmdSpoolDir={at}/spool\n\
             SlurmctldPidFile={at}/slurmctld.pid\nSlurmdPidFile={at}/slurmd.pid\n\
             SlurmctldLogFile={at}/slurmctld.log\nSlurmdLogFile={at}/slurmd.log\n\
             SlurmctldPort={one}\nSlurmdPort={other}\nProctrackType=proctrack/linuxproc\n\
             TaskPlugin=task/none\nSwitchType=switch/none\nMpiDefault=none\n\
             JobAcctGatherType=jobacct_gather/none\n\
             AccountingStorageType=accounting_storage/none\nSelectType=select/cons_tres\n\
             SelectTypeParameters=CR_CPU\nSchedulerType=sched/builtin\n\
             SlurmdParameters=config_overrides\nReturnToService=2\nKillWait=1\n\
             NodeName={host} NodeAddr=127.0.0.1 CPUs=2\n\
             PartitionName=all Nodes=ALL Default=YES State=UP\n"
        )
    }

    fn daemon(&mut self, name: &str, words: &[String]) {
        let log = fs::File::create(self.path(&format!("{name}.out"))).expect("writable");
        let daemon = Command::new(format!("/usr/sbin/{name}"))
            .args(words)
            .env("SLURM_CONF", self.path("slurm.conf"))
            .stdout(Stdio::null())
            .stderr(log)
            .spawn();
        self.daemons.push(daemon.expect("the packages slurm-wlm and munge are installed"));
    }

    /// Runs a command in the folder for work.
    fn command(&self, name: &str, words: &[&str]) -> Output {
        Command::new(name)
            .args(words)
            .current_dir(self.path("work"))
            .env("SLURM_CONF", self.path("slurm.conf"))
            .output()
            .expect("it starts")
    }

    /// Runs `sweep`, which has to succeed, and returns what it prints.
    fn sweep(&self, words: &[&str]) -> String {
        let words = [&["sweep", "study.json"], words].concat();
        let out = self.command(env!("CARGO_BIN_EXE_windtunnel"), &words);
        assert_eq!(out.status.code(), Some(0), "{words:?}: {}", text(&out.stderr));
        text(&out.stdout)
    }

    fn study(&self, study: &Value) {
        fs::write(self.path("work/study.json"), study.to_string()).expect("writable");
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path("work").join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Waits for a table, and returns it.
    fn table(&self, name: &str) -> Vec<u8> {
        let path = self.path("work").join(name);
        wait_for(name, || path.exists());
        self.read(name)
    }
}

fn host() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").expect("readable");
    name.trim().split('.').next().unwrap_or_default().to_owned()
}

/// Returns the number of results in the file of a share.
fn results(path: &Path) -> usize {
    fs::read_to_string(path).map_or(0, |text| text.lines().count().saturating_sub(1))
}

#[test]
#[ignore = "starts a Slurm cluster, which needs root and the packages slurm-wlm and munge"]
fn slurm_gives_the_same_results_even_if_a_task_is_killed() {
    let cluster = Cluster::start();
    cluster.study(&json!({
        "scenario": { "program": "allreduce", "network": "link" },
        "axes": ["topology=ring,hypercube", "ranks=4,8,16", "bytes=8,8K"]
    }));
    cluster.sweep(&["--out", "local.jsonl", "--csv", "local.csv"]);
    let told = cluster.sweep(&[
        "--out",
        "it's there.jsonl",
        "--csv",
        "s.csv",
        "--slurm",
        "3",
        "--slurm-option=--time=5",
        "--max-memory",
        "2GiB",
    ]);
    assert!(told.contains("submitted    3 tasks as job"), "{told}");
    assert_eq!(text(&cluster.table("s.csv")), text(&cluster.read("local.csv")));

    // Long enough that the second task is still at work when it is killed.
    cluster.study(&json!({
        "scenario": { "program": "jacobi-sendrecv", "ranks": 64, "topology": "torus", "network": "packet" },
        "axes": ["iterations=4000,4001,4002,4003,4004,4005", "latency=x1,x2"]
    }));
    let told = cluster.sweep(&["--out", "killed.jsonl", "--csv", "killed.csv", "--slurm", "2"]);
    let job = told.split("as job ").nth(1).and_then(|rest| rest.split(';').next());
    let job = job.unwrap_or_else(|| panic!("no number in {told}"));
    let share = cluster.path("work/killed.jsonl.part-1-of-2");
    wait_for("a first result", || results(&share) > 0);
    let killed = cluster.command("scancel", &["--signal=KILL", &format!("{job}_1")]);
    assert!(killed.status.success(), "{}", text(&killed.stderr));
    let table = cluster.table("killed.csv");
    assert!(results(&share) < 6, "the task was killed in the middle");
    cluster.sweep(&["--out", "whole.jsonl", "--csv", "whole.csv"]);
    assert_eq!(text(&table), text(&cluster.read("whole.csv")));
    assert_eq!(text(&table).lines().count(), 13);

    let out = cluster.command(
        env!("CARGO_BIN_EXE_windtunnel"),
        &["sweep", "study.json", "--slurm", "2", "--slurm-option=--partition=none"],
    );
    let told = text(&out.stderr);
    assert!(out.status.code() == Some(2) && told.contains("invalid partition"), "{told}");
}
