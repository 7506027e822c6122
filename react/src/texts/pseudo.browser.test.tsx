import {
  type Action,
  type ConfirmModel,
  DEFAULT_CONFIRMATION,
  type LinkedDevices,
  type PasskeyManager,
  type ResumeResult,
} from 'latchkey';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { BackupReminder } from '../backup-reminder/backup-reminder.js';
import { createReactConfirmer } from '../confirm/react-confirmer.js';
import { dateOf } from '../format/date.js';
import { LinkDeviceQr } from '../link-device/link-device-qr.js';
import { LinkedDevicesModal } from '../linked-devices/linked-devices.js';
import { LoginMenu } from '../login-menu/login-menu.js';
import { ProfileButton } from '../profile/profile-button.js';
import { ResumedNotices } from '../resumed/resumed-notices.js';
import { QRCodeScanner } from '../scanner/qr-code-scanner.js';
import { TransactionSettings } from '../settings/transaction-settings.js';
import { Inline } from '../surface/inline.js';
import { call } from '../testing/actions.js';
import { showQrToCamera } from '../testing/camera.js';
import { asking, common, dialog, flow, gone, transfer } from '../testing/confirmation.js';
import { ALICE, managerOf } from '../testing/manager.js';
import { overflowing, overflowingMirrored, pseudo, textsOutside } from '../testing/pseudo.js';
import { render, unmount } from '../testing/render.js';
import { counted } from './counted.js';
import { setTexts } from './current.js';
import { english } from './english.js';
import { german } from './german.js';

const KEY = 'ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2';
const LONG = 'a-name-that-is-as-long-as-names-may-be.w3a-v1.testnet';
const AT = Date.UTC(2026, 4, 6, 12);
const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=';
const nothing = (): void => undefined;

beforeEach(() => page.viewport(320, 700));
afterEach(async () => {
  unmount();
  setTexts(english);
  vi.restoreAllMocks();
  await page.viewport(1280, 1000);
});

/** Draws a screen in the language, waits for one of its texts, and checks every text and width. */
async function check(manager: PasskeyManager, screen: ReactNode, shows: string, known: string[] = []) {
  render(manager, screen, pseudo);
  await expect.element(page.getByText(shows, { exact: true }).first()).toBeVisible();
  // A modal has its opening animation behind it.
  await Promise.all(document.getAnimations().map(({ finished }) => finished.catch(nothing)));
  expect(textsOutside(known)).toEqual([]);
  expect(overflowing()).toEqual([]);
  expect(await overflowingMirrored()).toEqual([]);
}

it('finds a text that is outside of the catalogue, and one that has no room', async () => {
  render(
    managerOf(null),
    <Inline theme="light" css="">
      <section aria-label="A label">A text</section>
      <div style={{ width: 40 }}>{'ǿ'.repeat(40)}</div>
      <div style={{ width: 400 }}>{pseudo.common.back}</div>
    </Inline>,
    pseudo,
  );
  await expect.element(page.getByText('A text')).toBeVisible();
  expect(textsOutside()).toEqual(['A label', 'A text']);
  expect(overflowing()).toEqual([
    expect.stringContaining('ǿǿǿ'),
    expect.stringContaining(pseudo.common.back.slice(0, 4)),
  ]);
});

