import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  errorFrom,
  LatchkeyError,
  RPC_DISAGREEMENT,
  STORAGE_FULL,
  TRANSACTION_FAILED,
  WORKER_CLOSED,
} from '../../errors/wallet.js';
import { type AccessKeyView, readSignedTransaction, type TransactionOutcome } from '../../near/index.js';
import { appKeyName } from '../../storage/app-key-name.js';
import {
  addVirtualAuthenticator,
  type VirtualAuthenticator,
} from '../../webauthn/testing/virtual-authenticator.js';
import { resume } from '../resume.js';
import { logout } from '../session/session.js';
import { executeAction } from '../signing/sign-and-send.js';
import { cancelling } from '../testing/cancelling.js';
import { ALICE, BLOCK_HASH, type SignedIn, signIn } from '../testing/signed-in.js';
import { addAppKey, callWithAppKey, revokeAppKey } from './index.js';

const GAME = 'game.testnet';
const toMake = { receiverId: GAME, methodNames: ['play'] };

let authenticator: VirtualAuthenticator;
let wallet: SignedIn;
/** The chain's answers about keys other than the account's own. */
let permission: AccessKeyView['permission'] | null;

beforeEach(async () => {
  authenticator = await addVirtualAuthenticator();
  wallet = await signIn();
  permission = null;
  const own = (await wallet.context.store.user(ALICE))?.clientNearPublicKey;
  vi.spyOn(wallet.context.rpc, 'viewAccessKey').mockImplementation(async (_account, publicKey) => {
    wallet.chain.calls.push('view_access_key');
    const key = publicKey === own ? 'FullAccess' : permission;
    if (!key) return null;
    const { nonce, height } = wallet.chain;
    return { nonce, permission: key, block_height: height, block_hash: BLOCK_HASH };
  });
});

afterEach(async () => {
  vi.restoreAllMocks();
  const { store } = wallet.context;
  for (const entry of await store.journal.entries('appKey')) await store.journal.drop(entry);
  for (const { name, deviceNumber } of await kept()) await store.sealedKeys.drop(name, deviceNumber);
  await wallet.close();
  await authenticator.remove();
});

const kept = () => wallet.context.store.sealedKeys.list(appKeyName(ALICE));
const journal = () => wallet.context.store.journal.entries('appKey');
const rejecting =
  (code: 'TRANSACTION_FAILED' | 'NEAR_RPC_FAILED', details: Record<string, unknown>) => async () => {
    throw errorFrom({ code, message: 'no', details });
  };
const lost = rejecting('NEAR_RPC_FAILED', { kind: 'outcome_unknown' });
const bounds = { FunctionCall: { allowance: '1', receiver_id: GAME, method_names: ['play'] } };

