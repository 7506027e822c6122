/** What the flows of a new device share: its passkey, its keys and its records. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Confirmation } from '../../confirm/confirmation.js';
import { CANCELLED, LatchkeyError, NEAR_RPC_FAILED, RPC_DISAGREEMENT } from '../../errors/core.js';
import type { Signer } from '../../workers/signer-pool.js';
import { platformRegistration } from '../testing/answers.js';
import { ALICE, assertPasskey, challenge, createPasskey, make, prepare } from '../testing/registering.js';
import {
  askRegistry,
  besideVrfKeypair,
  derivePasskeyAccount,
  deviceRecords,
  isProven,
  type KnownDevice,
  makePasskey,
  recordsOf,
  wipeMade,
} from './new-passkey.js';

beforeEach(prepare);

const { signal } = new AbortController();
const secret = (byte: number) => new Uint8Array(32).fill(byte);
const ZERO = new Uint8Array(32);

/** Makes a passkey whose confirmation says yes; `shown` is what it showed. */
async function madeBy(options: object) {
  const { context, call } = make();
  const approve = vi.fn(async (_shown: object, attempt: () => Promise<unknown>) => attempt());
  const request = {
    accountId: ALICE,
    deviceNumber: 2,
    digest: 'd',
    exclude: [],
    challenge: async () => ({ bytes: new Uint8Array(32), of: challenge }),
    ...options,
  };
  const [signer, confirmation] = [{ call } as unknown as Signer, { approve } as unknown as Confirmation];
  await makePasskey(context, request, signer, confirmation, signal);
  return { shown: approve.mock.calls[0]?.[0] };
}

describe('a new passkey', () => {
  const model = {
    kind: 'registration',
    accountId: ALICE,
    deviceNumber: 2,
    rpId: 'localhost',
    networkId: 'testnet',
    digest: 'd',
  };

  it.each([
    ['nothing else', {}],
    ['the label of an account without a name', { label: 'Savings' }],
    ['what joins an account that exists', { joining: { checkCode: 'abcd' } }],
  ])('is confirmed with the account, the device and %s', async (_, more) => {
    const { shown } = await madeBy(more);
    expect(shown).toStrictEqual({ ...model, ...more });
  });

  it('without transports is asked again by its id alone', async () => {
    createPasskey.mockResolvedValueOnce({
      registration: { id: 'id', response: {} },
      prf: { kind: 'none' },
    });
    assertPasskey.mockReset();
    assertPasskey.mockRejectedValueOnce(new LatchkeyError(CANCELLED));
    await expect(madeBy({})).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(assertPasskey.mock.calls[0]?.[0]).toMatchObject({
      allow: [{ credentialId: 'id', transports: [] }],
    });
  });
});

describe('the keys of a new passkey', () => {
  const signerOf = (key: unknown) => {
    const call = vi.fn(async (_name: string, _args: readonly unknown[], _options: object) => key);
    return { call, signer: { call } as unknown as Signer };
  };

  it('are those of the account that the passkey alone makes', async () => {
    const { context, call: vrf } = make();
    const [first, second] = [secret(1), secret(2)];
    let given: unknown;
    vrf.mockImplementation(async (_name, [account, copy] = []) => {
      given = [account, [...(copy as Uint8Array)]];
      return { vrfPublicKey: 'Ag', encryptedVrfKeypair: {} };
    });
    const { call, signer } = signerOf({ accountId: 'implicit', key: 'key' });
    expect(await derivePasskeyAccount(context, signer, { first, second }, signal)).toEqual({
      accountId: 'implicit',
      key: 'key',
      vrfPublicKey: 'Ag',
      encryptedVrfKeypair: {},
    });
    const transfer = [first.buffer, second.buffer];
    expect(call.mock.calls).toEqual([['derivePasskeyAccount', [first, second], { signal, transfer }]]);
    expect(given).toEqual(['implicit', [...secret(1)]]);
  });

  it.each([
    ['that no worker takes', 'deriveKeypairFromPrf'],
    ['of a signer that fails', 'derivePasskeyAccount'],
  ])('leave no copy of the outputs %s', async (_, failing) => {
    const { context, call: vrf } = make();
    const copies: Uint8Array[] = [];
    const slice = vi.spyOn(Uint8Array.prototype, 'slice').mockImplementation(function (this: Uint8Array) {
      const copy = Uint8Array.from(this);
      copies.push(copy);
      return copy as Uint8Array<ArrayBuffer>;
    });
    const fail = async (name: string) => {
      if (name === failing) throw new LatchkeyError(CANCELLED);
      return { accountId: 'implicit', key: 'key' };
    };
    vrf.mockImplementation(fail);
    const outputs = { first: secret(1), second: secret(2) };
    const signer = { call: fail } as unknown as Signer;
    await expect(derivePasskeyAccount(context, signer, outputs, signal)).rejects.toMatchObject({
      code: 'CANCELLED',
    });
    slice.mockRestore();
    expect(copies.length).toBeGreaterThan(0);
    for (const copy of copies) expect(copy).toEqual(ZERO);
  });

  it('are not made of outputs that were handed over before', async () => {
    const { context } = make();
    const taken = besideVrfKeypair(context, ALICE, { first: new Uint8Array() }, signal, async () => 'key');
    await expect(taken).rejects.toMatchObject({ code: 'VRF_DERIVATION_FAILED' });
  });

  it('are proven by a second ceremony, and its error names the account by its label', async () => {
    const proof = { first: secret(1), second: secret(2) };
    const key = { publicKey: 'ed25519:key', encryptedPrivateKey: {} } as never;
    const by = (same: boolean) => ({ call: async () => same }) as unknown as Signer;
    expect(await isProven(by(true), ALICE, key, undefined, signal)).toBe(false);
    expect(await isProven(by(true), ALICE, key, proof, signal)).toBe(true);
    const unstable = (...label: string[]) => isProven(by(false), ALICE, key, proof, signal, ...label);
    await expect(unstable()).rejects.toMatchObject({ code: 'PASSKEY_UNSTABLE', values: { account: ALICE } });
    await expect(unstable('Savings')).rejects.toMatchObject({ values: { account: 'Savings' } });
  });

  it('are wiped where no worker took them', () => {
    const [prf, proof] = [1, 3].map((byte) => ({ first: secret(byte), second: secret(byte + 1) }));
    wipeMade({ prf, proof } as never);
    for (const outputs of [prf, proof]) expect([outputs?.first, outputs?.second]).toEqual([ZERO, ZERO]);
    wipeMade(undefined);
  });
});

