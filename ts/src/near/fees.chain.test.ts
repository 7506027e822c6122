// What the chain wants up front for each action, to the yocto: it names the cost of a transaction that it refuses.
import { base64 } from '@scure/base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Devnet, developmentKey, startDevnet } from '../../../tests/support/relay/devnet.js';
import * as signer from '../../wasm/signer/signer.js';
import type { Action } from '../types.js';
import { bytes, loadSigner } from '../workers/testing/signer-wasm.js';
import { depositOf, transactionCost } from './fees.js';
import { createRpcClient } from './index.js';
import { ACTIONS, DERIVED, PAYER, TOO_MUCH, universal } from './testing/priced-actions.js';

let chain: Devnet;

beforeAll(async () => {
  await loadSigner();
  chain = await startDevnet();
});
afterAll(() => chain?.stop());

/** The cost that the chain names when it refuses the actions, which want more than the account has. */
async function costOnChain(receiverId: string, actions: readonly Action[]): Promise<bigint> {
  const rpc = createRpcClient({ urls: chain.url });
  const block = await rpc.block({ finality: 'final' });
  const signed = signer.signWithKeyPair(bytes(developmentKey(PAYER)), {
    signerAccountId: PAYER,
    receiverId,
    nonce: String((BigInt(block.header.height) + 1n) * 1_000_000n - 1n),
    blockHash: block.header.hash,
    actions: [...actions],
  });
  const params = { signed_tx_base64: base64.encode(signed.borshBytes), wait_until: 'FINAL' };
  const response = await fetch(chain.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: '1', method: 'send_tx', params }),
  });
  const text = await response.text();
  const cost = /"NotEnoughBalance":\{[^}]*"cost":"(\d+)"/.exec(text)?.[1];
  if (cost === undefined) throw new Error(text);
  return BigInt(cost);
}

describe('the cost of a transfer is what the chain wants up front, where the receiver is (core 7)', () => {
  it.each([
    ['the account of a key', 'ab'.repeat(32)],
    ['the account of an Ethereum address', `0x${'ab'.repeat(20)}`],
    ['the account of a first state', DERIVED],
    ['a universal account', universal.keyOnly],
    ['a name that looks like one', `0x${'ab'.repeat(19)}.testnet`],
    ['a name', 'app.testnet'],
  ])('%s', async (_what, receiverId) => {
    for (const times of [1, 2]) {
      const actions = Array.from({ length: times }, () => ({ type: 'Transfer', amount: TOO_MUCH }) as const);
      const { gasYocto, depositYocto } = transactionCost(PAYER, { receiverId, actions });
      expect(await costOnChain(receiverId, actions)).toBe(gasYocto + depositYocto);
    }
  });
});

describe('the cost of an action is what the chain wants up front', () => {
  it.each(ACTIONS)('%s', async (_name, action, only) => {
    for (const receiverId of only ? [only] : [PAYER, 'app.testnet']) {
      const tooDear: Action = { type: 'Transfer', amount: TOO_MUCH };
      const actions = depositOf(action) === BigInt(TOO_MUCH) ? [action] : [tooDear, action];
      const { gasYocto, depositYocto } = transactionCost(PAYER, { receiverId, actions });
      expect(await costOnChain(receiverId, actions), receiverId).toBe(gasYocto + depositYocto);
    }
  });
});
