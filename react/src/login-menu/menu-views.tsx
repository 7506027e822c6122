import { filled } from 'latchkey/internal';
import { useEffect, useRef, useState } from 'react';
import { usePasskeyContext } from '../context.js';
import { useRecoveryPhrase } from '../recovery-phrase/use-recovery-phrase.js';
import { saysOfRegistrations } from '../resumed/resumed.js';
import { useChunk } from '../surface/use-chunk.js';
import { thrownFailure } from '../texts/error-text.js';
import { useTexts } from '../texts/use-texts.js';
import { dismissalOf, type PasskeyToast, passkeyToast } from '../toasts/toast.js';
import { useAccountInput } from '../use-account-input.js';
import { Menu, type Problem } from './menu.js';
import { blockedBy, joinedBy } from './modes.js';
import { NotStarted } from './not-started.js';
import type { LoginMenuProps, LoginMenuView } from './props.js';
import { useAdvice } from './use-advice.js';
import { type FlowFailure, type MakeAccount, useFlow } from './use-flow.js';
import { useMode } from './use-mode.js';
import { Waiting } from './waiting.js';

/** The toast id of each mode. */
const TOAST = { register: 'registration', login: 'login', recover: 'recovery' } as const;

/** The menu's views, and the one that shows. */
export function MenuViews(props: LoginMenuProps) {
  const { defaultMode, autoFocus = false, registerButton = false, onEvent, onViewChange } = props;
  const wallet = usePasskeyContext();
  const words = useTexts().loginMenu;
  const input = useAccountInput();
  const menu = useMode(input, defaultMode);
  const [problem, setProblem] = useState<Problem>();
  const [linking, setLinking] = useState<{ accountId: string | undefined }>();
  const say = (toast: PasskeyToast | undefined): void => {
    if (toast) props.onToast?.(toast);
  };
  const onLoggedIn = (accountId: string): void => props.onLoggedIn?.(accountId);
  const phrase = useRecoveryPhrase();
  const advice = useAdvice();
  const { running, start, offer, finishLink } = useFlow({ onEvent, say, onLoggedIn, onFailure });
  const { passkeyLogin = false } = props;

  const elsewhere = useChunk(
    advice?.openIn !== undefined,
    () => import('./open-elsewhere.js'),
    (error) => setProblem({ failure: thrownFailure(error) }),
  );
  const linkView = useChunk(linking !== undefined, loadLinkView, (error) => {
    setLinking(undefined);
    setProblem({ failure: thrownFailure(error) });
  });

  const view: LoginMenuView = linking && linkView ? 'code' : running ? 'waiting' : 'menu';
  const told = useRef<LoginMenuView>('menu');
  useEffect(() => {
    if (told.current === view) return;
    told.current = view;
    onViewChange?.(view);
  }, [view, onViewChange]);

  useCommitted((accountIds) => {
    say(passkeyToast('resume', 'success', filled(words.registered, { accounts: accountIds })));
    void input.refresh();
  });

  function onFailure({ mode, accountId, failure, mayLackPasskey }: FlowFailure) {
    const code = failure?.code;
    // The menu itself says what failed.
    say(dismissalOf(TOAST[mode]));
    if (mode === 'login' && code === 'NO_LOCAL_ACCOUNT') return goToRecovery(accountId);
    if (code === 'NO_PASSKEY_HERE') {
      menu.goTo('register');
      return setProblem({ text: words.noPasskeyHere });
    }
    setProblem(failure ? { failure, mayLackPasskey } : { text: words[mode].failed });
    if (mode !== 'login') menu.reset();
  }

  /** A passkey that the user chose is being opened: the mode says so. */
  function showRecovery() {
    setProblem(undefined);
    menu.goTo('recover');
  }

  async function restore(typed: string | undefined): Promise<void> {
    setProblem(undefined);
    const accountId = await phrase.restore(typed);
    if (accountId !== undefined) onLoggedIn(accountId);
  }

  /** This browser does not know the account, or has forgotten it; its passkey may still work. Keeps the typed name. */
  function goToRecovery(accountId: string) {
    menu.goTo('recover');
    setProblem({ text: filled(words.unknownHere, { account: accountId }) });
  }

  if (wallet.startError)
    return <NotStarted failure={thrownFailure(wallet.startError)} onAgain={wallet.startAgain} />;
  if (elsewhere && advice?.openIn)
    return <elsewhere.OpenElsewhere openIn={advice.openIn} failure={advice.failure} />;
  // The default mode depends on the last used account, which is still being read.
  if (input.lastUsedAccountId === undefined) return <section className="menu" aria-busy="true" />;
  if (linking && linkView) {
    return (
      <linkView.LinkView
        accountId={linking.accountId}
        say={say}
        onEvent={onEvent}
        onLinked={onLoggedIn}
        onBack={(failure) => {
          setLinking(undefined);
          setProblem(failure && { failure });
          void input.refresh();
        }}
      />
    );
  }
  const { iframeWallet, relayer } = wallet.passkeyManager.config;
  const isFramed = iframeWallet !== null;
  const at = { isSecure: window.isSecureContext, isFramed, registrar: relayer.accountId };
  const blocked = blockedBy(menu.mode, input, at);
  // With a name that no account can have, a recovery asks the passkey for the account.
  const target = menu.mode === 'recover' && blocked ? '' : input.targetAccountId;
  /** Registers, logs in or recovers; or makes an account without a name in the place of registering one. */
  function begin(make?: MakeAccount) {
    setProblem(undefined);
    // The view of the code that is still loading.
    setLinking(undefined);
    void start(menu.mode, target, make);
  }
  if (running) {
    const { waiting } = words[menu.mode];
    return <Waiting text={waiting} account={target} onBack={() => running.abort()} />;
  }

  // A name unknown to this device may be an account on another one.
  const joins = joinedBy(menu.mode, input);
  return (
    <Menu
      mode={menu.mode}
      input={input}
      isPrefilled={menu.isPrefilled}
      blocked={blocked}
      // A pending registration and its outcome have their own notices.
      problem={
        problem?.failure?.code === 'REGISTRATION_PENDING' && saysOfRegistrations(wallet.resumed)
          ? undefined
          : (problem ?? (phrase.failure ? { failure: phrase.failure } : advice))
      }
      joins={joins}
      hasWalletButton={registerButton && isFramed}
      focuses={told.current === 'menu' ? (autoFocus ? 'title' : undefined) : 'field'}
      say={say}
      onEvent={onEvent}
      onRegistered={onLoggedIn}
      onProblem={(failure) => setProblem({ failure })}
      onSwitch={(next) => {
        setProblem(undefined);
        menu.switchTo(next);
      }}
      onInstead={(next) => {
        setProblem(undefined);
        menu.goTo(next);
      }}
      onType={(text) => {
        setProblem(undefined);
        menu.type(text);
      }}
      onSubmit={() => begin()}
      onPasskeyLogin={
        passkeyLogin
          ? () => {
              showRecovery();
              void start('recover', '');
            }
          : undefined
      }
      onOffer={(onNone, place) => offer(showRecovery, onNone, place)}
      onCreateNameless={props.namelessAccounts ? begin : undefined}
      onLink={() => setLinking({ accountId: joins })}
      // A press loads it again, and says what failed.
      onLinkSoon={() => void loadLinkView().catch(() => undefined)}
      phrase={
        phrase.isAllowed
          ? { isOpen: phrase.isOpen, onOpen: () => void restore(target || undefined) }
          : undefined
      }
      onFinishLink={(accountId) => void finishLink(accountId)}
    />
  );
}

/** The view of this device's code. */
const loadLinkView = () => import('./link-view.js');

/** Calls `hear` with the accounts whose lost registration turned out to be good. */
function useCommitted(hear: (accountIds: string) => void): void {
  const committed = usePasskeyContext().resumed?.committed.join(', ') ?? '';
  const latest = useRef(hear);
  latest.current = hear;
  useEffect(() => {
    if (committed) latest.current(committed);
  }, [committed]);
}
