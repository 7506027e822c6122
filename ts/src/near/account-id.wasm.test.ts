/**
 * Compares our account-id rules with the crate near-account-id: its published vectors, and the crate inside the
 * built signer WASM. Run scripts/build.sh wasm first.
 */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import * as signer from '../../wasm/signer/signer.js';
import { accountIdProblem, isNearAccountId } from './account-id.js';

/** OK_ACCOUNT_IDS of near-account-id 2.6.0 and 3.0.0, src/test_data.rs (MIT or Apache-2.0). */
const VALID = [
  'aa',
  'a-a',
  'a-aa',
  '100',
  '0o',
  'com',
  'near',
  'bowen',
  'b-o_w_e-n',
  'b.owen',
  'bro.wen',
  'a.ha',
  'a.b-a.ra',
  'system',
  'over.9000',
  'google.com',
  'illia.cheapaccounts.near',
  '0o0ooo00oo00o',
  'alex-skidanov',
  '10-4.8-2',
  'no_lols',
  '0123456789012345678901234567890123456789012345678901234567890123',
  'near.a',
];

/** BAD_ACCOUNT_IDS of the same file. Both lists without the repeated entries. */
const INVALID = [
  'a',
  'A',
  'Abc',
  '-near',
  'near-',
  '-near-',
  'near.',
  '.near',
  'near@',
  '@near',
  'неар',
  '@@@@@',
  '0__0',
  '0_-_0',
  '..',
  'a..near',
  'nEar',
  '_bowen',
  'hello world',
  'abcdefghijklmnopqrstuvwxyz.abcdefghijklmnopqrstuvwxyz.abcdefghijklmnopqrstuvwxyz',
  '01234567890123456789012345678901234567890123456789012345678901234',
  'some-complex-address@gmail.com',
  'sub.buy_d1gitz@atata@b0-rg.c_0_m',
];

/** Near misses: short strings of the alphabet and its neighbours, and lengths around both limits. */
const candidates = fc.oneof(
  fc.stringMatching(/^[ab0._-]{0,8}$/),
  fc.stringMatching(/^[a-z0-9]{1,5}([._-]{1,2}[a-z0-9]{1,5}){0,4}$/),
  fc.stringMatching(/^[a-z0-9]{60,67}$/),
  fc.stringMatching(/^[a-zA-Z0-9._@ \n-]{1,12}$/),
  fc.string({ unit: 'binary', maxLength: 70 }),
);

let publicKey: string;

beforeAll(() => {
  signer.initSync({ module: readFileSync(new URL('../../wasm/signer/signer_bg.wasm', import.meta.url)) });
  const prf = (from: number) => Uint8Array.from({ length: 32 }, (_, index) => from + index);
  publicKey = signer.deriveAndEncrypt('alice.testnet', prf(0), prf(32)).publicKey;
});

/** Whether the signer accepts the text as a receiver; it parses receivers with near-account-id. */
function isTakenByCrate(text: string): boolean {
  const transactions = [{ receiverId: text, actions: [{ type: 'CreateAccount' as const }] }];
  try {
    signer.prepareTransactions({
      signerAccountId: 'alice.testnet',
      publicKey,
      rpId: 'wallet.example',
      transactions,
    });
    return true;
  } catch (error) {
    // An empty receiver has its own code. Any other code means a failure that is not about the id.
    expect(['INVALID_ACCOUNT_ID', 'MISSING_RECEIVER']).toContain((error as { readonly code: unknown }).code);
    return false;
  }
}

describe("near-account-id's vectors", () => {
  it.each(VALID)('accepts %j', (accountId) => {
    expect([isNearAccountId(accountId), isTakenByCrate(accountId)]).toEqual([true, true]);
  });

  it.each(INVALID)('refuses %j, and accountIdProblem does too', (accountId) => {
    expect([isNearAccountId(accountId), isTakenByCrate(accountId)]).toEqual([false, false]);
    expect(accountIdProblem(accountId)).toBeDefined();
  });
});

describe('near-account-id itself (core 5)', () => {
  it('accepts and refuses the same texts', () => {
    const seen = { taken: 0, refused: 0 };
    fc.assert(
      fc.property(candidates, (text) => {
        const isTaken = isTakenByCrate(text);
        seen[isTaken ? 'taken' : 'refused'] += 1;
        expect(isNearAccountId(text)).toBe(isTaken);
      }),
      { numRuns: 3_000 },
    );
    expect(Math.min(seen.taken, seen.refused)).toBeGreaterThan(300);
  });

  it('accepts every id that accountIdProblem accepts', () => {
    fc.assert(
      fc.property(candidates, fc.constantFrom('testnet', 'near'), (name, suffix) => {
        const accountId = `${name}.${suffix}`;
        if (accountIdProblem(accountId) === undefined) expect(isTakenByCrate(accountId)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
