import type { Device2Linking } from 'latchkey';
import { CheckCode } from '../surface/check-code.js';
import { Countdown } from '../surface/countdown.js';

const WAITING = 'Waiting for your other device to scan';

export interface LinkingCodeProps {
  /** Absent while the code is being generated. */
  linking?: Device2Linking;
  /** The current step. */
  message?: string | undefined;
  /** The other device has scanned it. */
  found?: boolean;
}

/** The code that lets this device in, and the check code to compare with the other device. */
export function LinkingCode({ linking, message, found = false }: LinkingCodeProps) {
  return (
    <>
      <div className="paper" aria-busy={!linking} data-found={found || undefined}>
        {linking ? (
          <img src={linking.qrCodeDataURL} width={256} height={256} alt="QR code that links this device" />
        ) : (
          <span className="spinner" aria-hidden="true" />
        )}
      </div>
      {linking && !found && <p className="say">Scan to backup your other device.</p>}
      <p className="state" role="status">
        {found && <span className="spinner" aria-hidden="true" />}
        {linking ? message || WAITING : 'Generating QR code...'}
      </p>
      {linking && (
        <div className="compare">
          <CheckCode code={linking.checkCode} />
          <p className="faint">Your other device must show the same code.</p>
        </div>
      )}
      {linking && !found && (
        <p className="faint expiry">
          Expires in <Countdown until={linking.expiresAt} />
        </p>
      )}
    </>
  );
}
