/** Signed delegates by keys with limits, and with deposits, against the real chain with the real registry. */
import { actions, KeyPair } from 'near-api-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  delegateRelay,
  itLeavesNoSecret,
  OTHER,
  REGISTRY,
  RELAYER,
  SENDER,
  TGAS,
} from '../../../tests/support/relay/delegate-relay.js';
import type { RunningRelay } from '../platform/node.js';
import { burntYocto } from '../relayer/spend.js';
import { greet } from '../testing/delegate.js';

describe('a signed delegate', { timeout: 240_000 }, () => {
  const on = delegateRelay();
  const { balance, greeting, lines, outcomeOf, relayIt, sent, sign, start } = on;

  describe('by a function-call key', () => {
    const limited = KeyPair.fromRandom('ed25519');
    const elsewhere = KeyPair.fromRandom('ed25519');

    beforeAll(async () => {
      const owner = await start({ DELEGATE_OWN_ACTIONS: 'AddKey' });
      try {
        const grants = [
          actions.addFunctionCallAccessKey(limited.getPublicKey(), REGISTRY, ['set_greeting'], 1n),
          actions.addFunctionCallAccessKey(elsewhere.getPublicKey(), 'testnet', []),
        ];
        const delegate = await sign(grants, { receiverId: SENDER });
        expect(await relayIt(delegate, owner)).toMatchObject({ status: 200 });
      } finally {
        await owner.close();
      }
    });

    it("is executed when the key permits the call, whatever the key's allowance", async () => {
      expect(await relayIt(await sign([greet('by a small key')], { key: limited }))).toMatchObject({
        status: 200,
      });
      expect(await greeting()).toBe('by a small key');
    });

    it('is a 403 when the key does not permit the call, or not twice', async () => {
      const forbidden = { status: 403, error: 'not_allowed', message: /another key/ };
      expect(await relayIt(await sign([greet('')], { key: elsewhere }))).toMatchObject(forbidden);
      const two = [greet('a', TGAS), greet('b', TGAS)];
      expect(await relayIt(await sign(two, { key: limited }))).toMatchObject(forbidden);
      expect(sent().size).toBe(0);
    });
  });

  describe('when the policy allows deposits', () => {
    let generous: RunningRelay;
    beforeAll(async () => {
      generous = await start({ DELEGATE_OWN_ACTIONS: 'Transfer', DELEGATE_MAX_DEPOSIT: '1000' });
    });
    afterAll(() => generous?.close());

    it("pays them from the relayer's account", async () => {
      const before = await balance(RELAYER);
      const delegate = await sign([actions.transfer(600n), actions.transfer(400n)], {
        senderId: OTHER,
        receiverId: OTHER,
      });
      const { status, transactionHash } = await relayIt(delegate, generous);
      expect(status).toBe(200);
      expect(await balance(OTHER)).toBe(1000n);
      const burnt = burntYocto(await outcomeOf(transactionHash)) ?? 0n;
      expect(before - (await balance(RELAYER))).toBe(burnt + 1000n);
    });

    it("is refused when their sum exceeds the policy's limit", async () => {
      const delegate = await sign([actions.transfer(600n), actions.transfer(401n)], {
        senderId: OTHER,
        receiverId: OTHER,
      });
      expect(await relayIt(delegate, generous)).toMatchObject({ status: 403, error: 'not_allowed' });
    });

    it("is refused when they go with actions on another account than the sender's", async () => {
      const delegate = await sign([actions.transfer(1n)], { receiverId: OTHER });
      expect(await relayIt(delegate, generous)).toMatchObject({ status: 403, error: 'not_allowed' });
    });
  });

  itLeavesNoSecret(lines);
});
