import { useState } from 'react';
import { asError } from '../../src/as-error.js';
import { usePasskeyContext } from '../../src/context.js';
import { useHomeTexts } from './texts/index.js';

export interface OpenAccount {
  /** Logs in: silently by the server lock, or with a prompt. Does nothing while another login runs. */
  open: (accountId: string) => Promise<void>;
  /** The account that is being opened. */
  opening: string | undefined;
  problem: { readonly text: string; readonly mayLackPasskey: boolean } | undefined;
}

/** Opens an account of this browser. */
export function useOpenAccount(): OpenAccount {
  const { loginPasskey } = usePasskeyContext();
  const words = useHomeTexts().welcome;
  const [opening, setOpening] = useState<string>();
  const [problem, setProblem] = useState<OpenAccount['problem']>();
  async function open(accountId: string): Promise<void> {
    if (opening !== undefined) return;
    setOpening(accountId);
    setProblem(undefined);
    try {
      const { success, error, errorCode } = await loginPasskey(accountId);
      if (!success)
        setProblem({ text: error ?? words.failed, mayLackPasskey: errorCode === 'LOGIN_CANCELLED' });
    } catch (thrown) {
      setProblem({ text: asError(thrown).message, mayLackPasskey: false });
    } finally {
      setOpening(undefined);
    }
  }
  return { open, opening, problem };
}
