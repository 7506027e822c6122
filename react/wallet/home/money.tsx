import { filled } from 'latchkey/internal';
import type { AccountTokens, Incoming } from 'latchkey/tokens';
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { usePasskeyContext } from '../../src/context.js';
import { useTokens } from '../../src/token-list/use-tokens.js';
import { type Read, useRead } from '../../src/use-read.js';
import { amountText } from './amount-text.js';
import { useHome } from './context.js';
import { useHomeTexts } from './texts/index.js';
import { useToaster } from './toaster.js';

/** The tokens of the open account, and what came in. */
export interface OpenMoney {
  readonly tokens: Read<AccountTokens>;
  readonly add: (contractId: string) => Promise<void>;
  readonly hide: (contractId: string) => Promise<void>;
  /** The newest first. */
  readonly received: readonly Incoming[];
  /** How often something came in since the page was opened. */
  readonly arrivals: number;
}

const MoneyContext = createContext<OpenMoney | null>(null);

export function useMoney(): OpenMoney {
  const money = useContext(MoneyContext);
  if (!money) throw new Error('useMoney must be used within a MoneyProvider');
  return money;
}

const TOAST_MS = 8000;

/** Reads the account's tokens once for every screen, and notices what comes in. */
export function MoneyProvider({ accountId, children }: { accountId: string; children: ReactNode }) {
  const home = useHome();
  const toaster = useToaster();
  const words = useHomeTexts();
  const [tokens, reloadChoices] = useListed(accountId);
  const received = useRead(useCallback(() => home.received(accountId), [home, accountId]));
  const [arrivals, setArrivals] = useState(0);

  useIncoming(accountId, tokens.value, async (incoming) => {
    const amount = amountText(incoming.contractId, incoming.amount, tokens.value?.tokens ?? [], words);
    toaster.success(filled(words.activity.received, { amount }), {
      id: `received ${incoming.contractId}`,
      duration: TOAST_MS,
    });
    setArrivals((before) => before + 1);
    // Where it cannot be stored, the toast and the balances have said it.
    await home.noteReceived(accountId, incoming).catch(() => undefined);
    await Promise.all([received.reload(), tokens.reload()]);
  });

  const money: OpenMoney = {
    tokens,
    add: (contractId) => home.addToken(accountId, contractId).then(reloadChoices),
    hide: (contractId) => home.hideToken(accountId, contractId).then(reloadChoices),
    received: received.value ?? [],
    arrivals,
  };
  return <MoneyContext.Provider value={money}>{children}</MoneyContext.Provider>;
}

const NONE: readonly string[] = [];

/** The tokens that the page lists, and what reads again which those are. */
function useListed(accountId: string): [Read<AccountTokens>, () => Promise<void>] {
  const home = useHome();
  const choices = useRead(useCallback(() => home.tokens(accountId), [home, accountId]));
  const { contractIds = NONE, hidden = NONE } = choices.value ?? {};
  const { indexerUrl } = home;
  const tokens = useTokens(choices.value ? accountId : null, { contractIds, indexerUrl });
  const value = useMemo(
    () =>
      tokens.value && {
        ...tokens.value,
        tokens: tokens.value.tokens.filter(({ contractId }) => !hidden.includes(contractId)),
      },
    [tokens.value, hidden],
  );
  const error = choices.error ?? tokens.error;
  return [{ ...tokens, value, error, isLoading: choices.isLoading || tokens.isLoading }, choices.reload];
}

function useIncoming(
  accountId: string,
  listed: AccountTokens | undefined,
  onIncoming: (incoming: Incoming) => Promise<void>,
): void {
  const { config } = usePasskeyContext().passkeyManager;
  const latest = useRef(onIncoming);
  latest.current = onIncoming;
  const watched = listed?.tokens.map(({ contractId }) => contractId).join();
  useEffect(() => {
    if (watched === undefined) return;
    const contractIds = watched.split(',').filter(Boolean);
    let stop: (() => void) | undefined;
    let isOver = false;
    import('latchkey/tokens').then(
      ({ watchIncoming }) => {
        if (isOver) return;
        const told = (incoming: Incoming): void => void latest.current(incoming);
        stop = watchIncoming(config, accountId, told, { contractIds });
      },
      // The balances are still read when the user asks.
      () => undefined,
    );
    return () => {
      isOver = true;
      stop?.();
    };
  }, [config, accountId, watched]);
}
