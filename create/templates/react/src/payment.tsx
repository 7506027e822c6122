import { parseNear } from 'latchkey';
import { type Failure, outcomeFailure, usePasskeyContext } from 'latchkey-react';
import { type FormEvent, useState } from 'react';
import { Outcome } from './outcome';
import { texts } from './texts';

export function Payment({ nearAccountId }: { nearAccountId: string }) {
  const { passkeyManager } = usePasskeyContext();
  const [receiverId, setReceiverId] = useState('');
  const [said, setSaid] = useState('');
  const [failure, setFailure] = useState<Failure>();

  async function send(event: FormEvent) {
    event.preventDefault();
    setFailure(undefined);
    setSaid(texts.sending);
    const result = await passkeyManager.executeAction({
      nearAccountId,
      receiverId,
      actionArgs: { type: 'Transfer', amount: parseNear('0.001') },
    });
    setSaid(result.success ? texts.sent(result.transactionId ?? '') : '');
    setFailure(result.success ? undefined : outcomeFailure(result));
  }

  return (
    <form onSubmit={(event) => void send(event)}>
      <label>
        {texts.receiver}
        <input required value={receiverId} onChange={(event) => setReceiverId(event.target.value)} />
      </label>
      <button type="submit">{texts.send}</button>
      <Outcome said={said} failure={failure} />
    </form>
  );
}
