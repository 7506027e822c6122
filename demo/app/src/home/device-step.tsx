import type { RegisteredDevice } from 'latchkey';
import {
  linkedToast,
  passkeyToast,
  thrownText,
  usePasskeyContext,
  usePasskeyToasts,
  useTexts,
} from 'latchkey-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { texts } from '../texts/texts.js';
import { CLAIMS } from './claims.js';
import { CodePanel } from './code-panel.js';
import { NeedsAccount } from './needs-account.js';
import { NotSent } from './not-sent.js';
import { Safety } from './safety.js';
import { ScanDevice } from './shown/scan-device.js';
import Code from './shown/scan-device.tsx?code';
import { Step } from './step.js';

/** The id of an account without a name. */
const NAMELESS = /^[\da-f]{64}$/;
/** Of the toasts that the scanner's events show. */
const TOAST_ID = 'linking';
const words = texts.home.device;

/** The third step: a second device of the account that is logged in. */
export function DeviceStep({ accountId }: { accountId: string | undefined }) {
  const [isDone, setIsDone] = useState(false);
  return (
    <Step
      title={words.title}
      lead={words.lead}
      isDone={isDone}
      code={<CodePanel file="scan-device.tsx" of={Code} />}
      safety={<Safety claims={CLAIMS.device} />}
    >
      {accountId !== undefined ? (
        <>
          {NAMELESS.test(accountId) && <Registering accountId={accountId} />}
          <Scanning isDone={isDone} onDone={() => setIsDone(true)} />
        </>
      ) : (
        <NeedsAccount label={words.scan} />
      )}
    </Step>
  );
}

/** The registry records the passkey of an account without a name, so that other devices can be linked. */
function Registering({ accountId }: { accountId: string }) {
  const { passkeyManager } = usePasskeyContext();
  const [isBusy, setIsBusy] = useState(false);
  const [result, setResult] = useState<RegisteredDevice>();
  async function register() {
    if (isBusy) return;
    setIsBusy(true);
    try {
      setResult(await passkeyManager.registerDevice(accountId));
    } finally {
      setIsBusy(false);
    }
  }
  return (
    <div className="stack">
      <p>{words.registering}</p>
      <div>
        <button type="button" className="button" aria-disabled={isBusy} onClick={() => void register()}>
          {words.register}
        </button>
      </div>
      <p role="status">{result?.success && words.registered}</p>
      {result && !result.success && <NotSent result={result} />}
    </div>
  );
}

function Scanning({ isDone, onDone }: { isDone: boolean; onDone: () => void }) {
  const { linkTitle } = useTexts().scanner;
  const toasts = usePasskeyToasts(toast);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className="stack">
      <p className="break">{words.how(location.host, linkTitle)}</p>
      <div>
        <button type="button" className="button primary" onClick={() => setIsOpen(true)}>
          {words.scan}
        </button>
      </div>
      <p role="status">{isDone && words.linked}</p>
      <ScanDevice
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        onError={(error) => toasts.show(passkeyToast(TOAST_ID, 'error', thrownText(error)))}
        onLinked={({ linkedToAccount }) => {
          toasts.show(linkedToast(linkedToAccount ?? '', TOAST_ID));
          onDone();
        }}
      />
    </div>
  );
}
