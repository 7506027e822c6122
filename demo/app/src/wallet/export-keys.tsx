import { useKeyExport } from 'latchkey-react';
import { AlertIcon, KeyIcon } from 'latchkey-react/icons';
import { useId } from 'react';

/** Opens the viewer of the account's private key. */
export function ExportKeys({ accountId }: { accountId: string }) {
  const { exportKeys, isOpen, problem } = useKeyExport(accountId);
  const heading = useId();
  return (
    <section className="panel card" aria-labelledby={heading}>
      <div className="card-head">
        <div>
          <h2 id={heading}>Export Keys</h2>
          <p className="muted">View your private keys</p>
        </div>
        <button
          type="button"
          className="button small"
          aria-disabled={isOpen}
          onClick={() => void exportKeys()}
        >
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
