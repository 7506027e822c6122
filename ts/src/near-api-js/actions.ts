import type { Action as NearAction, PublicKey } from 'near-api-js';
import { type ClientWords, toActionInput } from '../client-actions.js';
import type { ActionInput } from '../types.js';

const WORDS: ClientWords<PublicKey> = {
  keyText: (key) => key.toString(),
};

/** near-api-js's actions of one transaction as the wallet shows and signs them. */
export function toActionInputs(actions: readonly NearAction[]): ActionInput[] {
  return actions.map((action) => toActionInput(action, WORDS));
}
