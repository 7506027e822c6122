import { describe, expect, it } from 'vitest';
import { completeAuthorization, readPayload } from './to-sign.js';

const ALICE = 'alice.testnet';
const complete = (params: object) => completeAuthorization(ALICE, params as never);

describe('an authorization to sign', () => {
  it('is a copy of what is asked', () => {
    const path = ['multisig.testnet', 'outer.testnet'];
    const complete_ = complete({ payload: 'p', path, chainId: 'testnet' });
    path.push('later.testnet');
    expect(complete_).toEqual({
      payload: 'p',
      path: ['multisig.testnet', 'outer.testnet'],
      chainId: 'testnet',
    });
    expect(complete({ payload: '', path: null, chainId: null })).toEqual({
      payload: '',
      path: [],
      chainId: undefined,
    });
    expect(complete({ payload: 'x'.repeat(65_536) }).payload).toHaveLength(65_536);
  });

  it.each<[string, unknown]>([
    ['it needs params, an object with a payload', undefined],
    ['a payload is needed', {}],
    ['a payload is needed', { payload: 7 }],
    ['the payload is no well-formed text', { payload: 'a\ud800' }],
    ['the payload has 65537 characters, and the most are 65536', { payload: 'x'.repeat(65_537) }],
    ['the path must be a list of account ids', { payload: '', path: 'multisig.testnet' }],
    ['the path names the signer, alice.testnet', { payload: '', path: ['multisig.testnet', ALICE] }],
    ['the path names a.near twice', { payload: '', path: ['a.near', 'b.near', 'a.near'] }],
    ['the path names "A!", which is no account id', { payload: '', path: ['A!'] }],
    ['the path names null, which is no account id', { payload: '', path: [null] }],
    ['the path names more than 16 accounts', { payload: '', path: Array(17).fill('a.near') }],
    ['the chainId must be text', { payload: '', chainId: 1 }],
  ])('is refused: %s', (reason, params) => {
    expect(() => complete(params as object)).toThrow(reason);
  });
});

describe('a payload', () => {
  const whole = { domain: 'app.example', action: 'Login', msg: 'nonce' };

  it('in the form of the NEP is read, printed in any way', () => {
    expect(readPayload(JSON.stringify(whole))).toEqual(whole);
    expect(readPayload(JSON.stringify(whole, null, 2))).toEqual(whole);
  });

  it.each([
    'Hello, Near!',
    '',
    '[]',
    'null',
    JSON.stringify({ ...whole, msg: 7 }),
    JSON.stringify({ ...whole, more: 'x' }),
    JSON.stringify({ domain: 'app.example', action: 'Login' }),
    // Readers differ in which of the two they take.
    '{"domain":"evil.example","domain":"app.example","action":"Login","msg":""}',
  ])('in another form is not: %s', (payload) => {
    expect(readPayload(payload)).toBeUndefined();
  });
});
