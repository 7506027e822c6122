/** A new passkey whose outputs at create need a proof: it is asked again before the relay hears of the account. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ConfirmModel } from '../../confirm/port.js';
import { LatchkeyError, WORKER_TIMEOUT } from '../../errors/wallet.js';
import { verifiedAnswer } from '../testing/answers.js';
import { ALICE, assertPasskey, createPasskey, KEY, make, prepare } from '../testing/registering.js';
import { signalUnknownCredential as signalled } from '../testing/stub-browser.js';
import { registerPasskey } from './register.js';

beforeEach(prepare);

const outputs = (first: number, second: number) => ({
  kind: 'outputs' as const,
  outputs: { first: new Uint8Array(32).fill(first), second: new Uint8Array(32).fill(second) },
});

/** A wallet whose authenticator is a security key, and which gives these outputs at get. */
function bySecurityKey(again = outputs(1, 2), same = true) {
  const made = make();
  const registration = {
    id: 'credential',
    rawId: 'credential',
    authenticatorAttachment: 'cross-platform',
    response: { transports: ['usb'] },
  };
  createPasskey.mockImplementation(async () => ({ registration, prf: outputs(1, 2) }));
  assertPasskey.mockReset();
  assertPasskey.mockImplementation(async () => ({
    authentication: verifiedAnswer('credential'),
    prf: again,
  }));
  made.worker.prove = same;
  made.ask.mockImplementation(async () => {
    made.chain.account = KEY;
    return { transactionHash: 'hash' };
  });
  return made;
}

describe('a passkey of no known platform provider (core 5)', () => {
  it('is asked again, and both outputs go to the signer; its account is proven [S36]', async () => {
    const given = outputs(1, 2);
    const { context, call, store } = bySecurityKey(given);
    expect(await registerPasskey(context, ALICE, {})).toMatchObject({ success: true });
    expect([createPasskey.mock.calls.length, assertPasskey.mock.calls.length]).toEqual([1, 1]);
    expect(assertPasskey.mock.calls[0]?.[0]).toMatchObject({
      allow: [{ credentialId: 'credential', transports: ['usb'] }],
    });
    const [, args] = call.mock.calls.find(([name]) => name === 'prove') ?? [];
    const { first, second } = given.outputs;
    expect(args).toEqual([ALICE, first, second, {}, KEY]);
    expect([first, second]).toEqual([new Uint8Array(32), new Uint8Array(32)]);
    expect(store.commitEntry.mock.calls[0]?.[0]).toMatchObject({
      records: { user: { passkeyProven: true } },
    });
  });

  it('that gives other outputs makes no account, and the browser hears that it is of no use [S36]', async () => {
    const again = outputs(3, 4);
    const { context, ask, journal } = bySecurityKey(again, false);
    expect(await registerPasskey(context, ALICE, {})).toMatchObject({
      success: false,
      errorCode: 'PASSKEY_UNSTABLE',
      error: expect.stringContaining('Nothing was registered'),
    });
    expect(ask).not.toHaveBeenCalled();
    expect(journal.size).toBe(0);
    expect(signalled).toHaveBeenCalledWith({ rpId: 'localhost', credentialId: 'credential' });
    expect(again.outputs.first).toEqual(new Uint8Array(32));
  });

  it('is not made again where the worker that reads it was too slow', async () => {
    const { context, worker, call } = bySecurityKey();
    const shown: ConfirmModel[] = [];
    const show = async (model: ConfirmModel) => {
      shown.push(model);
      return 'confirm' as const;
    };
    Object.assign(context, { confirmer: () => ({ show }) });
    const { confirmRegistrationCredential: confirmed } = worker;
    Object.defineProperty(worker, 'confirmRegistrationCredential', {
      get: () => {
        const isFirst =
          call.mock.calls.filter(([name]) => name === 'confirmRegistrationCredential').length === 1;
        if (isFirst) throw new LatchkeyError(WORKER_TIMEOUT, { values: { ms: 1 } });
        return confirmed;
      },
    });
    const byClick = { uiMode: 'modal', behavior: 'requireClick' } as const;
    expect(await registerPasskey(context, ALICE, { confirmationConfig: byClick })).toMatchObject({
      success: true,
    });
    expect(shown).toMatchObject([{}, { retry: 'timeout' }]);
    expect(createPasskey).toHaveBeenCalledTimes(1);
  });

  it('whose browser is no longer the one that makes passkeys here is asked again too', async () => {
    const { context } = bySecurityKey();
    prepare();
    assertPasskey.mockImplementation(async () => ({
      authentication: verifiedAnswer('credential'),
      prf: outputs(1, 2),
    }));
    vi.stubGlobal('navigator', { ...navigator, credentials: { create: () => 'an extension' } });
    await registerPasskey(context, ALICE, {});
    expect(assertPasskey).toHaveBeenCalledTimes(1);
  });
});

it('a passkey without outputs at create gives them at its next prompt, and is unproven', async () => {
  const { context, chain, call, ask, store } = make();
  const given = outputs(3, 4);
  createPasskey.mockResolvedValueOnce({
    registration: { id: 'credential', rawId: 'credential', response: {} },
    prf: { kind: 'none' },
  });
  assertPasskey.mockReset();
  assertPasskey.mockResolvedValueOnce({ authentication: verifiedAnswer('credential'), prf: given });
  ask.mockImplementation(async () => {
    chain.account = KEY;
    return { transactionHash: 'hash' };
  });
  expect(await registerPasskey(context, ALICE, {})).toMatchObject({ success: true });
  expect(assertPasskey.mock.calls[0]?.[0]).toMatchObject({ rpId: 'localhost' });
  const [, [, first, second] = []] = call.mock.calls.find(([name]) => name === 'deriveAndEncrypt') ?? [];
  expect([first, second]).toEqual([given.outputs.first, given.outputs.second]);
  const [entry, login] = store.commitEntry.mock.calls[0] as unknown as [unknown, unknown];
  expect(entry).toMatchObject({ records: { user: { passkeyProven: false } } });
  expect(login).toEqual({ lastLogin: expect.any(Number) });
});

it('a passkey of a known platform provider is asked once, and is unproven until its next prompt [S37]', async () => {
  const { context, chain, ask, store } = make();
  assertPasskey.mockReset();
  ask.mockImplementation(async () => {
    chain.account = KEY;
    return { transactionHash: 'hash' };
  });
  expect(await registerPasskey(context, ALICE, {})).toMatchObject({ success: true });
  expect(assertPasskey).not.toHaveBeenCalled();
  expect(store.commitEntry.mock.calls[0]?.[0]).toMatchObject({
    records: { user: { passkeyProven: false } },
  });
});
