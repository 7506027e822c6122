import { useEffect, useState } from 'react';
import type { AccountInput } from '../use-account-input.js';
import type { LoginMode } from './modes.js';

/** The menu's mode, and the name that login fills in. */
export function useMode(input: AccountInput, defaultMode: LoginMode | undefined) {
  const { lastUsedUsername, inputUsername, setInputUsername } = input;
  const [chosen, setChosen] = useState(defaultMode);
  // '' once the user has typed: an emptied field stays empty.
  const [prefilled, setPrefilled] = useState<string>();
  const mode = chosen ?? (lastUsedUsername === '' ? 'register' : 'login');

  // Switching to login with an empty field fills in the account last used.
  useEffect(() => {
    if (mode !== 'login' || lastUsedUsername === '' || prefilled !== undefined || inputUsername !== '')
      return;
    setPrefilled(lastUsedUsername);
    setInputUsername(lastUsedUsername);
  }, [mode, lastUsedUsername, prefilled, inputUsername, setInputUsername]);

  /** Keeps the name in the field. */
  function goTo(next: LoginMode | undefined) {
    setPrefilled(undefined);
    setChosen(next);
  }
  return {
    mode,
    isPrefilled: prefilled !== undefined && prefilled === inputUsername,
    goTo,
    /** The user's choice, which drops a name that login has filled in. */
    switchTo(next: LoginMode) {
      if (mode === 'login' && prefilled !== undefined && prefilled === inputUsername) setInputUsername('');
      goTo(next);
    },
    type(text: string) {
      setPrefilled((name) => name ?? '');
      setInputUsername(text);
    },
    /** Back to the first mode, with an empty field. */
    reset() {
      goTo(defaultMode);
      setInputUsername('');
    },
  };
}
