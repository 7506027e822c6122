import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { PopupNewsSchema, PopupRequestSchema, PopupResultSchema } from './popup-messages.js';

const requestId = 'export:1:x';
const key = {
  rpId: 'wallet.test',
  model: {
    accountId: 'alice.testnet',
    publicKey: 'ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2',
    networkId: 'testnet',
    variant: 'modal',
    theme: 'dark',
  },
  passkeys: [{ credentialId: 'Y3JlZA', transports: ['internal'] }],
  sealed: { encryptedData: 'c2VhbGVk', iv: 'aXY' },
};
const request = {
  type: 'WALLET_POPUP_REQUEST',
  requestId,
  kind: 'export',
  theme: 'dark',
  language: 'de',
  key,
};
const isRequest = (of: object) => v.safeParse(PopupRequestSchema, { ...request, ...of }).success;

describe('the request to show a key', () => {
  it('is read as it was sent', () => {
    expect(v.parse(PopupRequestSchema, request)).toEqual(request);
  });

  it('is read from a frame that names no language', () => {
    expect(isRequest({ language: undefined })).toBe(true);
  });

  it('says how each passkey is asked', () => {
    const aaguid = 'd3452668-01fd-4c12-926c-83a4204853aa';
    const passkeys = [{ ...key.passkeys[0], aaguid, verifiesUnnamed: true }];
    expect(isRequest({ key: { ...key, passkeys } })).toBe(true);
  });

  it.each<[string, object]>([
    ['without a theme', { theme: undefined }],
    ['in a language whose name is longer than any', { language: 'x'.repeat(36) }],
    ['under an id of another form', { requestId: 'export:1' }],
    ['with a field that it does not have', { key: { ...key, privateKey: 'ed25519:x' } }],
    ['in a form that no viewer has', { key: { ...key, model: { ...key.model, variant: 'skip' } } }],
    ['without a passkey', { key: { ...key, passkeys: [] } }],
    [
      'with more passkeys than an account has',
      { key: { ...key, passkeys: Array(65).fill(key.passkeys[0]) } },
    ],
    ['with what is not base64url', { key: { ...key, sealed: { ...key.sealed, iv: '<iv>' } } }],
    [
      'larger than a key is',
      { key: { ...key, sealed: { ...key.sealed, encryptedData: 'A'.repeat(65_537) } } },
    ],
  ])('is refused %s', (_, change) => {
    expect(isRequest(change)).toBe(false);
  });
});

describe('the messages of a window about an export', () => {
  it('are its own phases and a temporary copy, and nothing else', () => {
    const progress = { type: 'WALLET_POPUP_PROGRESS', requestId, status: 'success', message: 'm' };
    const copied = { type: 'WALLET_POPUP_COPIED', requestId };
    const isNews = (news: object) => v.safeParse(PopupNewsSchema, news).success;
    expect(isNews({ ...progress, phase: 'key-delivered' })).toBe(true);
    expect(isNews({ ...progress, phase: 'broadcasting' })).toBe(false);
    expect(isNews({ ...progress, phase: 'key-delivered', data: { key: 'k' } })).toBe(false);
    expect(isNews({ ...copied, clearAfterMs: 30_000 })).toBe(true);
    expect(isNews({ ...copied, clearAfterMs: null })).toBe(true);
    expect(isNews({ ...copied, clearAfterMs: 1e9 })).toBe(false);
  });

  it('end with the success, or with the reason for the failure', () => {
    const isResult = (payload: object) =>
      v.safeParse(PopupResultSchema, { type: 'WALLET_POPUP_RESULT', payload: { requestId, ...payload } })
        .success;
    expect(isResult({ ok: true, isShown: true })).toBe(true);
    expect(isResult({ ok: false, error: { name: 'LatchkeyError', message: 'm', code: 'CANCELLED' } })).toBe(
      true,
    );
    expect(isResult({ ok: true, isShown: true, key: 'ed25519:x' })).toBe(false);
    expect(isResult({ ok: true })).toBe(false);
  });
});
