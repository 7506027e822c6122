import { beforeEach, describe, expect, it, vi } from 'vitest';
import { adoptAccount } from '../../adopt-account.js';
import { LatchkeyError, NEAR_RPC_FAILED } from '../../errors/core.js';
import type { KeyToAdd, LinkedAccount } from '../../types.js';
import type { Wallet } from '../../wallet.js';
import type { FlowContext } from '../context.js';
import {
  ALICE,
  assertPasskey,
  createPasskey,
  HEIGHT,
  make,
  OWN,
  prepare,
  refused,
  untilDone,
} from '../testing/joining-device.js';
import { loseBlockAtClick } from '../testing/losing-block.js';
import { abandonAdoption, finishAdoption, prepareAdoption } from './adopt.js';

beforeEach(prepare);
beforeEach(() => {
  createPasskey.mockClear();
});

/** A wallet whose account has no key of this device and no device yet, and the page that brings it. */
function makeAdopting() {
  const device = make();
  const { chain, context, events } = device;
  chain.keys = new Set(['ed25519:first']);
  chain.counter = 0;
  Object.assign(device.worker, {
    deriveAndSeal: {
      derived: { publicKey: OWN.publicKey, encryptedPrivateKey: { encryptedData: 'sealed', iv: 'iv' } },
      sealed: OWN,
      other: null,
    },
  });
  const wallet = {
    prepareAdoption: (id, options = {}) => prepareAdoption(context, id, options),
    finishAdoption: (id, options = {}) => finishAdoption(context, id, options),
    abandonAdoption: (id) => abandonAdoption(context, id),
  } as Wallet;
  const asked: KeyToAdd[] = [];
  /** The other wallet, which adds the key. */
  const adding = async (key: KeyToAdd): Promise<void> => {
    asked.push(key);
    chain.keys.add(key.publicKey);
  };
  async function adopt(addKey: (key: KeyToAdd) => Promise<unknown> = adding): Promise<LinkedAccount> {
    let end: LinkedAccount | undefined;
    const ended = adoptAccount(wallet, {
      accountId: ALICE,
      addKey,
      options: { onEvent: (event) => events.push(event) },
    }).then((result) => {
      end = result;
    });
    await untilDone(() => end !== undefined);
    await ended;
    return end as unknown as LinkedAccount;
  }
  return { ...device, asked, adopt, adding };
}

/** The registry's record names the device as the first. */
const asFirst = (journal: Map<string, object>) => {
  for (const entry of journal.values()) expect(entry).toMatchObject({ deviceNumber: 1, replaces: null });
};

