//! HTML pages for people: the chain's head, a transaction's effects, an account's holdings.

mod address;
mod home;
mod html;
mod transaction;
mod words;

pub(crate) use address::address;
pub(crate) use home::home;
pub(crate) use transaction::transaction;
