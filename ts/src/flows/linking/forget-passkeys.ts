/** Tells the browser of the passkeys of a removed device. */
import { messageOf } from '../../errors/latchkey-error.js';
import { isImplicitAccountId } from '../../near/account-id.js';
import { authenticatorsOf } from '../../registry/registry.js';
import { signalUnknown } from '../../webauthn/signal.js';
import type { FlowContext } from '../context.js';

/** A passkey whose removal from the registry is final. */
export interface RemovedCredential {
  /** base64url. */
  readonly id: string;
  readonly rpId: string | undefined;
  readonly deviceNumber: number;
}

/**
 * Asks the browser to drop passkeys that no longer open anything. It may refuse; nothing depends on it. Says nothing of one
 * that opens another account of this device, nor of an implicit account's first one: its key may be what gave the account its
 * id, and then it is a way to the account for good. Never rejects.
 */
export async function forgetPasskeys(
  context: Pick<FlowContext, 'rpId' | 'rpc' | 'config' | 'store'>,
  accountId: string,
  removed: readonly RemovedCredential[],
): Promise<void> {
  const ours = removed.filter(
    ({ rpId, deviceNumber }) =>
      rpId === context.rpId && !(deviceNumber === 1 && isImplicitAccountId(accountId)),
  );
  if (ours.length === 0) return;
  try {
    const [left, users] = await Promise.all([
      // The registry decides, by two looks at different blocks: a passkey that it still lists is kept.
      authenticatorsOf(context, accountId, undefined, {
        afterWrites: true,
        certain: true,
        isNo: (list) => !ours.every(({ id }) => list.some(([listed]) => listed === id)),
      }),
      context.store.usersOnDevice(),
    ]);
    const others = users.filter(({ nearAccountId }) => nearAccountId !== accountId);
    const kept = new Set([
      ...left.map(([id]) => id),
      ...others.map(({ passkeyCredential }) => passkeyCredential.id),
    ]);
    for (const { id } of ours) if (!kept.has(id)) await signalUnknown(context.rpId, id);
  } catch (error) {
    context.config.logger.info('The browser was not told of a removed passkey', messageOf(error));
  }
}
