import type { LatchkeyErrorCode, LoginOptions, RegistrationOptions } from 'latchkey';
import { useAccountInput, usePasskeyContext } from 'latchkey-react';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { AlertIcon, ArrowIcon, BackIcon } from '../icons.js';
import { loginToast, registeredToast, registrationToast, showToast } from '../toasts.js';
import { AccountField } from './account-field.js';
import { blockedBy, MODES, type Mode } from './modes.js';
import { PendingRegistrations } from './pending-registrations.js';

const HINT_MS = 2000;
const HINT_AFTER_MS = 600;

/** Register or log in: one field, one button, and a view to wait in. */
export function LoginMenu() {
  const wallet = usePasskeyContext();
  const input = useAccountInput();
  const [chosenMode, setMode] = useState<Mode>();
  const [waiting, setWaiting] = useState<AbortController>();
  const [problem, setProblem] = useState<{ text: string; code: LatchkeyErrorCode | undefined }>();
  const { hint, flash } = useHint();
  const prefilled = useRef<string>(undefined);
  const field = useRef<HTMLInputElement>(null);
  const titleId = useId();

  // After the waiting view the field has the focus again.
  const waited = useRef(false);
  useEffect(() => {
    if (waiting) waited.current = true;
    else if (waited.current) field.current?.focus();
  }, [waiting]);

  const defaultMode: Mode = input.lastUsedUsername === '' ? 'register' : 'login';
  const mode = chosenMode ?? defaultMode;
  const words = MODES[mode];
  // An open registration has a notice of its own.
  const told = problem?.code === 'REGISTRATION_PENDING' && (wallet.resumed?.pending.length ?? 0) > 0;
  const blocked = blockedBy(mode, input, window.isSecureContext);

  // Entering login with an empty field fills in the account last used.
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

  // A name that cannot go on says so once the typing rests.
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
    // An emptied field stays empty; only entering login fills it.
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
      const result = await (mode === 'register' ? register : logIn)(accountId, controller.signal);
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
      // The click on 'Register' said it already.
      confirmationConfig: { behavior: 'autoProceed' },
    });
    if (result.success) showToast('registration', registeredToast(result.transactionId));
    return result;
  }

  function logIn(accountId: string, signal: AbortSignal) {
    const onEvent: LoginOptions['onEvent'] = (event) => showToast('login', loginToast(event, accountId));
    return wallet.loginPasskey(accountId, { signal, onEvent });
  }

  function fail(text: string | undefined, code: LatchkeyErrorCode | undefined) {
    const message = text ?? (mode === 'register' ? 'Registration failed' : 'Login failed');
    setProblem({ text: message, code });
    showToast(mode === 'register' ? 'registration' : 'login', { kind: 'error', text: message });
    if (mode === 'login') return;
    setMode(undefined);
    prefilled.current = undefined;
    setInputUsername('');
    if (code === 'REGISTRATION_PENDING') void wallet.resume();
  }

  // Which mode is the default is known in a moment.
  if (input.lastUsedAccountId === undefined) return <section className="panel login" aria-busy="true" />;
  if (waiting)
    return <Waiting text={words.waiting} account={input.targetAccountId} onBack={() => waiting.abort()} />;

  return (
    <section className="panel login" aria-labelledby={titleId}>
      <PendingRegistrations onCommitted={() => void input.refresh()} />
      <fieldset className="switch">
        <legend className="sr-only">What to do</legend>
        {(['register', 'login'] as const).map((each) => (
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
    </section>
  );
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
      <p className="muted break">{account}</p>
    </section>
  );
}

/** A hint that goes away by itself. */
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
