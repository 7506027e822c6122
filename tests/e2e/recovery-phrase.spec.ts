// Twelve words: made, written down, and used in a browser that lacks the account's passkey.
import { fileURLToPath } from 'node:url';
import type { FrameLocator, Page } from '@playwright/test';
import type { RecoveryKeyResult, RestoredAccount } from 'latchkey';
import { actions, PublicKey } from 'near-api-js';
import { generateSeedPhrase, parseSeedPhrase } from 'near-seed-phrase';
import { keyViewer } from '../../demo/stack/steps.js';
import { homeOf, isFramed } from '../../demo/stack/wallet.js';
import { expectNothingSideways, expectNoViolations } from './accessible.js';
import { type OpenFacade, openFacade, payOneYocto, test } from './facade-page/fixture.js';
import type { FacadePage } from './facade-page/main.js';
import { expect, FRAMED, REQUEST_FAILED, settle } from './fixtures.js';
import { storageDump } from './storage-dump.js';

declare const facade: FacadePage;

const button = (viewer: FrameLocator, name: string) => viewer.getByRole('button', { name, exact: true });
const field = (viewer: FrameLocator, position: number) =>
  viewer.getByRole('textbox', { name: `Word ${position}`, exact: true });

const startAdding = ({ page }: OpenFacade, accountId: string): Promise<RecoveryKeyResult> =>
  page.evaluate((nearAccountId) => facade.manager.addRecoveryKey({ nearAccountId }), accountId);

const startRestoring = ({ page }: OpenFacade, accountId?: string): Promise<RestoredAccount> =>
  page.evaluate(
    (nearAccountId) => facade.manager.recoverWithPhrase(nearAccountId === undefined ? {} : { nearAccountId }),
    accountId,
  );

/** Presses until the words show: a press that comes too soon does not count. Returns the words. */
async function words(page: Page): Promise<string[]> {
  const viewer = keyViewer(page);
  const list = viewer.getByRole('list', { name: 'Your recovery phrase' });
  await button(viewer, 'Show the words').waitFor();
  await expect(async () => {
    if (!(await list.isVisible())) await button(viewer, 'Show the words').click({ timeout: 1_000 });
    await expect(list).toBeVisible({ timeout: 1_000 });
  }).toPass();
  return list.getByRole('listitem').allTextContents();
}

/** Types the two words that the viewer asks for, and goes on. */
async function typeTwo(page: Page, phrase: readonly string[]): Promise<void> {
  const viewer = keyViewer(page);
  await button(viewer, 'I wrote them down').click();
  const labels = await viewer.locator('label').allTextContents();
  expect(labels).toHaveLength(2);
  for (const label of labels) {
    const position = Number(label.replace('Word ', ''));
    await field(viewer, position).fill(phrase[position - 1] ?? '');
  }
  await button(viewer, 'Continue').click();
}

async function typePhrase(viewer: FrameLocator, phrase: readonly string[]): Promise<void> {
  for (const [at, word] of phrase.entries()) await field(viewer, at + 1).fill(word);
  await button(viewer, 'Continue').click();
}

const messagesOf = (page: Page): Promise<string> =>
  page.evaluate(() => (globalThis as unknown as { __mainThreadMessages(): string }).__mainThreadMessages());

test(
  'twelve words that were written down open the account in a browser without its passkey, which then pays',
  FRAMED,
  async ({ facade: wallet, browser, stack, facadeUrl, expectedConsole }) => {
    const { page, accountId } = wallet;
    const before = await stack.oracle.fullAccessKeys(accountId);
    const adding = startAdding(wallet, accountId);
    const phrase = await words(page);
    expect(phrase).toHaveLength(12);
    expect(await stack.oracle.fullAccessKeys(accountId)).toEqual(before);
    await typeTwo(page, phrase);
    const added = await adding;
    const { publicKey } = parseSeedPhrase(phrase.join(' '));
    expect(added).toMatchObject({ success: true, publicKey });
    expect(await stack.oracle.fullAccessKeys(accountId)).toEqual(
      expect.arrayContaining([...before, publicKey]),
    );
    expect(await page.evaluate((id) => facade.manager.getLinkedDevices(id), accountId)).toMatchObject({
      otherKeys: [publicKey],
      recoveryKeys: [publicKey],
    });
    if (!isFramed(page)) {
      expect(await page.evaluate(() => facade.shown.at(-1))).toMatchObject({
        kind: 'transactions',
        recoveryKey: publicKey,
      });
    }

    const other = await openFacade(await browser.newContext(), stack, facadeUrl);
    const restoring = startRestoring(other, accountId);
    await typePhrase(
      keyViewer(other.page),
      phrase.map((word, at) => (at === 4 ? ` ${word.toUpperCase()} ` : word)),
    );
    expect(await restoring).toMatchObject({
      success: true,
      nearAccountId: accountId,
      deviceNumber: 2,
      isLoggedIn: true,
    });
    expect(other.prompts.map(({ kind }) => kind)).toEqual(['create']);
    await payOneYocto(other, accountId);
    // The words go on to work.
    expect(await stack.oracle.fullAccessKeys(accountId)).toContain(publicKey);

    const removed = await other.page.evaluate(([id, key]) => facade.manager.deleteDeviceKey(id, key), [
      accountId,
      publicKey,
    ] as const);
    expect(removed).toMatchObject({ success: true });
    expect(await stack.oracle.fullAccessKeys(accountId)).not.toContain(publicKey);
    settle(stack, other, expectedConsole);
    await other.page.context().close();
  },
);

