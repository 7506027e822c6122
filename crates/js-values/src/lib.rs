//! Values and errors between JavaScript and the crates that bind Rust to WASM.

mod reader;

use std::fmt;

use js_sys::{Error, Reflect};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tsify::{Ts, Tsify};
use wasm_bindgen::{JsCast, JsValue};

pub use reader::Mismatch;
use reader::Reader;

/// A result cannot become a JavaScript value.
#[derive(Debug, thiserror::Error)]
#[error("the result cannot be written")]
pub struct Unwritable;

/// Reads an argument; `name` is what an error calls it.
///
/// # Errors
/// [`Mismatch`], naming the field.
pub fn read<T>(value: Ts<T>, name: &'static str) -> Result<T, Mismatch>
where
    T: DeserializeOwned + Tsify,
    T::JsType: JsCast,
{
    T::deserialize(Reader(value.into())).map_err(|mismatch| mismatch.in_argument(name))
}

/// Hands a value to JavaScript, typed by its TypeScript declaration.
///
/// # Errors
/// [`Unwritable`], as the caller's own error.
pub fn give<T: Serialize + Tsify, E: From<Unwritable>>(value: &T) -> Result<Ts<T>, E> {
    value.into_ts().map_err(|_| Unwritable.into())
}

/// An `Error` with this text and the `code` that TypeScript matches on.
pub fn thrown(error: &dyn fmt::Display, code: &str) -> JsValue {
    let thrown = Error::new(&error.to_string());
    // Setting a property of a new object cannot fail.
    let _ = Reflect::set(&thrown, &"code".into(), &code.into());
    thrown.into()
}
