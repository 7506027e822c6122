//! A chain and its HTTP server in this process, and a plain client.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread::JoinHandle;

use latchkey_devnet::rpc::{self, FaultSettings, Faults};
use latchkey_devnet::{Chain, ChainConfig};
use serde_json::{Value, json};
use tokio::sync::oneshot;

pub(crate) struct Server {
    pub(crate) chain: Chain,
    pub(crate) address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// An HTTP answer, byte for byte.
#[derive(Debug, PartialEq)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

impl Server {
    pub(crate) fn start() -> Self {
        Self::with(super::config(), FaultSettings::default())
    }

    pub(crate) fn with(config: ChainConfig, faults: FaultSettings) -> Self {
        let chain = Chain::open(config).unwrap();
        let faults = Faults::new(faults).unwrap();
        let (stop, stopped) = oneshot::channel();
        let (bound, address) = std::sync::mpsc::channel();
        let served = chain.clone();
        let thread = std::thread::spawn(move || {
            tokio::runtime::Runtime::new().unwrap().block_on(async {
                let listener = rpc::bind(0).await.unwrap();
                bound.send(listener.local_addr().unwrap()).unwrap();
                let stop = async { drop(stopped.await) };
                rpc::serve(listener, served, faults, stop).await.unwrap();
            });
        });
        Self {
            chain,
            address: address.recv().unwrap(),
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    /// Sends bytes and reads until the server closes the connection. `None` if it closed without an
    /// answer.
    pub(crate) fn raw(&self, request: &str) -> Option<Reply> {
        let mut stream = TcpStream::connect(self.address).unwrap();
        let mut answer = Vec::new();
        // After an early close or a reset, what was read so far is the whole answer.
        let _ = stream.write_all(request.as_bytes());
        let _ = stream.read_to_end(&mut answer);
        if answer.is_empty() {
            return None;
        }
        let answer = String::from_utf8(answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Some(Reply {
            status,
            head: head.to_ascii_lowercase(),
            body: body.to_owned(),
        })
    }

    /// Sends one request with these headers in addition to Host and Content-Length.
    pub(crate) fn request(
        &self,
        method: &str,
        path: &str,
        headers: &str,
        body: &str,
    ) -> Option<Reply> {
        self.raw(&format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Length: {}\r\n{headers}\r\n{body}",
            self.address,
            body.len(),
        ))
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        self.request("GET", path, "", "").unwrap()
    }

    pub(crate) fn post(&self, body: &str) -> Option<Reply> {
        self.request("POST", "/", "Content-Type: application/json\r\n", body)
    }

    /// Calls a JSON-RPC method.
    pub(crate) fn rpc(&self, method: &str, params: Value) -> Option<Reply> {
        let request = json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params });
        self.post(&request.to_string())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
