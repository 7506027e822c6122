// Twelve words: made, written down, and used in a browser that lacks the account's passkey.
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { parseSeedPhrase } from 'near-seed-phrase';
import { keyViewer } from '../support/steps.js';
import { homeOf, isFramed } from '../support/wallet.js';
import { openFacade, payOneYocto, test } from './facade-page/fixture.js';
import type { FacadePage } from './facade-page/main.js';
import { expect, FRAMED, settle } from './fixtures.js';
import { button, startAdding, startRestoring, typePhrase, typeTwo, words } from './phrase-viewer.js';
import { storageDump } from './storage-dump.js';

declare const facade: FacadePage;

const messagesOf = (page: Page): Promise<string> =>
  page.evaluate(() => (globalThis as unknown as { __mainThreadMessages(): string }).__mainThreadMessages());

test(
  'twelve words open the account in a browser without its passkey, and reach no storage, message, console, network or document but the viewer’s [S4]',
  FRAMED,
  async ({ facade: wallet, browser, context, stack, facadeUrl, expectedConsole }) => {
    const { page, accountId } = wallet;
    await context.addInitScript({ path: fileURLToPath(new URL('main-thread.page.js', import.meta.url)) });
    await page.reload();
    expect(await page.evaluate((id) => facade.manager.loginPasskey(id), accountId)).toMatchObject({
      success: true,
    });
    const before = await stack.oracle.fullAccessKeys(accountId);
    const adding = startAdding(wallet, accountId);
    const phrase = await words(page);
    expect(phrase).toHaveLength(12);
    const { publicKey, secretKey } = parseSeedPhrase(phrase.join(' '));
    // Words such as "word" are in any text; no three of them in a row are.
    const secrets = [
      secretKey.slice('ed25519:'.length),
      ...phrase.slice(2).map((_, at) => phrase.slice(at, at + 3).join(' ')),
    ];
    const bytes = secrets.map((secret) => Array.from(new TextEncoder().encode(secret)).join(','));
    const home = await homeOf(page);
    const found = async () => {
      const sent = stack.proxies.flatMap((proxy) => proxy.calls);
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

    await test.step('the words are shown, and typed from paper', async () => {
      expect(await found()).toEqual([]);
      expect(await stack.oracle.fullAccessKeys(accountId)).toEqual(before);
      await typeTwo(page, phrase);
      expect(await adding).toMatchObject({ success: true, publicKey });
      expect(await found()).toEqual([]);
      expect(await messagesOf(page)).toContain(isFramed(page) ? 'PM_ADD_RECOVERY_KEY' : 'KEY_REQUESTED');
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
    });

    await test.step('they are refused for an account that does not exist', async () => {
      const restoring = startRestoring(wallet, 'nobody.w3a-v1.testnet');
      await typePhrase(keyViewer(page), phrase);
      // The page's own confirmer has no words for errors: there the viewer says the error's message.
      const missing = isFramed(page) ? 'doesn’t exist' : 'does not exist';
      await expect(keyViewer(page).getByRole('alert')).toContainText(missing);
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
    });

    await test.step('they open the account in another browser, which pays and removes them', async () => {
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
    });
  },
);
