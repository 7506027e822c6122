// What a session loads, and when.
import { payOneYocto, test } from './facade-page/fixture.js';
import type { FacadePage } from './facade-page/main.js';
import { expect } from './fixtures.js';

declare const facade: FacadePage;

/** Parts of the package that a session loads in advance, by file name. */
const LOADED_AHEAD = [
  'preview',
  'batch-journal',
  'transaction-sending',
  'sign-nep413',
  'activity',
  'app-keys',
  'export-key',
  'device1',
  'delete-key',
  'sign-delegate',
];

test('a session loads its signing code before the click, which then loads only workers', async ({
  facade: wallet,
}) => {
  const { page, accountId } = wallet;
  // They load after the session opens, when the page is idle.
  await page.waitForFunction((parts) => {
    const names = performance.getEntriesByType('resource').map(({ name }) => name);
    return parts.every((part) => names.some((name) => name.includes(`/${part}-`)));
  }, LOADED_AHEAD);
  const loaded: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script') loaded.push(new URL(request.url()).pathname);
  });
  const message = await page.evaluate(
    (nearAccountId) =>
      facade.manager.signNEP413Message({
        nearAccountId,
        params: { message: 'hi', recipient: 'app.example' },
      }),
    accountId,
  );
  expect(message).toMatchObject({ success: true });
  await payOneYocto(wallet, accountId);
  expect(loaded.filter((path) => !path.includes('worker'))).toEqual([]);
});
