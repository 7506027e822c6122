import type { DeviceCheck } from 'latchkey';
import { isPhoneOrOldSafari } from 'latchkey/internal';
import { useEffect, useState } from 'react';
import { usePasskeyContext } from '../context.js';
import { adviceOf, type Failure } from '../texts/error-text.js';

/** What the wallet says of this browser before a name is chosen. */
export interface Advice {
  readonly failure: Failure;
  /** The page belongs there: an app draws it in a browser of its own, in which no account can be made or opened. */
  readonly openIn: DeviceCheck['openIn'];
}

/** Asks the wallet; only where a browser can be an app's, or its version says something. */
export function useAdvice(): Advice | undefined {
  const { passkeyManager } = usePasskeyContext();
  const [advice, setAdvice] = useState<Advice>();
  useEffect(() => {
    if (!isPhoneOrOldSafari(navigator.userAgent)) return;
    let isMounted = true;
    const take = (device: DeviceCheck): void => {
      const said = adviceOf(device);
      if (isMounted && said) setAdvice({ openIn: device.openIn, failure: said });
    };
    passkeyManager.checkDevice().then(take, () => undefined);
    return () => {
      isMounted = false;
    };
  }, [passkeyManager]);
  return advice;
}
