import type { AccountInputState } from 'latchkey-react';

export type Mode = 'register' | 'login';

interface ModeWords {
  readonly label: string;
  readonly title: string;
  readonly subtitle: string;
  readonly placeholder: string;
  readonly waiting: string;
}

export const MODES: Readonly<Record<Mode, ModeWords>> = {
  register: {
    label: 'Register',
    title: 'Register Account',
    subtitle: 'Create a wallet with Passkey',
    placeholder: 'Pick a username',
    waiting: 'Registering passkey…',
  },
  login: {
    label: 'Login',
    title: 'Login',
    subtitle: 'Login with Passkey',
    placeholder: 'Enter your username',
    waiting: 'Waiting for Passkey…',
  },
};

/** Why 'continue' does nothing yet: a hint to show, or nothing to say. */
export type Blocked = { hint: string | null };

/** Whether the form may be submitted; undefined when it may. */
export function blockedBy(
  mode: Mode,
  input: Pick<AccountInputState, 'inputUsername' | 'accountExists'>,
  secureContext: boolean,
): Blocked | undefined {
  if (mode === 'register' && !secureContext) return { hint: 'HTTPS required' };
  if (input.inputUsername.trim() === '') return { hint: null };
  if (mode === 'register' && input.accountExists) return { hint: 'name taken' };
  if (mode === 'login' && !input.accountExists) return { hint: 'Account not found' };
  return undefined;
}
