/** An option that is undefined counts as left out, for the compiler (exactOptionalPropertyTypes) and when it runs. */
import { expect, it } from 'vitest';
import type { TransactionButtonOptions } from './button/transaction-button.js';
import { type PasskeyManagerConfig, resolveConfig } from './config.js';
import type { Confirmer } from './confirm/port.js';
import type { IframeWalletConfig } from './frame/config.js';
import type { PasskeyManager } from './passkey-manager.js';
import type { Brand } from './styles/brand.js';
import type { LinkDeviceQrData } from './types/linking.js';
import type { WalletSiteOptions } from './wallet-origin/site.js';

/** The optional fields of a type, and of its fields, that do not take undefined. */
type Strict<T> = T extends
  | Uint8Array
  | AbortSignal
  | Element
  | readonly unknown[]
  | ((...args: never) => unknown)
  ? never
  : T extends object
    ? {
        [K in keyof T]-?: object extends Pick<T, K>
          ? { [P in K]: undefined } extends Pick<T, K>
            ? Nested<T[K]>
            : K
          : Nested<T[K]>;
      }[keyof T]
    : never;
type Nested<T> = T extends
  | Uint8Array
  | AbortSignal
  | Element
  | readonly unknown[]
  | ((...args: never) => unknown)
  ? never
  : T extends object
    ? {
        [K in keyof T]-?: object extends Pick<T, K>
          ? { [P in K]: undefined } extends Pick<T, K>
            ? never
            : K
          : never;
      }[keyof T]
    : never;
type ArgumentsOf<C> = {
  [M in keyof C]: C[M] extends (...args: infer A) => unknown ? A[number] : never;
}[keyof C];
type Options =
  // A confirmer is not given options, and a scanned code is data.
  | Exclude<ArgumentsOf<PasskeyManager>, Confirmer | LinkDeviceQrData | null>
  | PasskeyManagerConfig
  | IframeWalletConfig
  | Brand
  | TransactionButtonOptions
  | WalletSiteOptions;

it('every option of the package takes undefined', () => {
  const strict: readonly Strict<Options>[] = [];
  expect(strict satisfies readonly never[]).toEqual([]);
});

it('a configuration whose options are undefined is the default one', () => {
  const url = 'https://relay.example';
  const absent: Required<{ [K in Exclude<keyof PasskeyManagerConfig, 'relayer'>]: undefined }> = {
    network: undefined,
    rpcUrl: undefined,
    rpcAgreement: undefined,
    networkId: undefined,
    contractId: undefined,
    explorerUrl: undefined,
    shamir3pass: undefined,
    vrfWorkerConfigs: undefined,
    authenticatorOptions: undefined,
    rpIdOverride: undefined,
    relatedOrigin: undefined,
    confirmationConfig: undefined,
    deviceLinking: undefined,
    keyExport: undefined,
    iframeWallet: undefined,
    logger: undefined,
    logLevel: undefined,
  };
  const whole = { relayer: { url, accountId: undefined }, ...absent };
  const resolved = resolveConfig({ relayer: { url } });
  expect({ ...resolveConfig(whole), logger: resolved.logger }).toEqual(resolved);
  const frame = {
    walletOrigin: 'https://wallet.example',
    walletServicePath: undefined,
    requestTimeoutMs: undefined,
  };
  const { iframeWallet } = resolveConfig({ relayer: { url }, iframeWallet: frame });
  const { walletOrigin } = frame;
  const same = resolveConfig({ relayer: { url }, iframeWallet: { walletOrigin } }).iframeWallet;
  expect({ ...iframeWallet, given: null }).toEqual({ ...same, given: null });
});
