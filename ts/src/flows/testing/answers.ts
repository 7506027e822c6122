/** What a passkey answers, as far as the flows look into it. */
import { base64urlnopad } from '@scure/base';

/** Authenticator data of a present and verified user, base64url; the rest is zero. */
export const VERIFIED_DATA = base64urlnopad.encode(
  Uint8Array.from({ length: 37 }, (_, at) => (at === 32 ? 0x05 : 0)),
);

/** The answer of the passkey with this id (base64url), for a verified user. */
export const verifiedAnswer = (id: string) => ({ id, response: { authenticatorData: VERIFIED_DATA } });

/** Of iCloud Keychain: one prompt gives outputs that need no proof. */
export const PLATFORM_MODEL = 'fbfc3007-154e-4ecc-8c0b-6e020557d7bd';

/** What a platform's authenticator makes, as far as the flows look into it. */
export const platformRegistration = (id: string) => ({
  id,
  rawId: id,
  authenticatorAttachment: 'platform',
  response: { transports: ['internal'] },
});

/** A function that says of itself that it is the browser's. */
export const native = (() => undefined).bind(null);
