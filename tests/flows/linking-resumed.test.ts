// A linking of this device that a reload interrupts, at each of its steps.
// Specification: core 3
import { describe } from 'vitest';
import { SHORT_BLOCK_AGE } from '../support/oracle.js';
import { authorize, expectDevices, linked, testJoining as test } from './linking.js';
import { keysOpenedByStorage, storedKeys } from './storage.js';
import { expect, shortenBlockAge, type Wallet } from './wallet.js';

const NONCE = 'query:view_access_key';

describe('a page reloaded', () => {
  /** Expects a start that asks for nothing, and a finish that asks for the passkey once and logs in. */
  async function finishesByTouch(device1: Wallet, device2: Wallet): Promise<void> {
    const { accountId } = device1;
    const { manager } = device2;
    // It stays pending while the nodes that answer have not seen Device1's key.
    await expect.poll(() => manager.resume()).toMatchObject({ unfinished: [accountId] });
    expect(device2.prompts).toEqual(['create']);
    expect(await manager.finishDeviceLinking(accountId)).toMatchObject({ success: true, isLoggedIn: true });
    expect(device2.prompts).toEqual(['create', 'get']);
    await expectDevices(device1, 2);
    await device2.greet('after a reload', accountId);
    expect(await manager.resume()).not.toHaveProperty('unfinished');
  }

  /** Expects an open confirmation, and no transaction of Device2 yet. */
  async function atConfirmation(device1: Wallet, device2: Wallet): Promise<void> {
    device2.decision = 'wait';
    await authorize(device1, await device2.facade.startLinking());
    await expect.poll(() => device2.shown.length).toBe(1);
  }

  function reloadAndHeal(device2: Wallet): void {
    device2.reload();
    device2.heal();
  }

  /** From now on loses every transaction, or its answer, and every look-up, so that none settles before the page is gone. */
  function leavesUnsettled(device2: Wallet, kind: 'drop-answer' | 'refuse'): void {
    device2.fail('send_tx', { kind });
    device2.fail('tx', { kind: 'refuse' });
  }

  /** Waits for the device's next call of this name. */
  async function nextCall(device2: Wallet, name: string, then: () => void): Promise<void> {
    const before = device2.calls(name);
    then();
    await expect.poll(() => device2.calls(name), { interval: 10 }).toBeGreaterThan(before);
  }

  const confirm = (device2: Wallet) => () => {
    device2.decision = 'confirm';
  };

  /** Swaps the keys, and holds the question for the nonce of the registration. The result lets it go on. */
  async function atRegistration(device2: Wallet): Promise<() => void> {
    await nextCall(device2, 'send_tx', confirm(device2));
    let release = (): void => undefined;
    await nextCall(device2, NONCE, () => {
      release = device2.hold(NONCE);
    });
    return release;
  }

  test('while its passkey waits for Device1 is linked after the next start, with one touch [S40]', async ({
    device1,
    device2,
  }) => {
    const { accountId } = device1;
    const code = await device2.facade.startLinking(accountId);
    device2.reload();
    expect(await device2.manager.resume()).toMatchObject({ pending: [accountId] });
    await authorize(device1, code);
    await finishesByTouch(device1, device2);
  });

  test('after it sends its key swap and loses the answer is linked after the next start, with one touch', async ({
    device1,
    device2,
    expectedConsole,
  }) => {
    expectedConsole.push(/latchkey/);
    await atConfirmation(device1, device2);
    leavesUnsettled(device2, 'drop-answer');
    await nextCall(device2, 'send_tx', confirm(device2));
    reloadAndHeal(device2);
    await finishesByTouch(device1, device2);
  });

  test('after it signs its registration is linked at the next start, without a prompt', async ({
    device1,
    device2,
    expectedConsole,
  }) => {
    expectedConsole.push(/latchkey/);
    const { accountId } = device1;
    await atConfirmation(device1, device2);
    const release = await atRegistration(device2);
    leavesUnsettled(device2, 'refuse');
    await nextCall(device2, 'send_tx', release);
    reloadAndHeal(device2);
    expect(await device2.manager.resume()).toMatchObject({ committed: [accountId] });
    expect(device2.prompts).toHaveLength(1);
    await expectDevices(device1, 2);
    await device2.manager.loginPasskey(accountId);
    await device2.greet('after a reload', accountId);
  });

  test('between its key swap and its registration is linked after the next start, with one touch', async ({
    device1,
    device2,
    stack,
  }) => {
    await atConfirmation(device1, device2);
    await atRegistration(device2);
    expect(await stack.oracle.authenticators(device1.accountId)).toHaveLength(1);
    expect(await keysOpenedByStorage(device2)).toEqual({ sealed: expect.any(Number), opened: [] });
    reloadAndHeal(device2);
    expect((await keysOpenedByStorage(device2)).opened).toEqual([]);
    await finishesByTouch(device1, device2);
    expect((await keysOpenedByStorage(device2)).opened).toEqual([]);
  });

  test('during the confirmation leaves nothing behind, and the next code works', async ({
    device1,
    device2,
    stack,
  }) => {
    await atConfirmation(device1, device2);
    device2.reload();
    expect(await device2.manager.resume()).toMatchObject({ committed: [], pending: [] });
    await authorize(device1, await device2.facade.startLinking());
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
    const code = await device2.facade.startLinking(accountId);
    device2.reload();
    await shortenBlockAge(stack);
    await stack.oracle.fastForward(SHORT_BLOCK_AGE + 1);
    device1.clock.pass(10_000);
    await authorize(device1, code);
    const { manager } = device2;
    // Pending while a node that lags does not show the key yet: a later look finds it.
    await expect.poll(() => manager.resume()).toMatchObject({ unfinished: [accountId] });
    const result = await manager.finishDeviceLinking(accountId);
    expect(result).toMatchObject({ success: true, deviceNumber: 2, isLoggedIn: true });
    expect(device2.prompts).toEqual(['create', 'get', 'create']);
    await expectDevices(device1, 2);
    await device2.greet('finished', accountId);
  });
});
