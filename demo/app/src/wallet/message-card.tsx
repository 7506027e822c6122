import { base64 } from '@scure/base';
import type { SignNep413Result } from 'latchkey';
import { usePasskeyContext, usePasskeyToasts } from 'latchkey-react';
import { AlertIcon, CheckIcon } from 'latchkey-react/icons';
import { type FormEvent, useId, useState } from 'react';
import { toast } from 'sonner';
import { verifyNep413 } from './verify-nep413.js';

interface Signed {
  readonly message: string;
  readonly recipient: string;
  readonly publicKey: string;
  readonly signature: string;
  readonly nonce: string;
}

/** Signs a message off-chain (NEP-413), shows the signature and verifies it in the page. */
export function MessageCard({ accountId }: { accountId: string }) {
  const { passkeyManager } = usePasskeyContext();
  const toasts = usePasskeyToasts(toast);
  const [message, setMessage] = useState('');
  const [recipient, setRecipient] = useState(location.host);
  const [signing, setSigning] = useState(false);
  const [signed, setSigned] = useState<Signed>();
  const [problem, setProblem] = useState<string>();
  const id = useId();
  const incomplete = message.trim() === '' || recipient.trim() === '';

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (signing || incomplete) return;
    setSigning(true);
    setSigned(undefined);
    setProblem(undefined);
    try {
      const params = { message, recipient: recipient.trim() };
      const result = await passkeyManager.signNEP413Message({
        nearAccountId: accountId,
        params,
        options: {
          onEvent: (flowEvent) => toasts.onEvent(flowEvent, { id: 'message', signsOnly: true }),
        },
      });
      const complete = completeOf(result);
      if (complete) setSigned({ ...params, ...complete });
      else setProblem(result.error ?? 'NEP-413 signing failed');
    } catch (thrown) {
      setProblem(thrown instanceof Error ? thrown.message : String(thrown));
    } finally {
      setSigning(false);
    }
  }

  return (
    <section className="panel card" aria-labelledby={`${id}-title`}>
      <div className="card-head">
        <div>
          <h2 id={`${id}-title`}>Sign a message</h2>
          <p className="muted">Proves to a site that you hold this account. Nothing is sent to the chain.</p>
        </div>
      </div>
      <form onSubmit={submit} className="stack">
        <div>
          <label htmlFor={`${id}-message`}>Message</label>
          <textarea
            id={`${id}-message`}
            className="input"
            rows={3}
            value={message}
            maxLength={2000}
            placeholder="What you want to say"
            onChange={(event) => setMessage(event.target.value)}
          />
        </div>
        <div>
          <label htmlFor={`${id}-recipient`}>Recipient</label>
          <div className="row">
            <input
              id={`${id}-recipient`}
              className="input"
              value={recipient}
              maxLength={128}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              onChange={(event) => setRecipient(event.target.value)}
            />
            <button type="submit" className="button primary" aria-disabled={signing || incomplete}>
              {signing ? 'Signing…' : 'Sign message'}
            </button>
          </div>
        </div>
      </form>
      {problem && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      {signed && <Signature signed={signed} />}
    </section>
  );
}

function Signature({ signed }: { signed: Signed }) {
  const [verdict, setVerdict] = useState<{ good: boolean; text: string }>();

  async function verify() {
    try {
      const good = await verifyNep413(
        { message: signed.message, recipient: signed.recipient, nonce: base64.decode(signed.nonce) },
        signed.publicKey,
        signed.signature,
      );
      setVerdict({ good, text: good ? 'Valid: this key signed this message.' : 'Not valid.' });
    } catch {
      setVerdict({ good: false, text: 'This browser cannot check Ed25519 signatures.' });
    }
  }

  return (
    <div className="result" role="status">
      <dl>
        <dt>Signature</dt>
        <dd data-testid="nep413-signature">{signed.signature}</dd>
        <dt>Public key</dt>
        <dd data-testid="nep413-public-key">{signed.publicKey}</dd>
        <dt>Nonce</dt>
        <dd data-testid="nep413-nonce">{signed.nonce}</dd>
      </dl>
      <div className="row">
        <button type="button" className="button small" onClick={() => void verify()}>
          Verify
        </button>
        {verdict && (
          <p className="verdict" data-good={verdict.good}>
            {verdict.good ? <CheckIcon /> : <AlertIcon />} {verdict.text}
          </p>
        )}
      </div>
    </div>
  );
}

function completeOf(result: SignNep413Result): Pick<Signed, 'publicKey' | 'signature' | 'nonce'> | undefined {
  const { success, publicKey, signature, nonce } = result;
  return success && publicKey && signature && nonce ? { publicKey, signature, nonce } : undefined;
}
