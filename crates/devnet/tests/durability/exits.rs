//! How the binary ends.

use std::io::Write;

use latchkey_devnet::{Chain, GENESIS_HEIGHT};
use serde_json::json;

use crate::common::program::Program;
use crate::{Folder, folder_text};

#[test]
fn exits_cleanly_on_sigterm() {
    let mut program = Program::start(&[]);
    program.terminate();
    assert_eq!(program.child.wait().unwrap().code(), Some(0));
}

#[test]
fn exits_soon_while_it_makes_blocks_for_an_abandoned_request() {
    let folder = Folder::new("end-busy");
    let data = folder_text(&folder.0);
    let mut program = Program::start(&["--data", data, "--block-time", "manual"]);
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "sandbox_fast_forward",
        "params": { "delta_height": 10_000 } })
    .to_string();
    let asked: Vec<_> = (0..4)
        .map(|_| {
            let address = program.url.strip_prefix("http://").unwrap();
            let mut stream = std::net::TcpStream::connect(address).unwrap();
            let length = body.len();
            write!(
                stream,
                "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n\r\n{body}"
            )
            .unwrap();
            stream
        })
        .collect();
    while program.call("block", &json!({ "finality": "final" }))["result"]["header"]["height"]
        == GENESIS_HEIGHT
    {}
    program.terminate();
    assert_eq!(program.child.wait().unwrap().code(), Some(0));
    drop(asked);
    let chain = Chain::open(folder.config()).unwrap();
    assert!(chain.head().height < GENESIS_HEIGHT + 40_000);
}

#[test]
fn help_survives_a_reader_that_closes_the_pipe() {
    let mut program = Program::command(&["--help"]).spawn().unwrap();
    drop(program.stdout.take());
    assert_eq!(program.wait().unwrap().code(), Some(0));
}
