// A hostile host and the recovery phrase: it may ask for the viewer, and gets neither the words nor a press that counts.
import { generateSeedPhrase, parseSeedPhrase } from 'near-seed-phrase';
import { cover, WHITE } from './attack-host/cover.js';
import {
  ask,
  cancel,
  connect,
  endOf,
  expect,
  type Host,
  start,
  test,
  UNSEEN,
  viewerOf,
} from './attack-host/fixture.js';
import type { AttackPage } from './attack-host/main.js';
import { middleOf } from './attack-host/pointer.js';
import { WHOLE_BROWSER } from './fixtures.js';
import { button, showWords, typePhrase, wordsOf } from './phrase-viewer.js';

declare const attack: AttackPage;

/** What the host knows: every message that it heard, its storage and its document. */
const knownTo = async ({ page }: Host): Promise<string> =>
  (await page.evaluate(() => JSON.stringify([attack.heard, attack.ports, { ...localStorage }]))) +
  (await page.content());

/** The secrets of a phrase: its key, and any three of its words in a row, as words such as "word" are in any text. */
const secretsOf = (phrase: readonly string[]): string[] => [
  parseSeedPhrase(phrase.join(' ')).secretKey.slice('ed25519:'.length),
  ...phrase.slice(2).map((_, at) => phrase.slice(at, at + 3).join(' ')),
];

async function expectUnknown(host: Host, phrase: readonly string[]): Promise<void> {
  const known = await knownTo(host);
  expect(secretsOf(phrase).filter((secret) => known.includes(secret))).toEqual([]);
}

/** Everything that a host can post to the wallet's window, with ports of its own, and to the wallet's port. */
const forge = ({ page }: Host): Promise<void> =>
  page.evaluate(() => {
    const wallet = frames[0] as Window;
    const model = { purpose: 'show', accountId: 'evil.testnet', networkId: 'testnet', theme: 'light' };
    const messages = [
      { type: 'LATCHKEY_KEY_VIEWER', model, look: { language: 'en', texts: {} } },
      { type: 'KEY_PORT' },
      { type: 'KEY_REQUESTED', accountId: 'evil.testnet' },
      { type: 'KEY_RECEIVED' },
      { type: 'FAILED', message: 'Type your words at evil.example' },
      { type: 'WALLET_UI_CLOSED', by: 'done' },
    ];
    for (const message of messages) {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data }) => attack.heard.push({ origin: 'a forged port', data });
      wallet.postMessage(message, '*', [port2]);
    }
    for (const message of messages) attack.send(message);
  });

/** Clicks where the button is, as a user does who sees the host's cover there. */
async function clickThrough(host: Host, name: string): Promise<void> {
  const { x, y } = await middleOf(button(viewerOf(host), name));
  await host.page.mouse.move(x, y);
  await host.page.mouse.click(x, y);
}

/** Has the host ask for a recovery phrase of this account, and waits for the viewer that will show it. */
async function askForPhrase(host: Host, nearAccountId: string, wish: object = {}) {
  const id = await start(host, 'PM_ADD_RECOVERY_KEY', { nearAccountId, ...wish });
  const viewer = viewerOf(host);
  const show = button(viewer, 'Show the words');
  await show.waitFor();
  return { id, viewer, show };
}

test(
  'a host that covers the viewer lures no word onto the screen, and no key onto the account [S75]',
  WHOLE_BROWSER,
  async ({ openRegistered, stack }) => {
    const { host, nearAccountId } = await openRegistered();
    const before = await stack.oracle.fullAccessKeys(nearAccountId);
    const { id, viewer, show } = await askForPhrase(host, nearAccountId);
    await expect(show).not.toHaveAttribute('aria-disabled');

    const uncover = await cover(host, WHITE);
    await expect(show).toHaveAttribute('aria-disabled', 'true');
    await clickThrough(host, 'Show the words');
    await show.focus();
    for (const key of ['Enter', 'Space']) await host.page.keyboard.press(key);
    expect(await ask(host, 'PING')).toMatchObject({ type: 'PONG' });
    await expect(wordsOf(viewer)).toBeHidden();
    await uncover();

    // Where the user sees it, the same click counts.
    await expect(show).not.toHaveAttribute('aria-disabled');
    const phrase = await showWords(viewer);
    await cover(host, WHITE);
    await clickThrough(host, 'I wrote them down');
    await viewer.locator('input').first().waitFor();
    for (let press = 0; press < 3; press += 1) await host.page.keyboard.press('Enter');
    await clickThrough(host, 'Continue');
    await expect(viewer.getByRole('alert')).toContainText('is another one');
    await expectUnknown(host, phrase);
    await cancel(host, id);
    expect(await stack.oracle.fullAccessKeys(nearAccountId)).toEqual(before);
  },
);

