import type { Device2Linking } from 'latchkey';
import { useState } from 'react';
import { CheckCode, Countdown } from '../surface/check-code.js';
import { inFull } from '../texts/catalogue.js';
import { englishLinkSteps, type LinkStepTexts } from '../texts/english-link-steps.js';
import { Filled } from '../texts/filled.js';
import { useTexts } from '../texts/use-texts.js';

export interface LinkingCodeProps {
  /** The account is known, so that the passkey was made before the code shows. */
  hasPasskey: boolean;
  /** Absent while the code is being generated. */
  linking?: Device2Linking | undefined;
  /** The current step. */
  message?: string | undefined;
  /** The other device has let this one in. */
  found?: boolean | undefined;
  /** Shows another code in place of this one; offered until the other device has let this one in. */
  onRenew?: (() => void) | undefined;
}

const useLinkStepTexts = (): LinkStepTexts => inFull(englishLinkSteps, useTexts().linkSteps);

/** The code that lets this device in, and, once the user has scanned it, the check code to compare with the other device. */
export function LinkingCode({ hasPasskey, linking, message, found = false, onRenew }: LinkingCodeProps) {
  const words = useTexts().linkCode;
  const steps = useLinkStepTexts();
  const [scanned, setScanned] = useState<Device2Linking>();
  const isScanned = found || (linking !== undefined && scanned === linking);
  return (
    <>
      <Steps
        hasPasskey={hasPasskey}
        current={found ? 'joins' : isScanned ? 'approve' : linking || !hasPasskey ? 'code' : 'passkey'}
      />
      <div className="paper" aria-busy={!linking} data-found={found || undefined}>
        {linking ? (
          <img src={linking.qrCodeDataURL} width={256} height={256} alt={words.picture} />
        ) : (
          <span className="spinner" aria-hidden="true" />
        )}
      </div>
      {linking && !isScanned && (
        <div className="instruction">
          <p className="say">{words.scan}</p>
          <p className="faint">{words.scanMore}</p>
        </div>
      )}
      {linking && !found && !hasPasskey && <p className="say">{steps.prepared}</p>}
      <p className="state" role="status">
        {found && <span className="spinner" aria-hidden="true" />}
        {!linking ? words.generating : isScanned && !found ? steps.approving : message || words.waiting}
      </p>
      {linking && !isScanned && (
        <button type="button" className="button primary" onClick={() => setScanned(linking)}>
          {steps.scanned}
        </button>
      )}
      {linking && isScanned && (
        <div className="compare">
          <CheckCode code={linking.checkCode} />
          {!found && <p className="faint">{words.compare}</p>}
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

const STEPS = ['code', 'approve', 'passkey'] as const;
/** With a known account the passkey comes first, so that nothing runs out while the user makes it. */
const STEPS_WITH_PASSKEY = ['passkey', 'code', 'approve'] as const;

/** The three steps as dots. `joins` is what follows the approval: the passkey, or, where that exists, nothing to do. */
function Steps({ hasPasskey, current }: { hasPasskey: boolean; current: (typeof STEPS)[number] | 'joins' }) {
  const words = useLinkStepTexts();
  const steps: readonly (typeof STEPS)[number][] = hasPasskey ? STEPS_WITH_PASSKEY : STEPS;
  const at = current === 'joins' ? (hasPasskey ? steps.length : 2) : steps.indexOf(current);
  return (
    <ol className="steps" aria-label={words.label}>
      {steps.map((step, index) => (
        <li key={step} data-done={index < at || undefined} aria-current={index === at ? 'step' : undefined}>
          {words[step]}
        </li>
      ))}
    </ol>
  );
}
