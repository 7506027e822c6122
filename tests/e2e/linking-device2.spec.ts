import type { Device2Linking, FlowEvent, LinkedAccount } from 'latchkey';
import type { LocalStack } from '../../demo/stack/local-stack.js';
import { accountOf, type WatchedWallet } from '../../demo/stack/wallet.js';
import { test as base, type Facade, openFacade, registerHere, withAccount } from './facade-page/fixture.js';
import type { FacadePage } from './facade-page/main.js';
import { expect, MAX_BLOCK_AGE, makeOld, REQUEST_FAILED, SHORT_BLOCK_AGE, settle } from './fixtures.js';

declare const facade: FacadePage;

base.describe.configure({ timeout: 120_000 });

interface Fixtures {
  /** A registered account in a separate browser. */
  device1: Facade;
  /** Another, empty browser. */
  device2: WatchedWallet;
}

const REGISTRY = 'w3a-v1.testnet';
const LINK_TIMEOUT = 30_000;

const test = base.extend<Fixtures>({
  device1: async ({ browser, stack, facadeUrl, prf, username }, use) => {
    const context = await browser.newContext();
    // No test here waits for it, and it must not interrupt a slow one.
    const config = JSON.stringify({ deviceLinking: { tempKeyDeleteDelayMs: 10 * 60_000 } });
    const address = `${facadeUrl}?${new URLSearchParams({ config })}`;
    const wallet = await openFacade(context, stack, address, prf);
    await use(await withAccount(wallet, username));
    settle(stack, wallet, []);
    await context.close();
  },
  device2: async ({ browser, stack, facadeUrl, prf, expectedConsole }, use) => {
    const context = await browser.newContext();
    const wallet = await openFacade(context, stack, facadeUrl, prf);
    await use(wallet);
    settle(stack, wallet, expectedConsole);
    await context.close();
  },
});

const start = ({ page }: WatchedWallet, accountId?: string): Promise<Device2Linking> =>
  page.evaluate((id) => facade.startLinking(id), accountId);

/** Device1 has scanned the code. */
async function authorize({ page }: Pick<Facade, 'page'>, { qrData }: Device2Linking): Promise<void> {
  const result = await page.evaluate((data) => facade.manager.linkDeviceWithScannedQRData(data), qrData);
  expect(result).toMatchObject({ success: true, device2PublicKey: qrData.device2PublicKey });
}

const deleteKey = ({ page, accountId }: Facade, publicKey: string) =>
  page.evaluate(
    ({ id, key }) =>
      facade.manager.executeAction({
        nearAccountId: id,
        receiverId: id,
        actionArgs: { type: 'DeleteKey', publicKey: key },
        options: { waitUntil: 'FINAL' },
      }),
    { id: accountId, key: publicKey },
  );

/** Waits for the end of the linking. */
async function ended({ page }: WatchedWallet): Promise<LinkedAccount | string> {
  await page.waitForFunction(() => facade.linked !== undefined, undefined, { timeout: LINK_TIMEOUT });
  return page.evaluate(() => facade.linked as LinkedAccount | string);
}

async function linked(wallet: WatchedWallet): Promise<LinkedAccount> {
  const end = await ended(wallet);
  if (typeof end === 'string') {
    const events = await eventsOf(wallet);
    throw new Error(`The linking ended with ${end}: ${events.at(-1)?.message}`);
  }
  return end;
}

const eventsOf = ({ page }: WatchedWallet): Promise<FlowEvent[]> =>
  page.evaluate(() => facade.events.filter(({ flow }) => flow === 'linking'));

async function phase(wallet: WatchedWallet, name: string): Promise<FlowEvent> {
  const found = async () => (await eventsOf(wallet)).find((event) => event.phase === name);
  await expect.poll(found, { timeout: LINK_TIMEOUT }).toBeDefined();
  return (await found()) as FlowEvent;
}

/** Both devices sign, each with its own key. */
async function signs({ page }: WatchedWallet, accountId: string, greeting: string): Promise<void> {
  const result = await page.evaluate(
    ({ id, registry, text }) =>
      facade.manager.executeAction({
        nearAccountId: id,
        receiverId: registry,
        actionArgs: { type: 'FunctionCall', methodName: 'set_greeting', args: { greeting: text } },
        options: { waitUntil: 'FINAL' },
      }),
    { id: accountId, registry: REGISTRY, text: greeting },
  );
  expect(result).toMatchObject({ success: true });
}

/** Expects the chain's state after device `n` has joined: exactly these keys, each named by an authenticator. */
async function expectDevices(stack: LocalStack, accountId: string, devices: number): Promise<void> {
  const [keys, authenticators] = await Promise.all([
    stack.oracle.fullAccessKeys(accountId),
    stack.oracle.authenticators(accountId),
  ]);
  expect(authenticators.map(([, { device_number }]) => device_number)).toEqual(
    Array.from({ length: devices }, (_, index) => index + 1),
  );
  expect(authenticators.map(([, { near_public_key }]) => near_public_key).sort()).toEqual([...keys].sort());
}

