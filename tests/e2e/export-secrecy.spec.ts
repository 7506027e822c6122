// Key export: what reaches the key and what does not. Neither the page nor another account's passkey or record does.
// Specification: core 1, core 5, core 8, frame 10
import { fileURLToPath } from 'node:url';
import type { CDPSession, Page } from '@playwright/test';
import { secretsIn } from '../support/secrets.js';
import {
  closeKeyViewer,
  continueToKey,
  logIn,
  logOut,
  openKeyViewer,
  pressContinue,
  register,
  revealKey,
} from '../support/steps.js';
import { accountOf, isFramed } from '../support/wallet.js';
import { expect, FRAMED, test, WHOLE_BROWSER } from './fixtures.js';
import { expectGone, problem, refused, registered } from './key-viewer.js';

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

test('the key never reaches the page: not its messages, memory, storage, console or document [S41]', {
  tag: [FRAMED.tag, WHOLE_BROWSER.tag],
}, async ({ context, wallet, username }) => {
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
    await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])),
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
});

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

test('a script on the page cannot read the viewer or press its buttons, and the viewer loads and runs nothing but its own [S41] [S71]', async ({
  wallet,
  username,
  expectedConsole,
}) => {
  expectedConsole.push(/Content Security Policy/);
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
  // It cannot send anything out either.
  const broken = await frame!.evaluate(
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
    page.url(),
  );
  expect(broken).toEqual(['connect-src', 'img-src', 'script-src-elem']);
  expect(await frame!.evaluate(() => self.origin)).toBe('null');
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
  await expect(problem(page)).toContainText(
    'Your passkey answered differently this time, so nothing was done.',
  );
  await expectGone(page);
});
