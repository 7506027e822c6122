/**
 * What the client makes of every variant of the errors that nearcore's own types write about a transaction. A variant that
 * the vectors get is a failure here until the client's reading of it is decided.
 */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { skipWaits } from '../testing/skip-waits.js';
import { describeChainError, networkLack } from './chain-error.js';
import { actionErrorKind, executionFailure, outcomeReader } from './rpc-answer.js';
import { errorFromAnswer, rpcFailure } from './rpc-error.js';
import { fateOfOutcome } from './send.js';
import { blockAt, invalid, UNKNOWN_TRANSACTION } from './testing/scripted-node.js';
import { FREE, hash, outcome, SPENT, send } from './testing/sending.js';
import { stateOf, VALIDITY_BLOCKS } from './transaction-state.js';

type ChainError = string | Readonly<Record<string, unknown>>;

const { errors } = JSON.parse(
  readFileSync(new URL('../../../tests/vectors/rpc/nearcore-errors.json', import.meta.url), 'utf8'),
) as { errors: Readonly<Record<string, readonly ChainError[]>> };

const of = (name: string): readonly ChainError[] => errors[name] ?? [];
const variant = (error: ChainError): string =>
  typeof error === 'string' ? error : (Object.keys(error)[0] ?? '');
const inside = (name: string, inner: readonly ChainError[]): ChainError[] =>
  inner.map((error) => ({ [name]: error }));
/** An error with the title of its test. */
const named = (error: ChainError): readonly [string, ChainError] => [JSON.stringify(error), error];
const innermostVariant = (error: ChainError): string =>
  typeof error !== 'string' && 'ActionsValidation' in error
    ? variant(error.ActionsValidation as ChainError)
    : variant(error);

const storage = [
  ...of('StorageError'),
  ...of('MissingTrieValueContext').map((context) => ({ MissingTrieValue: { context, hash } })),
];
const refusals = [
  ...of('InvalidTxError'),
  ...inside('InvalidAccessKeyError', of('InvalidAccessKeyError')),
  ...inside('ActionsValidation', of('ActionsValidationError')),
  ...inside('StorageError', storage),
  ...of('DepositCostFailureReason').map((reason) => ({
    NotEnoughBalanceForDeposit: { signer_id: 'a.testnet', balance: '1', cost: '2', reason },
  })),
];
const contractFailures = [
  ...of('FunctionCallError'),
  ...inside('CompilationError', of('CompilationError')),
  ...inside('CompilationError', inside('PrepareError', of('PrepareError'))),
  ...inside('MethodResolveError', of('MethodResolveError')),
  ...inside('WasmTrap', of('WasmTrap')),
  ...inside('HostError', of('HostError')),
];
const receiptFaults = [
  ...of('ReceiptValidationError'),
  ...inside('ActionsValidation', of('ActionsValidationError')),
];
const actionErrors = [
  ...of('ActionErrorKind'),
  ...inside('DelegateActionAccessKeyError', of('InvalidAccessKeyError')),
  ...inside('FunctionCallError', contractFailures),
  ...inside('NewReceiptValidationError', receiptFaults),
];

const failures: ChainError[] = [
  ...inside('InvalidTxError', refusals),
  ...actionErrors.map((kind) => ({ ActionError: { index: 0, kind } })),
];

/**
 * Of a refusal at submission. `certain`: of the transaction itself. `again`: by what a node that lags may not know yet, so
 * the same bytes go out again before it is believed. `busy`: of the node, which says nothing about the transaction.
 */
const READINGS: Readonly<Record<string, 'certain' | 'again' | 'busy'>> = {
  InvalidAccessKeyError: 'again',
  InvalidSignerId: 'certain',
  SignerDoesNotExist: 'again',
  InvalidNonce: 'again',
  NonceTooLarge: 'certain',
  InvalidReceiverId: 'certain',
  InvalidSignature: 'certain',
  NotEnoughBalance: 'again',
  LackBalanceForState: 'again',
  CostOverflow: 'certain',
  InvalidChain: 'certain',
  Expired: 'again',
  ActionsValidation: 'certain',
  TransactionSizeExceeded: 'certain',
  InvalidTransactionVersion: 'certain',
  StorageError: 'busy',
  ShardCongested: 'busy',
  ShardStuck: 'busy',
  InvalidNonceIndex: 'again',
  NotEnoughGasKeyBalance: 'again',
  NotEnoughBalanceForDeposit: 'again',
};

