//! The JSON-RPC of a node over HTTP.

mod answer;
mod explorer;
mod html;
mod methods;
mod params;
mod query;
mod server;
mod transactions;

pub use server::{ServeError, bind, serve};
