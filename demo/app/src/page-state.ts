import type { ActionResult } from 'latchkey';
import { useOutletContext } from 'react-router';
import type { GreetingStore } from './wallet/greeting-store.js';

/** What the pages share, so that it stays when the user goes from one to the other. */
export interface PageState {
  readonly greeting: GreetingStore;
  /** The transaction sent last by the account that is logged in. */
  readonly latest: ActionResult | undefined;
  readonly setLatest: (result: ActionResult) => void;
  /** Whether an account was logged in since the page was loaded. */
  readonly wasLoggedIn: boolean;
}

/** The state that the shell keeps for its pages. */
export const usePageState = (): PageState => useOutletContext<PageState>();
