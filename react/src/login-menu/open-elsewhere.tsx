import { filled } from 'latchkey/internal';
import { useId } from 'react';
import { FailureNote } from '../surface/failure.js';
import type { Failure } from '../texts/error-text.js';
import { useTexts } from '../texts/use-texts.js';
import type { Advice } from './use-advice.js';

/** An address that opens this page (https) in that browser: Safari's own scheme, or an intent of Android. */
export function addressIn(openIn: NonNullable<Advice['openIn']>, page: string): string {
  if (openIn === 'Safari') return `x-safari-${page}`;
  const { protocol, host, pathname, search, hash } = new URL(page);
  return `intent://${host}${pathname}${search}${hash}#Intent;scheme=${protocol.slice(0, -1)};package=com.android.chrome;end`;
}

/** In the place of the menu: why nothing can be done here, and the way to the browser where it can. */
export function OpenElsewhere({
  openIn,
  failure,
}: {
  readonly openIn: NonNullable<Advice['openIn']>;
  readonly failure: Failure;
}) {
  const id = useId();
  const words = useTexts().loginMenu.elsewhere;
  return (
    <section className="menu" aria-labelledby={id}>
      <div className="title-block">
        <h2 id={id}>{filled(words.title, { browser: openIn })}</h2>
      </div>
      <FailureNote failure={failure} />
      <a className="button primary" href={addressIn(openIn, location.href)}>
        {filled(words.open, { browser: openIn })}
      </a>
      <p className="faint">{filled(words.byHand, { browser: openIn })}</p>
    </section>
  );
}
