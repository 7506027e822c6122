/** The session of the template `hono`: its login, the route that it protects, its end, and what the server refuses. */
import type { Page } from 'playwright-core';
import { approveUntil } from '../../support/steps.js';
import type { Wallet } from '../../support/wallet.js';
import { good } from '../tools.mjs';
import { requireQuiet } from './project.js';

/** A user who is logged in to the wallet starts a session, uses it and ends it. */
export async function useSession(wallet: Wallet, accountId: string): Promise<void> {
  const { page } = wallet;
  const press = (name: string) => page.getByRole('button', { name }).click();
  const finishing = page.waitForRequest('**/api/login/finish');
  await press('Start a session');
  await approveUntil(page, page.getByText('The session has started.'));
  const signed = (await finishing).postData() ?? '';
  await press('Read what is protected');
  await page.getByText(`Only ${accountId} can read this.`).waitFor();
  const cookie = await sessionCookie(page);
  await press('End the session');
  await page.getByText('The session has ended.').waitFor();
  // Chromium itself writes an error for each answer from here on.
  requireQuiet(wallet);

  await press('Read what is protected');
  await page.getByRole('alert').getByText('Start a session first').waitFor();
  await page.context().addCookies([cookie]);
  await requireRefused(page, 'private/greeting', null, '401 NO_SESSION');
  await requireRefused(page, 'login/finish', signed, '401 ASK_AGAIN');
  await page.evaluate(() => fetch('/api/login/begin', { method: 'POST' }));
  await requireRefused(page, 'login/finish', signed, '401 NOT_VERIFIED');
  good('  hono: a session starts, opens the protected route and ends; a used signature starts none');
}

/** Scripts and other sites cannot read or send it. */
async function sessionCookie(page: Page) {
  const cookie = (await page.context().cookies(`${page.url()}api/`)).find(({ name }) => name === 'session');
  if (!cookie?.httpOnly || cookie.sameSite !== 'Strict' || cookie.secure)
    throw new Error(`The session's cookie is ${JSON.stringify(cookie)}`);
  return cookie;
}

/** Calls the server as the page does. */
async function requireRefused(page: Page, path: string, body: string | null, expected: string) {
  const answer = await page.evaluate(
    async ([path, body]) => {
      const response = await fetch(`/api/${path}`, body === null ? {} : { method: 'POST', body });
      return `${response.status} ${(await response.json()).error}`;
    },
    [path, body] as const,
  );
  if (answer !== expected) throw new Error(`/api/${path} answers ${answer}, not ${expected}`);
}
