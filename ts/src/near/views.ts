/**
 * Views of the chain: accounts, keys, contracts and blocks. One view of one node is not the truth. Nodes lag, also
 * those behind one address, so the client remembers the highest block that any of them has shown. A "no" from below
 * it is asked again.
 */

import { base64 } from '@scure/base';
import * as v from 'valibot';
import { bytesOf } from '../bytes.js';
import { messageOf } from '../errors/latchkey-error.js';
import { orAborted } from '../sleep.js';
import { type Clock, createClock } from './clock.js';
import {
  type AccessKeyList,
  AccessKeyListSchema,
  AccessKeyViewSchema,
  AccountViewSchema,
  type Answer,
  BlockReferenceSchema,
  BlockViewSchema,
  type CallResult,
  type Finality,
  GasKeyNoncesSchema,
  parseReturnedJson,
  placeOf,
  placeOfFailure,
  queryResult,
  readCallResult,
  reader,
} from './rpc-answer.js';
import type {
  AgreedViewOptions,
  FunctionViewOptions,
  ListViewOptions,
  Node,
  Params,
  RequestOptions,
  RpcClient,
} from './rpc-client.js';
import { type RpcFailure, rpcError, rpcFailure } from './rpc-error.js';

/** The newest of our writes count: a later one is hardly ever in an earlier block. */
const MAX_UNPLACED = 32;
/** As many keys as a node returns in one answer (nearcore 2.14); older nodes return all of them. */
const KEYS_PER_PAGE = 100;

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
  | 'head'
  | 'noteWrite'
>;

/** Asks for one answer; `more` overrides the parameters, for the next page for example. */
export type Ask<T> = (more?: Params) => Promise<T>;

/** One view, as {@link askThoroughly} needs it. */
export interface Question<T> {
  /** What the first look has shown already. */
  readonly answered: Promise<T> | undefined;
  /** No answer from below our writes counts, so that none is asked for before a node shows them. */
  readonly waitsFirst: boolean;
  /** Asks the nodes in turn, and reads all of the answer. */
  readonly ask: () => Promise<T>;
  /** Asks one node for its final block, or for the block at a height; undefined where one node is enough. */
  readonly askWitness: ((node: Node, atHeight: number | undefined) => Promise<T>) | undefined;
  readonly nodes: Nodes;
  readonly clock: Clock;
  readonly isNo: (answer: T) => boolean;
  /** Whether an answer below the floor counts nevertheless: it is no "no", and need not show our last write. */
  readonly mayBeOld: (isNo: boolean) => boolean;
  /** The height from which on an answer counts. */
  readonly floor: number;
  /** Looks up the blocks of our writes; returns the height of the last write. */
  readonly placeWrites: () => Promise<number>;
  /** Forgets the blocks seen, which no node has now, and returns the height from which on answers count now. */
  readonly restartAt: (height: number) => number;
  /** A "no" must come from two blocks. */
  readonly twice: boolean;
  /** A "no" must come from where the clock has settled. */
  readonly certain: boolean;
  /** Any answer must. */
  readonly newest: boolean;
  /** The newest block that counts: the last final one, or the head. */
  readonly finality: Finality;
  /** The block that holds what the view looks for, as the caller names it; 0 if it names none. */
  readonly heldAt: number;
  readonly signal: AbortSignal | undefined;
}

