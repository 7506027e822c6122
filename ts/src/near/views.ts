/**
 * Views of the chain: accounts, keys, contracts and blocks. One view of one node is not the truth. Nodes lag, also
 * those behind one address, so the client remembers the highest block that any of them has shown. A "no" from below
 * it is asked again.
 */

import { base64 } from '@scure/base';
import * as v from 'valibot';
import { bytesOf } from '../bytes.js';
import { messageOf } from '../errors/latchkey-error.js';
import {
  type AccessKeyList,
  AccessKeyListSchema,
  AccessKeyViewSchema,
  AccountViewSchema,
  BlockReferenceSchema,
  BlockViewSchema,
  type CallResult,
  type Finality,
  GasKeyNoncesSchema,
  parseReturnedJson,
  queryResult,
  readCallResult,
  reader,
} from './rpc-answer.js';
import type {
  AgreedViewOptions,
  FunctionViewOptions,
  ListViewOptions,
  Node,
  RequestOptions,
  RpcClient,
} from './rpc-client.js';
import { heightOfFailure, type RpcFailure, rpcError, rpcFailure } from './rpc-error.js';

/** The newest of our writes count: a later one is hardly ever in an earlier block. */
const MAX_UNPLACED = 32;
/** As many keys as a node returns in one answer (nearcore 2.14); older nodes return all of them. */
const KEYS_PER_PAGE = 100;

type Params = Readonly<Record<string, unknown>>;
type Read<T> = (result: unknown) => T;

/** How the views reach the nodes. */
export interface Nodes {
  /** Asks each node until one gives an answer that is accepted, or the chain's own refusal. */
  readonly request: <T>(
    method: string,
    params: Params,
    read: Read<T>,
    options?: RequestOptions<T>,
  ) => Promise<T>;
  readonly askNode: <T>(
    node: Node,
    method: string,
    params: Params,
    read: Read<T>,
    signal: AbortSignal | undefined,
  ) => Promise<T>;
  /** The nodes that count toward agreement. */
  readonly witnesses: () => readonly Node[];
  readonly agreement: number;
}

type Views = Pick<
  RpcClient,
  | 'viewAccessKey'
  | 'viewGasKeyNonces'
  | 'viewAccessKeyList'
  | 'viewAccount'
  | 'callFunction'
  | 'callFunctionJson'
  | 'block'
  | 'noteWrite'
>;

/** Asks for one answer; `more` overrides the parameters, for the next page for example. */
export type Ask<T> = (more?: Params) => Promise<T>;

/** One view, as {@link askThoroughly} needs it. */
export interface Question<T> {
  /** Asks the nodes in turn, and reads all of the answer. */
  readonly ask: () => Promise<T>;
  /** Asks one node for its final block, or for the block at a height; undefined where one node is enough. */
  readonly askWitness: ((node: Node, atHeight: number | undefined) => Promise<T>) | undefined;
  readonly nodes: Nodes;
  readonly heightOf: (answer: T) => number;
  readonly isNo: (answer: T) => boolean;
  /** Whether an answer below the floor counts nevertheless: it is no "no", and need not show our last write. */
  readonly mayBeOld: (isNo: boolean) => boolean;
  /** The height from which on an answer counts. */
  readonly floor: number;
  /** Looks up the blocks of our writes, and returns the height of the highest. */
  readonly placeWrites: () => Promise<number>;
  /** Forgets the blocks seen, which no node has now, and returns the height from which on answers count now. */
  readonly restartAt: (height: number) => number;
  /** A "no" must come from two blocks. */
  readonly certain: boolean;
  /** The newest block that counts: the last final one, or the head. */
  readonly finality: Finality;
  /** The block that holds what the view looks for, as the caller names it; 0 if it names none. */
  readonly heldAt: number;
  readonly signal: AbortSignal | undefined;
}

