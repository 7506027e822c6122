/**
 * The conditional get: the browser offers the site's passkeys in a field of the page (`autocomplete="username webauthn"`) until the
 * user chooses one (W3C WebAuthn Level 3, section 5.1.4). A browser runs one ceremony at a time, so a prompt ends it first, and it
 * is taken up again after the prompt.
 */
import { CANCELLED, cancelledBy, LatchkeyError } from '../errors/core.js';
import { orAborted, within } from '../sleep.js';
import { answered } from './credentials.js';
import { wipeAnswer } from './prf.js';
import { type AssertedPasskey, readAsserted } from './read-credential.js';
import { classifyWebAuthnError } from './webauthn-error.js';

/** An extension may ignore the signal: the prompt does not wait longer for the end of a conditional get. */
const END_WAIT_MS = 500;
/** A browser that refuses sooner than a user can choose and cancel would refuse again. */
const CHOSEN_AFTER_MS = 1_000;

interface Pending {
  /** Ends it; resolves when the browser has ended it too. */
  end(reason: 'prompt' | 'replaced'): Promise<void>;
}

let pending: Pending | undefined;
let prompts = 0;
let wake: (() => void)[] = [];

/** Runs a prompt: no conditional get is pending meanwhile. */
export async function asPrompt<T>(run: () => Promise<T>): Promise<T> {
  prompts += 1;
  try {
    // Not where nothing is pending: a wait could use up the user's click.
    if (pending) await pending.end('prompt');
    return await run();
  } finally {
    prompts -= 1;
    if (prompts === 0) {
      for (const go of wake) go();
      wake = [];
    }
  }
}

/** Pending until the user chooses a passkey in a field. A newer call takes its place: it then rejects with CANCELLED. */
export async function getConditionally(
  publicKey: PublicKeyCredentialRequestOptions & { readonly rpId: string },
  signal: AbortSignal,
): Promise<AssertedPasskey> {
  await pending?.end('replaced');
  for (;;) {
    let askedAt = performance.now();
    const ending = new AbortController();
    try {
      await untilNoPrompt(signal);
      askedAt = performance.now();
      return await askOnce(publicKey, AbortSignal.any([signal, ending.signal]), ending);
    } catch (error) {
      if (signal.aborted) throw cancelledBy(signal);
      if (ending.signal.reason === 'replaced') throw new LatchkeyError(CANCELLED);
      const isCancelled = performance.now() - askedAt >= CHOSEN_AFTER_MS;
      if (!ending.signal.aborted && !isCancelled) throw classifyWebAuthnError(error, '', publicKey.rpId);
    }
  }
}

async function askOnce(
  publicKey: PublicKeyCredentialRequestOptions,
  signal: AbortSignal,
  ending: AbortController,
): Promise<AssertedPasskey> {
  const asked = navigator.credentials
    .get({ publicKey, mediation: 'conditional', signal })
    .then((credential) => readAsserted(answered(credential)));
  const settled = asked.then(
    ({ prf }) => {
      if (signal.aborted) wipeAnswer(prf);
    },
    () => undefined,
  );
  const own: Pending = {
    end(reason) {
      ending.abort(reason);
      return within(END_WAIT_MS, settled, undefined);
    },
  };
  pending = own;
  try {
    return await orAborted(asked, signal);
  } finally {
    if (pending === own) pending = undefined;
  }
}

async function untilNoPrompt(signal: AbortSignal): Promise<void> {
  while (prompts > 0) await orAborted(new Promise<void>((go) => wake.push(go)), signal);
  signal.throwIfAborted();
}
