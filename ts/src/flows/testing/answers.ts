/** What a passkey answers, as far as the flows look into it. */
import { base64urlnopad } from '@scure/base';

/** Authenticator data of a present and verified user, base64url; the rest is zero. */
export const VERIFIED_DATA = base64urlnopad.encode(
  Uint8Array.from({ length: 37 }, (_, at) => (at === 32 ? 0x05 : 0)),
);

/** The answer of the passkey with this id (base64url), for a verified user. */
export const verifiedAnswer = (id: string) => ({ id, response: { authenticatorData: VERIFIED_DATA } });

const ICLOUD = [
  0xfb, 0xfc, 0x30, 0x07, 0x15, 0x4e, 0x4e, 0xcc, 0x8c, 0x0b, 0x6e, 0x02, 0x05, 0x57, 0xd7, 0xbd,
];
const AUTH_DATA = [...new TextEncoder().encode('authData'), 0x58, 0xa4];

/** What iCloud Keychain makes, as far as the flows look into it: one prompt gives outputs that need no proof. */
export const platformRegistration = (id: string) => ({
  id,
  rawId: id,
  authenticatorAttachment: 'platform',
  response: {
    attestationObject: base64urlnopad.encode(
      Uint8Array.from([...AUTH_DATA, ...Array<number>(37).fill(0), ...ICLOUD]),
    ),
    transports: ['internal'],
  },
});

/** A function that says of itself that it is the browser's. */
export const native = (() => undefined).bind(null);
