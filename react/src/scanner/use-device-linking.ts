'use client';
import {
  type FlowEvent,
  isCancellation,
  type LatchkeyError,
  type LinkDeviceOptions,
  type LinkDeviceResult,
} from 'latchkey';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { resultError } from '../as-error.js';
import { usePasskeyContext } from '../context.js';

export interface DeviceLinkingOptions {
  /** The code is valid and the wallet asks the user: close your scanner, linking continues by itself. */
  onAuthorizing?: (() => void) | undefined;
  /** The other device has been linked. */
  onLinked?: ((result: LinkDeviceResult) => void) | undefined;
  onEvent?: ((event: FlowEvent<'linking'>) => void) | undefined;
  /** A failure; not what the user or `cancel` ended before the wallet asked. */
  onError?: ((error: LatchkeyError | Error) => void) | undefined;
  /** In NEAR; checked and echoed in the result, but no money moves. Default '0.05'. */
  fundingAmount?: string | undefined;
}

export interface DeviceLinking {
  /**
   * Links the device whose code was scanned. Rejects with the reason if that ends before the wallet asks the user. A wallet in a
   * frame refuses it (LINK_CODE_REFUSED) unless its operator lists this page in `linkCodeHosts`.
   */
  linkDevice: (qrData: string) => Promise<void>;
  /** As `linkDevice`, with a code that a wallet in a frame scans itself. */
  scanAndLinkDevice: () => Promise<void>;
  /** Ends a linking that the wallet has not asked the user about. The unmount of the component does that, too. */
  cancel: () => void;
  /** Whether a device is being linked. */
  isLinking: boolean;
}

/** Links other devices to the account that is logged in; for the device with the scanner. */
export function useDeviceLinking(options: DeviceLinkingOptions = {}): DeviceLinking {
  const { passkeyManager } = usePasskeyContext();
  const latest = useRef(options);
  latest.current = options;
  const [running, setRunning] = useState(0);
  /** Aborts the linking until the wallet asks the user. */
  const checking = useRef<AbortController>(undefined);
  const cancel = useCallback(() => checking.current?.abort(), []);
  useEffect(() => cancel, [cancel]);

  const calls = useMemo(() => {
    async function run(link: (options: LinkDeviceOptions) => Promise<LinkDeviceResult>): Promise<void> {
      let authorizing = false;
      const { fundingAmount } = latest.current;
      const ending = new AbortController();
      const { signal } = ending;
      checking.current?.abort();
      checking.current = ending;
      setRunning((count) => count + 1);
      try {
        const result = await link({
          ...(fundingAmount === undefined ? {} : { fundingAmount }),
          signal,
          onEvent(event) {
            // After a cancel, only its end: it removes what the steps before have shown.
            if (signal.aborted && (event.status !== 'error' || checking.current !== ending)) return;
            latest.current.onEvent?.(event);
            if (authorizing || event.step < AUTHORIZATION_STEP) return;
            authorizing = true;
            if (checking.current === ending) checking.current = undefined;
            latest.current.onAuthorizing?.();
          },
          onError(error) {
            if (signal.aborted || (!authorizing && isCancellation(error))) return;
            latest.current.onError?.(error);
          },
        });
        if (result.success) latest.current.onLinked?.(result);
        else if (!authorizing && !signal.aborted) throw resultError(result);
      } finally {
        setRunning((count) => count - 1);
      }
    }
    return {
      linkDevice: (qrData: string) =>
        run((linking) => passkeyManager.linkDeviceWithScannedQRData(qrData, linking)),
      scanAndLinkDevice: () => run((linking) => passkeyManager.scanAndLinkDevice(linking)),
    };
  }, [passkeyManager]);

  return { ...calls, cancel, isLinking: running > 0 };
}

const AUTHORIZATION_STEP = 3;