test('a host that forges messages of viewer and wallet, or takes the frame away, changes nothing and hears no word that is shown or typed', async ({
  openRegistered,
  stack,
}) => {
  const { host, nearAccountId } = await openRegistered();
  const { page } = host;
  const viewer = viewerOf(host);
  const before = await stack.oracle.fullAccessKeys(nearAccountId);

  const shown = await test.step('forged around words that are shown', async () => {
    const { id } = await askForPhrase(host, nearAccountId, UNSEEN);
    await forge(host);
    expect(await ask(host, 'PING')).toMatchObject({ type: 'PONG' });
    await expect(viewer.getByRole('dialog')).toContainText(nearAccountId);
    await expect(wordsOf(viewer)).toBeHidden();
    await expect(viewer.getByRole('alert')).toBeHidden();

    const phrase = await showWords(viewer);
    await forge(host);
    expect(await ask(host, 'PING')).toMatchObject({ type: 'PONG' });
    await expect(wordsOf(viewer).getByRole('listitem')).toHaveText(phrase);
    await expectUnknown(host, phrase);
    await button(viewer, 'Cancel').click();
    expect(JSON.stringify(await endOf(host, id))).toContain('CANCELLED');
    await expectUnknown(host, phrase);
    return phrase;
  });

  await test.step('forged around words that are typed, which leave the viewer for the worker alone', async () => {
    const phrase = generateSeedPhrase().seedPhrase.split(' ');
    const sentBefore = stack.proxies.map(({ calls }) => calls.length);
    const id = await start(host, 'PM_RECOVER_WITH_PHRASE', { nearAccountId: 'w3a-v1.testnet' });
    await button(viewer, 'Continue').waitFor();
    await forge(host);
    await typePhrase(viewer, phrase);
    await expect(viewer.getByRole('alert')).toContainText('These words don’t open');
    await forge(host);
    await expect(viewer.getByRole('alert')).not.toContainText('evil.example');
    await expectUnknown(host, phrase);
    await button(viewer, 'Cancel').click();
    expect(JSON.stringify(await endOf(host, id))).toContain('CANCELLED');
    await expectUnknown(host, phrase);
    const sent = stack.proxies
      .flatMap(({ calls }, at) => calls.slice(sentBefore[at]))
      .map(({ body }) => body)
      .join('\n');
    expect(secretsOf(phrase).filter((secret) => sent.includes(secret))).toEqual([]);
    expect(sent).toContain(parseSeedPhrase(phrase.join(' ')).publicKey);
  });

  await test.step('the frame is taken away, with the words in it', async () => {
    await askForPhrase(host, nearAccountId);
    const phrase = await showWords(viewer);
    expect(phrase).not.toEqual(shown);
    // A frame in a shadow tree has no place among its window's frames.
    expect(await page.evaluate(() => (frames[0] as Window).length)).toBe(0);
    await page.evaluate(
      (own) => {
        (frames[0] as Window).location.href = own;
      },
      `${new URL(page.url()).origin}/attack/index.html`,
    );
    await expect.poll(() => page.frames().length).toBe(2);
    await expectUnknown(host, phrase);

    await connect(host);
    await ask(host, 'PM_LOGIN', { nearAccountId });
    const { id } = await askForPhrase(host, nearAccountId);
    expect(await showWords(viewer)).not.toEqual(phrase);
    await button(viewer, 'Cancel').click();
    await endOf(host, id);
    await expectUnknown(host, phrase);
  });
  expect(await stack.oracle.fullAccessKeys(nearAccountId)).toEqual(before);
});
