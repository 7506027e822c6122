//! Universal accounts (NEP-655, from protocol 88): accounts whose ids are the hash of their first state.

use borsh::io::{self, Read, Write};
use borsh::{BorshDeserialize, BorshSerialize};
use serde::Serialize;

use crate::global_contract::{StateInitFields, in_order};
use crate::{GlobalContractIdentifier, PublicKeyHandle, StateEntry, TransactionError};

/// The first state of a universal account. The order of the variants is the chain's encoding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "ts", derive(tsify::Tsify))]
pub enum UniversalStateInit {
    /// The only version.
    V1(UniversalStateInitV1),
}

/// A contract, its storage, and the keys with full access.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(tsify::Tsify))]
pub struct UniversalStateInitV1 {
    /// The contract that the account runs; null for none.
    #[cfg_attr(feature = "ts", tsify(type = "GlobalContractIdentifier | null"))]
    pub code: Option<GlobalContractIdentifier>,
    /// The entries of its storage, in ascending order of their keys, each key once.
    pub data: Vec<StateEntry>,
    /// The keys as the chain stores them, ed25519 before secp256k1 before ML-DSA-65, each kind in ascending order of its
    /// bytes, each key once.
    #[cfg_attr(feature = "ts", tsify(type = "string[]"))]
    pub access_keys: Vec<PublicKeyHandle>,
}

impl UniversalStateInit {
    /// The one encoding that the chain accepts (near-primitives, `from_raw_strict`).
    fn canonical(&self) -> io::Result<Vec<u8>> {
        let Self::V1(state) = self;
        borsh::to_vec(&(0_u8, state))
    }
}

/// As the action carries it: the length of the bytes, then the bytes.
impl BorshSerialize for UniversalStateInit {
    fn serialize<W: Write>(&self, writer: &mut W) -> io::Result<()> {
        BorshSerialize::serialize(&self.canonical()?, writer)
    }
}

impl BorshDeserialize for UniversalStateInit {
    fn deserialize_reader<R: Read>(reader: &mut R) -> io::Result<Self> {
        let bytes = Vec::<u8>::deserialize_reader(reader)?;
        let (version, state) = <(u8, UniversalStateInitV1)>::try_from_slice(&bytes)?;
        let is_canonical = version == 0
            && state.data.is_sorted_by(|one, next| one.key < next.key)
            && state.access_keys.is_sorted_by(|one, next| one < next);
        if is_canonical {
            Ok(Self::V1(state))
        } else {
            Err(io::ErrorKind::InvalidData.into())
        }
    }
}

impl TryFrom<StateInitFields> for UniversalStateInit {
    type Error = TransactionError;

    fn try_from(StateInitFields::V1(fields): StateInitFields) -> Result<Self, Self::Error> {
        let access_keys = fields.access_keys.unwrap_or_default();
        let access_keys = access_keys
            .iter()
            .map(|text| text.parse())
            .collect::<Result<Vec<PublicKeyHandle>, _>>()?;
        if !access_keys.is_sorted_by(|one, next| one < next) {
            return Err(TransactionError::UnsortedKeys);
        }
        Ok(Self::V1(UniversalStateInitV1 {
            code: fields.code.map(TryInto::try_into).transpose()?,
            data: in_order(fields.data)?,
            access_keys,
        }))
    }
}

#[cfg(test)]
mod tests;
