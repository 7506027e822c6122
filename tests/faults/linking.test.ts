// A second device comes to an account, seen from each of the two.
import { randomBytes } from 'node:crypto';
import type { LinkDeviceQrData } from 'latchkey';
import { JsonRpcProvider, KeyPair } from 'near-api-js';
import { secretKeyText } from '../../demo/stack/keys.js';
import { REGISTRY } from '../../demo/stack/services.js';
import type { FacadePage } from '../e2e/facade-page/main.js';
import type { FaultFlow, Outcome, World } from './harness.js';
import {
  assertNoComplaint,
  complain,
  fund,
  greet,
  keysOnChain,
  loggedIn,
  registered,
  within,
} from './steps.js';

declare const facade: FacadePage;

/** Long enough for a slow call and a second look, short enough to wait for. */
const TEMPORARY_MS = 12_000;
/** Long enough for a device to come, whatever else the machine does. */
const JOINING_MS = 20_000;
const SLACK_MS = 12_000;
const DELETED_MS = TEMPORARY_MS + SLACK_MS;
/** What is asked every few seconds while something is waited for: the second time it is asked again as the first. */
const POLLED = 2;

// -------------------------------------------------------------- Device1

function newCode({ notes }: World): void {
  const publicKey = KeyPair.fromString(secretKeyText(randomBytes(32)))
    .getPublicKey()
    .toString();
  notes.set('code', publicKey);
}

const mapping = ({ stack }: World, publicKey: string) =>
  new JsonRpcProvider({ url: stack.chainUrl }).callFunction({
    contractId: REGISTRY,
    method: 'get_device_linking_account',
    args: { device_public_key: publicKey },
  });

/** Every key that is on the account and no device's is one that the list of devices shows. */
async function noKeyIsUnseen(world: World): Promise<void> {
  const { page, stack, accountId } = world;
  const before = await keysOnChain(stack, accountId);
  const list = await page
    .evaluate((id) => facade.manager.getLinkedDevices(id), accountId)
    .catch(() => page.evaluate((id) => facade.manager.getLinkedDevices(id), accountId));
  const shown = [
    ...list.devices.map(({ accessKey }) => accessKey),
    ...list.temporaryKeys.map((key) => key.publicKey),
  ];
  const after = await keysOnChain(stack, accountId);
  const unseen = before.filter((key) => after.includes(key) && !shown.includes(key));
  if (unseen.length > 0) complain(world, `the list of devices does not tell of ${unseen}`);
}

async function letIn(world: World): Promise<Outcome> {
  const { page, stack, accountId, notes } = world;
  const publicKey = notes.get('code') ?? '';
  const qr = JSON.stringify({ device2PublicKey: publicKey, timestamp: Date.now(), version: '1.0' });
  const linked = await page.evaluate((text) => facade.manager.linkDeviceWithScannedQRData(text, {}), qr);
  if (linked.success) {
    notes.set('linked', publicKey);
    const [account] = ((await mapping(world, publicKey)) ?? []) as unknown as string[];
    const keys = await keysOnChain(stack, accountId);
    if (account !== accountId || !keys.includes(publicKey))
      complain(world, `linked, and the registry names ${account}, the account has ${keys}`);
  } else if (/This code was used already/.test(linked.error ?? '')) {
    newCode(world);
  }
  return linked;
}

// -------------------------------------------------------------- Device2

/** Nothing reaches this page but what its own device does and what is on the chain. */
const LINKED_MS = 40_000;

async function showCodeAndJoin(world: World): Promise<Outcome> {
  const { page, accountId } = world;
  const partner = world.partner;
  const { qrData }: { qrData: LinkDeviceQrData } = await page.evaluate(async () => {
    await facade.manager.stopDevice2LinkingFlow();
    return facade.startLinking();
  });
  const authorized = await partner.evaluate(
    (data) => facade.manager.linkDeviceWithScannedQRData(data, {}),
    qrData,
  );
  if (!authorized.success) throw new Error(`Device1 did not let it in: ${authorized.error}`);
  const end = await page.evaluate(async (ms) => {
    for (const until = Date.now() + ms; facade.linked === undefined && Date.now() < until; )
      await new Promise((resolve) => setTimeout(resolve, 100));
    return facade.linked;
  }, LINKED_MS);
  if (typeof end === 'object') return { success: end.nearAccountId === accountId };
  return { success: false, error: end ?? 'the linking did not end' };
}

