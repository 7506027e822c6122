// Keys that an account gains and loses: an app's key, and a removed device's key.
import type { AppKey } from 'latchkey';
import { APP } from '../../demo/stack/oracle.js';
import type { FaultFlow, Outcome } from './harness.js';
import {
  assertDone,
  assertOneDevice,
  endOfLinking,
  fund,
  inNewSession,
  loggedIn,
  registered,
} from './steps.js';
import type { World } from './world.js';

const LINKED_MS = 90_000;

const appKeys = (world: World): Promise<readonly AppKey[]> =>
  world.call(({ manager }) => manager.getAppKeys(world.accountId));

async function useAppKey(world: World): Promise<Outcome> {
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
  const linked = await partner.evaluate((facade) => endOfLinking(facade, LINKED_MS));
  if (typeof linked !== 'object') throw new Error(`The second device did not come: ${linked}`);
  world.notes.set('second', qrData.device2PublicKey);
  world.closePartner();
}

export const KEY_FLOWS: readonly FaultFlow[] = [
  {
    name: 'an app key, created and used',
    prepare: async (world) => {
      await world.stack.oracle.deployApp();
      await registered(world);
      await fund(world);
    },
    run: useAppKey,
    verify: async (world) => {
      const { stack, accountId, notes } = world;
      const keys = await appKeys(world);
      if (keys.length !== 1 || !keys.every(({ isHere, isOnChain }) => isHere && isOnChain))
        throw new Error(`one key that works was to be there: ${JSON.stringify(keys)}`);
      const { succeeded } = await stack.oracle.transaction(notes.get('called') ?? '', accountId);
      if (!succeeded) throw new Error('the call did not succeed');
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
    isDone: ({ error }) => /^Access key \S+ not found on account/.test(error ?? ''),
    verify: assertOneDevice,
  },
];
