import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LatchkeyError } from '../errors/latchkey-error.js';
import { assertPasskey, createPasskey, randomChallenge } from './passkeys.js';
import { addVirtualAuthenticator, type VirtualAuthenticator } from './testing/virtual-authenticator.js';

const rpId = location.hostname;
const accountId = 'alice.w3a-v1.testnet';
const never = new AbortController().signal;
let authenticator: VirtualAuthenticator;

const create = (change = {}) =>
  createPasskey({
    rpId,
    accountId,
    deviceNumber: 1,
    challenge: randomChallenge(),
    exclude: [],
    signal: never,
    ...change,
  });
const get = (credentialId: string, change = {}) =>
  assertPasskey({
    rpId,
    accountId,
    challenge: randomChallenge(),
    allow: [{ credentialId, transports: ['internal'] }],
    signal: never,
    ...change,
  });

beforeEach(async () => {
  authenticator = await addVirtualAuthenticator();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await authenticator.remove();
});

describe('passkey ceremonies (core 1, core 4, core 7, core 9)', () => {
  it('give the same two outputs at create and at every get', async () => {
    const created = await create();
    const asserted = await get(created.registration.id);
    if (created.prf.kind !== 'outputs' || asserted.prf.kind !== 'outputs') throw new Error('no PRF');
    expect(asserted.prf.outputs.first).toEqual(created.prf.outputs.first);
    expect(asserted.prf.outputs.second).toEqual(created.prf.outputs.second);
    expect(created.prf.outputs.first).not.toEqual(created.prf.outputs.second);
  });

  it('give other outputs for another account', async () => {
    const { registration, prf } = await create();
    const other = await get(registration.id, { accountId: 'bob.w3a-v1.testnet' });
    if (prf.kind !== 'outputs' || other.prf.kind !== 'outputs') throw new Error('no PRF');
    expect(other.prf.outputs.first).not.toEqual(prf.outputs.first);
  });

  it('serialise no trace of the outputs [S1]', async () => {
    const created = await create();
    const asserted = await get(created.registration.id);
    for (const credential of [created.registration, asserted.authentication]) {
      expect(JSON.stringify(credential)).not.toMatch(/prf|results|clientExtensionResults/i);
    }
    expect(Object.keys(created.registration).sort()).toEqual([
      'authenticatorAttachment',
      'id',
      'rawId',
      'response',
      'type',
    ]);
  });

  it('request the options that the contract and the keys depend on', async () => {
    const asked = vi.spyOn(navigator.credentials, 'create');
    await create({ deviceNumber: 2 });
    const { publicKey } = asked.mock.calls[0]?.[0] ?? {};
    expect(publicKey).toMatchObject({
      rp: { id: rpId, name: 'WebAuthn VRF Passkey' },
      user: { name: `${accountId} (2)`, displayName: 'alice (device 2)' },
      pubKeyCredParams: [{ alg: -7 }, { alg: -257 }],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
      timeout: 60_000,
    });
  });

  it('hint at the place of the passkeys that they name, and at none for a new one', async () => {
    const creating = vi.spyOn(navigator.credentials, 'create');
    const { registration } = await create();
    expect(creating.mock.calls[0]?.[0]?.publicKey).not.toHaveProperty('hints');
    const asked = vi.spyOn(navigator.credentials, 'get');
    await get(registration.id);
    expect(asked.mock.calls[0]?.[0]?.publicKey).toMatchObject({ hints: ['client-device'] });
  });

  it('report an authenticator that has PRF only at get, or not at all', async () => {
    await authenticator.replace({ hasPrf: false, hasHmacSecret: true });
    const later = await create();
    expect(later.prf.kind).toBe('none');
    expect((await get(later.registration.id)).prf.kind).toBe('outputs');

    await authenticator.replace({ hasPrf: false });
    const never = await create();
    expect(never.prf.kind).toBe('none');
    expect((await get(never.registration.id)).prf.kind).toBe('none');
  });

  it('never overwrite a passkey, even for the same account and device [S34]', async () => {
    const first = await create();
    const second = await create();
    const asserted = await get(first.registration.id);
    if (first.prf.kind !== 'outputs' || asserted.prf.kind !== 'outputs') throw new Error('no PRF');
    expect(asserted.prf.outputs.first).toEqual(first.prf.outputs.first);
    expect(second.registration.id).not.toBe(first.registration.id);
  });

  it('make no second passkey for an account that has one [S34]', async () => {
    const { registration } = await create();
    const exclude = [{ credentialId: registration.id, transports: registration.response.transports ?? [] }];
    await expect(create({ exclude })).rejects.toMatchObject({ code: 'PASSKEY_EXISTS' });
  });

  it('treat a refusal as a cancellation and do not ask again', async () => {
    await authenticator.replace({ isUserVerified: false });
    const asked = vi.spyOn(navigator.credentials, 'create');
    await expect(create()).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(asked).toHaveBeenCalledTimes(1);
  });

  it('ask again when the browser shows no prompt, and then give up', async () => {
    const asked = vi
      .spyOn(navigator.credentials, 'get')
      .mockRejectedValue(new DOMException('the page does not have focus', 'NotAllowedError'));
    const startedAt = performance.now();
    await expect(get('AAAA')).rejects.toMatchObject({ code: 'PAGE_NOT_FOCUSED' });
    expect(asked).toHaveBeenCalledTimes(3);
    // After 50 and 120 ms.
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(165);
  });

  it('end immediately when the host aborts the flow', async () => {
    await authenticator.replace({ automaticPresenceSimulation: false });
    const host = new AbortController();
    const pending = expect(create({ signal: host.signal })).rejects.toMatchObject({ code: 'CANCELLED' });
    setTimeout(() => host.abort(), 50);
    await pending;
  });

  describe('that last too long', () => {
    const timedOut = { code: 'CANCELLED', details: { timedOut: true } };
    beforeEach(() => void vi.useFakeTimers());
    afterEach(() => void vi.useRealTimers());

    it.each(['create', 'get'] as const)(
      'end by our own timer when the browser ignores its timeout and our signal: %s',
      async (kind) => {
        vi.spyOn(navigator.credentials, kind).mockReturnValue(new Promise(() => undefined));
        const pending = expect(kind === 'get' ? get('AAAA') : create()).rejects.toMatchObject(timedOut);
        await vi.advanceTimersByTimeAsync(60_000);
        await pending;
      },
    );

    it('end as timed out where the native sheet has closed by itself, in the words of a no', async () => {
      const no = new DOMException('This request has been cancelled by the user.', 'NotAllowedError');
      const closing = (ms: number) =>
        vi
          .spyOn(navigator.credentials, 'get')
          .mockReturnValue(new Promise((_, reject) => setTimeout(() => reject(no), ms)));
      closing(55_000);
      const late = expect(get('AAAA')).rejects.toMatchObject(timedOut);
      await vi.advanceTimersByTimeAsync(55_000);
      await late;
      closing(20_000);
      const soon = get('AAAA').catch((error: LatchkeyError) => error.details);
      await vi.advanceTimersByTimeAsync(20_000);
      expect(await soon).not.toHaveProperty('timedOut');
    });

    it('wipe the outputs of an answer that comes after the end', async () => {
      const outputs = { first: new Uint8Array(32).fill(1).buffer, second: new Uint8Array(32).fill(2).buffer };
      const id = new Uint8Array(16).fill(3).buffer;
      const response = { clientDataJSON: id, authenticatorData: id, signature: id };
      const answer = {
        rawId: id,
        response,
        getClientExtensionResults: () => ({ prf: { results: outputs } }),
      };
      let answerLate: (answer: unknown) => void = () => undefined;
      vi.spyOn(navigator.credentials, 'get').mockReturnValue(
        new Promise((resolve) => {
          answerLate = resolve as typeof answerLate;
        }),
      );
      const pending = expect(get('AAAA')).rejects.toMatchObject(timedOut);
      await vi.advanceTimersByTimeAsync(60_000);
      await pending;
      answerLate(answer);
      await vi.advanceTimersByTimeAsync(1);
      for (const output of [outputs.first, outputs.second])
        expect(new Uint8Array(output).every((byte) => byte === 0)).toBe(true);
    });
  });
});
