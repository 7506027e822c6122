// A host on no list: the browser blocks the frame, and the host still learns why.
// Specification: frame 8
import type { Page } from '@playwright/test';
import { test } from './facade-page/fixture.js';
import type { FacadePage } from './facade-page/main.js';
import { expect } from './fixtures.js';

declare const facade: FacadePage;

test('an unlisted page gets that reason long before any timeout; its app loads the frame once, and offers nothing that cannot help', async ({
  page,
  stack,
  facadeUrl,
}) => {
  // The same server under a name that the wallet does not know.
  const url = new URL(facadeUrl.replace('//localhost:', '//unlisted.localhost:'));
  const iframeWallet = { walletOrigin: stack.walletOrigin, connectTimeoutMs: 600_000 };
  url.searchParams.set('config', JSON.stringify({ iframeWallet }));
  await page.goto(url.href);
  expect(await refusalIn(page)).toEqual({
    code: 'HOST_NOT_ALLOWED',
    message: `The page ${url.origin} may not use this wallet. Its operator can add the origin to the list of hosts.`,
  });

  let loads = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.url().startsWith(stack.walletOrigin ?? '')) loads += 1;
  });
  await page.goto(stack.appUrl.replace('//', '//unlisted.'));
  const notice = page.getByRole('region', { name: 'The wallet could not start' });
  await expect(notice.getByRole('alert')).toContainText('isn’t set up for this wallet.');
  // Each of these asks the wallet something.
  await page.getByRole('button', { name: 'Dark Mode' }).click();
  await page.getByRole('button', { name: 'Light Mode' }).click();
  await expect(notice.getByRole('button', { name: 'Try again' })).toHaveCount(0);
  await expect(page.getByLabel('Username')).toHaveCount(0);
  expect(loads).toBe(1);
});

test('a page that embeds isolated pages alone, or is isolated itself, learns that the wallet has to be isolated too', async ({
  page,
  stack,
  facadeUrl,
}) => {
  for (const policy of [{}, { 'cross-origin-opener-policy': 'same-origin' }]) {
    await page.route(`${new URL(facadeUrl).origin}/**`, async (route) => {
      const response = await route.fetch();
      const isolating = { 'cross-origin-embedder-policy': 'require-corp', ...policy };
      await route.fulfill({ response, headers: { ...response.headers(), ...isolating } });
    });
    await page.goto(facadeUrl);
    expect(await refusalIn(page)).toMatchObject({
      code: 'WALLET_FRAME_ISOLATED',
      message: expect.stringContaining(`the wallet at ${stack.walletOrigin}`),
    });
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  }
});

/** Why the facade's wallet did not start. */
const refusalIn = (page: Page) =>
  page.evaluate(() => facade.manager.preload().catch(({ code, message }) => ({ code, message })));
