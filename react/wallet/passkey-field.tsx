import type { Theme } from 'latchkey';
import { Inline } from '../src/surface/inline.js';
import { useConfirmTexts } from '../src/texts/confirm-texts.js';
import { rootUntil } from './root-until.js';

/** Fills this page with the field in which the browser offers passkeys, until `signal` aborts; the host gives the frame its size. */
export function showPasskeyField(theme: Theme, signal: AbortSignal): void {
  if (signal.aborted) return;
  rootUntil(signal).render(
    <Inline theme={theme} css={passkeyFieldCss}>
      <PasskeyField />
    </Inline>,
  );
}

/** Stays empty: it is there for the browser's list alone. */
function PasskeyField() {
  const { choosePasskey } = useConfirmTexts().walletPage;
  return (
    <input
      type="text"
      className="passkey-field"
      autoComplete="username webauthn"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      aria-label={choosePasskey}
      placeholder={choosePasskey}
      value=""
      onChange={() => undefined}
    />
  );
}

/* Where the frame covers the page, something else of the wallet is shown. */
const passkeyFieldCss = /* css */ `
:host { display: block; }
.passkey-field {
  position: fixed; inset: 0; width: 100%; padding: 0 18px; text-overflow: ellipsis;
  font: 16px/1.2 var(--lk-font); color: var(--lk-text); background: var(--lk-raised);
  border: 1px solid var(--lk-line-strong); border-radius: var(--lk-radius-m); outline: none; -webkit-font-smoothing: antialiased;
}
.passkey-field::placeholder { color: var(--lk-muted); opacity: 1; }
.passkey-field:focus-visible { border: 2px solid var(--lk-accent); padding: 0 17px; }
@media (min-height: 120px) { .passkey-field { display: none; } }
`;
