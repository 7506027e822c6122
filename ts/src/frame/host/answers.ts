/** Reads the wallet page's messages by the table's schemas. */
import { type LatchkeyError, toLatchkeyError } from '../../errors/core.js';
import { MAX_ANSWER_SIZE } from '../plain.js';
import { type MessageType, messageNamed, type WalletMessage, walletMessage } from '../protocol/index.js';
import { read } from '../read.js';
import { copied, invalid } from '../wire-error.js';

export type Read<T> = { readonly value: T } | { readonly error: LatchkeyError };

export function readMessage(data: unknown): Read<WalletMessage> {
  const from = 'of the wallet';
  return attempt(() => read(walletMessage, copied(data, from, '', MAX_ANSWER_SIZE), from, ''));
}

/** Reads the result of a request, or the end of a sticky one. */
export function readResult(type: MessageType, part: 'result' | 'end', value: unknown): Read<unknown> {
  return attempt(() => {
    const schema = messageNamed(type)?.[part];
    if (!schema) throw invalid(type, part, 'there is none');
    return read(schema, value, type, part);
  });
}

function attempt<T>(get: () => T): Read<T> {
  try {
    return { value: get() };
  } catch (error) {
    return { error: toLatchkeyError(error) };
  }
}