describe('an account that another wallet controls (core 9)', () => {
  it('gets one AddKey from there, then its device registers by that key and is logged in', async () => {
    const { adopt, asked, chain, journal, events, context, vrf } = makeAdopting();
    Object.assign(context.rpc, registeredAs(1, chain));
    const result = await adopt(async (key) => {
      asFirst(journal);
      asked.push(key);
      chain.keys.add(key.publicKey);
    });
    expect(result).toMatchObject({ success: true, nearAccountId: ALICE, deviceNumber: 1, isLoggedIn: true });
    const accessKey = { permission: 'FullAccess' };
    expect(asked).toEqual([
      {
        accountId: ALICE,
        receiverId: ALICE,
        publicKey: OWN.publicKey,
        action: { type: 'AddKey', params: { publicKey: OWN.publicKey, accessKey } },
      },
    ]);
    expect(chain.sent).toEqual(['registration']);
    expect(vrf.takeOver).toHaveBeenCalledOnce();
    expect(journal.size).toBe(0);
    expect(events.map(({ phase }) => phase)).toContain('addkey-detected');
  });

  it('resolves where the other wallet refuses, and the chain cannot be asked whether it added the key', async () => {
    const unasked = new LatchkeyError(NEAR_RPC_FAILED, { values: { reason: 'no node answered' } });
    const publicKey = OWN.publicKey;
    const wallet = {
      prepareAdoption: async () => ({ success: true, nearAccountId: ALICE, publicKey, isAdded: false }),
      abandonAdoption: () => Promise.reject(unasked),
    } as unknown as Wallet;
    const addKey = () => Promise.reject(new Error('refused'));
    expect(await adoptAccount(wallet, { accountId: ALICE, addKey })).toEqual({
      success: false,
      error: unasked.message,
      errorCode: 'NEAR_RPC_FAILED',
      errorValues: { reason: 'no node answered' },
      nearAccountId: ALICE,
      deviceNumber: null,
      publicKey: null,
      transactionIds: [],
      isLoggedIn: false,
    });
  });

  it('shows the account in the confirmation and waits for a click, whatever the settings say [S70]', async () => {
    const { adopt, context } = makeAdopting();
    const shown: unknown[] = [];
    Object.assign(context.config, { confirmationConfig: { uiMode: 'skip', behavior: 'autoProceed' } });
    Object.assign(context, {
      confirmer: () => ({
        show: async (model: unknown) => {
          shown.push(model);
          return 'cancel';
        },
      }),
    });
    expect(await adopt()).toMatchObject({ success: false, errorCode: 'CANCELLED' });
    expect(shown).toMatchObject([
      { kind: 'registration', accountId: ALICE, joining: {}, behavior: 'requireClick' },
    ]);
    expect(createPasskey).not.toHaveBeenCalled();
  });

  it('reads the block at the click three times, and offers another try of its confirmation', async () => {
    const { adopt, chain, context } = makeAdopting();
    Object.assign(context.rpc, registeredAs(1, chain));
    const shown = loseBlockAtClick(context);
    expect(await adopt()).toMatchObject({ success: true });
    expect(shown).toMatchObject([{}, { retry: 'failed', error: 'VRF refresh failed' }]);
  });

  it('is refused before any prompt when it cannot pay for the registration', async () => {
    const { adopt, chain, asked } = makeAdopting();
    chain.balance = '1';
    expect(await adopt()).toMatchObject({ success: false, errorCode: 'INSUFFICIENT_BALANCE' });
    expect(createPasskey).not.toHaveBeenCalled();
    expect(asked).toEqual([]);
  });
});

describe('a page that wants an account without its key', () => {
  it('says that it added the key, and did not: nothing is registered, and the same passkey waits for it [S70]', async () => {
    const { adopt, chain, journal, context, adding } = makeAdopting();
    expect(await adopt(async () => ({ status: { SuccessValue: '' } }))).toMatchObject({
      success: false,
      errorCode: 'ADOPTED_KEY_MISSING',
    });
    expect(chain.sent).toEqual([]);
    expect(journal.get(ALICE)?.key.publicKey).toBe(OWN.publicKey);

    Object.assign(context.rpc, registeredAs(1, chain));
    expect(await adopt(adding)).toMatchObject({ success: true });
    expect(createPasskey).toHaveBeenCalledOnce();
  });

  it('adds a key that may call one contract only: that is no full access, and nothing is registered', async () => {
    const { adopt, chain, context } = makeAdopting();
    const permission = { FunctionCall: { receiver_id: 'w3a-v1.testnet', method_names: [], allowance: null } };
    const { viewAccessKey } = context.rpc;
    Object.assign(context.rpc, {
      viewAccessKey: async (account: string, key: string) => {
        const view = await viewAccessKey(account, key);
        return key === OWN.publicKey && view ? { ...view, permission } : view;
      },
    });
    const result = await adopt(async (key) => void chain.keys.add(key.publicKey));
    expect(result).toMatchObject({ success: false, errorCode: 'ADOPTED_KEY_MISSING' });
    expect(chain.sent).toEqual([]);
  });

  it('finishes an adoption that was never prepared: it finds none', async () => {
    const { context } = makeAdopting();
    let end: LinkedAccount | undefined;
    void finishAdoption(context, ALICE, {}).then((result) => {
      end = result;
    });
    await untilDone(() => end !== undefined);
    expect(end).toMatchObject({ success: false, errorCode: 'LINK_NOT_FOUND' });
  });
});

