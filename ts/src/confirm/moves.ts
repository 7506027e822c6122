/**
 * The tokens that calls and messages move, as their own arguments say it: NEP-141, NEP-145, NEP-171, NEP-178, NEP-245,
 * wrapped NEAR, staking pools, burns, and the intents of intents.near. A contract is free to move tokens by any other
 * method, or to do something else by one of these.
 */
import { clearObject } from '../clear-json.js';
import type { Action, TransactionRequest } from '../types.js';

/** One move that a user approves. */
export interface TokenMove {
  /** 'unreadable': moves tokens by arguments that this module cannot read. */
  readonly does:
    | 'send'
    | 'approve'
    | 'withdraw'
    | 'wrap'
    | 'unwrap'
    | 'pay-storage'
    | 'take-storage'
    | 'close-storage'
    | 'stake'
    | 'unstake'
    | 'destroy'
    | 'unreadable';
  /** The contract that is called. */
  readonly contractId: string;
  /** The method, or the intent. */
  readonly method: string;
  /** The contract that keeps the token, whose metadata names it. */
  readonly token: string;
  readonly tokenId?: string;
  /**
   * Decimal digits, in the token's smallest unit; of what moves NEAR (wraps, storage, stakes) in yoctoNEAR. Absent where it is
   * everything that the account has there.
   */
  readonly amount?: string;
  /** The account that gets it, or may take it; absent where that is the account that signs. */
  readonly receiverId?: string;
  /** The receiver gets a message with it, and may act on that. */
  readonly hasMessage?: true;
}

type Arguments = Readonly<Record<string, unknown>>;
type Read = (args: Arguments, call: Call) => readonly Move[] | undefined;
type Move = Omit<TokenMove, 'contractId' | 'method'>;

interface Call {
  readonly contractId: string;
  readonly deposit: string;
}

const DIGITS = /^\d{1,78}$/;
/** What an intents contract and the SDKs put before the id of a fungible token's contract. */
const FUNGIBLE = 'nep141:';

const UNLISTED: Read = () => undefined;

const READERS: Readonly<Record<string, Read>> = {
  ft_transfer: fungible,
  ft_transfer_call: fungible,
  nft_transfer: single,
  nft_transfer_call: single,
  nft_transfer_payout: single,
  nft_approve: ({ token_id: id, ...args }, call) =>
    approvals({ ...args, token_ids: [id], amounts: undefined }, call),
  mt_transfer: one,
  mt_transfer_call: one,
  mt_batch_transfer: several,
  mt_batch_transfer_call: several,
  mt_approve: approvals,
  ft_withdraw: withdrawal(fungible),
  nft_withdraw: withdrawal(single),
  mt_withdraw: withdrawal(several),
  execute_intents: UNLISTED,
  near_deposit: (_args, { contractId, deposit }) => [{ does: 'wrap', token: contractId, amount: deposit }],
  near_withdraw: ({ amount }, { contractId }) =>
    isDigits(amount) ? [{ does: 'unwrap', token: contractId, amount }] : undefined,
  storage_deposit: ({ account_id: account }, { contractId, deposit }) => {
    if (account !== undefined && account !== null && typeof account !== 'string') return undefined;
    return [
      { does: 'pay-storage', token: contractId, amount: deposit, ...(account && { receiverId: account }) },
    ];
  },
  storage_withdraw: ({ amount }, call) => near('take-storage', amount ?? undefined, call),
  // With `force`, NEP-145 has the contract burn the balance; without it, the call fails while there is one.
  storage_unregister: ({ force = null }, { contractId: token }) => {
    if (force !== null && typeof force !== 'boolean') return undefined;
    return [{ does: force ? 'destroy' : 'close-storage', token }];
  },
  burn: burnt,
  ft_burn: burnt,
  nft_burn: burnt,
  mt_burn: burnt,
  deposit_and_stake: (_args, call) => near('stake', call.deposit, call),
  stake: ({ amount }, call) => (isDigits(amount) ? near('stake', amount, call) : undefined),
  stake_all: (_args, call) => near('stake', undefined, call),
  unstake: ({ amount }, call) => (isDigits(amount) ? near('unstake', amount, call) : undefined),
  unstake_all: (_args, call) => near('unstake', undefined, call),
  // No standard says what these take: pools, exchanges and tokens differ.
  withdraw: UNLISTED,
  withdraw_all: UNLISTED,
  approve: UNLISTED,
  ft_approve: UNLISTED,
  ft_transfer_from: UNLISTED,
  nft_approve_for_all: UNLISTED,
  nft_set_approval_for_all: UNLISTED,
  nft_batch_transfer: UNLISTED,
};

