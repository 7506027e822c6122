//! The errors that nearcore's own types write about a transaction, one of each variant, pinned for the clients that read
//! them: `tests/vectors/rpc/nearcore-errors.json`. A release of near-primitives with another variant fails here first.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use near_primitives::errors::{
    ActionErrorKind, ActionsValidationError, CompilationError, DepositCostFailureReason,
    FunctionCallError, HostError, InvalidAccessKeyError, InvalidTxError, MethodResolveError,
    MissingTrieValueContext, PrepareError, ReceiptValidationError, StorageError, TxExecutionError,
    WasmTrap,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

#[test]
fn the_pinned_errors_are_every_variant_of_nearcores_types() {
    let vectors: Value = serde_json::from_str(include_str!(
        "../../../tests/vectors/rpc/nearcore-errors.json"
    ))
    .unwrap();
    let mut pinned: Map<String, Value> = vectors["errors"].as_object().unwrap().clone();
    let mut check = |name: &str, compare: fn(&str, &[Value])| {
        compare(name, pinned.remove(name).unwrap().as_array().unwrap());
    };
    check("TxExecutionError", compare::<TxExecutionError>);
    check("InvalidTxError", compare::<InvalidTxError>);
    check("InvalidAccessKeyError", compare::<InvalidAccessKeyError>);
    check("ActionsValidationError", compare::<ActionsValidationError>);
    check("ReceiptValidationError", compare::<ReceiptValidationError>);
    check("ActionErrorKind", compare::<ActionErrorKind>);
    check("FunctionCallError", compare::<FunctionCallError>);
    check("CompilationError", compare::<CompilationError>);
    check("PrepareError", compare::<PrepareError>);
    check("MethodResolveError", compare::<MethodResolveError>);
    check("WasmTrap", compare::<WasmTrap>);
    check("HostError", compare::<HostError>);
    check("StorageError", compare::<StorageError>);
    check(
        "MissingTrieValueContext",
        compare::<MissingTrieValueContext>,
    );
    check(
        "DepositCostFailureReason",
        compare::<DepositCostFailureReason>,
    );
    assert_eq!(pinned, Map::new(), "pinned errors of other types");
}

/// Compares pinned values with the type: each is written as pinned, and they have all of its variants, in its order.
fn compare<T: Serialize + DeserializeOwned>(name: &str, pinned: &[Value]) {
    for value in pinned {
        let read: T = serde_json::from_value(value.clone())
            .unwrap_or_else(|error| panic!("{name}: {value}: {error}"));
        assert_eq!(*value, json!(read), "{name}");
    }
    let names: Vec<&str> = pinned.iter().map(variant_of).collect();
    assert_eq!(names, variants::<T>(), "the variants of {name}");
}

fn variant_of(value: &Value) -> &str {
    let name = value
        .as_object()
        .map(|object| object.keys().next().unwrap());
    name.map_or_else(|| value.as_str().unwrap(), String::as_str)
}

/// The variants of an enum: serde lists them, in backticks, when it reads a name that is none of them.
fn variants<T: DeserializeOwned>() -> Vec<String> {
    let error = serde_json::from_value::<T>(json!("?")).err().unwrap();
    let named = error.to_string();
    named
        .split('`')
        .skip(3)
        .step_by(2)
        .map(str::to_owned)
        .collect()
}
