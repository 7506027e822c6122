// Keys that come to an account and go from it: an app's key, and the key of a device that is removed.
import type { AppKey, LinkedAccount } from 'latchkey';
import { REGISTRY } from '../../demo/stack/services.js';
import type { FacadePage } from '../e2e/facade-page/main.js';
import type { FaultFlow, Outcome, World } from './harness.js';
import { assertOneDevice, fund, loggedIn, registered } from './steps.js';

declare const facade: FacadePage;

const LINKED_MS = 90_000;

const appKeys = ({ page, accountId }: World): Promise<readonly AppKey[]> =>
  page.evaluate((id) => facade.manager.getAppKeys(id), accountId);

async function useAppKey(world: World): Promise<Outcome> {
  const login = await loggedIn(world);
  if (!login.success) return login;
  const { page, accountId: nearAccountId } = world;
  // A person whose answer was lost looks at the list of keys before making another.
  if ((await appKeys(world)).length === 0) {
    const added = await page.evaluate((args) => facade.manager.addAppKey(args), {
      nearAccountId,
      receiverId: REGISTRY,
      methodNames: ['set_greeting'],
      options: { waitUntil: 'FINAL' as const },
    });
    if (!added.success) return added;
  }
  const called = await page.evaluate((args) => facade.manager.callWithAppKey(args), {
    nearAccountId,
    receiverId: REGISTRY,
    methodName: 'set_greeting',
    args: { greeting: `with a key of ${nearAccountId}` },
    options: { waitUntil: 'FINAL' as const },
  });
  if (called.success) world.notes.set('called', called.transactionId ?? '');
  return called;
}

/** A second device comes to the account in another browser; its key is added as another wallet would add it. */
async function linkPartner(world: World): Promise<void> {
  const { page, accountId } = world;
  const partner = await world.openPartner();
  const { qrData } = await partner.evaluate((id) => facade.startLinking(id), accountId);
  const added = await page.evaluate(
    ([nearAccountId, publicKey]) =>
      facade.manager.executeAction({
        nearAccountId,
        receiverId: nearAccountId,
        actionArgs: { type: 'AddKey', publicKey, accessKey: { permission: 'FullAccess' } },
        options: { waitUntil: 'FINAL' },
      }),
    [accountId, qrData.device2PublicKey] as const,
  );
  if (!added.success) throw new Error(`The second key could not be added: ${added.error}`);
  await partner.waitForFunction(() => facade.linked !== undefined, undefined, { timeout: LINKED_MS });
  const linked = await partner.evaluate(() => facade.linked as LinkedAccount | string);
  if (typeof linked === 'string') throw new Error(`The second device did not come: ${linked}`);
  world.notes.set('second', qrData.device2PublicKey);
  await partner.close();
}

export const KEY_FLOWS: readonly FaultFlow[] = [
  {
    name: 'a key for an app, made and used',
    prepare: async (world) => {
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
    prepare: async (world) => {
      await registered(world);
      await fund(world);
      await linkPartner(world);
    },
    run: async (world) => {
      const login = await loggedIn(world);
      if (!login.success) return login;
      return world.page.evaluate(
        ([accountId, publicKey]) => facade.manager.deleteDeviceKey(accountId, publicKey),
        [world.accountId, world.notes.get('second') ?? ''] as const,
      );
    },
    // A transaction is asked for until its call has ended too.
    polls: { tx: 1 },
    // The key and its registration are gone.
    isDone: ({ error }) => /^Access key \S+ not found on account/.test(error ?? ''),
    verify: assertOneDevice,
  },
];