/** The arguments that the moves of a call say in full. A method that may have others to say is not listed. */
const SAID: Readonly<Record<string, readonly string[]>> = {
  ft_transfer: ['receiver_id', 'amount'],
  nft_transfer: ['receiver_id', 'token_id'],
  mt_transfer: ['receiver_id', 'token_id', 'amount'],
  mt_batch_transfer: ['receiver_id', 'token_ids', 'amounts'],
  near_deposit: [],
  near_withdraw: ['amount'],
  storage_deposit: ['account_id'],
  storage_withdraw: ['amount'],
  storage_unregister: ['force'],
  burn: ['token_id', 'token_ids', 'amount', 'amounts'],
  ft_burn: ['amount'],
  nft_burn: ['token_id'],
  mt_burn: ['token_ids', 'amounts'],
  deposit_and_stake: [],
  stake: ['amount'],
  stake_all: [],
  unstake: ['amount'],
  unstake_all: [],
};

/** Intents that move tokens; any other one counts as unreadable. */
const INTENTS: Readonly<Record<string, Read>> = {
  transfer: spread,
  token_diff: difference,
  ft_withdraw: READERS.ft_withdraw as Read,
  nft_withdraw: READERS.nft_withdraw as Read,
  mt_withdraw: READERS.mt_withdraw as Read,
};

/** The token moves of one transaction, in order. */
export function tokenMoves({ receiverId, actions }: TransactionRequest): readonly TokenMove[] {
  return actions.flatMap((action) => {
    if (action.type !== 'FunctionCall') return [];
    const { methodName: method, args, deposit } = action;
    const read = Object.hasOwn(READERS, method) ? READERS[method] : undefined;
    return read ? named(read, readArguments(args), { contractId: receiverId, deposit }, method) : [];
  });
}

/** Whether {@link tokenMoves} says everything that the arguments of a call say: no other key, no text for the receiver. */
export function movesSayAll(receiverId: string, call: Extract<Action, { type: 'FunctionCall' }>): boolean {
  const { methodName: method, args } = call;
  const said = Object.hasOwn(SAID, method) ? SAID[method] : undefined;
  const read = readArguments(args);
  if (!said || !read || !Object.keys(read).every((key) => said.includes(key))) return false;
  return tokenMoves({ receiverId, actions: [call] }).every(({ does }) => does !== 'unreadable');
}

/** The moves that a message (NEP-413) allows the contract `recipient` to make; undefined for any other message. */
export function movesOfMessage(message: string, recipient: string): readonly TokenMove[] | undefined {
  let intents: unknown;
  try {
    intents = (JSON.parse(message) as { readonly intents?: unknown } | null)?.intents;
  } catch {
    return undefined;
  }
  if (!Array.isArray(intents)) return undefined;
  const call = { contractId: recipient, deposit: '0' };
  // Its keys are counted over the whole message.
  const isClear = readArguments(message) !== undefined;
  return intents.flatMap((intent: unknown) => {
    const args = isClear && isObject(intent) ? intent : undefined;
    const method = text(args?.intent) ?? '';
    const read = Object.hasOwn(INTENTS, method) ? INTENTS[method] : undefined;
    return named(read ?? (() => undefined), args, call, method);
  });
}

function named(read: Read, args: Arguments | undefined, call: Call, method: string): readonly TokenMove[] {
  const { contractId } = call;
  const moves = (args && read(args, call)) ?? [{ does: 'unreadable', token: contractId } as const];
  return moves.map((move) => ({ ...move, contractId, method }));
}

function fungible(args: Arguments, { contractId }: Call): readonly Move[] | undefined {
  const receiverId = text(args.receiver_id);
  const { amount } = args;
  if (!receiverId || !isDigits(amount)) return undefined;
  return [{ does: 'send', token: contractId, amount, receiverId, ...message(args) }];
}

function single(args: Arguments, { contractId }: Call): readonly Move[] | undefined {
  const [receiverId, tokenId] = [text(args.receiver_id), text(args.token_id)];
  if (!receiverId || tokenId === undefined) return undefined;
  return [{ does: 'send', token: contractId, tokenId, receiverId, ...message(args) }];
}

function approvals(args: Arguments, { contractId }: Call): readonly Move[] | undefined {
  const receiverId = text(args.account_id);
  const ids: readonly unknown[] = Array.isArray(args.token_ids) ? args.token_ids : [];
  const amounts: readonly unknown[] = Array.isArray(args.amounts) ? args.amounts : [];
  if (!receiverId || (amounts.length > 0 && amounts.length !== ids.length)) return undefined;
  return all(ids, (id, index) => {
    const [tokenId, amount] = [text(id), amounts[index]];
    if (tokenId === undefined || (amount !== undefined && !isDigits(amount))) return undefined;
    return {
      does: 'approve',
      token: contractId,
      tokenId,
      ...(amount !== undefined && { amount }),
      receiverId,
      ...message(args),
    };
  });
}

