import { describe, expect, it } from 'vitest';
import { describeChainError, networkLack } from './chain-error.js';

const failed = (kind: unknown) => ({ ActionError: { index: 0, kind } });

describe("the chain's error about a transaction, in words (core 7)", () => {
  it.each<[string, unknown]>([
    [
      'Smart contract panicked: no votes left',
      failed({ FunctionCallError: { ExecutionError: 'Smart contract panicked: no votes left' } }),
    ],
    [
      'AccountDoesNotExist {"account_id":"a.near"}',
      failed({ AccountDoesNotExist: { account_id: 'a.near' } }),
    ],
    [
      'InvalidNonce {"tx_nonce":5,"ak_nonce":7}',
      { InvalidTxError: { InvalidNonce: { tx_nonce: 5, ak_nonce: 7 } } },
    ],
    ['Expired', { InvalidTxError: 'Expired' }],
    ['InvalidSignature', 'InvalidSignature'],
    ['TriesLeft', { TriesLeft: 5 }],
    ['Both {"A":{"B":1},"C":2}', { Both: { A: { B: 1 }, C: 2 } }],
    ['Odd {"kindness":{"B":1}}', { Odd: { kindness: { B: 1 } } }],
    ['Odd {"ofKind":{"B":1}}', { Odd: { ofKind: { B: 1 } } }],
    ['Odd {"mankind":{"B":1}}', { Odd: { mankind: { B: 1 } } }],
    ['ActionError', failed(null)],
    ['Empty {}', { Empty: {} }],
    ['Empty {"index":0}', { Empty: { index: 0 } }],
    ['unknown failure {}', {}],
    ['unknown failure', null],
    ['unknown failure', undefined],
    ['unknown failure', 5],
    [
      'this network does not have gas keys yet',
      { InvalidTxError: { UnsupportedProtocolFeature: { protocol_feature: 'GasKeys', version: 1 } } },
    ],
  ])('is %j', (words, error) => {
    expect(describeChainError(error)).toBe(words);
  });

  it('is no longer than 300 characters', () => {
    expect(describeChainError('x'.repeat(301))).toBe('x'.repeat(300));
  });
});

describe('what a network lacks (core 7)', () => {
  const unsupported = (protocol_feature: unknown) => ({ UnsupportedProtocolFeature: { protocol_feature } });

  it.each<[string, unknown]>([
    ['gas keys', unsupported('GasKeys')],
    ['keys of ML-DSA-65', unsupported('PostQuantumSignatures')],
    ['universal accounts', unsupported('UniversalAccounts')],
    ['delegate actions of version 2', unsupported('DelegateV2')],
    ['LaterFeature', unsupported('LaterFeature')],
    ['universal accounts', failed({ TransferToUniversalAccountNotAllowed: { account_id: '0u' } })],
    ['transactions of this form', { InvalidTxError: 'InvalidTransactionVersion' }],
  ])('is not there yet: %s', (what, error) => {
    const reason = `this network does not have ${what} yet`;
    expect(networkLack(error)).toEqual({ lacks: 'not-yet', reason });
  });

  it('is no longer there', () => {
    expect(networkLack({ RemovedProtocolFeature: { protocol_feature: 'DelegateV2' } })).toEqual({
      lacks: 'no-longer',
      reason: 'this network no longer has delegate actions of version 2',
    });
  });

  it.each([
    { InvalidTxError: 'Expired' },
    'InvalidTransactionVersion',
    { ActionError: 'InvalidTransactionVersion' },
    failed({ FunctionCallError: { ExecutionError: 'UnsupportedProtocolFeature' } }),
    failed({ FunctionCallError: null }),
    null,
    undefined,
  ])('is nothing where the error is of another kind: %j', (error) => {
    expect(networkLack(error)).toBeUndefined();
  });
});
