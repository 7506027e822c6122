import type { ReactNode } from 'react';

interface WarningProps {
  /** In bold, before the text. */
  title?: ReactNode;
  /** Drawn without the colour of danger. */
  isNote?: boolean;
  children: ReactNode;
}

/** A warning with its sign. */
export function Warning({ title, isNote = false, children }: WarningProps) {
  return (
    <p className={isNote ? 'warning note' : 'warning'}>
      <WarningSign />
      <span>
        {title !== undefined && (
          <>
            <strong>{title}</strong>{' '}
          </>
        )}
        {children}
      </span>
    </p>
  );
}

export function WarningSign() {
  return (
    <svg className="sign" viewBox="0 0 20 20" aria-hidden="true">
      <path
        d="M10 2.8 18.2 17H1.8L10 2.8Z"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeLinejoin="round"
      />
      <path d="M10 8v4.2" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" />
      <circle cx="10" cy="14.6" r="1.05" fill="currentColor" />
    </svg>
  );
}
