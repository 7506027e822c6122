/** Signing, sending, access keys and app keys. */
import { expect } from 'vitest';
import type { AccessKeyList } from '../../near/index.js';
import type { ActionInput, ActionResult, AppKeyResult, SignTransactionResult } from '../../types.js';
import { toWireTransaction } from '../protocol/index.js';
import type { CasesOf } from './case.js';
import { ALICE, done, flow, HASH, KEY, signed, WISH } from './values.js';

const call: ActionInput = {
  type: 'FunctionCall',
  methodName: 'set',
  args: { text: 'hi', list: [1, null, true] },
  gas: '30000000000000',
};
const actions: readonly ActionInput[] = [
  call,
  { type: 'FunctionCall', methodName: 'set', args: '{}', deposit: '1' },
  { type: 'Transfer', amount: '1000000000000000000000000' },
  { type: 'CreateAccount' },
  { type: 'DeployContract', code: new Uint8Array([0, 97, 115, 109]) },
  { type: 'Stake', stake: '1', publicKey: KEY },
  { type: 'AddKey', publicKey: KEY, accessKey: { permission: 'FullAccess' } },
  {
    type: 'AddKey',
    publicKey: KEY,
    accessKey: {
      permission: { FunctionCall: { receiverId: 'app.testnet', methodNames: ['set'], allowance: null } },
    },
  },
  { type: 'DeleteKey', publicKey: KEY },
  { type: 'DeleteAccount', beneficiaryId: 'bob.testnet' },
];
const transactions = [{ receiverId: 'app.testnet', actions: actions }];
const inDoubt: ActionResult = {
  success: false,
  error: 'Nobody can be asked',
  errorCode: 'NEAR_RPC_FAILED',
  fate: 'unknown',
  transactionId: HASH,
  result: null,
};
const accessKeys: AccessKeyList = {
  keys: [
    { public_key: KEY, access_key: { nonce: 1, permission: 'FullAccess' } },
    {
      public_key: KEY,
      access_key: {
        nonce: 2,
        permission: { FunctionCall: { allowance: null, receiver_id: 'app.testnet', method_names: [] } },
      },
    },
    { public_key: KEY, access_key: { nonce: 3, permission: { GasKey: {} } } },
  ],
  block_height: 1,
  block_hash: HASH,
};
const newKey: AppKeyResult = { ...done, publicKey: KEY, pending: true, funding: done };
const signedResult: SignTransactionResult = {
  signedTransaction: signed,
  nearAccountId: ALICE,
  logs: ['signed'],
};

