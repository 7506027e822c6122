import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { browserCredentials } from './credentials.js';
import { createPasskey, randomChallenge } from './passkeys.js';
import { pickPasskey } from './pick-passkey.js';
import { addVirtualAuthenticator, type VirtualAuthenticator } from './testing/virtual-authenticator.js';

const rpId = location.hostname;
const { signal } = new AbortController();
let authenticator: VirtualAuthenticator;

const pick = (change = {}) =>
  pickPasskey({ rpId, challenge: randomChallenge(), immediate: true, signal, ...change });
const create = () =>
  createPasskey({
    rpId,
    accountId: 'alice.w3a-v1.testnet',
    deviceNumber: 1,
    challenge: randomChallenge(),
    exclude: [],
    signal,
  });
const asked = () => vi.mocked(navigator.credentials.get).mock.calls.map(([options]) => options);

beforeEach(async () => {
  authenticator = await addVirtualAuthenticator();
  vi.spyOn(navigator.credentials, 'get');
  await userEvent.click(document.body);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await authenticator.remove();
});

describe('a passkey that the user picks (core 3)', () => {
  it('comes from what the browser has at hand, by a request without a signal or a list', async () => {
    const { registration } = await create();
    expect(await pick()).toMatchObject({ authentication: { id: registration.id } });
    expect(asked()).toHaveLength(1);
    expect(asked()[0]).toMatchObject({ uiMode: 'immediate' });
    expect(asked()[0]).not.toHaveProperty('signal');
    expect(asked()[0]?.publicKey).not.toHaveProperty('allowCredentials');
  });

  it('is none where the browser has none at hand: it says so, and asks in no other way', async () => {
    await expect(pick()).rejects.toMatchObject({ code: 'NO_PASSKEY_HERE' });
    expect(asked()).toHaveLength(1);
  });

  it('is none where a manager of the page answers null', async () => {
    vi.mocked(navigator.credentials.get).mockResolvedValue(null);
    await expect(pick()).rejects.toMatchObject({ code: 'NO_PASSKEY_HERE' });
  });

  it('is a cancel where the user has closed the dialog', async () => {
    const no = new DOMException('The operation either timed out or was not allowed.', 'NotAllowedError');
    vi.mocked(navigator.credentials.get).mockImplementation(
      () => new Promise((_, reject) => setTimeout(() => reject(no), 1_100)),
    );
    await expect(pick()).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  const without: readonly [string, () => object | undefined][] = [
    ['that is not wished', () => ({ immediate: false })],
    [
      'in a frame, which the click was not in',
      () => ({ credentials: { ...browserCredentials, hasOtherWays: true } }),
    ],
    [
      'without a click',
      () =>
        void vi
          .spyOn(navigator, 'userActivation', 'get')
          .mockReturnValue({ isActive: false } as UserActivation),
    ],
    [
      'in a browser without the mode',
      () =>
        void vi
          .spyOn(
            PublicKeyCredential as unknown as { getClientCapabilities(): Promise<object> },
            'getClientCapabilities',
          )
          .mockResolvedValue({}),
    ],
  ];
  it.each(without)('may be on any device: %s', async (_, given) => {
    const { registration } = await create();
    expect(await pick(given())).toMatchObject({ authentication: { id: registration.id } });
    expect(asked()).toHaveLength(1);
    expect(asked()[0]).not.toHaveProperty('uiMode');
    expect(asked()[0]).toHaveProperty('signal');
  });
});
