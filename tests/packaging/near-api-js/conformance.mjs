// near-api-js as its package comes, against a local chain: node conformance.mjs RPC_URL PROTOCOL KEY, with the private key of
// alice.testnet. Exits with 1 where it fails.
import assert from 'node:assert/strict';
import * as nearApiJs from 'near-api-js';
import {
  AccessKeyDoesNotExistError,
  AccountDoesNotExistError,
  InvalidNonceError,
  NotEnoughBalanceError,
  TransactionExecutionError,
  UnknownTransactionError,
} from 'near-api-js/rpc-errors';
import { addGasKey, signV1, transferToGasKey, withdrawFromGasKey } from './transactions-v1.mjs';

const { Account, actions, JsonRpcProvider, KeyPair, KeyPairSigner, nearToYocto } = nearApiJs;
const [url, protocol, secretKey] = process.argv.slice(2);
const ALICE = 'alice.testnet';
const BOB = 'bob.testnet';
/** near-primitives-core 0.38.0, src/universal_account_id.rs. */
const UNIVERSAL = '0u000g40r40m30e209185gr38e1w8124gk2gahc5rr34d1p70x3rfg';

const provider = new JsonRpcProvider({ url });
const alicesKey = KeyPair.fromString(secretKey);
const account = (id, key = alicesKey) => new Account(id, provider, new KeyPairSigner(key));
const alice = account(ALICE);

async function plainTransactions() {
  const { protocol_version } = await provider.experimental_protocolConfig({ finality: 'final' });
  assert.equal(protocol_version, Number(protocol));
  const before = await account(BOB).getBalance();
  const sent = await alice.transfer({ receiverId: BOB, amount: nearToYocto(2) });
  assert.equal(await account(BOB).getBalance(), before + nearToYocto(2));
  const query = { txHash: sent.transaction.hash, accountId: ALICE, waitUntil: 'FINAL' };
  assert.deepEqual((await provider.viewTransactionStatus(query)).status, { SuccessValue: '' });
  const key = KeyPair.fromRandom('ed25519');
  await alice.createSubAccount({
    accountOrPrefix: 'sub',
    publicKey: key.getPublicKey(),
    nearToTransfer: nearToYocto(1),
  });
  await account(`sub.${ALICE}`, key).deleteAccount(ALICE);
}

async function errors() {
  await assert.rejects(account('nobody.testnet').getState(), AccountDoesNotExistError);
  const stranger = KeyPair.fromRandom('ed25519').getPublicKey();
  await assert.rejects(alice.getAccessKey(stranger), AccessKeyDoesNotExistError);
  const txHash = '9FtHUFBQsZ2MG77K3x3MJ9wjX3UT8zE1TczCrhZEcG8U';
  await assert.rejects(
    provider.viewTransactionStatus({ txHash, accountId: ALICE, waitUntil: 'NONE' }),
    UnknownTransactionError,
  );
  await assert.rejects(
    alice.transfer({ receiverId: BOB, amount: nearToYocto(1_000_000) }),
    NotEnoughBalanceError,
  );
}

/** Sends a transaction of version 1, to Bob with one yoctoNEAR. */
async function sendV1(keyPair, nonce, options) {
  const { header } = await provider.viewBlock({ finality: 'final' });
  const transfer = { signerId: ALICE, receiverId: BOB, actions: [actions.transfer(1n)] };
  const signed = signV1(keyPair, { ...transfer, blockHash: header.hash, nonce, ...options });
  const signed_tx_base64 = signed.toString('base64');
  const { status } = await provider.sendJsonRpc('send_tx', { signed_tx_base64, wait_until: 'FINAL' });
  assert.deepEqual(status, { SuccessValue: '' });
}

async function versionOne() {
  const nonce = async () => (await alice.getAccessKey(alicesKey.getPublicKey())).nonce;
  await sendV1(alicesKey, (await nonce()) + 5n, {});
  await sendV1(alicesKey, (await nonce()) + 1n, { isStrict: true });
  await assert.rejects(sendV1(alicesKey, (await nonce()) + 2n, { isStrict: true }), InvalidNonceError);
}

async function gasKeys() {
  const key = KeyPair.fromRandom('ed25519');
  const publicKey = key.getPublicKey();
  const amount = nearToYocto('0.5');
  const filled = [addGasKey(publicKey, 3), transferToGasKey(publicKey, amount)];
  await alice.signAndSendTransaction({ receiverId: ALICE, actions: filled, waitUntil: 'FINAL' });

  const { permission } = await alice.getAccessKey(publicKey);
  assert.deepEqual(permission, { GasKeyFullAccess: { balance: String(amount), num_nonces: 3 } });
  const { keys } = await alice.getAccessKeyList();
  const listed = keys.find(({ public_key }) => public_key === publicKey.toString());
  assert.deepEqual(listed?.access_key.permission, permission);
  const ofLanes = {
    request_type: 'view_gas_key_nonces',
    account_id: ALICE,
    public_key: publicKey.toString(),
  };
  const { nonces } = await provider.query({ ...ofLanes, finality: 'final' });
  assert.equal(nonces.length, 3);

  const before = await alice.getBalance();
  const next = BigInt(nonces[2]) + 1n;
  await sendV1(key, next, { lane: 2 });
  assert.equal(await alice.getBalance(), before - 1n);
  await assert.rejects(sendV1(key, next, { lane: 2 }), InvalidNonceError);
  // InvalidNonceIndex, which near-api-js has no name for.
  await assert.rejects(sendV1(key, next, { lane: 3 }), TransactionExecutionError);

  const left = BigInt((await alice.getAccessKey(publicKey)).permission.GasKeyFullAccess.balance);
  assert.ok(left < amount);
  const removed = [withdrawFromGasKey(publicKey, left), actions.deleteKey(publicKey)];
  await alice.signAndSendTransaction({ receiverId: ALICE, actions: removed, waitUntil: 'FINAL' });
  await assert.rejects(alice.getAccessKey(publicKey), AccessKeyDoesNotExistError);
}

/** Keys of ML-DSA-65, by its own builders: from 7.3 on. */
async function postQuantumKeys() {
  const key = KeyPair.fromRandom('ml-dsa-65');
  await alice.addFullAccessKey(key.getPublicKey());
  const { status } = await account(ALICE, key).transfer({ receiverId: BOB, amount: 1n });
  assert.deepEqual(status, { SuccessValue: '' });
  await alice.deleteKey(key.getPublicKey());
  await assert.rejects(alice.getAccessKey(key.getPublicKey()), AccessKeyDoesNotExistError);
}

/** A transfer makes a universal account from 88 on; before, the id is a name that nobody has. */
async function universalAccounts() {
  const sent = alice.transfer({ receiverId: UNIVERSAL, amount: nearToYocto(1) });
  if (Number(protocol) < 88) return assert.rejects(sent, /does not exist/i);
  await sent;
  assert.equal((await account(UNIVERSAL).getState()).balance.total, nearToYocto(1));
  assert.deepEqual((await account(UNIVERSAL).getAccessKeyList()).keys, []);
}

await plainTransactions();
await errors();
await versionOne();
await gasKeys();
if ('KeyPairMLDSA65' in nearApiJs) await postQuantumKeys();
await universalAccounts();
