import { useState } from 'react';
import { usePasskeyContext } from '../../src/context.js';
import { loadHeadlines } from '../../src/texts/current.js';
import { type Failure, outcomeFailure, thrownFailure } from '../../src/texts/error-text.js';

export interface OpenAccount {
  /** Logs in: silently by the server lock, or with a prompt. Does nothing while another login runs. */
  open: (accountId: string) => Promise<void>;
  /** The account that is being opened. */
  opening: string | undefined;
  failure: Failure | undefined;
  /** The account whose prompt ended without the passkey. */
  lacking: string | undefined;
}

/** Opens an account of this browser. */
export function useOpenAccount(): OpenAccount {
  const { loginPasskey } = usePasskeyContext();
  const [opening, setOpening] = useState<string>();
  const [failure, setFailure] = useState<Failure>();
  const [lacking, setLacking] = useState<string>();
  async function open(accountId: string): Promise<void> {
    if (opening !== undefined) return;
    setOpening(accountId);
    setFailure(undefined);
    setLacking(undefined);
    void loadHeadlines();
    try {
      const { success, ...failed } = await loginPasskey(accountId);
      if (success) return;
      setFailure(outcomeFailure(failed));
      if (failed.errorCode === 'LOGIN_CANCELLED') setLacking(accountId);
    } catch (thrown) {
      setFailure(thrownFailure(thrown));
    } finally {
      setOpening(undefined);
    }
  }
  return { open, opening, failure, lacking };
}
