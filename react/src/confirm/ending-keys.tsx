import type { AppKeyModel } from 'latchkey';
import { dateOf } from '../format/date.js';
import { Filled } from '../texts/filled.js';
import { useConfirmTexts } from '../texts/use-confirm-texts.js';
import { WarningSign } from './action-list.js';
import { Untrusted } from './untrusted.js';

/** Says until when the wallet uses an app key, which the signed action does not, and why one that has ended is removed. */
export function EndingKeys({ keys }: { keys: readonly AppKeyModel[] }) {
  const { note, appKeys: words } = useConfirmTexts();
  return keys.map(({ publicKey, receiverId, expiresAt, change }) => (
    <p key={publicKey} className="warning note">
      <WarningSign />
      <span>
        <strong>{note}</strong>{' '}
        <Filled
          text={change === 'added' ? words.added(dateOf(expiresAt)) : words.removed(dateOf(expiresAt))}
          contract={<Untrusted text={receiverId} />}
        />
      </span>
    </p>
  ));
}
