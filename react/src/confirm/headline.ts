/** The title of a confirmation and the word on its button, from the model whose digest is signed. */

import type { Action, ConfirmModel, MessageModel, TransactionsConfirmModel } from 'latchkey';
import { movesOfMessage, tokenMoves } from 'latchkey/confirm-moves';
import { filled } from 'latchkey/internal';
import { exactNear, LEAST_SHOWN } from '../format/amount.js';
import { counted } from '../texts/counted.js';
import type { ConfirmTexts } from '../texts/english-confirm.js';
import { actionsOf, describeAction, totalSpent } from './describe-action.js';

export interface Headline {
  /** A text of the catalogue, with the names of the values below in braces. */
  readonly title: string;
  readonly verb: string;
  /** An amount that was read, with its unit. */
  readonly amount?: string;
  /** Plain as {@link METHOD}. */
  readonly method?: string;
  /** Plain as {@link NAME}. */
  readonly recipient?: string;
}

/** One action, and the account that it is done on. */
export interface Step {
  readonly receiverId: string;
  readonly action: Action;
}

/** What a title names of a request. Anything else stands in the body alone, where it cannot pass for the wallet's words. */
const METHOD = /^\w{1,40}$/;
const NAME = /^[\w.:-]{2,64}$/;
/** Text that asks for no more than a login. */
const SIGN_IN = /^\s*(?:please )?(?:sign|log)[ -]?(?:me )?in\b/i;
const LONGEST_SIGN_IN = 300;

export function headlineOf(model: ConfirmModel, texts: ConfirmTexts): Headline {
  switch (model.kind) {
    case 'registration': {
      if (model.label !== undefined) return titled(texts.nameless);
      if (model.recording) return titled(texts.recording);
      if (!model.joining) return titled(texts.registration);
      return titled(model.joining.checkCode === undefined ? texts.adopting : texts.joining);
    }
    case 'nep413':
      return messageHeadline(model, texts);
    case 'transactions':
      if (model.device)
        return titled(model.device.scannedBy === undefined ? texts.linking : texts.linkingByPage);
      return model.withMessage ? titled(texts.together) : transactionsHeadline(model, texts);
  }
}

const titled = ({ title, confirm }: { title: string; confirm: string }): Headline => ({
  title,
  verb: confirm,
});

