import { createHash } from 'node:crypto';
import {
  Account,
  baseEncode,
  formatNearAmount,
  JsonRpcProvider,
  KeyPair,
  KeyPairSigner,
  nearToYocto,
} from 'near-api-js';

const provider = new JsonRpcProvider({ url: process.env.NEAR_RPC_URL ?? 'http://127.0.0.1:3030' });

// The key of an account that the chain started with. Anyone can compute it.
function developmentKey(accountId) {
  const seed = createHash('sha256').update(`latchkey-devnet:${accountId}`).digest();
  return KeyPair.fromString(`ed25519:${baseEncode(seed)}`);
}

const root = new Account('testnet', provider, new KeyPairSigner(developmentKey('testnet')));

// Accounts of your own lie below one whose key you hold.
const key = KeyPair.fromRandom('ed25519');
await root.createSubAccount({
  accountOrPrefix: 'dora',
  publicKey: key.getPublicKey(),
  nearToTransfer: nearToYocto(10),
});

const dora = new Account('dora.testnet', provider, new KeyPairSigner(key));
const { transaction } = await dora.transfer({ receiverId: 'testnet', amount: nearToYocto(1) });
const { balance } = await dora.getState();
console.log(`transaction ${transaction.hash}`);
console.log(`dora.testnet has ${formatNearAmount(balance.total.toString(), 2)} NEAR left`);
