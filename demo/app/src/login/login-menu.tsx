import type {
  LatchkeyErrorCode,
  LoginOptions,
  RecoveryOptions,
  RegistrationOptions,
  ResumeResult,
} from 'latchkey';
import { MISSING_PASSKEY_TEXT, useAccountInput, usePasskeyContext } from 'latchkey-react';
import { AlertIcon, ArrowIcon, BackIcon } from 'latchkey-react/icons';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { loginToast, recoveryToast, registeredToast, registrationToast, showToast } from '../toasts.js';
import { AccountField } from './account-field.js';
import { LinkEntry, LinkView, UnfinishedLinks } from './link-view.js';
import { blockedBy, joinedBy, MODES, type Mode } from './modes.js';
import { PendingRegistrations } from './pending-registrations.js';

const HINT_MS = 2000;
const HINT_AFTER_MS = 600;
/** The toast id of each flow. */
const TOAST = { register: 'registration', login: 'login', recover: 'recovery' } as const;
const EVERY_MODE = ['register', 'login', 'recover'] as const;

interface Problem {
  readonly text: string;
  readonly code: LatchkeyErrorCode | undefined;
  /** The prompt of a login ended without the passkey. */
  readonly mayLackPasskey?: boolean;
}

/** Register, log in or recover: one field, one button and a waiting view. */
export function LoginMenu() {
  const wallet = usePasskeyContext();
  const input = useAccountInput();
  const [chosenMode, setMode] = useState<Mode>();
  const [waiting, setWaiting] = useState<AbortController>();
  const [problem, setProblem] = useState<Problem>();
  const [linking, setLinking] = useState<{ accountId: string | undefined }>();
  const { hint, flash } = useHint();
  const prefilled = useRef<string>(undefined);
  /** Whether a login's prompt has not been answered. */
  const prompting = useRef(false);
  const field = useRef<HTMLInputElement>(null);
  const titleId = useId();

  // The field gets the focus back after the waiting view.
  const waited = useRef(false);
  useEffect(() => {
    if (waiting) waited.current = true;
    else if (waited.current) field.current?.focus();
  }, [waiting]);

  const defaultMode: Mode = input.lastUsedUsername === '' ? 'register' : 'login';
  const mode = chosenMode ?? defaultMode;
  const words = MODES[mode];
  // A pending registration and its outcome have their own notices.
  const told = problem?.code === 'REGISTRATION_PENDING' && hasNotice(wallet.resumed);
  const { iframeWallet, relayer } = wallet.passkeyManager.config;
  const blocked = blockedBy(mode, input, {
    isSecure: window.isSecureContext,
    isFramed: iframeWallet !== null,
    registrar: relayer.accountId,
  });

  // A name unknown to this device may be an account on another one.
  const joins = joinedBy(mode, input);

  // Switching to login with an empty field fills in the account last used.
  const { lastUsedUsername, setInputUsername, inputUsername } = input;
  useEffect(() => {
    if (
      mode !== 'login' ||
      lastUsedUsername === '' ||
      prefilled.current !== undefined ||
      inputUsername !== ''
    )
      return;
    prefilled.current = lastUsedUsername;
    setInputUsername(lastUsedUsername);
  }, [mode, lastUsedUsername, inputUsername, setInputUsername]);

  // Shows why the name is blocked once the typing pauses.
  const idleHint = inputUsername !== '' && input.targetAccountId !== '' ? blocked?.hint : null;
  useEffect(() => {
    if (!idleHint || prefilled.current === inputUsername) return;
    const timer = setTimeout(() => flash(idleHint), HINT_AFTER_MS);
    return () => clearTimeout(timer);
  }, [idleHint, inputUsername, flash]);

  function switchTo(next: Mode) {
    if (mode === 'login' && prefilled.current !== undefined && inputUsername === prefilled.current)
      setInputUsername('');
    prefilled.current = undefined;
    setProblem(undefined);
    setMode(next);
  }

  function type(text: string) {
    setProblem(undefined);
    // An emptied field stays empty; only switching to login fills it.
    prefilled.current ??= '';
    setInputUsername(text);
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (!wallet.ready) return;
    if (blocked) {
      if (blocked.hint) flash(blocked.hint);
      field.current?.focus();
      return;
    }
    const controller = new AbortController();
    setWaiting(controller);
    setProblem(undefined);
    try {
      const accountId = input.targetAccountId;
      const run = { register, login: logIn, recover }[mode];
      const result = await run(accountId, controller.signal);
      if (!result.success) fail(result.error, result.errorCode);
    } catch (error) {
      fail(error instanceof Error ? error.message : String(error), undefined);
    } finally {
      setWaiting(undefined);
    }
  }

  async function register(accountId: string, signal: AbortSignal) {
    const onEvent: RegistrationOptions['onEvent'] = (event) =>
      showToast('registration', registrationToast(event));
    const result = await wallet.registerPasskey(accountId, {
      signal,
      onEvent,
      // The click on 'Register' was the confirmation.
      confirmationConfig: { behavior: 'autoProceed' },
    });
    if (result.success) showToast('registration', registeredToast(result.transactionId));
    return result;
  }

  function logIn(accountId: string, signal: AbortSignal) {
    prompting.current = false;
    const onEvent: LoginOptions['onEvent'] = (event) => {
      if (event.phase === 'webauthn-assertion') prompting.current = event.status === 'progress';
      showToast('login', loginToast(event, accountId));
    };
    return wallet.loginPasskey(accountId, { signal, onEvent });
  }

  async function recover(accountId: string, signal: AbortSignal) {
    const onEvent: RecoveryOptions['onEvent'] = (event) => showToast('recovery', recoveryToast(event));
    const result = await wallet.recoverAccountFlow({ accountId, options: { signal, onEvent } });
    // The page keeps the advice after the toast has gone.
    return result.success ? result : { ...result, error: result.message };
  }

  function fail(text: string | undefined, code: LatchkeyErrorCode | undefined) {
    if (mode === 'login' && code === 'NO_LOCAL_ACCOUNT') return goToRecovery();
    const message = text ?? words.failed;
    const mayLackPasskey = code === 'LOGIN_CANCELLED' && prompting.current;
    setProblem({ text: message, code, mayLackPasskey });
    if (mode !== 'recover') showToast(TOAST[mode], { kind: 'error', text: message });
    if (mode === 'login') return;
    setMode(undefined);
    prefilled.current = undefined;
    setInputUsername('');
  }

  /** This browser does not know the account, or has forgotten it; its passkey may still work. Keeps the typed name. */
  function goToRecovery() {
    setMode('recover');
    prefilled.current = undefined;
    const text = `This browser does not know ${input.targetAccountId}. Restore it with its passkey.`;
    setProblem({ text, code: 'NO_LOCAL_ACCOUNT' });
    showToast(TOAST.login, { kind: 'error', text });
  }

  // The default mode depends on the last used account, which is still being read.
  if (input.lastUsedAccountId === undefined) return <section className="panel login" aria-busy="true" />;
  if (linking) {
    return (
      <LinkView
        accountId={linking.accountId}
        onBack={(text) => {
          setLinking(undefined);
          setProblem(text === undefined ? undefined : { text, code: undefined });
          void input.refresh();
        }}
      />
    );
  }
  if (waiting)
    return <Waiting text={words.waiting} account={input.targetAccountId} onBack={() => waiting.abort()} />;

  return (
    <section className="panel login" aria-labelledby={titleId}>
      <PendingRegistrations onCommitted={() => void input.refresh()} />
      <UnfinishedLinks />
      <fieldset className="switch">
        <legend className="sr-only">What to do</legend>
        {EVERY_MODE.map((each) => (
          <label key={each}>
            <input
              type="radio"
              name="mode"
              value={each}
              checked={mode === each}
              onChange={() => switchTo(each)}
            />
            <span>{MODES[each].label}</span>
          </label>
        ))}
      </fieldset>

      <div className="heading">
        <h2 id={titleId}>{words.title}</h2>
        <p>{words.subtitle}</p>
      </div>

      {problem && !told && (
        <p className="notice bad" role="alert">
          <AlertIcon />
          <span>{problem.text}</span>
        </p>
      )}
      {problem?.mayLackPasskey && <p className="muted">{MISSING_PASSKEY_TEXT}</p>}

      <form onSubmit={submit} noValidate>
        <AccountField
          ref={field}
          value={inputUsername}
          suffix={input.displayPostfix}
          placeholder={words.placeholder}
          account={input.targetAccountId}
          hint={hint}
          onType={type}
        >
          <button
            type="submit"
            className="go"
            aria-label="Continue"
            aria-disabled={!wallet.ready || blocked !== undefined}
          >
            <ArrowIcon />
          </button>
        </AccountField>
      </form>
      <LinkEntry accountId={joins} onOpen={() => setLinking({ accountId: joins })} />
    </section>
  );
}

function hasNotice(resumed: ResumeResult | undefined): boolean {
  if (!resumed) return false;
  const { pending, committed, dropped, mismatched } = resumed;
  return [pending, committed, dropped, mismatched].some((accounts) => accounts.length > 0);
}

function Waiting({ text, account, onBack }: { text: string; account: string; onBack: () => void }) {
  const back = useRef<HTMLButtonElement>(null);
  useEffect(() => back.current?.focus(), []);
  return (
    <section className="panel login waiting" aria-label="Waiting">
      <button ref={back} type="button" className="icon-button" aria-label="Back" onClick={onBack}>
        <BackIcon />
      </button>
      <div className="pulse" aria-hidden="true">
        <span className="arc" />
      </div>
      <p role="status">{text}</p>
      {account && <p className="muted break">{account}</p>}
    </section>
  );
}

/** A hint that disappears by itself. */
function useHint() {
  const [hint, setHint] = useState<string>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const flash = useRef((text: string) => {
    clearTimeout(timer.current);
    setHint(text);
    timer.current = setTimeout(() => setHint(undefined), HINT_MS);
  }).current;
  useEffect(() => () => clearTimeout(timer.current), []);
  return { hint, flash };
}
