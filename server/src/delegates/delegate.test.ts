/** Signed delegates over real HTTP, made by near-api-js, against the real chain with the real registry. */
import { base58, base64urlnopad } from '@scure/base';
import { Account, actions, JsonRpcProvider, KeyPair, KeyPairSigner } from 'near-api-js';
import { describe, expect, it } from 'vitest';
import {
  delegateRelay,
  itLeavesNoSecret,
  keyOf,
  PENNILESS,
  RELAYER,
  SENDER,
} from '../../../tests/support/relay/delegate-relay.js';
import { burntYocto } from '../relayer/spend.js';
import { createDelegateSigner, greet, makeDelegate } from '../testing/delegate.js';

describe('a signed delegate', { timeout: 240_000 }, () => {
  const on = delegateRelay();
  const { balance, greeting, healAndForget, lines, outcomeOf, post, relayIt, sent, sign, start } = on;

  it('by a key that was made a moment ago is paid for, although the relay asks nodes that lag first', async () => {
    const network = (lags: readonly number[]) =>
      fetch(`${on.chainUrl}/admin/network`, { method: 'PUT', body: JSON.stringify({ lags }) });
    const atTheHead = new JsonRpcProvider({ url: `${on.chainUrl}/admin/rpc` });
    const funder = new Account('testnet', atTheHead, new KeyPairSigner(keyOf('testnet')));
    const key = KeyPair.fromRandom('ed25519');
    await network([8, 8, 0]);
    try {
      await funder.signAndSendTransaction({
        receiverId: 'late.testnet',
        actions: [
          actions.createAccount(),
          actions.transfer(1n),
          actions.addFullAccessKey(key.getPublicKey()),
        ],
        waitUntil: 'EXECUTED_OPTIMISTIC',
      });
      const delegate = await createDelegateSigner(atTheHead, 'late.testnet')([greet('late')], { key });
      expect(await relayIt(delegate)).toMatchObject({ status: 200 });
    } finally {
      await network([0]);
    }
  });

  it('is executed for a sender without NEAR, and costs the relayer what was burnt', async () => {
    const before = await balance(RELAYER);
    const delegate = await sign([greet('hello from nobody')]);
    const answer = await relayIt(delegate);
    expect(answer).toMatchObject({ status: 200, success: true, transactionHash: expect.any(String) });
    expect(await greeting()).toBe('hello from nobody');
    expect(await balance(SENDER)).toBe(0n);
    const outcome = await outcomeOf(answer.transactionHash);
    expect(outcome.transaction).toMatchObject({ signer_id: RELAYER, receiver_id: SENDER });
    expect(before - (await balance(RELAYER))).toBe(burntYocto(outcome));
  });

  it('is one transaction when it is posted twice, at the same time or later', async () => {
    const delegate = await sign([greet('once')]);
    const [first, second] = await Promise.all([relayIt(delegate), relayIt(delegate)]);
    const third = await relayIt(delegate);
    expect(first).toMatchObject({ status: 200, transactionHash: expect.any(String) });
    expect(second).toEqual(first);
    expect(third).toEqual(first);
    expect(sent().size).toBe(1);
  });

  it('is accepted as base64url, as numbers, and with its hash in base64url', async () => {
    for (const encode of [base64url, (bytes: Uint8Array) => [...bytes]]) {
      const { bytes, hash } = await sign([greet(`as ${encode.name}`)]);
      const request = {
        hash: base64url(base58.decode(hash)),
        signedDelegate: encode(Uint8Array.from(bytes)),
      };
      expect(await post(request)).toMatchObject({ status: 200 });
    }
    expect(sent().size).toBe(2);
  });

  it('is a 409 and costs nothing when replayed at a relay that does not know it', async () => {
    const delegate = await sign([greet('replayed')]);
    expect(await relayIt(delegate)).toMatchObject({ status: 200 });
    const other = await start();
    try {
      healAndForget();
      expect(await relayIt(delegate, other)).toMatchObject({ status: 409, error: 'nonce_used' });
      expect(sent().size).toBe(0);
    } finally {
      await other.close();
    }
  });

  it('is a 502 with the reason and the transaction when its call fails', async () => {
    const delegate = await sign([greet('x'.repeat(281))]);
    const before = await greeting();
    const answer = await relayIt(delegate);
    expect(answer).toMatchObject({ status: 502, success: false, error: 'delegate_failed' });
    expect(answer.message).toContain('FunctionCallError');
    const outcome = await outcomeOf(answer.transactionHash);
    expect(outcome.transaction).toMatchObject({ receiver_id: SENDER });
    expect(await greeting()).toBe(before);
    expect(await relayIt(delegate)).toMatchObject({ status: 409, error: 'nonce_used' });
    expect(sent().size).toBe(1);
  });

  it('of each of twenty concurrent senders is one transaction', async () => {
    const delegates = await Promise.all(
      PENNILESS.map((senderId) => sign([greet(`from ${senderId}`)], { senderId })),
    );
    const before = await balance(RELAYER);
    const answers = await Promise.all(delegates.map((delegate) => relayIt(delegate)));
    expect(answers.map(({ status }) => status)).toEqual(PENNILESS.map(() => 200));
    expect(new Set(answers.map(({ transactionHash }) => transactionHash)).size).toBe(20);
    const outcomes = await Promise.all(answers.map(({ transactionHash }) => outcomeOf(transactionHash)));
    const burnt = outcomes.reduce((sum, outcome) => sum + (burntYocto(outcome) ?? 0n), 0n);
    expect(before - (await balance(RELAYER))).toBe(burnt);
  });

  it('waits for the earlier delegates of its key, in the order of their nonces, and is a 429 when too many wait', async () => {
    const first = await sign([greet('0')]);
    const { nonce, maxBlockHeight } = first.signedDelegate.delegateAction;
    const later = await Promise.all(
      [8, 7, 6, 5, 4, 3, 2, 1].map((index) =>
        makeDelegate({
          senderId: SENDER,
          key: keyOf(SENDER),
          nonce: nonce + BigInt(index),
          maxBlockHeight,
          actions: [greet(String(index))],
        }),
      ),
    );
    const release = on.proxy.hold('send_tx', 1);
    const firstAnswer = relayIt(first);
    await expect.poll(() => sent().size, { timeout: 30_000 }).toBe(1);
    // Eight more, of which seven may wait: by the time the eighth is refused, the others are in line.
    const answers = later.map((delegate) => relayIt(delegate));
    expect(await Promise.race(answers)).toMatchObject({ status: 429, error: 'too_many_requests' });
    release();
    expect(await firstAnswer).toMatchObject({ status: 200 });
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([...Array(7).fill(200), 429]);
  });

  it('is finished and answered before the relay shuts down', async () => {
    const other = await start();
    const delegate = await sign([greet('last words')]);
    const answer = relayIt(delegate, other);
    await expect.poll(() => sent().size, { timeout: 30_000 }).toBe(1);
    await other.close();
    expect(await answer).toMatchObject({ status: 200 });
  });

  itLeavesNoSecret(lines);
});

function base64url(bytes: Uint8Array): string {
  return base64urlnopad.encode(bytes);
}
