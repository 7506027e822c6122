import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LatchkeyError, NEAR_RPC_FAILED, TRANSACTION_FAILED } from '../../errors/core.js';
import {
  type AccessKeyView,
  type RpcClient,
  readSignedTransaction,
  type TransactionOutcome,
} from '../../near/index.js';
import { appKeyName } from '../../storage/app-key-name.js';
import { WalletStore } from '../../storage/store.js';
import {
  addVirtualAuthenticator,
  type VirtualAuthenticator,
} from '../../webauthn/testing/virtual-authenticator.js';
import type { FlowContext } from '../context.js';
import { joiningDeletions } from '../linking/deletion-joining.js';
import { resume } from '../resume.js';
import { executeAction } from '../signing/sign-and-send.js';
import { ALICE, BLOCK_HASH, type SignedIn, signIn } from '../testing/signed-in.js';
import { addAppKey, callWithAppKey, getAppKeys, revokeAppKey } from './index.js';

const GAME = 'game.testnet';
const HOUR_MS = 3_600_000;
const PERMISSION = {
  FunctionCall: { allowance: '1', receiver_id: GAME, method_names: ['play'] },
} as AccessKeyView['permission'];
const call = { receiverId: GAME, methodName: 'play', args: {} };

let authenticator: VirtualAuthenticator;
let wallet: SignedIn;
let context: FlowContext;
/** Closes the pages that are open. */
let reload: AbortController;
let own: string;
/** The function-call keys on the account. */
let onChain: Set<string>;
/** How far this device's clock is ahead of the real time. */
let ahead: number;
let expiresAt: number;

beforeEach(async () => {
  authenticator = await addVirtualAuthenticator();
  wallet = await signIn();
  reload = new AbortController();
  context = inTab(wallet.context.store);
  own = (await context.store.user(ALICE))?.clientNearPublicKey ?? '';
  onChain = new Set();
  ahead = 0;
  const now = Date.now;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + ahead);
  expiresAt = now() + HOUR_MS;
  const { rpc } = wallet.context;
  const at = () => ({ block_height: wallet.chain.height, block_hash: BLOCK_HASH });
  vi.spyOn(rpc, 'viewAccessKey').mockImplementation(async (_account, key) => {
    const permission = key === own ? ('FullAccess' as const) : onChain.has(key) ? PERMISSION : null;
    return permission && { nonce: wallet.chain.nonce, permission, ...at() };
  });
  rpc.viewAccessKeyList = (async () => ({
    keys: [
      { public_key: own, access_key: { nonce: 1, permission: 'FullAccess' } },
      ...[...onChain].map((key) => ({ public_key: key, access_key: { nonce: 1, permission: PERMISSION } })),
    ],
    // Each look finds a newer block.
    block_height: ++wallet.chain.height,
    height: wallet.chain.height,
  })) as unknown as RpcClient['viewAccessKeyList'];
  // The block of every transaction is an old one.
  rpc.noteWrite = () => undefined;
  const block = rpc.block;
  rpc.block = async (reference) =>
    reference && 'blockId' in reference
      ? { header: { height: 900, hash: BLOCK_HASH, timestamp_nanosec: '0' } }
      : block(reference);
  rpc.callFunctionJson = (async () => []) as unknown as RpcClient['callFunctionJson'];
  wallet.chain.onSend = execute;
});

afterEach(async () => {
  vi.restoreAllMocks();
  const { store } = context;
  for (const kind of ['appKey', 'deletion'] as const)
    for (const entry of await store.journal.entries(kind)) await store.journal.drop(entry);
  for (const { name, deviceNumber } of await kept()) await store.sealedKeys.drop(name, deviceNumber);
  await wallet.close();
  await authenticator.remove();
});

/** A page of the wallet: another one of the same browser, or the same after a reload. */
function inTab(store: WalletStore): FlowContext {
  const tab: FlowContext = {
    ...wallet.context,
    closing: AbortSignal.any([wallet.context.closing, reload.signal]),
    store,
    joining: (accountId) => joiningDeletions(tab, accountId),
  };
  return tab;
}

/** Closes every page, and opens one when the key's end is over. */
function returnAfterEnd(): void {
  reload.abort();
  reload = new AbortController();
  ahead = 2 * HOUR_MS;
  context = inTab(context.store);
}

