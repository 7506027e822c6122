/**
 * A chain that nodes of one or several providers answer for, each some blocks behind, as the nodes behind a
 * provider's balancer are. It speaks JSON-RPC through its `fetch`; its height grows with each request.
 */
import { base58 } from '@scure/base';

/** What the chain holds at one height. */
export interface ChainState {
  /** The keys of each account with their permissions. */
  readonly accounts: Map<string, Map<string, unknown>>;
  /** What view methods return, as JSON; a function gets the height that the view is read at. */
  readonly views: Map<string, unknown | ((height: number) => unknown)>;
}

export interface LaggingChainOptions {
  /** The nodes behind each address: how many blocks each is behind. Requests go to them in turn. */
  readonly nodes: Readonly<Record<string, readonly number[]>>;
  /** How many blocks the chain grows with each request. Default 1. */
  readonly blocksPerRequest?: number;
  /** How long a block takes that the chain makes without a request, ms. Without it, there are none. */
  readonly blockMs?: number;
}

interface Asked {
  readonly url: string;
  readonly method: string;
  /** The height that it was answered at. */
  readonly height: number;
}

interface Params {
  readonly request_type?: string;
  readonly account_id?: string;
  readonly public_key?: string;
  readonly method_name?: string;
  readonly finality?: 'final' | 'optimistic';
  readonly block_id?: number | string;
  readonly limit?: number;
  readonly after_key?: string;
}

const FIRST_HEIGHT = 1_000;
/** The last final block is this far behind the newest. */
const FINALITY = 2;

export class LaggingChain {
  /** The newest block's height. */
  head = FIRST_HEIGHT;
  /** yoctoNEAR for a unit of gas, in each block's header. */
  gasPrice = '100000000';
  readonly asked: Asked[] = [];
  readonly #history: { readonly from: number; readonly state: ChainState }[];
  readonly #nodes: Readonly<Record<string, readonly number[]>>;
  readonly #turns = new Map<string, number>();
  readonly #blocksPerRequest: number;

  constructor({ nodes, blocksPerRequest = 1, blockMs }: LaggingChainOptions) {
    this.#nodes = nodes;
    this.#blocksPerRequest = blocksPerRequest;
    this.#history = [{ from: 0, state: { accounts: new Map(), views: new Map() } }];
    if (blockMs !== undefined)
      setInterval(() => {
        this.head += 1;
      }, blockMs);
  }

  get urls(): string[] {
    return Object.keys(this.#nodes);
  }

  /** Changes the state in a new block; returns its height. */
  write(change: (state: ChainState) => void): number {
    this.head += 1;
    const { accounts, views } = this.#stateAt(this.head);
    const state: ChainState = {
      accounts: new Map([...accounts].map(([id, keys]) => [id, new Map(keys)])),
      views: new Map(views),
    };
    change(state);
    this.#history.push({ from: this.head, state });
    return this.head;
  }

  /** Adds a key to an account, which then exists. */
  addKey(accountId: string, publicKey: string, permission: unknown = 'FullAccess'): number {
    return this.write(({ accounts }) => {
      accounts.set(
        accountId,
        (accounts.get(accountId) ?? new Map<string, unknown>()).set(publicKey, permission),
      );
    });
  }

  deleteKey(accountId: string, publicKey: string): number {
    return this.write(({ accounts }) => accounts.get(accountId)?.delete(publicKey));
  }

  /** The heights of the answers to one method, or to one kind of query. */
  heights(method: string): number[] {
    return this.asked.filter((asked) => asked.method === method).map(({ height }) => height);
  }

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const url = String(input).replace(/\/$/, '');
    const backends = this.#nodes[url] ?? [0];
    const turn = this.#turns.get(url) ?? 0;
    this.#turns.set(url, turn + 1);
    const { id, method, params } = JSON.parse(String(init?.body)) as {
      id: string;
      method: string;
      params: Params;
    };
    const newest = this.head - (backends[turn % backends.length] ?? 0);
    const height = heightAsked(params, newest);
    this.asked.push({ url, method: params.request_type ?? params.method_name ?? method, height });
    const answer = height > newest ? unknownBlock() : this.#answer(method, params, height);
    this.head += this.#blocksPerRequest;
    return new Response(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  };

  #stateAt(height: number): ChainState {
    const found = this.#history.findLast(({ from }) => from <= height);
    if (!found) throw new Error(`no state at ${height}`);
    return found.state;
  }

  #answer(method: string, params: Params, height: number): object {
    const place = { block_height: height, block_hash: hashOf(height) };
    if (method === 'block') {
      const header = { height, hash: hashOf(height), timestamp_nanosec: '0', gas_price: this.gasPrice };
      return { result: { header } };
    }
    if (method !== 'query') return { error: { name: 'REQUEST_VALIDATION_ERROR', data: 'no such method' } };
    const { accounts, views } = this.#stateAt(height);
    const { request_type: type, account_id: account = '', public_key: key = '' } = params;
    if (type === 'call_function') {
      const value = views.get(params.method_name ?? '');
      const returned = typeof value === 'function' ? value(height) : value;
      if (returned instanceof Error) return { result: { error: returned.message, logs: [], ...place } };
      return {
        result: { result: [...new TextEncoder().encode(JSON.stringify(returned))], logs: [], ...place },
      };
    }
    const keys = accounts.get(account);
    if (!keys) {
      const info = { requested_account_id: account, ...place };
      const data = `account ${account} does not exist while viewing`;
      return { error: { name: 'HANDLER_ERROR', cause: { name: 'UNKNOWN_ACCOUNT', info }, data } };
    }
    if (type === 'view_access_key') {
      const permission = keys.get(key);
      if (permission !== undefined) return { result: { nonce: 1, permission, ...place } };
      return { result: { error: `access key ${key} does not exist while viewing`, logs: [], ...place } };
    }
    if (type === 'view_access_key_list') return { result: { ...page(keys, params), ...place } };
    return {
      result: { amount: '1', locked: '0', code_hash: hashOf(0), storage_usage: 182, ...place },
    };
  }
}

function heightAsked({ finality, block_id: at }: Params, newest: number): number {
  if (typeof at === 'number') return at;
  if (typeof at === 'string') return new DataView(base58.decode(at).buffer).getUint32(0);
  return finality === 'optimistic' ? newest : newest - FINALITY;
}

/** The hash of the block at a height: the height itself, as 32 bytes. */
export function hashOf(height: number): string {
  const bytes = new Uint8Array(32);
  new DataView(bytes.buffer).setUint32(0, height);
  return base58.encode(bytes);
}

function unknownBlock(): object {
  return {
    error: { name: 'HANDLER_ERROR', cause: { name: 'UNKNOWN_BLOCK', info: {} }, data: 'DB Not Found Error' },
  };
}

/** One page of keys in the order of nearcore's trie, which sorts them. */
function page(keys: ReadonlyMap<string, unknown>, { limit = 100, after_key: after = '' }: Params): object {
  const sorted = [...keys].sort(([a], [b]) => (a < b ? -1 : 1)).filter(([key]) => key > after);
  const shown = sorted.slice(0, limit);
  return {
    keys: shown.map(([public_key, permission]) => ({ public_key, access_key: { nonce: 1, permission } })),
    ...(sorted.length > limit && { last_key: shown.at(-1)?.[0] }),
  };
}
