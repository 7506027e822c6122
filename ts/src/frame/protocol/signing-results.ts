/** The results of the messages that sign, and of those about keys and devices. */
import * as v from 'valibot';
import type { AccessKeyList } from '../../near/index.js';
import type {
  ActionResult,
  AppKey,
  AppKeyResult,
  Device2Linking,
  ExportKeypairResult,
  LinkDeviceResult,
  LinkedAccount,
  LinkedDevice,
  LinkedDevices,
  SignDelegateResult,
  SignNep413Result,
  SignTransactionResult,
} from '../../types.js';
import { chainOutcome } from './chain.js';
import { outcome } from './results.js';
import {
  accountId,
  amount,
  flag,
  LONG,
  linkQrData,
  list,
  name,
  only,
  optional,
  orNull,
  type Schema,
  sentence,
  text,
  wholeNumber,
} from './schemas.js';
import { fate, signedTransaction } from './transactions.js';
import type { WireSignedTransaction } from './wire-transaction.js';

// ---------------------------------------------------------------- signing

const actionEntries = {
  ...outcome,
  fate: optional(fate),
  transactionId: orNull(name),
  result: orNull(chainOutcome),
};
export const action = only<ActionResult>(actionEntries);
export const actions: Schema<readonly ActionResult[]> = list(action);
export const appKey = only<AppKeyResult>({
  ...actionEntries,
  publicKey: orNull(name),
  pending: optional(flag),
});

export interface WireSignTransactionResult extends Omit<SignTransactionResult, 'signedTransaction'> {
  readonly signedTransaction: WireSignedTransaction;
}
export const signedTransactions: Schema<readonly WireSignTransactionResult[]> = list(
  only<WireSignTransactionResult>({ signedTransaction, nearAccountId: accountId, logs: list(sentence) }),
);

export const nep413 = only<SignNep413Result>({
  ...outcome,
  accountId,
  publicKey: orNull(name),
  signature: orNull(name),
  nonce: orNull(name),
  state: optional(text(LONG)),
});

export const delegate = only<SignDelegateResult>({
  ...outcome,
  hash: orNull(name),
  signedDelegate: orNull(text(16 * 1024 * 1024)),
  publicKey: orNull(name),
  nonce: orNull(amount),
  maxBlockHeight: orNull(amount),
});

// ---------------------------------------------------------------- keys and devices

export const accessKeys: Schema<AccessKeyList> = v.object({
  keys: list(
    v.object({
      public_key: name,
      access_key: v.object({
        nonce: wholeNumber,
        permission: v.union([
          v.literal('FullAccess'),
          v.object({
            FunctionCall: v.object({
              allowance: orNull(amount),
              receiver_id: accountId,
              method_names: list(name),
            }),
          }),
          // A permission newer than this client is named, no more.
          v.pipe(
            v.record(v.string(), v.unknown()),
            v.transform((newer) =>
              Object.fromEntries(
                Object.keys(newer)
                  .slice(0, 1)
                  .map((kind) => [kind, {}]),
              ),
            ),
          ),
        ]),
      }),
    }),
    10_000,
  ),
  block_height: wholeNumber,
  block_hash: name,
});

export const appKeys: Schema<readonly AppKey[]> = list(
  only<AppKey>({
    publicKey: name,
    receiverId: accountId,
    methodNames: list(name),
    allowance: orNull(amount),
    isHere: flag,
    isOnChain: flag,
  }),
);

export const devices = only<LinkedDevices>({
  accountId,
  devices: list(
    only<LinkedDevice>({
      deviceNumber: wholeNumber,
      name,
      credentialId: text(2_048),
      registeredAt: wholeNumber,
      isCurrent: flag,
      accessKey: orNull(name),
      registeredKey: orNull(name),
    }),
  ),
  temporaryKeys: list(v.object({ publicKey: name, dueAt: orNull(wholeNumber) })),
  otherKeys: list(name),
});

export interface WireLinkDeviceResult extends Omit<LinkDeviceResult, 'signedDeleteKeyTransaction'> {
  readonly signedDeleteKeyTransaction?: WireSignedTransaction;
}
export const linkedDevice = only<WireLinkDeviceResult>({
  ...outcome,
  device2PublicKey: name,
  transactionId: optional(name),
  fundingAmount: name,
  linkedToAccount: optional(accountId),
  signedDeleteKeyTransaction: optional(signedTransaction),
});

export const device2Linking = only<Device2Linking>({
  flowId: name,
  qrData: linkQrData,
  qrCodeDataURL: v.pipe(v.string(), v.startsWith('data:image/png;base64,'), v.maxLength(LONG)),
  checkCode: name,
  expiresAt: wholeNumber,
});

export const linkedAccount = only<LinkedAccount>({
  ...outcome,
  nearAccountId: accountId,
  deviceNumber: orNull(wholeNumber),
  publicKey: orNull(name),
  transactionIds: list(name),
  isLoggedIn: flag,
});

export const exported = only<ExportKeypairResult>({
  ...outcome,
  nearAccountId: accountId,
  publicKey: orNull(name),
});
