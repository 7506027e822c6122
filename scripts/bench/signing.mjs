// Measures signing: our built WASM in Node against its peers, in one run.
// Needs ts/wasm (scripts/build.sh wasm). Prints a line each: name, ours, peer, ratio, target, ok or MISSED.
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { signAsync } from '@noble/ed25519';
import sodium from 'libsodium-wrappers';
import { actions, createTransaction, KeyPair, KeyPairSigner } from 'near-api-js';
import { race, report } from './lib/race.mjs';

const root = new URL('../../', import.meta.url);
const load = async (name) => {
  const glue = await import(new URL(`ts/wasm/${name}/${name}.js`, root));
  glue.initSync({ module: readFileSync(new URL(`ts/wasm/${name}/${name}_bg.wasm`, root)) });
  return glue;
};
const [signer, vrf] = [await load('signer'), await load('vrf')];
await sodium.ready;

const ACCOUNT = 'alice.testnet';
const RP_ID = 'localhost';
const BLOCK_HASH = '11111111111111111111111111111112';
const GAS = '30000000000000';
const ARGS = JSON.stringify({ greeting: 'hello from a passkey' });

// One approval as in the wallet: the key is encrypted at rest, and the passkey's challenge binds the transaction.
const prf = { first: new Uint8Array(randomBytes(32)), second: new Uint8Array(randomBytes(32)) };
const { publicKey, encryptedPrivateKey } = signer.deriveAndEncrypt(
  ACCOUNT,
  prf.first.slice(),
  prf.second.slice(),
);
const privateKey = new TextDecoder().decode(
  signer.decryptPrivateKey(ACCOUNT, prf.first.slice(), encryptedPrivateKey),
);
const call = { type: 'FunctionCall', methodName: 'set_greeting', args: ARGS, gas: GAS, deposit: '0' };
const request = {
  signerAccountId: ACCOUNT,
  publicKey,
  rpId: RP_ID,
  transactions: [{ receiverId: 'w3a-v1.testnet', actions: [call] }],
};
const { handle, digest } = signer.prepareTransactions(request);
signer.release(handle);
vrf.generateKeypairBootstrap();
const challenge = vrf.generateChallenge({
  userId: ACCOUNT,
  rpId: RP_ID,
  blockHeight: '12345',
  blockHash: BLOCK_HASH,
  intentDigest: digest,
});
const clientDataJson = new TextEncoder().encode(
  JSON.stringify({
    type: 'webauthn.get',
    challenge: Buffer.from(challenge.vrfOutput, 'base64url').subarray(0, 32).toString('base64url'),
    origin: 'http://localhost',
    crossOrigin: false,
  }),
);

function approveAndSign() {
  const { handle } = signer.prepareTransactions(request);
  signer.approve(handle, prf.first.slice(), challenge, clientDataJson, encryptedPrivateKey);
  const [signed] = signer.sign(handle, ['7'], BLOCK_HASH);
  signer.release(handle);
  return signed;
}

const keyPair = KeyPair.fromString(privateKey);
const nearSigner = new KeyPairSigner(keyPair);
const blockHash = new Uint8Array(32);
blockHash[31] = 1;
async function signByNearApiJs() {
  const action = actions.functionCall('set_greeting', Buffer.from(ARGS), BigInt(GAS), 0n);
  const transaction = createTransaction(
    ACCOUNT,
    keyPair.getPublicKey(),
    'w3a-v1.testnet',
    7n,
    [action],
    blockHash,
  );
  return nearSigner.signTransaction(transaction);
}

const [ours, near] = await race(301, [approveAndSign, signByNearApiJs]);
report('function call: prepare, decrypt, sign / near-api-js', ours, near, 0.45);

// Our WASM signs only whole transactions, so our time includes encoding, hashing and describing one.
const open = signer.prepareTransactions(request);
signer.approve(open.handle, prf.first.slice(), challenge, clientDataJson, encryptedPrivateKey);
const secret = new TextEncoder().encode(privateKey);
const transaction = {
  signerAccountId: ACCOUNT,
  receiverId: 'w3a-v1.testnet',
  nonce: '7',
  blockHash: BLOCK_HASH,
  actions: [call],
};
const message = new Uint8Array(randomBytes(200));
const seed = createHash('sha256').update('bench').digest();
const pair = sodium.crypto_sign_seed_keypair(seed);
const [again, withKey, libsodium, noble] = await race(501, [
  () => signer.sign(open.handle, ['8'], BLOCK_HASH),
  () => signer.signWithKeyPair(secret.slice(), transaction),
  () => sodium.crypto_sign_detached(message, pair.privateKey),
  () => signAsync(message, seed),
]);
report('a whole transaction again / libsodium, 200 bytes', again, libsodium, 1.5);
report('a whole transaction again / @noble/ed25519, 200 bytes', again, noble);
report('a transaction, key from text / libsodium, 200 bytes', withKey, libsodium);