export function createViews(nodes: Nodes): Views {
  const { request, askNode, agreement } = nodes;
  const clock = createClock(nodes);
  /** The height of our last write. */
  let written = 0;
  /** The hashes of blocks with our writes, whose heights no view has needed yet. */
  const unplaced = new Set<string>();
  let placing: Promise<unknown> | undefined;
  // Loaded ahead of the first question, and only if answers are compared at all.
  if (agreement > 1) loadThorough().catch(() => undefined);

  /** For all who wait for it: each block is looked up once. */
  const place = async () => {
    const { placeWrites } = await loadThorough();
    placing ??= placeWrites(views, unplaced).finally(() => {
      placing = undefined;
    });
    await placing;
    return written;
  };

  async function view<T extends Answer>(
    params: Params,
    read: Read<T>,
    {
      agreed,
      blockHash,
      certain = false,
      twice = certain,
      heldAt = 0,
      newest = false,
      afterWrites = false,
      signal,
      ...options
    }: Options<T>,
    whole: (ask: Ask<T>) => Promise<T> = (ask) => ask(),
  ): Promise<T> {
    if (blockHash !== undefined) {
      const readAt: Read<T> = (result) => read(queryResult(result));
      const pinned = { ...params, block_id: blockHash };
      const ask = (node?: Node) =>
        whole((more) =>
          node
            ? askNode(node, 'query', { ...pinned, ...more }, readAt, signal)
            : request('query', { ...pinned, ...more }, readAt, { signal }),
        );
      return (await loadThorough()).askPinned({ nodes, ask, blockHash, agreed, signal });
    }
    const { isNo = () => false, accept = (answer: T) => !isNo(answer) } = options;
    const compares = agreed && agreement > 1;
    const finality = (!compares && options.finality) || 'final';
    // The blocks seen before the question count: a node that is always a little behind then comes to them.
    const floor = Math.max(clock.highest('final'), written, clock.highest(finality));
    const mayBeOld = (no: boolean) => !no && !afterWrites && !newest;
    const isBehind = (height = floor, no: boolean) => !mayBeOld(no) && height < floor;
    const isBehindAnswer = (answer: T) => isBehind(placeOf(answer).height, !accept(answer));
    const isBehindRefusal = (refusal: RpcFailure) => {
      const block = placeOfFailure(refusal);
      if (block) clock.note(finality, block);
      return isBehind(block?.height, true);
    };
    const readQuery: Read<T> = (result) => {
      const answer = read(queryResult(result));
      clock.note(finality, placeOf(answer));
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
          accept: (answer) => (options.accept?.(answer) ?? true) && !isBehindAnswer(answer),
          isLate: isBehindRefusal,
        }),
      );
    const waitsFirst = afterWrites && unplaced.size > 0;
    let answered: Promise<T> | undefined;
    if (!compares && !twice && !newest && !waitsFirst) {
      answered = ask();
      const isUnplaced = (no: boolean) => !mayBeOld(no) && unplaced.size > 0;
      try {
        const answer = await answered;
        if (!isBehindAnswer(answer) && !isUnplaced(!accept(answer))) return answer;
      } catch (error) {
        const refusal = rpcFailure(error);
        if (!refusal || !(isBehind(placeOfFailure(refusal)?.height, true) || isUnplaced(true))) throw error;
      }
    }
    const askWitness = (node: Node, atHeight: number | undefined) => {
      const block = atHeight === undefined ? {} : { block_id: atHeight };
      return whole((more) => askNode(node, 'query', asked({ ...block, ...more }), readQuery, signal));
    };
    const { askThoroughly } = await loadThorough();
    return askThoroughly({
      answered,
      waitsFirst,
      ask,
      askWitness: compares ? askWitness : undefined,
      nodes,
      clock,
      isNo: (answer) => !accept(answer),
      mayBeOld,
      floor,
      placeWrites: () => orAborted(place(), signal),
      restartAt: (height) => {
        clock.restartAt(height);
        written = 0;
        return height;
      },
      twice,
      certain,
      newest,
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
    block: async (asked = { finality: 'final' }, { maxAgeMs, ...options } = {}) => {
      const last = maxAgeMs !== undefined && 'finality' in asked && clock.block(maxAgeMs);
      if (last) return last;
      const params = 'blockId' in asked ? { block_id: asked.blockId } : asked;
      const block = await (options.agreed
        ? (await loadThorough()).agreedBlock({
            nodes,
            params,
            floor: clock.highest('final'),
            signal: options.signal,
          })
        : request('block', params, reader(BlockViewSchema), options));
      if ('finality' in asked) clock.noteBlock(asked.finality, block);
      else if (unplaced.delete(String(asked.blockId))) views.noteWrite(block.header.height);
      return block;
    },
    head: async (maxAgeMs, options) =>
      clock.head(maxAgeMs) ?? (await views.block({ finality: 'final' }, options)).header,
    noteWrite: (block) => {
      if (typeof block === 'string') unplaced.add(block);
      else written = Math.max(written, block);
      for (const oldest of unplaced) if (unplaced.size > MAX_UNPLACED) unplaced.delete(oldest);
    },
  };
  return views;
}

type Options<T> = ListViewOptions<T> & Pick<RequestOptions<T>, 'accept'>;

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
