import { usePasskeyContext } from 'latchkey-react';
import { AlertIcon } from 'latchkey-react/icons';
import { useEffect, useEffectEvent } from 'react';
import { showToast } from '../toasts.js';

/** Shows the state of a registration, of an account or a device, whose answer was lost: pending, settled or dropped. Rechecks by itself. */
export function PendingRegistrations({ onCommitted }: { onCommitted: () => void }) {
  const { resumed, resume, isResuming } = usePasskeyContext();
  const committed = resumed?.committed.join(', ') ?? '';
  const pending = resumed?.pending ?? [];
  const open = pending.length > 0;

  async function check() {
    try {
      await resume();
    } catch (error) {
      showToast('resume', { kind: 'error', text: error instanceof Error ? error.message : String(error) });
    }
  }

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
              aria-disabled={isResuming}
              onClick={() => {
                if (!isResuming) void check();
              }}
            >
              {isResuming ? 'Checking…' : 'Check now'}
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
