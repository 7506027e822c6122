//! JavaScript values in and out.
//!
//! Written out and not derived: serde-wasm-bindgen makes this bundle a third larger (`docs/performance.md`), and
//! an error here names the field and what it must be, and shows nothing of what came.

use js_sys::{Array, Object, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};

use crate::{Outcome, SignerError};

/// A type that is read from a JavaScript object.
pub(crate) trait FromJs: Sized {
    fn from_js(fields: &Fields) -> Outcome<Self>;
}

/// Reads an argument; `name` is what an error calls it.
pub(crate) fn read<T: FromJs>(value: impl Into<JsValue>, name: &'static str) -> Outcome<T> {
    T::from_js(&Fields::of(value.into(), name)?)
}

/// The fields of a JavaScript object.
pub(crate) struct Fields(JsValue);

impl Fields {
    pub(crate) fn of(value: JsValue, name: &'static str) -> Outcome<Self> {
        if value.is_object() {
            Ok(Self(value))
        } else {
            Err(invalid(name, "an object"))
        }
    }

    pub(crate) fn text(&self, name: &'static str) -> Outcome<String> {
        self.optional_text(name)?.ok_or(invalid(name, "a string"))
    }

    pub(crate) fn optional_text(&self, name: &'static str) -> Outcome<Option<String>> {
        self.optional(name, "a string", |value| value.as_string())
    }

    pub(crate) fn bytes(&self, name: &'static str) -> Outcome<Vec<u8>> {
        self.optional_bytes(name)?
            .ok_or(invalid(name, "a Uint8Array"))
    }

    pub(crate) fn optional_bytes(&self, name: &'static str) -> Outcome<Option<Vec<u8>>> {
        self.optional(name, "a Uint8Array", |value| {
            value.dyn_ref::<Uint8Array>().map(Uint8Array::to_vec)
        })
    }

    pub(crate) fn texts(&self, name: &'static str) -> Outcome<Vec<String>> {
        self.optional_texts(name)?
            .ok_or(invalid(name, "an array of strings"))
    }

    pub(crate) fn optional_texts(&self, name: &'static str) -> Outcome<Option<Vec<String>>> {
        self.optional(name, "an array of strings", |value| {
            value
                .dyn_ref::<Array>()?
                .iter()
                .map(|item| item.as_string())
                .collect()
        })
    }

    pub(crate) fn list<T: FromJs>(&self, name: &'static str) -> Outcome<Vec<T>> {
        let items = self.get(name);
        let items = items.dyn_ref::<Array>().ok_or(invalid(name, "an array"))?;
        items.iter().map(|item| read(item, name)).collect()
    }

    pub(crate) fn object<T: FromJs>(&self, name: &'static str) -> Outcome<T> {
        read(self.get(name), name)
    }

    pub(crate) fn optional_object<T: FromJs>(&self, name: &'static str) -> Outcome<Option<T>> {
        let value = self.get(name);
        if is_absent(&value) {
            Ok(None)
        } else {
            read(value, name).map(Some)
        }
    }

    /// A field that cannot be read is an absent one.
    pub(crate) fn get(&self, name: &str) -> JsValue {
        Reflect::get(&self.0, &name.into()).unwrap_or(JsValue::UNDEFINED)
    }

    fn optional<T>(
        &self,
        name: &'static str,
        expected: &'static str,
        read: impl Fn(&JsValue) -> Option<T>,
    ) -> Outcome<Option<T>> {
        let value = self.get(name);
        if is_absent(&value) {
            return Ok(None);
        }
        read(&value).map(Some).ok_or(invalid(name, expected))
    }
}

pub(crate) const fn invalid(name: &'static str, expected: &'static str) -> SignerError {
    SignerError::InvalidInput { name, expected }
}

fn is_absent(value: &JsValue) -> bool {
    value.is_undefined() || value.is_null()
}

/// A type that is given back as a JavaScript value.
pub(crate) trait ToJs {
    fn to_js(&self) -> JsValue;
}

impl<T: ToJs> ToJs for Vec<T> {
    fn to_js(&self) -> JsValue {
        self.iter().map(ToJs::to_js).collect::<Array>().into()
    }
}

/// Makes an object of its fields.
pub(crate) fn object(fields: &[(&str, JsValue)]) -> JsValue {
    let object = Object::new();
    for (name, value) in fields {
        // Setting a property of a new object cannot fail.
        let _ = Reflect::set(&object, &(*name).into(), value);
    }
    object.into()
}

/// A `Uint8Array` of its own, copied straight from this module's memory.
pub(crate) fn bytes(bytes: &[u8]) -> JsValue {
    Uint8Array::from(bytes).into()
}

/// The text of something that prints itself.
pub(crate) fn text(value: &impl ToString) -> JsValue {
    value.to_string().into()
}

/// An array of texts.
#[expect(clippy::ptr_arg, reason = "what `Option::map_or` hands over")]
pub(crate) fn texts(values: &Vec<String>) -> JsValue {
    values.iter().map(text).collect::<Array>().into()
}
