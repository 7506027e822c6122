//! The JSON-RPC of a node over HTTP.

mod admin;
mod answer;
mod connections;
mod explorer;
mod faults;
mod html;
mod methods;
mod params;
mod query;
mod server;
mod transactions;
mod words;

pub use faults::{FaultSettings, FaultSettingsError, Faults};
pub use server::{ServeError, bind, serve};
