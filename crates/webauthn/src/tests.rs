#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod ceremonies;
mod hostile;
mod origins;
mod round_trips;
mod vectors;