export function createViews(nodes: Nodes): Views {
  const { request, askNode, agreement } = nodes;
  /** The height of the highest final block that a node has shown, of the highest block, and of our last write. */
  const highest = { final: 0, optimistic: 0, written: 0 };
  /** The hashes of blocks with our writes, whose heights no view has needed yet. */
  const unplaced = new Set<string>();
  // Loaded ahead of the first question, and only if answers are compared at all.
  if (agreement > 1) loadThorough().catch(() => undefined);

  const note = (of: keyof typeof highest, height = 0) => {
    if (height > highest[of]) highest[of] = height;
  };

  async function view<T extends Answer>(
    params: Params,
    read: Read<T>,
    { agreed, certain = false, heldAt = 0, afterWrites = false, signal, ...options }: Options<T>,
    whole: (ask: Ask<T>) => Promise<T> = (ask) => ask(),
  ): Promise<T> {
    const { isNo = () => false, accept = (answer: T) => !isNo(answer) } = options;
    const compares = agreed && agreement > 1;
    const finality = (!compares && options.finality) || 'final';
    // The blocks seen before the question count: a node that is always a little behind then comes to them.
    const floor = Math.max(highest.final, highest.written, highest[finality]);
    const mayBeOld = (no: boolean) => !no && !afterWrites;
    const isLate = (height = floor, no: boolean) => !mayBeOld(no) && (height < floor || unplaced.size > 0);
    const isLateAnswer = (answer: T) => isLate(heightOf(answer), !accept(answer));
    const isLateRefusal = (refusal: RpcFailure) => {
      const height = heightOfFailure(refusal);
      note(finality, height);
      return isLate(height, true);
    };
    const readQuery: Read<T> = (result) => {
      const answer = read(queryResult(result));
      note(finality, heightOf(answer));
      return answer;
    };
    const asked = (more: Params = {}) => ({
      ...params,
      ...('block_id' in more ? more : { finality, ...more }),
    });
    const ask = () =>
      whole((more) =>
        request('query', asked(more), readQuery, {
          signal,
          accept: (answer) => (options.accept?.(answer) ?? true) && !isLateAnswer(answer),
          isLate: isLateRefusal,
        }),
      );
    if (!compares && !certain) {
      try {
        const answer = await ask();
        if (!isLateAnswer(answer)) return answer;
      } catch (error) {
        const refusal = rpcFailure(error);
        if (!refusal || !isLateRefusal(refusal)) throw error;
      }
    }
    const askWitness = (node: Node, atHeight: number | undefined) => {
      const block = atHeight === undefined ? {} : { block_id: atHeight };
      return whole((more) => askNode(node, 'query', asked({ ...block, ...more }), readQuery, signal));
    };
    const { askThoroughly, placeWrites } = await loadThorough();
    return askThoroughly({
      ask,
      askWitness: compares ? askWitness : undefined,
      nodes,
      heightOf,
      isNo: (answer) => !accept(answer),
      mayBeOld,
      floor,
      placeWrites: () => placeWrites(views, unplaced, signal).then(() => highest.written),
      restartAt: (height) => {
        Object.assign(highest, { final: height, optimistic: height, written: 0 });
        return height;
      },
      certain,
      finality,
      heldAt,
      signal,
    });
  }

  const callFunction = (
    contractId: string,
    method: string,
    args: Parameters<RpcClient['callFunction']>[2] = {},
    options: FunctionViewOptions = {},
  ): Promise<CallResult> => {
    const bytes = bytesOf(args) ?? new TextEncoder().encode(JSON.stringify(args));
    const params = {
      request_type: 'call_function',
      account_id: contractId,
      method_name: method,
      args_base64: base64.encode(bytes),
    };
    return view(params, readCallResult, options);
  };

  const viewKey =
    <S extends v.GenericSchema<unknown, Answer>>(requestType: string, schema: S) =>
    (accountId: string, publicKey: string, options: AgreedViewOptions = {}) => {
      const params = { request_type: requestType, account_id: accountId, public_key: publicKey };
      return orNull(
        'unknown_access_key',
        view<v.InferOutput<S>>(params, reader(schema), options, (ask) => ask().catch(asUnknownKey)),
      );
    };

  const views: Views = {
    viewAccessKey: viewKey('view_access_key', AccessKeyViewSchema),
    viewGasKeyNonces: viewKey('view_gas_key_nonces', GasKeyNoncesSchema),
    viewAccessKeyList: (accountId, options = {}) =>
      view(
        { request_type: 'view_access_key_list', account_id: accountId, limit: KEYS_PER_PAGE },
        reader(AccessKeyListSchema),
        { isNo: ({ keys }) => keys.length === 0, ...options },
        (ask) => everyKey(ask).catch(asNoKeys),
      ),
    viewAccount: (accountId, options = {}) => {
      const params = { request_type: 'view_account', account_id: accountId };
      return orNull('unknown_account', view(params, reader(AccountViewSchema), options));
    },
    callFunction,
    callFunctionJson: async (schema, contractId, method, args, options = {}) => {
      const { isNo, ...rest } = options;
      const parse = (result: CallResult) => parseReturnedJson(schema, method, result);
      const isNone = isNo && ((result: CallResult) => isNo(parse(result)));
      return parse(await callFunction(contractId, method, args, { ...rest, isNo: isNone }));
    },
    block: async (asked = { finality: 'final' }, options = {}) => {
      const params = 'blockId' in asked ? { block_id: asked.blockId } : asked;
      const block = await request('block', params, reader(BlockViewSchema), options);
      if ('finality' in asked) note(asked.finality, block.header.height);
      return block;
    },
    noteWrite: (block) => {
      if (typeof block === 'number') return note('written', block);
      unplaced.add(block);
      for (const oldest of unplaced) if (unplaced.size > MAX_UNPLACED) unplaced.delete(oldest);
    },
  };
  return views;
}

type Options<T> = ListViewOptions<T> & Pick<RequestOptions<T>, 'accept'>;

type Answer = { readonly block_height: number } | { readonly blockHeight: number };

function heightOf(answer: Answer): number {
  return 'blockHeight' in answer ? answer.blockHeight : answer.block_height;
}

async function everyKey(ask: Ask<AccessKeyList>): Promise<AccessKeyList> {
  const first = await ask();
  if (first.last_key == null) return first;
  return (await loadThorough()).withOtherPages(first, ask);
}

// Whether an account has a key: of a missing account, nodes up to 2.14 say that the key is missing and that the list is
// empty, and later ones that the account is missing (nearcore#16267). It is one "no", or two honest nodes would disagree.

/** Throws the refusal of a missing account as that of a missing key. */
function asUnknownKey(error: unknown): never {
  const failure = rpcFailure(error);
  if (failure?.kind !== 'unknown_account') throw error;
  throw rpcError({ ...failure, kind: 'unknown_access_key' }, { message: messageOf(error) }, error);
}

/** The empty list in place of the refusal of a missing account, as of the block that the refusal names. */
function asNoKeys(error: unknown): AccessKeyList {
  const failure = rpcFailure(error);
  const block = v.safeParse(BlockReferenceSchema, failure?.info);
  if (failure?.kind !== 'unknown_account' || !block.success) throw error;
  return { keys: [], ...block.output };
}

/** Returns null for the chain's "does not exist". */
async function orNull<T>(
  kind: 'unknown_account' | 'unknown_access_key',
  call: Promise<T>,
): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (rpcFailure(error)?.kind === kind) return null;
    throw error;
  }
}

function loadThorough(): Promise<typeof import('./thorough.js')> {
  return import('./thorough.js');
}
