// Key export: the viewer warns, asks for the passkey, hides the key at first, shows and copies it, and forgets it.
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CDPSession, FrameLocator, Page } from '@playwright/test';
import { Account, KeyPair, KeyPairSigner } from 'near-api-js';
import { secretKeyText } from '../../demo/stack/keys.js';
import { derivedSecrets, secretsIn } from '../../demo/stack/secrets.js';
import { RELAYER } from '../../demo/stack/services.js';
import {
  closeKeyViewer,
  continueToKey,
  keyViewer,
  logIn,
  logOut,
  openKeyViewer,
  pressContinue,
  register,
  revealKey,
} from '../../demo/stack/steps.js';
import { accountOf, drawnIn, homeOf, isFramed, type WatchedWallet } from '../../demo/stack/wallet.js';
import { expect, FRAMED, REQUEST_FAILED, test } from './fixtures.js';

const layer = (page: Page) => drawnIn(page).locator('latchkey-key-viewer');
const exportButton = (page: Page) => page.getByRole('button', { name: 'Export keys' });
const problem = (page: Page) => page.getByRole('region', { name: 'Export Keys' }).getByRole('alert');

/** Registers, and returns the account with the key that the specification derives for it. */
async function registered(wallet: WatchedWallet, username: string) {
  await register(wallet, username);
  const accountId = accountOf(username);
  const secrets = derivedSecrets(accountId, wallet.prfOutputs[0]!);
  return { accountId, secrets, privateKey: secretKeyText(secrets['NEAR seed']!) };
}

/** Waits until the viewer is gone and the focus has returned to its previous element. */
async function expectGone(page: Page): Promise<void> {
  await expect(layer(page)).toHaveCount(0);
  await expect(exportButton(page)).toBeFocused();
  // A frame in its own process disappears shortly after its element.
  const home = await homeOf(page);
  await expect.poll(() => home.childFrames()).toEqual([]);
}

/** Presses Escape, which removes the frame: Chromium may then never report the key's release. */
async function pressEscape(page: Page): Promise<void> {
  page.keyboard.press('Escape').catch(() => undefined);
  await expectGone(page);
}

async function viewerScript(siteFolder: string): Promise<string> {
  const assets = join(siteFolder, 'assets');
  return join(assets, (await readdir(assets)).find((name) => name.startsWith('key-viewer'))!);
}

/**
 * Keeps the viewer's timers of a minute and longer for {@link fireViewerTimer}. Playwright's clock cannot: the viewer is
 * in a process of its own, where the clock sometimes arrives after the viewer's script has set its timer.
 */
async function holdViewerTimers(siteFolder: string): Promise<() => Promise<void>> {
  const path = await viewerScript(siteFolder);
  const script = await readFile(path, 'utf8');
  const hold = `{
    const { setTimeout: own } = globalThis;
    globalThis.held = new Map();
    globalThis.setTimeout = (act, ms) => (ms < 60_000 ? own(act, ms) : (held.set(ms, act), 0));
  }`;
  await writeFile(path, hold + script);
  return () => writeFile(path, script);
}

async function fireViewerTimer(page: Page, afterMs: number): Promise<void> {
  const viewer = page.frames().find((frame) => frame.url() === 'about:srcdoc')!;
  await viewer.evaluate((ms) => {
    (globalThis as unknown as { held: Map<number, () => void> }).held.get(ms)!();
  }, afterMs);
}

/** Waits until the viewer offers another try after a refused prompt. */
async function refused(viewer: FrameLocator) {
  const again = viewer.getByRole('button', { name: 'Try again' });
  await again.waitFor();
  return again;
}

/** Changes a stored record. */
async function changeRecord(page: Page, database: string, store: string, change: 'delete' | object) {
  await page.evaluate(
    async ([name, storeName, by]) => {
      const db = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name);
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
      const transaction = db.transaction(storeName, 'readwrite');
      const records = transaction.objectStore(storeName);
      records.openCursor().onsuccess = (event) => {
        const cursor = (event.target as IDBRequest<IDBCursorWithValue | null>).result;
        if (!cursor) return;
        // The change may affect the record's key.
        cursor.delete();
        if (by !== 'delete') records.put({ ...cursor.value, ...(by as object) });
        cursor.continue();
      };
      await new Promise((resolve) => {
        transaction.oncomplete = resolve;
      });
      db.close();
    },
    [database, store, change] as const,
  );
}

