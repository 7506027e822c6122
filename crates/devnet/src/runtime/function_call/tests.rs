#![allow(clippy::unwrap_used)]

use near_vm_runner::logic::errors::{AnyError, InconsistentStateError, VMRunnerError};

use super::{after_fault, chain_error};
use crate::runtime::RuntimeError;

#[test]
fn a_machine_failure_over_one_contract_fails_only_that_call() {
    for (fault, said) in [
        (
            VMRunnerError::LoadingError("no memory".to_owned()),
            "no memory",
        ),
        (
            VMRunnerError::Nondeterministic("bad luck".to_owned()),
            "bad luck",
        ),
        (
            VMRunnerError::WasmUnknownError {
                debug_message: "a trap".to_owned(),
            },
            "a trap",
        ),
        (
            VMRunnerError::ContractCodeNotPresent,
            "no associated contract code",
        ),
    ] {
        let outcome = after_fault(fault).unwrap();
        let error = format!("{:?}", chain_error(outcome.aborted.unwrap()));
        assert!(error.starts_with("ExecutionError"), "{error}");
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn an_inconsistent_state_is_a_failure_of_the_chain() {
    let overflow = InconsistentStateError::IntegerOverflow;
    for fault in [
        VMRunnerError::ExternalError(AnyError::new("the state is inconsistent".to_owned())),
        VMRunnerError::InconsistentStateError(overflow),
    ] {
        assert!(matches!(after_fault(fault), Err(RuntimeError::Machine(_))));
    }
}
