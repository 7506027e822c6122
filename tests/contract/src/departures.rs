//! Every departure from an honest ceremony, with the refusal of each verifying method.

mod ceremony;
mod claims;
mod credential;
mod proof;

use serde_json::{Value, json};

use crate::{DEPOSIT, Edit};

/// A method that verifies a ceremony.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// `create_account_and_register_user`.
    Register,
    /// `link_device_register_user`.
    Link,
    /// `verify_authentication_response`.
    Authenticate,
    /// `register_existing_passkey`.
    RegisterExisting,
}

/// One departure.
pub struct Departure {
    /// The name of the departure.
    pub name: &'static str,
    /// The change to an honest ceremony.
    pub edit: Edit,
    /// The reason that each method logs, in the order of [`Method::ALL`]; empty if the departure does not
    /// concern it.
    reasons: [&'static str; 4],
}

impl Method {
    /// All methods.
    pub const ALL: [Self; 4] = [
        Self::Register,
        Self::Link,
        Self::Authenticate,
        Self::RegisterExisting,
    ];

    /// The contract method's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Register => "create_account_and_register_user",
            Self::Link => "link_device_register_user",
            Self::Authenticate => "verify_authentication_response",
            Self::RegisterExisting => "register_existing_passkey",
        }
    }

    /// The deposit that the tests attach, in yoctoNEAR.
    #[must_use]
    pub const fn deposit(self) -> u128 {
        match self {
            Self::Register | Self::Link | Self::RegisterExisting => DEPOSIT,
            Self::Authenticate => 0,
        }
    }

    /// The method's answer to a refused ceremony.
    #[must_use]
    pub fn refusal(self) -> Value {
        match self {
            Self::Register | Self::Link | Self::RegisterExisting => {
                json!({"verified": false, "registration_info": null})
            }
            Self::Authenticate => json!({"verified": false}),
        }
    }
}

impl Departure {
    /// The reason that `method` logs, if the departure concerns it.
    #[must_use]
    pub fn reason(&self, method: Method) -> Option<&'static str> {
        Some(self.reasons[method as usize]).filter(|reason| !reason.is_empty())
    }
}

const fn every(name: &'static str, reason: &'static str, edit: Edit) -> Departure {
    each(name, [reason; 4], edit)
}

const fn each(name: &'static str, reasons: [&'static str; 4], edit: Edit) -> Departure {
    Departure {
        name,
        edit,
        reasons,
    }
}

const fn registering(name: &'static str, reason: &'static str, edit: Edit) -> Departure {
    each(name, [reason, reason, "", reason], edit)
}

const fn attesting(name: &'static str, reason: &'static str, edit: Edit) -> Departure {
    each(name, [reason, reason, "", ""], edit)
}

const fn asserting(name: &'static str, reason: &'static str, edit: Edit) -> Departure {
    each(name, ["", "", reason, reason], edit)
}

const fn existing(name: &'static str, reason: &'static str, edit: Edit) -> Departure {
    each(name, ["", "", "", reason], edit)
}

const OTHER_USER: [&str; 4] = [
    "user_id is not the account",
    "user_id is not the account",
    "not registered for this account",
    "user_id is not the account",
];
const OTHER_INTENT: &str = "intent digest is not the one of this operation";
const ORIGIN: &str = "the origin is not allowed";

/// The tables. The account of an honest ceremony is not `bob.w3a-v1.testnet`.
pub const DEPARTURES: [&[Departure]; 4] = [
    claims::CLAIMS,
    proof::PROOF,
    ceremony::CEREMONY,
    credential::CREDENTIAL,
];
