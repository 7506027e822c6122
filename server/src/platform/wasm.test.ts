/** Compares the relay's lock in OpenSSL with the lock in the VRF module. */
import { readFile } from 'node:fs/promises';
import { base64urlnopad } from '@scure/base';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { RFC3526_GROUP_14_P } from '../../../ts/src/config.js';
import { initSync, lockApply, lockRemove } from '../../wasm/vrf/vrf.js';
import { deriveKeyId, readLockKey } from '../lock/lock.js';
import { readLockGroup } from '../lock/lock-group.js';
import { readGroupNumber } from '../lock/lock-number.js';
import { readWasmLockKey } from '../lock/lock-wasm.js';
import { encodeNumber } from '../testing/lock-numbers.js';
import { makeLockKey } from './wasm.js';

const group = readLockGroup(RFC3526_GROUP_14_P);

describe('the locks in OpenSSL and in WASM', () => {
  beforeAll(async () => {
    initSync({ module: await readFile(new URL('../../wasm/vrf/vrf_bg.wasm', import.meta.url)) });
  });

  it('compute the same numbers, and each reverses the other', async () => {
    const text = await makeLockKey(group.pB64u);
    const key = readLockKey(group, text);
    const numbers = fc.oneof(
      fc.bigInt({ min: 2n, max: group.p - 2n }),
      fc.constantFrom(2n, 3n, group.p - 2n, (group.p - 1n) / 2n),
    );
    fc.assert(
      fc.property(numbers, (value) => {
        const number = encodeNumber(value);
        const locked = base64urlnopad.encode(key.apply(base64urlnopad.decode(number)));
        expect(lockApply(group.pB64u, text.e_s_b64u, number)).toBe(locked);
        expect(lockRemove(group.pB64u, text.d_s_b64u, locked)).toBe(number);
        expect(base64urlnopad.encode(key.remove(base64urlnopad.decode(locked)))).toBe(number);
      }),
      { numRuns: 8 },
    );
  });

  it('read the same key', async () => {
    const text = await makeLockKey(group.pB64u);
    const [openssl, wasm] = [readLockKey(group, text), await readWasmLockKey(group, text)];
    expect(wasm.keyId).toBe(openssl.keyId);
    for (const value of [2n, group.p / 3n, group.p - 2n]) {
      const number = base64urlnopad.decode(encodeNumber(value));
      expect(wasm.apply(number)).toEqual(openssl.apply(number));
      expect(wasm.remove(openssl.apply(number))).toEqual(number);
    }
  });

  it('derive the same key id', async () => {
    const { lockMakeServerKey } = await import('../../wasm/vrf/vrf.js');
    const { eB64u, keyId } = lockMakeServerKey(group.pB64u);
    expect(deriveKeyId(group, readGroupNumber(group, eB64u))).toBe(keyId);
  });

  it.each(['AQ', encodeNumber(group.p - 1n), encodeNumber(group.p), 'AAI', ''])(
    'refuse %s',
    async (number) => {
      const text = await makeLockKey(group.pB64u);
      expect(() => readGroupNumber(group, number)).toThrow();
      expect(() => lockApply(group.pB64u, text.e_s_b64u, number)).toThrow();
    },
  );
});