/** What the network does not have, by the errors that say so. */
const LACKS: Readonly<Record<string, readonly [lacks: string, reason: string]>> = {
  InvalidTransactionVersion: ['not-yet', 'this network does not have transactions of this form yet'],
  UnsupportedProtocolFeature: ['not-yet', 'this network does not have gas keys yet'],
  TransferToUniversalAccountNotAllowed: ['not-yet', 'this network does not have universal accounts yet'],
  RemovedProtocolFeature: ['no-longer', 'this network no longer has delegate actions of version 2'],
};

skipWaits();

describe("an error of nearcore's own types", () => {
  it('is of a variant whose reading is decided', () => {
    expect(Object.keys(READINGS)).toEqual(of('InvalidTxError').map(variant));
    expect(of('TxExecutionError').map(variant)).toEqual(['ActionError', 'InvalidTxError']);
  });

  it.each(refusals.map(named))('refuses or delays a transaction: %s', async (_, error) => {
    const name = variant(error);
    const reading = READINGS[name];
    const { end, sends } = await send({
      send_tx: [invalid(error), outcome('FINAL')],
      tx: [UNKNOWN_TRANSACTION],
      query: [FREE],
      block: [blockAt(5)],
    });
    const refused = { code: 'TRANSACTION_FAILED', kind: 'invalid_transaction', reason: name };
    expect(end).toMatchObject(reading === 'certain' ? refused : { transactionId: hash });
    expect(sends).toBe(reading === 'certain' ? 1 : 2);
  });

  it.each(refusals.map(named))('is the end where every node keeps to it: %s', async (_, error) => {
    const name = variant(error);
    const { end } = await send({
      send_tx: [invalid(error)],
      tx: [UNKNOWN_TRANSACTION],
      query: [name === 'Expired' ? FREE : SPENT],
      block: [blockAt(5), blockAt(6 + VALIDITY_BLOCKS)],
    });
    const refused = { kind: 'invalid_transaction', reason: name };
    // Nodes that are busy may have kept the bytes.
    expect(end).toMatchObject(READINGS[name] === 'busy' ? { kind: 'outcome_unknown' } : refused);
  });

  it.each(failures.map(named))('is the failure of an executed transaction: %s', (_, failure) => {
    const read = outcomeReader(hash)(outcome('FINAL', { Failure: failure }).result);
    expect([stateOf(read).name, fateOfOutcome(read)]).toEqual(['final', 'failed']);
    const { ActionError: action } = failure as { ActionError?: { kind: ChainError } };
    expect(actionErrorKind(executionFailure(read))).toBe(action && variant(action.kind));
    const words =
      JSON.stringify(failure)
        .match(/"[^"]+"/g)
        ?.map((quoted) => quoted.slice(1, -1)) ?? [];
    const reason = describeChainError(failure);
    const lack = networkLack(failure);
    expect(words.some((word) => reason.startsWith(word)) ? undefined : reason).toBe(lack?.reason);
  });

  it('says what the network does not have, where that is the reason', async () => {
    const said = refusals.flatMap((error) => {
      const answer = errorFromAnswer(invalid(error).error);
      const lacks = rpcFailure(answer)?.lacks;
      return lacks ? [[innermostVariant(error), [lacks, answer.message]]] : [];
    });
    const rejected = (reason: string) => `The chain rejected the transaction: ${reason}`;
    const expected = Object.entries(LACKS).map(([name, [lacks, reason]]) => [
      name,
      [lacks, rejected(reason)],
    ]);
    expect(Object.fromEntries(said)).toEqual(Object.fromEntries(expected));
    const failed = failures.flatMap((error) => networkLack(error) ?? []).map(({ reason }) => reason);
    expect(new Set(failed)).toEqual(new Set(Object.values(LACKS).map(([, reason]) => reason)));
  });

  it('names a feature that it does not know as the chain does, and believes no words of a contract', () => {
    const feature = { UnsupportedProtocolFeature: { protocol_feature: 'Spice', version: 84 } };
    expect(networkLack({ InvalidTxError: { ActionsValidation: feature } })?.reason).toBe(
      'this network does not have Spice yet',
    );
    const kind = { FunctionCallError: { ExecutionError: 'InvalidTransactionVersion' } };
    expect(networkLack({ ActionError: { index: 0, kind } })).toBeUndefined();
  });
});
