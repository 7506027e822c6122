//! The JSON-RPC of a node over HTTP.

mod admin;
mod answer;
mod background;
mod connections;
mod faults;
mod methods;
mod node;
mod params;
mod query;
mod server;
mod transactions;
mod views;

pub use faults::{FaultBody, FaultSettings, FaultSettingsError, Faults};
pub use server::{ServeError, bind, serve};
