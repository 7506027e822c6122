/** What the wallet makes of an authenticator, by the rules of its registration (flows/registration/new-passkey.ts). */
import type { ErrorValues, LatchkeyErrorCode } from '../errors/latchkey-error.js';
import type { DeviceCheck } from '../webauthn/device-check.js';
import type { Ceremony, Read, Step } from './ceremony.js';

export type Verdict =
  | {
      readonly kind: 'works';
      /** Of the registration. */
      readonly prompts: 1 | 2;
      /** It verified the user only where the request named no passkey: a browser's first signature takes two prompts. */
      readonly verifiesUnnamed: boolean;
    }
  | {
      readonly kind: 'refused';
      readonly code: LatchkeyErrorCode;
      readonly message?: string | undefined;
      readonly values?: ErrorValues | undefined;
    }
  /** The steps that were done do not tell. */
  | { readonly kind: 'open' };

/** The ends of a prompt that say nothing of the authenticator. */
const SAYS_NOTHING: readonly LatchkeyErrorCode[] = ['CANCELLED', 'PAGE_NOT_FOCUSED', 'REQUEST_PENDING'];

export function verdictOf(device: DeviceCheck, ceremonies: readonly Ceremony[]): Verdict {
  if (device.errorCode)
    return { kind: 'refused', code: device.errorCode, message: device.error, values: device.errorValues };
  const answers = ceremonies.flatMap(({ step, read }) => (read ? [{ step, ...read }] : []));
  const made = answers.find(({ step }) => step === 'create');
  if (!made) {
    const failure = ceremonies.findLast(({ step }) => step === 'create')?.failure;
    if (!failure || SAYS_NOTHING.includes(failure.code)) return { kind: 'open' };
    return { kind: 'refused', ...failure };
  }
  if (made.isDiscoverable === false) return { kind: 'refused', code: 'PASSKEY_NOT_DISCOVERABLE' };
  if (made.flags?.UV === false) return { kind: 'refused', code: 'USER_NOT_VERIFIED' };

  const asked = answers.filter(({ step, isOther }) => step !== 'create' && !isOther);
  const named = asked.filter(({ step }) => step !== 'get unnamed');
  // An authenticator has other outputs for a user who was not verified (CTAP 2.2, hmac-secret), and the wallet takes none of them.
  const verified = asked.filter(({ flags }) => flags?.UV);
  if (verified.some((one) => differs(one, [made, ...verified])))
    return { kind: 'refused', code: 'PASSKEY_UNSTABLE' };
  if (verified.length === 0) {
    // Where the named request verified no user, the wallet asks without a name.
    const wasAskedBothWays = named.length > 0 && asked.length > named.length;
    return wasAskedBothWays ? { kind: 'refused', code: 'USER_NOT_VERIFIED' } : { kind: 'open' };
  }
  const verifiedNamed = verified.filter((one) => named.includes(one));
  const isNamed = verifiedNamed.length > 0;
  if (!(isNamed ? verifiedNamed : verified).some(({ hasOutputs }) => hasOutputs))
    return { kind: 'refused', code: 'PRF_MISSING' };
  // One sample of the outputs says nothing of the next.
  if (!verified.some((one) => agrees(one, [made, ...verified]))) return { kind: 'open' };
  return {
    kind: 'works',
    prompts: made.hasOutputs && made.isOfPlatform ? 1 : 2,
    verifiesUnnamed: named.length > 0 && !isNamed,
  };
}

type Answered = readonly { readonly step: Step }[];

const among = ({ compared = [] }: Read, others: Answered) =>
  compared.filter(({ with: step }) => others.some((other) => other.step === step));

const differs = (read: Read, others: Answered): boolean =>
  among(read, others).some(({ first, second }) => first === 'different' || second === 'different');

const agrees = (read: Read, others: Answered): boolean =>
  among(read, others).some(({ first, second }) => first === 'same' && second === 'same');
