/**
 * The messages of version 1.0.0, pinned in tests/vectors/first-release: a wallet page of any later 1.x understands a host of that
 * release, and answers it with everything that it reads.
 */
import { readFileSync } from 'node:fs';
import { base64urlnopad } from '@scure/base';
import { afterEach, describe, expect, it } from 'vitest';
import { PROTOCOL_VERSION } from './protocol/index.js';
import { CASES } from './testing/cases.js';
import { type RawHost, rawHost, type Told } from './testing/recording-wallet.js';
import { BOOTED, READY, REFUSED, readShape } from './window-messages.js';

interface PinnedMessage {
  readonly payload?: unknown;
  /** The wallet's call; none if the port itself answers. */
  readonly method?: string;
  readonly gives?: unknown;
  /** The code of the refusal, for a message that always gets one. */
  readonly refused?: string;
  readonly answers: readonly Omit<Told, 'requestId'>[];
}

const pinned = JSON.parse(
  readFileSync(new URL('../../../tests/vectors/first-release/frame-messages.json', import.meta.url), 'utf8'),
  (_, value) =>
    typeof value === 'object' && value !== null && '$bytes' in value
      ? base64urlnopad.decode(value.$bytes)
      : value,
) as { readonly protocolVersion: string; readonly messages: Readonly<Record<string, PinnedMessage>> };

let host: RawHost | undefined;
afterEach(() => host?.close());

const numbers = (version: string): number[] => version.split('.').map(Number);

describe('the protocol of the first release', () => {
  it('has this version or an earlier one of the same first number', () => {
    const [major, minor = 0] = numbers(PROTOCOL_VERSION);
    const [firstMajor, firstMinor = 0] = numbers(pinned.protocolVersion);
    expect(major).toBe(firstMajor);
    expect(minor).toBeGreaterThanOrEqual(firstMinor);
  });

  it('has window messages that both ends still read', () => {
    const loadId = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
    expect(readShape(BOOTED, { type: 'SERVICE_HOST_BOOTED', payload: { loadId } })).toBeDefined();
    expect(readShape(READY, { type: 'READY', payload: { protocolVersion: '1.0.0', loadId } })).toBeDefined();
    const refusal = { code: 'HOST_NOT_ALLOWED', message: 'This page may not embed the wallet.' };
    expect(readShape(REFUSED, { type: 'ERROR', payload: refusal })).toBeDefined();
  });

  it.each(Object.entries(pinned.messages))(
    '%s reaches the wallet, which answers as its host expects',
    async (type, { payload, method, gives, refused, answers }) => {
      // A call that reports through its arguments is a function of the cases.
      const current = (CASES as Readonly<Record<string, { readonly gives?: unknown }>>)[type]?.gives;
      const answer = typeof current === 'function' ? current : async () => gives;
      host = rawHost(method ? { [method]: answer } : {});
      const { said, calls } = host;
      const id = host.ask(type, payload);
      const told = await host.answersTo(id);
      if (refused) {
        expect(told).toMatchObject([{ type: 'ERROR', payload: { code: refused } }]);
        return;
      }
      expect(calls.map((call) => call.method)).toEqual(method ? [method] : []);
      const kinds = new Set(answers.map((each) => each.type));
      // A later wallet may say more, and give more fields. The end of a sticky request comes after its result.
      const wanted = () => said.filter((each) => each.requestId === id && kinds.has(each.type));
      await expect.poll(wanted).toMatchObject(answers);
    },
  );
});
