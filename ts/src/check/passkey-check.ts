/**
 * Tries a user's own authenticator: makes a passkey, asks it three times, compares what it gives, and has the browser forget it.
 * Needs no account, and touches none.
 */
import { base64urlnopad } from '@scure/base';
import { LatchkeyError, messageOf } from '../errors/latchkey-error.js';
import { flagsIn } from '../webauthn/flags.js';
import { isOfPlatform } from '../webauthn/known-provider.js';
import { assertPasskey, createPasskey, type KnownCredential, randomChallenge } from '../webauthn/passkeys.js';
import { type PrfAnswer, type PrfOutputs, wipe } from '../webauthn/prf.js';
import type { AssertedPasskey, CreatedPasskey } from '../webauthn/read-credential.js';
import { signalUnknown } from '../webauthn/signal.js';
import { aaguidIn, authenticatorDataIn } from './attestation.js';
import { type BrowserFacts, browserFacts } from './browser.js';
import {
  type Ceremony,
  type Comparison,
  type Failure,
  type Notes,
  observedCredentials,
  type Read,
  type Step,
  shortened,
} from './ceremony.js';
import { reportText } from './report.js';
import { type Verdict, verdictOf } from './verdict.js';

/**
 * Stands where an account's name stands otherwise, and password managers show it. It is no account id: so no recovery reads an
 * account in the user handle, and the salts, which begin with it, are no account's.
 */
export const PASSKEY_NAME = 'Passkey check';

export interface CheckOptions {
  readonly rpId: string;
  /** Latchkey's version, for the report. */
  readonly version: string;
}

/** Whether the browser was told to forget the passkey, or has no call for it. `none`: there is no passkey. */
export type Forgotten = 'told' | 'cannot be told' | 'none';

export interface PasskeyCheck {
  readonly browser: BrowserFacts;
  /** Whether there is a passkey to ask and to forget. */
  readonly hasPasskey: boolean;
  /** One prompt, to be called in a click. Writes down how it ends, and never rejects. Undefined where it did not fail. */
  run(step: Step, signal: AbortSignal): Promise<Failure | undefined>;
  /** Wipes the outputs, and tells the browser that no account knows the passkey. */
  finish(): Promise<Forgotten>;
  verdict(): Verdict;
  /** Plain text that holds no secret. */
  report(): string;
}

export async function startPasskeyCheck({ rpId, version }: CheckOptions): Promise<PasskeyCheck> {
  const browser = await browserFacts();
  const startedAt = new Date();
  const ceremonies: Ceremony[] = [];
  const outputs = new Map<Step, PrfOutputs>();
  const hidden = new Set<string>();
  let passkey: KnownCredential | undefined;
  let forgotten: Forgotten | undefined;

  async function ask(step: Step, notes: Notes, signal: AbortSignal): Promise<Read> {
    const credentials = observedCredentials(notes, hidden);
    const request = { rpId, credentials, accountId: PASSKEY_NAME, challenge: randomChallenge(), signal };
    if (step === 'create') return readMade(await createPasskey({ ...request, deviceNumber: 1, exclude: [] }));
    const allow = step === 'get unnamed' || !passkey ? [] : [passkey];
    return readAnswer(step, await assertPasskey({ ...request, allow }));
  }

  function readMade({ registration, prf, isDiscoverable }: CreatedPasskey): Read {
    const { id, response } = registration;
    passkey = { credentialId: id, transports: response.transports ?? [] };
    hidden.add(id);
    const attestation = base64urlnopad.decode(response.attestationObject);
    const aaguid = aaguidIn(attestation);
    keep('create', prf);
    return {
      flags: flagsIn(authenticatorDataIn(attestation)),
      ...taken(prf),
      ...(aaguid !== undefined && { aaguid }),
      ...(isDiscoverable !== undefined && { isDiscoverable }),
      isOfPlatform: aaguid !== undefined && isOfPlatform(registration, aaguid),
    };
  }

  function readAnswer(step: Step, { authentication, prf }: AssertedPasskey): Read {
    const { id, response } = authentication;
    const isOther = id !== passkey?.credentialId;
    // Another passkey may be one of an account. These outputs, over other salts, open nothing of it.
    if (isOther && prf.kind === 'outputs') wipe(prf.outputs.first, prf.outputs.second);
    const compared = isOther ? [] : keep(step, prf);
    return {
      flags: flagsIn(base64urlnopad.decode(response.authenticatorData)),
      ...taken(prf),
      isOther,
      hasUserHandle: response.userHandle !== undefined,
      compared,
    };
  }

  /** Compares the outputs with those before, and keeps them for those after. */
  function keep(step: Step, prf: PrfAnswer): Comparison[] {
    const own = prf.kind === 'outputs' ? prf.outputs : undefined;
    const compared = ceremonies.flatMap(({ step: earlier, read }) => {
      if (!read || read.isOther) return [];
      const other = outputs.get(earlier);
      const against = (name: keyof PrfOutputs) =>
        own && other ? (isEqual(own[name], other[name]) ? 'same' : 'different') : 'none';
      return [{ with: earlier, first: against('first'), second: against('second') } as const];
    });
    if (own) outputs.set(step, own);
    return compared;
  }

  return {
    browser,
    get hasPasskey() {
      return passkey !== undefined;
    },
    async run(step, signal) {
      const notes: Notes = {};
      const from = performance.now();
      let read: Read | undefined;
      let failure: Failure | undefined;
      try {
        read = await ask(step, notes, signal);
      } catch (error) {
        const known = error instanceof LatchkeyError ? error : undefined;
        const message = shortened(messageOf(error), hidden);
        failure = {
          ...(notes.thrown !== undefined && { thrown: notes.thrown }),
          code: known?.code ?? 'WEBAUTHN_FAILED',
          message,
          // The values may hold a text that is shortened here.
          ...(message === known?.message && known.values && { values: known.values }),
        };
      }
      ceremonies.push({
        step,
        ms: Math.round(performance.now() - from),
        ...(notes.form && { form: notes.form }),
        ...(read && { read }),
        ...(failure && { failure }),
      });
      return failure;
    },
    async finish() {
      for (const { first, second } of outputs.values()) wipe(first, second);
      outputs.clear();
      if (!passkey) forgotten = 'none';
      else {
        const canSignal = typeof PublicKeyCredential.signalUnknownCredential === 'function';
        await signalUnknown(rpId, passkey.credentialId);
        forgotten = canSignal ? 'told' : 'cannot be told';
      }
      return forgotten;
    },
    verdict: () => verdictOf(browser.device, ceremonies),
    report: () =>
      reportText({
        version,
        startedAt,
        browser,
        ceremonies,
        forgotten,
        verdict: verdictOf(browser.device, ceremonies),
      }),
  };
}

const taken = (prf: PrfAnswer): Pick<Read, 'hasOutputs' | 'reason'> =>
  prf.kind === 'outputs' ? { hasOutputs: true } : { hasOutputs: false, reason: prf.reason };

const isEqual = (one: Uint8Array, other: Uint8Array): boolean => one.every((byte, at) => byte === other[at]);
