// Keys that an account gains and loses: an app's key, and a removed device's key.
import type { AppKey, AppKeyToMake } from 'latchkey';
import { APP } from '../support/oracle.js';
import type { FaultFlow, Outcome } from './harness.js';
import {
  assertDone,
  assertOneDevice,
  endOfLinking,
  fund,
  greet,
  inNewSession,
  loggedIn,
  registered,
  within,
  withinPassing,
} from './steps.js';
import type { World } from './world.js';

export const appKeys = (world: World): Promise<readonly AppKey[]> =>
  world.call(({ manager }) => manager.getAppKeys(world.accountId));

const useAppKey =
  (toMake?: Partial<AppKeyToMake>) =>
  async (world: World): Promise<Outcome> => {
    const login = await loggedIn(world);
    if (!login.success) return login;
    const nearAccountId = world.accountId;
    // A user whose answer was lost checks the list of keys before creating another.
    if ((await appKeys(world)).length === 0) {
      const added = await world.call(({ manager }) =>
        manager.addAppKey({
          nearAccountId,
          receiverId: APP,
          methodNames: ['set_greeting'],
          options: { waitUntil: 'FINAL' },
          ...toMake,
        }),
      );
      if (!added.success) return added;
    }
    const called = await world.call(({ manager }) =>
      manager.callWithAppKey({
        nearAccountId,
        receiverId: APP,
        methodName: 'set_greeting',
        args: { greeting: `with a key of ${nearAccountId}` },
        options: { waitUntil: 'FINAL' },
      }),
    );
    if (called.success) world.notes.set('called', called.transactionId ?? '');
    return called;
  };

/** Long enough for the key to come to the chain on a busy machine, and soon over: the device's clock runs ahead. */
const END_MS = 20_000;
const REMOVED_MS = 15_000;
const LOOK_MS = 500;
/** The pause of a device that waits for its key, between two looks. */
const NEXT_LOOK_MS = 3_000;

/** Makes a key with an end, waits for it, and confirms something else: that removes the key. */
async function outliveAppKey(world: World): Promise<Outcome> {
  const login = await loggedIn(world);
  if (!login.success) return login;
  const { accountId: nearAccountId, notes } = world;
  if (!notes.has('added')) {
    const [pending] = await appKeys(world);
    if (!pending) {
      const end = { receiverId: APP, methodNames: ['set_greeting'], expiresAt: world.clock.now() + END_MS };
      const added = await world.call(({ manager }) => manager.addAppKey({ nearAccountId, ...end }));
      if (!added.success) return added;
    }
    notes.set('added', 'yes');
  }
  const hasEnded = async () => (await appKeys(world)).every(({ isExpired, isHere }) => isExpired && !isHere);
  if (!(await withinPassing(world.clock, END_MS + REMOVED_MS, hasEnded)))
    return { success: false, error: `the key outlived its end: ${JSON.stringify(await appKeys(world))}` };
  if ((await appKeys(world)).length === 0) return { success: true };
  const confirmed = await greet(world);
  if (!confirmed.success) return confirmed;
  const isGone = async () => (await appKeys(world)).length === 0;
  if (await within(REMOVED_MS, isGone, LOOK_MS)) return { success: true };
  return { success: false, error: 'the key stayed after a confirmation' };
}

/** Links a second device in another browser; its key is added as another wallet would add it. */
async function linkPartner(world: World): Promise<void> {
  const { accountId } = world;
  const partner = world.openPartner();
  const { qrData } = await partner.evaluate((facade) => facade.startLinking(accountId));
  const added = await world.call(({ manager }) =>
    manager.executeAction({
      nearAccountId: accountId,
      receiverId: accountId,
      actionArgs: {
        type: 'AddKey',
        publicKey: qrData.device2PublicKey,
        accessKey: { permission: 'FullAccess' },
      },
      options: { waitUntil: 'FINAL' },
    }),
  );
  assertDone('Adding the second key', added);
  // Its next look finds the key.
  partner.clock.pass(NEXT_LOOK_MS);
  const linked = await partner.evaluate((facade) => endOfLinking(facade));
  if (typeof linked !== 'object') throw new Error(`The second device did not come: ${linked}`);
  world.notes.set('second', qrData.device2PublicKey);
  world.closePartner();
}

const usedAppKey = (name: string, toMake?: Partial<AppKeyToMake>): FaultFlow => ({
  name,
  prepare: async (world) => {
    await world.stack.oracle.deployApp();
    await registered(world);
    await fund(world);
  },
  run: useAppKey(toMake),
  verify: async (world) => {
    const { stack, accountId, notes } = world;
    const keys = await appKeys(world);
    if (keys.length !== 1 || !keys.every(({ isHere, isOnChain }) => isHere && isOnChain))
      throw new Error(`one key that works was to be there: ${JSON.stringify(keys)}`);
    const { succeeded } = await stack.oracle.transaction(notes.get('called') ?? '', accountId);
    if (!succeeded) throw new Error('the call did not succeed');
    await assertOneDevice(world);
  },
});

export const KEY_FLOWS: readonly FaultFlow[] = [
  usedAppKey('an app key, created and used'),
  usedAppKey('a prepaid app key, created and used in a lane', { prepaid: '0.1', lanes: 2 }),
  {
    name: 'an app key with an end',
    // The two faults that could make it forget that end are enough.
    faults: ['answered but lost', 'left by a reload'],
    setUp: async (world) => {
      await world.stack.oracle.deployApp();
      await registered(world);
      await fund(world);
    },
    prepare: inNewSession,
    run: outliveAppKey,
    // The list of keys is read until the key has ended, and until it is gone.
    polls: { 'query:view_access_key_list': 3, tx: 1 },
    verify: async (world) => {
      const { stack, accountId } = world;
      const { keys } = await stack.oracle.provider.viewAccessKeyList({ accountId });
      if (keys.length !== 1) throw new Error(`keys are left: ${JSON.stringify(keys)}`);
      await assertOneDevice(world);
    },
  },
  {
    name: 'the removal of a device',
    setUp: async (world) => {
      await registered(world);
      await fund(world);
    },
    prepare: async (world) => {
      await inNewSession(world);
      await linkPartner(world);
    },
    run: async (world) => {
      const login = await loggedIn(world);
      if (!login.success) return login;
      const { accountId, notes } = world;
      return world.call(({ manager }) => manager.deleteDeviceKey(accountId, notes.get('second') ?? ''));
    },
    // The flow polls the transaction until its call has ended.
    polls: { tx: 1 },
    // The key and its registration are gone.
    isDone: ({ errorCode }) => errorCode === 'ACCESS_KEY_NOT_FOUND',
    verify: assertOneDevice,
  },
];
