import type { RegistrationResult, Theme } from 'latchkey';
import { Mark } from '../src/surface/icons.js';
import { Inline } from '../src/surface/inline.js';
import { popupCss } from '../src/surface/layer-styles.js';
import { useConfirmTexts } from '../src/texts/confirm-texts.js';
import { rootUntil } from './root-until.js';
import { useButtonRun } from './use-button-run.js';

export interface RegisterButtonProps {
  nearAccountId: string;
  theme: Theme;
  /** Called in the click's handler. */
  register: () => Promise<RegistrationResult>;
}

/** Fills this page with the register button until `signal` aborts; the host gives the frame the button's size. */
export function showRegisterButton(props: RegisterButtonProps, signal: AbortSignal): void {
  if (signal.aborted) return;
  rootUntil(signal).render(
    <Inline theme={props.theme} css={popupCss + registerButtonCss}>
      <RegisterButton {...props} />
    </Inline>,
  );
}

function RegisterButton({ nearAccountId, register }: RegisterButtonProps) {
  const { isRunning, isEnlarged, run } = useButtonRun();
  const { createPasskey } = useConfirmTexts().walletPage;
  if (isEnlarged) return null;
  return (
    <button
      type="button"
      className="register"
      aria-disabled={isRunning}
      aria-busy={isRunning}
      onClick={({ nativeEvent }) => {
        if (!isRunning && nativeEvent.isTrusted) void run(register);
      }}
    >
      {isRunning ? <span className="spinner" aria-hidden="true" /> : <Mark />}
      <span className="words">
        <span>{createPasskey}</span>
        <span className="account">{nearAccountId}</span>
      </span>
    </button>
  );
}

const registerButtonCss = /* css */ `
:host { display: block; }
.register {
  position: fixed; inset: 0; display: flex; gap: 10px; align-items: center; justify-content: center; padding: 4px 12px; overflow: hidden;
  font: 600 var(--lk-text-m)/1.2 var(--lk-font); color: var(--lk-on-primary); background: var(--lk-primary);
  border: 0; border-radius: var(--lk-radius-m); cursor: pointer; -webkit-font-smoothing: antialiased;
}
.register:hover { background: var(--lk-primary-hover); }
.register:focus-visible { outline: 2px solid var(--lk-on-primary); outline-offset: -5px; }
.register[aria-disabled='true'] { opacity: 0.75; cursor: default; }
.register .mark { width: 26px; height: 26px; }
.register .plate { fill: var(--lk-on-primary); }
.register .key { fill: var(--lk-primary); }
.register .spinner { width: 20px; height: 20px; border-color: currentColor; border-top-color: transparent; }
.words { display: grid; min-width: 0; text-align: start; }
.account { font-weight: 400; font-size: var(--lk-text-xs); opacity: 0.85; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; unicode-bidi: plaintext; }
`;
