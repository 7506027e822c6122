import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Credentials } from '../../webauthn/credentials.js';
import { assertPasskey, createPasskey, randomChallenge } from '../../webauthn/passkeys.js';
import {
  addVirtualAuthenticator,
  type VirtualAuthenticator,
} from '../../webauthn/testing/virtual-authenticator.js';
import { bridgeCredentials } from '../wallet/bridge.js';
import { serveBridge } from './bridge.js';

let authenticator: VirtualAuthenticator;
let frame: HTMLIFrameElement;
let serving: AbortController;
let bridge: Credentials;
const WALLET = { walletOrigin: location.origin, rpId: 'localhost' };
const request = { rpId: 'localhost', accountId: 'alice.testnet', signal: new AbortController().signal };

beforeEach(async () => {
  authenticator = await addVirtualAuthenticator();
  serving = new AbortController();
  frame = document.createElement('iframe');
  frame.src = new URL('../testing/framed.html', import.meta.url).href;
  document.body.append(frame);
  const inside = () => (frame.contentWindow as unknown as { bridge?: Credentials } | null)?.bridge;
  await expect.poll(inside).toBeTruthy();
  bridge = inside() as Credentials;
});
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  serving.abort();
  frame.remove();
  await authenticator.remove();
});

describe('the bridge (frame 4, frame 6, frame 7, frame 8)', () => {
  it('runs both ceremonies for the frame, with the PRF outputs of the passkey', async () => {
    serveBridge(frame.contentWindow as Window, WALLET, serving.signal);
    const created = await createPasskey({
      ...request,
      credentials: bridge,
      deviceNumber: 1,
      challenge: randomChallenge(),
      exclude: [],
    });
    const asserted = await assertPasskey({
      ...request,
      credentials: bridge,
      challenge: randomChallenge(),
      allow: [{ credentialId: created.registration.id, transports: ['internal'] }],
    });
    expect(asserted.authentication.id).toBe(created.registration.id);
    if (created.prf.kind !== 'outputs' || asserted.prf.kind !== 'outputs') throw new Error('no outputs came');
    expect(Array.from(asserted.prf.outputs.first)).toEqual(Array.from(created.prf.outputs.first));
    expect(asserted.prf.outputs.first.some((byte) => byte !== 0)).toBe(true);
  });

  it('reports a refusal as a refusal', async () => {
    await authenticator.replace({ isUserVerified: false });
    serveBridge(frame.contentWindow as Window, WALLET, serving.signal);
    await expect(
      createPasskey({
        ...request,
        credentials: bridge,
        deviceNumber: 1,
        challenge: randomChallenge(),
        exclude: [],
      }),
    ).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  it("runs no ceremony with the host's own passkeys, which would log the wallet in there", async () => {
    const signal = serving.signal;
    serveBridge(
      frame.contentWindow as Window,
      { walletOrigin: location.origin, rpId: 'wallet.example' },
      signal,
    );
    const asked = vi.spyOn(navigator.credentials, 'get');
    const created = vi.spyOn(navigator.credentials, 'create');
    const of = { ...request, credentials: bridge, challenge: randomChallenge() };
    await expect(createPasskey({ ...of, deviceNumber: 1, exclude: [] })).rejects.toThrow();
    const allow = [{ credentialId: 'AAAA', transports: ['internal'] }];
    await expect(assertPasskey({ ...of, allow })).rejects.toThrow();
    expect(asked).not.toHaveBeenCalled();
    expect(created).not.toHaveBeenCalled();
  });

  it('serves no other window and no other origin', async () => {
    const asked = { rpId: 'localhost', challenge: new Uint8Array(32), userVerification: 'required' } as const;
    const ended = new AbortController();
    serveBridge(window, WALLET, serving.signal);
    serveBridge(
      frame.contentWindow as Window,
      { ...WALLET, walletOrigin: 'https://wallet.example' },
      serving.signal,
    );
    const answer = bridge.get(asked, ended.signal);
    let isAnswered = false;
    answer.then(
      () => {
        isAnswered = true;
      },
      () => undefined,
    );
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(isAnswered).toBe(false);
    ended.abort();
    await expect(answer).rejects.toThrow();
  });

  it('waits 60 s for a page that does not answer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let failure: unknown;
    const asked = bridgeCredentials(location.origin)
      .get({ challenge: new Uint8Array(32) }, request.signal)
      .catch((error) => {
        failure = error;
      });
    await vi.advanceTimersByTimeAsync(59_999);
    expect(failure).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    await asked;
    expect(failure).toMatchObject({ code: 'WEBAUTHN_BRIDGE_TIMEOUT', message: 'WebAuthn bridge timeout' });
  });
});
