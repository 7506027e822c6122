// Calls with wrong arguments, as a page without types makes them.
import type { PasskeyManager } from 'latchkey';

const PARSE_NEAR = "in yoctoNEAR as a decimal text, as parseNear('0.5') makes it";
const LIST = 'Transactions come as a list of { receiverId, actions }';
const NO_ID = 'Invalid NEAR account ID: Account ID must be a non-empty string';

const SAID: Readonly<Record<string, string>> = {
  'no account': NO_ID,
  'a receiver that is no account':
    'Invalid NEAR account ID: receiverId must be an account id in lower case, such as alice.near',
  'no action': "An action is an object with a type, such as { type: 'Transfer' }",
  'an amount as a number': `Transfer needs an amount ${PARSE_NEAR}`,
  'an amount in NEAR': `Transfer needs an amount ${PARSE_NEAR}`,
  'an action that does not exist': 'Unsupported action type: transfer',
  'arguments with a bigint': 'FunctionCall needs args that JSON can hold: sum is BigInt',
  'gas in Tgas': "FunctionCall needs gas as a decimal text, as parseTgas('30') makes it",
  'a wait that no node knows':
    'Invalid configuration: waitUntil must be NONE or INCLUDED or INCLUDED_FINAL or EXECUTED or ',
  'an order that does not exist':
    'Invalid configuration: executionWait.mode must be sequential or parallelStaggered',
  'one transaction instead of a list': LIST,
  'no transactions': LIST,
  'a signed transaction from JSON':
    'The signedTransaction is none that signTransactionsWithActions returned: its borshBytes must be a Uint8Array',
  'no parameters of a message':
    'NEP-413 signing failed: it needs params, an object with a message and a recipient',
  'no recipient of a message': 'NEP-413 signing failed: a recipient is needed',
  'no parameters of an authorization': 'it needs params, an object with a payload',
  'no payload to authorize': 'a payload is needed',
  'a payload that is too long': 'the payload has 65537 characters, and the most are 65536',
  'a path that names the signer': 'the path names the signer, ',
  'a path of what is no account': 'the path names "Bob", which is no account id',
  'an authorization for another chain': 'mainnet',
  'no list of delegates': LIST,
  'a key to remove that is none':
    "deleteDeviceKey needs a publicKey, 'ed25519:', 'secp256k1:' or 'ml-dsa-65:' and base58 of its bytes",
  'an account to look at that is none':
    'Invalid NEAR account ID: nearAccountId must be an account id in lower case, such as alice.near',
};

/** The one call of them that returns no result, and rejects. */
const REJECTS = 'an account to look at that is none';

/** How a call ends, and with which text. */
export type WrongCall = readonly [name: string, how: string, text: string | undefined];

/** How each call ends, in the page and in its frame. */
export const EXPECTED: readonly WrongCall[] = Object.entries(SAID).map(([name, text]) => [
  name,
  name === REJECTS ? 'rejects' : 'resolves',
  text,
]);

/** Makes the calls. Stands alone, so that a browser can run it too, by default on the page's `facade`. */
export async function callWrongly(
  id: string,
  { manager } = (globalThis as unknown as { facade: { manager: PasskeyManager } }).facade,
): Promise<WrongCall[]> {
  const transfer = { type: 'Transfer', amount: '1' };
  const pay = { receiverId: 'relayer.testnet', actions: [transfer] };
  const call = { type: 'FunctionCall', methodName: 'm', args: {} };
  const [signed] = await manager.signTransactionsWithActions({
    nearAccountId: id,
    transactions: [pay as never],
  });
  const wallet = manager as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
  const execute = (wrong: object) => () =>
    wallet.executeAction?.({
      nearAccountId: id,
      receiverId: 'relayer.testnet',
      actionArgs: transfer,
      ...wrong,
    });
  const ofAccount = (method: string, wrong: object) => () =>
    wallet[method]?.({ nearAccountId: id, ...wrong });
  const authorize = (params: object) => ofAccount('signNEP641Authorization', { params });
  const calls: Record<string, () => Promise<unknown> | undefined> = {
    'no account': execute({ nearAccountId: undefined, accountId: id }),
    'a receiver that is no account': execute({ receiverId: 'Bob' }),
    'no action': execute({ actionArgs: undefined }),
    'an amount as a number': execute({ actionArgs: { type: 'Transfer', amount: 1 } }),
    'an amount in NEAR': execute({ actionArgs: { type: 'Transfer', amount: '0.5' } }),
    'an action that does not exist': execute({ actionArgs: { type: 'transfer', amount: '1' } }),
    'arguments with a bigint': execute({ actionArgs: { ...call, args: { sum: 1n } } }),
    'gas in Tgas': execute({ actionArgs: { ...call, gas: 30 } }),
    'a wait that no node knows': execute({ options: { waitUntil: 'final' } }),
    'an order that does not exist': ofAccount('signAndSendTransactions', {
      transactions: [pay],
      options: { executionWait: { mode: 'parallel' } },
    }),
    'one transaction instead of a list': ofAccount('signAndSendTransactions', { transactions: pay }),
    'no transactions': ofAccount('signAndSendTransactions', {}),
    'a signed transaction from JSON': () =>
      wallet.sendTransaction?.({
        signedTransaction: JSON.parse(JSON.stringify(signed?.signedTransaction)),
      }),
    'no parameters of a message': ofAccount('signNEP413Message', { message: 'hello', recipient: 'bob' }),
    'no recipient of a message': ofAccount('signNEP413Message', { params: { message: 'hello' } }),
    'no parameters of an authorization': ofAccount('signNEP641Authorization', { payload: 'hello' }),
    'no payload to authorize': authorize({ path: [] }),
    'a payload that is too long': authorize({ payload: 'x'.repeat(65_537) }),
    'a path that names the signer': authorize({ payload: 'hello', path: [id] }),
    'a path of what is no account': authorize({ payload: 'hello', path: ['Bob'] }),
    'an authorization for another chain': authorize({ payload: 'hello', chainId: 'mainnet' }),
    'no list of delegates': ofAccount('signDelegateActions', { delegateActions: pay }),
    'a key to remove that is none': () => wallet.deleteDeviceKey?.(id, 'abc'),
    'an account to look at that is none': () => wallet.viewAccessKeyList?.('Bob'),
  };
  const found: WrongCall[] = [];
  for (const [name, run] of Object.entries(calls)) {
    try {
      const [outcome] = [await run()].flat() as { success?: boolean; error?: string }[];
      found.push([name, outcome?.success === false ? 'resolves' : 'succeeds', outcome?.error]);
    } catch (error) {
      found.push([name, 'rejects', (error as Error).message]);
    }
  }
  return found;
}
