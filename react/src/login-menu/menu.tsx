import { type FormEvent, useEffect, useId, useRef } from 'react';
import { usePasskeyContext } from '../context.js';
import { saysOfRegistrations } from '../resumed/resumed.js';
import { FailureNote, Note } from '../surface/failure.js';
import { ArrowIcon } from '../surface/icons.js';
import { useChunk } from '../surface/use-chunk.js';
import type { Failure } from '../texts/error-text.js';
import { useTexts } from '../texts/use-texts.js';
import type { PasskeyToast } from '../toasts/toast.js';
import type { AccountInput } from '../use-account-input.js';
import { AccountField } from './account-field.js';
import { LinkEntry } from './link-entry.js';
import type { Blocked, LoginMode } from './modes.js';
import type { LoginMenuProps } from './props.js';
import type { MakeAccount, Offer } from './use-flow.js';
import { useNameHint } from './use-name-hint.js';

const EVERY_MODE = ['register', 'login', 'recover'] as const;

/** The failure that the menu shows until the user does something else. */
export interface Problem {
  readonly failure?: Failure | undefined;
  /** What the menu says where nothing failed that has a code. */
  readonly text?: string | undefined;
  readonly mayLackPasskey?: boolean;
}

interface MenuProps {
  onEvent: LoginMenuProps['onEvent'];
  mode: LoginMode;
  input: AccountInput;
  /** The menu itself has typed the name. */
  isPrefilled: boolean;
  blocked: Blocked | undefined;
  problem: Problem | undefined;
  /** The account of another device that this one can join. */
  joins: string | undefined;
  /** The wallet draws its own register button. */
  hasWalletButton: boolean;
  /** What gets the focus when the menu appears. */
  focuses: 'title' | 'field' | undefined;
  say: (toast: PasskeyToast | undefined) => void;
  onRegistered: (accountId: string) => void;
  onProblem: (failure: Failure) => void;
  onSwitch: (mode: LoginMode) => void;
  /** As onSwitch, and keeps the name. */
  onInstead: (mode: LoginMode) => void;
  onType: (text: string) => void;
  onSubmit: () => void;
  /** Opens the account of a passkey, with no name; undefined where the operator does not offer it. */
  onPasskeyLogin: (() => void) | undefined;
  /** Offers passkeys in a field until the function that it returns is called. */
  onOffer: Offer;
  /** Makes an account without a name; undefined where the operator does not offer it. */
  onCreateNameless: ((make: MakeAccount) => void) | undefined;
  onLink: () => void;
  /** The user is about to press what calls onLink. */
  onLinkSoon: () => void;
  /** Opens the account with its recovery phrase; undefined where this wallet may not. */
  phrase: { isOpen: boolean; onOpen: () => void } | undefined;
  onFinishLink: (accountId: string) => void;
}

/** The menu at rest: what is left from before, the modes, the field and the way to another device. */
export function Menu(props: MenuProps) {
  const { mode, input, blocked, problem, joins, focuses } = props;
  const { ready, resumed, passkeyManager } = usePasskeyContext();
  const { logger, iframeWallet } = passkeyManager.config;
  const warn = (error: Error): void => logger.warn('A part of the login menu could not be loaded', error);
  const hasNotices = saysOfRegistrations(resumed) || !!resumed?.unfinished?.length;
  const notices = useChunk(hasNotices, () => import('../resumed/resumed-notices.js'), warn);
  const welcome = useChunk(true, () => import('./welcome.js'), warn);
  const walletButton = useChunk(props.hasWalletButton, () => import('./wallet-button.js'), warn);
  const title = useRef<HTMLHeadingElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const { loginMenu } = useTexts();
  const words = loginMenu[mode];
  const isNew = mode === 'register';
  const typed = props.isPrefilled || input.targetAccountId === '' ? '' : input.inputUsername;
  const { hint, advice, judge } = useNameHint(typed, blocked);
  // A recovery needs no name: the passkey gives it.
  const isBlocked = blocked !== undefined && mode !== 'recover';
  const laysButton = isNew && ready && !blocked && walletButton;
  const instead = advice === undefined ? undefined : blocked?.instead;

  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the menu appears
  useEffect(() => {
    if (focuses) (focuses === 'title' ? title : field).current?.focus();
  }, []);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!ready) return;
    if (!isBlocked) return props.onSubmit();
    judge();
    field.current?.focus();
  }

  return (
    <section className="menu" aria-labelledby={id}>
      {notices && (
        <notices.ResumedNotices kinds={['registrations', 'links']} onFinishLink={props.onFinishLink} />
      )}
      {props.onPasskeyLogin && (
        <div className="passkey-login">
          {welcome && <welcome.PasskeyLogin {...props} isReady={ready} isPaused={!!laysButton} />}
        </div>
      )}
      <fieldset className="switch">
        <legend className="sr-only">{loginMenu.whatToDo}</legend>
        {EVERY_MODE.map((each) => (
          <label key={each}>
            <input
              type="radio"
              name={`${id}-mode`}
              value={each}
              checked={mode === each}
              onChange={() => props.onSwitch(each)}
            />
            <span>{loginMenu[each].label}</span>
          </label>
        ))}
      </fieldset>

      <div className="title-block">
        <h2 ref={title} id={id} tabIndex={-1}>
          {words.title}
        </h2>
        <p>{words.subtitle}</p>
        {isNew && <p>{loginMenu.noPassword}</p>}
      </div>

      {problem?.failure ? <FailureNote failure={problem.failure} /> : problem && <Note text={problem.text} />}
      {welcome && problem?.mayLackPasskey && <welcome.MissingPasskey {...props} />}

      <form onSubmit={submit} noValidate>
        <AccountField
          inputRef={field}
          value={input.inputUsername}
          suffix={input.displayPostfix}
          placeholder={words.placeholder}
          account={input.targetAccountId}
          // In a frame the request is in another document than this field.
          offersPasskeys={props.onPasskeyLogin !== undefined && !iframeWallet}
          hint={hint}
          advice={advice}
          note={isNew ? loginMenu.nameIsPublic : undefined}
          way={
            instead && (
              <button type="button" className="way" onClick={() => props.onInstead(instead.mode)}>
                {instead.label}
              </button>
            )
          }
          onType={props.onType}
        >
          <button
            type="submit"
            className="go"
            aria-label={loginMenu.continue}
            aria-disabled={!ready || isBlocked}
          >
            <ArrowIcon />
          </button>
        </AccountField>
      </form>
      {laysButton && <laysButton.WalletButton {...props} accountId={input.targetAccountId} />}
      {welcome && <welcome.NamelessEntry {...props} isReady={ready} />}
      {isNew && <div className="how-place">{welcome && <welcome.HowItWorks />}</div>}
      {welcome && mode === 'recover' ? (
        <welcome.RecoveryWays {...props} isReady={ready} />
      ) : (
        !problem?.mayLackPasskey && (
          <LinkEntry accountId={joins} onOpen={props.onLink} onSoon={props.onLinkSoon} />
        )
      )}
    </section>
  );
}