describe('adding an app key', () => {
  it('journals the key before its transaction leaves, and stores it only afterwards', async () => {
    const seen: unknown[] = [];
    const succeed = wallet.chain.onSend;
    wallet.chain.onSend = async (index) => {
      seen.push(
        (await journal()).map(({ sealed }) => sealed.publicKey),
        await kept(),
      );
      return succeed(index);
    };
    const { success, publicKey } = await addAppKey(wallet.context, ALICE, toMake, {});
    expect(success).toBe(true);
    expect(seen).toEqual([[publicKey], []]);
    expect(await journal()).toEqual([]);
    expect((await kept()).map(({ sealed }) => sealed.publicKey)).toEqual([publicKey]);
  });

  it('shows the bounds of the key, with an allowance of 0.25 NEAR by default', async () => {
    const { publicKey } = await addAppKey(wallet.context, ALICE, toMake, {});
    const permission = { FunctionCall: { ...toMake, allowance: '250000000000000000000000' } };
    expect(wallet.shown).toMatchObject([
      {
        transactions: [
          { receiverId: ALICE, actions: [{ type: 'AddKey', publicKey, accessKey: { permission } }] },
        ],
      },
    ]);
  });

  it('makes what is prepaid the allowance where the network has no gas keys, and where it does not tell', async () => {
    const prepaid = { ...toMake, prepaid: '0.1', lanes: 2 };
    const protocol = vi.spyOn(wallet.context.rpc, 'protocolConfig');
    const tooOld = { protocol_version: 84 } as never;
    const silent = rejecting('NEAR_RPC_FAILED', { kind: 'unreachable' });
    for (const answer of [silent, async () => tooOld]) {
      protocol.mockImplementation(answer);
      const { publicKey } = await addAppKey(wallet.context, ALICE, prepaid, {});
      const permission = { FunctionCall: { ...toMake, allowance: '100000000000000000000000' } };
      expect(wallet.shown.at(-1)).toMatchObject({
        transactions: [{ actions: [{ type: 'AddKey', publicKey, accessKey: { permission } }] }],
      });
    }
  });

  it.each([
    [
      'the chain refused',
      rejecting('TRANSACTION_FAILED', { kind: 'invalid_transaction', reason: 'InvalidSigner' }),
    ],
    [
      'failed on the chain',
      async () => ({ transactionId: 't', status: { Failure: { x: 1 } } }) as unknown as TransactionOutcome,
    ],
    ['reached no node', rejecting('NEAR_RPC_FAILED', { kind: 'unreachable' })],
  ])('keeps nothing of a key whose transaction %s', async (_, onSend) => {
    wallet.chain.onSend = onSend;
    const result = await addAppKey(wallet.context, ALICE, toMake, {});
    expect(result.success).toBe(false);
    expect(result.pending).toBeUndefined();
    expect([await journal(), await kept()]).toEqual([[], []]);
  });

  it('sends nothing when the key cannot be stored', async () => {
    vi.spyOn(wallet.context.store.journal, 'open').mockRejectedValue(new LatchkeyError(STORAGE_FULL));
    const result = await addAppKey(wallet.context, ALICE, toMake, {});
    expect(result).toMatchObject({ success: false, errorCode: 'STORAGE_FULL' });
    expect(wallet.chain.sent).toEqual([]);
    expect(await kept()).toEqual([]);
  });

  it('signs again inside the same approval when its nonce was overtaken, and updates the journal', async () => {
    const ids: (string | undefined)[] = [];
    const succeed = wallet.chain.onSend;
    wallet.chain.onSend = async (index) => {
      ids.push((await journal())[0]?.transaction.transactionId);
      if (index > 0) return succeed(index);
      throw new LatchkeyError(TRANSACTION_FAILED, {
        details: { kind: 'invalid_transaction', reason: 'InvalidNonce' },
      });
    };
    expect((await addAppKey(wallet.context, ALICE, toMake, {})).success).toBe(true);
    expect(wallet.shown).toHaveLength(1);
    expect(new Set(ids).size).toBe(2);
    expect(await journal()).toEqual([]);
  });
});

describe('a malformed list of methods or allowance', () => {
  it.each([
    [{ methodNames: 'play' }, 'The methodNames of an app key must be a list of texts'],
    [{ allowance: 25 }, 'The allowance of an app key must be above 0, in yoctoNEAR, or null for no limit'],
  ])('is refused by name: %o', async (wrong, problem) => {
    const result = await addAppKey(wallet.context, ALICE, { ...toMake, ...(wrong as object) }, {});
    expect(result).toMatchObject({ success: false, errorCode: 'INVALID_ACTION' });
    expect(result.error).toContain(problem);
    expect(wallet.shown).toEqual([]);
  });
});

describe('two nodes that disagree about an app key', () => {
  it('end its revocation, and its records stay', async () => {
    const { publicKey } = await addAppKey(wallet.context, ALICE, toMake, {});
    const { rpc } = wallet.context;
    const single = rpc.viewAccessKey;
    vi.spyOn(rpc, 'viewAccessKey').mockImplementation(async (account, key, view) => {
      if (key === publicKey && view?.agreed) throw new LatchkeyError(RPC_DISAGREEMENT);
      return single(account, key, view);
    });
    const result = await revokeAppKey(wallet.context, ALICE, publicKey ?? '', {});
    expect(result).toMatchObject({ success: false, errorCode: 'RPC_DISAGREEMENT' });
    expect(await kept()).toHaveLength(1);
  });
});

