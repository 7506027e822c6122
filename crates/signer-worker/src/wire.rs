//! How the types of the concept crates look in JavaScript. Their TypeScript declarations come from tsify.

use latchkey_key_derivation::EncryptedPrivateKey;
use latchkey_near_transaction::{
    AccessKeyFields, AccessKeyPermission, Action, ActionFields, FunctionCallFields,
    PermissionFields, SignedDelegate, SignedTransaction, Transaction, TransactionRequestFields,
};
use latchkey_vrf::VrfChallenge;
use latchkey_webauthn::{AttestationResponse, Base64Url, WebAuthnRegistration};
use wasm_bindgen::JsValue;

use crate::Outcome;
use crate::js::{self, Fields, FromJs, ToJs, invalid};

impl FromJs for EncryptedPrivateKey {
    fn from_js(fields: &Fields) -> Outcome<Self> {
        Ok(Self {
            encrypted_data: fields.text("encryptedData")?,
            iv: fields.text("iv")?,
        })
    }
}

impl ToJs for EncryptedPrivateKey {
    fn to_js(&self) -> JsValue {
        js::object(&[
            ("encryptedData", js::text(&self.encrypted_data)),
            ("iv", js::text(&self.iv)),
        ])
    }
}

impl FromJs for VrfChallenge {
    fn from_js(fields: &Fields) -> Outcome<Self> {
        Ok(Self {
            vrf_input: fields.text("vrfInput")?,
            vrf_output: fields.text("vrfOutput")?,
            vrf_proof: fields.text("vrfProof")?,
            vrf_public_key: fields.text("vrfPublicKey")?,
            user_id: fields.text("userId")?,
            rp_id: fields.text("rpId")?,
            block_height: fields.text("blockHeight")?,
            block_hash: fields.text("blockHash")?,
            intent_digest: fields.optional_text("intentDigest")?,
            session_policy_digest: fields.optional_text("sessionPolicyDigest")?,
        })
    }
}

impl FromJs for WebAuthnRegistration {
    fn from_js(fields: &Fields) -> Outcome<Self> {
        Ok(Self {
            id: fields.text("id")?,
            raw_id: base64url(fields, "rawId")?,
            kind: fields.text("type")?,
            authenticator_attachment: fields.optional_text("authenticatorAttachment")?,
            response: fields.object("response")?,
        })
    }
}

impl FromJs for AttestationResponse {
    fn from_js(fields: &Fields) -> Outcome<Self> {
        Ok(Self {
            client_data_json: base64url(fields, "clientDataJSON")?,
            attestation_object: base64url(fields, "attestationObject")?,
            transports: fields.optional_texts("transports")?,
        })
    }
}

impl ToJs for WebAuthnRegistration {
    fn to_js(&self) -> JsValue {
        let transports = self
            .response
            .transports
            .as_ref()
            .map_or(JsValue::UNDEFINED, js::texts);
        let response = js::object(&[
            (
                "clientDataJSON",
                self.response.client_data_json.to_text().into(),
            ),
            (
                "attestationObject",
                self.response.attestation_object.to_text().into(),
            ),
            ("transports", transports),
        ]);
        js::object(&[
            ("id", js::text(&self.id)),
            ("rawId", self.raw_id.to_text().into()),
            ("type", js::text(&self.kind)),
            (
                "authenticatorAttachment",
                self.authenticator_attachment
                    .as_ref()
                    .map_or(JsValue::UNDEFINED, js::text),
            ),
            ("response", response),
        ])
    }
}

pub(crate) fn base64url(fields: &Fields, name: &'static str) -> Outcome<Base64Url> {
    Base64Url::from_text(&fields.text(name)?).ok_or(invalid(name, "base64url text without padding"))
}

impl FromJs for TransactionRequestFields {
    fn from_js(fields: &Fields) -> Outcome<Self> {
        Ok(Self {
            receiver_id: fields.optional_text("receiverId")?,
            actions: fields.list("actions")?,
        })
    }
}

impl FromJs for ActionFields {
    fn from_js(fields: &Fields) -> Outcome<Self> {
        Ok(Self {
            r#type: fields.optional_text("type")?,
            code: fields.optional_bytes("code")?,
            method_name: fields.optional_text("methodName")?,
            args: fields.optional_text("args")?,
            gas: fields.optional_text("gas")?,
            deposit: fields.optional_text("deposit")?,
            amount: fields.optional_text("amount")?,
            stake: fields.optional_text("stake")?,
            public_key: fields.optional_text("publicKey")?,
            access_key: fields.optional_object("accessKey")?,
            beneficiary_id: fields.optional_text("beneficiaryId")?,
        })
    }
}

