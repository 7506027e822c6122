// The facade on a page of its own, with a confirmer that does what the test says.

import { type ConfirmModel, type Decision, type FlowEvent, LatchkeyError, PasskeyManager } from 'latchkey';
import { createReactConfirmer } from 'latchkey-react';

export interface FacadePage {
  manager: PasskeyManager;
  /** Every model that was shown. */
  shown: ConfirmModel[];
  events: FlowEvent[];
  /** What the confirmer answers; 'wait' until the flow's signal aborts. */
  decision: Decision | 'wait';
  /** Draws confirmations with the React modal from now on. */
  useModal(): void;
  /** Runs an operation; a failure becomes its code, which can leave the page. */
  codeOf(operation: () => Promise<unknown>): Promise<string>;
}

const env = import.meta.env as Readonly<Record<string, string>>;
const page: FacadePage = {
  manager: new PasskeyManager(
    {
      rpcUrl: env.VITE_NEAR_RPC_URL ?? '',
      contractId: env.VITE_CONTRACT_ID ?? '',
      relayer: { url: env.VITE_RELAY_URL ?? '' },
    },
    {
      confirmer: {
        show(model, signal) {
          page.shown.push(model);
          if (page.decision !== 'wait') return Promise.resolve(page.decision);
          return new Promise((resolve) => signal.addEventListener('abort', () => resolve('cancel')));
        },
      },
    },
  ),
  shown: [],
  events: [],
  decision: 'confirm',
  useModal() {
    page.manager.setConfirmer(createReactConfirmer());
  },
  async codeOf(operation) {
    try {
      await operation();
    } catch (error) {
      return error instanceof LatchkeyError ? error.code : String(error);
    }
    return 'no error';
  },
};
(globalThis as unknown as { facade: FacadePage }).facade = page;
