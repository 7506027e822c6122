//! A serde deserializer of JavaScript values.
//!
//! It reads the types that cross here as serde-wasm-bindgen does. Its errors name the field and quote nothing of a value,
//! so the bundle holds no code that prints values (docs/maintainers/performance.md).

use std::cell::RefCell;
use std::rc::Rc;
use std::{fmt, mem, ptr};

use js_sys::{Array, ArrayBuffer, JsString, Number, Object, Uint8Array};
use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, Expected, IntoDeserializer, MapAccess,
    SeqAccess, Unexpected, VariantAccess, Visitor,
};
use serde::{Deserialize, forward_to_deserialize_any};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

#[cfg(test)]
mod tests;

#[wasm_bindgen]
extern "C" {
    type Members;

    #[wasm_bindgen(method, indexing_getter)]
    fn get(this: &Members, name: &JsString) -> JsValue;

    #[wasm_bindgen(js_name = String)]
    fn text_of(value: &JsValue) -> String;
}

/// Which argument, or which part of one, has another type than it must have. Holds nothing of the value.
#[derive(Debug)]
pub struct Mismatch {
    /// The argument's name, then `.field` and `[index]`, outermost first.
    path: String,
    problem: String,
}

impl Mismatch {
    fn must_be(expected: impl fmt::Display) -> Self {
        Self::of(format!(" must be {expected}"))
    }

    const fn of(problem: String) -> Self {
        let path = String::new();
        Self { path, problem }
    }

    pub(super) fn in_argument(mut self, name: &str) -> Self {
        self.path.insert_str(0, name);
        self
    }

    fn in_member(mut self, name: &str) -> Self {
        self.path.insert_str(0, name);
        self.path.insert(0, '.');
        self
    }

    fn in_item(mut self, index: u32) -> Self {
        self.path.insert_str(0, &format!("[{index}]"));
        self
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path)?;
        f.write_str(&self.problem)
    }
}

impl std::error::Error for Mismatch {}

impl Error for Mismatch {
    fn custom<T: fmt::Display>(problem: T) -> Self {
        Self::of(format!(": {problem}"))
    }

    fn invalid_type(_: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::must_be(expected)
    }

    fn invalid_value(_: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::must_be(expected)
    }

    fn invalid_length(_: usize, expected: &dyn Expected) -> Self {
        Self::must_be(expected)
    }

    fn unknown_variant(_: &str, variants: &'static [&'static str]) -> Self {
        let (start, separator) = match variants.len() {
            0..=2 => ("", "` or `"),
            _ => ("one of ", "`, `"),
        };
        Self::must_be(format_args!("{start}`{}`", variants.join(separator)))
    }
}

/// An iterable threw.
impl From<JsValue> for Mismatch {
    fn from(thrown: JsValue) -> Self {
        let text = text_of(&thrown);
        Self::custom(text.strip_prefix("Error: ").unwrap_or(&text))
    }
}

/// A value to read.
pub(super) struct Reader(pub(super) JsValue);

impl Reader {
    fn bytes(&self) -> Option<Vec<u8>> {
        if let Some(bytes) = self.0.dyn_ref::<Uint8Array>() {
            return Some(bytes.to_vec());
        }
        let buffer = self.0.dyn_ref::<ArrayBuffer>()?;
        Some(Uint8Array::new(buffer).to_vec())
    }
}

