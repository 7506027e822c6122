/** Signed delegates that the relay does not pay for, against the real chain with the real registry. */
import { type Action, actions, KeyPair } from 'near-api-js';
import { describe, expect, it } from 'vitest';
import {
  delegateRelay,
  itLeavesNoSecret,
  keyOf,
  OTHER,
  REGISTRY,
  RELAYER,
  SENDER,
  TGAS,
} from '../../../tests/support/relay/delegate-relay.js';
import type { RunningRelay } from '../platform/node.js';
import { greet, type MadeDelegate, makeDelegate, toRequest } from '../testing/delegate.js';

describe('a signed delegate', { timeout: 240_000 }, () => {
  const on = delegateRelay();
  const { balance, healAndForget, lines, post, relayIt, sent, sign, start } = on;

  describe('is refused at no cost', () => {
    const refused = async (delegate: MadeDelegate, expected: object, at?: RunningRelay) => {
      const before = await balance(RELAYER);
      const answer = await relayIt(delegate, at);
      expect(answer).toMatchObject({ success: false, ...expected });
      expect(sent().size).toBe(0);
      expect(await balance(RELAYER)).toBe(before);
      return answer;
    };
    const forbidden = { status: 403, error: 'not_allowed' };
    const malformed = { status: 400, error: 'invalid_request' };
    const unverified = { status: 400, error: 'not_verified' };

    it('for another receiver', async () => {
      const answer = await refused(await sign([greet('')], { receiverId: 'testnet' }), forbidden);
      expect(answer.message).toBe('This relay does not pay for calls of testnet.');
    });

    it('for another method, even next to an allowed one', async () => {
      const call = actions.functionCall('add_admin', { account_id: SENDER }, 5n * TGAS);
      await refused(await sign([call]), forbidden);
      await refused(await sign([greet('', TGAS), call]), forbidden);
    });

    it('for a deposit, which the relayer would pay', async () => {
      const answer = await refused(await sign([greet('', 20n * TGAS, 1n)]), forbidden);
      expect(answer.message).toBe(
        'This relay does not pay for a deposit of 1 yoctoNEAR: the most it gives is 0.',
      );
    });

    it('for more gas than the policy pays for', async () => {
      await refused(await sign([greet('a', 60n * TGAS), greet('b', 60n * TGAS)]), forbidden);
      await refused(await sign([greet('a', 2n ** 64n - 1n)]), forbidden);
    });

    it.each<[string, Action[]]>([
      ['a transfer', [actions.transfer(1n)]],
      ['a transfer next to an allowed call', [greet('', TGAS), actions.transfer(1n)]],
      ['a new key', [actions.addFullAccessKey(KeyPair.fromRandom('ed25519').getPublicKey())]],
      ['a deleted key', [actions.deleteKey(KeyPair.fromRandom('ed25519').getPublicKey())]],
      ['a deleted account', [actions.deleteAccount(OTHER)]],
      ['a contract', [actions.deployContract(new Uint8Array(10))]],
      ['a stake', [actions.stake(1n, KeyPair.fromRandom('ed25519').getPublicKey())]],
      ['a new account', [actions.createAccount()]],
    ])('for %s', async (_, inner) => {
      await refused(await sign(inner, { receiverId: SENDER }), forbidden);
      await refused(await sign(inner), forbidden);
    });

    it('for a call that the chain would not accept', async () => {
      const delegate = await sign([greet('without gas', 0n)]);
      const answer = await relayIt(delegate);
      expect(answer).toMatchObject(malformed);
      expect(answer.message).toContain('FunctionCallZeroAttachedGas');
    });

    it('for an empty list of actions', async () => {
      await refused(await sign([]), malformed);
    });

    it('for a delegate inside', async () => {
      const { bytes, hash } = await sign([actions.createAccount()]);
      const at = 4 + SENDER.length + 4 + REGISTRY.length + 4;
      const inner = (await sign([greet('inner')])).bytes;
      const nested = Uint8Array.from([...bytes.subarray(0, at), 8, ...inner, ...bytes.subarray(at + 1)]);
      expect(await post(toRequest({ bytes: nested, hash }))).toMatchObject(forbidden);
      expect(sent().size).toBe(0);
    });

    it.each([
      ['a hash', { signedDelegate: 'AAAA' }, 'hash is missing'],
      ['a delegate', { hash: 'A' }, 'signedDelegate is missing'],
      ['a hash that is a text', { hash: 7, signedDelegate: 'AAAA' }, 'hash is malformed'],
      ['base64', { hash: 'A', signedDelegate: '**' }, 'expected borsh bytes, as base64 or numbers'],
      ['bytes', { hash: 'A', signedDelegate: [256] }, 'expected borsh bytes, as base64 or numbers'],
      ['any bytes', { hash: 'A', signedDelegate: [] }, 'signedDelegate is malformed'],
      ['the bytes of a delegate', { hash: 'A', signedDelegate: 'AAAA' }, 'signedDelegate is malformed'],
    ])('without %s', async (_, body, problem) => {
      const answer = await post(body);
      expect(answer).toMatchObject(malformed);
      expect(answer.message).toContain(problem);
    });

    it('when it is larger than a request body may be', async () => {
      const body = { hash: 'A', signedDelegate: 'A'.repeat(70_000) };
      expect(await post(body)).toMatchObject({ status: 413, error: 'body_too_large' });
    });

    it('with the hash of another delegate', async () => {
      const [one, two] = [await sign([greet('one')]), await sign([greet('two')])];
      const answer = await refused({ ...one, hash: two.hash }, malformed);
      expect(answer.message).toBe('hash is not the NEP-461 hash of signedDelegate.');
    });

    it('when another key than the one it names signed it', async () => {
      const { bytes, hash } = await sign([greet('forged')]);
      const other = await sign([greet('forged')], { key: keyOf(SENDER), blockHeightTtl: 6000 });
      const forged = Uint8Array.from([...bytes.subarray(0, -64), ...other.bytes.subarray(-64)]);
      await refused({ ...other, bytes: forged, hash }, unverified);
    });

    it('for a key that the sender does not have, or a sender that does not exist', async () => {
      const { header } = await on.rpc.block();
      const parts = {
        nonce: BigInt(header.height) * 1_000_000n - 1n,
        maxBlockHeight: BigInt(header.height) + 5000n,
      };
      await refused(await makeDelegate({ ...parts, senderId: SENDER }), unverified);
      await refused(await makeDelegate({ ...parts, senderId: 'nobody.testnet' }), unverified);
    });

    it('when it has expired, is about to expire, or stays valid for too long', async () => {
      const expired = { status: 400, error: 'delegate_expired' };
      await refused(await sign([greet('')], { blockHeightTtl: -1 }), expired);
      await refused(await sign([greet('')], { blockHeightTtl: 3 }), expired);
      const answer = await refused(await sign([greet('')], { blockHeightTtl: 100_000 }), malformed);
      expect(answer.message).toContain('maxBlockHeight');
    });

    it('with a nonce that is used or above what the chain accepts', async () => {
      const key = keyOf(SENDER);
      const { nonce } = (await on.rpc.viewAccessKey(SENDER, key.getPublicKey().toString()))!;
      const height = BigInt((await on.rpc.block()).header.height);
      const made = (chosen: bigint) =>
        makeDelegate({ senderId: SENDER, key, nonce: chosen, maxBlockHeight: height + 5000n });
      await refused(await made(BigInt(nonce)), { status: 409, error: 'nonce_used' });
      await refused(await made((height + 100_000n) * 1_000_000n), malformed);
    });

    it('while the chain is down', async () => {
      const delegate = await sign([greet('later')]);
      on.proxy.fail('*', { kind: 'refuse' });
      const answer = await relayIt(delegate);
      expect(answer).toMatchObject({ status: 503, error: 'chain_unreachable', retryAfter: '5' });
      on.proxy.heal();
      expect(await relayIt(delegate)).toMatchObject({ status: 200 });
    });

    it('when no policy is set, with what its operator can do [S53]', async () => {
      const other = await start({ DELEGATE_CALLS: '', DELEGATE_SPEND_CAP_NEAR: '' });
      try {
        const answer = await refused(
          await sign([greet('')]),
          { status: 404, error: 'delegates_disabled' },
          other,
        );
        expect(answer.message).toContain('DELEGATE_CALLS');
      } finally {
        await other.close();
      }
    });

    it('once its sender reached the cap, while other senders are still served', async () => {
      const other = await start({
        DELEGATE_MAX_GAS: String(10n * TGAS),
        DELEGATE_SENDER_CAP_NEAR: '0.02305',
      });
      try {
        const call = () => [greet('for some', 10n * TGAS)];
        expect(await relayIt(await sign(call()), other)).toMatchObject({ status: 200 });
        healAndForget();
        const answer = await refused(await sign(call()), { status: 429, error: 'spend_cap' }, other);
        expect(answer.message).toContain(`for ${SENDER} for now`);
        expect(Number(answer.retryAfter)).toBeGreaterThan(0);
        expect(await relayIt(await sign(call(), { senderId: OTHER }), other)).toMatchObject({ status: 200 });
      } finally {
        await other.close();
      }
    });

    it('once the cap is reached, until there is room again', async () => {
      const other = await start({ DELEGATE_MAX_GAS: String(10n * TGAS), DELEGATE_SPEND_CAP_NEAR: '0.02305' });
      try {
        expect(await relayIt(await sign([greet('within', 10n * TGAS)]), other)).toMatchObject({
          status: 200,
        });
        healAndForget();
        const answer = await refused(
          await sign([greet('over', 10n * TGAS)]),
          { status: 429, error: 'spend_cap' },
          other,
        );
        expect(Number(answer.retryAfter)).toBeGreaterThan(0);
      } finally {
        await other.close();
      }
    });
  });

  itLeavesNoSecret(lines);
});
