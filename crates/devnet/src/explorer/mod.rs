//! Pages for people: the chain's head, what a transaction did, what an account holds.

mod address;
mod home;
mod html;
mod transaction;
mod words;

pub(crate) use address::address;
pub(crate) use home::home;
pub(crate) use transaction::transaction;
