/** The results that several places read. What the wallet gives beyond a result stays in the wallet. */
import * as v from 'valibot';
import type { LoginState, RegistrationResult, UserData, UserPreferences } from '../../types.js';
import {
  accountId,
  code,
  confirmationChoice,
  errorValues,
  flag,
  name,
  oneOf,
  only,
  optional,
  orNull,
  type Schema,
  sentence,
  theme,
  wholeNumber,
} from './schemas.js';

/** How every flow ends. */
export const outcome = {
  success: flag,
  error: optional(sentence),
  errorCode: optional(code),
  errorValues: optional(errorValues),
};

export const nothing: Schema<void> = v.void();

export const registration = only<RegistrationResult>({
  ...outcome,
  nearAccountId: accountId,
  clientNearPublicKey: orNull(name),
  transactionId: orNull(name),
  pending: optional(flag),
  vrfRegistration: only<RegistrationResult['vrfRegistration']>({
    success: flag,
    vrfPublicKey: orNull(name),
    encryptedVrfKeypair: orNull(v.object({ encryptedVrfDataB64u: name, chacha20NonceB64u: name })),
    contractVerified: flag,
    error: optional(sentence),
  }),
});

export const preferences = only<UserPreferences>({
  useRelayer: flag,
  useNetwork: name,
  confirmationConfig: optional(confirmationChoice),
  theme: optional(theme),
});

export const loginState = only<LoginState>({
  isLoggedIn: flag,
  nearAccountId: orNull(accountId),
  publicKey: orNull(name),
  vrfActive: flag,
  userData: orNull(
    only<UserData>({
      nearAccountId: accountId,
      deviceNumber: wholeNumber,
      registeredAt: wholeNumber,
      lastLogin: orNull(wholeNumber),
      lastUpdated: wholeNumber,
      clientNearPublicKey: name,
      preferences,
      passkeyBackup: optional(oneOf('backed-up', 'not-backed-up', 'device-bound')),
      passkeyProven: flag,
    }),
  ),
  vrfSessionDuration: optional(v.pipe(v.number(), v.minValue(0))),
});
