/** The user's choice of the account that a page is connected to. Its session is open afterwards. */
import { surroundings } from '../../confirm/decide.js';
import type { Confirmer, ConnectChoice, ConnectModel } from '../../confirm/port.js';
import { CANCELLED, errorOf, LatchkeyError, NO_ACCOUNT_HERE } from '../../errors/account.js';
import type { ConnectArgs, Outcome, SignupPayment } from '../../types.js';
import type { FlowContext } from '../context.js';
import { hiddenAddresses } from '../hidden-address.js';
import type { Run } from '../run.js';
import { loginPasskey } from '../session/login.js';
import { getLoginState } from '../session/session.js';
import { getConfirmationConfig } from '../session/settings.js';

/** The request, without its options. */
export type Asked = Omit<ConnectArgs, 'options'>;

/**
 * Returns the chosen account. A choice that leads nowhere, such as a refused prompt, is offered again with its reason. Throws
 * CANCELLED when the user chooses none, and NO_ACCOUNT_HERE where nothing can ask and no account is known.
 */
export async function chooseAccount(
  context: FlowContext,
  asked: Asked,
  payment: SignupPayment,
  run: Run<'action'>,
): Promise<string> {
  const confirmer = context.confirmer();
  if (!confirmer?.choose) return accountInUse(context, run);
  for (let error: string | undefined; ; ) {
    const over = new AbortController();
    try {
      run.emit('user-confirmation', 'progress', 'Waiting for the choice of an account');
      const signal = AbortSignal.any([run.signal, over.signal]);
      const model = { ...(await modelOf(context, asked)), ...(error !== undefined && { error }) };
      const choice = await (confirmer as Required<Confirmer>).choose(model, signal);
      run.signal.throwIfAborted();
      if (choice.kind === 'cancel' || choice.kind === 'stop') throw new LatchkeyError(CANCELLED);
      // What follows shows a confirmation of its own.
      if (choice.kind !== 'account') over.abort();
      const { accountId, ...outcome } = await follow(context, choice, payment, run);
      if (outcome.success && accountId !== null) return accountId;
      run.signal.throwIfAborted();
      error = outcome.error ?? 'No account was opened';
    } finally {
      over.abort();
    }
  }
}

async function modelOf(context: FlowContext, { signMessage, addKey }: Asked): Promise<ConnectModel> {
  const { config, rpId, store } = context;
  const [users, { theme }] = await Promise.all([
    isOwnWindow(context) ? store.usersOnDevice() : store.users(),
    getConfirmationConfig(context),
  ]);
  return {
    networkId: config.networkId,
    theme,
    rpId,
    accountIds: hiddenAddresses(store).hide([...new Set(users.map(({ nearAccountId }) => nearAccountId))]),
    registry: config.contractId,
    asksMessage: signMessage !== undefined,
    ...(addKey && { keyFor: addKey.receiverId }),
  };
}

/** The wallet's own window, at top level: no other page sees what it shows, or can cover it. */
function isOwnWindow({ store }: FlowContext): boolean {
  return store.host !== undefined && !surroundings().isEmbedded;
}

type Opened = Outcome & { readonly accountId: string | null };

async function follow(
  context: FlowContext,
  choice: Exclude<ConnectChoice, { readonly kind: 'cancel' | 'stop' }>,
  { signupVoucher }: SignupPayment,
  { signal }: Run<'action'>,
): Promise<Opened> {
  switch (choice.kind) {
    case 'account': {
      const accountId = hiddenAddresses(context.store).open(choice.accountId);
      return { accountId, ...(await openSession(context, accountId, signal)) };
    }
    case 'new': {
      const { registerPasskey } = await import('../registration/register.js');
      const options = { signal, ...(signupVoucher !== undefined && { signupVoucher }) };
      return {
        accountId: choice.accountId,
        ...(await registerPasskey(context, choice.accountId, options)),
      };
    }
    case 'recover': {
      const { recoverAccountFlow } = await import('../recovery/recover.js');
      return recoverAccountFlow(context, { options: { signal } });
    }
  }
}

async function openSession(context: FlowContext, accountId: string, signal: AbortSignal): Promise<Outcome> {
  const { isLoggedIn } = await getLoginState(context, accountId);
  if (isLoggedIn) return { success: true };
  if (isOwnWindow(context)) await introduce(context, accountId);
  return loginPasskey(context, accountId, { signal });
}

/** The user chose the account for this page in a window that the page cannot cover, so no prompt has to introduce it. */
async function introduce({ store }: FlowContext, accountId: string): Promise<void> {
  const user = await store.userOnDevice(accountId);
  if (user) await store.setLastUser({ accountId, deviceNumber: user.deviceNumber });
}

async function accountInUse(context: FlowContext, { signal }: Run<'action'>): Promise<string> {
  const { nearAccountId: accountId } = await getLoginState(context);
  if (accountId === null) throw new LatchkeyError(NO_ACCOUNT_HERE);
  const opened = await openSession(context, accountId, signal);
  if (!opened.success) throw errorOf(opened);
  return accountId;
}
