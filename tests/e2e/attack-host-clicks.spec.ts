// A hostile host and clicks: it can neither skip a required click nor exploit an unintended one.
// Specification: core 2, frame 8, frame 10

import { RELAYER } from '../../dev/services/services.js';
import { pressUntilGone, seeAll } from '../support/steps.js';
import { cover, WHITE } from './attack-host/cover.js';
import {
  ask,
  cancel,
  confirm,
  confirmButton,
  connect,
  endOf,
  expect,
  type Host,
  refusedWith,
  register,
  start,
  test,
  UNSEEN,
  viewerLayer,
  viewerOf,
} from './attack-host/fixture.js';
import type { AttackPage } from './attack-host/main.js';
import {
  clicksOfConfirm,
  HOME,
  middleOf,
  moveMouse,
  moves,
  pressRightAfter,
  restBeside,
  slide,
  type Way,
} from './attack-host/pointer.js';
import { WHOLE_BROWSER } from './fixtures.js';

declare const attack: AttackPage;

test.use({ actionTimeout: 15_000 });

const KEY = 'ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2';

/** Expects the request to still wait for a valid click, long after one without a click would have continued. */
async function waitsForClick(host: Host, prompts: number): Promise<void> {
  await confirmButton(host).waitFor();
  await seeAll(host.wallet.getByRole('dialog'));
  await expect(confirmButton(host)).toBeEnabled();
  expect(host.prompts).toHaveLength(prompts);
}

test('a request that gives away money, the account or its key needs a click, whatever the host configures [S17]', async ({
  openRegistered,
  stack,
}) => {
  const { host, nearAccountId } = await openRegistered();
  const { prompts } = host;
  const [keys, balance] = [
    await stack.oracle.fullAccessKeys(nearAccountId),
    await stack.oracle.balance(nearAccountId),
  ];

  // Set as the host's wish for all requests, as the account's setting, and with each request.
  expect(await ask(host, 'PM_SET_CONFIG', UNSEEN)).toMatchObject({ type: 'PONG' });
  for (const of of [{}, { nearAccountId }]) {
    const { confirmationConfig: config } = UNSEEN;
    expect(await ask(host, 'PM_SET_CONFIRMATION_CONFIG', { config, ...of })).toMatchObject({
      type: 'PM_RESULT',
    });
    expect(await ask(host, 'PM_SET_CONFIRM_BEHAVIOR', { behavior: 'autoProceed', ...of })).toMatchObject({
      type: 'PM_RESULT',
    });
  }

  const fullAccess = { type: 'AddKey', publicKey: KEY, accessKey: { permission: 'FullAccess' } };
  const itself = { nearAccountId, receiverId: nearAccountId, ...UNSEEN };
  const transactions = [{ receiverId: nearAccountId, actions: [fullAccess] }];
  const call = (methodName: string) => ({ type: 'FunctionCall', methodName, args: {}, deposit: '0' });
  const qrData = { device2PublicKey: KEY, accountId: nearAccountId, timestamp: Date.now(), version: '1.0' };
  const requests: [type: string, payload: object][] = [
    ['PM_EXECUTE_ACTION', { ...itself, actionArgs: fullAccess }],
    ['PM_SIGN_TXS_WITH_ACTIONS', { nearAccountId, transactions, ...UNSEEN }],
    ['PM_SIGN_DELEGATE_ACTION', { ...itself, actions: fullAccess }],
    [
      'PM_EXECUTE_ACTION',
      { ...itself, receiverId: 'evil.testnet', actionArgs: { type: 'Transfer', amount: '1' } },
    ],
    [
      'PM_EXECUTE_ACTION',
      { ...itself, actionArgs: { type: 'DeleteAccount', beneficiaryId: 'evil.testnet' } },
    ],
    ['PM_EXECUTE_ACTION', { ...itself, receiverId: 'dao.testnet', actionArgs: call('act_proposal') }],
    [
      'PM_EXECUTE_ACTION',
      { ...itself, receiverId: 'w3a-v1.testnet', actionArgs: call('remove_authenticator') },
    ],
    ['PM_CREATE_ACCOUNT', { label: 'Your bank', ...UNSEEN }],
    ['PM_ADD_APP_KEY', { nearAccountId, receiverId: 'app.testnet', ...UNSEEN }],
    [
      'PM_SIGN_NEP413',
      { nearAccountId, params: { message: 'I am yours', recipient: 'evil.testnet' }, ...UNSEEN },
    ],
  ];
  for (const [type, payload] of requests) {
    await test.step(type, async () => {
      const before = prompts.length;
      const id = await start(host, type, payload);
      await waitsForClick(host, before);
      await cancel(host, id);
    });
  }
  // The wallet takes no code from this host, click or not.
  expect(await ask(host, 'PM_LINK_DEVICE_WITH_SCANNED_QR_DATA', { qrData, ...UNSEEN })).toMatchObject({
    payload: { result: { success: false, errorCode: 'LINK_CODE_REFUSED' } },
  });
  expect(await stack.oracle.fullAccessKeys(nearAccountId)).toEqual(keys);
  expect(await stack.oracle.balance(nearAccountId)).toBe(balance);

  // The host never receives a raw key.
  const before = prompts.length;
  for (const payload of [{ nearAccountId }, { nearAccountId, ...UNSEEN }, {}]) {
    expect(await ask(host, 'PM_EXPORT_NEAR_KEYPAIR', payload)).toMatchObject(
      refusedWith('EXPORT_NEAR_KEYPAIR_DISABLED'),
    );
  }
  const id = await start(host, 'PM_EXPORT_NEAR_KEYPAIR_UI', { nearAccountId, ...UNSEEN });
  await expect(viewerOf(host).getByRole('button', { name: 'Continue with passkey' })).toBeEnabled();
  expect(prompts).toHaveLength(before);
  await cancelledLater(host, id);
});

