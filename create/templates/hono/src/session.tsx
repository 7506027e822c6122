/** The session at the app's own server, which is another one than the wallet's. */
import { usePasskeyContext } from 'latchkey-react';
import { useEffect, useState } from 'react';
import type { Refusal } from '../api/app';
import { Outcome, useFailureWords } from './outcome';
import { sessionTexts } from './session-texts';

type Reason = Refusal | 'SERVER_UNREACHABLE';

/** A call that the server refused, in words. */
class Refused extends Error {
  constructor(readonly reason: Reason) {
    super(sessionTexts.refusals[reason]);
  }
}

async function call<T>(path: string, body?: unknown): Promise<T> {
  const answer = await fetch(`/api/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch(() => null);
  if (answer?.ok) return answer.json();
  const { error } = ((await answer?.json().catch(() => null)) ?? {}) as { error?: Refusal };
  throw new Refused(error ?? 'SERVER_UNREACHABLE');
}

/** Ends the session, if the server can be reached. */
export async function endSession(): Promise<void> {
  await call('logout', {}).catch((error: unknown) => console.warn(error));
}

export function Session() {
  const { passkeyManager, loginState } = usePasskeyContext();
  const nearAccountId = loginState.nearAccountId ?? '';
  const wordsOf = useFailureWords();
  const [hasSession, setHasSession] = useState(false);
  const [said, setSaid] = useState('');
  const [failure, setFailure] = useState('');

  useEffect(() => {
    call<{ accountId: string | null }>('session').then(
      ({ accountId }) => setHasSession(accountId === nearAccountId),
      (error: unknown) => setFailure(messageOf(error)),
    );
  }, [nearAccountId]);

  async function logIn() {
    const asked = await call<{ message: string; recipient: string; nonce: string }>('login/begin', {});
    // JSON has no bytes, so the nonce crosses as base64.
    const nonce = Uint8Array.from(atob(asked.nonce), (letter) => letter.charCodeAt(0));
    const signed = await passkeyManager.signNEP413Message({ nearAccountId, params: { ...asked, nonce } });
    if (!signed.success) throw new Error(wordsOf(signed));
    await call('login/finish', signed);
    setHasSession(true);
    return sessionTexts.begun;
  }

  async function read() {
    return (await call<{ greeting: string }>('private/greeting')).greeting;
  }

  async function end() {
    await call('logout', {});
    setHasSession(false);
    return sessionTexts.ended;
  }

  /** Runs a step and shows what it says, or why it failed. */
  const run = (step: () => Promise<string>) => async () => {
    setSaid('');
    setFailure('');
    try {
      setSaid(await step());
    } catch (error) {
      setFailure(messageOf(error));
      if (error instanceof Refused && error.reason === 'NO_SESSION') setHasSession(false);
    }
  };

  return (
    <section aria-label={sessionTexts.title}>
      {hasSession ? (
        <button type="button" onClick={run(end)}>
          {sessionTexts.end}
        </button>
      ) : (
        <button type="button" onClick={run(logIn)}>
          {sessionTexts.begin}
        </button>
      )}
      <button type="button" onClick={run(read)}>
        {sessionTexts.read}
      </button>
      <Outcome said={said} failure={failure} />
    </section>
  );
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
