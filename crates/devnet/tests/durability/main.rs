//! The chain survives a restart and a kill, and the binary says why it cannot start.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

#[path = "../common/mod.rs"]
mod common;
mod exits;
mod refusals;
mod restarts;

use std::path::{Path, PathBuf};

use common::*;
use latchkey_devnet::ChainConfig;

/// A data folder of one test, which is gone afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!(
            "latchkey-devnet-test-{}-{name}",
            std::process::id()
        ));
        let _ = std::fs::remove_dir_all(&path);
        Self(path)
    }

    fn config(&self) -> ChainConfig {
        ChainConfig {
            data: Some(self.0.clone()),
            ..config()
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn folder_text(path: &Path) -> &str {
    path.to_str().unwrap()
}
