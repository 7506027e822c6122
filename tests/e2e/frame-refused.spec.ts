// A host on no list: the browser blocks the frame, and the host still learns why.
// Specification: frame 8
import { test } from './facade-page/fixture.js';
import type { FacadePage } from './facade-page/main.js';
import { expect } from './fixtures.js';

declare const facade: FacadePage;

test('an unlisted page gets that reason long before any timeout', async ({ page, stack, facadeUrl }) => {
  // The same server under a name that the wallet does not know.
  const url = new URL(facadeUrl.replace('//localhost:', '//unlisted.localhost:'));
  const iframeWallet = { walletOrigin: stack.walletOrigin, connectTimeoutMs: 600_000 };
  url.searchParams.set('config', JSON.stringify({ iframeWallet }));
  await page.goto(url.href);
  const error = await page.evaluate(async () => {
    const refused = await facade.manager.preload().catch((thrown: unknown) => thrown);
    const { code, message } = refused as { code: string; message: string };
    return { code, message };
  });
  expect(error).toEqual({
    code: 'HOST_NOT_ALLOWED',
    message: `The page ${url.origin} may not use this wallet. Its operator can add the origin to the list of hosts.`,
  });
});

test('the app of an unlisted page loads the frame once, and offers nothing that cannot help', async ({
  page,
  stack,
}) => {
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

for (const [what, policy] of [
  ['embeds isolated pages alone', {}],
  ['is isolated itself', { 'cross-origin-opener-policy': 'same-origin' }],
] as const) {
  test(`a page that ${what} learns that the wallet has to be isolated too`, async ({
    page,
    stack,
    facadeUrl,
  }) => {
    await page.route(`${new URL(facadeUrl).origin}/**`, async (route) => {
      const response = await route.fetch();
      const isolating = { 'cross-origin-embedder-policy': 'require-corp', ...policy };
      await route.fulfill({ response, headers: { ...response.headers(), ...isolating } });
    });
    await page.goto(facadeUrl);
    const refused = await page.evaluate(() =>
      facade.manager.preload().catch(({ code, message }) => ({ code, message })),
    );
    expect(refused).toMatchObject({
      code: 'WALLET_FRAME_ISOLATED',
      message: expect.stringContaining(`the wallet at ${stack.walletOrigin}`),
    });
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });
}