/** Does what a transaction of the passkey's key says, by what was shown of it, and knows its outcome from then on. */
async function execute(index: number): Promise<TransactionOutcome> {
  const { chain, shown } = wallet;
  const sent = await Promise.all(chain.sent.slice(0, index + 1).map(readSignedTransaction));
  const { transactionId = '', accessKey } = sent.at(-1) ?? {};
  if (accessKey?.publicKey === own) {
    chain.nonce = Math.max(chain.nonce, Number(accessKey.nonce));
    const before = sent.filter(({ accessKey: by }) => by?.publicKey === own).length - 1;
    const transactions = shown.flatMap((model) => (model.kind === 'transactions' ? model.transactions : []));
    for (const action of transactions[before]?.actions ?? []) {
      if (action.type === 'AddKey') onChain.add(action.publicKey);
      if (action.type === 'DeleteKey') onChain.delete(action.publicKey);
    }
  }
  const outcome = {
    transactionId,
    final_execution_status: 'FINAL',
    status: { SuccessValue: '' },
    transaction_outcome: { block_hash: BLOCK_HASH },
  } as unknown as TransactionOutcome;
  chain.outcomes.set(transactionId, outcome);
  return outcome;
}

const kept = () => context.store.sealedKeys.list(appKeyName(ALICE));
const ends = () => context.store.journal.entries('deletion');
const add = (more: object = {}) =>
  addAppKey(context, ALICE, { receiverId: GAME, methodNames: ['play'], expiresAt, ...more }, {});
const pay = (tab = context) =>
  executeAction(tab, ALICE, 'bob.testnet', [{ type: 'Transfer', amount: '1' }], {});
const lastShown = () => wallet.shown.at(-1);
const deletionOf = (publicKey: string | null) => ({
  receiverId: ALICE,
  actions: [{ type: 'DeleteKey', publicKey }],
});
const lost = async () => {
  throw new LatchkeyError(NEAR_RPC_FAILED, { message: 'no', details: { kind: 'outcome_unknown' } });
};

describe('an app key with an end', () => {
  it('has its end in the journal before its transaction leaves, and shows it in the confirmation', async () => {
    const seen: unknown[] = [];
    wallet.chain.onSend = async (index) => {
      seen.push(
        ...(await ends()).map(({ publicKey, dueAt, deleteKey }) => ({ publicKey, dueAt, deleteKey })),
      );
      return execute(index);
    };
    const { success, publicKey } = await add();
    expect(success).toBe(true);
    expect(seen).toEqual([{ publicKey, dueAt: expiresAt, deleteKey: undefined }]);
    expect(lastShown()).toMatchObject({
      appKeys: [{ publicKey, receiverId: GAME, expiresAt, change: 'added' }],
    });
  });

  it('is listed with its end, and calls until then', async () => {
    const { publicKey } = await add();
    expect(await getAppKeys(context, ALICE)).toMatchObject([
      { publicKey, expiresAt, isExpired: false, isHere: true, isOnChain: true },
    ]);
    expect(await callWithAppKey(context, ALICE, call, {})).toMatchObject({ success: true });
  });

  it('is joined by nothing before its end: a payment shows the payment alone', async () => {
    await add();
    expect(await pay()).toMatchObject({ success: true });
    expect(lastShown()).toMatchObject({ transactions: [{ receiverId: 'bob.testnet' }] });
    expect(lastShown()).not.toHaveProperty('appKeys');
  });

  it.each([
    ['seconds', Math.floor(Date.now() / 1000) + 3600],
    ['a time that is over', Date.now() - 1],
    ['microseconds', (Date.now() + 1) * 1000],
    ['a fraction', Date.now() + 1000.5],
  ])('is refused with %s', async (_, wrong) => {
    const result = await add({ expiresAt: wrong });
    expect(result).toMatchObject({ success: false, errorCode: 'INVALID_ACTION' });
    expect(result.error).toContain('in milliseconds since 1970');
    expect(wallet.shown).toEqual([]);
  });

  it('is not added when its end came while the user decided', async () => {
    wallet.context.confirmer = () => ({
      show: async () => {
        ahead = 2 * HOUR_MS;
        return 'confirm';
      },
    });
    context = inTab(context.store);
    expect(await add()).toMatchObject({ success: false, errorCode: 'APP_KEY_EXPIRED' });
    expect([wallet.chain.sent, await ends(), await kept()]).toEqual([[], [], []]);
  });
});