test('the viewer warns, prompts once, and shows a key whose transfer the chain accepts', async ({
  wallet,
  stack,
  username,
}) => {
  const { accountId, privateKey } = await registered(wallet, username);
  const { page } = wallet;
  let exported = '';
  const activity = await wallet.during(async () => {
    const viewer = await openKeyViewer(wallet);
    const dialog = viewer.getByRole('dialog');
    await expect(dialog).toHaveAccessibleDescription('Read this first. The key is not shown yet.');
    await expect(dialog).toContainText(accountId);
    await expect(dialog).toContainText(KeyPair.fromString(privateKey).getPublicKey().toString());
    await expect(dialog).toContainText('Anyone with this key can take everything in it');
    await expect(dialog).toContainText('Give it to nobody.');
    await expect(viewer.getByRole('button', { name: 'Cancel' })).toBeFocused();
    expect(wallet.prompts).toHaveLength(1);

    await continueToKey(viewer);
    expect(await drawnIn(page).locator('latchkey-confirm').count(), 'decrypting has no confirmation').toBe(0);
    await expect(viewer.getByRole('img', { name: 'Private key, hidden' })).toBeVisible();
    await expect(dialog).not.toContainText(privateKey);
    exported = await revealKey(viewer);
    await viewer.getByRole('button', { name: 'Hide' }).click();
    await expect(dialog).not.toContainText(privateKey);
    await expect(viewer.getByRole('img', { name: 'Private key, hidden' })).toBeVisible();
    await closeKeyViewer(page, 'Done');
    await expectGone(page);
  });
  expect(exported).toBe(privateKey);
  expect(activity.prompts).toEqual([{ kind: 'get', userVerification: 'required', prf: true }]);
  expect([activity.rpc, activity.relay]).toEqual([[], []]);
  await expect(problem(page)).toHaveCount(0);

  const { provider } = stack.oracle;
  const account = new Account(
    accountId,
    provider,
    KeyPairSigner.fromSecretKey(exported as `ed25519:${string}`),
  );
  const before = await provider.viewAccount({ accountId: RELAYER });
  await account.transfer({ receiverId: RELAYER, amount: 1_000_000n });
  const after = await provider.viewAccount({ accountId: RELAYER });
  expect(BigInt(after.amount)).toBeGreaterThanOrEqual(BigInt(before.amount) + 1_000_000n);
});

test(
  'the key never reaches the page: not its messages, memory, storage, console or document',
  FRAMED,
  async ({ context, wallet, username }) => {
    await context.addInitScript({ path: fileURLToPath(new URL('main-thread.page.js', import.meta.url)) });
    const { page } = wallet;
    await page.reload();
    const { secrets, privateKey } = await registered(wallet, username);
    const soFar = (await messagesOf(page)).length;
    const viewer = await openKeyViewer(wallet);
    await continueToKey(viewer);
    expect(await revealKey(viewer)).toBe(privateKey);

    // The viewer's document has its own process, so the page's process holds only the page's memory.
    const session = await context.newCDPSession(page);
    const found = async () => ({
      messages: secretsIn((await messagesOf(page)).slice(soFar), secrets).filter(
        // The wallet's page passes it to the signer worker, for one call.
        (name) => isFramed(page) || name !== 'PRF.first',
      ),
      memory: (await heapOf(session)).includes(privateKey.slice('ed25519:'.length)),
      console: secretsIn(wallet.consoleLines.join('\n'), secrets),
      page: secretsIn(await page.content(), secrets),
    });
    expect((await messagesOf(page)).slice(soFar)).toContain(
      isFramed(page) ? 'PM_EXPORT_NEAR_KEYPAIR_UI' : 'KEY_REQUESTED',
    );
    expect(await found()).toEqual({ messages: [], memory: false, console: [], page: [] });
    expect(
      await page.evaluate(() =>
        JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
      ),
    ).not.toContain(privateKey.slice(8));

    // Proves that the search works: it finds the same key when leaked on purpose, as bytes through a port.
    await page.evaluate(async (key) => {
      const { port1, port2 } = new MessageChannel();
      const arrived = new Promise((resolve) => {
        port2.onmessage = resolve;
      });
      port1.postMessage({ leaked: new TextEncoder().encode(key) });
      await arrived;
      (globalThis as { leaked?: string }).leaked = `${key} `;
    }, privateKey);
    expect(await found()).toMatchObject({ messages: ['NEAR private key text'], memory: true });
  },
);

