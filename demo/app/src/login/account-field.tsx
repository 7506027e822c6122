import { type ReactNode, type Ref, useId } from 'react';

/** A longer placeholder is drawn smaller on a narrow screen. */
const WORDY = 24;

interface AccountFieldProps {
  ref: Ref<HTMLInputElement>;
  value: string;
  /** Drawn right after the typed text. */
  suffix: string;
  placeholder: string;
  /** The whole account id, for screen readers. */
  account: string;
  hint: string | undefined;
  onType: (text: string) => void;
  children: ReactNode;
}

/** The user name field: the account's suffix follows the typed text, a hint may appear below. */
export function AccountField({
  ref,
  value,
  suffix,
  placeholder,
  account,
  hint,
  onType,
  children,
}: AccountFieldProps) {
  const id = useId();
  return (
    <div className="account-field">
      <label className="sr-only" htmlFor={id}>
        Username
      </label>
      <div className="field" data-bad={hint ? '' : undefined}>
        <div className="typing">
          <span className="ghost" aria-hidden="true">
            <span>{value}</span>
            <span className="suffix">{suffix}</span>
          </span>
          <input
            ref={ref}
            id={id}
            value={value}
            placeholder={placeholder}
            data-wordy={placeholder.length > WORDY ? '' : undefined}
            autoComplete="username"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            maxLength={64}
            aria-describedby={`${id}-account ${id}-hint`}
            aria-invalid={hint !== undefined}
            onChange={(event) => onType(event.target.value)}
          />
        </div>
        {children}
      </div>
      <span id={`${id}-account`} className="sr-only">
        {account}
      </span>
      <span id={`${id}-hint`} className="hint" role="status">
        {hint}
      </span>
    </div>
  );
}
