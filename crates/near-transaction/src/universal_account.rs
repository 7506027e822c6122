//! Universal accounts (NEP-655, from protocol 88): accounts whose ids are the hash of their first state.

use borsh::io::{self, Read, Write};
use borsh::{BorshDeserialize, BorshSerialize};
use serde::Serialize;
use sha3::{Digest, Sha3_256};

use crate::global_contract::{StateInitFields, in_order};
use crate::{
    AccountId, GlobalContractIdentifier, PublicKeyHandle, StateEntry, TransactionError,
    parse_account_id,
};

/// Crockford's base32 in lower case, without i, l, o and u (near-primitives-core, `universal_account_id.rs`).
const SYMBOLS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// Symbols for the 256 bits of a hash; the last one carries one of them.
const SYMBOL_COUNT: usize = 52;

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
    /// The account that has this first state: `0u` and 52 symbols of the SHA3-256 of its borsh bytes.
    ///
    /// # Errors
    /// [`TransactionError::Unencodable`].
    pub fn account_id(&self) -> Result<AccountId, TransactionError> {
        let bytes = self
            .canonical()
            .map_err(|_| TransactionError::Unencodable)?;
        parse_account_id(&id_of(&Sha3_256::digest(bytes).into()), "state_init")
    }

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

/// The id of a hash, its most significant bit first; four zero bits fill the last symbol.
fn id_of(hash: &[u8; 32]) -> String {
    let mut id = String::from("0u");
    for symbol in 0..SYMBOL_COUNT {
        let value = (symbol * 5..symbol * 5 + 5).fold(0, |value, bit| {
            let byte = hash.get(bit / 8).copied().unwrap_or_default();
            (value << 1) | usize::from(byte >> (7 - bit % 8) & 1)
        });
        id.extend(SYMBOLS.get(value).map(|symbol| char::from(*symbol)));
    }
    id
}

#[cfg(test)]
mod tests;
