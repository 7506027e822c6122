import { base64urlnopad } from '@scure/base';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Credentials } from '../webauthn/credentials.js';
import type { KnownCredential } from '../webauthn/passkeys.js';
import type { PrfAnswer } from '../webauthn/prf.js';
import type { AssertedPasskey } from '../webauthn/read-credential.js';
import type { FlowContext } from './context.js';
import { type Asking, askVerified, newAsking, nextAsking } from './verified-passkey.js';

const OURS = 'AQID';
const ANOTHER = 'BAUG';
const PRESENT = 0x01;
const VERIFIED = 0x05;
const HELLO = '08987058-cadc-4b81-b6e1-30de50dcbe96';
const ALLOW: readonly KnownCredential[] = [{ credentialId: OURS, transports: ['usb'] }];
const outputs = () => ({ first: new Uint8Array(32).fill(1), second: new Uint8Array(32).fill(2) });

beforeEach(() => {
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('navigator', { credentials: {} });
  vi.stubGlobal('PublicKeyCredential', class {});
});
afterEach(() => vi.unstubAllGlobals());

const answer = (flags: number, id = OURS, prf?: PrfAnswer): AssertedPasskey => {
  const data = new Uint8Array(37);
  data[32] = flags;
  const response = { authenticatorData: base64urlnopad.encode(data) };
  return {
    authentication: { id, response } as AssertedPasskey['authentication'],
    prf: prf ?? { kind: 'outputs', outputs: outputs() },
  };
};

/** An authenticator that answers so in turn. Returns what it was asked, and how the wallet takes its answers. */
function asking(...answers: (AssertedPasskey | Error)[]) {
  const asked: PublicKeyCredentialRequestOptions[] = [];
  const get = async (options: PublicKeyCredentialRequestOptions) => {
    asked.push(options);
    const next = answers[asked.length - 1];
    if (next instanceof Error || !next) throw next ?? new Error('asked too often');
    return next;
  };
  const credentials = { get } as unknown as Credentials;
  let made = 0;
  const challenge = async () => {
    made += 1;
    return { bytes: new Uint8Array(32).fill(made), of: made };
  };
  const ask = (allow = ALLOW, state: Asking = newAsking(allow)) =>
    askVerified(
      { rpId: 'wallet.example', credentials },
      { accountId: 'alice.testnet', allow, challenge, signal: new AbortController().signal },
      state,
    );
  return { asked, ask };
}
const named = ({ allowCredentials = [] }: PublicKeyCredentialRequestOptions) =>
  allowCredentials.map(({ transports }) => transports ?? 'none');
const isWiped = ({ prf }: AssertedPasskey) =>
  prf.kind === 'outputs' && [...prf.outputs.first, ...prf.outputs.second].every((byte) => byte === 0);
const refused = () => new DOMException('not allowed', 'NotAllowedError');

describe('an answer for which no user was verified (core 5)', () => {
  it('is dropped, and asked for once more without a name, over another challenge', async () => {
    const dropped = answer(PRESENT);
    const { asked, ask } = asking(dropped, answer(VERIFIED));
    const state = newAsking(ALLOW);
    expect(await ask(ALLOW, state)).toMatchObject({ challenge: 2, prf: outputs() });
    expect(asked.map(named)).toEqual([[['usb']], []]);
    expect(asked.map(({ challenge }) => new Uint8Array(challenge as ArrayBuffer)[0])).toEqual([1, 2]);
    expect(isWiped(dropped)).toBe(true);
    expect(state).toMatchObject({ isUnnamed: true, verifiesUnnamed: true });
  });

  it('ends the approval where the second is one too: there is no third prompt', async () => {
    const dropped = [answer(PRESENT), answer(PRESENT)];
    const { asked, ask } = asking(...dropped);
    await expect(ask()).rejects.toMatchObject({ code: 'USER_NOT_VERIFIED', details: {} });
    expect(asked).toHaveLength(2);
    expect(dropped.every(isWiped)).toBe(true);
  });

  it('needs another click where the browser refuses the second prompt, which is no cancel', async () => {
    const { asked, ask } = asking(answer(PRESENT), refused(), answer(VERIFIED));
    const state = newAsking(ALLOW);
    await expect(ask(ALLOW, state)).rejects.toMatchObject({
      code: 'USER_NOT_VERIFIED',
      details: { again: true },
    });
    expect(await ask(ALLOW, state)).toMatchObject({ challenge: 3 });
    expect(asked.map(named)).toEqual([[['usb']], [], []]);
  });

  it('is remembered: the next approval begins without a name', async () => {
    const { asked, ask } = asking(answer(VERIFIED));
    await ask([{ ...ALLOW[0], credentialId: OURS, transports: [], verifiesUnnamed: true }]);
    expect(asked.map(named)).toEqual([[]]);
  });
});

it('another passkey that answers is not used, and its outputs are wiped', async () => {
  const foreign = answer(VERIFIED, ANOTHER);
  const { ask } = asking(answer(PRESENT), foreign);
  await expect(ask()).rejects.toMatchObject({ code: 'ANOTHER_PASSKEY' });
  expect(isWiped(foreign)).toBe(true);
});

describe('the second try of an approval (core 5)', () => {
  it('names no transports', async () => {
    const { asked, ask } = asking(refused(), answer(VERIFIED));
    const state = newAsking(ALLOW);
    await expect(ask(ALLOW, state)).rejects.toMatchObject({ code: 'CANCELLED' });
    await ask(ALLOW, state);
    expect(asked.map(named)).toEqual([[['usb']], ['none']]);
  });

  it('names no passkey of Windows Hello, which finds none by name after a new device password', async () => {
    const allow = [{ credentialId: OURS, transports: ['internal'], aaguid: HELLO }];
    const { asked, ask } = asking(refused(), answer(VERIFIED));
    const state = newAsking(allow);
    await expect(ask(allow, state)).rejects.toMatchObject({ code: 'CANCELLED' });
    await ask(allow, state);
    expect(asked.map(named)).toEqual([[['internal']], []]);
    expect(state.verifiesUnnamed).toBe(false);
  });
});

it('a flow with a single try begins where the last one of its account ended, until a passkey has answered', async () => {
  const context = { store: {} } as Pick<FlowContext, 'store'>;
  const { asked, ask } = asking(refused(), answer(VERIFIED), answer(VERIFIED), answer(VERIFIED));
  const tries = ['alice.testnet', 'alice.testnet', 'alice.testnet', 'bob.testnet'];
  for (const accountId of tries) {
    await ask(ALLOW, nextAsking(context, accountId, ALLOW)).catch(() => undefined);
  }
  expect(asked.map(named)).toEqual([[['usb']], ['none'], [['usb']], [['usb']]]);
});

it('one output alone may be two the next time; none says that this passkey has none', async () => {
  const half = answer(VERIFIED, OURS, { kind: 'half', reason: 'Missing PRF result: second' });
  const none = answer(VERIFIED, OURS, { kind: 'none', reason: 'none' });
  const { ask } = asking(half, none);
  await expect(ask()).rejects.toMatchObject({ code: 'PRF_MISSING', details: { again: true } });
  await expect(ask()).rejects.toMatchObject({ code: 'PRF_MISSING', details: {} });
});
