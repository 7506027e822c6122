/**
 * Compares what a confirmation promises with what then moved on the chain: money, keys, code and first states, each read
 * before and after. One comparison for every action that the wallet signs.
 */
import { createHash } from 'node:crypto';
import { base58, base64 } from '@scure/base';
import { expect } from 'vitest';
import type { ConfirmModel, TransactionsConfirmModel } from '../../ts/src/confirm/port.js';
import { keyHandle } from '../../ts/src/near/key-handle.js';
import type {
  AccessKeyPermission,
  Action,
  GlobalContractIdentifier,
  StateEntry,
} from '../../ts/src/types.js';
import type { Oracle } from './oracle.js';

/** More than a receipt takes, with its refund, and than a global contract takes to every shard. */
const SETTLED_BLOCKS = 10;

interface AccountView {
  readonly amount: string;
  readonly locked: string;
  readonly storage_usage: number;
  readonly code_hash: string;
  readonly global_contract_hash?: string;
  readonly global_contract_account_id?: string;
}

type KeyView = {
  readonly public_key: string;
  readonly access_key: { readonly permission: object | 'FullAccess' };
};

/** The chain's state at the end of one block. */
class Snapshot {
  readonly #oracle: Oracle;
  readonly #height: number;

  constructor(oracle: Oracle, height: number) {
    this.#oracle = oracle;
    this.#height = height;
  }

  account = (accountId: string): Promise<AccountView | undefined> =>
    this.#query<AccountView>('view_account', { account_id: accountId });

  async keys(accountId: string): Promise<readonly KeyView[]> {
    const list = await this.#query<{ keys: KeyView[] }>('view_access_key_list', { account_id: accountId });
    return list?.keys ?? [];
  }

  async permission(accountId: string, publicKey: string): Promise<object | 'FullAccess' | undefined> {
    const handle = await keyHandle(publicKey);
    return (await this.keys(accountId)).find((key) => key.public_key === handle)?.access_key.permission;
  }

  async state(accountId: string): Promise<{ key: string; value: string }[]> {
    const args = { account_id: accountId, prefix_base64: '' };
    const found = await this.#query<{ values: { key: string; value: string }[] }>('view_state', args);
    return found?.values ?? [];
  }

  /** The code of a global contract, base64. */
  async published(contract: GlobalContractIdentifier): Promise<string | undefined> {
    const found = await ('AccountId' in contract
      ? this.#query<{ code_base64: string }>('view_global_contract_code_by_account_id', {
          account_id: contract.AccountId,
        })
      : this.#query<{ code_base64: string }>('view_global_contract_code', { code_hash: contract.CodeHash }));
    return found?.code_base64;
  }

  /** yoctoNEAR at an account, locked by it, or on one of its gas keys; 0 where there is none. */
  async money(place: Place): Promise<bigint> {
    const [accountId, part] = place;
    if (part === undefined) return BigInt((await this.account(accountId))?.amount ?? 0);
    if (part === LOCKED) return BigInt((await this.account(accountId))?.locked ?? 0);
    const permission = await this.permission(accountId, part);
    const [bounds] = Object.values(Object(permission)) as ({ balance?: string } | undefined)[];
    return BigInt(bounds?.balance ?? 0);
  }

  /** Undefined where there is no such account. */
  async #query<T>(request: string, args: object): Promise<T | undefined> {
    const params = { request_type: request, block_id: this.#height, ...args };
    try {
      return (await this.#oracle.provider.sendJsonRpc('query', params as never)) as T;
    } catch (error) {
      if (/does not exist/i.test(String(error))) return undefined;
      throw error;
    }
  }
}

const LOCKED = 'locked';
/** An account's own balance, what it has staked, or the balance of one of its gas keys. */
type Place = readonly [accountId: string, part?: typeof LOCKED | (string & {})];

/** What an action promises to move, in yoctoNEAR. */
interface Flow {
  readonly from: Place;
  readonly to: Place;
  readonly amount: bigint;
  /** What the confirmation counts as sent, where a part of it comes back. */
  readonly shown?: bigint;
}

/** An action's transaction, between two states of the chain. */
interface Scene {
  readonly signerId: string;
  readonly receiverId: string;
  readonly before: Snapshot;
  readonly after: Snapshot;
}

interface Comparison<A> {
  /** What it moves; nothing when absent. */
  readonly moves?: (action: A, scene: Scene) => readonly Flow[] | Promise<readonly Flow[]>;
  /** Expects what else it changes. */
  readonly changes?: (action: A, scene: Scene) => Promise<void>;
  /** The keys that it adds to the receiver and takes from it. */
  readonly keys?: (action: A) => { readonly added?: readonly string[]; readonly removed?: readonly string[] };
}

const deposited = (deposit: string, { signerId, receiverId }: Scene): Flow[] => [
  { from: [signerId], to: [receiverId], amount: BigInt(deposit) },
];

