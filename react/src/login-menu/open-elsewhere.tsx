import type { DeviceCheck } from 'latchkey';
import { useEffect, useId, useState } from 'react';
import { usePasskeyContext } from '../context.js';
import { AlertIcon } from '../surface/icons.js';
import { errorText } from '../texts/error-text.js';
import { useTexts } from '../texts/use-texts.js';

/** What the wallet says of this browser before a name is chosen. */
export interface Advice {
  readonly text: string;
  /** The page belongs there: an app draws it in a browser of its own, in which no account can be made or opened. */
  readonly openIn: DeviceCheck['openIn'];
}

/** Asks the wallet; only where a browser can be an app's, or its version says something. */
export function useAdvice(): Advice | undefined {
  const { passkeyManager } = usePasskeyContext();
  const [advice, setAdvice] = useState<Advice>();
  useEffect(() => {
    if (!/Android|iPhone|iPad|iPod|Version\/1\d\./.test(navigator.userAgent)) return;
    let isMounted = true;
    const take = ({ openIn, error, errorCode, warning, warningCode }: DeviceCheck): void => {
      const message = error ?? warning;
      if (!isMounted || message === undefined) return;
      setAdvice({ openIn, text: errorText({ message, code: errorCode ?? warningCode }) });
    };
    passkeyManager.checkDevice().then(take, () => undefined);
    return () => {
      isMounted = false;
    };
  }, [passkeyManager]);
  return advice;
}

/** An address that opens this page (https) in that browser: Safari's own scheme, or an intent of Android. */
export function addressIn(openIn: NonNullable<Advice['openIn']>, page: string): string {
  if (openIn === 'Safari') return `x-safari-${page}`;
  const { protocol, host, pathname, search, hash } = new URL(page);
  return `intent://${host}${pathname}${search}${hash}#Intent;scheme=${protocol.slice(0, -1)};package=com.android.chrome;end`;
}

/** In the place of the menu: why nothing can be done here, and the way to the browser where it can. */
export function OpenElsewhere({
  openIn,
  text,
}: {
  readonly openIn: NonNullable<Advice['openIn']>;
  readonly text: string;
}) {
  const id = useId();
  const words = useTexts().loginMenu.elsewhere;
  return (
    <section className="menu" aria-labelledby={id}>
      <div className="title-block">
        <h2 id={id}>{words.title(openIn)}</h2>
      </div>
      <p className="error" role="alert">
        <AlertIcon />
        <span>{text}</span>
      </p>
      <a className="button primary" href={addressIn(openIn, location.href)}>
        {words.open(openIn)}
      </a>
      <p className="faint">{words.byHand(openIn)}</p>
    </section>
  );
}
