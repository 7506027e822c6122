/** Makes the errors of the scanner. In the file that loads their texts: a bundler adds these where this is imported, and only there. */
import { LatchkeyError, type LatchkeyErrorCode, type LatchkeyErrorOptions } from '../errors/scanner.js';

export const scannerError = (code: LatchkeyErrorCode, options?: LatchkeyErrorOptions): LatchkeyError =>
  new LatchkeyError(code, options);
