/** How every call of the facade fails, and arguments of each that are well formed. */
import type { CallName } from '../../wallet.js';

/** With a result, with one for each of a list, or by a rejection. */
export type FailingBy = 'result' | 'results' | 'rejection';

const ID = 'alice.testnet';
const transfer = { type: 'Transfer', amount: '1' } as const;
const transaction = { receiverId: 'bob.testnet', actions: [transfer] };
const of = { nearAccountId: ID };
const KEY = 'ed25519:DcA2MzgpJbrUATQLLceocVckhhAqrkingax4oJ9kZ847';

export const FAILING: Readonly<Record<CallName, readonly [by: FailingBy, ...args: readonly unknown[]]>> = {
  registerPasskey: ['result', ID],
  createAccount: ['result', {}],
  registerDevice: ['result', ID],
  connect: ['result', {}],
  loginPasskey: ['result', ID],
  recoverAccountFlow: ['result', { accountId: ID }],
  executeAction: ['result', { ...of, receiverId: 'bob.testnet', actionArgs: transfer }],
  sendTransaction: ['result', { signedTransaction: {} }],
  signAndSendTransactions: ['results', { ...of, transactions: [transaction, transaction] }],
  signNEP413Message: ['result', { ...of, params: { message: 'hello', recipient: 'bob.testnet' } }],
  signNEP641Authorization: ['result', { ...of, params: { payload: 'hello' } }],
  finishDeviceLinking: ['result', ID],
  prepareAdoption: ['result', ID],
  finishAdoption: ['result', ID],
  checkPasskey: ['result', ID],
  exportNearKeypairWithUI: ['result', ID],
  addRecoveryKey: ['result', of],
  recoverWithPhrase: ['result', of],
  addAppKey: ['result', { ...of, receiverId: 'bob.testnet' }],
  callWithAppKey: ['result', { ...of, receiverId: 'bob.testnet', methodName: 'm', args: {} }],
  revokeAppKey: ['result', { ...of, publicKey: KEY }],
  signDelegateAction: ['result', { ...of, ...transaction }],
  signDelegateActions: ['results', { ...of, delegateActions: [transaction, transaction] }],
  executeDelegateAction: ['result', { ...of, ...transaction }],
  linkDeviceWithScannedQRData: ['result', '{}'],
  scanAndLinkDevice: ['result'],
  deleteDeviceKey: ['result', ID, KEY],
  resume: ['rejection'],
  discoverRecoverableAccounts: ['rejection', ID],
  logoutAndClearVrfSession: ['rejection'],
  getLoginState: ['rejection', ID],
  hasPasskeyCredential: ['rejection', ID],
  getRecentLogins: ['rejection'],
  viewAccessKeyList: ['rejection', ID],
  signTransactionsWithActions: ['rejection', { ...of, transactions: [transaction] }],
  startDevice2LinkingFlow: ['rejection'],
  stopDevice2LinkingFlow: ['rejection'],
  abandonAdoption: ['rejection', ID],
  getAppKeys: ['rejection', ID],
  prefetchBlockheight: ['rejection'],
  getConfirmationConfig: ['rejection', ID],
  setConfirmationConfig: ['rejection', { theme: 'dark' }],
  setConfirmBehavior: ['rejection', 'requireClick'],
  getUserPreferences: ['rejection', ID],
  setUserPreferences: ['rejection', {}],
  setUserTheme: ['rejection', 'dark'],
  getLinkedDevices: ['rejection', ID],
};

/** The codes and the texts of a failure, by the way it came. */
export async function failureOf(outcome: Promise<unknown>): Promise<{
  readonly by: FailingBy;
  readonly codes: readonly unknown[];
  readonly texts: readonly unknown[];
}> {
  try {
    const resolved = await outcome;
    const results = [resolved].flat() as readonly { success?: boolean; errorCode?: string; error?: string }[];
    const failed = results.filter((result) => result?.success === false);
    return {
      by: Array.isArray(resolved) ? 'results' : 'result',
      codes: failed.map(({ errorCode }) => errorCode),
      texts: failed.map(({ error }) => error),
    };
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return { by: 'rejection', codes: [code], texts: [message] };
  }
}
