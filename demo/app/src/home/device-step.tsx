import { linkedToast, passkeyToast, thrownText, usePasskeyToasts, useTexts } from 'latchkey-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { texts } from '../texts/texts.js';
import { CLAIMS } from './claims.js';
import { CodePanel } from './code-panel.js';
import { NeedsAccount } from './needs-account.js';
import { Safety } from './safety.js';
import { ScanDevice } from './shown/scan-device.js';
import Code from './shown/scan-device.tsx?code';
import { Step } from './step.js';

/** Of the toasts that the scanner's events show. */
const TOAST_ID = 'linking';
const words = texts.home.device;

/** The third step: a second device of the account that is logged in. */
export function DeviceStep({ isLoggedIn }: { isLoggedIn: boolean }) {
  const [isDone, setIsDone] = useState(false);
  return (
    <Step
      title={words.title}
      lead={words.lead}
      isDone={isDone}
      code={<CodePanel file="scan-device.tsx" of={Code} />}
      safety={<Safety claims={CLAIMS.device} />}
    >
      {isLoggedIn ? (
        <Scanning isDone={isDone} onDone={() => setIsDone(true)} />
      ) : (
        <NeedsAccount label={words.scan} />
      )}
    </Step>
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
