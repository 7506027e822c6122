import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { Mark } from '../src/surface/icons.js';
import { adoptCss, tokensCss } from '../src/tokens.js';

const noticeCss = /* css */ `
body { margin: 0; }
.notice {
  box-sizing: border-box; min-height: 100dvh; padding: 32px 20px; display: grid; grid-template-columns: minmax(0, 1fr); place-items: center;
  background: var(--lk-canvas); color: var(--lk-text); font: 400 var(--lk-text-m)/1.6 var(--lk-font);
}
.notice article {
  display: grid; gap: 14px; width: min(460px, 100%); box-sizing: border-box; padding: 28px; overflow-wrap: anywhere;
  background: var(--lk-surface); border: 1px solid var(--lk-line); border-radius: var(--lk-radius-l); box-shadow: var(--lk-shadow-2);
}
.notice h1 { margin: 0; font-size: 22px; line-height: 1.25; letter-spacing: -0.015em; }
.notice p { margin: 0; color: var(--lk-muted); }
.notice code { font: 500 var(--lk-text-s) var(--lk-mono); color: var(--lk-text); }
.notice .buttons { display: grid; grid-template-columns: 2fr 3fr; gap: 10px; margin-top: 6px; }
.notice button {
  font: 600 var(--lk-text-m)/1.2 var(--lk-font); min-height: 46px; padding: 0 12px; cursor: pointer;
  color: var(--lk-text); background: var(--lk-surface); border: 1px solid var(--lk-line-strong); border-radius: var(--lk-radius-m);
}
.notice button.primary { color: var(--lk-on-primary); background: var(--lk-primary); border-color: transparent; }
.notice button:focus-visible { outline: 2px solid transparent; box-shadow: var(--lk-ring); }
.notice .mark { width: 48px; height: 48px; }
.notice .plate { fill: var(--lk-primary); }
.notice .key { fill: var(--lk-on-primary); }
`;

/** Fills the page with a short text. */
export function showPage(title: string, text: ReactNode): { remove(): void } {
  const undoCss = adoptCss(document, tokensCss, noticeCss);
  const place = document.createElement('div');
  document.body.append(place);
  const root = createRoot(place);
  root.render(
    <main className="notice">
      <article>
        <Mark />
        <h1>{title}</h1>
        {text}
      </article>
    </main>,
  );
  return {
    remove() {
      root.unmount();
      place.remove();
      undoCss();
    },
  };
}

/** For a user who opened the wallet's address directly. */
export function showNotFramed(): void {
  showPage(
    'This is a Latchkey wallet',
    <>
      <p>
        It keeps the passkeys and keys of your accounts apart from the apps that use them, and works inside
        those apps. There is nothing to do on this page.
      </p>
      <p>
        Do not trust anyone who asks you to open this page and type something here. It never asks for a
        password or a private key.
      </p>
    </>,
  );
}

/** For users of an app that may not embed this wallet, and for the app's developers. */
export function showHostNotAllowed(origin: string): void {
  showPage(
    'This app may not use this wallet',
    <>
      <p>
        The app at <code>{origin}</code> is not on the list of apps that may embed it. It has seen nothing of
        yours.
      </p>
      <p>
        If it is your app: ask the wallet's operator to add exactly this origin to the wallet's{' '}
        <code>allowedHosts</code>, or to the registry's allowed hosts.
      </p>
    </>,
  );
}

/** For a window whose opener is gone. */
export function showLost(text: string): void {
  showPage('There is nothing to do here', <p>{text}</p>);
}

/** For a wallet that cannot start. */
export function showFailure(message: string): void {
  showPage('This wallet could not start', <p role="alert">{message}</p>);
}
