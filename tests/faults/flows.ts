// The flows whose calls are broken, each as a person goes through it.
import { ENTRY_FLOWS } from './entry-flows.js';
import type { FaultFlow } from './harness.js';
import { KEY_FLOWS } from './key-flows.js';
import { LINKING_FLOWS } from './linking-flows.js';
import { SPENDING_FLOWS } from './spending-flows.js';

/** The longest first, so that at the end none is waited for alone. */
export const FLOWS: readonly FaultFlow[] = [
  ...LINKING_FLOWS,
  ...KEY_FLOWS,
  ...SPENDING_FLOWS,
  ...ENTRY_FLOWS,
];
