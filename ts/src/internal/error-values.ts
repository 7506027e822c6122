/** A file of its own, outside errors/, so that a bundler leaves out every area's texts where no file imports these. */
export {
  COMES_BACK_TEXT,
  EXECUTED_TEXT,
  errorValues,
  filled,
  type LatchkeyErrorCode,
  QR_TEXTS,
  RECOVERY_PROMPT_TEXTS,
  textValues,
} from '../errors/error-values.js';
