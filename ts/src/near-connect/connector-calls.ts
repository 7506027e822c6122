/** A connector's calls over a wallet's calls: the same for a wallet in the page and for one in windows. */

import { batchError, carriedBytes, notCarried } from '../client-errors.js';
import type { WindowWallet } from '../connect/window-wallet.js';
import {
  CANCELLED,
  errorOf,
  isCancellation,
  LatchkeyError,
  NETWORK_NOT_SERVED,
  NOTHING_CONNECTED,
  OTHER_ACCOUNT,
  UNKNOWN,
} from '../errors/account.js';
import { hasLeft } from '../failed-results.js';
import type {
  ActionResult,
  ConnectArgs,
  ConnectResult,
  Outcome,
  SignDelegateResult,
  SignNep413Params,
} from '../types.js';
import { toTransactionInput } from './actions.js';
import type {
  ConnectedAccount,
  ConnectorCalls,
  ConnectorSignedMessage,
  FunctionCallKey,
  MessageParams,
} from './types.js';

/** Keeps which account is connected, and nothing else. */
export interface ConnectedStore {
  read(): Promise<ConnectedAccount | undefined>;
  write(account: ConnectedAccount): Promise<void>;
  clear(): Promise<void>;
}

export interface ConnectorCallsOptions {
  readonly wallet: Omit<WindowWallet, 'signTransactionsWithActions' | 'signDelegateAction'>;
  /** The wallet's network. Any other one is refused by its name. */
  readonly networkId: () => string;
  readonly connected: ConnectedStore;
  /** Called before each signature with the account, and after the sign-out. */
  readonly openSession?: (accountId: string) => Promise<void>;
  readonly signOut?: () => Promise<void>;
  /** Called before each sign-in. */
  readonly signupVoucher?: (() => Promise<string>) | undefined;
}

/**
 * Every call rejects with 'User rejected' when the user declines. A batch that fails says in its text what was executed,
 * what failed and what was not sent, with ids, because a connector's sandbox passes on only the text.
 */
export function connectorCalls({
  wallet,
  networkId,
  connected,
  openSession = async () => undefined,
  signOut = async () => undefined,
  signupVoucher,
}: ConnectorCallsOptions): ConnectorCalls {
  function assertNetwork(asked: string | undefined): void {
    const own = networkId();
    if (asked !== undefined && asked !== own)
      throw new LatchkeyError(NETWORK_NOT_SERVED, { values: { asked, networkId: own } });
  }

  /** The connected account, which is the one that signs. */
  async function signer({ network, signerId }: Asked): Promise<string> {
    assertNetwork(network);
    const account = await connected.read();
    if (!account) throw new LatchkeyError(NOTHING_CONNECTED);
    const { accountId } = account;
    if (signerId !== undefined && signerId !== accountId)
      throw new LatchkeyError(OTHER_ACCOUNT, { values: { asked: signerId, account: accountId } });
    await openSession(accountId);
    return accountId;
  }

  async function connect(asked: Omit<ConnectArgs, 'options'>): Promise<Connected> {
    const options = signupVoucher && { signupVoucher: await signupVoucher() };
    const result = succeeded(await wallet.connect({ ...asked, ...(options && { options }) }));
    const { accountId, publicKey } = result;
    if (accountId === null || publicKey === null) throw errorOf(result);
    await connected.write({ accountId, publicKey });
    return { ...result, accountId, publicKey };
  }

  async function send(
    asked: Asked,
    transactions: Parameters<typeof toTransactionInput>[0][],
  ): Promise<never[]> {
    const inputs = transactions.map(toTransactionInput);
    const nearAccountId = await signer(asked);
    const results = await wallet.signAndSendTransactions({ nearAccountId, transactions: inputs });
    if (results.some(({ success }) => !success)) throw batchError(results);
    return results.map(({ result }) => result as never);
  }

  const calls: ConnectorCalls = {
    async signIn({ network, addFunctionCallKey } = {}) {
      assertNetwork(network);
      const { accountId, publicKey } = await connect(keyOf(addFunctionCallKey));
      return [{ accountId, publicKey }];
    },
    async signInAndSignMessage({ network, addFunctionCallKey, messageParams }) {
      assertNetwork(network);
      const signMessage = messageOf(messageParams);
      const { accountId, publicKey, signedMessage } = await connect({
        ...keyOf(addFunctionCallKey),
        signMessage,
      });
      if (!signedMessage) throw incomplete();
      return [{ accountId, publicKey, signedMessage: signedOf(signedMessage) }];
    },
    async signOut({ network } = {}) {
      assertNetwork(network);
      await connected.clear();
      await signOut();
    },
    async getAccounts({ network } = {}) {
      assertNetwork(network);
      const account = await connected.read();
      return account ? [account] : [];
    },
    async signAndSendTransaction({ receiverId, actions, ...asked }) {
      const [outcome] = await send(asked, [{ receiverId, actions }]);
      return outcome as never;
    },
    signAndSendTransactions: ({ transactions, ...asked }) => send(asked, [...transactions]),
    async signMessage({ network, signerId, ...message }) {
      const params = messageOf(message);
      const nearAccountId = await signer({ ...(network && { network }), ...(signerId && { signerId }) });
      return signedOf(succeeded(await wallet.signNEP413Message({ nearAccountId, params })));
    },
    async signDelegateActions({ delegateActions, ...asked }) {
      const inputs = delegateActions.map(toTransactionInput);
      if (inputs.length === 0) throw notCarried('no delegate action');
      const nearAccountId = await signer(asked);
      const results = await wallet.signDelegateActions({ nearAccountId, delegateActions: inputs });
      return { signedDelegateActions: results.map(signedDelegateOf) };
    },
    async resolveAuth({ network, chainId, payload }) {
      const nearAccountId = await signer({ network });
      const asked = { nearAccountId, params: { payload, chainId } };
      const { accountId, authorization } = succeeded(await wallet.signNEP641Authorization(asked));
      if (authorization === null) throw incomplete();
      return { accountId, authorization };
    },
  };
  return rejectingWith(calls, inItsWords);
}

