// A registration whose outcome the wallet does not know yet: its user does what the wallet says, and is registered.
// Specification: core 7
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FaultStack, startFaultStack } from './stack.js';
import { assertOneDevice, logIn, registeredIn } from './steps.js';
import { World } from './world.js';

let stack: FaultStack;
beforeAll(async () => {
  stack = await startFaultStack([]);
});
afterAll(() => stack?.stop());

test('a registration that the wallet could not look up is there when the wallet looks again, and its user logs in', async () => {
  const world = await World.open(stack);
  try {
    await world.beginNew(`known${Date.now()}`);
    const { chain, relay } = world.proxies;
    relay.fail('/create_account_and_register_user', { kind: 'drop-answer' });
    chain.fail('query:view_access_key_list', { kind: 'status', status: 500 });
    const ended: object[] = [];
    const id = await registeredIn(async (work) => {
      const result = await world.call(work);
      ended.push(Object(result));
      chain.heal();
      return result;
    }, world.accountId);
    expect(ended[0]).toMatchObject({ success: false, pending: true, errorCode: 'REGISTRATION_PENDING' });
    expect(id).toBe(null);
    await assertOneDevice(world);
    expect(await logIn(world)).toMatchObject({ success: true });
  } finally {
    await world.close();
  }
});
