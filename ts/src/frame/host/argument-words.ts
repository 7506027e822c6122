/**
 * What the wallet in a page says of arguments that the port refuses: it has words for its callers, and the port's schemas
 * know only their shape.
 */
import { errorFrom, isLatchkeyError, type LatchkeyError } from '../../errors/latchkey-error.js';
import { checkedBounds, checkedDeposit, checkedPrepaid } from '../../flows/app-keys/bounds.js';
import { fundingAmount } from '../../flows/linking/device1-checks.js';
import { parseLinkQr } from '../../flows/linking/qr.js';
import { assertList, assertPublicKey, completeTransactions } from '../../flows/signing/actions.js';
import { bytesAndId } from '../../flows/signing/send-without-prompt.js';
import { completeMessage } from '../../flows/signing/sign-nep413.js';
import { assertExistingAccountId } from '../../near/account-id.js';
import { completeAuthorization } from '../../nep641/to-sign.js';
import type {
  ActionInput,
  AppKeyCall,
  AppKeyToMake,
  DelegateActionInput,
  LinkDeviceQrData,
  SignNep413Params,
  SignNep641Params,
  TransactionInput,
} from '../../types.js';
import type { CallName } from '../../wallet.js';
import type { WireSignedTransaction } from '../protocol/wire-transaction.js';

/** The arguments of every call, as they cross. A page without types may have given anything else, which the checks expect. */
interface Given extends AppKeyCall, Omit<AppKeyToMake, 'receiverId'> {
  readonly publicKey: string;
  readonly nearAccountId: string;
  readonly accountId: string;
  readonly actionArgs: DelegateActionInput['actions'];
  readonly actions: DelegateActionInput['actions'];
  readonly transactions: readonly TransactionInput[];
  readonly delegateActions: readonly DelegateActionInput[];
  readonly params: SignNep413Params | SignNep641Params;
  readonly signMessage: SignNep413Params;
  readonly signedTransaction: WireSignedTransaction;
  readonly publicKeyToDelete: string;
  readonly qrData: string | LinkDeviceQrData;
  readonly fundingAmount: string;
}
type Check = (given: Given) => unknown;

const ofActions = ({ receiverId, actions }: DelegateActionInput) =>
  completeTransactions([{ receiverId, actions: [actions].flat() as readonly ActionInput[] }]);
const ofTransaction: Check = ({ receiverId, actionArgs, actions = actionArgs }) =>
  ofActions({ receiverId, actions });
const ofCall: Check = ({ receiverId, ...call }) =>
  ofActions({ receiverId, actions: { ...call, type: 'FunctionCall' } });
const ofBounds: Check = (given) => checkedBounds(given, '');
const ofMessage: Check = ({ params, signMessage = params }) =>
  completeMessage(signMessage as SignNep413Params);
const ofAuthorization: Check = ({ nearAccountId, params }) =>
  completeAuthorization(nearAccountId, params as SignNep641Params);

/** By the name of the refused argument. */
const CHECKS: Readonly<Record<string, Check>> = {
  nearAccountId: ({ nearAccountId }) => assertExistingAccountId(nearAccountId),
  accountId: ({ accountId }) => assertExistingAccountId(accountId),
  receiverId: (given) =>
    ('methodName' in given ? ofCall : 'actions' in given || 'actionArgs' in given ? ofTransaction : ofBounds)(
      given,
    ),
  actionArgs: ofTransaction,
  actions: ofTransaction,
  methodName: ofCall,
  args: ofCall,
  gas: ofCall,
  methodNames: ofBounds,
  allowance: ofBounds,
  prepaid: (given) => ('publicKey' in given ? checkedDeposit(given.prepaid) : checkedPrepaid(given)),
  paidBy: checkedPrepaid,
  lanes: checkedPrepaid,
  transactions: ({ transactions }) => completeTransactions(transactions),
  delegateActions: ({ delegateActions }) => {
    assertList(delegateActions);
    delegateActions.forEach(ofActions);
  },
  params: ofMessage,
  signMessage: ofMessage,
  signedTransaction: ({ signedTransaction }) => bytesAndId({ borshBytes: signedTransaction?.borsh_bytes }),
  publicKeyToDelete: ({ publicKeyToDelete }) => assertPublicKey('deleteDeviceKey', publicKeyToDelete),
  qrData: ({ qrData }) => parseLinkQr(qrData),
  fundingAmount: ({ fundingAmount: amount }) => fundingAmount(amount),
};

/** The arguments that one call has under a name of another one's. */
const OWN_CHECKS: Partial<Readonly<Record<CallName, Readonly<Record<string, Check>>>>> = {
  signNEP641Authorization: { params: ofAuthorization },
};

/** The page's error for the refused argument of a call; the port's own where the page would not refuse it. */
export async function argumentError(
  refused: LatchkeyError,
  payload: object,
  call: CallName,
): Promise<LatchkeyError> {
  const [root, name = ''] = String(refused.details.field).split('.');
  if (root !== 'payload' || !Object.hasOwn(CHECKS, name)) return refused;
  try {
    await (OWN_CHECKS[call]?.[name] ?? CHECKS[name])?.(payload as Given);
  } catch (error) {
    if (!isLatchkeyError(error)) return refused;
    const { code, message, values, details } = error;
    return errorFrom({ code, message, values, details, cause: refused });
  }
  return refused;
}
