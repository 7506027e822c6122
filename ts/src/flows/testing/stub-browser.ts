/** A browser for flows that create a passkey, in Node. */

import { type Mock, vi } from 'vitest';
import { native, platformRegistration } from './answers.js';

/** The credentials that the wallet had the browser forget. */
export const signalUnknownCredential = vi.fn(async () => undefined);

/** Gives the test a browser with one tab, whose authenticator answers each creation with outputs. */
export function stubBrowser(createPasskey: Mock): void {
  vi.stubGlobal('navigator', {
    maxTouchPoints: 0,
    credentials: { create: native },
    userAgent: 'test',
    locks: { request: (_name: string, _options: unknown, work: (lock: object) => unknown) => work({}) },
  });
  signalUnknownCredential.mockClear();
  vi.stubGlobal('PublicKeyCredential', { signalUnknownCredential });
  createPasskey.mockReset();
  createPasskey.mockImplementation(async () => ({
    registration: platformRegistration('credential'),
    prf: {
      kind: 'outputs',
      outputs: { first: new Uint8Array(32).fill(1), second: new Uint8Array(32).fill(2) },
    },
  }));
}
