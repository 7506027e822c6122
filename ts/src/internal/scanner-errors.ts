/** A file of its own, outside errors/, so that a bundler adds the scanner's texts where these are imported, and only there. */
export { isLatchkeyError, LatchkeyError } from '../errors/scanner.js';