impl FromJs for AccessKeyFields {
    fn from_js(fields: &Fields) -> Outcome<Self> {
        const PERMISSION: &str = "permission";
        let permission = fields.get(PERMISSION);
        let permission = match permission.as_string().as_deref() {
            Some("FullAccess") => PermissionFields::FullAccess,
            Some(_) => return Err(invalid(PERMISSION, "'FullAccess' or {FunctionCall}")),
            None => PermissionFields::FunctionCall(
                Fields::of(permission, PERMISSION)?.object("FunctionCall")?,
            ),
        };
        Ok(Self { permission })
    }
}

impl FromJs for FunctionCallFields {
    fn from_js(fields: &Fields) -> Outcome<Self> {
        Ok(Self {
            allowance: fields.optional_text("allowance")?,
            receiver_id: fields.optional_text("receiverId")?,
            method_names: fields.optional_texts("methodNames")?,
        })
    }
}

impl ToJs for SignedTransaction {
    fn to_js(&self) -> JsValue {
        js::object(&[
            ("transaction", self.transaction.to_js()),
            ("signature", js::text(&self.signature)),
            ("borshBytes", js::bytes(&self.borsh_bytes)),
            ("hash", js::text(&self.hash)),
        ])
    }
}

impl ToJs for SignedDelegate {
    fn to_js(&self) -> JsValue {
        js::object(&[
            ("hash", js::text(&self.hash)),
            ("borshBytes", js::bytes(&self.borsh_bytes)),
            ("maxBlockHeight", js::text(&self.max_block_height)),
        ])
    }
}

impl ToJs for Transaction {
    fn to_js(&self) -> JsValue {
        js::object(&[
            ("signerId", js::text(&self.signer_id)),
            ("publicKey", js::text(&self.public_key)),
            ("nonce", js::text(&self.nonce)),
            ("receiverId", js::text(&self.receiver_id)),
            ("blockHash", js::text(&self.block_hash)),
            ("actions", self.actions.to_js()),
        ])
    }
}

impl ToJs for Action {
    fn to_js(&self) -> JsValue {
        match self {
            Self::CreateAccount => js::object(&[("type", "CreateAccount".into())]),
            Self::DeployContract { code } => {
                js::object(&[("type", "DeployContract".into()), ("code", js::bytes(code))])
            }
            Self::FunctionCall {
                method_name,
                args,
                gas,
                deposit,
            } => js::object(&[
                ("type", "FunctionCall".into()),
                ("methodName", method_name.into()),
                ("args", args.into()),
                ("gas", js::text(gas)),
                ("deposit", js::text(deposit)),
            ]),
            Self::Transfer { amount } => {
                js::object(&[("type", "Transfer".into()), ("amount", js::text(amount))])
            }
            Self::Stake { stake, public_key } => js::object(&[
                ("type", "Stake".into()),
                ("stake", js::text(stake)),
                ("publicKey", js::text(public_key)),
            ]),
            Self::AddKey {
                public_key,
                access_key,
            } => js::object(&[
                ("type", "AddKey".into()),
                ("publicKey", js::text(public_key)),
                (
                    "accessKey",
                    js::object(&[("permission", access_key.permission.to_js())]),
                ),
            ]),
            Self::DeleteKey { public_key } => js::object(&[
                ("type", "DeleteKey".into()),
                ("publicKey", js::text(public_key)),
            ]),
            Self::DeleteAccount { beneficiary_id } => js::object(&[
                ("type", "DeleteAccount".into()),
                ("beneficiaryId", js::text(beneficiary_id)),
            ]),
        }
    }
}

impl ToJs for AccessKeyPermission {
    fn to_js(&self) -> JsValue {
        match self {
            Self::FullAccess => "FullAccess".into(),
            Self::FunctionCall(bounds) => {
                let bounds = js::object(&[
                    (
                        "allowance",
                        bounds
                            .allowance
                            .map_or(JsValue::NULL, |allowance| js::text(&allowance)),
                    ),
                    ("receiverId", js::text(&bounds.receiver_id)),
                    ("methodNames", js::texts(&bounds.method_names)),
                ]);
                js::object(&[("FunctionCall", bounds)])
            }
        }
    }
}
