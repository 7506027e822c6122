import type { ConnectChoice, ConnectModel } from 'latchkey';
import { type ReactNode, useId, useRef, useState } from 'react';
import { nameProblem } from '../login-menu/name-problem.js';
import { Modal } from '../surface/modal.js';
import { UntrustedText } from '../surface/untrusted-text.js';
import { useClickGuard } from '../surface/use-click-guard.js';
import { WarningSign } from '../surface/warning.js';
import { useConfirmTexts } from '../texts/confirm-texts.js';
import { Filled } from '../texts/filled.js';
import { chooseCss } from './styles.js';

export interface ChooseDialogProps {
  model: ConnectModel;
  open: boolean;
  onChoice: (choice: ConnectChoice) => void;
}

/** A chosen radio button: a known account by its id, or one of the two other ways. */
type Picked = { kind: 'account'; accountId: string } | { kind: 'new' } | { kind: 'recover' };

/** Lists the accounts of this device and the other ways to one. After the choice it stays, busy, until `open` is false. */
export function ChooseDialog({ model, open, onChoice }: ChooseDialogProps) {
  const { accountIds, registry, asksMessage, keyFor } = model;
  const [first] = accountIds;
  const [picked, setPicked] = useState<Picked>(
    first === undefined ? { kind: 'new' } : { kind: 'account', accountId: first },
  );
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string>();
  const [answered, setAnswered] = useState(false);
  const guard = useClickGuard('choose');
  const cancelButton = useRef<HTMLButtonElement>(null);
  const texts = useConfirmTexts();
  const words = texts.connect;

  function answer(choice: ConnectChoice): void {
    if (answered) return;
    setAnswered(true);
    onChoice(choice);
  }
  function go(): void {
    if (picked.kind !== 'new') {
      answer(picked);
      return;
    }
    const name = typed.trim();
    const accountId = `${name}.${registry}`;
    const wrong = name === '' ? words.nameNeeded : nameProblem({ name, accountId, isNew: true });
    setProblem(wrong);
    if (wrong === undefined) answer({ kind: 'new', accountId });
  }

  return (
    <Modal
      open={open}
      name="latchkey-connect"
      theme={model.theme}
      title={words.title}
      css={chooseCss}
      initialFocus={cancelButton}
      popupRef={guard.ref}
      busy={answered}
      onClose={() => answer({ kind: 'cancel' })}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className="body" aria-label={words.title} tabIndex={0}>
        {model.error !== undefined && (
          <p className="error" role="alert">
            <WarningSign />
            <span>{model.error}</span>
          </p>
        )}
        <p>
          {model.askedBy === undefined ? (
            words.thisPage
          ) : (
            <Filled
              text={words.askedBy}
              site={
                <strong>
                  <UntrustedText text={model.askedBy} />
                </strong>
              }
            />
          )}
        </p>
        {(asksMessage || keyFor !== undefined) && (
          <div className="asks">
            <p>{words.besides}</p>
            <ul>
              {asksMessage && <li>{words.message}</li>}
              {keyFor !== undefined && (
                <li>
                  <Filled text={words.key} contract={<UntrustedText text={keyFor} />} />
                </li>
              )}
            </ul>
          </div>
        )}
        <fieldset disabled={answered}>
          <legend>{words.legend}</legend>
          {accountIds.map((accountId) => (
            <Way
              key={accountId}
              checked={picked.kind === 'account' && picked.accountId === accountId}
              onPick={() => setPicked({ kind: 'account', accountId })}
            >
              <strong>
                <UntrustedText text={accountId} />
              </strong>
            </Way>
          ))}
          <Way checked={picked.kind === 'new'} onPick={() => setPicked({ kind: 'new' })}>
            {words.newAccount}
          </Way>
          {picked.kind === 'new' && (
            <NameField typed={typed} suffix={`.${registry}`} problem={problem} onType={setTyped} />
          )}
          <Way checked={picked.kind === 'recover'} onPick={() => setPicked({ kind: 'recover' })}>
            {words.recover}
          </Way>
        </fieldset>
      </section>
      <footer>
        <p className="status" role="status">
          {answered && <span className="spinner" aria-hidden="true" />}
          {answered && texts.busy}
          {!answered && guard.isTooSoon && <span className="sr-only">{texts.tooSoon}</span>}
        </p>
        <div className="buttons">
          <button
            ref={cancelButton}
            type="button"
            className="button"
            aria-disabled={answered}
            onClick={() => answer({ kind: 'cancel' })}
          >
            {texts.cancel}
          </button>
          <button
            type="button"
            className="button primary"
            aria-disabled={answered || !guard.isArmed}
            onClick={({ nativeEvent }) => {
              if (guard.accepts(nativeEvent)) go();
            }}
          >
            {words.confirm}
          </button>
        </div>
        {model.offersStop && !answered && (
          <button type="button" className="stop" onClick={() => answer({ kind: 'stop' })}>
            {texts.stop}
          </button>
        )}
      </footer>
    </Modal>
  );
}

interface WayProps {
  checked: boolean;
  onPick: () => void;
  children: ReactNode;
}

function Way({ checked, onPick, children }: WayProps) {
  return (
    <label className="way">
      <input type="radio" name="way" checked={checked} onChange={onPick} />
      <span>{children}</span>
    </label>
  );
}

interface NameFieldProps {
  typed: string;
  suffix: string;
  problem: string | undefined;
  onType: (text: string) => void;
}

function NameField({ typed, suffix, problem, onType }: NameFieldProps) {
  const id = useId();
  const words = useConfirmTexts().connect;
  return (
    <div className="name">
      <label htmlFor={id}>{words.name}</label>
      <div className="typed">
        <input
          id={id}
          value={typed}
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          aria-invalid={problem !== undefined}
          aria-describedby={`${id}-suffix ${id}-problem`}
          onChange={(event) => onType(event.target.value.toLowerCase())}
        />
        <span id={`${id}-suffix`}>{suffix}</span>
      </div>
      <p id={`${id}-problem`} className="problem-line" role="status">
        {problem}
      </p>
    </div>
  );
}
