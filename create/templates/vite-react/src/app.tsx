import { parseNear } from 'latchkey';
import { LoginMenu, usePasskeyContext } from 'latchkey-react';
import { type FormEvent, useState } from 'react';

/** The login, and then the account's payments. */
export function App() {
  const { loginState, logout } = usePasskeyContext();
  const { isLoggedIn, nearAccountId } = loginState;
  if (!isLoggedIn || !nearAccountId) return <LoginMenu />;
  return (
    <main>
      <h1>Hello, {nearAccountId}</h1>
      <Payment nearAccountId={nearAccountId} />
      <button type="button" onClick={() => void logout()}>
        Log out
      </button>
    </main>
  );
}

function Payment({ nearAccountId }: { nearAccountId: string }) {
  const { passkeyManager } = usePasskeyContext();
  const [receiverId, setReceiverId] = useState('');
  const [outcome, setOutcome] = useState('');

  async function send(event: FormEvent) {
    event.preventDefault();
    setOutcome('Sending…');
    const result = await passkeyManager.executeAction({
      nearAccountId,
      receiverId,
      actionArgs: { type: 'Transfer', amount: parseNear('0.001') },
    });
    setOutcome(result.success ? `Sent in ${result.transactionId}` : (result.error ?? 'Not sent'));
  }

  return (
    <form onSubmit={(event) => void send(event)}>
      <label>
        Receiver <input required value={receiverId} onChange={(event) => setReceiverId(event.target.value)} />
      </label>
      <button type="submit">Send 0.001 NEAR</button>
      <p role="status">{outcome}</p>
    </form>
  );
}