describe('an app key whose answer was lost', () => {
  const add = async () => {
    const succeed = wallet.chain.onSend;
    wallet.chain.onSend = lost;
    const result = await addAppKey(wallet.context, ALICE, toMake, {});
    wallet.chain.onSend = succeed;
    expect(result).toMatchObject({ success: false, pending: true, fate: 'unknown' });
    expect(await kept()).toEqual([]);
    return result;
  };
  const outcome = async () => (await resume(wallet.context)).appKeys?.map((key) => key.outcome);

  it('is kept at the next start when the chain has it', async () => {
    const { publicKey } = await add();
    permission = bounds;
    expect(await outcome()).toEqual(['kept']);
    expect((await kept()).map(({ sealed }) => sealed.publicKey)).toEqual([publicKey]);
    expect(await outcome()).toBeUndefined();
  });

  it('is found by the next call too, without a restart', async () => {
    await add();
    permission = bounds;
    const result = await callWithAppKey(
      wallet.context,
      ALICE,
      { receiverId: GAME, methodName: 'play', args: {} },
      {},
    );
    expect(result.success).toBe(true);
  });

  it('stays unknown while the chain may still take its transaction', async () => {
    await add();
    expect(await outcome()).toEqual(['pending']);
    expect(await journal()).toHaveLength(1);
  });

  it('is forgotten once another transaction spends its nonce', async () => {
    await add();
    wallet.chain.nonce = 200;
    expect(await outcome()).toEqual(['dropped']);
    expect([await journal(), await kept()]).toEqual([[], []]);
  });

  it('is forgotten when the chain executed its transaction and that failed', async () => {
    const { transactionId } = await add();
    const failed = {
      transactionId,
      status: { Failure: { ActionError: {} } },
    } as unknown as TransactionOutcome;
    wallet.chain.outcomes.set(transactionId ?? '', failed);
    expect(await outcome()).toEqual(['dropped']);
  });

  it('leaves nothing behind when the user revokes it before it is looked up', async () => {
    const { publicKey, transactionId } = await add();
    permission = bounds;
    expect((await revokeAppKey(wallet.context, ALICE, publicKey ?? '', {})).success).toBe(true);
    permission = null;
    const executed = { transactionId, status: { SuccessValue: '' } } as unknown as TransactionOutcome;
    wallet.chain.outcomes.set(transactionId ?? '', executed);
    expect(await outcome()).toBeUndefined();
    expect([await journal(), await kept()]).toEqual([[], []]);
  });

  it('is not settled by another tab while this tab still sends it', async () => {
    const succeed = wallet.chain.onSend;
    const seen: unknown[] = [];
    wallet.chain.onSend = async (index) => {
      // Another transaction spends the nonce of this copy: a tab that looks it up concludes that the chain will never take it.
      wallet.chain.nonce = 200;
      seen.push(await outcome(), (await journal()).length);
      return succeed(index);
    };
    expect((await addAppKey(wallet.context, ALICE, toMake, {})).success).toBe(true);
    expect(seen).toEqual([['pending'], 1]);
    expect(await kept()).toHaveLength(1);
  });

  it('is looked up again when the chain cannot be reached', async () => {
    await add();
    vi.spyOn(wallet.context.rpc, 'viewAccessKey').mockImplementation(
      rejecting('NEAR_RPC_FAILED', { kind: 'unreachable' }),
    );
    expect(await outcome()).toEqual(['pending']);
    expect(await journal()).toHaveLength(1);
  });
});