async function join(world: World): Promise<Outcome> {
  const { page, accountId, notes } = world;
  if (notes.has('tried')) {
    // It may have come so far that the account is on this device: there it is in the list of logins.
    const known = await page.evaluate((id) => facade.manager.loginPasskey(id), accountId);
    if (known.success) return known;
    // What is left of an earlier try goes on at the start of a visit, or by itself.
    const { committed, unfinished } = await page.evaluate(() => facade.manager.resume());
    const done = [...committed, ...world.resumed.committed];
    if (done.includes(accountId)) return { success: true };
    if (unfinished?.includes(accountId))
      return page.evaluate((id) => facade.manager.finishDeviceLinking(id), accountId);
  }
  notes.set('tried', 'yes');
  return showCodeAndJoin(world);
}

/** The account's keys are those of its two devices, once the time of temporary ones is over. */
async function assertTwoDevices({ stack, accountId, page }: World): Promise<void> {
  const state = async (): Promise<[keys: string, devices: string]> => {
    const [keys, authenticators] = await Promise.all([
      stack.oracle.fullAccessKeys(accountId),
      stack.oracle.authenticators(accountId),
    ]);
    const named = authenticators.map(([, { near_public_key }]) => near_public_key);
    return [[...keys].sort().join(), named.sort().join()];
  };
  await within(JOINING_MS + SLACK_MS, async () => {
    const [keys, devices] = await state();
    return keys === devices;
  });
  const [keys, devices] = await state();
  if (keys !== devices || devices.split(',').length !== 2)
    throw new Error(`the account has the keys ${keys}, and its devices ${devices}`);
  const own = await page.evaluate((id) => facade.manager.getLoginState(id), accountId);
  if (!own.publicKey || !devices.includes(own.publicKey))
    throw new Error(`this device has the key ${own.publicKey}, and the account ${devices}`);
}

const deletingAfter = (ms: number) => ({ deviceLinking: { tempKeyDeleteDelayMs: ms } });

export const LINKING_FLOWS: readonly FaultFlow[] = [
  {
    name: 'letting a device in, and taking its key off when it does not come',
    config: deletingAfter(TEMPORARY_MS),
    prepare: async (world) => {
      await registered(world);
      await fund(world);
      newCode(world);
    },
    // Once it is let in, the key is looked for until its time is over.
    // A transaction is asked for until its call has ended too.
    polls: { 'query:view_access_key_list': 3, 'query:get_authenticators_by_user': 3, tx: 1 },
    run: async (world) => {
      const login = await loggedIn(world);
      if (!login.success) return login;
      const { stack, accountId, notes } = world;
      if (!notes.has('linked')) {
        const linked = await letIn(world);
        if (!linked.success) {
          await noKeyIsUnseen(world);
          return linked;
        }
      }
      const isGone = await within(DELETED_MS, async () => (await keysOnChain(stack, accountId)).length === 1);
      if (isGone) return { success: true };
      // Another link's transactions have overtaken its DeleteKey: it is listed until the person confirms something.
      await noKeyIsUnseen(world);
      const { error = '' } = await greet(world);
      return { success: false, error: `the key of the link stayed till a confirmation. ${error}` };
    },
    verify: async (world) => {
      assertNoComplaint(world);
      const { page, stack, accountId } = world;
      const isClean = await within(
        DELETED_MS,
        async () => (await keysOnChain(stack, accountId)).length === 1,
      );
      if (!isClean) throw new Error(`keys are left: ${await keysOnChain(stack, accountId)}`);
      const list = await page.evaluate((id) => facade.manager.getLinkedDevices(id), accountId);
      if (list.devices.length !== 1 || list.otherKeys.length + list.temporaryKeys.length > 0)
        throw new Error(`the list of devices shows ${JSON.stringify(list)}`);
    },
  },
  {
    name: 'joining by a code that another device scans',
    config: deletingAfter(JOINING_MS),
    prepare: async (world) => {
      const partner = await world.openPartner();
      const { accountId } = world;
      const made = await partner.evaluate((id) => facade.manager.registerPasskey(id), accountId);
      if (!made.success) throw new Error(`Device1 could not register: ${made.error}`);
      await fund(world);
    },
    polls: { 'query:get_device_linking_account': POLLED },
    run: join,
    isDone: ({ error }) => error === 'PASSKEY_EXISTS',
    verify: assertTwoDevices,
  },
];
