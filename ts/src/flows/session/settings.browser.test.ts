import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_CONFIRMATION } from '../../config.js';
import { type ConfirmationInput, decideConfirmation } from '../../confirm/decide.js';
import { WalletStore } from '../../storage/store.js';
import { ALICE, deleteDatabases, entry } from '../../storage/testing/databases.js';
import type { Choices, ConfirmationConfig, ConfirmationWish } from '../../types.js';
import type { FlowContext } from '../context.js';
import { confirmationSettings, getConfirmationConfig } from './settings.js';
import {
  getUserPreferences,
  setConfirmationConfig,
  setConfirmBehavior,
  setUserPreferences,
  setUserTheme,
} from './stored-settings.js';

const BOB = 'bob.w3a-v1.testnet';
const HOST = 'https://shop.example';
const stores: WalletStore[] = [];

/** The wallet of a page after it was loaded or reloaded. */
function wallet(page = HOST, loggedIn: string | null = null): FlowContext {
  const store = new WalletStore();
  stores.push(store);
  return {
    config: { confirmationConfig: DEFAULT_CONFIRMATION },
    store,
    page,
    vrf: { call: async () => ({ active: loggedIn !== null, accountId: loggedIn ?? undefined }) },
  } as unknown as FlowContext;
}

beforeEach(async () => {
  const { store } = wallet();
  await store.commitEntry(entry(BOB));
  await store.commitEntry(entry(ALICE));
  await store.setLastUser({ accountId: ALICE, deviceNumber: 1 });
});
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
  await deleteDatabases();
});

describe("a page's setting (core 3, frame 10)", () => {
  it('survives a reload for the account that was named, logged in or last used, and for no other', async () => {
    await setConfirmationConfig(wallet(), { uiMode: 'drawer' });
    await setConfirmBehavior(wallet(HOST, BOB), 'requireClick');
    await setConfirmationConfig(wallet(), { autoProceedDelayMs: 500 }, BOB);
    expect(await getConfirmationConfig(wallet())).toEqual({ ...DEFAULT_CONFIRMATION, uiMode: 'drawer' });
    expect(await getConfirmationConfig(wallet(HOST, BOB))).toEqual({
      ...DEFAULT_CONFIRMATION,
      behavior: 'requireClick',
      autoProceedDelayMs: 500,
    });
    expect(await getConfirmationConfig(wallet(), BOB)).toMatchObject({ behavior: 'requireClick' });
  });

  it('applies to that page alone', async () => {
    await setConfirmationConfig(wallet(), { uiMode: 'drawer' });
    expect(await getConfirmationConfig(wallet('https://other.example'))).toEqual(DEFAULT_CONFIRMATION);
  });

  it('is kept without an account too, and applies to every account that follows', async () => {
    await deleteDatabases();
    const empty = wallet();
    await setConfirmationConfig(empty, { uiMode: 'drawer' });
    await setUserTheme(empty, 'light');
    await empty.store.commitEntry(entry(ALICE));
    expect(await getConfirmationConfig(wallet())).toMatchObject({ uiMode: 'drawer', theme: 'light' });
    expect((await getUserPreferences(wallet())).confirmationConfig).toBeUndefined();
  });

  it("is never stored as the user's choice, so that inside a frame a payment still needs a click", async () => {
    await setConfirmationConfig(wallet(), { uiMode: 'skip', behavior: 'autoProceed' });
    const { store } = wallet();
    const user = await store.user(ALICE);
    expect(user?.preferences).toEqual({ useRelayer: false, useNetwork: 'testnet' });
    const inFrame = {
      isEmbedded: true,
      isTouch: false,
      isTouchOrSafari: false,
      hasUserActivation: true,
    };
    const payment: Omit<ConfirmationInput, 'settings'> = {
      type: 'signTransaction',
      transactions: [{ receiverId: BOB, actions: [{ type: 'Transfer', amount: '1' }] }],
      at: inFrame,
      hasConfirmer: true,
    };
    const decided = decideConfirmation({
      ...payment,
      settings: await confirmationSettings(wallet(), user, undefined),
    });
    expect(decided).toMatchObject({ uiMode: 'modal', behavior: 'requireClick' });

    await setUserPreferences(wallet(), { confirmationConfig: { behavior: 'autoProceed' } });
    const chosen = await store.user(ALICE);
    expect(
      decideConfirmation({ ...payment, settings: await confirmationSettings(wallet(), chosen, undefined) }),
    ).toMatchObject({ behavior: 'autoProceed' });
  });

  it.each([
    [{ uiMode: 'none' }, 'confirmationConfig.uiMode must be skip or modal or drawer'],
    [{ behavior: 'never' }, 'confirmationConfig.behavior must be requireClick or autoProceed'],
    [{ autoProceedDelayMs: -1 }, 'confirmationConfig.autoProceedDelayMs must be a number of milliseconds'],
    [{ autoProceedDelayMs: Number.NaN }, 'confirmationConfig.autoProceedDelayMs must be a number'],
    [{ theme: 'red' }, 'confirmationConfig.theme must be dark or light'],
    [{ click: false }, 'confirmationConfig has no setting click'],
  ])('is refused by name when it is unknown or has a wrong value: %j', async (settings, reason) => {
    const change = settings as Partial<ConfirmationConfig>;
    const refusal = {
      code: 'INVALID_CONFIG',
      message: expect.stringContaining(`Invalid configuration: ${reason}`),
    };
    await expect(setConfirmationConfig(wallet(), change)).rejects.toMatchObject(refusal);
    await expect(setUserPreferences(wallet(), { confirmationConfig: change })).rejects.toMatchObject(refusal);
    expect(await getConfirmationConfig(wallet())).toEqual(DEFAULT_CONFIRMATION);
  });

  it('is not kept for an account that is not on this device', async () => {
    await expect(
      setConfirmationConfig(wallet(), { uiMode: 'drawer' }, 'eve.w3a-v1.testnet'),
    ).rejects.toMatchObject({ message: 'User data not found for eve.w3a-v1.testnet' });
  });
});