describe('the question to the registry whether it takes a passkey', () => {
  it.each([
    ['no node answers', NEAR_RPC_FAILED, 'REGISTRATION_CHECK_UNANSWERED'],
    ['nodes disagree', RPC_DISAGREEMENT, 'RPC_DISAGREEMENT'],
  ])('fails by its own name where %s', async (_, text, code) => {
    const { context } = make();
    const error = new LatchkeyError(text, { values: { reason: 'offline' }, details: { kind: 'refused' } });
    context.rpc.callFunction = () => Promise.reject(error);
    const registration = { ...platformRegistration('credential'), response: { transports: [] } } as never;
    const failure = await askRegistry(context, { challenge, registration }, signal).catch((thrown) => thrown);
    expect(failure).toMatchObject({ code });
    if (code !== text.code)
      expect([failure.cause, failure.values]).toEqual([error, { reason: error.message }]);
  });
});

describe('the records of a device', () => {
  const known: KnownDevice = {
    accountId: ALICE,
    deviceNumber: 1,
    credential: { id: 'id', rawId: 'raw' },
    credentialPublicKey: Uint8Array.of(1),
    transports: ['usb'],
    registeredAt: 0,
    key: { publicKey: 'ed25519:key', encryptedPrivateKey: { encryptedData: 'sealed', iv: 'iv' } } as never,
    vrfPublicKey: 'Ag',
    encryptedVrfKeypair: {} as never,
    locked: null,
    passkeyBackup: 'device-bound' as never,
    passkeyProven: true,
  };

  it('name the device and keep no more than is known of its passkey', () => {
    const device = { nearAccountId: ALICE, deviceNumber: 1 };
    const { user, authenticator, encryptedKey } = recordsOf(known);
    const at = expect.any(Number);
    expect(user).toMatchObject({ ...device, passkeyCredential: { id: 'id', rawId: 'raw' }, registeredAt: 0 });
    expect(user).not.toHaveProperty('passkeyAttachment');
    expect(authenticator).toStrictEqual({
      ...device,
      credentialId: 'id',
      credentialPublicKey: Uint8Array.of(1),
      transports: ['usb'],
      name: 'Passkey',
      registered: '1970-01-01T00:00:00.000Z',
      syncedAt: expect.any(String),
      vrfPublicKey: 'Ag',
    });
    expect(encryptedKey).toStrictEqual({ ...device, encryptedData: 'sealed', iv: 'iv', timestamp: at });
  });

  it('number a further device, and keep the model and the place of its passkey', () => {
    const credential = { ...known.credential, authenticatorAttachment: 'cross-platform' };
    const { user, authenticator } = recordsOf({
      ...known,
      credential,
      deviceNumber: 2,
      aaguid: 'model',
    } as never);
    expect(user.passkeyAttachment).toBe('cross-platform');
    expect(authenticator).toMatchObject({ name: 'device 2', aaguid: 'model' });
  });

  it('have no transports where the browser named none', () => {
    const registration = { ...platformRegistration('id'), response: {} };
    const made = { registration, confirmed: { aaguid: 'model' }, key: known.key } as never;
    expect(deviceRecords(ALICE, 1, made, null).authenticator.transports).toEqual([]);
  });
});
