import { type ReactNode, type RefObject, useId } from 'react';
import { AlertIcon } from '../surface/icons.js';
import { useTexts } from '../texts/use-texts.js';

/** A longer placeholder is drawn smaller on a narrow card. */
const WORDY = 24;

interface AccountFieldProps {
  inputRef: RefObject<HTMLInputElement | null>;
  value: string;
  /** Drawn right after the typed text. */
  suffix: string;
  placeholder: string;
  /** The browser may offer passkeys in it. */
  offersPasskeys: boolean;
  /** The whole account id, for screen readers. */
  account: string;
  /** Shown at the upper edge of the field. */
  hint: string | undefined;
  /** Shown below the field. */
  advice: string | undefined;
  /** Shown there as long as there is no advice. */
  note: string | undefined;
  /** Follows the advice. */
  way?: ReactNode | undefined;
  onType: (text: string) => void;
  /** Stands at the end of the field. */
  children: ReactNode;
}

/** The user name field: the account's suffix follows the typed text; a hint and an advice may appear. */
export function AccountField(props: AccountFieldProps) {
  const { inputRef, value, suffix, placeholder, account, hint, advice, note, way, onType, children } = props;
  const id = useId();
  const { username } = useTexts().loginMenu;
  const isBad = hint !== undefined || advice !== undefined;
  return (
    <div className="account-field">
      <label className="sr-only" htmlFor={id}>
        {username}
      </label>
      <div className="field" data-bad={isBad || undefined}>
        <div className="typing">
          <span className="ghost" aria-hidden="true">
            <span>{value}</span>
            <span className="suffix">{suffix}</span>
          </span>
          <input
            ref={inputRef}
            id={id}
            value={value}
            placeholder={placeholder}
            data-wordy={placeholder.length > WORDY || undefined}
            autoComplete={props.offersPasskeys ? 'username webauthn' : 'username'}
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            aria-describedby={`${id}-account ${id}-hint ${id}-advice`}
            aria-invalid={isBad}
            onChange={(event) => onType(event.target.value)}
          />
        </div>
        {children}
        <span id={`${id}-hint`} className="hint" role="status">
          {hint}
        </span>
      </div>
      <span id={`${id}-account`} className="sr-only">
        {account}
      </span>
      <div className="advice">
        <p id={`${id}-advice`} role="status">
          {advice === undefined ? (
            <span className="faint">{note}</span>
          ) : (
            <>
              <AlertIcon />
              <span>{advice}</span>
            </>
          )}
        </p>
        {way}
      </div>
    </div>
  );
}
