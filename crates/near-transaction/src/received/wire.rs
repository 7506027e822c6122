//! The borsh encoding of a delegate, field by field as near-primitives' `DelegateAction` has it.
//!
//! It differs from [`crate::DelegateAction`] in what it accepts, not in the encoding: arguments need not be UTF-8, the
//! receiver of an access key need not be an account id, and the chain's limits hold.

use std::borrow::Cow;
use std::io;

use borsh::BorshDeserialize;

use super::{ActionKind, ReceivedAction};
use crate::{AccountId, DelegateError, PublicKey};

const MAX_ACTIONS: usize = 100;
const MAX_METHOD_NAME_BYTES: usize = 256;
const MAX_KEY_METHODS: usize = 2_000;
const MAX_ACCOUNT_ID_BYTES: usize = 64;

#[derive(BorshDeserialize)]
pub(super) struct Delegate {
    pub(super) sender_id: Account,
    pub(super) receiver_id: Account,
    pub(super) actions: List<Action, MAX_ACTIONS>,
    pub(super) nonce: u64,
    pub(super) max_block_height: u64,
    pub(super) public_key: PublicKey,
}

/// Fields that the relay does not look at are read and dropped.
#[derive(BorshDeserialize)]
pub(super) enum Action {
    CreateAccount,
    DeployContract {
        _code: Vec<u8>,
    },
    FunctionCall {
        method_name: Text<MAX_METHOD_NAME_BYTES>,
        _args: Vec<u8>,
        gas: u64,
        deposit: u128,
    },
    Transfer {
        amount: u128,
    },
    Stake {
        _stake: u128,
        _public_key: PublicKey,
    },
    AddKey {
        _public_key: PublicKey,
        _nonce: u64,
        _permission: Permission,
    },
    DeleteKey {
        _public_key: PublicKey,
    },
    DeleteAccount {
        _beneficiary_id: Account,
    },
    Delegate(Unsupported<8>),
    DeployGlobalContract(Unsupported<9>),
    UseGlobalContract(Unsupported<10>),
    DeterministicStateInit(Unsupported<11>),
    TransferToGasKey(Unsupported<12>),
    WithdrawFromGasKey(Unsupported<13>),
    DelegateV2(Unsupported<14>),
    UniversalStateInit(Unsupported<15>),
}

#[derive(BorshDeserialize)]
pub(super) enum Permission {
    FunctionCall {
        _allowance: Option<u128>,
        _receiver_id: Text<MAX_ACCOUNT_ID_BYTES>,
        _method_names: List<Text<MAX_METHOD_NAME_BYTES>, MAX_KEY_METHODS>,
    },
    FullAccess,
    GasKeyFunctionCall {
        _balance: u128,
        _num_nonces: u16,
        _allowance: Option<u128>,
        _receiver_id: Text<MAX_ACCOUNT_ID_BYTES>,
        _method_names: List<Text<MAX_METHOD_NAME_BYTES>, MAX_KEY_METHODS>,
    },
    GasKeyFullAccess {
        _balance: u128,
        _num_nonces: u16,
    },
}

impl From<Action> for ReceivedAction {
    fn from(action: Action) -> Self {
        let free = |kind| Self {
            kind,
            method_name: None,
            gas: 0,
            deposit_yocto: 0,
        };
        match action {
            Action::FunctionCall {
                method_name,
                gas,
                deposit,
                ..
            } => Self {
                method_name: Some(method_name.0),
                gas,
                deposit_yocto: deposit,
                ..free(ActionKind::FunctionCall)
            },
            Action::Transfer { amount } => Self {
                deposit_yocto: amount,
                ..free(ActionKind::Transfer)
            },
            Action::CreateAccount => free(ActionKind::CreateAccount),
            Action::DeployContract { .. } => free(ActionKind::DeployContract),
            // The stake is locked on the sender's own account: no money of the relayer's.
            Action::Stake { .. } => free(ActionKind::Stake),
            Action::AddKey { .. } => free(ActionKind::AddKey),
            Action::DeleteKey { .. } => free(ActionKind::DeleteKey),
            Action::DeleteAccount { .. } => free(ActionKind::DeleteAccount),
            Action::Delegate(never) => match never {},
            Action::DeployGlobalContract(never) => match never {},
            Action::UseGlobalContract(never) => match never {},
            Action::DeterministicStateInit(never) => match never {},
            Action::TransferToGasKey(never) => match never {},
            Action::WithdrawFromGasKey(never) => match never {},
            Action::DelegateV2(never) => match never {},
            Action::UniversalStateInit(never) => match never {},
        }
    }
}

/// An account id by the chain's rules.
pub(super) struct Account(pub(super) AccountId);

impl BorshDeserialize for Account {
    fn deserialize_reader<R: io::Read>(reader: &mut R) -> io::Result<Self> {
        let Text(text) = Text::<MAX_ACCOUNT_ID_BYTES>::deserialize_reader(reader)?;
        let id = text
            .parse()
            .map_err(|_| malformed("an account id is malformed"))?;
        Ok(Self(id))
    }
}

/// UTF-8 of at most `MAX` bytes.
pub(super) struct Text<const MAX: usize>(pub(super) String);

impl<const MAX: usize> BorshDeserialize for Text<MAX> {
    fn deserialize_reader<R: io::Read>(reader: &mut R) -> io::Result<Self> {
        let length = length_within(MAX, "bytes", reader)?;
        let bytes = (0..length).map(|_| u8::deserialize_reader(reader));
        let text = String::from_utf8(bytes.collect::<io::Result<_>>()?);
        text.map(Self).map_err(|_| malformed("a text is not UTF-8"))
    }
}

/// At most `MAX` items.
pub(super) struct List<T, const MAX: usize>(pub(super) Vec<T>);

impl<T: BorshDeserialize, const MAX: usize> BorshDeserialize for List<T, MAX> {
    fn deserialize_reader<R: io::Read>(reader: &mut R) -> io::Result<Self> {
        let length = length_within(MAX, "items", reader)?;
        let items = (0..length).map(|_| T::deserialize_reader(reader));
        items.collect::<io::Result<_>>().map(Self)
    }
}

/// An action that the chain takes and the relay never pays for, by its variant.
pub(super) enum Unsupported<const VARIANT: u8> {}

impl<const VARIANT: u8> BorshDeserialize for Unsupported<VARIANT> {
    fn deserialize_reader<R: io::Read>(_: &mut R) -> io::Result<Self> {
        Err(io::Error::other(DelegateError::Unsupported(
            match VARIANT {
                8 | 14 => "a delegate inside a delegate",
                9 => "DeployGlobalContract",
                10 => "UseGlobalContract",
                11 => "DeterministicStateInit",
                12 => "TransferToGasKey",
                13 => "WithdrawFromGasKey",
                _ => "UniversalStateInit",
            },
        )))
    }
}

fn length_within<R: io::Read>(max: usize, unit: &str, reader: &mut R) -> io::Result<u32> {
    let length = u32::deserialize_reader(reader)?;
    if usize::try_from(length).is_ok_and(|length| length <= max) {
        Ok(length)
    } else {
        Err(malformed(format!(
            "a text or list has more than {max} {unit}"
        )))
    }
}

fn malformed(problem: impl Into<Cow<'static, str>>) -> io::Error {
    io::Error::other(DelegateError::Malformed(problem.into()))
}
