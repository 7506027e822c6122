import { accountIdProblem } from 'latchkey';
import type { AccountInputState } from 'latchkey-react';

export type Mode = 'register' | 'login' | 'recover';

interface ModeWords {
  readonly label: string;
  readonly title: string;
  readonly subtitle: string;
  readonly placeholder: string;
  readonly waiting: string;
  /** The text for a failure without a message. */
  readonly failed: string;
}

export const MODES: Readonly<Record<Mode, ModeWords>> = {
  register: {
    label: 'Register',
    title: 'Register Account',
    subtitle: 'Create a wallet with Passkey',
    placeholder: 'Pick a username',
    waiting: 'Registering passkey…',
    failed: 'Registration failed',
  },
  login: {
    label: 'Login',
    title: 'Login',
    subtitle: 'Login with Passkey',
    placeholder: 'Enter your username',
    waiting: 'Waiting for Passkey…',
    failed: 'Login failed',
  },
  recover: {
    label: 'Recover',
    title: 'Recover Account',
    subtitle: 'Restore a wallet with Passkey',
    placeholder: 'Leave blank to discover accounts',
    waiting: 'Waiting for Passkey…',
    failed: 'Recovery failed',
  },
};

/** Why 'continue' does nothing yet: a hint to show, or null. */
export type Blocked = { hint: string | null };

/**
 * Why the form may not be submitted; undefined when it may. A framed wallet knows another site's accounts only by
 * their passkeys, so login with an unknown name continues with recovery.
 */
export function blockedBy(
  mode: Mode,
  input: Pick<AccountInputState, 'inputUsername' | 'targetAccountId' | 'accountExists'>,
  at: {
    readonly isSecure: boolean;
    readonly isFramed: boolean;
    /** The account that creates new ones, directly under itself. */
    readonly registrar: string;
  },
): Blocked | undefined {
  if (mode === 'recover') return undefined;
  if (mode === 'register' && !at.isSecure) return { hint: 'HTTPS required' };
  if (input.inputUsername.trim() === '') return { hint: null };
  if (mode === 'register' && input.accountExists) return { hint: 'name taken' };
  if (mode === 'register' && !input.targetAccountId.endsWith(`.${at.registrar}`))
    return { hint: `new names end in .${at.registrar}` };
  if (mode === 'login' && !input.accountExists && !at.isFramed) return { hint: 'Account not found' };
  return undefined;
}

/** The account to link this device to: a valid typed id that this device does not know, unless registering. */
export function joinedBy(
  mode: Mode,
  input: Pick<AccountInputState, 'targetAccountId' | 'isUsingExistingAccount' | 'accountExists'>,
): string | undefined {
  if (mode === 'register' || input.isUsingExistingAccount || input.accountExists) return undefined;
  return accountIdProblem(input.targetAccountId) === undefined ? input.targetAccountId : undefined;
}
