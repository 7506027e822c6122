import { describe, expect, it } from 'vitest';
import { makeSignedTransfer } from './testing/signed-transfer.js';
import { readSignedTransaction } from './transaction-id.js';

describe('readSignedTransaction', () => {
  it('reads the id that near-api-js computes, the signer, the key with its nonce, and the block', async () => {
    for (const signerId of ['aa', 'alice.testnet', 'x'.repeat(64)]) {
      const { bytes, hash, publicKey, nonce } = await makeSignedTransfer(signerId);
      const accessKey = { publicKey, nonce };
      const expected = { transactionId: hash, signerId, accessKey, blockHash: '1'.repeat(32) };
      expect(await readSignedTransaction(bytes)).toEqual(expected);
    }
  });

  it('reads the signer behind the version byte of later transactions', async () => {
    const { bytes, signerId } = await makeSignedTransfer();
    const versioned = Uint8Array.of(1, ...bytes);
    expect(await readSignedTransaction(versioned)).toMatchObject({ signerId, accessKey: null });
  });

  it('refuses a signature of another curve, and cut bytes', async () => {
    const { bytes } = await makeSignedTransfer();
    const secp = Uint8Array.from(bytes);
    secp[bytes.length - 65] = 1;
    await expect(readSignedTransaction(secp)).rejects.toThrow(RangeError);
    await expect(readSignedTransaction(bytes.subarray(0, 20))).rejects.toThrow(RangeError);
  });
});
