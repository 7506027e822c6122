// Linking in two browsers: one whose account admits a device, and an empty one that joins it.
import { randomBytes } from 'node:crypto';
import type { Device2Linking, LinkDeviceResult, LinkedAccount } from 'latchkey';
import { Account, KeyPair, KeyPairSigner } from 'near-api-js';
import { secretKeyText } from '../../dev/services/keys.js';
import { REGISTRY } from '../../dev/services/services.js';
import type { FaultStack } from '../faults/stack.js';
import { withinPassing } from '../faults/steps.js';
import { openDeletions } from './storage.js';
import { accountOf, test as base, expect, type Wallet } from './wallet.js';

/**
 * A temporary key's lifetime on the device's clock, which the test sets forward: long enough for a reload or a transaction
 * within it.
 */
export const DELAY_MS = 20_000;
/** No test waits for it, and it must not interrupt a slow one. */
export const LONG_DELAY_MS = 600_000;
/** Time for a page to send a pending transaction. */
const QUIET_MS = 500;
const LIMIT_MS = 30_000;
export const FAILED = 'Failed to scan and link device: ';

export const test = base.extend<{ delayMs: number; device1: Wallet; device2: Wallet }>({
  delayMs: DELAY_MS,
  /** A browser with an account, which is logged in. */
  device1: async ({ open, username, delayMs }, use) => {
    const device1 = await open({ config: { deviceLinking: { tempKeyDeleteDelayMs: delayMs } } });
    await device1.register(accountOf(username));
    await use(device1);
  },
  /** Another, empty browser. */
  device2: async ({ open }, use) => use(await open()),
});

/** Tests of a device that joins. */
export const testJoining = test.extend<{ delayMs: number }>({ delayMs: LONG_DELAY_MS });

/** A device without a wallet: a key and its QR code's content. */
export function otherDevice() {
  const secret = secretKeyText(randomBytes(32));
  const publicKey = KeyPair.fromString(secret).getPublicKey().toString();
  const qr = (more: object = {}): string =>
    JSON.stringify({ device2PublicKey: publicKey, timestamp: Date.now(), version: '1.0', ...more });
  const signingOn = ({ oracle }: FaultStack, accountId: string) =>
    new Account(accountId, oracle.provider, KeyPairSigner.fromSecretKey(secret));
  return { secret, publicKey, qr, signingOn };
}

/** Device1 scans this code. */
export const link = (
  { manager, facade }: Wallet,
  qr: string,
  options: { fundingAmount?: string } = {},
): Promise<LinkDeviceResult> =>
  manager.linkDeviceWithScannedQRData(qr, {
    ...options,
    onEvent: (event) => void facade.events.push(event),
  });

export async function errorOf(device1: Wallet, qr: string, options: { fundingAmount?: string } = {}) {
  const { success, error, errorCode } = await link(device1, qr, options);
  expect(success).toBe(false);
  return { error, errorCode };
}

export const devicesOf = ({ manager, accountId }: Wallet) => manager.getLinkedDevices(accountId);

export const keysOf = ({ stack, accountId }: Wallet): Promise<string[]> =>
  stack.oracle.fullAccessKeys(accountId);

/** The account that has named a device's key at the registry, and that device's number. */
export const mappingOf = ({ oracle }: FaultStack, publicKey: string) =>
  oracle.provider.callFunction({
    contractId: REGISTRY,
    method: 'get_device_linking_account',
    args: { device_public_key: publicKey },
  });

/** Lets this time pass, and then waits a moment in which the page could act. */
export async function pass({ clock }: Wallet, ms: number): Promise<void> {
  clock.pass(ms);
  await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
}

/** Waits until the account has no such key. */
export const expectGone = (device1: Wallet, publicKey: string): Promise<void> =>
  expect.poll(() => keysOf(device1), { timeout: LIMIT_MS }).not.toContain(publicKey);

/** Lets the time of a temporary key pass, and waits until the account has no such key. */
export async function expectGoneInTime(device1: Wallet, publicKey: string): Promise<void> {
  device1.clock.pass(DELAY_MS);
  const isGone = async () => !(await keysOf(device1)).includes(publicKey);
  expect(await withinPassing(device1.clock, LIMIT_MS, isGone), `${publicKey} is gone`).toBe(true);
}

/** Lets time pass until the journal has no open deletion. */
export async function expectSettled(device1: Wallet): Promise<void> {
  const isSettled = async () => (await openDeletions(device1)).length === 0;
  expect(await withinPassing(device1.clock, LIMIT_MS, isSettled), 'the journal is settled').toBe(true);
}

/** Device1 has scanned the code of Device2. */
export async function authorize({ manager }: Wallet, { qrData }: Device2Linking): Promise<void> {
  const result = await manager.linkDeviceWithScannedQRData(qrData);
  expect(result).toMatchObject({ success: true, device2PublicKey: qrData.device2PublicKey });
}

/** How the linking of Device2 ended: with a result, or with an error's code. */
async function endOf({ facade, clock }: Wallet): Promise<LinkedAccount | string | undefined> {
  await withinPassing(clock, LIMIT_MS, async () => facade.linked !== undefined);
  return facade.linked;
}

/** Waits for the end of the linking, and expects that Device2 has joined. */
export async function linked(device2: Wallet): Promise<LinkedAccount> {
  const end = await endOf(device2);
  if (typeof end === 'object') return end;
  throw new Error(`The linking ended with ${end}: ${device2.facade.events.at(-1)?.message}`);
}

/** Waits for the end of the linking, and expects that it failed with this code. */
export const expectEnd = async (device2: Wallet, code: string): Promise<void> =>
  expect(await endOf(device2)).toBe(code);

/** Expects the chain's state after device `n` has joined: exactly these keys, each named by an authenticator. */
export async function expectDevices({ stack, accountId }: Wallet, devices: number): Promise<void> {
  const [keys, authenticators] = await Promise.all([
    stack.oracle.fullAccessKeys(accountId),
    stack.oracle.authenticators(accountId),
  ]);
  expect(authenticators.map(([, { device_number }]) => device_number)).toEqual(
    Array.from({ length: devices }, (_, index) => index + 1),
  );
  expect(authenticators.map(([, { near_public_key }]) => near_public_key).sort()).toEqual([...keys].sort());
}
