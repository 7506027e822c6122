/** What the window shows under its dialogs. */
import type { OpenedPageUi } from 'latchkey/internal/wallet';
import { Details, FailureText } from '../../src/surface/failure.js';
import { Filled } from '../../src/texts/filled.js';
import { askToContinue } from '../ask-to-continue.js';
import { showPage } from '../notice.js';

/** The header of a page that cuts off the windows that it opens, and of one that keeps them. */
const CUTS_OFF = 'Cross-Origin-Opener-Policy: same-origin';
const KEEPS = `${CUTS_OFF}-allow-popups`;

interface Page {
  remove(): void;
}

/** The window waits for its opener (null), or serves it. */
export function showOpened(origin: string | null): Page {
  return showPage(({ openedBy: words }) => ({
    title: words.title,
    text: (
      <p role="status">
        {origin === null ? words.waits : <Filled text={words.works} site={<code>{origin}</code>} />}
      </p>
    ),
  }));
}

/** For a user who opened the address by hand, and for the developer of a page that cuts off its windows. */
export function showNoOpener(): Page {
  return showPage(({ openedBy: { noOpenerTitle, noOpener, noOpenerFix } }) => ({
    title: noOpenerTitle,
    text: (
      <>
        <p>{noOpener}</p>
        <Details>
          <p>
            <Filled text={noOpenerFix} bad={<code>{CUTS_OFF}</code>} good={<code>{KEEPS}</code>} />
          </p>
        </Details>
      </>
    ),
  }));
}

/** For an opener that is not served. */
export function showRefused(origin: string): Page {
  return showPage(({ openedBy: words }) => {
    const [title, text] =
      origin === 'null' ? [words.notServedTitle, words.notServed] : [words.refusedTitle, words.refused];
    return {
      title,
      text: (
        <p role="alert">
          <Filled text={text} origin={<code>{origin}</code>} />
        </p>
      ),
    };
  });
}

/** Asks for the click that a passkey prompt needs. */
export function showUnlock(
  { origin, accountId, error }: Parameters<OpenedPageUi['unlock']>[0],
  signal: AbortSignal,
): Promise<'confirm' | 'cancel'> {
  return askToContinue(
    ({ openedBy: words }) => ({
      title: words.unlockTitle,
      text: (
        <>
          {error && <FailureText failure={error} />}
          <p>
            <Filled text={words.unlock} site={<code>{origin}</code>} account={<code>{accountId}</code>} />
          </p>
        </>
      ),
    }),
    signal,
  );
}
