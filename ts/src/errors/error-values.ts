/**
 * Reads an error's message back: the values that fill its code's text. A catalogue in another language fills its own text
 * with them. Loads every area's texts, so only such a catalogue imports it.
 */
import './app-keys.js';
import './button.js';
import './export.js';
import './facade.js';
import './frame.js';
import './linking.js';
import './near-api-js.js';
import './phrase.js';
import './popup.js';
import './recovery.js';
import './registry.js';
import './scanner.js';
import { errorText, filled, isLatchkeyErrorCode, type LatchkeyErrorCode } from './latchkey-error.js';

export { COMES_BACK_TEXT, EXECUTED_TEXT } from './index.js';
export { QR_TEXTS } from './qr.js';
export { RECOVERY_PROMPT_TEXTS } from './recovery.js';
export { filled, type LatchkeyErrorCode };

/** Undefined for a code that is not ours, and for a message that is not the code's text (a relay's or a contract's own). */
export function errorValues(
  code: string | undefined,
  message: string,
): Readonly<Record<string, string>> | undefined {
  return isLatchkeyErrorCode(code) ? textValues(errorText(code), message) : undefined;
}

/** The values that fill a text to a message; undefined for a message that is not the text. */
export function textValues(text: string, message: string): Readonly<Record<string, string>> | undefined {
  const names: string[] = [];
  const pattern = text
    .split(/\{(\w+)\}/)
    .map((part, index) => {
      if (index % 2 === 0) return part.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');
      names.push(part);
      return '(.*?)';
    })
    .join('');
  const found = new RegExp(`^${pattern}$`, 's').exec(message);
  if (!found) return undefined;
  const values = found.slice(1);
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
}
