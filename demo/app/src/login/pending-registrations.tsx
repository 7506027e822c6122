import { usePasskeyContext } from 'latchkey-react';
import { AlertIcon } from 'latchkey-react/icons';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { showToast } from '../toasts.js';

const CHECK_EVERY_MS = 5000;

/** Shows the state of a registration, of an account or a device, whose answer was lost: pending, settled or dropped. Rechecks by itself. */
export function PendingRegistrations({ onCommitted }: { onCommitted: () => void }) {
  const { resumed, resume } = usePasskeyContext();
  const [checking, setChecking] = useState(false);
  const committed = resumed?.committed.join(', ') ?? '';
  const pending = resumed?.pending ?? [];
  const open = pending.length > 0;

  // One check at a time: with a slow chain they would pile up.
  const running = useRef(false);
  async function check() {
    if (running.current) return;
    running.current = true;
    setChecking(true);
    try {
      await resume();
    } catch (error) {
      showToast('resume', { kind: 'error', text: error instanceof Error ? error.message : String(error) });
    } finally {
      running.current = false;
      setChecking(false);
    }
  }
  const checkAgain = useEffectEvent(() => void check());
  useEffect(() => {
    if (!open) return;
    const timer = setInterval(() => checkAgain(), CHECK_EVERY_MS);
    return () => clearInterval(timer);
  }, [open]);

  const announce = useEffectEvent(() => {
    showToast('resume', { kind: 'success', text: `${committed} is registered. You can log in.` });
    onCommitted();
  });
  useEffect(() => {
    if (committed) announce();
  }, [committed]);

  return (
    <>
      {open && (
        <div className="notice" role="status">
          <AlertIcon />
          <div>
            <strong>Registration not settled yet</strong>
            <p>
              It is not known yet whether <b className="break">{pending.join(', ')}</b> was set up with this
              device. Nothing is lost: your passkey is safe, and this page asks the network every few seconds.
            </p>
            {resumed?.problems?.map(({ accountId, error }) => (
              <p key={accountId} role="alert">
                {error}
              </p>
            ))}
            <button
              type="button"
              className="button small"
              aria-disabled={checking}
              onClick={() => void check()}
            >
              {checking ? 'Checking…' : 'Check now'}
            </button>
          </div>
        </div>
      )}
      {resumed && resumed.dropped.length > 0 && (
        <div className="notice" role="status">
          <AlertIcon />
          <p>
            <b className="break">{resumed.dropped.join(', ')}</b> was not set up with this device. You can try
            again.
          </p>
        </div>
      )}
      {resumed && resumed.mismatched.length > 0 && (
        <div className="notice bad" role="alert">
          <AlertIcon />
          <p>
            <b className="break">{resumed.mismatched.join(', ')}</b> was created with keys that differ from
            the ones made on this device. Do not use it.
          </p>
        </div>
      )}
    </>
  );
}
