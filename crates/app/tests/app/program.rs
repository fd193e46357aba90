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
    // Only use variables that the test sets, so that the machine's environment can't affect the result.
    command.env_clear().env("RUST_LOG", "warn");
    command
}

/// Like [`countersign`], for a store in this data directory, on the backend under test.
pub(crate) fn countersign_on(dir: &Path) -> Command {
    let mut command = countersign();
    command.envs(countersign_test_store::database_url(dir).map(|address| ("DATABASE_URL", address)));
    command
}

pub(crate) fn run(arguments: &[&str], dir: &Path) -> Output {
    countersign_on(dir).args(arguments).arg("--data-dir").arg(dir).output().unwrap()
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

    /// Starts a command that serves, such as `serve`, `demo` or `witness`, with its arguments.
    pub(crate) fn start_as(arguments: &[&str], dir: &Path) -> Self {
        let mut child = countersign_on(dir)
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

    /// Sends SIGKILL, so the program can't clean up.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Sends SIGTERM and returns the exit code.
    pub(crate) fn terminate(mut self) -> Option<i32> {
        let killed = Command::new("kill").arg(self.child.id().to_string()).status().unwrap();
        assert!(killed.success());
        self.child.wait().unwrap().code()
    }

    /// Waits until every agent has handled the whole log.
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
        // A failed test must not leave the program running.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
