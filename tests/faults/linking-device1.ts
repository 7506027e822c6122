// Device1 admits a second device to its account, and deletes the device's key when the device does not join.
import { randomBytes } from 'node:crypto';
import type { LatchkeyError } from 'latchkey';
import { KeyPair } from 'near-api-js';
import { secretKeyText } from '../../dev/services/keys.js';
import { REGISTRY } from '../../dev/services/services.js';
import type { FaultFlow, Outcome } from './harness.js';
import {
  assertNoComplaint,
  complain,
  fund,
  greet,
  inNewSession,
  keysOnChain,
  loggedIn,
  registered,
  withinPassing,
} from './steps.js';
import type { World } from './world.js';

/** On the device's clock: long enough for a slow call and a second check. */
const TEMPORARY_MS = 12_000;
const SLACK_MS = 12_000;
const DELETED_MS = TEMPORARY_MS + SLACK_MS;

function newCode({ notes }: World): void {
  const publicKey = KeyPair.fromString(secretKeyText(randomBytes(32)))
    .getPublicKey()
    .toString();
  notes.set('code', publicKey);
}

const mapping = ({ stack }: World, publicKey: string) =>
  stack.oracle.provider.callFunction({
    contractId: REGISTRY,
    method: 'get_device_linking_account',
    args: { device_public_key: publicKey },
  });

const linkedDevices = (world: World) =>
  world.call(({ manager }) => manager.getLinkedDevices(world.accountId));

/** The device list shows every key of the account that belongs to no device. */
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
  const qr = JSON.stringify({ device2PublicKey: publicKey, timestamp: world.clock.now(), version: '1.0' });
  let refusal: LatchkeyError | undefined;
  const linked = await world.call(({ manager }) =>
    manager.linkDeviceWithScannedQRData(qr, {
      onError: (error) => {
        refusal = error.cause as LatchkeyError | undefined;
      },
    }),
  );
  if (linked.success) {
    notes.set('linked', publicKey);
    const [account] = ((await mapping(world, publicKey)) ?? []) as unknown as string[];
    const keys = await keysOnChain(stack, accountId);
    if (account !== accountId || !keys.includes(publicKey))
      complain(world, `linked, and the registry names ${account}, the account has ${keys}`);
  } else if (refusal?.code === 'LINK_KEY_KNOWN') {
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
  const isGone = await withinPassing(
    world.clock,
    DELETED_MS,
    async () => (await keysOnChain(stack, accountId)).length === 1,
  );
  if (isGone) return { success: true };
  // Another link's transactions have overtaken its DeleteKey: it stays listed until the user confirms something.
  await noKeyIsUnseen(world);
  const { error = '' } = await greet(world);
  return { success: false, error: `the key of the link stayed until a confirmation. ${error}` };
}

export const DEVICE1_FLOW: FaultFlow = {
  name: 'admitting a device, and deleting its key when it does not join',
  config: { deviceLinking: { tempKeyDeleteDelayMs: TEMPORARY_MS } },
  setUp: async (world) => {
    await registered(world);
    await fund(world);
  },
  prepare: async (world) => {
    await inNewSession(world);
    newCode(world);
  },
  // Once the device has joined, Device1 looks for its key until the key expires, and polls the transaction
  // until its call has ended.
  polls: { 'query:view_access_key_list': 3, 'query:get_authenticators_by_user': 3, tx: 1 },
  run: letInAndWait,
  verify: async (world) => {
    assertNoComplaint(world);
    const { stack, accountId } = world;
    const isClean = await withinPassing(
      world.clock,
      DELETED_MS,
      async () => (await keysOnChain(stack, accountId)).length === 1,
    );
    if (!isClean) throw new Error(`keys are left: ${await keysOnChain(stack, accountId)}`);
    let list = await linkedDevices(world);
    const isDeviceAlone = async () => {
      list = await linkedDevices(world);
      return list.devices.length === 1 && list.otherKeys.length + list.temporaryKeys.length === 0;
    };
    if (!(await withinPassing(world.clock, DELETED_MS, isDeviceAlone)))
      throw new Error(`the list of devices shows ${JSON.stringify(list)}`);
  },
};
