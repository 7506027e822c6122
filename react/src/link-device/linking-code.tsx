import type { Device2Linking } from 'latchkey';
import { CheckCode, Countdown } from '../surface/check-code.js';
import { Filled } from '../texts/filled.js';
import { useTexts } from '../texts/use-texts.js';

export interface LinkingCodeProps {
  /** Absent while the code is being generated. */
  linking?: Device2Linking | undefined;
  /** The current step. */
  message?: string | undefined;
  /** The other device has scanned it. */
  found?: boolean | undefined;
  /** Shows another code in place of this one; offered until the other device has scanned it. */
  onRenew?: (() => void) | undefined;
}

/** The code that lets this device in, and the check code to compare with the other device. */
export function LinkingCode({ linking, message, found = false, onRenew }: LinkingCodeProps) {
  const words = useTexts().linkCode;
  return (
    <>
      <div className="paper" aria-busy={!linking} data-found={found || undefined}>
        {linking ? (
          <img src={linking.qrCodeDataURL} width={256} height={256} alt={words.picture} />
        ) : (
          <span className="spinner" aria-hidden="true" />
        )}
      </div>
      {linking && !found && (
        <div className="instruction">
          <p className="say">{words.scan}</p>
          <p className="faint">{words.scanMore}</p>
        </div>
      )}
      <p className="state" role="status">
        {found && <span className="spinner" aria-hidden="true" />}
        {linking ? message || words.waiting : words.generating}
      </p>
      {linking && (
        <div className="compare">
          <CheckCode code={linking.checkCode} />
          <p className="faint">{words.compare}</p>
        </div>
      )}
      {linking && !found && (
        <p className="faint expiry">
          <Filled text={words.expiresIn} time={<Countdown until={linking.expiresAt} />} />
        </p>
      )}
      {linking && !found && onRenew && (
        <button type="button" className="button" onClick={onRenew}>
          {words.renew}
        </button>
      )}
    </>
  );
}
