import { LinkDeviceQr, usePasskeyContext } from 'latchkey-react';
import { AlertIcon, BackIcon, ScanIcon } from 'latchkey-react/icons';
import { useEffect, useId, useRef, useState } from 'react';
import { dismissToast, joiningToast, showToast } from '../toasts.js';

/** Offers linking to users whose account is on another device; names the account if it is already typed. */
export function LinkEntry({ accountId, onOpen }: { accountId: string | undefined; onOpen: () => void }) {
  return (
    <div className="other-way">
      {accountId === undefined ? (
        <span className="ask">Already have an account?</span>
      ) : (
        <span className="ask">
          Is <b className="break">{accountId}</b> on another device?
        </span>
      )}
      <button type="button" className="button small" onClick={onOpen}>
        <ScanIcon /> Scan and Link Device
      </button>
    </div>
  );
}

/** Offers to finish a linking from an earlier visit, which takes one more passkey touch. */
export function UnfinishedLinks() {
  const { resumed, resume, passkeyManager, refreshLoginState } = usePasskeyContext();
  const [busy, setBusy] = useState(false);
  const accountId = resumed?.unfinished?.[0];
  if (accountId === undefined) return null;

  async function finish(account: string) {
    setBusy(true);
    const result = await passkeyManager.finishDeviceLinking(account, {
      onEvent: (event) => showToast('linking', joiningToast(event)),
    });
    if (result.success) await refreshLoginState(account);
    await resume().catch(() => undefined);
    setBusy(false);
  }

  return (
    <div className="notice" role="status">
      <AlertIcon />
      <div>
        <strong>Linking not finished yet</strong>
        <p>
          This device was linked to <b className="break">{accountId}</b>, but has no passkey for it yet.
        </p>
        <button
          type="button"
          className="button small"
          aria-disabled={busy}
          onClick={() => {
            if (!busy) void finish(accountId);
          }}
        >
          {busy ? 'Finishing…' : 'Finish linking'}
        </button>
      </div>
    </div>
  );
}

interface LinkViewProps {
  /** The account to join. With it, the passkey is created before the code is shown; without, after the scan. */
  accountId: string | undefined;
  onBack: (problem?: string) => void;
}

/** Shows this device's code until it is linked or the user goes back. */
export function LinkView({ accountId, onBack }: LinkViewProps) {
  const [linked, setLinked] = useState(false);
  const problem = useRef<string>(undefined);
  const back = useRef<HTMLButtonElement>(null);
  const id = useId();
  useEffect(() => back.current?.focus(), []);

  if (linked) {
    return (
      <section className="panel login waiting" aria-label="Waiting">
        <div className="pulse" aria-hidden="true">
          <span className="arc" />
        </div>
        <p role="status">Device linked. Logging in…</p>
      </section>
    );
  }
  return (
    <section className="panel login link-view" aria-labelledby={id}>
      <div className="top">
        <button
          ref={back}
          type="button"
          className="icon-button"
          aria-label="Back"
          onClick={() => {
            dismissToast('linking');
            onBack();
          }}
        >
          <BackIcon />
        </button>
        <h2 id={id}>Scan and Link Device</h2>
      </div>
      {accountId !== undefined && (
        <p className="for">
          For <b className="break">{accountId}</b>. Scan with a device that is logged in to it.
        </p>
      )}
      <LinkDeviceQr
        {...(accountId === undefined ? {} : { accountId })}
        onEvent={(event) => showToast('linking', joiningToast(event))}
        onError={(error) => {
          problem.current = error.message || 'Device linking failed';
        }}
        onClose={(end) => (end === 'linked' ? setLinked(true) : onBack(problem.current))}
        onLinked={() => onBack()}
      />
    </section>
  );
}
