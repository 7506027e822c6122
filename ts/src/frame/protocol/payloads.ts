/**
 * The payloads that several messages share, and the host's configuration. A field outside a payload's schema is
 * refused by name.
 */
import * as v from 'valibot';
import {
  accountId,
  confirmationWish,
  exact,
  json,
  list,
  name,
  oneOf,
  optional,
  SHORT,
  text,
  theme,
} from './schemas.js';
import { waitUntil } from './transactions.js';

export const url = text(2_048);
export const wish = { confirmationConfig: optional(confirmationWish) };
export const sending = { ...wish, waitUntil: optional(waitUntil) };
export const account = { nearAccountId: accountId };
export const maybeAccount = { nearAccountId: optional(accountId) };
export const receiver = { ...account, receiverId: accountId };

export const anything = json;
/** No payload, or an empty one. */
export const none = v.optional(v.strictObject({}));
export const ofAccount = v.strictObject(account);
export const ofMaybeAccount = v.optional(v.strictObject(maybeAccount));
export const ofAccountId = v.strictObject({ accountId });
/** For a flow whose `options` are always empty; its one option stands next to them. */
export const accountFlow = v.strictObject({ ...account, options: optional(v.strictObject({})), ...wish });

export const signupPayment = { signupVoucher: optional(text(SHORT)) };

/** An account's flow that the relay pays for. */
export const registrationFlow = v.strictObject({ ...accountFlow.entries, ...signupPayment });

/** What a host sets of the wallet. The wallet page decides which of it this host may set. */
export interface HostConfig {
  readonly theme?: 'dark' | 'light';
  /** Of the host's page, as in HTML's `lang`. */
  readonly language?: string;
  readonly rpcUrl?: string | readonly string[];
  readonly networkId?: string;
  readonly contractId?: string;
  readonly relayer?: { readonly url?: string; readonly accountId?: string };
  readonly vrfWorkerConfigs?: {
    readonly shamir3pass?:
      | false
      | {
          readonly p?: string;
          readonly relayServerUrl?: string;
          readonly applyServerLockRoute?: string;
          readonly removeServerLockRoute?: string;
        };
  };
  readonly rpIdOverride?: string;
  readonly authenticatorOptions?: {
    readonly userVerification?: 'required' | 'preferred' | 'discouraged';
    readonly originPolicy?: unknown;
  };
  readonly confirmationConfig?: v.InferOutput<typeof confirmationWish>;
  readonly uiRegistry?: unknown;
  readonly assetsBaseUrl?: string;
}

export const hostConfig = exact<HostConfig>({
  theme: optional(theme),
  language: optional(text(SHORT)),
  rpcUrl: optional(v.union([text(8_192), list(url, 32)])),
  networkId: optional(name),
  contractId: optional(accountId),
  relayer: optional(v.strictObject({ url: optional(url), accountId: optional(accountId) })),
  vrfWorkerConfigs: optional(
    v.strictObject({
      shamir3pass: optional(
        v.union([
          v.literal(false),
          v.strictObject({
            p: optional(text(SHORT)),
            relayServerUrl: optional(url),
            applyServerLockRoute: optional(url),
            removeServerLockRoute: optional(url),
          }),
        ]),
      ),
    }),
  ),
  rpIdOverride: optional(name),
  authenticatorOptions: optional(
    v.strictObject({
      userVerification: optional(oneOf('required', 'preferred', 'discouraged')),
      originPolicy: optional(json),
    }),
  ),
  confirmationConfig: optional(confirmationWish),
  uiRegistry: optional(json),
  assetsBaseUrl: optional(url),
});
