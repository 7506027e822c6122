/** The texts of recovery phrases. */
import { addTexts } from './latchkey-error.js';

export * from './linking.js';

const TEXTS = {
  RECOVERY_PHRASE_OFF:
    'Recovery phrases are off: scripts of this page could read the words. Set keyExport: { sameOrigin: true } in the ' +
    'configuration if every script of this origin is trusted.',
  RECOVERY_PHRASE_LENGTH:
    'A recovery phrase has 12 words, and these are {count}. Enter all of them, in order.',
  RECOVERY_PHRASE_WORD: 'Word {position} is not a word of recovery phrases. Check its spelling.',
  RECOVERY_PHRASE_CHECKSUM:
    'These 12 words do not belong together: one of them is another word, or their order is wrong. Compare them with what ' +
    'you wrote down.',
  RECOVERY_PHRASE_NOT_OF_ACCOUNT:
    'These words do not open {account}: the account does not have their key. Check the name and the words. The account is ' +
    'as it was.',
  RECOVERY_PHRASE_LIMITED:
    'The key of these words is on {account}, but without full access, so it cannot let a passkey in. The account is as it ' +
    'was. Use the words of a key with full access.',
  RECOVERY_PHRASE_NOT_USED:
    'The new passkey was not added to {account}: {reason}. The account is as it was, the words still open it, and the ' +
    'passkey that was made was dropped. Try again.',
  RECOVERY_PHRASE_IN_DOUBT:
    'It is not known yet whether {account} has the key of the new passkey. The account is safe, and the words still open ' +
    'it. Try again with the same words: no second passkey is needed.',
  RECOVERY_KEY_NOT_ADDED:
    'The recovery key was not added to {account}: {reason}. The account is as it was. The words that you wrote down open ' +
    'nothing: destroy them, and make new ones.',
  RECOVERY_KEY_IN_DOUBT:
    'It is not known yet whether {account} has the recovery key: {reason}. Keep the words. They open the account once its ' +
    'list of devices shows the recovery key {key}; if that never comes, destroy them, and make new ones.',
} as const;

export type PhraseTexts = typeof TEXTS;

addTexts(TEXTS);
