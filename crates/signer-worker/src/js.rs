//! Values from and to JavaScript, by serde.

mod reader;

use serde::Serialize;
use serde::de::DeserializeOwned;
use tsify::{Ts, Tsify};
use wasm_bindgen::JsCast;

use crate::{Outcome, SignerError};
use reader::Reader;

/// Reads an argument; `name` is what an error calls it.
pub(crate) fn read<T>(value: Ts<T>, name: &'static str) -> Outcome<T>
where
    T: DeserializeOwned + Tsify,
    T::JsType: JsCast,
{
    T::deserialize(Reader(value.into()))
        .map_err(|mismatch| SignerError::InvalidInput(format!("{name}{mismatch}")))
}

/// Hands a value to JavaScript, typed by its TypeScript declaration.
pub(crate) fn give<T: Serialize + Tsify>(value: &T) -> Outcome<Ts<T>> {
    value.into_ts().map_err(|_| SignerError::Unwritable)
}
