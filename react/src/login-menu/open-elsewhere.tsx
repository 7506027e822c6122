import type { DeviceCheck } from 'latchkey';
import { useEffect, useId, useState } from 'react';
import { usePasskeyContext } from '../context.js';
import { AlertIcon } from '../surface/icons.js';
import { errorText } from '../texts/error-text.js';
import { useTexts } from '../texts/use-texts.js';

/** What the wallet says of the browser of an app, in which no account can be made or opened. */
export interface Elsewhere {
  readonly openIn: NonNullable<DeviceCheck['openIn']>;
  readonly text: string;
}

/** Asks the wallet where this page belongs; only where a browser can be an app's. */
export function useElsewhere(): Elsewhere | undefined {
  const { passkeyManager } = usePasskeyContext();
  const [elsewhere, setElsewhere] = useState<Elsewhere>();
  useEffect(() => {
    if (!/Android|iPhone|iPad|iPod/.test(navigator.userAgent)) return;
    let isMounted = true;
    const take = ({ openIn, error = '', errorCode: code }: DeviceCheck): void => {
      if (isMounted && openIn) setElsewhere({ openIn, text: errorText({ message: error, code }) });
    };
    passkeyManager.checkDevice().then(take, () => undefined);
    return () => {
      isMounted = false;
    };
  }, [passkeyManager]);
  return elsewhere;
}

/** An address that opens this page (https) in that browser: Safari's own scheme, or an intent of Android. */
export function addressIn(openIn: Elsewhere['openIn'], page: string): string {
  if (openIn === 'Safari') return `x-safari-${page}`;
  const { protocol, host, pathname, search } = new URL(page);
  return `intent://${host}${pathname}${search}#Intent;scheme=${protocol.slice(0, -1)};package=com.android.chrome;end`;
}

/** In the place of the menu: why nothing can be done here, and the way to the browser where it can. */
export function OpenElsewhere({ openIn, text }: Elsewhere) {
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