test(
  'the words reach no storage, no message of the page, no console, no network and no document but the viewer’s',
  FRAMED,
  async ({ facade: wallet, context, stack }) => {
    const { page, accountId } = wallet;
    await context.addInitScript({ path: fileURLToPath(new URL('main-thread.page.js', import.meta.url)) });
    await page.reload();
    expect(await page.evaluate((id) => facade.manager.loginPasskey(id), accountId)).toMatchObject({
      success: true,
    });
    const adding = startAdding(wallet, accountId);
    const phrase = await words(page);
    const { secretKey } = parseSeedPhrase(phrase.join(' '));
    // Words such as "word" are in any text; no three of them in a row are.
    const secrets = [
      secretKey.slice('ed25519:'.length),
      ...phrase.slice(2).map((_, at) => phrase.slice(at, at + 3).join(' ')),
    ];
    const bytes = secrets.map((secret) => Array.from(new TextEncoder().encode(secret)).join(','));
    const home = await homeOf(page);
    const found = async () => {
      const sent = [stack.chain, stack.spareChain, stack.relay].flatMap((proxy) => proxy.calls);
      const places = {
        messages: await messagesOf(page),
        console: wallet.consoleLines.join('\n'),
        network: sent.map(({ body }) => body).join('\n'),
        storage: (await storageDump(home)) + (await storageDump(page.mainFrame())),
        document: (await page.content()) + (await home.content()),
      };
      return Object.entries(places)
        .filter(([, text]) => [...secrets, ...bytes].some((secret) => text.includes(secret)))
        .map(([place]) => place);
    };
    expect(await found()).toEqual([]);
    await typeTwo(page, phrase);
    expect(await adding).toMatchObject({ success: true });
    expect(await found()).toEqual([]);
    expect(await messagesOf(page)).toContain(isFramed(page) ? 'PM_ADD_RECOVERY_KEY' : 'KEY_REQUESTED');

    const restoring = startRestoring(wallet, 'nobody.w3a-v1.testnet');
    await typePhrase(keyViewer(page), phrase);
    await expect(keyViewer(page).getByRole('alert')).toContainText('does not exist');
    expect(await found()).toEqual([]);
    await button(keyViewer(page), 'Cancel').click();
    expect(await restoring).toMatchObject({ success: false, errorCode: 'CANCELLED' });

    // Proves that the search works.
    await page.evaluate((leak) => localStorage.setItem('leak', leak), phrase.join(' '));
    await page.evaluate(
      (leak) => new MessageChannel().port1.postMessage(new TextEncoder().encode(leak)),
      phrase.join(' '),
    );
    expect(await found()).toEqual(['messages', 'storage']);
  },
);

test(
  'words that were only seen add nothing: a wrong word is named by its position, and leaving cancels',
  FRAMED,
  async ({ facade: wallet, stack }) => {
    const { page, accountId } = wallet;
    const before = await stack.oracle.fullAccessKeys(accountId);
    const adding = startAdding(wallet, accountId);
    await words(page);
    const viewer = keyViewer(page);
    await button(viewer, 'I wrote them down').click();
    const [first = ''] = await viewer.locator('label').allTextContents();
    await button(viewer, 'Continue').click();
    await expect(viewer.getByRole('alert')).toHaveText(`${first} is another one. Compare it with the words.`);
    await button(viewer, 'Back').click();
    await expect(viewer.getByRole('listitem')).toHaveCount(12);
    await button(viewer, 'Cancel').click();
    expect(await adding).toMatchObject({ success: false, errorCode: 'CANCELLED' });
    expect(await stack.oracle.fullAccessKeys(accountId)).toEqual(before);
  },
);

