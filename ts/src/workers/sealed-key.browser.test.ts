import { base58, base64urlnopad } from '@scure/base';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { filled, SEALED_KEY_UNUSABLE } from '../errors/account.js';
import type { SealedKey } from './sealed-key.js';
import type { PasskeySealedKey } from './signer-api.js';
import type { Signer, SignerPool } from './signer-pool.js';
import { createSignerPool } from './start.js';

const ALICE = 'alice.testnet';
const prfFirst = () => Uint8Array.from({ length: 32 }, (_, index) => index);
const prfSecond = () => Uint8Array.from({ length: 32 }, (_, index) => index + 32);
const transaction = () => ({
  signerAccountId: ALICE,
  receiverId: 'bob.testnet',
  nonce: '7',
  blockHash: base58.encode(new Uint8Array(32).fill(3)),
  actions: [{ type: 'Transfer' as const, amount: '1' }],
});

let pool: SignerPool;
let wrappingKey: CryptoKey;

const makeWrappingKey = () =>
  crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);

beforeAll(async () => {
  pool = createSignerPool();
  wrappingKey = await makeWrappingKey();
});

afterAll(() => pool.close());

/** Makes one worker per call, as each approval has its own. */
async function inWorker<T>(use: (signer: Signer) => Promise<T>): Promise<T> {
  const signer = await pool.acquire();
  try {
    return await use(signer);
  } finally {
    signer.end();
  }
}

const make = () => inWorker((signer) => signer.call('makeSealedKeyPair', [wrappingKey]));
const sign = (sealed: SealedKey, key = wrappingKey) =>
  inWorker((signer) => signer.call('signWithSealedKey', [key, sealed, transaction()]));

async function verifies(publicKey: string, signature: string, hash: string): Promise<boolean> {
  const bytes = (text: string) => base58.decode(text.replace('ed25519:', '')) as Uint8Array<ArrayBuffer>;
  const key = await crypto.subtle.importKey('raw', bytes(publicKey), 'Ed25519', false, ['verify']);
  return crypto.subtle.verify('Ed25519', key, bytes(signature), bytes(hash));
}