describe('after its end', () => {
  it('the key signs nothing, and says when it ended and what to do', async () => {
    const { publicKey } = await add();
    wallet.chain.sent.length = 0;
    ahead = 2 * HOUR_MS;
    const result = await callWithAppKey(context, ALICE, call, {});
    expect(result).toMatchObject({ success: false, errorCode: 'APP_KEY_EXPIRED', transactionId: null });
    expect(result.error).toContain(`ended at ${new Date(expiresAt).toISOString()}`);
    expect(wallet.chain.sent).toEqual([]);
    expect(await getAppKeys(context, ALICE)).toMatchObject([
      { publicKey, isExpired: true, isHere: false, isOnChain: true },
    ]);
  });

  it('the key signs nothing where the clock was set back, once a block of the chain is later', async () => {
    await add();
    const late = { header: { height: 1, hash: BLOCK_HASH, timestamp_nanosec: `${expiresAt + 1}000000` } };
    vi.spyOn(wallet.context.rpc, 'block').mockResolvedValue(late as never);
    ahead = -24 * HOUR_MS;
    expect(await callWithAppKey(context, ALICE, call, {})).toMatchObject({ errorCode: 'APP_KEY_EXPIRED' });
  });

  it('the page that made it destroys the sealed copy at its end', async () => {
    wallet.chain.onSend = async (index) => {
      const outcome = await execute(index);
      ahead = expiresAt - Date.now() - 500;
      return outcome;
    };
    await add();
    expect(await kept()).toHaveLength(1);
    await expect.poll(kept).toEqual([]);
    expect(await callWithAppKey(context, ALICE, call, {})).toMatchObject({ errorCode: 'APP_KEY_EXPIRED' });
  });

  it('a reload destroys the sealed copy, although no node answers [S77]', async () => {
    await add();
    expect(await kept()).toHaveLength(1);
    returnAfterEnd();
    const store = new WalletStore();
    const reloaded = inTab(store);
    wallet.context.rpc.viewAccessKeyList = async () => {
      throw new LatchkeyError(NEAR_RPC_FAILED);
    };
    await resume(reloaded);
    await expect.poll(kept).toEqual([]);
    expect(await ends()).toHaveLength(1);
    expect(await callWithAppKey(reloaded, ALICE, call, {})).toMatchObject({ errorCode: 'APP_KEY_EXPIRED' });
    await store.close();
  });

  it('the next approval removes it, shown and signed with the payment, and the journal closes [S77]', async () => {
    const { publicKey } = await add();
    returnAfterEnd();
    expect(await pay()).toMatchObject({ success: true });
    expect(lastShown()).toMatchObject({
      transactions: [{ receiverId: 'bob.testnet' }, deletionOf(publicKey)],
      appKeys: [{ publicKey, receiverId: GAME, expiresAt, change: 'removed' }],
    });
    await expect.poll(ends).toEqual([]);
    expect([...onChain]).toEqual([]);
    expect(await pay()).toMatchObject({ success: true });
    expect(lastShown()).toMatchObject({ transactions: [{ receiverId: 'bob.testnet' }] });
    expect(await callWithAppKey(context, ALICE, call, {})).toMatchObject({ errorCode: 'APP_KEY_MISSING' });
  });

  it('a user who refuses keeps the question for the next approval, and the key stays unused', async () => {
    const { publicKey } = await add();
    returnAfterEnd();
    const refusing = { ...inTab(context.store), confirmer: () => ({ show: async () => 'cancel' as const }) };
    expect(await pay(refusing)).toMatchObject({ errorCode: 'CANCELLED' });
    expect([...onChain]).toEqual([publicKey]);
    expect(await pay()).toMatchObject({ success: true });
    expect(lastShown()).toMatchObject({ transactions: [{}, deletionOf(publicKey)] });
  });

  it('a new key for the same contract removes the old one in the same approval', async () => {
    const { publicKey: old } = await add();
    returnAfterEnd();
    const { publicKey } = await add({ expiresAt: expiresAt + 5 * HOUR_MS });
    expect(lastShown()).toMatchObject({
      transactions: [{ actions: [{ type: 'AddKey', publicKey }] }, deletionOf(old)],
      appKeys: [{ change: 'added' }, { change: 'removed' }],
    });
    expect(await callWithAppKey(context, ALICE, call, {})).toMatchObject({ success: true });
  });

  it('a DeleteKey that the chain refuses as overtaken is signed again by the next approval', async () => {
    const { publicKey } = await add();
    returnAfterEnd();
    wallet.chain.onSend = async (index) => {
      if (index === 1) return execute(index);
      throw new LatchkeyError(TRANSACTION_FAILED, {
        details: { kind: 'invalid_transaction', reason: 'InvalidNonce' },
      });
    };
    expect(await pay()).toMatchObject({ success: true });
    await expect.poll(() => wallet.chain.sent).toHaveLength(3);
    expect([...onChain]).toEqual([publicKey]);
    wallet.chain.onSend = execute;
    expect(await pay()).toMatchObject({ success: true });
    expect(lastShown()).toMatchObject({ transactions: [{}, deletionOf(publicKey)] });
  });

  it('another tab refuses the key too, and shows its removal', async () => {
    const { publicKey } = await add();
    const store = new WalletStore();
    const other = inTab(store);
    ahead = 2 * HOUR_MS;
    expect(await callWithAppKey(other, ALICE, call, {})).toMatchObject({ errorCode: 'APP_KEY_EXPIRED' });
    expect(await pay(other)).toMatchObject({ success: true });
    expect(lastShown()).toMatchObject({ transactions: [{}, deletionOf(publicKey)] });
    await store.close();
  });

  it('a key that was revoked before closes its entry, and nothing is shown', async () => {
    const { publicKey } = await add();
    expect(await revokeAppKey(context, ALICE, publicKey ?? '', {})).toMatchObject({ success: true });
    expect(await ends()).toEqual([]);
    ahead = 2 * HOUR_MS;
    expect(await pay()).toMatchObject({ success: true });
    expect(lastShown()).toMatchObject({ transactions: [{ receiverId: 'bob.testnet' }] });
  });

  it('its own revocation removes it once, not twice', async () => {
    const { publicKey } = await add();
    ahead = 2 * HOUR_MS;
    expect(await revokeAppKey(context, ALICE, publicKey ?? '', {})).toMatchObject({ success: true });
    expect(lastShown()).toMatchObject({ transactions: [deletionOf(publicKey)] });
    expect(lastShown()).toHaveProperty('transactions.length', 1);
    expect(await ends()).toEqual([]);
  });
});