impl<'de> Deserializer<'de> for Reader {
    type Error = Mismatch;

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char unit unit_struct tuple tuple_struct map
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        if self.0.is_null_or_undefined() {
            visitor.visit_unit()
        } else if let Some(flag) = self.0.as_bool() {
            visitor.visit_bool(flag)
        } else if let Some(number) = self.0.as_f64() {
            if Number::is_safe_integer(&self.0) {
                visitor.visit_i64(number as i64)
            } else {
                visitor.visit_f64(number)
            }
        } else if let Some(text) = self.0.as_string() {
            visitor.visit_string(text)
        } else {
            self.deserialize_byte_buf(visitor)
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        match self.0.as_string() {
            Some(text) => visitor.visit_string(text),
            None => Err(Mismatch::must_be(&visitor as &dyn Expected)),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        self.deserialize_str(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        self.deserialize_str(visitor)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        self.deserialize_byte_buf(visitor)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        match self.bytes() {
            Some(bytes) => visitor.visit_byte_buf(bytes),
            None => Err(Mismatch::must_be(&visitor as &dyn Expected)),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        if self.0.is_null_or_undefined() {
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Mismatch> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        let items = if Array::is_array(&self.0) {
            self.0.unchecked_into()
        } else if let Some(items) = js_sys::try_iter(&self.0)? {
            items.collect::<Result<Array, _>>()?
        } else {
            return Err(Mismatch::must_be(&visitor as &dyn Expected));
        };
        visitor.visit_seq(Items::of(items))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        names: Names,
        visitor: V,
    ) -> Result<V::Value, Mismatch> {
        if !self.0.is_object() {
            return Err(Mismatch::must_be(&visitor as &dyn Expected));
        }
        visitor.visit_map(Fields {
            members: self.0.unchecked_into(),
            names: with_texts(names),
            looked_up: 0,
            member: Default::default(),
        })
    }

    /// `"Variant"` or `{ Variant: content }`.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Mismatch> {
        let (name, content) = if let Some(name) = self.0.as_string() {
            (name, JsValue::UNDEFINED)
        } else if self.0.is_object() {
            let entries = Object::entries(self.0.unchecked_ref());
            if entries.length() != 1 {
                return Err(Mismatch::must_be("1"));
            }
            let entry: Array = entries.get(0).unchecked_into();
            (entry.get(0).as_string().unwrap_or_default(), entry.get(1))
        } else {
            return Err(Mismatch::must_be(&visitor as &dyn Expected));
        };
        visitor.visit_enum(Variant { name, content })
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Mismatch> {
        visitor.visit_unit()
    }
}

struct Items {
    items: Array,
    length: u32,
    next: u32,
}

impl Items {
    fn of(items: Array) -> Self {
        let length = items.length();
        Self {
            items,
            length,
            next: 0,
        }
    }
}

impl<'de> SeqAccess<'de> for Items {
    type Error = Mismatch;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Mismatch> {
        if self.next == self.length {
            return Ok(None);
        }
        let index = self.next;
        self.next += 1;
        let item = seed.deserialize(Reader(self.items.get(index)));
        item.map(Some).map_err(|mismatch| mismatch.in_item(index))
    }
}

type Names = &'static [&'static str];
/// A field's name, and the same as a JavaScript string.
type Name = (&'static str, JsString);

struct Fields {
    members: Members,
    names: Rc<[Name]>,
    looked_up: usize,
    /// The last member found.
    member: (&'static str, JsValue),
}

impl<'de> MapAccess<'de> for Fields {
    type Error = Mismatch;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Mismatch> {
        while let Some((name, text)) = self.names.get(self.looked_up) {
            self.looked_up += 1;
            let value = self.members.get(text);
            if !value.is_undefined() || text.js_in(&self.members) {
                self.member = (name, value);
                let name: StrDeserializer<'_, Mismatch> = name.into_deserializer();
                return seed.deserialize(name).map(Some);
            }
        }
        Ok(None)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Mismatch> {
        let (name, value) = mem::take(&mut self.member);
        seed.deserialize(Reader(value))
            .map_err(|mismatch| mismatch.in_member(name))
    }
}

/// Makes a struct's JavaScript strings once: making a string takes longer than reading a member.
fn with_texts(names: Names) -> Rc<[Name]> {
    thread_local! {
        static MADE: RefCell<Vec<(Names, Rc<[Name]>)>> = RefCell::default();
    }
    MADE.with_borrow_mut(|made| {
        if let Some((_, with_texts)) = made.iter().find(|(of, _)| ptr::eq(*of, names)) {
            return Rc::clone(with_texts);
        }
        let with_texts: Rc<[Name]> = names.iter().map(|name| (*name, (*name).into())).collect();
        made.push((names, Rc::clone(&with_texts)));
        with_texts
    })
}

struct Variant {
    name: String,
    content: JsValue,
}

impl Variant {
    fn read<T>(self, read: impl FnOnce(Reader) -> Result<T, Mismatch>) -> Result<T, Mismatch> {
        read(Reader(self.content)).map_err(|mismatch| mismatch.in_member(&self.name))
    }
}

impl<'de> EnumAccess<'de> for Variant {
    type Error = Mismatch;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Mismatch> {
        let name: StrDeserializer<'_, Mismatch> = self.name.as_str().into_deserializer();
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'de> VariantAccess<'de> for Variant {
    type Error = Mismatch;

    fn unit_variant(self) -> Result<(), Mismatch> {
        self.read(<()>::deserialize)
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Mismatch> {
        self.read(|content| seed.deserialize(content))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Mismatch> {
        self.read(|content| content.deserialize_seq(visitor))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        names: Names,
        visitor: V,
    ) -> Result<V::Value, Mismatch> {
        self.read(|content| content.deserialize_struct("", names, visitor))
    }
}
