import { usePasskeyContext } from 'latchkey-react';
import { AlertIcon } from 'latchkey-react/icons';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { showToast } from '../toasts.js';

const CHECK_EVERY_MS = 5000;

/** What became of a registration, of an account or of this device in one, whose answer was lost: still open, settled, or gone. Checks again by itself. */
export function PendingRegistrations({ onCommitted }: { onCommitted: () => void }) {
  const { resumed, resume } = usePasskeyContext();
  const [checking, setChecking] = useState(false);
  const committed = resumed?.committed.join(', ') ?? '';
  const pending = resumed?.pending ?? [];
  const open = pending.length > 0;

  // One look at a time: where the chain is slow to answer, looks would pile up.
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
              device. Nothing is lost: your passkey is safe, and the network is asked again every few seconds.
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
            <b className="break">{resumed.mismatched.join(', ')}</b> was created with other keys than the ones
            made on this device. Do not use it.
          </p>
        </div>
      )}
    </>
  );
}
