// A linking of this device that a reload interrupts, at each of its steps.
import type { LocalStack } from '../support/local-stack.js';
import type { WatchedWallet } from '../support/wallet.js';
import {
  authorize,
  expectDevices,
  keysOpenedByStorage,
  LINK_TIMEOUT,
  linked,
  signs,
  start,
  storedKeys,
  test,
} from './facade-page/device2.js';
import type { Facade } from './facade-page/fixture.js';
import type { FacadePage } from './facade-page/main.js';
import { expect, MAX_BLOCK_AGE, makeOld, REQUEST_FAILED, SHORT_BLOCK_AGE } from './fixtures.js';

declare const facade: FacadePage;

test.describe.configure({ timeout: 120_000 });

test.describe('a page reloaded', () => {
  const resume = ({ page }: WatchedWallet) => page.evaluate(() => facade.manager.resume());
  const finish = ({ page }: WatchedWallet, accountId: string) =>
    page.evaluate((id) => facade.manager.finishDeviceLinking(id), accountId);

  test('while its passkey waits for Device1 is linked after the next start, with one touch [S40]', async ({
    device1,
    device2,
    stack,
  }) => {
    const { accountId } = device1;
    const code = await start(device2, accountId);
    await device2.page.reload();
    expect(await resume(device2)).toMatchObject({ pending: [accountId] });
    await authorize(device1, code);
    await finishesByTouch(stack, accountId, device2);
  });

  /** Expects a start that asks for nothing, and a finish that asks for the passkey once and logs in. */
  async function finishesByTouch(
    stack: LocalStack,
    accountId: string,
    device2: WatchedWallet,
  ): Promise<void> {
    // It stays pending while the nodes that answer have not seen Device1's key.
    await expect.poll(() => resume(device2)).toMatchObject({ unfinished: [accountId] });
    expect(device2.prompts.map(({ kind }) => kind)).toEqual(['create']);
    expect(await finish(device2, accountId)).toMatchObject({ success: true, isLoggedIn: true });
    expect(device2.prompts.map(({ kind }) => kind)).toEqual(['create', 'get']);
    await expectDevices(stack, accountId, 2);
    await signs(device2, accountId, 'after a reload');
    expect(await resume(device2)).not.toHaveProperty('unfinished');
  }

  /** Expects an open confirmation, and no transaction of Device2 yet. */
  async function atConfirmation(device1: Facade, device2: WatchedWallet): Promise<void> {
    await device2.page.evaluate(() => {
      facade.decision = 'wait';
    });
    const code = await start(device2);
    await authorize(device1, code);
    await expect
      .poll(() => device2.page.evaluate(() => facade.shown.length), { timeout: LINK_TIMEOUT })
      .toBe(1);
  }

  const confirm = ({ page }: WatchedWallet) =>
    page.evaluate(() => {
      facade.decision = 'confirm';
    });

  async function reloadAndHeal(stack: LocalStack, { page }: WatchedWallet): Promise<void> {
    await page.reload();
    for (const node of stack.nodes) node.heal();
  }

  async function comesToItsEnd(stack: LocalStack, accountId: string, device2: WatchedWallet): Promise<void> {
    await reloadAndHeal(stack, device2);
    expect(await resume(device2)).toMatchObject({ committed: [accountId] });
    expect(device2.prompts).toHaveLength(1);
    await expectDevices(stack, accountId, 2);
    await device2.page.evaluate((id) => facade.manager.loginPasskey(id), accountId);
    await signs(device2, accountId, 'after a reload');
  }

  /** From now on loses every transaction, or its answer, and every look-up, so that none settles before the page is gone. */
  function leavesUnsettled(stack: LocalStack, kind: 'drop-answer' | 'refuse'): void {
    for (const node of stack.nodes) {
      node.fail('send_tx', { kind });
      node.fail('tx', { kind: 'refuse' });
    }
  }

  const COST = 'query:get_registration_cost';
  const callsTo = (stack: LocalStack, name: string): number =>
    stack.nodes.flatMap(({ calls }) => calls).filter((call) => call.name === name).length;

  test('after it sends its key swap and loses the answer is linked after the next start, with one touch', async ({
    device1,
    device2,
    stack,
    expectedConsole,
  }) => {
    expectedConsole.push(REQUEST_FAILED, /latchkey/);
    await atConfirmation(device1, device2);
    leavesUnsettled(stack, 'drop-answer');
    const before = callsTo(stack, 'send_tx');
    await confirm(device2);
    await expect.poll(() => callsTo(stack, 'send_tx'), { intervals: [10] }).toBeGreaterThan(before);
    await reloadAndHeal(stack, device2);
    await finishesByTouch(stack, device1.accountId, device2);
  });

  test('after it signs its registration is linked at the next start, without a prompt', async ({
    device1,
    device2,
    stack,
    expectedConsole,
  }) => {
    expectedConsole.push(REQUEST_FAILED, /latchkey/);
    await atConfirmation(device1, device2);
    const releases = stack.nodes.map((node) => node.hold(COST));
    const asked = callsTo(stack, COST);
    await confirm(device2);
    await expect.poll(() => callsTo(stack, COST), { intervals: [10] }).toBeGreaterThan(asked);
    leavesUnsettled(stack, 'refuse');
    const before = callsTo(stack, 'send_tx');
    for (const release of releases) release();
    await expect.poll(() => callsTo(stack, 'send_tx'), { intervals: [10] }).toBeGreaterThan(before);
    await comesToItsEnd(stack, device1.accountId, device2);
  });

  test('between its key swap and its registration is linked after the next start, with one touch', async ({
    device1,
    device2,
    stack,
  }) => {
    await atConfirmation(device1, device2);
    for (const node of stack.nodes) node.hold(COST);
    const asked = callsTo(stack, COST);
    await confirm(device2);
    await expect.poll(() => callsTo(stack, COST), { intervals: [10] }).toBeGreaterThan(asked);
    expect(await stack.oracle.authenticators(device1.accountId)).toHaveLength(1);
    expect(await keysOpenedByStorage(device2)).toEqual({ sealed: expect.any(Number), opened: [] });
    await reloadAndHeal(stack, device2);
    expect((await keysOpenedByStorage(device2)).opened).toEqual([]);
    await finishesByTouch(stack, device1.accountId, device2);
    expect((await keysOpenedByStorage(device2)).opened).toEqual([]);
  });

  test('during the confirmation leaves nothing behind, and the next code works', async ({
    device1,
    device2,
    stack,
  }) => {
    await atConfirmation(device1, device2);
    await device2.page.reload();
    expect(await resume(device2)).toMatchObject({ committed: [], pending: [] });
    const code = await start(device2);
    await authorize(device1, code);
    expect(await linked(device2)).toMatchObject({ success: true, deviceNumber: 2 });
    // Device1 deletes the key of the lost code.
    expect(await stack.oracle.authenticators(device1.accountId)).toHaveLength(2);
    expect(await storedKeys(device2)).toEqual([`${device1.accountId},2`]);
  });

  test('too late to use its passkey asks to finish with it and with a new one', async ({
    device1,
    device2,
    stack,
  }) => {
    const { accountId } = device1;
    const code = await start(device2, accountId);
    await device2.page.reload();
    await stack.oracle.setMaxBlockAge(SHORT_BLOCK_AGE);
    try {
      await makeOld(stack);
      await authorize(device1, code);
      // Pending while a node that lags does not show the key yet: a later look finds it.
      await expect.poll(() => resume(device2)).toMatchObject({ unfinished: [accountId] });
      const result = await finish(device2, accountId);
      expect(result).toMatchObject({ success: true, deviceNumber: 2, isLoggedIn: true });
      expect(device2.prompts.map(({ kind }) => kind)).toEqual(['create', 'get', 'create']);
      await expectDevices(stack, accountId, 2);
      await signs(device2, accountId, 'finished');
    } finally {
      await stack.oracle.setMaxBlockAge(MAX_BLOCK_AGE);
    }
  });
});
