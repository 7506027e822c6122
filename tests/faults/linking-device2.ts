// Device2 shows a code that Device1 scans, and becomes a device of the account.
import type { FaultFlow, Outcome } from './harness.js';
import { assertDone, endOfLinking, fund, registeredIn, withinPassing } from './steps.js';
import type { World } from './world.js';

/** Long enough for a device to join, even on a busy machine. */
const JOINING_MS = 20_000;
const SLACK_MS = 12_000;
const LEFT = 'the page that showed the code was left';

async function showCodeAndJoin(world: World): Promise<Outcome> {
  const { accountId, partner } = world;
  const { qrData, page } = await world.call(async (facade) => {
    await facade.manager.stopDevice2LinkingFlow();
    return { ...(await facade.startLinking()), page: facade };
  });
  const authorized = await partner.evaluate(({ manager }) => manager.linkDeviceWithScannedQRData(qrData, {}));
  assertDone('The authorization by Device1', authorized);
  const end = await world.call(async (facade) => (facade === page ? endOfLinking(facade) : LEFT));
  if (end === LEFT) return { success: false, error: LEFT };
  if (typeof end === 'object') return { success: end.nearAccountId === accountId };
  return { success: false, error: end ?? 'the linking did not end', errorCode: end };
}

async function join(world: World): Promise<Outcome> {
  const { accountId, notes } = world;
  if (notes.has('tried')) {
    // An earlier try may have added the account to this device's list of logins.
    const known = await world.call(({ manager }) => manager.loginPasskey(accountId));
    if (known.success) return known;
    // The rest of an earlier try continues at the start of a visit, or by itself.
    const { committed, unfinished } = await world.call(({ manager }) => manager.resume());
    const done = [...committed, ...world.resumed.committed];
    if (done.includes(accountId)) return { success: true };
    if (unfinished?.includes(accountId))
      return world.call(({ manager }) => manager.finishDeviceLinking(accountId));
  }
  notes.set('tried', 'yes');
  return showCodeAndJoin(world);
}

/** Expects only the keys of the account's two devices, once temporary keys have expired. */
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
  await withinPassing(world.partner.clock, JOINING_MS + SLACK_MS, async () => {
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

export const DEVICE2_FLOW: FaultFlow = {
  name: 'joining by a code that another device scans',
  config: { deviceLinking: { tempKeyDeleteDelayMs: JOINING_MS } },
  prepare: async (world) => {
    const partner = world.openPartner();
    await registeredIn((work) => partner.evaluate(work), world.accountId);
    await fund(world);
  },
  // Device2 repeats this request every few seconds while it waits.
  polls: { 'query:get_device_linking_account': 2 },
  run: join,
  isDone: ({ errorCode }) => errorCode === 'PASSKEY_EXISTS',
  verify: assertTwoDevices,
};