test('a host hides a token move behind a long text, and pays a lookalike: the wallet names both', async ({
  openRegistered,
}) => {
  const { host, nearAccountId } = await openRegistered();
  const asked = { nearAccountId, receiverId: RELAYER };
  const dialog = host.wallet.getByRole('dialog');
  const glance = dialog.getByRole('region', { name: 'What it does' });

  const args = { memo: 'x'.repeat(5_000), receiver_id: 'evil.testnet', amount: '7000000' };
  const call = { type: 'FunctionCall', methodName: 'ft_transfer', args, deposit: '1' };
  const hidden = await start(host, 'PM_EXECUTE_ACTION', { ...asked, actionArgs: call });
  await expect(glance).toContainText(`7,000,000 units of ${RELAYER}`);
  await expect(glance).toContainText('evil.testnet');
  await expect(dialog).toContainText('Scroll to the end');
  await expect(confirmButton(host)).toBeDisabled();
  await waitsForClick(host, host.prompts.length);
  await cancel(host, hidden);

  const transfer = { type: 'Transfer', amount: '1' };
  const paid = await start(host, 'PM_EXECUTE_ACTION', { ...asked, actionArgs: transfer });
  await expect(glance).toContainText('First time');
  await confirm(host);
  expect(await endOf(host, paid)).toMatchObject({ payload: { result: { success: true } } });
  const lookalike = `${RELAYER.slice(0, -1)}x`;
  const disguised = { ...asked, receiverId: lookalike, actionArgs: transfer };
  const id = await start(host, 'PM_EXECUTE_ACTION', disguised);
  await expect(glance).toContainText(`${lookalike} looks like ${RELAYER}`);
  await cancel(host, id);
});

