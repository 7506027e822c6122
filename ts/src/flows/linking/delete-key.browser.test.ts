import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TransactionsConfirmModel } from '../../confirm/port.js';
import { LatchkeyError, NEAR_RPC_FAILED, TRANSACTION_FAILED } from '../../errors/core.js';
import { overlayOn } from '../../frame/host/overlay-phases.js';
import { type AccessKeyList, readSignedTransaction, type TransactionOutcome } from '../../near/index.js';
import type { RegistryAuthenticator } from '../../registry/registry.js';
import { OUR_METADATA } from '../../registry/testing/our-registry.js';
import type { TransactionRequest } from '../../types.js';
import {
  addVirtualAuthenticator,
  type VirtualAuthenticator,
} from '../../webauthn/testing/virtual-authenticator.js';
import type { FlowContext } from '../context.js';
import { executeAction } from '../signing/sign-and-send.js';
import { cancelling } from '../testing/cancelling.js';
import { ALICE, type SignedIn, signIn } from '../testing/signed-in.js';
import { deleteDeviceKey } from './delete-key.js';
import { getLinkedDevices } from './devices.js';

const OTHER = 'ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2';
const THIRD = 'ed25519:6E8sCci9badyRkXb3JoRpBj5p8C6Tw41ELDZoiihKEtp';
const KEY_OF_NO_DEVICE = 'ed25519:GHpLRXN1sMpy4GE3rLHgUT5Y5JTAJrdTTfNEtLMY1Dpj';
const CREDENTIAL = 'b3RoZXI';

const realSignal = Object.getOwnPropertyDescriptor(PublicKeyCredential, 'signalUnknownCredential') ?? {
  value: undefined,
  configurable: true,
};
let authenticator: VirtualAuthenticator;
let wallet: SignedIn;
let context: FlowContext;
let own: string;
/** The chain's keys with their permissions, and the registry's devices. */
let keys: Map<string, 'FullAccess' | 'FunctionCall'>;
let devices: Map<string, { number: number; key: string; rpId?: string }>;
let signalled: ReturnType<typeof vi.fn>;

const done = (id: string): TransactionOutcome =>
  ({
    transactionId: id,
    final_execution_status: 'FINAL',
    status: { SuccessValue: '' },
  }) as TransactionOutcome;

beforeEach(async () => {
  authenticator = await addVirtualAuthenticator();
  wallet = await signIn();
  const user = await wallet.context.store.user(ALICE);
  own = user?.clientNearPublicKey ?? '';
  keys = new Map([
    [own, 'FullAccess'],
    [OTHER, 'FullAccess'],
  ]);
  devices = new Map([
    [user?.passkeyCredential.id ?? '', { number: 1, key: own }],
    [CREDENTIAL, { number: 2, key: OTHER }],
  ]);
  const rpc = {
    ...wallet.context.rpc,
    viewAccessKeyList: async () =>
      ({
        keys: [...keys].map(([publicKey, permission]) => ({
          public_key: publicKey,
          access_key: {
            nonce: 1,
            permission: permission === 'FullAccess' ? permission : { FunctionCall: {} },
          },
        })),
        block_height: 1000,
      }) as unknown as AccessKeyList,
    callFunctionJson: async (_schema: unknown, _contract: string, method: string) => {
      if (method === 'contract_source_metadata') return OUR_METADATA;
      return [...devices].map(([id, { number, key, rpId = location.hostname }]) => [
        id,
        {
          device_number: number,
          near_public_key: key,
          registered: 1_700_000_000_000 + number,
          expected_rp_id: rpId,
        } as unknown as RegistryAuthenticator,
      ]);
    },
  };
  context = { ...wallet.context, rpc: rpc as unknown as FlowContext['rpc'] };
  wallet.chain.onSend = async (index) => {
    if (index === 0) devices.delete(CREDENTIAL);
    if (index === 1) keys.delete(OTHER);
    return done(`tx-${index}`);
  };
  signalled = vi.fn(async () => undefined);
  Object.defineProperty(PublicKeyCredential, 'signalUnknownCredential', {
    value: signalled,
    configurable: true,
  });
});
afterEach(async () => {
  Object.defineProperty(PublicKeyCredential, 'signalUnknownCredential', realSignal);
  vi.restoreAllMocks();
  await wallet.close();
  await authenticator.remove();
});