describe('every text of the kit is in its catalogue, and has room at 320 pixels (core 2)', () => {
  const device = (known: string[]) => {
    const manager = managerOf(null);
    vi.spyOn(manager, 'hasPasskeyCredential').mockImplementation(async (id) => known.includes(id));
    vi.spyOn(manager, 'getRecentLogins').mockResolvedValue({
      accountIds: known,
      lastUsedAccountId: known[0] ? { nearAccountId: known[0], deviceNumber: 1 } : null,
    });
    return manager;
  };

  it.each(['register', 'login', 'recover'] as const)('in the login menu to %s', async (mode) => {
    await check(device([]), <LoginMenu defaultMode={mode} />, pseudo.loginMenu[mode].title);
  });

  it('in the advice on a name, and in the way out', async () => {
    render(device([LONG]), <LoginMenu defaultMode="register" />, pseudo);
    await page.getByRole('textbox').fill(LONG.split('.')[0] as string);
    await expect.element(page.getByText(pseudo.names.logInInstead)).toBeVisible();
    expect(textsOutside([LONG.split('.')[0] as string])).toEqual([]);
    expect(overflowing()).toEqual([]);
    await page.getByRole('textbox').fill('two words');
    await expect.element(page.getByText(pseudo.names.noSpaces)).toBeVisible();
    expect(textsOutside(['two words', 'two words.w3a-v1.testnet'])).toEqual([]);
    expect(overflowing()).toEqual([]);
  });

  it('in the waiting view', async () => {
    const manager = device([]);
    vi.spyOn(manager, 'registerPasskey').mockReturnValue(new Promise(nothing));
    render(manager, <LoginMenu />, pseudo);
    await page.getByRole('textbox').fill('newcomer');
    await page.getByRole('button', { name: pseudo.loginMenu.continue }).click();
    await expect.element(page.getByText(pseudo.loginMenu.register.waiting)).toBeVisible();
    expect(textsOutside()).toEqual([]);
    expect(overflowing()).toEqual([]);
  });

  it.each([
    ['logged in', ALICE],
    ['logged out', null],
  ])('in the profile menu of a user who is %s', async (_, account) => {
    render(managerOf(account), <ProfileButton />, pseudo);
    const name = account === null ? pseudo.profile.user : 'alice';
    await page.getByRole('button', { name }).click();
    await check(managerOf(account), <ProfileButton />, pseudo.profile.lockWallet, ['alice']);
  });

  it.each([
    ['logged in', ALICE, pseudo.settings.requireClick],
    ['logged out', null, pseudo.settings.logInFirst],
  ])('in the settings of a user who is %s', async (_, account, shows) => {
    const manager = managerOf(account);
    const preferences = { useRelayer: true, useNetwork: 'testnet' as const };
    vi.spyOn(manager, 'getUserPreferences').mockResolvedValue(preferences);
    vi.spyOn(manager, 'getConfirmationConfig').mockResolvedValue(DEFAULT_CONFIRMATION);
    render(manager, <TransactionSettings isOpen onClose={nothing} />, pseudo);
    await expect
      .poll(() => document.querySelector('latchkey-settings')?.shadowRoot?.textContent)
      .toContain(shows);
    expect(textsOutside()).toEqual([]);
    expect(overflowing()).toEqual([]);
  });

  it('in the linked devices, and in their failure', async () => {
    const list: LinkedDevices = {
      accountId: LONG,
      devices: [1, 2, 3].map((deviceNumber) => ({
        deviceNumber,
        name: `Device ${deviceNumber}`,
        credentialId: String(deviceNumber),
        registeredAt: AT,
        accessKey: deviceNumber === 2 ? null : KEY,
        registeredKey: KEY,
        isCurrent: deviceNumber === 1,
      })),
      temporaryKeys: [
        { publicKey: `${KEY}1`, dueAt: null },
        { publicKey: `${KEY}2`, dueAt: Date.now() + 60_000 },
      ],
      otherKeys: [`${KEY}3`],
    };
    const manager = managerOf();
    const read = vi.spyOn(manager, 'getLinkedDevices').mockResolvedValue(list);
    const modal = <LinkedDevicesModal isOpen accountId={LONG} onClose={nothing} />;
    await check(manager, modal, pseudo.devices.otherNote);
    unmount();
    read.mockRejectedValue(new Error('7'));
    await check(manager, modal, pseudo.common.tryAgain);
  });

  it('in the scanner, and in its failure', async () => {
    await showQrToCamera('');
    const scanner = <QRCodeScanner isOpen onScan={nothing} onClose={nothing} />;
    await check(managerOf(), scanner, pseudo.scanner.position);
    unmount();
    vi.spyOn(MediaDevices.prototype, 'getUserMedia').mockRejectedValue(new Error('7'));
    await check(managerOf(), scanner, pseudo.common.tryAgain);
  });

  it('in the code that links this device', async () => {
    const manager = managerOf(null);
    const waiting = 'Waiting for your other device';
    vi.spyOn(manager, 'startDevice2LinkingFlow').mockImplementation(async ({ onEvent } = {}) => {
      onEvent?.({ flow: 'linking', phase: 'polling', step: 4, status: 'progress', message: waiting });
      return {
        qrCodeDataURL: PIXEL,
        checkCode: 'ABCD2345EFGH6723',
        expiresAt: Date.now() + 900_000,
      } as never;
    });
    vi.spyOn(manager, 'stopDevice2LinkingFlow').mockResolvedValue(undefined);
    await check(manager, <LinkDeviceQr onClose={nothing} />, pseudo.linkCode.scanMore);
  });

  it('in what an earlier visit left', async () => {
    const manager = managerOf();
    const fates = ['executed', 'sent', 'failed', 'refused', 'unknown', 'not-sent'] as const;
    const left = {
      pending: [LONG],
      committed: [LONG],
      dropped: [LONG],
      mismatched: [LONG],
      unfinished: [LONG],
      batches: [
        {
          nearAccountId: LONG,
          createdAt: AT,
          transactions: fates.map((fate) => ({
            fate,
            receiverId: LONG,
            transactionId: `${fate}-${KEY.slice(8)}`,
          })),
        },
      ],
    };
    vi.spyOn(manager, 'init').mockResolvedValue(left as unknown as ResumeResult);
    vi.spyOn(manager, 'resume').mockResolvedValue(left as unknown as ResumeResult);
    const notices = <ResumedNotices onFinishLink={nothing} />;
    await check(manager, notices, pseudo.resumed.checkNow, [dateOf(AT)]);
  });
});

