/** Signed delegates on a bad network, against the real chain with the real registry. */
import { Account, actions, KeyPairSigner } from 'near-api-js';
import { describe, expect, it } from 'vitest';
import {
  delegateRelay,
  itLeavesNoSecret,
  keyOf,
  PENNILESS,
  RELAYER,
} from '../../../tests/support/relay/delegate-relay.js';
import { burntYocto } from '../relayer/spend.js';
import { greet, type MadeDelegate } from '../testing/delegate.js';

describe('a signed delegate', { timeout: 240_000 }, () => {
  const on = delegateRelay();
  const { balance, greeting, lines, relayIt, sent, sign } = on;

  const setFaults = async (method: 'PUT' | 'DELETE', faults?: object) => {
    const response = await fetch(`${on.chainUrl}/admin/faults`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(faults && { body: JSON.stringify(faults) }),
    });
    expect(response.ok).toBe(true);
  };

  /** Behaves like a client on a bad network: repeats every request that it may repeat. */
  async function postUntilAnswered(delegate: MadeDelegate): Promise<void> {
    for (let tries = 0; tries < 50; tries += 1) {
      const answer = await relayIt(delegate);
      if (answer.status === 200) return;
      expect([429, 502, 503]).toContain(answer.status);
    }
    expect.fail('it got no answer in fifty tries');
  }

  it('is looked up, not paid twice, when its answer is lost after the chain took it', async () => {
    const delegate = await sign([greet('lost and found')]);
    on.proxy.fail('send_tx', { kind: 'drop-answer' }, 1);
    expect(await relayIt(delegate)).toMatchObject({ status: 200 });
    expect(sent().size).toBe(1);
    expect(on.proxy.calls.some((call) => call.name === 'tx')).toBe(true);
  });

  it('is a 502 with its hash while its outcome is unknown; posted again, it is settled without another payment', async () => {
    const delegate = await sign([greet('settled')]);
    for (const method of ['send_tx', 'tx']) on.proxy.fail(method, { kind: 'drop-answer' });
    const unknown = await relayIt(delegate);
    expect(unknown).toMatchObject({
      status: 502,
      error: 'outcome_unknown',
      transactionHash: expect.any(String),
    });
    on.proxy.heal();
    const settled = await relayIt(delegate);
    expect(settled).toMatchObject({ status: 200, transactionHash: unknown.transactionHash });
    expect(sent().size).toBe(1);
  });

  it('is no success when a node omits its receipts', async () => {
    const delegate = await sign([greet('untold')]);
    const withoutReceipts = (envelope: { result: object }) => ({
      ...envelope,
      result: { ...envelope.result, receipts_outcome: [] },
    });
    on.proxy.fail('send_tx', { kind: 'rewrite-answer', rewrite: withoutReceipts });
    expect(await relayIt(delegate)).toMatchObject({ status: 502, error: 'outcome_unknown' });
    on.proxy.heal();
    expect(await relayIt(delegate)).toMatchObject({ status: 200 });
    expect(sent().size).toBe(1);
  });

  it('gets through a bad network once when the client repeats it, and costs the relayer one payment', async () => {
    const before = await balance(RELAYER);
    const first = lines.length;
    const senders = PENNILESS.slice(0, 8);
    const delegates = await Promise.all(
      senders.map((senderId) => sign([greet(`${senderId} through a storm`)], { senderId })),
    );
    const faults = {
      errorRate: 0.1,
      tooManyRequestsRate: 0.1,
      refuseRate: 0.1,
      loseAnswerRate: 0.1,
      seed: 7,
    };
    await setFaults('PUT', faults);
    try {
      await Promise.all(delegates.map(postUntilAnswered));
    } finally {
      await setFaults('DELETE');
    }
    // Every transaction that the relay made, with those that the chain refused.
    const made = lines.slice(first).map((line) => JSON.parse(line) as Record<string, string>);
    const hashes = new Set(
      made.filter(({ event }) => event === 'delegate_sent').map((line) => line.transactionHash),
    );
    const outcomes = await Promise.all(
      [...hashes].map((hash) => on.rpc.transactionStatus(String(hash), RELAYER)),
    );
    const taken = outcomes.filter((outcome) => outcome !== null);
    expect(taken.map((outcome) => outcome.transaction?.receiver_id).sort()).toEqual([...senders].sort());
    const burnt = taken.reduce((sum, outcome) => sum + (burntYocto(outcome) ?? 0n), 0n);
    expect(before - (await balance(RELAYER))).toBe(burnt);
  });

  it("is signed again when another user of the relayer's key took the nonce", async () => {
    expect(await relayIt(await sign([greet('first')]))).toMatchObject({ status: 200 });
    const relayer = new Account(RELAYER, on.provider, new KeyPairSigner(keyOf(RELAYER)));
    await relayer.signAndSendTransaction({
      receiverId: 'testnet',
      actions: [actions.transfer(1n)],
      waitUntil: 'FINAL',
    });
    await relayer.signAndSendTransaction({
      receiverId: 'testnet',
      actions: [actions.transfer(1n)],
      waitUntil: 'FINAL',
    });
    expect(await relayIt(await sign([greet('second')]))).toMatchObject({ status: 200 });
    expect(await greeting()).toBe('second');
  });

  itLeavesNoSecret(lines);
});
