// A host on no list: the browser blocks the frame, and the host still learns why.
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
