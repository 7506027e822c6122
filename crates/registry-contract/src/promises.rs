//! Promises and answers, made with `env` alone.
//!
//! The SDK's promise builder imports every batch action, and on a network that does not know one of
//! them every call of the contract fails.

use near_sdk::{AccountId, Gas, NearToken, PromiseIndex, env, serde_json};
use serde::Serialize;

use crate::dialect;

/// Sends tokens, unless the amount is zero.
pub(crate) fn send(receiver: &AccountId, amount: NearToken) {
    if !amount.is_zero() {
        env::promise_batch_action_transfer(env::promise_batch_create(receiver), amount);
    }
}

/// Returns the deposit of a refused call.
pub(crate) fn refund(caller: &AccountId, deposit: NearToken) {
    if !dialect::SPOKEN {
        send(caller, deposit);
    }
}

/// Calls a method of this contract after `promise` and returns its answer as this call's.
pub(crate) fn call_back(promise: PromiseIndex, method: &str, arguments: &impl Serialize, gas: Gas) {
    let callback = env::promise_batch_then(promise, &env::current_account_id());
    let arguments = json(arguments);
    env::promise_batch_action_function_call(callback, method, &arguments, NearToken::ZERO, gas);
    env::promise_return(callback);
}

/// Answers this call with a value, for a method that otherwise answers with a promise.
pub(crate) fn answer(value: &impl Serialize) {
    env::value_return(json(value));
}

pub(crate) fn json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).unwrap_or_else(|_| env::panic_str("Failed to serialize to JSON."))
}
