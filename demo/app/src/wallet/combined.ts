import type { ActionInput, TransactionInput } from 'latchkey';
import { parseNear } from 'latchkey-react';
import { SET_GREETING_GAS, stampedGreeting } from './greeting-text.js';
import type { SentThing } from './sent-rows.js';

/** The combined form as typed; an empty field, or the amount '0', leaves its action out. */
export interface CombinedFields {
  greeting: string;
  /** NEAR, as a person writes it. */
  transfer: string;
  /** NEAR, as a person writes it. */
  stake: string;
  /** The key of the validator: `ed25519:...`. */
  validatorKey: string;
}

export interface Combined {
  transactions: TransactionInput[];
  things: SentThing[];
}

/**
 * The transactions of the filled fields: one for the contract with greeting and transfer, and one for the stake. A
 * transaction has one receiver, and the chain lets an account stake only for itself.
 */
export function combinedOf(
  fields: CombinedFields,
  { accountId, contractId, setAt }: { accountId: string; contractId: string; setAt: Date },
): Combined {
  const actions: ActionInput[] = [];
  const words: string[] = [];
  if (fields.greeting.trim() !== '') {
    const greeting = stampedGreeting(fields.greeting, setAt);
    actions.push({
      type: 'FunctionCall',
      methodName: 'set_greeting',
      args: { greeting },
      gas: SET_GREETING_GAS,
      deposit: '0',
    });
    words.push('Greeting');
  }
  const amount = amountOf(fields.transfer);
  if (amount !== undefined) {
    actions.push({ type: 'Transfer', amount });
    words.push(`${fields.transfer.trim()} NEAR`);
  }
  const combined: Combined = { transactions: [], things: [] };
  if (actions.length > 0) {
    combined.transactions.push({ receiverId: contractId, actions });
    combined.things.push({ what: words.join(' and '), recipient: contractId });
  }
  const stake = amountOf(fields.stake);
  if (stake !== undefined) {
    const action = { type: 'Stake', stake, publicKey: fields.validatorKey.trim() } as const;
    combined.transactions.push({ receiverId: accountId, actions: [action] });
    combined.things.push({ what: `Stake of ${fields.stake.trim()} NEAR`, recipient: accountId });
  }
  return combined;
}

/** The amount in yoctoNEAR; undefined for none, and for 0. */
export function amountOf(near: string): string | undefined {
  const amount = parseNear(near);
  return amount === undefined || amount === '0' ? undefined : amount;
}
