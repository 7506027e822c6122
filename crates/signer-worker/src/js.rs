//! Values from and to JavaScript, by serde.

use serde::Serialize;
use serde::de::DeserializeOwned;
use tsify::serde_wasm_bindgen::Deserializer;
use tsify::{Ts, Tsify};
use wasm_bindgen::{JsCast, JsValue};

use crate::{Outcome, SignerError};

/// Reads an argument; `name` is what an error calls it.
pub(crate) fn read<T>(value: Ts<T>, name: &'static str) -> Outcome<T>
where
    T: DeserializeOwned + Tsify,
    T::JsType: JsCast,
{
    let value = Deserializer::from(JsValue::from(value));
    serde_path_to_error::deserialize(value).map_err(|error| {
        let path = error.path().to_string();
        let field = if path == "." {
            name.to_owned()
        } else {
            format!("{name}.{path}")
        };
        SignerError::invalid_input(&field, &error.into_inner().to_string())
    })
}

/// Hands a value to JavaScript, typed by its TypeScript declaration.
pub(crate) fn give<T: Serialize + Tsify>(value: &T) -> Outcome<Ts<T>> {
    value.into_ts().map_err(|_| SignerError::Unwritable)
}