describe('a sealed key (core 3)', () => {
  it('signs in another worker than the one that made it [S6]', async () => {
    const sealed = await make();
    const signed = await sign(sealed);
    expect(signed.transaction.publicKey).toBe(sealed.publicKey);
    expect(await verifies(sealed.publicKey, signed.signature, signed.hash)).toBe(true);
  });

  it('is random, and has a new nonce each time', async () => {
    const [one, other] = [await make(), await make()];
    expect(one.publicKey).not.toBe(other.publicKey);
    expect(one.iv).not.toBe(other.iv);
    expect(base64urlnopad.decode(one.iv)).toHaveLength(12);
  });

  it("is the account's own key when derived for one, next to the encrypted key that storage keeps", async () => {
    const [first, second] = [prfFirst(), prfSecond()];
    const { derived, sealed } = await inWorker((signer) =>
      signer.call('deriveAndSeal', [wrappingKey, ALICE, first, second, null], {
        transfer: [first.buffer, second.buffer],
      }),
    );
    expect([first.byteLength, second.byteLength]).toEqual([0, 0]);
    expect(derived.publicKey).toBe('ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2');
    expect(sealed.publicKey).toBe(derived.publicKey);
    const signed = await sign(sealed);
    expect(await verifies(derived.publicKey, signed.signature, signed.hash)).toBe(true);
    const { port1, port2 } = new MessageChannel();
    const exported = new Promise<MessageEvent>((resolve) => {
      port2.onmessage = resolve;
    });
    await inWorker((signer) =>
      signer.call(
        'exportKeypair',
        [ALICE, prfFirst(), derived.encryptedPrivateKey, derived.publicKey, port1],
        { transfer: [port1] },
      ),
    );
    expect((await exported).data.privateKey).toBeInstanceOf(Uint8Array);
  });

  it('that a passkey replaces is encrypted for it too, and only that passkey brings both back', async () => {
    const temporary = await make();
    const [first, second] = [prfFirst(), prfSecond()];
    const other = { wrappingKey, sealed: temporary };
    const made = await inWorker((signer) =>
      signer.call('deriveAndSeal', [wrappingKey, ALICE, first, second, other], {
        transfer: [first.buffer, second.buffer],
      }),
    );
    expect(made.other).not.toBeNull();
    const kept = [
      { publicKey: made.derived.publicKey, ...made.derived.encryptedPrivateKey },
      { publicKey: temporary.publicKey, encryptedData: '', iv: '', ...made.other },
    ];
    const nextVisit = await makeWrappingKey();
    const open = (prf: Uint8Array<ArrayBuffer>, keys: readonly PasskeySealedKey[]) =>
      inWorker((signer) =>
        signer.call('sealFromPasskey', [nextVisit, ALICE, prf, keys], { transfer: [prf.buffer] }),
      );
    const opened = await open(prfFirst(), kept);
    for (const [index, sealed] of opened.entries()) {
      expect(sealed.publicKey).toBe(kept[index]?.publicKey);
      const signed = await sign(sealed, nextVisit);
      expect(await verifies(sealed.publicKey, signed.signature, signed.hash)).toBe(true);
    }
    // The stored form opens under no CryptoKey, and for no other passkey or public key.
    for (const key of kept) await expect(sign(key)).rejects.toMatchObject({ code: 'SEALED_KEY_UNUSABLE' });
    await expect(open(prfSecond(), kept)).rejects.toThrow();
    const swapped = { ...kept[0], publicKey: temporary.publicKey } as PasskeySealedKey;
    await expect(open(prfFirst(), [swapped])).rejects.toThrow();
  });

  it('is refused, with a clear error, under another wrapping key, with another public key, and after a changed byte', async () => {
    const [sealed, other] = [await make(), await make()];
    const flipped = (text: string, at: number) => {
      const bytes = base64urlnopad.decode(text);
      bytes.set([(bytes.at(at) ?? 0) ^ 1], at < 0 ? bytes.length + at : at);
      return base64urlnopad.encode(bytes);
    };
    const altered: SealedKey[] = [
      { ...sealed, publicKey: other.publicKey },
      { ...other, publicKey: sealed.publicKey },
      { ...sealed, iv: other.iv },
      { ...sealed, iv: '' },
      { ...sealed, iv: 'no base64url!' },
      { ...sealed, encryptedData: flipped(sealed.encryptedData, 0) },
      { ...sealed, encryptedData: flipped(sealed.encryptedData, -1) },
      { ...sealed, encryptedData: '' },
    ];
    for (const key of altered) {
      await expect(sign(key)).rejects.toMatchObject({
        code: 'SEALED_KEY_UNUSABLE',
        message: filled(SEALED_KEY_UNUSABLE.text, { publicKey: key.publicKey }),
      });
    }
    await expect(sign(sealed, await makeWrappingKey())).rejects.toMatchObject({
      code: 'SEALED_KEY_UNUSABLE',
    });
    expect((await sign(sealed)).transaction.publicKey).toBe(sealed.publicKey);
  });

  it('refuses an invalid transaction, and signs the next one', async () => {
    const sealed = await make();
    await inWorker(async (signer) => {
      const bad = { ...transaction(), receiverId: 'Not An Account' };
      await expect(signer.call('signWithSealedKey', [wrappingKey, sealed, bad])).rejects.toMatchObject({
        code: 'INVALID_ACCOUNT_ID',
      });
      const signed = await signer.call('signWithSealedKey', [wrappingKey, sealed, transaction()]);
      expect(signed.transaction.nonce).toBe('7');
    });
  });

  it('never reaches the page in clear: no message of the worker and no call of the page contains it [S5] [S6]', async () => {
    const decrypted = vi.spyOn(SubtleCrypto.prototype, 'decrypt');
    const heard: unknown[] = [];
    const { addEventListener } = Worker.prototype;
    vi.spyOn(Worker.prototype, 'addEventListener').mockImplementation(function (
      this: Worker,
      ...[type, listener, options]: Parameters<Worker['addEventListener']>
    ) {
      addEventListener.call(this, type, (event: Event) => heard.push((event as MessageEvent).data));
      addEventListener.call(this, type, listener, options);
    });
    const fresh = createSignerPool();
    const signer = await fresh.acquire();
    const sealed = await signer.call('makeSealedKeyPair', [wrappingKey]);
    await signer.call('signWithSealedKey', [wrappingKey, sealed, transaction()]);
    signer.end();
    fresh.close();
    vi.restoreAllMocks();
    expect(decrypted).not.toHaveBeenCalled();
    const told = JSON.stringify(heard);
    expect(told).toContain(sealed.publicKey);
    // 64 bytes in base58 are at least 86 characters. The signature also has this form: `ed25519:`, then 64 bytes.
    const keys = [...told.matchAll(/ed25519:[1-9A-HJ-NP-Za-km-z]{86,}/g)].map(([text]) => text);
    const privates = keys.filter((text) => publicHalf(text) === sealed.publicKey);
    expect(privates).toEqual([]);
    expect(keys.length).toBeGreaterThan(0);
  });
});

/** Returns the public key at the end of a private key's text. */
function publicHalf(text: string): string {
  return `ed25519:${base58.encode(base58.decode(text.replace('ed25519:', '')).slice(32))}`;
}
