//! The binary as a child process.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

/// The binary. Dropping it ends the process.
pub(crate) struct Program {
    pub(crate) child: Child,
    pub(crate) url: String,
}

impl Program {
    pub(crate) fn command(arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_latchkey-devnet"));
        command
            .args([
                "--port",
                "0",
                "--no-registry",
                "--simple",
                "--fund",
                "alice.testnet=100",
            ])
            .args(arguments);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub(crate) fn start(arguments: &[&str]) -> Self {
        let mut child = Self::command(arguments).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let url = line
            .trim()
            .strip_prefix("listening on ")
            .expect("an address")
            .to_owned();
        Self { child, url }
    }

    /// The error text and the exit code of a start that fails.
    pub(crate) fn refusal(arguments: &[&str]) -> (String, Option<i32>) {
        let ended = Self::command(arguments).output().unwrap();
        (
            String::from_utf8(ended.stderr).unwrap(),
            ended.status.code(),
        )
    }

    pub(crate) fn call(&self, method: &str, params: &Value) -> Value {
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        ureq::post(&self.url)
            .send_json(body)
            .unwrap()
            .body_mut()
            .read_json()
            .unwrap()
    }

    /// Sends SIGTERM.
    pub(crate) fn terminate(&self) {
        let pid = self.child.id().to_string();
        let mut kill = Command::new("kill");
        assert!(kill.args(["-TERM", &pid]).status().unwrap().success());
    }

    pub(crate) fn kill(self) {
        drop(self);
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // The process may have exited already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
