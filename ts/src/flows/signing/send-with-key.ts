/** Sends with a key that needs no passkey, such as an app's. */
import type { ActionResult, SignedTransaction, WaitUntil } from '../../types.js';
import type { FlowContext } from '../context.js';
import type { Run } from '../run.js';
import { type SendSignedOptions, sendSigned } from './send.js';
import { withNonces } from './sign-in-turn.js';
import { takeTurn } from './turn.js';

export interface SendWithKey {
  readonly accountId: string;
  readonly publicKey: string;
  /** Signs with that key; called again when the nonce was overtaken. */
  readonly sign: (nonce: string, blockHash: string) => Promise<SignedTransaction>;
  readonly waitUntil?: WaitUntil | undefined;
  readonly run: Pick<Run<'action'>, 'signal'>;
  readonly onSend?: SendSignedOptions['onSend'];
}

/** Signs with a key that needs no passkey and sends: waits for its turn among tabs, signs again when the nonce is overtaken. */
export async function sendWithKey(
  context: Pick<FlowContext, 'rpc' | 'contexts' | 'activity'>,
  { accountId, publicKey, sign, waitUntil, run, onSend }: SendWithKey,
): Promise<ActionResult> {
  const { contexts } = context;
  const endTurn = await takeTurn(accountId, publicKey, 'shared', run);
  const signWith = async (blockHash: string): Promise<SignedTransaction> => {
    const key = { accountId, publicKey };
    const { signed } = await withNonces(context, key, 1, ([nonce = '']) => sign(nonce, blockHash));
    return signed;
  };
  try {
    const { blockHash } = await contexts.begin(accountId, publicKey);
    run.signal.throwIfAborted();
    const resign = async () => signWith((await contexts.renew(accountId, publicKey)).blockHash);
    return await sendSigned(context, await signWith(blockHash), { waitUntil, run, resign, onSend });
  } finally {
    endTurn();
  }
}