describe('an app key with an end whose answer was lost', () => {
  it('is destroyed and removed when it comes to the chain after its end', async () => {
    wallet.chain.onSend = lost;
    const { publicKey, pending } = await add();
    expect(pending).toBe(true);
    ahead = 2 * HOUR_MS;
    onChain.add(publicKey ?? '');
    expect((await resume(context)).appKeys).toMatchObject([{ publicKey, outcome: 'expired' }]);
    expect(await kept()).toEqual([]);
    wallet.chain.onSend = execute;
    expect(await pay()).toMatchObject({ success: true });
    expect(lastShown()).toMatchObject({ transactions: [{}, deletionOf(publicKey)] });
  });

  it('is forgotten with its end when the chain never will have it', async () => {
    wallet.chain.onSend = lost;
    await add();
    wallet.chain.nonce = 200;
    expect((await resume(context)).appKeys).toMatchObject([{ outcome: 'dropped' }]);
    expect([await ends(), await kept()]).toEqual([[], []]);
  });

  it('leaves no end behind when the chain refused it', async () => {
    wallet.chain.onSend = async () => {
      throw new LatchkeyError(TRANSACTION_FAILED, {
        details: { kind: 'invalid_transaction', reason: 'InvalidSigner' },
      });
    };
    expect(await add()).toMatchObject({ success: false });
    expect(await ends()).toEqual([]);
  });

  it('is not given up at its end while its transaction may still come', async () => {
    wallet.chain.onSend = lost;
    await add();
    ahead = 2 * HOUR_MS;
    await resume(context);
    expect(await pay().then(({ success }) => success)).toBe(false);
    expect(await ends()).toHaveLength(1);
  });
});