function one(args: Arguments, call: Call): readonly Move[] | undefined {
  return several({ ...args, token_ids: [args.token_id], amounts: [args.amount] }, call);
}

function several(args: Arguments, { contractId }: Call): readonly Move[] | undefined {
  const { token_ids: ids, amounts } = args;
  const receiverId = text(args.receiver_id);
  if (!receiverId || !Array.isArray(ids) || !Array.isArray(amounts)) return undefined;
  if (ids.length !== amounts.length) return undefined;
  return all(ids, (id, index) => {
    const amount: unknown = amounts[index];
    if (typeof id !== 'string' || !isDigits(amount)) return undefined;
    return { does: 'send', ...kept(id, contractId), amount, receiverId, ...message(args) };
  });
}

/** The intent `transfer`: `tokens` maps ids to amounts. */
function spread(args: Arguments, { contractId }: Call): readonly Move[] | undefined {
  const receiverId = text(args.receiver_id);
  if (!receiverId || !isObject(args.tokens)) return undefined;
  return all(Object.entries(args.tokens), ([id, amount]) =>
    isDigits(amount)
      ? { does: 'send', ...kept(id, contractId), amount, receiverId, ...message(args) }
      : undefined,
  );
}

/** The intent `token_diff`: gives what is negative for what is positive. Any other account may take the offer. */
function difference({ diff }: Arguments, { contractId }: Call): readonly Move[] | undefined {
  if (!isObject(diff)) return undefined;
  const given = Object.entries(diff).filter(([, change]) => !isDigits(change));
  return all(given, ([id, change]) => {
    const amount = typeof change === 'string' && change.startsWith('-') ? change.slice(1) : undefined;
    return isDigits(amount) ? { does: 'send', ...kept(id, contractId), amount } : undefined;
  });
}

/** What a call destroys. No standard names its arguments, only the events: those of a transfer, without a receiver. */
function burnt(args: Arguments, { contractId: token }: Call): readonly Move[] | undefined {
  const { token_id: id, token_ids: ids, amount, amounts } = args;
  if (ids !== undefined || amounts !== undefined) {
    if (id !== undefined || amount !== undefined || !Array.isArray(ids)) return undefined;
    if (amounts !== undefined && !(Array.isArray(amounts) && amounts.length === ids.length)) return undefined;
    return all(ids, (one, index) => destroyed(token, one, amounts?.[index]));
  }
  const move = id === undefined && amount === undefined ? undefined : destroyed(token, id, amount);
  return move && [move];
}

function destroyed(token: string, tokenId: unknown, amount: unknown): Move | undefined {
  if (tokenId !== undefined && typeof tokenId !== 'string') return undefined;
  if (amount !== undefined && !isDigits(amount)) return undefined;
  return {
    does: 'destroy',
    token,
    ...(tokenId !== undefined && { tokenId }),
    ...(amount !== undefined && { amount }),
  };
}

/** NEAR that a contract keeps for the account; all of it without an amount. */
function near(does: Move['does'], amount: unknown, { contractId: token }: Call): readonly Move[] | undefined {
  if (amount === undefined) return [{ does, token }];
  return isDigits(amount) ? [{ does, token, amount }] : undefined;
}

/** Takes tokens out of an intents contract: `token` names the contract that keeps them. */
function withdrawal(read: Read): Read {
  return (args, call) => {
    const contractId = text(args.token);
    const moves = contractId ? read(args, { ...call, contractId }) : undefined;
    return moves?.map((move) => ({ ...move, does: 'withdraw' }));
  };
}

/** Where a token of a multi token contract is kept: an intents contract names a fungible one by its own contract. */
function kept(id: string, contractId: string): Pick<TokenMove, 'token' | 'tokenId'> {
  return id.startsWith(FUNGIBLE) && id.length > FUNGIBLE.length
    ? { token: id.slice(FUNGIBLE.length) }
    : { token: contractId, tokenId: id };
}

function message({ msg }: Arguments): Pick<TokenMove, 'hasMessage'> {
  return msg === undefined || msg === null ? {} : { hasMessage: true };
}

/** Every item, or undefined if one cannot be read or there is none. */
function all<T>(items: readonly T[], read: (item: T, index: number) => Move | undefined): Move[] | undefined {
  const moves = items.map(read);
  return moves.length > 0 && moves.every((move) => move !== undefined) ? (moves as Move[]) : undefined;
}

/** The arguments of a call; undefined if they are no object that every contract reads alike. */
function readArguments(json: string | Uint8Array): Arguments | undefined {
  if (typeof json !== 'string') return json.length === 0 ? {} : undefined;
  return json.trim() === '' ? {} : clearObject(json);
}

function isObject(value: unknown): value is Arguments {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isDigits(value: unknown): value is string {
  return typeof value === 'string' && DIGITS.test(value);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