/** An account keeps of its first state's deposit what its storage lacks. */
async function kept(deposit: string, { signerId, receiverId, before, after }: Scene): Promise<Flow[]> {
  const bytes = (await after.account(receiverId))?.storage_usage ?? 0;
  const needed = bytes > FREE_BYTES ? BigInt(bytes) * YOCTO_PER_BYTE : 0n;
  const had = await before.money([receiverId]);
  const lacks = needed > had ? needed - had : 0n;
  const shown = BigInt(deposit);
  return [{ from: [signerId], to: [receiverId], amount: lacks < shown ? lacks : shown, shown }];
}

/** An account without more than these bytes needs no balance (NEP-448). */
const FREE_BYTES = 770;
const YOCTO_PER_BYTE = 10n ** 19n;

/** An action without a comparison does not compile. */
const COMPARISONS: {
  readonly [T in Action['type']]: Comparison<Extract<Action, { readonly type: T }>>;
} = {
  CreateAccount: {
    changes: async (_, { receiverId, before, after }) => {
      expect(await before.account(receiverId), receiverId).toBeUndefined();
      expect(await after.account(receiverId), receiverId).toBeDefined();
    },
  },
  Transfer: { moves: ({ amount }, scene) => deposited(amount, scene) },
  FunctionCall: { moves: ({ deposit }, scene) => deposited(deposit, scene) },
  Stake: {
    moves: async ({ stake }, { receiverId, before }) => {
      const locked = await before.money([receiverId, LOCKED]);
      return [{ from: [receiverId], to: [receiverId, LOCKED], amount: BigInt(stake) - locked }];
    },
  },
  AddKey: {
    keys: ({ publicKey }) => ({ added: [publicKey] }),
    changes: async ({ publicKey, accessKey }, { receiverId, after }) =>
      expect(permissionOf(await after.permission(receiverId, publicKey))).toEqual(
        withoutNulls(accessKey.permission),
      ),
  },
  DeleteKey: { keys: ({ publicKey }) => ({ removed: [publicKey] }) },
  DeleteAccount: {
    moves: async ({ beneficiaryId }, { receiverId, before }) => [
      { from: [receiverId], to: [beneficiaryId], amount: await before.money([receiverId]) },
    ],
    changes: async (_, { receiverId, after }) =>
      expect(await after.account(receiverId), receiverId).toBeUndefined(),
  },
  DeployContract: {
    changes: async ({ code }, { receiverId, after }) =>
      expect((await after.account(receiverId))?.code_hash).toBe(hashOf(code)),
  },
  DeployGlobalContract: {
    changes: async ({ code, deployMode }, { receiverId, after }) =>
      expect(
        await after.published(
          deployMode === 'AccountId' ? { AccountId: receiverId } : { CodeHash: hashOf(code) },
        ),
      ).toBe(base64.encode(code)),
  },
  UseGlobalContract: {
    changes: ({ contractIdentifier }, { receiverId, after }) =>
      expectContract(after, receiverId, contractIdentifier),
  },
  DeterministicStateInit: {
    moves: ({ deposit }, scene) => kept(deposit, scene),
    changes: ({ stateInit: { V1 } }, { receiverId, after }) => expectFirstState(after, receiverId, V1),
  },
  UniversalStateInit: {
    moves: ({ deposit }, scene) => kept(deposit, scene),
    keys: ({ stateInit: { V1 } }) => ({ added: V1.accessKeys }),
    changes: ({ stateInit: { V1 } }, { receiverId, after }) => expectFirstState(after, receiverId, V1),
  },
  TransferToGasKey: {
    moves: ({ publicKey, deposit }, { signerId, receiverId }) => [
      { from: [signerId], to: [receiverId, publicKey], amount: BigInt(deposit) },
    ],
  },
  WithdrawFromGasKey: {
    moves: ({ publicKey, amount }, { receiverId }) => [
      { from: [receiverId, publicKey], to: [receiverId], amount: BigInt(amount) },
    ],
  },
};

/** The same entry for an action of any type. */
const comparisonOf = (action: Action): Comparison<Action> => COMPARISONS[action.type] as Comparison<Action>;

const hashOf = (code: Uint8Array): string => base58.encode(createHash('sha256').update(code).digest());

/** A permission of the chain as the wallet writes it, without a gas key's balance. */
function permissionOf(permission: object | string | undefined): object | string | undefined {
  const text = JSON.stringify(permission)?.replace(/"(\w+)":/g, (name) =>
    name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
  );
  return text === undefined
    ? undefined
    : JSON.parse(text, (name, value) => (name === 'balance' ? undefined : (value ?? undefined)));
}

const withoutNulls = (permission: AccessKeyPermission): object | string =>
  JSON.parse(JSON.stringify(permission), (_, value) => value ?? undefined);

