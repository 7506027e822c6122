// Transactions of version 1 and the actions of gas keys, which near-api-js does not write yet. Extends its schema by what
// near-primitives 0.38 has beyond it (src/transaction.rs, src/action/mod.rs).
import { createHash } from 'node:crypto';
import { serialize } from 'borsh';
import { baseDecode, SCHEMA, Signature } from 'near-api-js';

const GasKeyInfo = { struct: { balance: 'u128', numNonces: 'u16' } };
const OfGasKey = { struct: { publicKey: SCHEMA.PublicKey, amount: 'u128' } };
SCHEMA.AccessKeyPermission.enum.push(
  { struct: { gasKeyFunctionCall: { struct: { info: GasKeyInfo, call: SCHEMA.FunctionCallPermission } } } },
  { struct: { gasKeyFullAccess: GasKeyInfo } },
);
SCHEMA.Action.enum.push(
  { struct: { deterministicStateInit: { struct: {} } } },
  { struct: { transferToGasKey: OfGasKey } },
  { struct: { withdrawFromGasKey: OfGasKey } },
);
const Nonce = {
  enum: [
    { struct: { plain: { struct: { nonce: 'u64' } } } },
    { struct: { lane: { struct: { nonce: 'u64', index: 'u16' } } } },
  ],
};
const TransactionV1 = {
  struct: {
    version: 'u8',
    signerId: 'string',
    publicKey: SCHEMA.PublicKey,
    nonce: Nonce,
    receiverId: 'string',
    blockHash: { array: { type: 'u8', len: 32 } },
    actions: { array: { type: SCHEMA.Action } },
    nonceMode: 'u8',
  },
};

export const addGasKey = (publicKey, lanes) => ({
  addKey: {
    publicKey,
    accessKey: { nonce: 0n, permission: { gasKeyFullAccess: { balance: 0n, numNonces: lanes } } },
  },
});
export const transferToGasKey = (publicKey, amount) => ({ transferToGasKey: { publicKey, amount } });
export const withdrawFromGasKey = (publicKey, amount) => ({ withdrawFromGasKey: { publicKey, amount } });

/** Bytes of a signed transaction. `nonce` is of a lane if there is one. */
export function signV1(keyPair, { signerId, receiverId, blockHash, actions, nonce, lane, isStrict }) {
  const publicKey = keyPair.getPublicKey();
  const bytes = serialize(TransactionV1, {
    version: 1,
    signerId,
    publicKey,
    nonce: lane === undefined ? { plain: { nonce } } : { lane: { nonce, index: lane } },
    receiverId,
    blockHash: baseDecode(blockHash),
    actions,
    nonceMode: isStrict ? 1 : 0,
  });
  const { signature: data } = keyPair.sign(createHash('sha256').update(bytes).digest());
  const signature = new Signature({ keyType: publicKey.keyType, data });
  return Buffer.concat([bytes, serialize(SCHEMA.Signature, signature)]);
}
