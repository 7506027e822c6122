// A second device comes to an account, seen from each of the two.
import { randomBytes } from 'node:crypto';
import { JsonRpcProvider, KeyPair } from 'near-api-js';
import { secretKeyText } from '../../demo/stack/keys.js';
import { REGISTRY } from '../../demo/stack/services.js';
import { type FaultFlow, type Outcome, outliveFaults } from './harness.js';
import {
  assertDone,
  assertNoComplaint,
  complain,
  fund,
  greet,
  inNewSession,
  keysOnChain,
  loggedIn,
  registered,
  within,
} from './steps.js';
import type { World } from './world.js';

/** Long enough for a slow call and a second look, short enough to wait for. */
const TEMPORARY_MS = 12_000;
/** Long enough for a device to come, whatever else the machine does. */
const JOINING_MS = 20_000;
const SLACK_MS = 12_000;
const DELETED_MS = TEMPORARY_MS + SLACK_MS;
/** A flow that waits asks this every few seconds: its second question is the first one again. */
const POLLED = 2;
/** These cases wait for the end of a temporary key's time, which takes no work. */
const AT_ONCE = 32;

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

const linkedDevices = (world: World) =>
  world.call(({ manager }) => manager.getLinkedDevices(world.accountId));

/** The list of devices shows every key of the account that is no device's. */
async function noKeyIsUnseen(world: World): Promise<void> {
  const { stack, accountId } = world;
  const before = await keysOnChain(stack, accountId);
  const list = await linkedDevices(world).catch(() => linkedDevices(world));
  const shown = [
    ...list.devices.map(({ accessKey }) => accessKey),
    ...list.temporaryKeys.map((key) => key.publicKey),
  ];
  const after = await keysOnChain(stack, accountId);
  const unseen = before.filter((key) => after.includes(key) && !shown.includes(key));
  if (unseen.length > 0) complain(world, `the list of devices does not show ${unseen}`);
}

async function letIn(world: World): Promise<Outcome> {
  const { stack, accountId, notes } = world;
  const publicKey = notes.get('code') ?? '';
  const qr = JSON.stringify({ device2PublicKey: publicKey, timestamp: Date.now(), version: '1.0' });
  const linked = await world.call(({ manager }) => manager.linkDeviceWithScannedQRData(qr, {}));
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

async function letInAndWait(world: World): Promise<Outcome> {
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
  return { success: false, error: `the key of the link stayed until a confirmation. ${error}` };
}

// -------------------------------------------------------------- Device2

/** Nothing reaches this page but what its own device does and what is on the chain. */
const LINKED_MS = 40_000;

async function showCodeAndJoin(world: World): Promise<Outcome> {
  const { accountId, partner } = world;
  const { qrData } = await world.call(async (facade) => {
    await facade.manager.stopDevice2LinkingFlow();
    return facade.startLinking();
  });
  const authorized = await partner.evaluate(({ manager }) => manager.linkDeviceWithScannedQRData(qrData, {}));
  assertDone('The authorization by Device1', authorized);
  const end = await world.call(async (facade) => {
    await within(LINKED_MS, async () => facade.linked !== undefined);
    return facade.linked;
  });
  if (typeof end === 'object') return { success: end.nearAccountId === accountId };
  return { success: false, error: end ?? 'the linking did not end' };
}

async function join(world: World): Promise<Outcome> {
  const { accountId, notes } = world;
  if (notes.has('tried')) {
    // An earlier try may have brought the account to this device, where it is in the list of logins.
    const known = await world.call(({ manager }) => manager.loginPasskey(accountId));
    if (known.success) return known;
    // What is left of an earlier try goes on at the start of a visit, or by itself.
    const { committed, unfinished } = await world.call(({ manager }) => manager.resume());
    const done = [...committed, ...world.resumed.committed];
    if (done.includes(accountId)) return { success: true };
    if (unfinished?.includes(accountId))
      return world.call(({ manager }) => manager.finishDeviceLinking(accountId));
  }
  notes.set('tried', 'yes');
  return showCodeAndJoin(world);
}

/** The account's keys are those of its two devices, once the time of temporary ones is over. */
async function assertTwoDevices(world: World): Promise<void> {
  const { stack, accountId } = world;
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
  const own = await world.call(({ manager }) => manager.getLoginState(accountId));
  if (!own.publicKey || !devices.includes(own.publicKey))
    throw new Error(`this device has the key ${own.publicKey}, and the account ${devices}`);
}

const deletingAfter = (ms: number) => ({ deviceLinking: { tempKeyDeleteDelayMs: ms } });

const LINKING_FLOWS: readonly FaultFlow[] = [
  {
    name: 'letting a device in, and taking its key off when it does not come',
    config: deletingAfter(TEMPORARY_MS),
    atOnce: AT_ONCE,
    setUp: async (world) => {
      await registered(world);
      await fund(world);
    },
    prepare: async (world) => {
      await inNewSession(world);
      newCode(world);
    },
    // Once the device is let in, Device1 looks for its key until the key's time is over, and polls the transaction
    // until its call has ended.
    polls: { 'query:view_access_key_list': 3, 'query:get_authenticators_by_user': 3, tx: 1 },
    run: letInAndWait,
    verify: async (world) => {
      assertNoComplaint(world);
      const { stack, accountId } = world;
      const isClean = await within(
        DELETED_MS,
        async () => (await keysOnChain(stack, accountId)).length === 1,
      );
      if (!isClean) throw new Error(`keys are left: ${await keysOnChain(stack, accountId)}`);
      const list = await linkedDevices(world);
      if (list.devices.length !== 1 || list.otherKeys.length + list.temporaryKeys.length > 0)
        throw new Error(`the list of devices shows ${JSON.stringify(list)}`);
    },
  },
  {
    name: 'joining by a code that another device scans',
    config: deletingAfter(JOINING_MS),
    atOnce: AT_ONCE,
    prepare: async (world) => {
      const { accountId } = world;
      const made = await world.openPartner().evaluate(({ manager }) => manager.registerPasskey(accountId));
      assertDone('The registration of Device1', made);
      await fund(world);
    },
    polls: { 'query:get_device_linking_account': POLLED },
    run: join,
    isDone: ({ error }) => error === 'PASSKEY_EXISTS',
    verify: assertTwoDevices,
  },
];

outliveFaults(LINKING_FLOWS);