test('recovery phrases are off unless the configuration allows them, and the error says how', async ({
  facade: wallet,
}) => {
  const results = await wallet.page.evaluate(async (nearAccountId) => {
    const { config } = facade.manager;
    const Manager = facade.manager.constructor as typeof import('latchkey').PasskeyManager;
    const manager = new Manager({ relayer: config.relayer, rpcUrl: config.rpcUrls });
    return [await manager.addRecoveryKey({ nearAccountId }), await manager.recoverWithPhrase()];
  }, wallet.accountId);
  for (const result of results) {
    expect(result).toMatchObject({ success: false, errorCode: 'RECOVERY_PHRASE_OFF', publicKey: null });
    expect(result.error).toContain('keyExport: { sameOrigin: true }');
  }
});

test('a refusal after the words were written down tells that they open nothing', async ({
  facade: wallet,
  stack,
}) => {
  const { page, accountId } = wallet;
  const before = await stack.oracle.fullAccessKeys(accountId);
  const adding = startAdding(wallet, accountId);
  const phrase = await words(page);
  await page.evaluate(() => {
    facade.decision = 'cancel';
  });
  await typeTwo(page, phrase);
  const refused = await adding;
  expect(refused).toMatchObject({ success: false, errorCode: 'RECOVERY_KEY_NOT_ADDED' });
  expect(refused.error).toContain('The words that you wrote down open nothing');
  expect(await stack.oracle.fullAccessKeys(accountId)).toEqual(before);
});

test(
  'an account from elsewhere is opened by its phrase in one paste, and the viewer names each mistake before',
  FRAMED,
  async ({ context, stack, facadeUrl, username, expectedConsole }) => {
    const wallet = await openFacade(context, stack, facadeUrl);
    const { page } = wallet;
    const { account, accountId } = await stack.oracle.makeAccountElsewhere(username);
    const [right, limited, unknown] = [generateSeedPhrase(), generateSeedPhrase(), generateSeedPhrase()];
    await account.signAndSendTransaction({
      receiverId: accountId,
      actions: [
        actions.addFullAccessKey(PublicKey.fromString(right.publicKey)),
        actions.addFunctionCallAccessKey(PublicKey.fromString(limited.publicKey), 'app.testnet', [], 1n),
      ],
    });
    const phrase = right.seedPhrase.split(' ');
    const restoring = startRestoring(wallet);
    const viewer = keyViewer(page);
    const alert = viewer.getByRole('alert');
    await viewer.getByRole('textbox', { name: 'Account' }).fill(accountId);

    await typePhrase(viewer, phrase.with(6, 'latchkey'));
    await expect(alert).toContainText('Word 7 is not a word');
    await typePhrase(viewer, phrase.with(6, ''));
    await expect(alert).toContainText('these are 11');
    await typePhrase(
      viewer,
      Array.from({ length: 12 }, () => 'abandon'),
    );
    await expect(alert).toContainText('do not belong together');
    await typePhrase(viewer, unknown.seedPhrase.split(' '));
    await expect(alert).toContainText('the account does not have their key');
    await typePhrase(viewer, limited.seedPhrase.split(' '));
    await expect(alert).toContainText('without full access');

    await field(viewer, 1).focus();
    await field(viewer, 1).evaluate(
      (input, text) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', text);
        input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      },
      ` ${phrase.join('\n')} `,
    );
    expect(await Promise.all(phrase.map((_, at) => field(viewer, at + 1).inputValue()))).toEqual(phrase);
    await button(viewer, 'Continue').click();
    expect(await restoring).toMatchObject({ success: true, nearAccountId: accountId, deviceNumber: 1 });
    settle(stack, wallet, expectedConsole);
  },
);