describe("a user's preferences (core 3)", () => {
  it("are stored with the account in the specification's shape, and override the page", async () => {
    await setConfirmationConfig(wallet(), { uiMode: 'skip', behavior: 'autoProceed', theme: 'dark' });
    await setUserPreferences(wallet(), { useRelayer: true, useNetwork: 'mainnet' });
    await setUserPreferences(wallet(), { confirmationConfig: { behavior: 'requireClick' } });
    await setUserPreferences(wallet(), { confirmationConfig: { uiMode: 'drawer' }, theme: 'light' });
    const preferences = {
      useRelayer: true,
      useNetwork: 'mainnet',
      confirmationConfig: { behavior: 'requireClick', uiMode: 'drawer' },
      theme: 'light',
    };
    expect(await getUserPreferences(wallet())).toEqual(preferences);
    expect((await wallet().store.user(ALICE))?.preferences).toEqual(preferences);
    expect(await getConfirmationConfig(wallet())).toMatchObject({
      uiMode: 'drawer',
      behavior: 'requireClick',
      theme: 'light',
    });
  });

  it.each([
    ['of a wallet without a frame', undefined],
    ['of a host', HOST],
  ])('%s go back to what the page asks where null takes them back', async (_, host) => {
    const context = wallet();
    Object.assign(context.store, { host });
    await context.store.setLastUser({ accountId: ALICE, deviceNumber: 1 });
    await setConfirmationConfig(context, { uiMode: 'skip', theme: 'dark' });
    await setUserPreferences(
      context,
      { confirmationConfig: { uiMode: 'drawer', behavior: 'requireClick' } },
      ALICE,
    );
    await setUserPreferences(context, { theme: 'light' }, ALICE);
    await setUserPreferences(context, { confirmationConfig: { uiMode: null }, theme: null }, ALICE);
    const { confirmationConfig, ...rest } = await getUserPreferences(context, ALICE);
    expect(confirmationConfig).toEqual({ behavior: 'requireClick' });
    expect(rest).not.toHaveProperty('theme');
    expect(await getConfirmationConfig(context, ALICE)).toMatchObject({ uiMode: 'skip', theme: 'dark' });
  });

  it.each([
    ['of a wallet without a frame', undefined],
    ['of a host', HOST],
  ])('%s take the delay by either of its names, and null takes it back', async (_, host) => {
    const context = wallet();
    Object.assign(context.store, { host });
    await context.store.setLastUser({ accountId: ALICE, deviceNumber: 1 });
    const delayOf = async (change: Choices<ConfirmationWish>) => {
      await setUserPreferences(context, { confirmationConfig: change }, ALICE);
      return (await getConfirmationConfig(context, ALICE)).autoProceedDelayMs;
    };
    expect(await delayOf({ autoProceedDelay: 1_500 })).toBe(1_500);
    expect((await getUserPreferences(context, ALICE)).confirmationConfig).toEqual({
      autoProceedDelayMs: 1_500,
    });
    expect(await delayOf({ autoProceedDelay: null })).toBe(DEFAULT_CONFIRMATION.autoProceedDelayMs);
  });

  it('are separate for two users of one device', async () => {
    await setUserPreferences(wallet(), { confirmationConfig: { uiMode: 'drawer' }, useRelayer: true });
    await setUserTheme(wallet(HOST, BOB), 'light');
    expect(await getUserPreferences(wallet(), BOB)).toEqual({
      useRelayer: false,
      useNetwork: 'testnet',
      theme: 'light',
    });
    expect(await getConfirmationConfig(wallet(), BOB)).toEqual({ ...DEFAULT_CONFIRMATION, theme: 'light' });
    expect(await getConfirmationConfig(wallet(), ALICE)).toEqual({
      ...DEFAULT_CONFIRMATION,
      uiMode: 'drawer',
    });
  });

  it('need an account', async () => {
    await deleteDatabases();
    await expect(setUserPreferences(wallet(), { useRelayer: true })).rejects.toMatchObject({
      code: 'NO_ACCOUNT_HERE',
    });
  });
});
