//! The thread that makes a block after each interval.

use std::sync::Weak;
use std::time::{Duration, Instant};

use super::Inner;

/// Makes blocks at a fixed interval, in a thread that ends when the chain is dropped or a block fails.
pub(super) fn make_blocks(chain: Weak<Inner>, block_time: Duration) {
    std::thread::spawn(move || {
        let _alarm = Alarm(Weak::clone(&chain));
        let mut next = Instant::now() + block_time;
        loop {
            std::thread::sleep(next.saturating_duration_since(Instant::now()));
            let Some(inner) = chain.upgrade() else { return };
            if let Err(error) = inner.produce_block() {
                // The same block would fail again, and a database that failed once must be reopened.
                inner.stop(&error);
                return;
            }
            // After the machine was suspended, continue from now instead of catching up.
            next = (next + block_time).max(Instant::now());
        }
    });
}

/// Records that the chain has stopped when the thread that makes blocks panics.
struct Alarm(Weak<Inner>);

impl Drop for Alarm {
    fn drop(&mut self) {
        if let (true, Some(inner)) = (std::thread::panicking(), self.0.upgrade()) {
            inner.stop(&"the program failed, as said above");
        }
    }
}