/** What a call says about who signs, and where. */
interface Asked {
  readonly network?: string | undefined;
  readonly signerId?: string | undefined;
}

type Connected = ConnectResult & { readonly accountId: string; readonly publicKey: string };

function keyOf(key: FunctionCallKey | undefined): Pick<ConnectArgs, 'addKey'> {
  if (!key) return {};
  const { contractId, publicKey, allowMethods, gasAllowance } = key;
  const methodNames = allowMethods.anyMethod ? [] : allowMethods.methodNames;
  const allowance = gasAllowance && {
    allowance: gasAllowance.kind === 'limited' ? gasAllowance.amount : null,
  };
  return { addKey: { publicKey, receiverId: contractId, methodNames, ...allowance } };
}

/** A connector's page may give the nonce as a plain array of numbers. */
function messageOf({ message, recipient, nonce }: MessageParams): SignNep413Params {
  return { message, recipient, nonce: carriedBytes('nonce', nonce) };
}

function signedOf({
  accountId,
  publicKey,
  signature,
}: {
  accountId: string;
  publicKey: string | null;
  signature: string | null;
}): ConnectorSignedMessage {
  if (publicKey === null || signature === null) throw incomplete();
  return { accountId, publicKey, signature };
}

function signedDelegateOf(result: SignDelegateResult): string {
  const { signedDelegate } = succeeded(result);
  if (signedDelegate === null) throw incomplete();
  return signedDelegate;
}

/** A wallet that says that it succeeded, without what it made. */
function incomplete(): LatchkeyError {
  return new LatchkeyError(UNKNOWN, { values: { operation: 'Signing' } });
}

function succeeded<T extends Outcome>(result: T): T {
  if (!result.success) throw errorOf(result);
  return result;
}

/** A cancellation in the connector's own words, unless a part of the batch was sent before. */
function inItsWords(error: unknown): unknown {
  if (!(error instanceof LatchkeyError && isCancellation(error))) return error;
  const { results = [] } = error.details as { readonly results?: readonly ActionResult[] };
  return hasLeft(results) ? error : new LatchkeyError(CANCELLED, { message: 'User rejected', cause: error });
}

/** The calls, which reject with what `change` makes of their errors. */
export function rejectingWith(calls: ConnectorCalls, change: (error: unknown) => unknown): ConnectorCalls {
  const wrapped = Object.entries({ ...calls }).map(([name, call]) => [
    name,
    (...args: never[]) =>
      (call as (...args: never[]) => Promise<unknown>)(...args).catch((error: unknown) => {
        throw change(error);
      }),
  ]);
  return Object.fromEntries(wrapped) as ConnectorCalls;
}
