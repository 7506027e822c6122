import type { Theme } from 'latchkey';
import type { ReactNode } from 'react';
import type { Failure } from '../texts/error-text.js';
import { FailureText } from './failure.js';
import { AlertIcon } from './icons.js';
import { Inline } from './inline.js';
import { UntrustedText } from './untrusted-text.js';

/** Notices in the page's flow. A screen reader reads each as it comes. */
export function Notices({ theme, label, children }: { theme: Theme; label: string; children: ReactNode }) {
  return (
    <Inline theme={theme} css={noticesCss}>
      <section className="notices" aria-label={label} role="status">
        {children}
      </section>
    </Inline>
  );
}

interface NoticeProps {
  title: string;
  isBad?: boolean | undefined;
  /** What failed since it shows. */
  failure?: Failure | undefined;
  /** The buttons under it. */
  buttons?: ReactNode;
  /** What it says. */
  children: ReactNode;
}

export function Notice({ title, isBad = false, failure, buttons, children }: NoticeProps) {
  return (
    <div className={isBad ? 'notice bad' : 'notice'}>
      <AlertIcon />
      <div>
        <strong>{title}</strong>
        <div className="say">{children}</div>
        {failure && <FailureText failure={failure} />}
        {buttons !== undefined && <div className="ends">{buttons}</div>}
      </div>
    </div>
  );
}

/** An account in what a notice says. */
export function Account({ id }: { id: string }) {
  return (
    <b>
      <UntrustedText text={id} />
    </b>
  );
}

const noticesCss = /* css */ `
:host { display: block; font: 400 var(--lk-text-s)/1.5 var(--lk-font); color: var(--lk-text); -webkit-font-smoothing: antialiased; }
.notices { display: grid; gap: 10px; }
.notice {
  display: flex; gap: 10px; padding: 12px 14px; border: 1px solid var(--lk-line); border-radius: var(--lk-radius-m);
  background: var(--lk-sunken); overflow-wrap: anywhere;
}
.notice.bad { background: var(--lk-danger-soft); border-color: var(--lk-danger-line); }
.notice > .icon { flex: none; width: 17px; height: 17px; margin-top: 2px; }
.notice > div, .say, li { display: grid; gap: 4px; min-width: 0; }
.say { display: block; }
.say .button { display: block; margin-top: 8px; }
ul { display: grid; gap: 8px; margin: 6px 0 0; padding: 0; list-style: none; }
a { display: inline-flex; gap: 6px; align-items: baseline; width: fit-content; color: var(--lk-text); border-radius: var(--lk-radius-s); }
a:focus-visible { outline: 2px solid transparent; box-shadow: var(--lk-ring); }
a .icon { flex: none; width: 12px; height: 12px; }
.ends { display: flex; gap: 10px; }
.ends:empty { display: none; }
.ends .button, .say .button { min-height: 36px; padding: 0 14px; font-size: var(--lk-text-s); }
`;
