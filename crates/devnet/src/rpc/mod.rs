//! The JSON-RPC of a node over HTTP.

mod admin;
mod answer;
mod background;
mod connections;
mod faults;
mod methods;
mod params;
mod query;
mod server;
mod transactions;

pub use faults::{FaultSettings, FaultSettingsError, Faults};
pub use server::{ServeError, bind, serve};