export const SIGNING_CASES = {
  PM_PREFETCH_BLOCKHEIGHT: { payload: {}, method: 'prefetchBlockheight', args: [] },
  PM_SIGN_TXS_WITH_ACTIONS: {
    payload: { nearAccountId: ALICE, transactions, confirmationConfig: WISH },
    method: 'signTransactionsWithActions',
    args: [{ nearAccountId: ALICE, transactions, options: flow({ confirmationConfig: WISH }) }],
    gives: [signedResult],
    result: [{ ...signedResult, signedTransaction: toWireTransaction(signed) }],
  },
  PM_SIGN_AND_SEND_TXS: {
    payload: {
      nearAccountId: ALICE,
      transactions,
      options: {
        waitUntil: 'FINAL',
        executionWait: { mode: 'parallelStaggered', staggerMs: 500, waitUntil: 'FINAL' },
      },
      confirmationConfig: WISH,
    },
    method: 'signAndSendTransactions',
    args: [
      {
        nearAccountId: ALICE,
        transactions,
        options: flow({
          waitUntil: 'FINAL',
          executionWait: { mode: 'parallelStaggered', staggerMs: 500, waitUntil: 'FINAL' },
          confirmationConfig: WISH,
        }),
      },
    ],
    gives: [done, inDoubt],
  },
  PM_MOUNT_TX_BUTTON: {
    payload: {
      nearAccountId: ALICE,
      transactions,
      options: { waitUntil: 'FINAL' },
      confirmationConfig: WISH,
    },
    method: 'showTransactionButton',
    args: [{ nearAccountId: ALICE, transactions, sign: expect.any(Function) }, expect.any(AbortSignal)],
  },
  PM_EXECUTE_ACTION: {
    payload: {
      nearAccountId: ALICE,
      receiverId: 'app.testnet',
      actionArgs: actions,
      waitUntil: 'FINAL',
      confirmationConfig: WISH,
    },
    method: 'executeAction',
    args: [
      {
        nearAccountId: ALICE,
        receiverId: 'app.testnet',
        actionArgs: actions,
        options: flow({ waitUntil: 'FINAL', confirmationConfig: WISH }),
      },
    ],
    gives: done,
  },
  PM_SEND_TRANSACTION: {
    payload: { signedTransaction: toWireTransaction(signed), options: { waitUntil: 'NONE' } },
    method: 'sendTransaction',
    args: [{ signedTransaction: signed, options: flow({ waitUntil: 'NONE' }) }],
    gives: inDoubt,
  },
  PM_CONNECT: {
    payload: {
      signMessage: { message: 'hi', recipient: 'app.testnet', nonce: new Uint8Array(32).fill(7) },
      addKey: { publicKey: KEY, receiverId: 'app.testnet', methodNames: ['set'], allowance: null },
      waitUntil: 'FINAL',
      confirmationConfig: WISH,
      signupVoucher: 'v1.a.b',
    },
    method: 'connect',
    args: [
      {
        signMessage: { message: 'hi', recipient: 'app.testnet', nonce: new Uint8Array(32).fill(7) },
        addKey: { publicKey: KEY, receiverId: 'app.testnet', methodNames: ['set'], allowance: null },
        options: flow({ waitUntil: 'FINAL', confirmationConfig: WISH, signupVoucher: 'v1.a.b' }),
      },
    ],
    gives: {
      success: true,
      accountId: ALICE,
      publicKey: KEY,
      signedMessage: {
        success: true,
        accountId: ALICE,
        publicKey: KEY,
        signature: 'c2ln',
        nonce: 'bm9uY2U=',
      },
      addedKey: done,
    },
  },
  PM_SIGN_NEP413: {
    payload: {
      nearAccountId: ALICE,
      params: {
        message: 'hi',
        recipient: 'app.testnet',
        nonce: new Uint8Array(32).fill(7),
        state: 's',
        callbackUrl: 'https://app.example',
      },
      confirmationConfig: WISH,
    },
    method: 'signNEP413Message',
    args: [
      {
        nearAccountId: ALICE,
        params: {
          message: 'hi',
          recipient: 'app.testnet',
          nonce: new Uint8Array(32).fill(7),
          state: 's',
          callbackUrl: 'https://app.example',
        },
        options: flow({ confirmationConfig: WISH }),
      },
    ],
    gives: {
      success: true,
      accountId: ALICE,
      publicKey: KEY,
      signature: 'c2ln',
      nonce: 'bm9uY2U=',
      state: 's',
    },
  },
  PM_SIGN_NEP641: {
    payload: {
      nearAccountId: ALICE,
      params: { payload: 'hi', path: ['multisig.testnet'], chainId: 'testnet' },
      confirmationConfig: WISH,
    },
    method: 'signNEP641Authorization',
    args: [
      {
        nearAccountId: ALICE,
        params: { payload: 'hi', path: ['multisig.testnet'], chainId: 'testnet' },
        options: flow({ confirmationConfig: WISH }),
      },
    ],
    gives: { success: true, accountId: ALICE, publicKey: KEY, authorization: '{}' },
  },
  PM_SIGN_DELEGATE_ACTIONS: {
    payload: {
      nearAccountId: ALICE,
      delegateActions: [
        { receiverId: 'app.testnet', actions: call, nonce: '7', maxBlockHeight: '1000' },
        { receiverId: 'app.testnet', actions: [call] },
      ],
      validForBlocks: 100,
    },
    method: 'signDelegateActions',
    args: [
      {
        nearAccountId: ALICE,
        delegateActions: [
          { receiverId: 'app.testnet', actions: call, nonce: '7', maxBlockHeight: '1000' },
          { receiverId: 'app.testnet', actions: [call] },
        ],
        options: flow({ validForBlocks: 100 }),
      },
    ],
    gives: [
      {
        success: true,
        hash: HASH,
        signedDelegate: 'AAAA',
        publicKey: KEY,
        nonce: '7',
        maxBlockHeight: '1000',
      },
    ],
  },
  PM_SIGN_DELEGATE_ACTION: {
    payload: { nearAccountId: ALICE, receiverId: 'app.testnet', actions: call, validForBlocks: 100 },
    method: 'signDelegateAction',
    args: [
      {
        nearAccountId: ALICE,
        receiverId: 'app.testnet',
        actions: call,
        options: flow({ validForBlocks: 100 }),
      },
    ],
    gives: {
      success: true,
      hash: HASH,
      signedDelegate: 'AAAA',
      publicKey: KEY,
      nonce: '1',
      maxBlockHeight: '2',
    },
  },
  PM_EXECUTE_DELEGATE_ACTION: {
    payload: {
      nearAccountId: ALICE,
      receiverId: 'app.testnet',
      actions: [call],
      confirmationConfig: WISH,
    },
    method: 'executeDelegateAction',
    args: [
      {
        nearAccountId: ALICE,
        receiverId: 'app.testnet',
        actions: [call],
        options: flow({ confirmationConfig: WISH }),
      },
    ],
    gives: { ...done, result: null },
  },
  PM_VIEW_ACCESS_KEYS: {
    payload: { accountId: ALICE },
    method: 'viewAccessKeyList',
    args: [ALICE],
    gives: accessKeys,
  },
  PM_ADD_APP_KEY: {
    payload: {
      nearAccountId: ALICE,
      receiverId: 'app.testnet',
      methodNames: ['set'],
      prepaid: '0.1',
      paidBy: 'relay',
      lanes: 4,
      expiresAt: 1_900_000_000_000,
      signupVoucher: 'v1.a.b',
      waitUntil: 'FINAL',
      confirmationConfig: WISH,
    },
    method: 'addAppKey',
    args: [
      {
        nearAccountId: ALICE,
        receiverId: 'app.testnet',
        methodNames: ['set'],
        prepaid: '0.1',
        paidBy: 'relay',
        lanes: 4,
        expiresAt: 1_900_000_000_000,
        options: flow({ signupVoucher: 'v1.a.b', waitUntil: 'FINAL', confirmationConfig: WISH }),
      },
    ],
    gives: newKey,
  },
  PM_CALL_WITH_APP_KEY: {
    payload: {
      nearAccountId: ALICE,
      receiverId: 'app.testnet',
      methodName: 'set',
      args: { text: 'hi' },
      gas: '1',
      waitUntil: 'FINAL',
    },
    method: 'callWithAppKey',
    args: [
      {
        nearAccountId: ALICE,
        receiverId: 'app.testnet',
        methodName: 'set',
        args: { text: 'hi' },
        gas: '1',
        options: flow({ waitUntil: 'FINAL' }),
      },
    ],
    gives: done,
  },
  PM_FUND_APP_KEY: {
    payload: { nearAccountId: ALICE, publicKey: KEY, prepaid: '0.1', signupVoucher: 'v1.a.b' },
    method: 'fundAppKey',
    args: [
      { nearAccountId: ALICE, publicKey: KEY, prepaid: '0.1', options: flow({ signupVoucher: 'v1.a.b' }) },
    ],
    gives: done,
  },
  PM_REVOKE_APP_KEY: {
    payload: { nearAccountId: ALICE, publicKey: KEY, waitUntil: 'FINAL' },
    method: 'revokeAppKey',
    args: [{ nearAccountId: ALICE, publicKey: KEY, options: flow({ waitUntil: 'FINAL' }) }],
    gives: done,
  },
  PM_GET_APP_KEYS: {
    payload: { nearAccountId: ALICE },
    method: 'getAppKeys',
    args: [ALICE],
    gives: [
      {
        publicKey: KEY,
        receiverId: 'app.testnet',
        methodNames: [],
        allowance: '5',
        lanes: 4,
        isHere: true,
        expiresAt: 1_900_000_000_000,
        isExpired: false,
        isOnChain: false,
      },
    ],
  },
} satisfies CasesOf;
