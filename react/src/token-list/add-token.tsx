import { isNearAccountId } from 'latchkey/internal';
import { type FormEvent, useId, useRef, useState } from 'react';
import { usePasskeyContext } from '../context.js';
import { FailureNote } from '../surface/failure.js';
import { type Failure, thrownFailure } from '../texts/error-text.js';
import { Filled } from '../texts/filled.js';
import { useTokenTexts } from '../texts/token-texts.js';
import { useLoginState } from '../use-login-state.js';

/** Adds a token by its contract, once that has answered as a token does. */
export function AddToken({ onAdd }: { onAdd: (contractId: string) => void | Promise<void> }) {
  const words = useTokenTexts().list;
  const { config } = usePasskeyContext().passkeyManager;
  const { accountId } = useLoginState();
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string>();
  const [failure, setFailure] = useState<Failure>();
  const [isAdding, setAdding] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isAdding) return;
    const contractId = typed.trim();
    setFailure(undefined);
    if (!isNearAccountId(contractId)) {
      setProblem(contractId === '' ? words.noAddress : words.notAnAddress);
      field.current?.focus();
      return;
    }
    setAdding(true);
    try {
      const { readToken } = await import('latchkey/tokens');
      await readToken(config, accountId ?? contractId, contractId);
      await onAdd(contractId);
      setTyped('');
    } catch (error) {
      setFailure(thrownFailure(error));
    } finally {
      setAdding(false);
    }
  }

  return (
    <details className="add">
      <summary>{words.add}</summary>
      <form className="card form" onSubmit={(event) => void submit(event)} noValidate aria-busy={isAdding}>
        <div className="control">
          <label htmlFor={id}>{words.address}</label>
          <input
            ref={field}
            id={id}
            className="input"
            value={typed}
            autoComplete="off"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            maxLength={80}
            aria-invalid={problem !== undefined}
            aria-describedby={`${id}-hint ${id}-problem`}
            onChange={({ target }) => {
              setTyped(target.value);
              setProblem(undefined);
            }}
          />
          <p id={`${id}-hint`} className="faint small">
            <Filled
              text={words.addressHint}
              example={config.networkId === 'mainnet' ? 'wrap.near' : 'wrap.testnet'}
            />
          </p>
          <p id={`${id}-problem`} className="field-problem" role="alert">
            {problem}
          </p>
        </div>
        {failure && <FailureNote failure={failure} />}
        <button type="submit" className="button" aria-disabled={isAdding}>
          {isAdding ? words.adding : words.addDo}
        </button>
      </form>
    </details>
  );
}