describe('calling with an app key', () => {
  const call = { receiverId: GAME, methodName: 'play', args: { move: 1 } };

  beforeEach(async () => {
    await addAppKey(wallet.context, ALICE, toMake, {});
    permission = bounds;
    wallet.chain.sent.length = 0;
  });

  it('needs no passkey, no confirmation and no request to the registry', async () => {
    const asked = vi.spyOn(navigator.credentials, 'get');
    wallet.chain.calls.length = 0;
    wallet.shown.length = 0;
    const results = await Promise.all([1, 2, 3].map(() => callWithAppKey(wallet.context, ALICE, call, {})));
    expect(results.map(({ success }) => success)).toEqual([true, true, true]);
    expect([asked.mock.calls.length, wallet.shown.length]).toEqual([0, 0]);
    expect(wallet.chain.calls).not.toContain('verify_authentication_response');
    expect(wallet.chain.sent).toHaveLength(3);
    expect(new Set(wallet.chain.sent.map(String)).size).toBe(3);
  });

  it('needs an account that is logged in', async () => {
    await logout(wallet.context);
    expect(await callWithAppKey(wallet.context, ALICE, call, {})).toMatchObject({
      success: false,
      errorCode: 'NOT_LOGGED_IN',
    });
    expect(wallet.chain.sent).toEqual([]);
  });

  it('says that a key that cannot be unsealed is unusable, and what to do', async () => {
    const other = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, [
      'encrypt',
      'decrypt',
    ]);
    vi.spyOn(wallet.context.store.sealedKeys, 'wrappingKey').mockResolvedValue(other);
    const [key] = await kept();
    const result = await callWithAppKey(wallet.context, ALICE, call, {});
    expect(result).toMatchObject({ success: false, errorCode: 'SEALED_KEY_UNUSABLE' });
    expect(result.error).toContain(key?.sealed.publicKey);
    expect(wallet.chain.sent).toEqual([]);
  });

  it('takes the key with the most allowance left, and never a used-up one before another', async () => {
    const [first] = await kept();
    const used = first?.sealed.publicKey;
    const { publicKey: fresh } = await addAppKey(wallet.context, ALICE, toMake, {});
    for (const [rich, poor] of [
      [fresh, used],
      [used, fresh],
    ]) {
      vi.spyOn(wallet.context.rpc, 'viewAccessKey').mockImplementation(async (_account, publicKey) => {
        const allowance = publicKey === poor ? '5' : '40';
        const permission = { FunctionCall: { ...bounds.FunctionCall, allowance } };
        const { nonce, height } = wallet.chain;
        return { nonce, permission, block_height: height, block_hash: BLOCK_HASH };
      });
      wallet.context.contexts.clear();
      wallet.chain.sent.length = 0;
      expect((await callWithAppKey(wallet.context, ALICE, call, {})).success).toBe(true);
      const { accessKey } = await readSignedTransaction(wallet.chain.sent[0] ?? new Uint8Array());
      expect(accessKey?.publicKey).toBe(rich);
    }
  });

  it('returns its nonce when nothing was signed', async () => {
    const { signers } = wallet.context;
    vi.spyOn(signers, 'acquire').mockRejectedValueOnce(new LatchkeyError(WORKER_CLOSED));
    expect((await callWithAppKey(wallet.context, ALICE, call, {})).success).toBe(false);
    const [key] = await kept();
    const { nonces } = await wallet.context.contexts.reserve(ALICE, key?.sealed.publicKey ?? '', 1);
    expect(nonces).toEqual([String(wallet.chain.nonce + 1)]);
  });
});

describe('revoking an app key', () => {
  it('forgets the key only after the chain took the DeleteKey', async () => {
    const { publicKey } = await addAppKey(wallet.context, ALICE, toMake, {});
    permission = bounds;
    wallet.chain.onSend = lost;
    const result = await revokeAppKey(wallet.context, ALICE, publicKey ?? '', {});
    expect(result).toMatchObject({ success: false, fate: 'unknown' });
    expect(await kept()).toHaveLength(1);
  });

  it('leaves the passkey able to sign', async () => {
    const result = await executeAction(wallet.context, ALICE, GAME, [{ type: 'Transfer', amount: '1' }], {});
    expect(result.success).toBe(true);
  });
});

describe('an app key on a frozen chain (core 4)', () => {
  it.each([
    ['adding', () => addAppKey(wallet.context, ALICE, toMake, {})],
    [
      'revoking',
      () => revokeAppKey(wallet.context, ALICE, 'ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2', {}),
    ],
  ])('shows what %s waits for, and Cancel ends it', async (_, start) => {
    const confirmer = cancelling();
    wallet.context.confirmer = () => confirmer;
    vi.spyOn(wallet.context.rpc, 'viewAccessKey').mockImplementation(() => new Promise(() => undefined));
    expect(await start()).toMatchObject({ success: false, errorCode: 'CANCELLED' });
    expect(confirmer.waits).toHaveLength(1);
    expect([wallet.chain.sent, await journal(), await kept()]).toEqual([[], [], []]);
  });
});
