//! Runs the real binary as a process.

use std::{
    io::{BufRead, BufReader},
    net::SocketAddr,
    path::Path,
    process::{Child, Command, Output, Stdio},
};

use serde_json::Value;

use crate::client::Call;

pub(crate) fn countersign() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_countersign"));
    // Only what a test sets: the machine's own environment must not decide how it ends.
    command.env_clear().env("RUST_LOG", "warn");
    command
}

pub(crate) fn run(arguments: &[&str], dir: &Path) -> Output {
    countersign().args(arguments).arg("--data-dir").arg(dir).output().unwrap()
}

/// Standard output of a command that succeeds.
pub(crate) fn succeed(arguments: &[&str], dir: &Path) -> String {
    let output = run(arguments, dir);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Standard error of a command that fails.
pub(crate) fn fail(arguments: &[&str], dir: &Path) -> String {
    let output = run(arguments, dir);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8(output.stderr).unwrap()
}

pub(crate) struct Program {
    child: Child,
    pub(crate) address: SocketAddr,
    pub(crate) ready_line: String,
}

impl Program {
    pub(crate) fn start(dir: &Path) -> Self {
        Self::start_as(&["serve"], dir)
    }

    /// A command that serves, with more flags.
    pub(crate) fn start_as(arguments: &[&str], dir: &Path) -> Self {
        let mut child = countersign()
            .args(arguments)
            .args(["--listen", "127.0.0.1:0", "--data-dir"])
            .arg(dir)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut ready_line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut ready_line).unwrap();
        let address =
            ready_line.trim().rsplit_once("http://").unwrap_or_else(|| panic!("{ready_line:?}")).1.parse().unwrap();
        Self { child, address, ready_line }
    }

    /// SIGKILL: no instruction of its own runs after this.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// SIGTERM; returns the exit code.
    pub(crate) fn terminate(mut self) -> Option<i32> {
        let killed = Command::new("kill").arg(self.child.id().to_string()).status().unwrap();
        assert!(killed.success());
        self.child.wait().unwrap().code()
    }

    /// Waits until every agent has passed the whole log.
    pub(crate) async fn until_agents_are_done(&self) {
        loop {
            let agents = Call::new(self.address, "GET", "/api/agents").send().await.json();
            let done = |agent: &Value| agent["lag"] == 0 && agent["state"] == "IDLE";
            if agents["items"].as_array().unwrap().iter().all(done) {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // A test that failed must not leave it running.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