function messageHeadline(model: MessageModel, { message: words }: ConfirmTexts): Headline {
  const { authorization } = model;
  const recipient = (authorization?.domain ?? model.recipient).replace(/^https:\/\//, '');
  const asked = authorization ? (authorization.action ?? '') : model.message;
  const isSignIn =
    model.isForAnother !== true &&
    (authorization?.path ?? []).length === 0 &&
    asked.length <= LONGEST_SIGN_IN &&
    SIGN_IN.test(asked) &&
    movesOfMessage(model.message, model.recipient) === undefined;
  if (!isSignIn || !NAME.test(recipient)) return titled(words);
  return { title: words.signIn, verb: words.confirmSignIn, recipient };
}

function transactionsHeadline(model: TransactionsConfirmModel, texts: ConfirmTexts): Headline {
  const { acts } = texts;
  const steps = askedSteps(model);
  const [first] = steps;
  if (!first) return acts.nothing;
  const device = removedDevice(model);
  if (device !== undefined)
    return { ...acts.removeDevice, title: filled(acts.removeDevice.title, { number: device }) };
  if (steps.length === 1) return stepHeadline(first, model, texts);
  if (isTokenPayment(steps)) return acts.moves.send;
  const prepaid = prepaidOf(steps, model.accountId);
  if (prepaid !== undefined) return { ...acts.prepaidKey, amount: prepaid };
  const sum = steps.every(doesNothingElse) ? exactSum(model) : undefined;
  if (sum === undefined) return { ...acts.steps, title: counted(acts.steps.title, stepsOf(model).length) };
  const words = steps.every(({ action }) => action.type === 'Transfer') ? acts.payments : acts.sendInSteps;
  return { ...words, title: counted(words.title, steps.length), amount: sum };
}

/** What stands below the title, with the name `{account}`; undefined where the title says enough. */
export function leadOf(model: ConfirmModel, texts: ConfirmTexts): string | undefined {
  switch (model.kind) {
    case 'registration':
      if (model.label !== undefined) return texts.nameless.lead;
      if (model.recording) return texts.recording.lead;
      if (!model.joining) return texts.registration.lead;
      return (model.joining.checkCode === undefined ? texts.adopting : texts.joining).lead;
    case 'nep413': {
      const { lead, leadMoves, leadAuthorizes } = texts.message;
      if (movesOfMessage(model.message, model.recipient)) return leadMoves;
      if (model.authorization) return leadAuthorizes;
      return model.isForAnother ? undefined : lead;
    }
    case 'transactions':
      if (model.device)
        return (model.device.scannedBy === undefined ? texts.linking : texts.linkingByPage).lead;
      return model.withMessage && texts.together.lead;
  }
}

/** Whether a sum of NEAR is the most that a title can say of a step: it moves no tokens, and grants and destroys nothing. */
function doesNothingElse({ receiverId, action }: Step): boolean {
  if (action.type !== 'FunctionCall') return action.type === 'Transfer';
  return tokenMoves({ receiverId, actions: [action] }).length === 0;
}

/** 0.1 NEAR: room for a balance costs about a hundredth of it. */
const MOST_STORAGE = 10n ** 23n;

/** Whether the steps send a fungible token, and pay for no more than the receiver's room for it in the token's contract. */
function isTokenPayment(steps: readonly Step[]): boolean {
  const moves = steps.flatMap(({ receiverId, action }) => tokenMoves({ receiverId, actions: [action] }));
  const [storage, sent] = moves;
  if (steps.length !== 2 || moves.length !== 2 || storage?.method !== 'storage_deposit') return false;
  if (sent?.method !== 'ft_transfer' || sent.does !== 'send' || storage.does !== 'pay-storage') return false;
  if (sent.token !== storage.token || sent.receiverId !== storage.receiverId) return false;
  const total = totalSpent(steps.map(({ action }) => action));
  return total !== undefined && total <= MOST_STORAGE;
}

/** What is paid into the key for calls that the steps add to the account, and nothing else; undefined for any other steps. */
function prepaidOf([added, paid, ...others]: readonly Step[], accountId: string): string | undefined {
  if (added?.action.type !== 'AddKey' || paid?.action.type !== 'TransferToGasKey') return undefined;
  const { publicKey, accessKey } = added.action;
  const isForCalls = accessKey.permission !== 'FullAccess' && 'GasKeyFunctionCall' in accessKey.permission;
  const isOwn = added.receiverId === accountId && paid.receiverId === accountId;
  if (!isForCalls || !isOwn || publicKey !== paid.action.publicKey || others.length > 0) return undefined;
  return exactNear(paid.action.deposit);
}

/** The NEAR that leaves the account; undefined where it cannot be read, or is too little to be meant. */
function exactSum(model: TransactionsConfirmModel): string | undefined {
  const total = totalSpent(actionsOf(model));
  return total === undefined || total < LEAST_SHOWN ? undefined : exactNear(String(total));
}

/** The number of the device that a request removes, where it does nothing else. */
export function removedDevice(model: TransactionsConfirmModel): number | undefined {
  const [device, ...others] = model.removes ?? [];
  if (!device || others.length > 0) return undefined;
  const total = totalSpent(actionsOf(model));
  if (total === undefined || total >= LEAST_SHOWN) return undefined;
  const steps = askedSteps(model);
  const isOwnKey = ({ receiverId, action }: Step) =>
    action.type === 'DeleteKey' && receiverId === model.accountId;
  const isRegistration = ({ action }: Step) =>
    action.type === 'FunctionCall' && action.methodName === 'remove_authenticator';
  const isOnlyThat = steps.every((step) => isOwnKey(step) || isRegistration(step));
  return isOnlyThat && steps.filter(isOwnKey).length <= 1 ? device.deviceNumber : undefined;
}

/** What one action does. */
export function stepHeadline(
  { receiverId, action }: Step,
  { recoveryKey }: Pick<TransactionsConfirmModel, 'recoveryKey'>,
  { acts, actions }: ConfirmTexts,
): Headline {
  switch (action.type) {
    case 'Transfer': {
      const amount = exactNear(action.amount);
      return amount === undefined ? acts.unreadTransfer : { ...acts.transfer, amount };
    }
    case 'Stake': {
      const amount = exactNear(action.stake);
      return amount === undefined
        ? { title: actions.stake, verb: acts.stakes.verb }
        : { ...acts.stakes, amount };
    }
    case 'FunctionCall':
      return callHeadline(receiverId, action, acts);
    case 'AddKey':
      if (action.publicKey === recoveryKey) return acts.recoveryKey;
  }
  return { title: describeAction(action, actions).title, verb: acts.verbs[action.type] };
}

/** A call that attaches NEAR is named by that: a contract is free in what its methods do with it. */
function callHeadline(
  receiverId: string,
  call: Extract<Action, { type: 'FunctionCall' }>,
  acts: ConfirmTexts['acts'],
): Headline {
  const { methodName: method, deposit } = call;
  const isPlain = METHOD.test(method);
  const amount = exactNear(deposit);
  if (amount !== undefined && BigInt(deposit) >= LEAST_SHOWN)
    return isPlain ? { ...acts.callWith, method, amount } : { ...acts.callUnnamedWith, amount };
  const [move, ...others] = tokenMoves({ receiverId, actions: [call] });
  if (amount !== undefined && move && others.every(({ does }) => does === move.does)) {
    const words = Object.entries(acts.moves).find(([does]) => does === move.does);
    if (words) return words[1];
  }
  return isPlain ? { ...acts.call, method } : acts.callUnnamed;
}

/** Every action of a request, in its order. */
export function stepsOf({ transactions }: Pick<TransactionsConfirmModel, 'transactions'>): Step[] {
  return transactions.flatMap(({ receiverId, actions }) => actions.map((action) => ({ receiverId, action })));
}

/** What is asked for: all but what the wallet adds itself. */
const askedSteps = ({ transactions, ownDeletions = 0 }: TransactionsConfirmModel): Step[] =>
  stepsOf({ transactions: transactions.slice(0, transactions.length - ownDeletions) });

/** The one action that the title of a request says. */
export function titledStep(model: TransactionsConfirmModel): Step | undefined {
  const [first, ...others] = stepsOf(model);
  return others.length > 0 || model.device || model.withMessage ? undefined : first;
}