const storedKeys = ({ page }: WatchedWallet): Promise<string[]> =>
  page.evaluate(
    () =>
      new Promise<string[]>((resolve, reject) => {
        const opening = indexedDB.open('PasskeyNearKeys');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const reading = opening.result
            .transaction('encryptedKeys')
            .objectStore('encryptedKeys')
            .getAllKeys();
          reading.onsuccess = () => {
            opening.result.close();
            resolve(reading.result.map(String));
          };
        };
      }),
  );

/** A thief of the disk: opens every sealed key in storage that a CryptoKey in storage opens. */
const keysOpenedByStorage = ({ page }: WatchedWallet): Promise<{ sealed: number; opened: string[] }> =>
  page.evaluate(async () => {
    const wrapping: CryptoKey[] = [];
    const sealed: { publicKey: string; encryptedData: string; iv: string }[] = [];
    const collect = (value: unknown): void => {
      if (value instanceof CryptoKey) wrapping.push(value);
      else if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) {
        if ('publicKey' in value && 'encryptedData' in value) sealed.push(value as (typeof sealed)[0]);
        for (const part of Object.values(value)) collect(part);
      }
    };
    for (const { name = '' } of await indexedDB.databases()) {
      const db = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open(name);
        opening.onsuccess = () => resolve(opening.result);
        opening.onerror = () => reject(opening.error);
      });
      for (const store of db.objectStoreNames) {
        const reading = db.transaction(store).objectStore(store).getAll();
        await new Promise((resolve) => {
          reading.onsuccess = resolve;
        });
        collect(reading.result);
      }
      db.close();
    }
    const bytes = (text: string) =>
      Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
    const opened: string[] = [];
    for (const { publicKey, encryptedData, iv } of sealed) {
      const parameters = {
        name: 'AES-GCM',
        iv: bytes(iv),
        additionalData: new TextEncoder().encode(publicKey),
      };
      for (const key of wrapping) {
        await crypto.subtle.decrypt(parameters, key, bytes(encryptedData)).then(
          () => opened.push(publicKey),
          () => undefined,
        );
      }
    }
    return { sealed: sealed.length, opened };
  });

test('a thief of the disk opens no key of a linking, while its code is shown or while its passkey waits', async ({
  device1,
  device2,
}) => {
  await start(device2);
  expect(await keysOpenedByStorage(device2)).toEqual({ sealed: 1, opened: [] });
  await device2.page.evaluate(() => facade.manager.stopDevice2LinkingFlow());
  expect(await keysOpenedByStorage(device2)).toEqual({ sealed: 0, opened: [] });
  await start(device2, device1.accountId);
  expect(await keysOpenedByStorage(device2)).toEqual({ sealed: 1, opened: [] });
});

test('a new device shows a code, joins, swaps its key, and both devices sign', async ({
  device1,
  device2,
  stack,
}) => {
  const { accountId } = device1;
  const code = await start(device2);
  expect(code.qrData).toMatchObject({ version: '1.0' });
  expect(code.qrData.accountId).toBeUndefined();
  expect(code.checkCode).toMatch(/^[A-Z2-7]{16}$/);
  expect(code.qrCodeDataURL).toMatch(/^data:image\/png;base64,/);
  expect(code.expiresAt - code.qrData.timestamp).toBe(15 * 60_000);
  await authorize(device1, code);

  const result = await linked(device2);
  expect(result).toMatchObject({
    success: true,
    nearAccountId: accountId,
    deviceNumber: 2,
    isLoggedIn: true,
  });
  expect(result.publicKey).not.toBe(code.qrData.device2PublicKey);
  expect(result.transactionIds).toHaveLength(2);
  await expectDevices(stack, accountId, 2);
  expect(await stack.oracle.fullAccessKeys(accountId)).not.toContain(code.qrData.device2PublicKey);

  const events = (await eventsOf(device2)).filter(({ status }) => status === 'success');
  expect(events.map(({ step }) => step)).toEqual([1, 5, 6, 7, 8]);
  expect(device2.prompts.map(({ kind }) => kind)).toEqual(['create']);
  const shown = await device2.page.evaluate(() => facade.shown);
  expect(shown).toMatchObject([
    {
      kind: 'registration',
      accountId,
      deviceNumber: 2,
      behavior: 'requireClick',
      joining: { checkCode: code.checkCode },
    },
  ]);
  expect(await storedKeys(device2)).toEqual([`${accountId},2`]);

  await signs(device2, accountId, 'from the second');
  await signs(device1, accountId, 'from the first');
  await device2.page.reload();
  expect(await device2.page.evaluate((id) => facade.manager.loginPasskey(id), accountId)).toMatchObject({
    success: true,
    unlockedBy: 'server-lock',
  });
  expect(await device2.page.evaluate((id) => facade.manager.getLoginState(id), accountId)).toMatchObject({
    isLoggedIn: true,
    userData: { deviceNumber: 2 },
  });
});

