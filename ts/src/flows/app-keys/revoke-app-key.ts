import { APP_KEY_UNKNOWN, LatchkeyError } from '../../errors/account.js';
import { appKeyName } from '../../storage/app-key-name.js';
import type { ActionOptions, ActionResult } from '../../types.js';
import { beforeAsking } from '../before-asking.js';
import type { FlowContext } from '../context.js';
import { deletionOf, unlessChanged } from '../key-deletion.js';
import { runFlow } from '../run.js';
import { requireSession } from '../session/session.js';
import { reportFailedAction } from '../signing/action-result.js';
import { assertPublicKey } from '../signing/actions.js';
import { approveAndSend } from './approve-change.js';
import { boundsOf } from './bounds.js';
import { dropExpiry } from './expiry.js';
import { dropPendingAppKey } from './settle-app-keys.js';

/** Removes a function-call key from the account, with one confirmation and one prompt, and from this device. */
export async function revokeAppKey(
  context: FlowContext,
  accountId: string,
  publicKey: string,
  options: ActionOptions,
): Promise<ActionResult> {
  return runFlow(
    'action',
    options,
    async (run) => {
      const { rpc, store } = context;
      assertPublicKey('revokeAppKey', publicKey);
      await requireSession(context, accountId);
      const { signal } = run;
      const kept = (await store.sealedKeys.list(appKeyName(accountId, store.host))).filter(
        ({ sealed }) => sealed.publicKey === publicKey,
      );
      const gone: ActionResult = { success: true, transactionId: null, result: null };
      const result = await unlessChanged(async () => {
        // Without it on the chain nothing is sent, and the key of this device is dropped.
        const reading = rpc.viewAccessKey(accountId, publicKey, { agreed: true, certain: true, signal });
        const onChain = await beforeAsking(context, signal, reading);
        if (onChain ? !boundsOf(onChain) : kept.length === 0) {
          throw new LatchkeyError(APP_KEY_UNKNOWN, { values: { publicKey, account: accountId } });
        }
        if (!onChain) return gone;
        const change = { accountId, publicKey, actions: deletionOf(publicKey, onChain) };
        return approveAndSend(context, change, options, run);
      });
      await Promise.all([
        dropPendingAppKey(store, publicKey),
        dropExpiry(store, { accountId, publicKey }),
        ...kept.map(({ name, deviceNumber }) => store.sealedKeys.drop(name, deviceNumber)),
      ]);
      run.emit('action-complete', 'success', 'The app key is gone', {
        data: { transactionId: result.transactionId },
      });
      return result;
    },
    reportFailedAction,
  );
}