describe('the VRF worker with the keypair of a passkey that waits for its key', () => {
  it('is the one that the end logs in with: between the two calls it stays, and no other one starts', async () => {
    const { adopt, chain, context, vrf, beside } = makeAdopting();
    Object.assign(context.rpc, registeredAs(1, chain));
    const started = vi.spyOn(vrf, 'beside');
    const result = await adopt(async (key) => {
      expect(beside.close).not.toHaveBeenCalled();
      chain.keys.add(key.publicKey);
    });
    expect(result).toMatchObject({ success: true, isLoggedIn: true });
    expect(started).toHaveBeenCalledOnce();
    expect(vrf.takeOver).toHaveBeenCalledWith(beside);
  });

  it.each([
    ['a logout', async ({ context }: { context: FlowContext }) => context.logout.end()],
    [
      'a refusal by the other wallet',
      async () => {
        throw new Error('no');
      },
    ],
  ])('ends with %s', async (_, between) => {
    const { adopt, context, beside } = makeAdopting();
    await adopt(async () => between({ context }));
    expect(beside.close).toHaveBeenCalled();
  });
});

describe('an adoption that stops half way', () => {
  it('rolls back when the other wallet refuses, and says why', async () => {
    const { adopt, chain, journal } = makeAdopting();
    const result = await adopt(async () => {
      throw new Error('User rejected');
    });
    expect(result).toMatchObject({ success: false, errorCode: 'ADOPTION_REFUSED' });
    expect(result.error).toContain('User rejected');
    expect(journal.size).toBe(0);
    expect(chain.sent).toEqual([]);
  });

  it('goes on when the other wallet failed only after it had sent', async () => {
    const { adopt, chain, context, adding } = makeAdopting();
    Object.assign(context.rpc, registeredAs(1, chain));
    const result = await adopt(async (key) => {
      await adding(key);
      throw new Error('window closed');
    });
    expect(result).toMatchObject({ success: true, deviceNumber: 1 });
  });

  it('asks the other wallet no second time once the account has the key', async () => {
    const { adopt, chain, context, asked } = makeAdopting();
    const gone = new AbortController();
    let prepared: unknown;
    void prepareAdoption(context, ALICE, { signal: gone.signal }).then((result) => {
      prepared = result;
    });
    await untilDone(() => prepared !== undefined);
    // The page ends here. The other wallet's transaction lands.
    chain.keys.add(OWN.publicKey);
    Object.assign(context.rpc, registeredAs(1, chain));
    expect(await adopt()).toMatchObject({ success: true });
    expect(asked).toEqual([]);
    expect(createPasskey).toHaveBeenCalledOnce();
  });

  it('makes another passkey where the registry no longer takes the first', async () => {
    const { adopt, chain, journal } = makeAdopting();
    await adopt(async () => undefined);
    expect(journal.size).toBe(1);
    chain.height = HEIGHT + 1_000;
    await adopt(async () => {
      throw new Error('no');
    });
    expect(createPasskey).toHaveBeenCalledTimes(2);
    expect(journal.size).toBe(0);
  });

  it('keeps the key of a registration that the chain did not answer, for the next start', async () => {
    const { adopt, chain, journal } = makeAdopting();
    chain.onSend = () => {
      throw refused('NotEnoughBalance', { balance: '1', cost: '2' });
    };
    expect(await adopt()).toMatchObject({ success: false, errorCode: 'INSUFFICIENT_BALANCE' });
    expect(journal.get(ALICE)?.key.publicKey).toBe(OWN.publicKey);
    expect(assertPasskey).not.toHaveBeenCalled();
  });
});

/** The registry's answers once it has registered the device under this number. */
function registeredAs(deviceNumber: number, chain: ReturnType<typeof make>['chain']) {
  const { callFunctionJson } = make().context.rpc;
  const record = {
    device_number: deviceNumber,
    near_public_key: OWN.publicKey,
    vrf_public_keys: [Uint8Array.of(1), Uint8Array.of(2)],
    transports: [],
  };
  return {
    callFunctionJson: vi.fn(async (schema: never, contract: string, method: string) => {
      if (method === 'get_device_counter') return chain.registered ? deviceNumber : deviceNumber - 1;
      if (method === 'get_authenticators_by_user') return chain.registered ? [['credential', record]] : [];
      return callFunctionJson(schema, contract, method, {});
    }),
  };
}