/** As `cancel`, for a sticky request, which already has its result: its refusal follows when the layer has gone. */
async function cancelledLater(host: Host, requestId: string): Promise<void> {
  expect(await ask(host, 'PM_CANCEL', { requestId })).toMatchObject({ type: 'PONG' });
  await expect(viewerLayer(host)).toHaveCount(0);
  const came = () =>
    host.page.evaluate((id) => attack.ports.flat().filter(({ requestId }) => requestId === id), requestId);
  await expect.poll(async () => (await came()).at(-1)).toMatchObject(refusedWith('CANCELLED'));
  expect(JSON.stringify(await came())).not.toMatch(/ed25519:[1-9A-HJ-NP-Za-km-z]{80,}/);
}

test.describe('a click counts only on a visible confirmation', () => {
  /** A transfer that waits for its click, and the effect of a click on its button. */
  async function pending({ host, nearAccountId }: { host: Host; nearAccountId: string }) {
    await ask(host, 'PING');
    const before = host.prompts.length;
    const payload = { nearAccountId, receiverId: 'w3a-v1.testnet', actionArgs: TRANSFER };
    return { host, nearAccountId, before, payload };
  }
  const TRANSFER = { type: 'Transfer', amount: `${10n ** 21n}` };

  /** Clicks where the confirm button is, even if it is covered; returns how many clicks reached the wallet. */
  async function clickThrough(host: Host): Promise<number> {
    const { x, y } = await middleOf(confirmButton(host));
    const frame = host.page.frames().find((of) => of.url().includes('/service/'));
    await frame?.evaluate(() => {
      const counted = globalThis as unknown as { clicks?: number };
      const count = (): void => {
        counted.clicks = (counted.clicks ?? 0) + 1;
      };
      if (counted.clicks === undefined) addEventListener('click', count, true);
      counted.clicks = 0;
    });
    await host.page.mouse.click(x, y);
    return (await frame?.evaluate(() => (globalThis as unknown as { clicks: number }).clicks)) ?? 0;
  }

  const covered: [how: string, css: string][] = [
    ['a painted element that lets clicks through', WHITE],
    ['an element that covers all but the button', '.lid { background: #fff; inset: 0 0 50% 0 }'],
    ['the opacity of the frame', 'iframe { opacity: 0.01 }'],
    ['a filter of the frame', 'iframe { filter: blur(20px) }'],
    ['a frame that is made small', 'iframe { transform: scale(0.99) }'],
    ['a mask of what it lies in', 'body { clip-path: inset(45% 0 0 0); position: fixed; inset: 0 }'],
    ['a blend of the frame', 'iframe { mix-blend-mode: multiply }'],
  ];

  /** Clicks on the confirmation that waits while each of these covers it, without effect. */
  async function clickWhileCovered(host: Host, prompts: number): Promise<void> {
    for (const [how, css] of covered) {
      await test.step(how, async () => {
        await expect(confirmButton(host)).toBeEnabled();
        const uncover = await cover(host, css);
        await expect(confirmButton(host)).toBeDisabled();
        expect(await clickThrough(host), how).toBe(1);
        expect(await ask(host, 'PING')).toMatchObject({ type: 'PONG' });
        await expect(host.wallet.getByRole('dialog')).toHaveAttribute('aria-busy', 'false');
        expect(host.prompts).toHaveLength(prompts);
        await uncover();
      });
    }
  }

  test(
    'not on one that is covered or disguised, of a payment [S25], of a new account without a name, or in settings [S29]',
    WHOLE_BROWSER,
    async ({ open, places, stack, username }) => {
      const host = await open(places.neighbour);
      await connect(host);

      await test.step('a new account, whose address the host does not get', async () => {
        const id = await start(host, 'PM_CREATE_ACCOUNT', { label: 'Your bank', ...UNSEEN });
        await clickWhileCovered(host, 0);
        await confirm(host);
        const { payload } = await endOf(host, id);
        expect(payload?.result).toMatchObject({
          success: true,
          nearAccountId: expect.stringMatching(/^wallet-[\da-f]{12}\.unproven$/),
          publicKey: '',
          passkeyProven: false,
        });
        const heard = await host.page.evaluate(() => JSON.stringify([attack.ports, attack.heard]));
        expect(heard).not.toMatch(/[\da-f]{64}|ed25519:/);
      });

      const account = { host, nearAccountId: await register(host, username) };
      await test.step('a payment', async () => {
        const { nearAccountId, before, payload } = await pending(account);
        const balance = await stack.oracle.balance(nearAccountId);
        const id = await start(host, 'PM_EXECUTE_ACTION', payload);
        await clickWhileCovered(host, before);
        expect(await stack.oracle.balance(nearAccountId)).toBe(balance);
        // Visible again, it takes the user's click, so the clicks above were aimed correctly.
        await expect(confirmButton(host)).toBeEnabled();
        expect(await clickThrough(host)).toBe(1);
        expect(await endOf(host, id)).toMatchObject({ payload: { result: { success: true } } });
      });

      await test.step('settings that can waive a click', async () => {
        const id = await start(host, 'PM_OPEN_SETTINGS');
        const settings = host.wallet.getByRole('dialog', { name: 'Transaction Settings' });
        const mode = settings.getByLabel('Confirmation Options');
        await expect(mode).toBeEnabled();
        for (const [how, css] of covered) {
          await test.step(how, async () => {
            const uncover = await cover(host, css);
            await expect(mode).toBeDisabled();
            await uncover();
            await expect(mode).toBeEnabled();
          });
        }
        await pressUntilGone(settings.getByRole('button', { name: 'Close' }), settings);
        expect(await endOf(host, id)).toMatchObject({ type: 'PM_RESULT' });
      });
    },
  );

  /** A frame position that shows the whole dialog, and a strip of the page below the frame. */
  const UP: Way = { x: 0, y: -90 };
  const BELOW: Way = { x: 660, y: 810 };

  test(
    'not on one that the page moves under the pointer',
    WHOLE_BROWSER,
    async ({ openRegistered, stack }) => {
      test.setTimeout(120_000);
      const { host, nearAccountId, before, payload } = await pending(await openRegistered());
      const balance = await stack.oracle.balance(nearAccountId);
      /**
       * Brings the button under the mouse and presses once, without effect. Returns whether the button got the press: the
       * browser learns a frame's position with a short delay.
       */
      async function pressIsSpared(bring: () => Promise<void>): Promise<boolean> {
        const clicks = await clicksOfConfirm(host, () => pressRightAfter(host, bring));
        expect(await ask(host, 'PING')).toMatchObject({ type: 'PONG' });
        await expect(host.wallet.getByRole('dialog')).toHaveAttribute('aria-busy', 'false');
        expect(host.prompts).toHaveLength(before);
        return clicks === 1;
      }
      /** Repeats the whole attack until the button gets the press: a second press in one place would prove something else. */
      async function untilPressed(attack: () => Promise<boolean>): Promise<void> {
        let isPressed = false;
        while (!isPressed) isPressed = await attack();
      }

      await test.step('from next to it, to a point that the pointer never reached', () =>
        untilPressed(async () => {
          await slide(host, UP);
          await moveMouse(host, BELOW);
          const id = await start(host, 'PM_EXECUTE_ACTION', payload);
          await expect(confirmButton(host)).toBeEnabled();
          const { x, y } = await middleOf(confirmButton(host));
          const isPressed = await pressIsSpared(() => slide(host, { x: BELOW.x - x, y: UP.y + BELOW.y - y }));
          await slide(host, HOME);
          await cancel(host, id);
          return isPressed;
        }));
      const id = await start(host, 'PM_EXECUTE_ACTION', payload);
      for (const [how, move] of moves) {
        await test.step(how, () =>
          untilPressed(async () => {
            const by = await restBeside(host);
            const isPressed = await pressIsSpared(() => move(host, by));
            await slide(host, HOME);
            return isPressed;
          }),
        );
      }
      expect(await stack.oracle.balance(nearAccountId)).toBe(balance);
      // At rest, the frame takes the same user's press, so the presses above were aimed correctly.
      await confirm(host);
      expect(await endOf(host, id)).toMatchObject({ payload: { result: { success: true } } });
    },
  );
});
