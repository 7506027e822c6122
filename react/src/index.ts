export {
  type AccountInputState,
  emptyAccountInput,
  resolveAccountInput,
} from './account-input.js';
export { type ActionDescription, type Detail, describeAction } from './confirm/describe-action.js';
export {
  createReactConfirmer,
  type ReactConfirmer,
  type ReactConfirmerOptions,
} from './confirm/react-confirmer.js';
export { type PasskeyContextValue, usePasskeyContext } from './context.js';
export { parseNear, type ShownAmount, showAmount, showGas } from './format/amount.js';
export { type FateWords, fateWords } from './format/fate.js';
export { MISSING_PASSKEY_TEXT } from './format/missing-passkey.js';
export { plainUntrusted, splitUntrusted, type TextPart } from './format/text.js';
export { type LinkDeviceEnd, LinkDeviceQr, type LinkDeviceQrProps } from './link-device/link-device-qr.js';
export { LinkedDevicesModal, type LinkedDevicesModalProps } from './linked-devices/linked-devices.js';
export { PasskeyContextProvider, type PasskeyContextProviderProps } from './provider.js';
export {
  type ResumedKind,
  ResumedNotices,
  type ResumedNoticesProps,
} from './resumed/resumed-notices.js';
export { LinkDeviceScanner, type LinkDeviceScannerProps } from './scanner/link-device-scanner.js';
export { QRCodeScanner, type QRCodeScannerProps } from './scanner/qr-code-scanner.js';
export { readStoredTheme, THEME_STORAGE_KEY, type ThemeControl, useTheme } from './theme.js';
export { adoptCss, tokensCss } from './tokens.js';
export { type AccountInput, useAccountInput } from './use-account-input.js';
