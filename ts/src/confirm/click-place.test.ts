import { describe, expect, it } from 'vitest';
import type { Action } from '../types.js';
import { type ClickSurroundings, clickPlace } from './click-place.js';
import type { ConfirmModel } from './port.js';

const common = {
  accountId: 'alice.testnet',
  rpId: 'wallet.test',
  networkId: 'testnet',
  digest: '',
  uiMode: 'modal',
  behavior: 'requireClick',
  autoProceedDelayMs: 0,
  theme: 'dark',
} as const;
const KEY = 'ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2';
const asking = (...actions: Action[]): ConfirmModel => ({
  ...common,
  kind: 'transactions',
  transactions: [
    { receiverId: 'bob.testnet', actions: [{ type: 'Transfer', amount: '1' }] },
    { receiverId: 'alice.testnet', actions },
  ],
});
const fullAccess: Action = { type: 'AddKey', publicKey: KEY, accessKey: { permission: 'FullAccess' } };
const appKey: Action = {
  type: 'AddKey',
  publicKey: KEY,
  accessKey: { permission: { FunctionCall: { receiverId: 'app.testnet', methodNames: [], allowance: '1' } } },
} as Action;
const registration: ConfirmModel = { ...common, kind: 'registration', deviceNumber: 1 };

const blind: ClickSurroundings = { isFramed: true, tracksVisibility: false, isTrustedHost: false };

describe("the place of a confirmation's click (frame 10)", () => {
  it.each<[string, ConfirmModel | 'export']>([
    ['a key with full access', asking(fullAccess)],
    ['a transfer', asking()],
    ['a key for an app', asking(appKey)],
    ['a message', { ...common, kind: 'nep413', message: 'm', recipient: 'r', nonce: 'n' }],
    ['the deletion of a key', asking({ type: 'DeleteKey', publicKey: KEY })],
    ['the deletion of the account', asking({ type: 'DeleteAccount', beneficiaryId: 'bob.testnet' })],
    ['the joining of an account', { ...registration, joining: { checkCode: 'ABCD2345EFGH6723' } }],
    ['the bringing of an account', { ...registration, joining: {} }],
    ['an export', 'export'],
  ])(
    'is a separate window for %s, in a frame whose browser does not report what is painted [S62]',
    (_, asked) => {
      expect(clickPlace(asked, blind)).toBe('popup');
      expect(clickPlace(asked, { ...blind, tracksVisibility: true })).toBe('here');
      expect(clickPlace(asked, { ...blind, isTrustedHost: true })).toBe('here');
      expect(clickPlace(asked, { ...blind, isFramed: false })).toBe('here');
    },
  );

  it('is the frame for a new account, whose passkey the browser creates only after a click there [S62]', () => {
    expect(clickPlace(registration, blind)).toBe('here');
  });
});
