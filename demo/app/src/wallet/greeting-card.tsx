import type { ActionResult } from 'latchkey';
import { plainUntrusted, usePasskeyContext, usePasskeyToasts } from 'latchkey-react';
import { RefreshIcon } from 'latchkey-react/icons';
import { type FormEvent, useId, useState } from 'react';
import { toast } from 'sonner';
import { texts } from '../texts/texts.js';
import type { GreetingStore } from './greeting-store.js';
import { excessBytes, SET_GREETING_GAS, stampedGreeting } from './greeting-text.js';
import { useFollow } from './use-follow.js';
import { useGreeting } from './use-greeting.js';

const words = texts.greeting;

/** Shows the greeting that anyone may set, and sets a new one with a passkey. */
export function GreetingCard({
  accountId,
  store,
  onTransaction,
}: {
  accountId: string;
  store: GreetingStore;
  onTransaction: (result: ActionResult) => void;
}) {
  const { passkeyManager } = usePasskeyContext();
  const toasts = usePasskeyToasts(toast);
  const follow = useFollow('greeting');
  const { contractId } = passkeyManager.config;
  const { greeting, fetching, error } = useGreeting(store);
  const [text, setText] = useState('');
  const [sending, setSending] = useState(false);
  const id = useId();
  const excess = excessBytes(stampedGreeting(text, new Date()));
  const blocked = text.trim() === '' || excess > 0;

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (sending || blocked) return;
    setSending(true);
    try {
      const result = await passkeyManager.executeAction({
        nearAccountId: accountId,
        receiverId: contractId,
        actionArgs: {
          type: 'FunctionCall',
          methodName: 'set_greeting',
          args: { greeting: stampedGreeting(text, new Date()) },
          gas: SET_GREETING_GAS,
          deposit: '0',
        },
        options: {
          waitUntil: 'FINAL',
          onEvent: (flowEvent) => toasts.onEvent(flowEvent, { id: 'greeting' }),
        },
      });
      onTransaction(result);
      if (result.fate === 'unknown') await follow();
      if (result.success) {
        setText('');
        await store.fetchChange();
      }
    } finally {
      setSending(false);
    }
  }

  return (
    <section className="panel card" aria-labelledby={`${id}-title`}>
      <div className="card-head">
        <h2 id={`${id}-title`}>{words.title}</h2>
        <button
          type="button"
          className="icon-button"
          aria-label={words.refresh}
          aria-disabled={fetching}
          onClick={() => void store.fetch()}
        >
          <RefreshIcon />
        </button>
      </div>
      <blockquote aria-label={words.current} aria-busy={fetching} aria-live="polite" data-testid="greeting">
        {greeting === undefined ? (
          <span className="muted">{error ? words.unread : words.reading}</span>
        ) : (
          plainUntrusted(greeting) || <span className="muted">{words.none}</span>
        )}
      </blockquote>
      {error && (
        <p className="problem" role="alert">
          {error}
        </p>
      )}
      <form onSubmit={submit}>
        <label htmlFor={`${id}-text`}>{words.field}</label>
        <div className="row">
          <input
            id={`${id}-text`}
            className="input"
            value={text}
            maxLength={280}
            placeholder={words.placeholder}
            autoComplete="off"
            aria-describedby={`${id}-excess`}
            aria-invalid={excess > 0}
            onChange={(event) => setText(event.target.value)}
            onFocus={() => void passkeyManager.prefetchBlockheight().catch(() => undefined)}
          />
          <button type="submit" className="button primary" aria-disabled={sending || blocked}>
            {sending ? words.sending : words.set}
          </button>
        </div>
        <p id={`${id}-excess`} className="problem" role="status">
          {excess > 0 && words.tooLong(excess)}
        </p>
      </form>
    </section>
  );
}
