import { readFileSync } from 'node:fs';
import { hex } from '@scure/base';
import { describe, expect, it } from 'vitest';
import { makeSignedTransfer } from './testing/signed-transfer.js';
import { readSignedTransaction } from './transaction-id.js';

interface Case {
  readonly name: string;
  readonly publicKey: string;
  readonly transaction: { readonly signerId: string; readonly nonce: string; readonly blockHash: string };
  readonly borsh: string;
}

const vectors: { readonly cases: readonly Case[] } = JSON.parse(
  readFileSync(new URL('../../../tests/vectors/near-primitives-transactions.json', import.meta.url), 'utf8'),
);

describe('readSignedTransaction', () => {
  it('reads the id that near-api-js computes, the signer, the key with its nonce, and the block', async () => {
    for (const signerId of ['aa', 'alice.testnet', 'x'.repeat(64)]) {
      const { bytes, hash, publicKey, nonce } = await makeSignedTransfer(signerId);
      const accessKey = { publicKey, nonce };
      const expected = { transactionId: hash, signerId, accessKey, blockHash: '1'.repeat(32) };
      expect(await readSignedTransaction(bytes)).toEqual(expected);
    }
  });

  it.each([
    ['a lane of a gas key', { lane: 513 }],
    ['a strict nonce', {}],
  ])("reads near-primitives' transaction of version 1 with %s", async (name, lane) => {
    const { publicKey, transaction, borsh } = vectors.cases.find((each) => each.name === name) as Case;
    const { signerId, nonce, blockHash } = transaction;
    const summary = await readSignedTransaction(hex.decode(borsh));
    expect(summary).toMatchObject({ signerId, blockHash });
    expect(summary.accessKey).toEqual({ publicKey, nonce: BigInt(nonce), ...lane });
  });

  it('refuses a version that it does not know', async () => {
    const { bytes } = await makeSignedTransfer();
    await expect(readSignedTransaction(Uint8Array.of(2, ...bytes))).rejects.toThrow('an unknown version');
  });

  it('refuses a signature of another curve, and cut bytes', async () => {
    const { bytes } = await makeSignedTransfer();
    const secp = Uint8Array.from(bytes);
    secp[bytes.length - 65] = 1;
    await expect(readSignedTransaction(secp)).rejects.toThrow(RangeError);
    await expect(readSignedTransaction(bytes.subarray(0, 20))).rejects.toThrow(RangeError);
  });

  describe('of bytes that are changed or cut', () => {
    /** 4 bytes of length, the signer, its key, nonce, the receiver with its length, the block's hash. */
    const SIGNER = 'a.testnet';
    const KEY_AT = 4 + SIGNER.length;
    const RECEIVER_AT = KEY_AT + 1 + 32 + 8;
    const HASH_END = RECEIVER_AT + 4 + 'b.testnet'.length + 32;
    /** Signed bytes whose unsigned part is `unsigned`. */
    const signed = (unsigned: Uint8Array) => Uint8Array.of(...unsigned, ...new Uint8Array(65));
    const changed = async (at: number, byte: number) => {
      const { bytes } = await makeSignedTransfer(SIGNER);
      const copy = Uint8Array.from(bytes);
      copy[at] = byte;
      return readSignedTransaction(copy);
    };
    const cut = async (length: number) =>
      readSignedTransaction(signed((await makeSignedTransfer(SIGNER)).bytes.subarray(0, length)));

    it('refuses a signer without a letter, or with more than 64', async () => {
      const refusal = new RangeError('not a signed transaction: its signer cannot be read');
      await expect(changed(0, 0)).rejects.toEqual(refusal);
      await expect(changed(0, 65)).rejects.toEqual(refusal);
      await expect(cut(KEY_AT - 1)).rejects.toEqual(refusal);
    });

    it('refuses a key of another curve, and a part of a key and its nonce', async () => {
      const refusal = new RangeError('not a signed transaction: its key cannot be read');
      await expect(changed(KEY_AT, 1)).rejects.toEqual(refusal);
      await expect(cut(KEY_AT)).rejects.toEqual(refusal);
      await expect(cut(RECEIVER_AT - 1)).rejects.toEqual(refusal);
    });

    it('refuses a part of a block, and reads a whole one', async () => {
      const refusal = new RangeError('not a signed transaction: its block cannot be read');
      await expect(cut(RECEIVER_AT)).rejects.toEqual(refusal);
      await expect(cut(RECEIVER_AT + 3)).rejects.toEqual(refusal);
      await expect(cut(HASH_END - 1)).rejects.toEqual(refusal);
      expect(await cut(HASH_END)).toMatchObject({ signerId: SIGNER, blockHash: '1'.repeat(32) });
    });

    it('refuses fewer bytes than a signature and a signer take', async () => {
      const refusal = new RangeError('not an ed25519-signed transaction');
      await expect(cut(7)).rejects.toEqual(refusal);
      await expect(readSignedTransaction(new Uint8Array(64))).rejects.toEqual(refusal);
      await expect(readSignedTransaction(new Uint8Array())).rejects.toEqual(refusal);
      await expect(cut(8)).rejects.toThrow('its signer cannot be read');
    });
  });
});
