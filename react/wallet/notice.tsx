import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { exactCss, srOnlyCss } from '../src/surface/base-styles.js';
import { adoptDesign } from '../src/surface/design.js';
import { Details, FailureDetails, FailureText } from '../src/surface/failure.js';
import { Mark } from '../src/surface/icons.js';
import { type ConfirmTexts, useConfirmTexts } from '../src/texts/confirm-texts.js';
import { errorText, thrownFailure } from '../src/texts/error-text.js';

const noticeCss = /* css */ `${srOnlyCss}${exactCss}
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
.notice .asked { display: grid; gap: 14px; }
.notice .buttons { display: grid; grid-template-columns: 2fr 3fr; gap: 10px; margin-top: 6px; }
.notice button {
  font: 600 var(--lk-text-m)/1.2 var(--lk-font); min-height: 46px; padding: 0 12px; cursor: pointer;
  color: var(--lk-text); background: var(--lk-surface); border: 1px solid var(--lk-line-strong); border-radius: var(--lk-radius-m);
}
.notice button.primary { color: var(--lk-on-primary); background: var(--lk-primary); border-color: transparent; }
.notice button.primary[aria-disabled='true'] { background: color-mix(in srgb, var(--lk-primary) 80%, var(--lk-surface)); cursor: default; }
.notice button:focus-visible { outline: 2px solid transparent; box-shadow: var(--lk-ring); }
.notice .mark { width: 48px; height: 48px; }
.notice .plate { fill: var(--lk-primary); }
.notice .key { fill: var(--lk-on-primary); }
`;

/** What fills a page, in its language. */
export type DrawPage = (texts: ConfirmTexts) => { title: string; text: ReactNode };

/** Fills the page with a short text. */
export function showPage(draw: DrawPage): { remove(): void } {
  const undoCss = adoptDesign(document, noticeCss);
  const place = document.createElement('div');
  document.body.append(place);
  const root = createRoot(place);
  root.render(<Page draw={draw} />);
  return {
    remove() {
      root.unmount();
      place.remove();
      undoCss();
    },
  };
}

function Page({ draw }: { draw: DrawPage }) {
  const { title, text } = draw(useConfirmTexts());
  return (
    <main className="notice">
      <article>
        <Mark />
        <h1>{title}</h1>
        {text}
      </article>
    </main>
  );
}

/** For users of an app that may not embed this wallet, and for the app's developers. */
export function showHostNotAllowed(origin: string): void {
  showPage(({ walletPage: { notAllowedTitle, notAllowedFix } }) => ({
    title: notAllowedTitle,
    text: (
      <>
        <p role="alert">
          {errorText({ code: 'HOST_NOT_ALLOWED', message: notAllowedTitle, values: { origin } })}
        </p>
        <Details>
          <p>{notAllowedFix}</p>
        </Details>
      </>
    ),
  }));
}

/** For a window whose opener is gone. */
export function showLost(text: string): void {
  showPage(({ walletPage: { lostTitle, lost } }) => ({
    title: lostTitle,
    text: (
      <>
        <p>{lost}</p>
        <FailureDetails failure={{ message: text }} />
      </>
    ),
  }));
}

/** For a wallet that cannot start. */
export function showFailure(thrown: unknown): void {
  showPage(({ walletPage }) => ({
    title: walletPage.failedTitle,
    text: <FailureText failure={thrownFailure(thrown)} />,
  }));
}