/** Adds a third device, so that two remain after one is removed. */
function withThirdDevice(): void {
  keys.set(THIRD, 'FullAccess');
  devices.set('dGhpcmQ', { number: 3, key: THIRD });
}
const remove = (key: string) => deleteDeviceKey(context, ALICE, key, {});
const shown = () => (wallet.shown.at(-1) as { transactions: readonly TransactionRequest[] }).transactions;

describe('removing a device (core 4)', () => {
  it('names the device in the confirmation, also when a host asks to delete its key', async () => {
    withThirdDevice();
    const removes = () => (wallet.shown.at(-1) as TransactionsConfirmModel).removes;
    expect(await remove(OTHER)).toMatchObject({ success: true });
    const second = {
      deviceNumber: 2,
      registeredAt: 1_700_000_000_002,
      passkeyName: `${ALICE} (2)`,
      isCurrent: false,
    };
    expect(removes()).toEqual([second]);

    const byHost = (publicKey: string) =>
      executeAction(context, ALICE, ALICE, [{ type: 'DeleteKey', publicKey }], {});
    await byHost(own);
    expect(removes()).toEqual([
      { deviceNumber: 1, registeredAt: 1_700_000_000_001, passkeyName: ALICE, isCurrent: true },
    ]);
    await byHost(KEY_OF_NO_DEVICE);
    expect(removes()).toBeUndefined();
    await executeAction(context, ALICE, 'bob.testnet', [{ type: 'DeleteKey', publicKey: own }], {});
    expect(removes()).toBeUndefined();
  });

  it('names no device where the registry cannot be read, and still asks', async () => {
    context.rpc.callFunctionJson = () => Promise.reject(new LatchkeyError(NEAR_RPC_FAILED));
    await executeAction(context, ALICE, ALICE, [{ type: 'DeleteKey', publicKey: OTHER }], {});
    expect(wallet.shown).toHaveLength(1);
    expect(wallet.shown[0]).not.toHaveProperty('removes');
  });

  it('shows what it waits for on a frozen chain, in a frame too, and Cancel ends it', async () => {
    const confirmer = cancelling();
    const frozen = { ...context.rpc, viewAccessKeyList: () => new Promise<never>(() => undefined) };
    context = { ...context, rpc: frozen, confirmer: () => confirmer };
    const shown: unknown[] = [];
    const result = await deleteDeviceKey(context, ALICE, OTHER, {
      onEvent: (event) => shown.push(overlayOn(event)),
    });
    expect(result).toMatchObject({ success: false, errorCode: 'CANCELLED' });
    expect(confirmer.waits).toHaveLength(1);
    expect(shown).toEqual(['show', 'hide']);
    expect(wallet.chain.sent).toEqual([]);
  });

  it('removes its registration, then its key, in one approval, and tells the browser', async () => {
    withThirdDevice();
    const asked = vi.spyOn(navigator.credentials, 'get');
    const sent = vi.spyOn(context.rpc, 'sendTransaction');
    expect(await remove(OTHER)).toMatchObject({ success: true, transactionId: 'tx-1' });
    expect(asked).toHaveBeenCalledTimes(1);
    expect(sent.mock.calls.map(([, level]) => level)).toEqual(['INCLUDED_FINAL', 'INCLUDED_FINAL']);
    expect(shown()).toEqual([
      {
        receiverId: 'w3a-v1.testnet',
        actions: [
          expect.objectContaining({
            methodName: 'remove_authenticator',
            args: `{"credential_id":"${CREDENTIAL}"}`,
            deposit: '1',
          }),
        ],
      },
      { receiverId: ALICE, actions: [{ type: 'DeleteKey', publicKey: OTHER }] },
    ]);
    await expect.poll(() => signalled.mock.calls).toHaveLength(1);
    expect(signalled).toHaveBeenCalledExactlyOnceWith({ rpId: location.hostname, credentialId: CREDENTIAL });
  });

  it('finishes a removal of which only the registration is left', async () => {
    withThirdDevice();
    keys.delete(OTHER);
    expect((await getLinkedDevices(context, ALICE)).devices).toMatchObject([
      { deviceNumber: 1, isCurrent: true, accessKey: own },
      { deviceNumber: 2, isCurrent: false, accessKey: null, registeredKey: OTHER },
      { deviceNumber: 3 },
    ]);
    expect(await remove(OTHER)).toMatchObject({ success: true, transactionId: 'tx-0' });
    expect(shown()).toMatchObject([{ receiverId: 'w3a-v1.testnet' }]);
    await expect.poll(() => signalled.mock.calls).toHaveLength(1);
  });

  it('says on a repeated call that the key is no longer there, even when one key is left', async () => {
    expect(await remove(OTHER)).toMatchObject({ success: true });
    expect([...keys.keys()]).toEqual([own]);
    expect(await remove(OTHER)).toMatchObject({
      success: false,
      errorCode: 'ACCESS_KEY_NOT_FOUND',
      error: `Access key ${OTHER} not found on account ${ALICE}`,
      fate: 'not-sent',
    });
  });

  it('tells the browser nothing while the registry still lists the passkey or cannot be read', async () => {
    wallet.chain.onSend = async (index) => done(`tx-${index}`);
    expect(await remove(OTHER)).toMatchObject({ success: true });
    let reads = 0;
    const { rpc } = context;
    const callFunctionJson = async (...args: Parameters<typeof rpc.callFunctionJson>) => {
      reads += 1;
      // The first two read what to remove, and its name for the confirmation.
      if (reads > 2) throw new LatchkeyError(NEAR_RPC_FAILED, { values: { reason: 'down' } });
      return rpc.callFunctionJson(...args);
    };
    context = {
      ...context,
      rpc: { ...rpc, callFunctionJson: callFunctionJson as typeof rpc.callFunctionJson },
    };
    expect(await remove(OTHER)).toMatchObject({ success: true });
    await expect.poll(() => reads).toBe(3);
    expect(signalled).not.toHaveBeenCalled();
  });

  it('tells the browser nothing about a passkey of another site, and tolerates a browser that refuses', async () => {
    devices.set(CREDENTIAL, { number: 2, key: OTHER, rpId: 'elsewhere.example' });
    expect(await remove(OTHER)).toMatchObject({ success: true });
    expect(signalled).not.toHaveBeenCalled();
    keys.set(THIRD, 'FullAccess');
    devices.set('dGhpcmQ', { number: 3, key: THIRD });
    wallet.chain.onSend = async (index) => {
      keys.delete(THIRD);
      devices.delete('dGhpcmQ');
      return done(`tx-${index}`);
    };
    signalled.mockRejectedValue(new DOMException('no', 'SecurityError'));
    expect(await remove(THIRD)).toMatchObject({ success: true });
    await expect.poll(() => signalled.mock.calls).toHaveLength(1);
  });
});