test('a device that knows the account creates its passkey first and puts its key in the code', async ({
  device1,
  device2,
  stack,
}) => {
  const { accountId } = device1;
  const code = await start(device2, accountId);
  expect(device2.prompts.map(({ kind }) => kind)).toEqual(['create']);
  expect(code.qrData.accountId).toBe(accountId);
  await authorize(device1, code);
  const result = await linked(device2);
  expect(result).toMatchObject({ success: true, deviceNumber: 2, publicKey: code.qrData.device2PublicKey });
  expect(result.transactionIds).toHaveLength(1);
  expect(device2.prompts).toHaveLength(1);
  await expectDevices(stack, accountId, 2);
  await signs(device2, accountId, 'option E');
});

test('a passkey too old for the registry is created again, and its key is swapped', async ({
  device1,
  device2,
  stack,
}) => {
  const { accountId } = device1;
  const code = await start(device2, accountId);
  await stack.oracle.setMaxBlockAge(SHORT_BLOCK_AGE);
  try {
    await makeOld(stack);
    await authorize(device1, code);
    const result = await linked(device2);
    expect(result).toMatchObject({ success: true, deviceNumber: 2, isLoggedIn: true });
    expect(result.transactionIds).toHaveLength(2);
    expect(device2.prompts.map(({ kind }) => kind)).toEqual(['create', 'create']);
    // The first one was never sent: the browser has forgotten it.
    expect(await device2.passkey.credentialIds()).toHaveLength(1);
    await expectDevices(stack, accountId, 2);
    await signs(device2, accountId, 'made again');
  } finally {
    await stack.oracle.setMaxBlockAge(MAX_BLOCK_AGE);
  }
});

test('this device joins an account of another wallet as device 1: that wallet adds the key of the code', async ({
  device2,
  stack,
  username,
}) => {
  const { accountId, account } = await stack.oracle.makeAccountElsewhere(`alice-${username}`);
  const code = await start(device2, accountId);
  await account.addFullAccessKey(code.qrData.device2PublicKey);
  const result = await linked(device2);
  expect(result).toMatchObject({ success: true, nearAccountId: accountId, deviceNumber: 1 });
  const [[, record] = []] = await stack.oracle.authenticators(accountId);
  expect(record).toMatchObject({ device_number: 1, near_public_key: code.qrData.device2PublicKey });
  const detected = await phase(device2, 'addkey-detected');
  expect(detected.data).not.toHaveProperty('deleteAt');
  await signs(device2, accountId, 'made elsewhere');
});

test('the current account stays logged in until this device joins, and a linking that ends earlier changes nothing', async ({
  device1,
  device2,
  username,
}) => {
  const { page } = device2;
  const before = accountOf(`${username}-before`);
  await registerHere(page, before);
  const state = () => page.evaluate(() => facade.manager.getLoginState());

  await start(device2, device1.accountId);
  expect(device2.prompts).toHaveLength(2);
  expect(await state()).toMatchObject({ isLoggedIn: true, nearAccountId: before });
  await page.evaluate(() => facade.manager.stopDevice2LinkingFlow());
  expect(await ended(device2)).toBe('CANCELLED');
  await signs(device2, before, 'still logged in');

  await authorize(device1, await start(device2));
  expect(await linked(device2)).toMatchObject({ success: true, isLoggedIn: true });
  expect(await state()).toMatchObject({ isLoggedIn: true, nearAccountId: device1.accountId });
  await signs(device2, device1.accountId, 'let in');
});

test('a device that logs out while it shows its code still joins, but stays logged out', async ({
  device1,
  device2,
  stack,
}) => {
  const { page } = device2;
  const code = await start(device2, device1.accountId);
  await page.evaluate(() => facade.manager.logoutAndClearVrfSession());
  await authorize(device1, code);
  expect(await linked(device2)).toMatchObject({ success: true, isLoggedIn: false });
  expect(await page.evaluate(() => facade.manager.getLoginState())).toMatchObject({ isLoggedIn: false });
  await expectDevices(stack, device1.accountId, 2);
});

test('an account that is not on the chain is refused before any prompt', async ({ device2 }) => {
  const code = await device2.page.evaluate(() =>
    facade.manager.startDevice2LinkingFlow({ accountId: 'nobody.testnet' }).then(
      () => 'started',
      (error: Error) => error.message,
    ),
  );
  expect(code).toBe('Account nobody.testnet does not exist onchain');
  expect(device2.prompts).toEqual([]);
});

