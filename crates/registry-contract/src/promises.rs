//! Promises and answers, by `env` alone.
//!
//! The SDK's own promise builder imports every batch action there is, and a network that does not
//! know one of them refuses every call of the contract.

use near_sdk::{AccountId, Gas, NearToken, PromiseIndex, env, serde_json};
use serde::Serialize;

/// Sends tokens, unless there are none to send.
pub(crate) fn send(receiver: &AccountId, amount: NearToken) {
    if !amount.is_zero() {
        env::promise_batch_action_transfer(env::promise_batch_create(receiver), amount);
    }
}

/// Lets a method of this contract follow `promise`; its answer is the answer of this call.
pub(crate) fn call_back(promise: PromiseIndex, method: &str, arguments: &impl Serialize, gas: Gas) {
    let callback = env::promise_batch_then(promise, &env::current_account_id());
    let arguments = json(arguments);
    env::promise_batch_action_function_call(callback, method, &arguments, NearToken::ZERO, gas);
    env::promise_return(callback);
}

/// Answers this call with a value, for a method that else answers with a promise.
pub(crate) fn answer(value: &impl Serialize) {
    env::value_return(json(value));
}

pub(crate) fn json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).unwrap_or_else(|_| env::panic_str("Failed to serialize to JSON."))
}
