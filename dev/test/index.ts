/** `latchkey-dev/test`: a stack for a run of tests, by Vitest, Playwright or any other runner. */
export type { Stack, StackAddresses, StackOptions } from '../stack/stack.js';
export { type GlobalSetup, stackSetup, startStack, type TestRunner } from './stack.js';
