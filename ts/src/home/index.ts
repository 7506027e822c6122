/**
 * The wallet's own page, opened by its user and by no app: what it needs on top of a {@link PasskeyManager}. No app reaches any
 * of it: none of it is a call of the wallet.
 */
import { managerOptions } from '../config-options.js';
import { HOME_IN_FRAME, LatchkeyError, messageOf } from '../errors/account.js';
import { hiddenAddresses } from '../flows/hidden-address.js';
import { Tabs } from '../flows/session/tabs.js';
import type { WalletPageConfig } from '../frame/wallet/page-config.js';
import { trustOwnWorkers } from '../frame/wallet/trusted-workers.js';
import { createRpcClient } from '../near/index.js';
import { fateOfOutcome } from '../near/send.js';
import { PasskeyManager } from '../passkey-manager.js';
import { sameOriginWallet } from '../same-origin.js';
import { type ActivityEntry, noteFates, readActivity } from '../storage/activity.js';
import { WalletStore } from '../storage/store.js';
import type { Incoming } from '../tokens/incoming.js';
import type { TransactionFate } from '../types.js';
import { AppList } from './app-list.js';
import { HomeStore } from './home-store.js';
import { type HomeHooks, loadHomeHooks } from './hooks.js';
import { receivedOf, withReceived } from './received.js';
import { type TokenChoices, tokenChoices, withAdded, withHidden } from './token-choices.js';

export { qrImage } from '../flows/linking/qr-image.js';
export type { ActivityAction, ActivityEntry } from '../storage/activity.js';
export type { AppList, AppOfUser } from './app-list.js';
export type { KnownApp } from './home-store.js';
export type { HomeHooks } from './hooks.js';

/** At most so many open transactions are looked up at a time. */
const MOST_LOOKS = 5;

export interface Home {
  readonly manager: PasskeyManager;
  /** What the account sent from this browser, the newest first, as it is stored. */
  activity(accountId: string): Promise<readonly ActivityEntry[]>;
  /** Looks up those whose end is not known, and resolves with what is stored then. */
  lookUpActivity(accountId: string): Promise<readonly ActivityEntry[]>;
  /** Removes the account from this browser and ends its sessions here. Nothing changes on the chain. Rejects with ACCOUNT_BUSY. */
  removeAccount(accountId: string): Promise<void>;
  /** The tokens that the page lists. */
  tokens(accountId: string): Promise<TokenChoices>;
  /** Lists a token from now on. */
  addToken(accountId: string, contractId: string): Promise<void>;
  /** Lists it no more, whoever names it. */
  hideToken(accountId: string, contractId: string): Promise<void>;
  /** An indexer that names further tokens, where the operator chose one. */
  readonly indexerUrl: string | undefined;
  /** What came in while this page was open, the newest first. */
  received(accountId: string): Promise<readonly Incoming[]>;
  noteReceived(accountId: string, incoming: Incoming): Promise<void>;
  /** The operator's own functions, once their script has loaded. */
  hooks(): Promise<HomeHooks>;
  /** The apps that this browser's wallet knows. */
  readonly apps: AppList;
}

/** Makes the wallet of the page that its operator configured. Rejects with HOME_IN_FRAME inside another page. */
export async function createHome(config: WalletPageConfig): Promise<Home> {
  if (window.parent !== window) throw new LatchkeyError(HOME_IN_FRAME);
  trustOwnWorkers();
  // No other script runs on a wallet's own origin, so none can reach its viewer.
  const options = {
    keyExport: { sameOrigin: true },
    ...managerOptions(config),
    // Its user reads the receiver's mark and the fee before the prompt, unless operator or user chose otherwise.
    confirmationConfig: { behavior: 'requireClick' as const, ...config.confirmationConfig },
  };
  const manager = new PasskeyManager(options, { wallet: sameOriginWallet });
  const { rpcUrls, rpcAgreement, logger } = manager.config;
  const store = new HomeStore();
  const walletStore = new WalletStore();
  const hooks = loadHomeHooks(config.homeHooks, logger.warn);
  const hidden = hiddenAddresses(walletStore);
  const rpc = createRpcClient({ urls: rpcUrls, agreement: rpcAgreement });
  const tabs = new Tabs(() => undefined, logger.warn);
  /** A tab of an older version hears only the second. */
  const tellForgotten = (): void => {
    tabs.tell('forgotten');
    tabs.tell('changed');
  };

  async function fateOf({ transactionId }: ActivityEntry, accountId: string): Promise<TransactionFate> {
    try {
      const outcome = await rpc.transactionStatus(transactionId, accountId);
      return outcome?.final_execution_status === 'FINAL' ? fateOfOutcome(outcome) : 'unknown';
    } catch (error) {
      logger.warn('A transaction could not be looked up', messageOf(error));
      return 'unknown';
    }
  }

  return {
    manager,
    indexerUrl: config.tokens?.indexerUrl,
    hooks: () => hooks,
    async tokens(accountId) {
      const [stored, activity] = await Promise.all([
        store.tokenChoices(accountId),
        readActivity(walletStore, accountId),
      ]);
      return tokenChoices(stored, config.tokens?.contractIds ?? [], activity);
    },
    addToken: (accountId, contractId) =>
      store.changeTokenChoices(accountId, (stored) => withAdded(stored, contractId)),
    hideToken: (accountId, contractId) =>
      store.changeTokenChoices(accountId, (stored) => withHidden(stored, contractId)),
    received: async (accountId) => receivedOf(await store.received(accountId)),
    noteReceived: (accountId, incoming) =>
      store.changeReceived(accountId, (stored) => withReceived(stored, incoming)),
    apps: new AppList(store, tellForgotten),
    activity: (accountId) => readActivity(walletStore, accountId),
    async lookUpActivity(accountId) {
      const open = (await readActivity(walletStore, accountId))
        .filter(({ fate, isDelegate }) => (fate === 'unknown' || fate === 'sent') && !isDelegate)
        .slice(0, MOST_LOOKS);
      const fates = await Promise.all(
        open.map(async (entry) => [entry.transactionId, await fateOf(entry, accountId)] as const),
      );
      if (fates.some(([, fate]) => fate !== 'unknown'))
        await noteFates(walletStore, accountId, new Map(fates));
      return readActivity(walletStore, accountId);
    },
    async removeAccount(accountId) {
      const { vrfActive, nearAccountId } = await manager.getLoginState();
      await hidden.read();
      await store.removeAccount(hidden.open(accountId));
      if (vrfActive && nearAccountId === accountId) await manager.logoutAndClearVrfSession();
      tellForgotten();
    },
  };
}