describe('devices that remove each other at the same time', () => {
  it.each([
    ['two', () => undefined],
    ['three in a circle', withThirdDevice],
  ])(
    'ask the registry first, which keeps the last device: a device that comes too late deletes no key (%s)',
    async (_, given) => {
      given();
      wallet.chain.onSend = async () => {
        // The other devices' removals came first.
        throw new LatchkeyError(TRANSACTION_FAILED, {
          values: { reason: 'the last authenticator cannot be removed' },
          details: { fate: 'failed' },
        });
      };
      expect(await remove(OTHER)).toMatchObject({ success: false, errorCode: 'TRANSACTION_FAILED' });
      expect(shown()).toMatchObject([
        { receiverId: 'w3a-v1.testnet', actions: [{ methodName: 'remove_authenticator' }] },
        { receiverId: ALICE, actions: [{ type: 'DeleteKey', publicKey: OTHER }] },
      ]);
      expect(wallet.chain.sent).toHaveLength(1);
    },
  );

  it('answers with the transaction that deleted the key', async () => {
    wallet.chain.onSend = async (index) => {
      if (index === 0) devices.delete(CREDENTIAL);
      if (index === 1) keys.delete(OTHER);
      return done(`tx-${index}`);
    };
    expect(await remove(OTHER)).toMatchObject({ success: true, transactionId: 'tx-1' });
    await expect.poll(() => signalled.mock.calls).toHaveLength(1);
  });

  it('says when the key is still there, and a repeated call deletes it', async () => {
    wallet.chain.onSend = async (index) => {
      if (index > 0) throw new LatchkeyError(NEAR_RPC_FAILED, { values: { reason: 'down' } });
      devices.delete(CREDENTIAL);
      return done('registration');
    };
    expect(await remove(OTHER)).toMatchObject({
      success: false,
      errorCode: 'DEVICE_KEY_LEFT',
      error: expect.stringContaining('Remove it again to finish. (RPC request failed: down)'),
    });
    expect((await getLinkedDevices(context, ALICE)).otherKeys).toEqual([OTHER]);

    wallet.chain.onSend = async () => {
      keys.delete(OTHER);
      return done('key');
    };
    expect(await remove(OTHER)).toMatchObject({ success: true, transactionId: 'key' });
    expect(shown()).toMatchObject([{ receiverId: ALICE }]);
  });
});

