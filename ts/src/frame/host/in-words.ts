/** Says in the words of the wallet in a page what the port refuses of a call's arguments. */
import { isLatchkeyError } from '../../errors/frame.js';

/** The page's error for arguments that the port refused; any other error unchanged. */
export async function inWordsOfThePage(error: unknown, payload: object): Promise<unknown> {
  if (!isLatchkeyError(error, 'INVALID_MESSAGE')) return error;
  return (await import('./argument-words.js')).argumentError(error, payload);
}
