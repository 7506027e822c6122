import { afterEach, expect, it, vi } from 'vitest';
import { answered, browserCredentials } from './credentials.js';

afterEach(() => vi.unstubAllGlobals());

const { signal } = new AbortController();
const id = Uint8Array.of(1);
const challenge = new Uint8Array(32);

/** A browser whose function of this name resolves with `answer`. */
function browser(name: 'create' | 'get', answer: unknown) {
  const ask = vi.fn(async () => answer);
  vi.stubGlobal('navigator', { credentials: { [name]: ask } });
  return ask;
}

it('a passkey is made with the options and the signal that were given', async () => {
  const publicKey = { challenge } as unknown as PublicKeyCredentialCreationOptions;
  const ask = browser('create', {
    id: 'AQ',
    response: { clientDataJSON: id, attestationObject: id },
  });
  expect((await browserCredentials.create(publicKey, signal)).registration.id).toBe('AQ');
  expect(ask).toHaveBeenCalledExactlyOnceWith({ publicKey, signal });
});

it('an assertion is asked for with the hint that its passkeys give', async () => {
  const allowCredentials: PublicKeyCredentialDescriptor[] = [{ type: 'public-key', id, transports: ['usb'] }];
  const publicKey = { challenge, allowCredentials };
  const ask = browser('get', {
    id: 'AQ',
    response: { clientDataJSON: id, authenticatorData: id, signature: id },
  });
  expect((await browserCredentials.get(publicKey, signal)).authentication.id).toBe('AQ');
  expect(ask).toHaveBeenCalledExactlyOnceWith({
    publicKey: { ...publicKey, hints: ['security-key'] },
    signal,
  });
});

it.each([null, undefined])('an answer of %s is a cancelled prompt', (answer) => {
  expect(() => answered(answer)).toThrow(expect.objectContaining({ code: 'CANCELLED' }));
});
