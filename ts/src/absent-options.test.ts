/** An option that is undefined counts as left out, for the compiler (exactOptionalPropertyTypes) and when it runs. */
import { expect, it } from 'vitest';
import {
  createMemorySpendMeter,
  issueSignupVoucher,
  makeVoucherKeyPair,
  Refusal,
  type Registrar,
  type RegistrationRequest,
  type Secret,
  type SignupVerdict,
} from '../../server/src/index.js';
import type { TransactionButton } from './button/index.js';
import { type PasskeyManagerConfig, resolveConfig } from './config.js';
import type { Confirmer } from './confirm/port.js';
import type { WindowWallet } from './connect/index.js';
import type { PasskeyManager } from './index.js';
import type { LatchkeySignerArgs } from './near-api-js/index.js';
import type { ConnectorCalls, NearConnectWallet } from './near-connect/index.js';
import type { LinkDeviceQrData } from './types/linking.js';

/** Values that hold no options: handles, data of a protocol, and what a host implements. */
type Closed =
  | Uint8Array
  | AbortSignal
  | EventTarget
  | Event
  | Secret
  | Confirmer
  | LinkDeviceQrData
  | NearConnectWallet
  | RegistrationRequest
  | ((...args: never) => unknown);

/** The optional fields of a type, and of its fields, that do not take undefined. */
type Strict<T, Depth extends 0[] = []> = Depth['length'] extends 6
  ? never
  : T extends Closed
    ? never
    : T extends readonly (infer Item)[]
      ? Strict<Item, [...Depth, 0]>
      : T extends object
        ? {
            [K in keyof T]-?: object extends Pick<T, K>
              ? { [P in K]: undefined } extends Pick<T, K>
                ? Strict<T[K], [...Depth, 0]>
                : K
              : Strict<T[K], [...Depth, 0]>;
          }[keyof T]
        : never;

/** By argument: in a union, one that is unknown hides all others. */
type StrictArguments<Call> = Call extends abstract new (
  ...args: infer A
) => unknown
  ? { [I in keyof A]-?: Strict<A[I]> }[number]
  : Call extends (...args: infer A) => unknown
    ? { [I in keyof A]-?: Strict<A[I]> }[number]
    : never;
/** Of a module's functions and classes, or of an object's methods. */
type StrictCalls<Calls> = { [K in keyof Calls]-?: StrictArguments<Calls[K]> }[keyof Calls];

/** The entries of package.json. That of near-api-js takes the types of the package itself, except for the signer's arguments. */
type Entries =
  | StrictCalls<typeof import('./index.js')>
  | StrictCalls<typeof import('../../server/src/index.js')>
  | StrictCalls<typeof import('../../server/src/platform/node.js')>
  | StrictCalls<typeof import('../../server/src/platform/cloudflare.js')>
  | StrictCalls<typeof import('../../server/src/wallet-origin/index.js')>
  | StrictCalls<typeof import('../../server/src/wallet-origin/node.js')>
  | StrictCalls<typeof import('./frame/wallet/start.js')>
  | StrictCalls<typeof import('./near-connect/index.js')>
  | StrictCalls<typeof import('./connect/index.js')>
  | StrictCalls<typeof import('./verify/index.js')>
  | StrictCalls<typeof import('./balance.js')>
  | Strict<LatchkeySignerArgs>
  | StrictCalls<typeof import('./near-kit/index.js')>
  | StrictCalls<typeof import('./styles/brand.js')>
  | StrictCalls<typeof import('./button/index.js')>
  | StrictCalls<typeof import('./confirm/moves.js')>
  | StrictCalls<typeof import('./internal/index.js')>
  | StrictCalls<typeof import('./internal/wallet.js')>;
type Methods =
  | StrictCalls<PasskeyManager>
  | StrictCalls<WindowWallet>
  | StrictCalls<TransactionButton>
  | StrictCalls<ConnectorCalls>
  | StrictCalls<Registrar>
  | Strict<SignupVerdict>;

it('every option of the package takes undefined', () => {
  const strict: readonly (Entries | Methods)[] = [];
  expect(strict satisfies readonly never[]).toEqual([]);
  // Nothing would be found if a type of `Closed` fitted every object.
  const found = { a: 1, c: 1 } satisfies Record<Strict<{ a?: 1; b: { c?: 1; d?: 1 | undefined } }>, 1>;
  expect(found).toBeDefined();
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

it('an option of the server that is undefined is the default one', async () => {
  const { privateKey } = await makeVoucherKeyPair();
  const issuedAt = Date.now() / 1000;
  const voucher = await issueSignupVoucher({ privateKey, accountId: null, validForSeconds: undefined });
  const { expires } = JSON.parse(Buffer.from(voucher.split('.')[1] ?? '', 'base64url').toString());
  expect(expires - issuedAt).toBeGreaterThan(890);
  expect(expires - issuedAt).toBeLessThan(910);

  const errors: string[] = [];
  const meter = createMemorySpendMeter({
    capYocto: 5n,
    log: { info: () => undefined, warn: () => undefined, error: (event) => errors.push(event) },
    refusal: undefined,
    capLevel: undefined,
    alwaysAdmitsOne: undefined,
    windowMs: undefined,
    now: undefined,
    kept: undefined,
  });
  expect(() => meter.reserve(6n)).toThrow('This relay has spent what its operator allows for now.');
  expect(errors).toEqual(['spend_cap']);

  const absent = { retryAfterSeconds: undefined, transactionHash: undefined, cause: undefined };
  expect(new Refusal('spend_cap', '', absent).retryAfterSeconds).toBe(600);
});