const messagesOf = (page: Page): Promise<string> =>
  page.evaluate(() => (globalThis as unknown as { __mainThreadMessages(): string }).__mainThreadMessages());

/** Every string in the memory of the page's main thread. */
async function heapOf(session: CDPSession): Promise<string> {
  const chunks: string[] = [];
  const collect = ({ chunk }: { chunk: string }) => void chunks.push(chunk);
  session.on('HeapProfiler.addHeapSnapshotChunk', collect);
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  session.off('HeapProfiler.addHeapSnapshotChunk', collect);
  return chunks.join('');
}

test('a script on the page cannot read the viewer or press its buttons', async ({ wallet, username }) => {
  await registered(wallet, username);
  const { page } = wallet;
  const viewer = await openKeyViewer(wallet);
  const attempt = (): Promise<Record<string, unknown>> =>
    page.evaluate(() => {
      const frame = document
        .querySelector('latchkey-key-viewer')
        ?.shadowRoot?.querySelector<HTMLIFrameElement>('iframe');
      const tried = (what: () => unknown): unknown => {
        try {
          return what();
        } catch (error) {
          return (error as Error).name;
        }
      };
      const inside = frame?.contentWindow as Window & { __key?: unknown };
      return {
        sandbox: frame?.getAttribute('sandbox'),
        contentDocument: tried(() => frame?.contentDocument),
        document: tried(() => inside.document),
        global: tried(() => inside.__key),
        storage: tried(() => inside.localStorage),
      };
    });
  const nothing = {
    sandbox: 'allow-scripts',
    contentDocument: null,
    document: 'SecurityError',
    global: 'SecurityError',
    storage: 'SecurityError',
  };
  expect(await attempt()).toEqual(nothing);

  // A second connection with the attacker's port: the viewer took the first one and ignores others.
  const heard = await page.evaluate(async () => {
    const frame = document
      .querySelector('latchkey-key-viewer')
      ?.shadowRoot?.querySelector<HTMLIFrameElement>('iframe');
    const { port1, port2 } = new MessageChannel();
    const messages: unknown[] = [];
    port1.onmessage = ({ data }) => messages.push(data);
    frame?.contentWindow?.postMessage({ type: 'LATCHKEY_KEY_VIEWER', model: {} }, '*', [port2]);
    await new Promise((resolve) => setTimeout(resolve, 300));
    return messages;
  });
  expect(heard).toEqual([]);

  // A scripted press has no effect inside its document either.
  const frame = page.frames().find((candidate) => candidate.url() === 'about:srcdoc');
  await frame!.evaluate(() => {
    for (const button of document.querySelectorAll('button')) button.click();
    document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  });
  await page.waitForTimeout(200);
  await expect(viewer.getByRole('button', { name: 'Continue with passkey' })).toBeVisible();
  expect(wallet.prompts).toHaveLength(1);

  await continueToKey(viewer);
  await revealKey(viewer);
  expect(await attempt()).toEqual(nothing);
  // It cannot send anything out: its policy allows it only its own script.
  const left = await frame!.evaluate(async (url) => {
    const failed = (name: string) => () => name;
    const image = new Image();
    const loaded = new Promise((resolve) => {
      image.onload = () => resolve('loaded');
      image.onerror = () => resolve('refused');
    });
    image.src = `${url}mark.svg`;
    return [await fetch(url).then(() => 'fetched', failed('refused')), await loaded, self.origin];
  }, page.url());
  expect(left).toEqual(['refused', 'refused', 'null']);
  wallet.consoleLines.splice(0);
});