async function expectContract(
  after: Snapshot,
  accountId: string,
  identifier: GlobalContractIdentifier,
): Promise<void> {
  const account = await after.account(accountId);
  if ('AccountId' in identifier) expect(account?.global_contract_account_id).toBe(identifier.AccountId);
  else expect(account?.global_contract_hash).toBe(identifier.CodeHash);
}

async function expectFirstState(
  after: Snapshot,
  accountId: string,
  { code, data }: { readonly code: GlobalContractIdentifier | null; readonly data: readonly StateEntry[] },
): Promise<void> {
  expect(await after.account(accountId), accountId).toBeDefined();
  if (code !== null) await expectContract(after, accountId, code);
  const entries = data.map(({ key, value }) => ({ key: base64.encode(key), value: base64.encode(value) }));
  expect(await after.state(accountId)).toEqual(entries);
}

/** Runs `work`, which must show one confirmation and execute it, and compares the two. Returns what was shown. */
export async function previewed(
  oracle: Oracle,
  shownBy: (work: () => Promise<unknown>) => Promise<readonly ConfirmModel[]>,
  work: () => Promise<unknown>,
): Promise<TransactionsConfirmModel> {
  const before = await settled(oracle);
  const [model, ...others] = await shownBy(work);
  expect(others).toEqual([]);
  if (model?.kind !== 'transactions') throw new Error(`shown: ${model?.kind ?? 'nothing'}`);
  await compare(model, before, await settled(oracle));
  return model;
}

/** What is on its way has arrived. */
async function settled(oracle: Oracle): Promise<Snapshot> {
  await oracle.fastForward(SETTLED_BLOCKS);
  return new Snapshot(oracle, await oracle.height());
}

async function compare(
  { accountId: signerId, transactions, cost }: TransactionsConfirmModel,
  before: Snapshot,
  after: Snapshot,
): Promise<void> {
  const flows: Flow[] = [];
  const keys = new Map<string, Set<string>>([[signerId, await handlesOf(before, signerId)]]);
  for (const { receiverId, actions } of transactions) {
    const scene = { signerId, receiverId, before, after };
    for (const action of actions) {
      const comparison = comparisonOf(action);
      flows.push(...((await comparison.moves?.(action, scene)) ?? []));
      await comparison.changes?.(action, scene);
      if (!comparison.keys) continue;
      const held = keys.get(receiverId) ?? (await handlesOf(before, receiverId));
      keys.set(receiverId, held);
      const { added = [], removed = [] } = comparison.keys(action);
      for (const key of added) held.add(await keyHandle(key));
      for (const key of removed) held.delete(await keyHandle(key));
    }
  }
  const all = transactions.flatMap(({ receiverId, actions }) =>
    actions.map((action) => ({ receiverId, action })),
  );
  const sent = flows.filter(({ from, to }) => isSame(from, [signerId]) && to[1] !== LOCKED);
  const ended = all.flatMap(({ action }) => (action.type === 'DeleteAccount' ? [action.beneficiaryId] : []));
  // A balance that goes with its account is no deposit.
  if (cost && ended.length === 0)
    expect(BigInt(cost.deposit), 'you send').toBe(
      sum(sent.map((flow) => ({ ...flow, amount: flow.shown ?? flow.amount }))),
    );

  const fee = BigInt(cost?.gas ?? 0);
  const places = flows.flatMap(({ from, to }) => [from, to]);
  for (const place of [[signerId] as Place, ...places]) {
    const [accountId] = place;
    const promised =
      sum(flows.filter(({ to }) => isSame(to, place))) - sum(flows.filter(({ from }) => isSame(from, place)));
    const moved = (await after.money(place)) - (await before.money(place));
    const isCalled = all.some(
      ({ receiverId, action }) => receiverId === accountId && action.type === 'FunctionCall',
    );
    const paysFee = accountId === signerId || ended.includes(accountId);
    const beyond = moved - promised;
    expect(beyond, `${place.join(', ')}: moved ${moved}`).toBeGreaterThanOrEqual(paysFee ? -fee : 0n);
    expect(beyond, `${place.join(', ')}: moved ${moved}`).toBeLessThanOrEqual(isCalled ? MOST_REWARD : 0n);
  }
  for (const [accountId, promised] of keys) {
    if (ended.length > 0 && accountId === signerId) continue;
    expect([...(await handlesOf(after, accountId))].sort(), `keys of ${accountId}`).toEqual(
      [...promised].sort(),
    );
  }
}

/** A contract gets a part of the gas that it burns. */
const MOST_REWARD = 10n ** 22n;

const isSame = (one: Place, other: Place): boolean => one[0] === other[0] && one[1] === other[1];
const sum = (flows: readonly Flow[]): bigint => flows.reduce((total, { amount }) => total + amount, 0n);
const handlesOf = async (at: Snapshot, accountId: string): Promise<Set<string>> =>
  new Set((await at.keys(accountId)).map((key) => key.public_key));
