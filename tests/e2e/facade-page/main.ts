// The facade on its own page, with a confirmer that the test controls. A wallet in a frame draws its own confirmations.

import {
  type ConfirmModel,
  type Decision,
  type Device2Linking,
  type FlowEvent,
  type LinkedAccount,
  PasskeyManager,
  type PasskeyManagerConfig,
} from 'latchkey';
import { brandCss } from 'latchkey/brand';
import type { LatchkeyAccount, LatchkeySigner } from 'latchkey/near-api-js';
import { sameOriginWallet } from 'latchkey/same-origin';
import { createReactConfirmer, setTexts } from 'latchkey-react';
import { german } from 'latchkey-react/german';
import type { Account } from 'near-api-js';

export interface FacadePage {
  manager: PasskeyManager;
  /** Every model that was shown. */
  shown: ConfirmModel[];
  events: FlowEvent[];
  /** The confirmer's answer; 'wait' waits until this changes or the flow's signal aborts. */
  decision: Decision | 'wait';
  /** How the latest linking ended: with a result, or with an error's code. */
  linked: LinkedAccount | string | undefined;
  /** Starts the linking of this device, and keeps its events and its end here. */
  startLinking(accountId?: string): Promise<Device2Linking>;
  /** From now on draws confirmations with the React modal. */
  useModal(): void;
  /** near-api-js over this page's wallet; loaded at the first call. */
  nearApiJs(accountId: string): Promise<NearApiJs>;
  /** From now on draws in German, and the key viewer with a brand. */
  useGermanAndBrand(): void;
}

/** near-api-js, and its accounts with the wallet's signer. */
export interface NearApiJs {
  readonly near: typeof import('near-api-js');
  readonly signer: LatchkeySigner;
  readonly plain: Account;
  readonly account: LatchkeyAccount;
}

declare global {
  /** Tells the test of each confirmation. */
  var __recordConfirmation: (() => void) | undefined;
}

const LOGO = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg"/>')}`;
const env = import.meta.env as Readonly<Record<string, string>>;
const query = new URLSearchParams(location.search);
const page: FacadePage = {
  manager: new PasskeyManager(
    {
      rpcUrl: query.get('chain') ?? env.VITE_NEAR_RPC_URL ?? '',
      contractId: env.VITE_CONTRACT_ID ?? '',
      relayer: { url: query.get('relay') ?? env.VITE_RELAY_URL ?? '' },
      keyExport: { sameOrigin: true },
      ...(env.VITE_WALLET_ORIGIN && { iframeWallet: { walletOrigin: env.VITE_WALLET_ORIGIN } }),
      // The rest of a test's configuration, as JSON.
      ...(JSON.parse(query.get('config') ?? '{}') as Partial<PasskeyManagerConfig>),
    },
    {
      wallet: sameOriginWallet,
      confirmer: {
        show(model, signal) {
          page.shown.push(model);
          globalThis.__recordConfirmation?.();
          if (page.decision !== 'wait') return Promise.resolve(page.decision);
          return new Promise((resolve) => {
            const look = setInterval(() => {
              if (page.decision !== 'wait') end(page.decision);
            }, 50);
            const end = (decision: Decision): void => {
              clearInterval(look);
              resolve(decision);
            };
            signal.addEventListener('abort', () => end('cancel'));
          });
        },
      },
    },
  ),
  shown: [],
  events: [],
  decision: 'confirm',
  linked: undefined,
  startLinking(accountId) {
    page.linked = undefined;
    return page.manager.startDevice2LinkingFlow({
      ...(accountId !== undefined && { accountId }),
      onEvent: (event) => void page.events.push(event as FlowEvent),
      onError: (error) => {
        page.linked = error.code;
      },
      afterCall: (success, result) => {
        if (success) page.linked = result;
      },
    });
  },
  useModal() {
    page.manager.setConfirmer(createReactConfirmer());
  },
  async nearApiJs(accountId) {
    const [near, ours] = await Promise.all([import('near-api-js'), import('latchkey/near-api-js')]);
    const { rpcUrls, networkId } = page.manager.config;
    // The local chain has a name of its own, and the wallet takes it for testnet.
    const provider = Object.assign(new near.JsonRpcProvider({ url: rpcUrls[0] ?? '' }), {
      getNetworkId: async () => networkId,
    });
    const signer = new ours.LatchkeySigner({ wallet: page.manager, accountId, provider });
    return {
      near,
      signer,
      plain: new near.Account(accountId, provider, signer),
      account: new ours.LatchkeyAccount(accountId, provider, signer),
    };
  },
  useGermanAndBrand() {
    setTexts(german);
    const confirmer = createReactConfirmer();
    const css = brandCss({ accent: '#b28', font: 'Georgia, serif', logo: LOGO });
    page.manager.setConfirmer({
      ...confirmer,
      viewerLook: async () => ({ ...(await confirmer.viewerLook()), css }),
    });
  },
};
(globalThis as unknown as { facade: FacadePage }).facade = page;