test('Cancel and Escape close the viewer before the prompt and while it holds the key, and report no failure', async ({
  wallet,
  username,
}) => {
  const { privateKey } = await registered(wallet, username);
  const { page } = wallet;
  const closing = await wallet.during(async () => {
    await openKeyViewer(wallet);
    await closeKeyViewer(page, 'Cancel');
    await expectGone(page);
    await openKeyViewer(wallet);
    await pressEscape(page);
  });
  expect(closing.prompts).toEqual([]);
  const activity = await wallet.during(async () => {
    await continueToKey(await openKeyViewer(wallet));
    await pressEscape(page);
    const viewer = await openKeyViewer(wallet);
    await expect(viewer.getByRole('button', { name: 'Show' })).toBeHidden();
    await continueToKey(viewer);
    expect(await revealKey(viewer)).toBe(privateKey);
  });
  expect(activity.prompts.map(({ kind }) => kind)).toEqual(['get', 'get']);
  await expect(problem(page)).toHaveCount(0);
});

test('Tab stays inside the viewer, forwards and backwards', async ({ wallet, username }) => {
  await register(wallet, username);
  const { page } = wallet;
  const viewer = await openKeyViewer(wallet);
  await continueToKey(viewer);
  const frame = page.frames().find((candidate) => candidate.url() === 'about:srcdoc');
  for (const key of ['Tab', 'Shift+Tab']) {
    const stops: string[] = [];
    for (let presses = 0; presses < 5; presses++) {
      await page.keyboard.press(key);
      stops.push(
        await frame!.evaluate(() =>
          document.hasFocus() ? (document.activeElement?.textContent ?? '').slice(0, 12) : 'lost',
        ),
      );
    }
    expect(stops).not.toContain('lost');
    expect(new Set(stops).size).toBe(4);
  }
});

test('the viewer loads nothing and runs no script but its own', async ({
  wallet,
  username,
  expectedConsole,
}) => {
  expectedConsole.push(/Content Security Policy/);
  await register(wallet, username);
  await openKeyViewer(wallet);
  const frame = wallet.page.frames().find((candidate) => candidate.url() === 'about:srcdoc');
  const refused = await frame!.evaluate(
    (app) =>
      new Promise<string[]>((resolve) => {
        const directives: string[] = [];
        addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
          if (directives.push(effectiveDirective) === 3) resolve(directives.sort());
        });
        for (const name of ['script', 'img']) {
          document.body.append(Object.assign(document.createElement(name), { src: `${app}mark.svg` }));
        }
        fetch(app).catch(() => undefined);
      }),
    wallet.page.url(),
  );
  expect(refused).toEqual(['connect-src', 'img-src', 'script-src-elem']);
});

test('a click in the viewer repeats a refused prompt', async ({ wallet, username }) => {
  const { privateKey } = await registered(wallet, username);
  const { page } = wallet;
  const viewer = await openKeyViewer(wallet);
  // Another request of the page occupies the browser's only prompt.
  await wallet.passkey.setPresence(false);
  await page.evaluate(() => {
    const holding = new AbortController();
    (globalThis as { release?: () => void }).release = () => holding.abort();
    navigator.credentials
      .get({ signal: holding.signal, publicKey: { challenge: new Uint8Array(32) } })
      .catch(() => undefined);
  });
  await pressContinue(viewer);
  const again = await refused(viewer);
  await expect(viewer.getByRole('alert')).toContainText('Another passkey request is already pending.');
  await expect(again).toBeFocused();
  const before = wallet.prompts.length;
  await page.waitForTimeout(300);
  expect(wallet.prompts, 'no prompt by itself').toHaveLength(before);

  await page.evaluate(() => (globalThis as unknown as { release(): void }).release());
  await wallet.passkey.setPresence(true);
  await again.click();
  await viewer.getByRole('button', { name: 'Show' }).waitFor();
  await expect(viewer.getByRole('alert')).toBeHidden();
  expect(await revealKey(viewer)).toBe(privateKey);
});

