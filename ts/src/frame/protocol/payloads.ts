/** The payloads of the messages. A field that none of them has is refused by name. */
import * as v from 'valibot';
import {
  accountId,
  amount,
  behavior,
  bytes,
  confirmationWish,
  exact,
  json,
  LONG,
  linkQrData,
  list,
  name,
  oneOf,
  optional,
  orNull,
  requestId,
  type Schema,
  SHORT,
  text,
  theme,
  wholeNumber,
} from './schemas.js';
import {
  actionInputs,
  args,
  executionWait,
  signedTransaction,
  transactionInputs,
  waitUntil,
} from './transactions.js';

const url = text(2_048);
const wish = { confirmationConfig: optional(confirmationWish) };
const sending = { ...wish, waitUntil: optional(waitUntil) };
const account = { nearAccountId: accountId };
const maybeAccount = { nearAccountId: optional(accountId) };
const methodNames: Schema<readonly string[]> = list(name);
const receiver = { ...account, receiverId: accountId };

export const anything = json;
/** No payload, or an empty one. */
export const none = v.optional(v.strictObject({}));
/** `options` of a flow that has none but the wish. */
const noOptions = { options: optional(v.strictObject({})) };

export const ofAccount = v.strictObject(account);
export const ofMaybeAccount = v.optional(v.strictObject(maybeAccount));
export const accountFlow = v.strictObject({ ...account, ...noOptions, ...wish });
export const recovery = v.strictObject({
  accountId: optional(accountId),
  credentialId: optional(text(2_048)),
  ...wish,
});
export const discovery = v.strictObject({ accountId: optional(accountId), ...wish });
export const ofAccountId = v.strictObject({ accountId });

export const transactions = v.strictObject({ ...account, transactions: transactionInputs, ...wish });
export const batch = v.strictObject({
  ...account,
  transactions: transactionInputs,
  options: optional(
    v.strictObject({ waitUntil: optional(waitUntil), executionWait: optional(executionWait) }),
  ),
  ...wish,
});
export const send = v.strictObject({
  signedTransaction,
  options: optional(v.strictObject({ waitUntil: optional(waitUntil) })),
});
export const action = v.strictObject({ ...receiver, actionArgs: actionInputs, ...sending });
export const delegate = v.strictObject({
  ...receiver,
  actions: actionInputs,
  validForBlocks: optional(wholeNumber),
  ...wish,
});
export const nep413 = v.strictObject({
  ...account,
  params: v.strictObject({
    message: text(LONG),
    recipient: name,
    nonce: optional(bytes(32)),
    state: optional(text(LONG)),
    callbackUrl: optional(url),
  }),
  ...wish,
});

export const appKeyToMake = v.strictObject({
  ...receiver,
  methodNames: optional(methodNames),
  allowance: optional(orNull(amount)),
  ...sending,
});
export const appKeyCall = v.strictObject({
  ...receiver,
  methodName: name,
  args,
  gas: optional(amount),
  ...sending,
});
export const appKeyToRevoke = v.strictObject({ ...account, publicKey: name, ...sending });

export const keyToDelete = v.strictObject({ accountId, publicKeyToDelete: name, ...wish });
export const exportUi = v.strictObject({
  ...account,
  variant: optional(oneOf('modal', 'drawer')),
  theme: optional(theme),
  ...wish,
});
export const scannedCode = v.strictObject({
  qrData: v.union([text(SHORT), linkQrData]),
  fundingAmount: optional(name),
  ...wish,
});
export const linking = v.optional(
  v.strictObject({
    accountId: optional(accountId),
    ui: optional(oneOf('modal', 'inline')),
    ...wish,
  }),
);

export const confirmBehavior = v.strictObject({ behavior, ...maybeAccount });
export const confirmationConfig = v.strictObject({ config: confirmationWish, ...maybeAccount });
export const chosenTheme = v.strictObject({ theme, ...maybeAccount });
export const cancel = v.optional(v.strictObject({ requestId: optional(requestId) }));

/** What a host sets of the wallet. Which of it a host may set is the wallet page's to say. */
export interface HostConfig {
  readonly theme?: 'dark' | 'light';
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
