/** The words of a recovery phrase: 12 English words that carry 128 random bits and a checksum (BIP-39). */
import { entropyToMnemonic, mnemonicToSeedWebcrypto, validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import {
  LatchkeyError,
  RECOVERY_PHRASE_CHECKSUM,
  RECOVERY_PHRASE_LENGTH,
  RECOVERY_PHRASE_WORD,
} from '../errors/account.js';
import { splitWords } from './split-words.js';

const WORDS = 12;
const ENTROPY_BYTES = 16;

const known = new Set(wordlist);

/** Makes a phrase from fresh random bytes: 12 words with a space between them. */
export function makePhrase(): string {
  const entropy = crypto.getRandomValues(new Uint8Array(ENTROPY_BYTES));
  try {
    return entropyToMnemonic(entropy, wordlist);
  } finally {
    entropy.fill(0);
  }
}

/**
 * Returns the phrase that a user typed, in the form of {@link makePhrase}; forgives case, spaces, commas and
 * zero-width characters. Throws
 * RECOVERY_PHRASE_LENGTH, RECOVERY_PHRASE_WORD or RECOVERY_PHRASE_CHECKSUM. No error contains a word.
 */
export function readPhrase(typed: string): string {
  const words = splitWords(typed.normalize('NFKD').toLowerCase());
  if (words.length !== WORDS)
    throw new LatchkeyError(RECOVERY_PHRASE_LENGTH, { values: { count: words.length } });
  const unknown = words.findIndex((word) => !known.has(word));
  if (unknown !== -1) throw new LatchkeyError(RECOVERY_PHRASE_WORD, { values: { position: unknown + 1 } });
  const phrase = words.join(' ');
  if (!validateMnemonic(phrase, wordlist)) throw new LatchkeyError(RECOVERY_PHRASE_CHECKSUM);
  return phrase;
}

/** The 64 bytes that BIP-39 derives from a phrase, without a passphrase. The caller wipes them. */
export function seedOf(phrase: string): Promise<Uint8Array> {
  return mnemonicToSeedWebcrypto(phrase);
}