test('closing the viewer during the prompt ends the prompt', async ({ wallet, username }) => {
  await register(wallet, username);
  const { page } = wallet;
  const viewer = await openKeyViewer(wallet);
  await wallet.passkey.setPresence(false);
  await pressContinue(viewer);
  await expect(viewer.getByRole('status')).toHaveText('Follow your browser’s passkey prompt.');
  await closeKeyViewer(page, 'Cancel');
  await expectGone(page);
  // The next prompt finds no pending one.
  await wallet.passkey.setPresence(true);
  await continueToKey(await openKeyViewer(wallet));
});

test('export does not ask for the passkey of another account, and that passkey decrypts nothing when substituted', async ({
  wallet,
  username,
}) => {
  await register(wallet, `${username}-a`);
  await logOut(wallet);
  // From here on, this authenticator holds only the other account's passkey.
  await wallet.passkey.renew();
  await register(wallet, `${username}-b`);
  await logOut(wallet);
  await logIn(wallet, `${username}-a`);
  const { page } = wallet;
  const viewer = await openKeyViewer(wallet);
  await expect(viewer.getByRole('dialog')).toContainText(accountOf(`${username}-a`));
  await pressContinue(viewer);
  await refused(viewer);
  await expect(viewer.getByRole('alert')).toContainText('Operation was cancelled.');
  await closeKeyViewer(page, 'Cancel');
  await expectGone(page);

  // Now the stored record of the first account names the second one's passkey.
  const [credentialId = ''] = await wallet.passkey.credentialIds();
  await changeRecord(page, 'PasskeyClientDB', 'authenticators', {
    credentialId: Buffer.from(credentialId, 'base64').toString('base64url'),
  });
  const again = await openKeyViewer(wallet);
  await pressContinue(again);
  await expect(problem(page)).toContainText('Key export failed: Private key decryption failed');
  await expectGone(page);
});

test("another account's key material stored under this account's name does not decrypt", async ({
  wallet,
  username,
}) => {
  await register(wallet, `${username}-a`);
  await logOut(wallet);
  await register(wallet, `${username}-b`);
  const { page } = wallet;
  // The first account's ciphertext takes the place of both.
  await page.evaluate(async () => {
    const db = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open('PasskeyNearKeys');
      request.onsuccess = () => resolve(request.result);
    });
    const store = db.transaction('encryptedKeys', 'readwrite').objectStore('encryptedKeys');
    const records = await new Promise<{ nearAccountId: string }[]>((resolve) => {
      const request = store.getAll();
      request.onsuccess = () => resolve(request.result);
    });
    const [first, second] = records;
    store.put({ ...first, nearAccountId: second?.nearAccountId });
    await new Promise((resolve) => {
      store.transaction.oncomplete = resolve;
    });
    db.close();
  });
  const viewer = await openKeyViewer(wallet);
  await pressContinue(viewer);
  await expect(problem(page)).toContainText('Key export failed: Private key decryption failed');
  await expectGone(page);
});

test('without local key material export says what to do and opens no viewer', async ({
  wallet,
  username,
}) => {
  await register(wallet, username);
  const { page } = wallet;
  await changeRecord(page, 'PasskeyNearKeys', 'encryptedKeys', 'delete');
  await exportButton(page).click();
  await expect(problem(page)).toHaveText(
    'Key export failed: No local key material found for this account on this device. ' +
      'Please complete registration or recovery here first.',
  );
  await expect(layer(page)).toHaveCount(0);
  expect(wallet.prompts).toHaveLength(1);
});

