//! The eight actions and the two permissions of an access key.

use borsh::{BorshDeserialize, BorshSerialize};

use crate::{AccountId, Balance, Gas, PublicKey};

/// One action of a transaction. The order of the variants is the chain's encoding.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
#[cfg_attr(
    feature = "ts",
    derive(tsify::Tsify),
    serde(tag = "type", rename_all_fields = "camelCase")
)]
pub enum Action {
    /// Creates the receiver's account.
    CreateAccount,
    /// Puts a contract on the account.
    DeployContract {
        /// The contract's WASM, at least one byte.
        #[cfg_attr(feature = "ts", tsify(type = "Uint8Array"))]
        code: Vec<u8>,
    },
    /// Calls a method of a contract.
    FunctionCall {
        /// The method's name, not empty.
        method_name: String,
        /// The arguments as JSON text, sent as its UTF-8 bytes.
        args: String,
        /// Gas attached, a decimal string.
        #[cfg_attr(feature = "ts", tsify(type = "string"))]
        gas: Gas,
        /// yoctoNEAR attached, a decimal string.
        #[cfg_attr(feature = "ts", tsify(type = "string"))]
        deposit: Balance,
    },
    /// Sends tokens.
    Transfer {
        /// yoctoNEAR, a decimal string.
        #[cfg_attr(feature = "ts", tsify(type = "string"))]
        amount: Balance,
    },
    /// Stakes tokens with a validator's key.
    Stake {
        /// yoctoNEAR, a decimal string.
        #[cfg_attr(feature = "ts", tsify(type = "string"))]
        stake: Balance,
        /// The validator's key.
        #[cfg_attr(feature = "ts", tsify(type = "string"))]
        public_key: PublicKey,
    },
    /// Gives a key access to the account.
    AddKey {
        /// The key.
        #[cfg_attr(feature = "ts", tsify(type = "string"))]
        public_key: PublicKey,
        /// What it may do.
        access_key: AccessKey,
    },
    /// Takes a key's access away.
    DeleteKey {
        /// The key.
        #[cfg_attr(feature = "ts", tsify(type = "string"))]
        public_key: PublicKey,
    },
    /// Deletes the account.
    DeleteAccount {
        /// Who gets what is left on it.
        #[cfg_attr(feature = "ts", tsify(type = "string"))]
        beneficiary_id: AccountId,
    },
}

/// A key's access to an account.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
#[cfg_attr(feature = "ts", derive(tsify::Tsify))]
pub struct AccessKey {
    /// Always 0 in what is made here: the chain sets it.
    #[cfg_attr(feature = "ts", serde(skip))]
    pub nonce: u64,
    /// What the key may do.
    pub permission: AccessKeyPermission,
}

/// What a key may do. The order of the variants is the chain's encoding.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
#[cfg_attr(feature = "ts", derive(tsify::Tsify))]
pub enum AccessKeyPermission {
    /// Call methods of one contract, without a deposit.
    FunctionCall(FunctionCallPermission),
    /// Everything.
    FullAccess,
}

/// The bounds of a function-call key.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
#[cfg_attr(feature = "ts", derive(tsify::Tsify), serde(rename_all = "camelCase"))]
pub struct FunctionCallPermission {
    /// yoctoNEAR that it may spend on gas, a decimal string; null for no limit.
    #[cfg_attr(feature = "ts", tsify(type = "string | null"))]
    pub allowance: Option<Balance>,
    /// The contract.
    #[cfg_attr(feature = "ts", tsify(type = "string"))]
    pub receiver_id: AccountId,
    /// The methods; none given means every method.
    pub method_names: Vec<String>,
}