test('a page that ends between the AddKey and the registration continues with the same words and the same passkey', async ({
  context,
  stack,
  facadeUrl,
  username,
  expectedConsole,
}) => {
  const wallet = await openFacade(context, stack, facadeUrl);
  const { page } = wallet;
  const { account, accountId } = await stack.oracle.makeAccountElsewhere(username);
  const { seedPhrase, publicKey } = generateSeedPhrase();
  await account.signAndSendTransaction({
    receiverId: accountId,
    actions: [actions.addFullAccessKey(PublicKey.fromString(publicKey))],
  });
  let met = (): void => undefined;
  const isMet = new Promise<void>((resolve) => {
    met = resolve;
  });
  expectedConsole.push(REQUEST_FAILED, /^warning:/);
  // The AddKey passes, the registration does not.
  stack.spareChain.fail('send_tx', { kind: 'refuse' });
  stack.chain.fail('send_tx', { kind: 'refuse' }, undefined, { skip: 1, onMet: () => met() });
  const lost = startRestoring(wallet, accountId).catch(() => undefined);
  await typePhrase(keyViewer(page), seedPhrase.split(' '));
  await isMet;
  expect(await stack.oracle.fullAccessKeys(accountId)).toHaveLength(3);
  await page.reload();
  await lost;
  for (const proxy of [stack.chain, stack.spareChain]) proxy.heal();

  const before = wallet.prompts.length;
  const restoring = startRestoring(wallet, accountId);
  await typePhrase(keyViewer(page), seedPhrase.split(' '));
  expect(await restoring).toMatchObject({ success: true, deviceNumber: 1 });
  // The journal had the signed registration, so the passkey is asked at the login alone.
  expect(await page.evaluate((id) => facade.manager.loginPasskey(id), accountId)).toMatchObject({
    success: true,
  });
  expect(wallet.prompts.slice(before).map(({ kind }) => kind)).toEqual(['get']);
  expect(await stack.oracle.fullAccessKeys(accountId)).toHaveLength(3);
  expect(await stack.oracle.authenticators(accountId)).toHaveLength(1);
  settle(stack, wallet, expectedConsole);
});

test('an AddKey whose answer is lost is named in doubt, with the words to keep, and the list shows its key', async ({
  facade: wallet,
  stack,
  expectedConsole,
}) => {
  expectedConsole.push(REQUEST_FAILED, /^warning:/);
  const { page, accountId } = wallet;
  const adding = startAdding(wallet, accountId);
  const phrase = await words(page);
  const { publicKey } = parseSeedPhrase(phrase.join(' '));
  const proxies = [stack.chain, stack.spareChain];
  for (const proxy of proxies) {
    proxy.fail('send_tx', { kind: 'drop-answer' }, 1, {
      onMet: () => {
        for (const each of proxies) each.fail('*', { kind: 'refuse' });
      },
    });
  }
  await typeTwo(page, phrase);
  const added = await adding;
  expect(added).toMatchObject({ success: false, errorCode: 'RECOVERY_KEY_IN_DOUBT', publicKey });
  expect(added.error).toContain(
    `Keep the words. They open the account once its list of devices shows the recovery key ${publicKey}`,
  );
  for (const proxy of proxies) proxy.heal();
  expect(await page.evaluate((id) => facade.manager.getLinkedDevices(id), accountId)).toMatchObject({
    recoveryKeys: [publicKey],
  });
});

for (const width of [320, 1100]) {
  test.describe(`${width} pixels wide`, () => {
    test.use({ viewport: { width, height: 700 } });

    test(
      'every screen of the phrase viewer passes axe in both themes, and scrolls only down',
      FRAMED,
      async ({ facade: wallet }, testInfo) => {
        const { page, accountId } = wallet;
        const viewer = keyViewer(page);
        const look = async (name: string): Promise<void> => {
          await expectNothingSideways(page);
          for (const theme of ['light', 'dark'] as const)
            await expectNoViolations(page, theme, name, testInfo);
        };
        const adding = startAdding(wallet, accountId);
        await button(viewer, 'Show the words').waitFor();
        await expect(button(viewer, 'Show the words')).not.toHaveAttribute('aria-disabled');
        await look('phrase-warning');
        await words(page);
        await look('phrase-words');
        await button(viewer, 'I wrote them down').click();
        await button(viewer, 'Continue').click();
        await look('phrase-check');
        await button(viewer, 'Back').click();
        await button(viewer, 'Cancel').click();
        expect(await adding).toMatchObject({ errorCode: 'CANCELLED' });
        const restoring = startRestoring(wallet);
        await viewer.getByRole('textbox', { name: 'Account' }).fill('alice.testnet');
        await button(viewer, 'Continue').click();
        await expect(viewer.getByRole('alert')).toContainText('these are 0');
        await look('phrase-enter');
        await button(viewer, 'Cancel').click();
        expect(await restoring).toMatchObject({ errorCode: 'CANCELLED' });
      },
    );
  });
}