test(
  'a copied key leaves the clipboard after 30 seconds, even when the viewer has closed',
  FRAMED,
  async ({ context, wallet, username }) => {
    const { privateKey } = await registered(wallet, username);
    const { page } = wallet;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
    await page.clock.install();
    const viewer = await openKeyViewer(wallet);
    await continueToKey(viewer);
    await viewer.getByRole('button', { name: 'Copy' }).click();
    await expect(viewer.getByRole('status')).toHaveText('Copied. The clipboard is cleared in 30 seconds.');
    expect(await clipboard()).toBe(privateKey);
    // The page's clock also runs with the real one.
    await page.clock.runFor(20_000);
    expect(await clipboard()).toBe(privateKey);
    await page.clock.runFor(10_500);
    await expect(viewer.getByRole('status')).toHaveText('The clipboard is cleared.');
    expect(await clipboard()).toBe('');

    await viewer.getByRole('button', { name: 'Copy' }).click();
    await expect.poll(clipboard).toBe(privateKey);
    await closeKeyViewer(page, 'Done');
    await expectGone(page);
    expect(await clipboard()).toBe(privateKey);
    await page.clock.runFor(31_000);
    await expect.poll(clipboard).toBe('');
  },
);

test('a copy that the browser has not confirmed when the viewer closes leaves the clipboard too', async ({
  context,
  wallet,
  username,
}) => {
  const { privateKey } = await registered(wallet, username);
  const { page } = wallet;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await page.clock.install();
  const viewer = await openKeyViewer(wallet);
  await continueToKey(viewer);
  const copy = viewer.getByRole('button', { name: 'Copy' });
  await copy.evaluate(() => {
    const { clipboard: own } = navigator;
    const write = own.writeText.bind(own);
    own.writeText = async (text) => {
      await write(text);
      return new Promise(() => undefined);
    };
  });
  await copy.click();
  // A write whose document disappears before it starts copies nothing.
  await expect.poll(clipboard).toBe(privateKey);
  await pressEscape(page);
  expect(await clipboard()).toBe(privateKey);
  await page.clock.runFor(31_000);
  await expect.poll(clipboard).toBe('');
});

test('a viewer left open closes itself: after five minutes without the key, after three with it', async ({
  wallet,
  stack,
  username,
}) => {
  await register(wallet, username);
  const { page } = wallet;
  const release = await holdViewerTimers(stack.siteFolder);
  try {
    await openKeyViewer(wallet);
    await fireViewerTimer(page, 300_000);
    await expect(problem(page)).toHaveText('Key export failed: Timed out after 300s, try again');
    await expectGone(page);
    await continueToKey(await openKeyViewer(wallet));
    await fireViewerTimer(page, 180_000);
    await expectGone(page);
    await expect(problem(page)).toHaveCount(0);
  } finally {
    await release();
  }
});

test('a viewer whose script does not load is reported, and the page is usable again', async ({
  wallet,
  stack,
  username,
  expectedConsole,
}) => {
  // The server answers a missing file with its page, as many servers do.
  expectedConsole.push(REQUEST_FAILED, /Unexpected token '<'/);
  await register(wallet, username);
  const { page } = wallet;
  const script = await viewerScript(stack.siteFolder);
  const away = `${script}.away`;
  await rename(script, away);
  await exportButton(page).click();
  await expect(problem(page)).toContainText('Key export failed: The key viewer could not be used');
  await expectGone(page);
  await rename(away, script);
  await continueToKey(await openKeyViewer(wallet));
  await expect(problem(page)).toHaveCount(0);
});

test('a narrow dark screen shows everything without horizontal scrolling', async ({ wallet, username }) => {
  const { page } = wallet;
  await page.setViewportSize({ width: 360, height: 640 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await register(wallet, username);
  const viewer = await openKeyViewer(wallet);
  const frame = page.frames().find((candidate) => candidate.url() === 'about:srcdoc');
  const overflow = () => frame!.evaluate(() => document.querySelector('main')!.scrollWidth > innerWidth);
  expect(await overflow()).toBe(false);
  await continueToKey(viewer);
  await revealKey(viewer);
  expect(await overflow()).toBe(false);
  expect(await frame!.evaluate(() => document.documentElement.dataset.latchkeyTheme)).toBe('dark');
  await expect(viewer.getByRole('button', { name: 'Done' })).toBeInViewport();
  await expect(keyViewer(page).getByRole('button', { name: 'Copy' })).toBeInViewport();
});
