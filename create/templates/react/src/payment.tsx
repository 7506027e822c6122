import { parseNear } from 'latchkey';
import { usePasskeyContext } from 'latchkey-react';
import { type FormEvent, useState } from 'react';
import { Outcome, useFailureWords } from './outcome';
import { texts } from './texts';

export function Payment({ nearAccountId }: { nearAccountId: string }) {
  const { passkeyManager } = usePasskeyContext();
  const wordsOf = useFailureWords();
  const [receiverId, setReceiverId] = useState('');
  const [said, setSaid] = useState('');
  const [failure, setFailure] = useState('');

  async function send(event: FormEvent) {
    event.preventDefault();
    setFailure('');
    setSaid(texts.sending);
    const result = await passkeyManager.executeAction({
      nearAccountId,
      receiverId,
      actionArgs: { type: 'Transfer', amount: parseNear('0.001') },
    });
    setSaid(result.success ? texts.sent(result.transactionId ?? '') : '');
    setFailure(result.success ? '' : wordsOf(result));
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