test.describe('an unfinished linking', () => {
  /** Expects no trace of it here, and a new code that works. */
  async function startsAgain(stack: LocalStack, device1: Facade, device2: WatchedWallet): Promise<void> {
    expect(await storedKeys(device2)).toEqual([]);
    expect((await device2.page.evaluate(() => facade.manager.getLoginState())).isLoggedIn).toBe(false);
    const code = await start(device2);
    await authorize(device1, code);
    expect(await linked(device2)).toMatchObject({ success: true, deviceNumber: 2 });
    expect(await device2.passkey.credentialIds()).toHaveLength(1);
    await expectDevices(stack, device1.accountId, 2);
  }

  test('is cancelled while the code is shown', async ({ device1, device2, stack }) => {
    await device2.page.clock.install();
    const code = await start(device2);
    await device2.page.evaluate(() => facade.manager.stopDevice2LinkingFlow());
    expect(await ended(device2)).toBe('CANCELLED');
    const calls = stack.chain.calls.length;
    await device2.page.clock.runFor(10_000);
    const asked = stack.chain.calls.slice(calls).map(({ name }) => name);
    expect(asked).not.toContain('query:get_device_linking_account');
    expect(code.qrData.device2PublicKey).not.toBe('');
    await startsAgain(stack, device1, device2);
  });

  test('is cancelled in the confirmation, which names the account', async ({ device1, device2, stack }) => {
    await device2.page.evaluate(() => {
      facade.decision = 'cancel';
    });
    const code = await start(device2);
    await authorize(device1, code);
    expect(await ended(device2)).toBe('CANCELLED');
    expect((await eventsOf(device2)).at(-1)).toMatchObject({
      phase: 'device-linking-error',
      message: 'User cancelled link-device confirmation (Option F)',
    });
    expect(device2.prompts).toEqual([]);
    await device2.page.evaluate(() => {
      facade.decision = 'confirm';
    });
    await deleteKey(device1, code.qrData.device2PublicKey);
    await startsAgain(stack, device1, device2);
  });

  test('reports a key that is deleted during the prompt, and leaves no passkey in the way', async ({
    device1,
    device2,
    stack,
  }) => {
    await device2.passkey.setPresence(false);
    const code = await start(device2);
    await authorize(device1, code);
    await expect.poll(() => device2.prompts.length, { timeout: LINK_TIMEOUT }).toBe(1);
    await deleteKey(device1, code.qrData.device2PublicKey);
    expect(await ended(device2)).toBe('LINK_KEY_GONE');
    await device2.passkey.setPresence(true);
    await startsAgain(stack, device1, device2);
  });

  test('reports a synced passkey of the account, and offers recovery', async ({ device1 }) => {
    const { page, accountId } = device1;
    const url = page.url();
    // Leave the page first: an open one may be reading what is cleared.
    await page.goto('about:blank');
    await device1.passkey.clearSiteData(new URL(url).origin);
    await page.goto(url);
    const code = await page.evaluate(
      (id) => facade.codeOf(() => facade.manager.startDevice2LinkingFlow({ accountId: id })),
      accountId,
    );
    expect(code).toBe('PASSKEY_SYNCED');
    expect(await storedKeys(device1)).toEqual([]);
  });

  test('ends after 15 minutes', async ({ device2 }) => {
    await device2.page.clock.install();
    await start(device2);
    await device2.page.clock.fastForward(15 * 60_000);
    expect(await ended(device2)).toBe('SESSION_EXPIRED');
    expect((await eventsOf(device2)).at(-1)?.message).toBe('Device linking session expired');
    expect(await storedKeys(device2)).toEqual([]);
  });
});

test.describe('a page reloaded', () => {
  const resume = ({ page }: WatchedWallet) => page.evaluate(() => facade.manager.resume());
  const finish = ({ page }: WatchedWallet, accountId: string) =>
    page.evaluate((id) => facade.manager.finishDeviceLinking(id), accountId);

  test('while its passkey waits for Device1 is linked after the next start, with one touch', async ({
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
    expect(await resume(device2)).toMatchObject({ unfinished: [accountId] });
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
    for (const proxy of [stack.chain, stack.spareChain]) proxy.heal();
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
    for (const proxy of [stack.chain, stack.spareChain]) {
      proxy.fail('send_tx', { kind });
      proxy.fail('tx', { kind: 'refuse' });
    }
  }

  const COST = 'query:get_registration_cost';
  const callsTo = (stack: LocalStack, name: string): number =>
    [...stack.chain.calls, ...stack.spareChain.calls].filter((call) => call.name === name).length;

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
    const releases = [stack.chain, stack.spareChain].map((proxy) => proxy.hold(COST));
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
    for (const proxy of [stack.chain, stack.spareChain]) proxy.hold(COST);
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
      expect(await resume(device2)).toMatchObject({ unfinished: [accountId] });
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
