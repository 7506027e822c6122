/** Two ceremonies of one passkey, compared with the built signer WASM. */
import { beforeAll, describe, expect, it } from 'vitest';
import { approving, prove } from './proving.js';
import { ACCOUNT, derived, loadSigner, otherPrf, prfFirst, prfSecond } from './testing/signer-wasm.js';

beforeAll(loadSigner);

/** A key that the first ceremony has made, and what the second gives. */
function proven(first = prfFirst(), second = prfSecond()) {
  const { encryptedPrivateKey, publicKey } = derived();
  return { first, second, same: prove(ACCOUNT, first, second, encryptedPrivateKey, publicKey) };
}

describe('a passkey is proven (core 5)', () => {
  it('where both outputs come again, which are wiped', () => {
    const { first, second, same } = proven();
    expect(same).toBe(true);
    expect([first, second]).toEqual([new Uint8Array(32), new Uint8Array(32)]);
  });

  it.each([
    ['the first', otherPrf(), prfSecond()],
    ['the second', prfFirst(), otherPrf()],
    ['both', otherPrf(), otherPrf().fill(8)],
  ])('not where %s came differently; they are wiped too', (_, first, second) => {
    const { same, ...given } = proven(first, second);
    expect(same).toBe(false);
    expect([given.first, given.second]).toEqual([new Uint8Array(32), new Uint8Array(32)]);
  });
});

describe('an approval (core 5)', () => {
  const unproven = (prfSecond: Uint8Array) => {
    const { publicKey } = derived();
    return { accountId: ACCOUNT, prfSecond, publicKey };
  };

  it('of a passkey that is proven says nothing of it', () => {
    expect(approving(prfFirst(), undefined, () => undefined)).toBeUndefined();
  });

  it.each([
    [true, prfSecond()],
    [false, otherPrf()],
  ])('says whether PRF.second derives the key: %s', (same, second) => {
    const first = prfFirst();
    expect(approving(first, unproven(second), () => undefined)).toBe(same);
    expect([first, second]).toEqual([new Uint8Array(32), new Uint8Array(32)]);
  });

  it('that fails proves nothing, and the outputs are wiped', () => {
    const [first, second] = [prfFirst(), prfSecond()];
    const refuse = () => {
      throw new Error('another intent');
    };
    expect(() => approving(first, unproven(second), refuse)).toThrow('another intent');
    expect([first, second]).toEqual([new Uint8Array(32), new Uint8Array(32)]);
  });
});
