import { usePasskeyContext } from 'latchkey-react';
import { AlertIcon, KeyIcon } from 'latchkey-react/icons';
import { useId, useState } from 'react';

/** Opens the viewer of the account's private key. */
export function ExportKeys({ accountId }: { accountId: string }) {
  const { passkeyManager, theme } = usePasskeyContext();
  const [problem, setProblem] = useState('');
  const [open, setOpen] = useState(false);
  const heading = useId();

  async function exportKeys() {
    if (open) return;
    setOpen(true);
    setProblem('');
    try {
      const result = await passkeyManager.exportNearKeypairWithUI(accountId, { theme });
      // The user closed the viewer: nothing to report.
      if (!result.success && result.errorCode !== 'CANCELLED')
        setProblem(`Key export failed: ${result.error}`);
    } catch (error) {
      setProblem(`Key export failed: ${error instanceof Error ? error.message : String(error)}`);
    }
    setOpen(false);
  }

  return (
    <section className="panel card" aria-labelledby={heading}>
      <div className="card-head">
        <div>
          <h2 id={heading}>Export Keys</h2>
          <p className="muted">View your private keys</p>
        </div>
        <button type="button" className="button small" aria-disabled={open} onClick={() => void exportKeys()}>
          <KeyIcon /> Export keys
        </button>
      </div>
      {problem && (
        <p className="problem" role="alert">
          <AlertIcon />
          <span>{problem}</span>
        </p>
      )}
    </section>
  );
}
