/** A registration that an earlier visit left undecided: finishes it before another passkey could take its place. */
import { messageOf } from '../../errors/latchkey-error.js';
import type { RegistrationEntry } from '../../storage/records.js';
import type { RegistrationOptions, RegistrationResult } from '../../types.js';
import type { FlowContext } from '../context.js';
import type { Run } from '../run.js';
import { openServerLock } from '../session/server-lock.js';
import { endSessionOf } from '../session/session.js';
import { finish, mismatch, result } from './finish.js';
import { settleSoon } from './settle-registration.js';

/** The result of an earlier try that created the account after all; undefined when it no longer can. */
export async function finishEarlier(
  context: FlowContext,
  entry: RegistrationEntry,
  run: Run<'registration'>,
  options: RegistrationOptions,
): Promise<RegistrationResult | undefined> {
  const { accountId } = entry;
  const untilLogout = context.logout.until(run.signal);
  const settled = await settleSoon(context, entry, undefined, { once: true });
  if (settled === 'dropped') return undefined;
  if (settled === 'mismatched') throw mismatch(context, accountId);
  if (settled === 'committed') {
    run.emit('registration-complete', 'success', 'An earlier registration had succeeded after all');
    await logInSilently(context, entry, untilLogout);
    return result(accountId, entry, null);
  }
  // Ask again with the passkey that was made: a new one would destroy it. The chain takes the registration only once.
  return finish(context, entry, run, options, () => logInSilently(context, entry, untilLogout));
}

/** A registration ends logged in; after an earlier try's passkey, only if the server lock opens. */
async function logInSilently(
  context: FlowContext,
  { accountId, records, vrfPublicKeys }: RegistrationEntry,
  signal: AbortSignal,
): Promise<void> {
  const { config, vrf } = context;
  const locked = records.user.serverEncryptedVrfKeypair;
  if (!config.shamir3pass || !locked || signal.aborted) return;
  const before = await vrf.call('status', []);
  try {
    await openServerLock(context, accountId, locked, [vrfPublicKeys.deterministic], signal);
  } catch (error) {
    config.logger.info('The server lock did not open, the next login asks for the passkey', messageOf(error));
    await endSessionOf(context, accountId, before);
  }
}
