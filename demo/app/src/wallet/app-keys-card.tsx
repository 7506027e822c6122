import type { ActionResult, AppKey } from 'latchkey';
import { showAmount, usePasskeyContext, usePasskeyToasts } from 'latchkey-react';
import { type FormEvent, useId, useState } from 'react';
import { toast } from 'sonner';
import { NearField } from './near-field.js';

/** Makes, uses and revokes app keys: each may call one contract without a prompt. */
export function AppKeysCard({ accountId }: { accountId: string }) {
  const { passkeyManager } = usePasskeyContext();
  const toasts = usePasskeyToasts(toast);
  const [keys, setKeys] = useState<readonly AppKey[]>();
  const [contract, setContract] = useState('');
  const [methods, setMethods] = useState('');
  const [prepaid, setPrepaid] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const [called, setCalled] = useState('');
  const id = useId();

  const read = () =>
    passkeyManager.getAppKeys(accountId).then(setKeys, (error: Error) => {
      setProblem(error.message);
    });

  /** Runs a call, shows why it failed, and reads the keys again. */
  async function run(call: () => Promise<ActionResult>): Promise<boolean> {
    if (isBusy) return false;
    setIsBusy(true);
    setProblem('');
    setCalled('');
    try {
      const { success, error } = await call();
      if (!success) setProblem(error ?? 'Operation failed');
      await read();
      return success;
    } catch (thrown) {
      setProblem(thrown instanceof Error ? thrown.message : String(thrown));
      return false;
    } finally {
      setIsBusy(false);
    }
  }

  const options = {
    waitUntil: 'FINAL',
    onEvent: (event: Parameters<typeof toasts.onEvent>[0]) => toasts.onEvent(event, { id: 'app-keys' }),
  } as const;

  async function add(event: FormEvent) {
    event.preventDefault();
    const receiverId = contract.trim();
    if (receiverId === '') return;
    const methodNames = methodsOf(methods);
    const gas = prepaid === '' ? {} : { prepaid };
    const made = { nearAccountId: accountId, receiverId, methodNames, ...gas, options };
    if (!(await run(() => passkeyManager.addAppKey(made)))) return;
    setContract('');
    setMethods('');
    setPrepaid('');
  }

  async function call({ receiverId }: AppKey, methodName: string) {
    const made = { nearAccountId: accountId, receiverId, methodName, args: {}, options };
    if (await run(() => passkeyManager.callWithAppKey(made)))
      setCalled(`${methodName} was called without a prompt.`);
  }

  return (
    <section className="panel card" aria-labelledby={`${id}-title`}>
      <div className="card-head">
        <div>
          <h2 id={`${id}-title`}>App keys</h2>
          <p className="muted">
            You confirm an app key once. After that, the app calls that one contract without asking.
          </p>
        </div>
        <button type="button" className="button small" onClick={() => void read()}>
          Show app keys
        </button>
      </div>
      {keys && keys.length > 0 && (
        <div className="result">
          <ul className="sent" aria-label="App keys of this account">
            {keys.map((key) => (
              <li key={key.publicKey}>
                <div className="sent-head">
                  <strong className="break">{key.receiverId}</strong>
                  <span className={`chip ${key.isHere ? 'good' : 'open'}`}>
                    {key.isHere ? 'This device' : 'Elsewhere'}
                  </span>
                </div>
                <p className="muted break">{describe(key)}</p>
                <div className="row wrap">
                  {key.isHere &&
                    key.methodNames.map((method) => (
                      <button
                        key={method}
                        type="button"
                        className="button small"
                        aria-disabled={isBusy}
                        onClick={() => void call(key, method)}
                      >
                        Call {method}
                      </button>
                    ))}
                  <button
                    type="button"
                    className="button small"
                    aria-disabled={isBusy}
                    aria-label={`Revoke the key for ${key.receiverId}`}
                    onClick={() =>
                      void run(() =>
                        passkeyManager.revokeAppKey({
                          nearAccountId: accountId,
                          publicKey: key.publicKey,
                          options,
                        }),
                      )
                    }
                  >
                    Revoke
                  </button>
                </div>
              </li>
            ))}
          </ul>
        </div>
      )}
      {keys?.length === 0 && <p className="muted">This account has no app key.</p>}
      <form onSubmit={(event) => void add(event)} className="stack">
        <div className="pair">
          <div>
            <label htmlFor={`${id}-contract`}>Contract</label>
            <input
              id={`${id}-contract`}
              className="input"
              value={contract}
              maxLength={64}
              placeholder="game.testnet"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              onChange={(event) => setContract(event.target.value)}
            />
          </div>
          <div>
            <label htmlFor={`${id}-methods`}>Methods (none: all)</label>
            <input
              id={`${id}-methods`}
              className="input"
              value={methods}
              placeholder="play, pass"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              onChange={(event) => setMethods(event.target.value)}
            />
          </div>
        </div>
        <NearField
          label="NEAR for gas, paid in advance (none: an allowance)"
          value={prepaid}
          onChange={setPrepaid}
        />
        <div className="card-end">
          <button type="submit" className="button primary" aria-disabled={isBusy || contract.trim() === ''}>
            Add app key
          </button>
        </div>
      </form>
      {problem && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      <p className="muted" role="status">
        {called}
      </p>
    </section>
  );
}

/** What the key may do, and how much is left of its allowance, or on it. */
function describe({ methodNames, allowance, lanes, isOnChain, expiresAt, isExpired }: AppKey): string {
  const may = methodNames.length === 0 ? 'Every method' : methodNames.join(', ');
  if (!isOnChain) return `${may}. Revoked elsewhere.`;
  if (isExpired) return `${may}. It has ended: your next transaction removes it.`;
  if (expiresAt !== null) return `${may}. Until ${new Date(expiresAt).toLocaleString()}.`;
  if (allowance === null) return `${may}. No limit on fees.`;
  const left = `${showAmount(allowance)?.near ?? '0'} NEAR`;
  return lanes === undefined
    ? `${may}. ${left} left for fees.`
    : `${may}. ${left} left on the key, which pays for its calls in ${lanes} lanes.`;
}

/** The method names of a typed list, separated by commas or spaces. */
const methodsOf = (typed: string): string[] => typed.split(/[\s,]+/).filter((name) => name !== '');