describe('a host that stops waiting for a removal', () => {
  it.each([0, 1])('learns that it was sent, with its id (transaction %i)', async (last) => {
    const stopping = new AbortController();
    wallet.chain.onSend = async (index, options) => {
      if (index < last) return done(`tx-${index}`);
      const outcome = { ...done(`tx-${index}`), status: 'Started' } as unknown as TransactionOutcome;
      options?.onState?.({ name: 'included', outcome });
      stopping.abort();
      throw options?.signal?.reason;
    };
    const result = await deleteDeviceKey(context, ALICE, OTHER, { signal: stopping.signal });
    expect(result).toMatchObject({ success: false, errorCode: 'NEAR_RPC_FAILED', fate: 'sent' });
    const { transactionId } = await readSignedTransaction(wallet.chain.sent[last] ?? new Uint8Array());
    expect(result.transactionId).toBe(transactionId);
    expect(wallet.chain.sent).toHaveLength(last + 1);
  });
});

describe('a removal that would lock the account (core 5, core 6)', () => {
  const givens: readonly [what: string, code: string, given: () => unknown, key: () => string][] = [
    ['the last key', 'LAST_ACCESS_KEY', () => keys.delete(OTHER) && devices.delete(CREDENTIAL), () => own],
    [
      'the last key with full access',
      'LAST_FULL_ACCESS_KEY',
      () => keys.set(own, 'FunctionCall'),
      () => OTHER,
    ],
    ['the last registered device', 'LAST_DEVICE', () => devices.delete(CREDENTIAL), () => own],
    ['the key of this very device', 'OWN_DEVICE_KEY', () => undefined, () => own],
    ['a key that is not there', 'ACCESS_KEY_NOT_FOUND', () => undefined, () => THIRD],
  ];
  it.each(givens)('is refused before any prompt: %s', async (_, code, given, key) => {
    given();
    const asked = vi.spyOn(navigator.credentials, 'get');
    expect(await remove(key())).toMatchObject({ success: false, errorCode: code, fate: 'not-sent' });
    expect(asked).not.toHaveBeenCalled();
    expect(wallet.chain.sent).toEqual([]);
  });
});