describe('every text of the reminder is in its catalogue, and has room at 320 pixels', () => {
  it.each(['device-bound', 'not-backed-up'] as const)('for a passkey that is %s', async (passkeyBackup) => {
    const manager = managerOf();
    const userData = { nearAccountId: ALICE, preferences: {}, passkeyBackup };
    vi.spyOn(manager, 'getLoginState').mockResolvedValue({
      isLoggedIn: true,
      nearAccountId: ALICE,
      userData,
    } as never);
    const devices = [{ deviceNumber: 1, accessKey: KEY }];
    const list = { accountId: ALICE, devices, temporaryKeys: [], otherKeys: [] };
    vi.spyOn(manager, 'getLinkedDevices').mockResolvedValue(list as never);
    localStorage.removeItem(`latchkey:backup-reminder:${ALICE}`);
    await check(manager, <BackupReminder onLinkDevice={nothing} />, pseudo.backup.later);
  });
});

describe('every text of the confirmation is in its catalogue, and has room at 320 pixels (core 2)', () => {
  const { acts, message, registration, joining, adopting, linking, waiting } = pseudo.confirm;

  /** Asks, and checks each text and width of the question, from its head to its end. */
  async function ask(model: ConfirmModel, title: string) {
    setTexts(pseudo);
    const { show, end } = flow();
    const decision = show(model);
    await expect.element(page.getByRole('dialog', { name: title })).toBeVisible();
    await expect.poll(() => dialog.element().getAnimations().length).toBe(0);
    const found = [textsOutside(), overflowing(), await overflowingMirrored()];
    end();
    expect(await decision).toBe('cancel');
    await gone();
    expect(found).toEqual([[], [], []]);
  }

  const key = (permission: 'FullAccess' | { FunctionCall: object }): Action =>
    ({ type: 'AddKey', publicKey: KEY, accessKey: { permission } }) as Action;
  const every: Action[] = [
    transfer('1'),
    call('ft_transfer', { receiver_id: LONG, amount: '5' }),
    call('ft_transfer_call', { receiver_id: LONG, amount: '5', msg: '7' }),
    call('7', {}, '0'),
    { type: 'Transfer', amount: '1' },
    { type: 'Stake', stake: '9', publicKey: KEY },
    { type: 'CreateAccount' },
    { type: 'DeployContract', code: new Uint8Array(1234) },
    { type: 'DeleteKey', publicKey: KEY },
    { type: 'DeleteAccount', beneficiaryId: LONG },
    key('FullAccess'),
    ...[null, '3'].flatMap((allowance) =>
      [[], ['7']].map((methodNames) => key({ FunctionCall: { allowance, receiverId: LONG, methodNames } })),
    ),
  ];

  it('for every action, several transactions, a lookalike, a token and a delegate', async () => {
    const title = counted(acts.steps.title, every.length + 3);
    const two = [
      { receiverId: LONG, actions: every },
      { receiverId: 'token.testnet', actions: every.slice(0, 3) },
    ];
    const asked = asking(every, {
      transactions: two,
      askedBy: 'https://shop.example',
      offersStop: true,
      tokens: [{ contractId: 'token.testnet', symbol: '7', decimals: 6 }] as never,
      recipients: [
        { accountId: LONG, looksLike: ALICE },
        { accountId: 'token.testnet', isNew: true },
      ] as never,
    });
    const cost = { gas: '5', deposit: '6', total: '11', available: '1' } as never;
    await ask({ ...asked, cost }, title);
    await ask({ ...asked, delegate: { relay: null, validForBlocks: 200 } }, title);
    await ask({ ...asked, delegate: { relay: 'relay.example', validForBlocks: 1 } }, title);
  });

  it('for a payment that repeats another, and devices and app keys that are removed', async () => {
    const sent = { receiverId: LONG, sentAt: AT, transactionId: null };
    const removes = [true, false].map((isCurrent, at) => ({
      deviceNumber: at + 1,
      registeredAt: AT,
      passkeyName: LONG,
      isCurrent,
    }));
    const appKeys = (['added', 'removed'] as const).map((change) => ({
      publicKey: `${KEY}${change}`,
      receiverId: LONG,
      expiresAt: AT,
      paidByRelay: { amountYocto: '100000000000000000000000', relay: 'relay.example' },
      change,
    }));
    const title = acts.transfer.title.replace('{amount}', '1 NEAR');
    await ask(asking([transfer('1')], { recoveryKey: KEY } as never), title);
    for (const repeats of [[sent], [{ ...sent, transactionId: KEY.slice(8) }, sent]])
      await ask(asking([transfer('1')], { repeats, removes, appKeys } as never), title);
  });

  it('for a new device, a registration, and an account that is joined', async () => {
    const code = {
      checkCode: 'ABCD2345EFGH6723',
      expiresAt: Date.now() + 60_000,
      deleteAt: Date.now() + 60_000,
    };
    await ask(asking([key('FullAccess')], { device: { publicKey: KEY, ...code } } as never), linking.title);
    const made = { ...common, kind: 'registration', deviceNumber: 1 } as const;
    await ask(made as never, registration.title);
    await ask({ ...made, joining: code } as never, joining.title);
    await ask({ ...made, joining: {} } as never, adopting.title);
  });

  it('for a message, and one that is an order to a contract', async () => {
    const nep413 = {
      ...common,
      kind: 'nep413',
      nonce: '7',
      message: '7',
      recipient: 'shop.testnet',
    } as const;
    const more = { state: '7', callbackUrl: '7.7', isForAnother: true };
    await ask({ ...nep413, ...more } as never, message.title);
    const intents = [{ intent: 'transfer', receiver_id: LONG, tokens: { 'nep141:usdc.near': '5' } }];
    const order = JSON.stringify({ signer_id: ALICE, intents });
    await ask({ ...nep413, recipient: 'intents.near', message: order } as never, message.title);
  });

  it('with each line of what a site wrote in the direction of its own letters', async () => {
    setTexts({ ...english, direction: 'rtl' });
    const { show, end } = flow();
    const decision = show({
      ...common,
      kind: 'nep413',
      nonce: '7',
      message: '{\nhello.\nمرحبا',
      recipient: '7',
    } as never);
    const shown = () => dialog.element().querySelector('.boxed .lines')?.firstChild;
    await expect.poll(shown).toBeTruthy();
    const startsAt = (character: number) => {
      const range = document.createRange();
      range.setStart(shown() as Text, character);
      range.setEnd(shown() as Text, character + 1);
      const box = dialog.element().querySelector('.boxed')?.getBoundingClientRect() as DOMRect;
      const { left, right } = range.getBoundingClientRect();
      return left - box.left < box.right - right ? 'left' : 'right';
    };
    expect([startsAt(0), startsAt(2), startsAt(9)]).toEqual(['left', 'left', 'right']);
    end();
    await decision;
    await gone();
  });

  it('while the wallet waits for the network', async () => {
    setTexts(pseudo);
    const ended = new AbortController();
    const over = createReactConfirmer().wait({ theme: 'dark', networkId: 'testnet' } as never, ended.signal);
    await expect.element(page.getByRole('dialog', { name: waiting.title })).toBeVisible();
    const found = [textsOutside(), overflowing()];
    ended.abort();
    await over;
    expect(found).toEqual([[], []]);
  });
});

it('changes with the texts of the provider, and is English again without it', async () => {
  const manager = managerOf(null);
  vi.spyOn(manager, 'getRecentLogins').mockResolvedValue({ accountIds: [], lastUsedAccountId: null });
  render(manager, <LoginMenu />, german);
  await expect.element(page.getByRole('heading', { name: 'Konto registrieren' })).toBeVisible();
  render(manager, <LoginMenu />, english);
  await expect.element(page.getByRole('heading', { name: 'Register Account' })).toBeVisible();
});
