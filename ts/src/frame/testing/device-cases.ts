/** Devices, linking and key export. */
import { expect } from 'vitest';
import type { Device2Linking, LinkDeviceResult, LinkedAccount } from '../../types.js';
import type { Wallet } from '../../wallet.js';
import { toWireTransaction } from '../protocol/index.js';
import type { CasesOf } from './case.js';
import { ALICE, CREDENTIAL, done, flow, HASH, KEY, signed, WISH } from './values.js';

const linking: Device2Linking = {
  flowId: 'f0e1',
  qrData: { device2PublicKey: KEY, accountId: ALICE, timestamp: 1, version: '1.0' },
  qrCodeDataURL: 'data:image/png;base64,AAAA',
  checkCode: 'ABCD2345EFGH6723',
  expiresAt: 2,
};
const joined: LinkedAccount = {
  success: true,
  nearAccountId: ALICE,
  deviceNumber: 2,
  publicKey: KEY,
  transactionIds: [HASH],
  isLoggedIn: true,
};
const linked: LinkDeviceResult = {
  success: true,
  device2PublicKey: KEY,
  transactionId: HASH,
  fundingAmount: '0.05',
  linkedToAccount: ALICE,
  signedDeleteKeyTransaction: signed,
};
const { signedDeleteKeyTransaction: _, ...linkedBeside } = linked;
/** Ends a linking of this device immediately, as the flow does. */
type LinkingOptions = Required<Parameters<Wallet['startDevice2LinkingFlow']>>[0];
const startLinking = async (options: LinkingOptions): Promise<Device2Linking> => {
  setTimeout(() => options.afterCall?.(true, joined));
  return linking;
};

export const DEVICE_CASES = {
  PM_GET_LINKED_DEVICES: {
    payload: { accountId: ALICE },
    method: 'getLinkedDevices',
    args: [ALICE],
    gives: {
      accountId: ALICE,
      devices: [
        {
          deviceNumber: 1,
          name: 'Device 1',
          credentialId: CREDENTIAL,
          registeredAt: 1,
          isCurrent: true,
          accessKey: KEY,
          registeredKey: null,
        },
      ],
      temporaryKeys: [{ publicKey: KEY, dueAt: null }],
      otherKeys: [KEY],
      gasKeys: [{ publicKey: KEY, balanceYocto: '5', lanes: 2, receiverId: null }],
    },
  },
  PM_DELETE_DEVICE_KEY: {
    payload: { accountId: ALICE, publicKeyToDelete: KEY, confirmationConfig: WISH },
    method: 'deleteDeviceKey',
    args: [ALICE, KEY, flow({ confirmationConfig: WISH })],
    gives: done,
  },
  PM_LINK_DEVICE_WITH_SCANNED_QR_DATA: {
    payload: { qrData: linking.qrData, fundingAmount: '0.05', confirmationConfig: WISH },
    method: 'linkDeviceWithScannedQRData',
    args: [linking.qrData, flow({ fundingAmount: '0.05', confirmationConfig: WISH })],
    gives: linked,
    result: { ...linkedBeside, signedDeleteKeyTransaction: toWireTransaction(signed) },
  },
  PM_SCAN_AND_LINK_DEVICE: {
    payload: { fundingAmount: '0.05', confirmationConfig: WISH },
    method: 'scanAndLinkDevice',
    args: [flow({ fundingAmount: '0.05', confirmationConfig: WISH })],
    gives: linked,
    result: { ...linkedBeside, signedDeleteKeyTransaction: toWireTransaction(signed) },
  },
  PM_START_DEVICE2_LINKING_FLOW: {
    payload: { accountId: ALICE, ui: 'inline', confirmationConfig: WISH },
    method: 'startDevice2LinkingFlow',
    args: [
      {
        ...flow({ accountId: ALICE, ui: 'inline', confirmationConfig: WISH }),
        onError: expect.any(Function),
        afterCall: expect.any(Function),
      },
    ],
    gives: startLinking,
    result: linking,
    end: joined,
  },
  PM_STOP_DEVICE2_LINKING_FLOW: { payload: {}, method: 'stopDevice2LinkingFlow', args: [] },
  PM_FINISH_DEVICE_LINKING: {
    payload: { nearAccountId: ALICE, confirmationConfig: WISH },
    method: 'finishDeviceLinking',
    args: [ALICE, flow({ confirmationConfig: WISH })],
    gives: joined,
  },
  PM_PREPARE_ADOPTION: {
    payload: { nearAccountId: ALICE, confirmationConfig: WISH },
    method: 'prepareAdoption',
    args: [ALICE, flow({ confirmationConfig: WISH })],
    gives: { success: true, nearAccountId: ALICE, publicKey: KEY, isAdded: false },
  },
  PM_FINISH_ADOPTION: {
    payload: { nearAccountId: ALICE, confirmationConfig: WISH },
    method: 'finishAdoption',
    args: [ALICE, flow({ confirmationConfig: WISH })],
    gives: joined,
  },
  PM_ABANDON_ADOPTION: {
    payload: { nearAccountId: ALICE },
    method: 'abandonAdoption',
    args: [ALICE],
    gives: { isAdded: true },
  },
  PM_REGISTER_DEVICE: {
    payload: { nearAccountId: ALICE, options: {}, confirmationConfig: WISH },
    method: 'registerDevice',
    args: [ALICE, flow({ confirmationConfig: WISH })],
    gives: { success: true, transactionId: HASH, result: null, deviceNumber: 1 },
  },
  PM_ADD_RECOVERY_KEY: {
    payload: { nearAccountId: ALICE, waitUntil: 'FINAL', confirmationConfig: WISH },
    method: 'addRecoveryKey',
    args: [{ nearAccountId: ALICE, options: flow({ waitUntil: 'FINAL', confirmationConfig: WISH }) }],
    gives: { success: true, transactionId: HASH, result: null, publicKey: KEY },
  },
  PM_RECOVER_WITH_PHRASE: {
    payload: { nearAccountId: ALICE, confirmationConfig: WISH },
    method: 'recoverWithPhrase',
    args: [{ nearAccountId: ALICE, options: flow({ confirmationConfig: WISH }) }],
    gives: joined,
  },
  PM_EXPORT_NEAR_KEYPAIR_UI: {
    payload: { nearAccountId: ALICE, variant: 'drawer', theme: 'light', confirmationConfig: WISH },
    method: 'exportNearKeypairWithUI',
    args: [ALICE, flow({ variant: 'drawer', theme: 'light', confirmationConfig: WISH })],
    gives: { success: true, nearAccountId: ALICE, publicKey: KEY },
    result: undefined,
    end: { success: true, nearAccountId: ALICE, publicKey: KEY },
  },
  PM_EXPORT_NEAR_KEYPAIR: {
    payload: { nearAccountId: ALICE },
    refused: 'EXPORT_NEAR_KEYPAIR_DISABLED',
  },
} satisfies CasesOf;
