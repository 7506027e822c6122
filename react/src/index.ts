export {
  type AccountInputState,
  emptyAccountInput,
  resolveAccountInput,
} from './account-input.js';
export type { AnyFlowEvent } from './any-flow-event.js';
export { BackupReminder, type BackupReminderProps } from './backup-reminder/backup-reminder.js';
export { type BackupReminderState, useBackupReminder } from './backup-reminder/use-backup-reminder.js';
export { TransactionButton, type TransactionButtonProps } from './button/transaction-button.js';
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
export { LinkDeviceQr, type LinkDeviceQrProps } from './link-device/link-device-qr.js';
export {
  type LinkDeviceEnd,
  type LinkingCodeOptions,
  type LinkingCodeView,
  useLinkingCode,
} from './link-device/use-linking-code.js';
export { LinkedDevicesModal, type LinkedDevicesModalProps } from './linked-devices/linked-devices.js';
export { type DeviceList, useLinkedDevices } from './linked-devices/use-linked-devices.js';
export { LoginMenu } from './login-menu/login-menu.js';
export type { LoginMode } from './login-menu/modes.js';
export type { LoginMenuProps, LoginMenuView } from './login-menu/props.js';
export { PasskeyCheck, type PasskeyCheckProps } from './passkey-check/passkey-check.js';
export { type PasskeyCheckState, usePasskeyCheck } from './passkey-check/use-passkey-check.js';
export { ProfileButton, type ProfileButtonProps } from './profile/profile-button.js';
export { type KeyExport, useKeyExport } from './profile/use-key-export.js';
export { PasskeyContextProvider, type PasskeyContextProviderProps } from './provider.js';
export { type RecoveryPhrase, useRecoveryPhrase } from './recovery-phrase/use-recovery-phrase.js';
export {
  type ResumedKind,
  ResumedNotices,
  type ResumedNoticesProps,
} from './resumed/resumed-notices.js';
export { LinkDeviceScanner, type LinkDeviceScannerProps } from './scanner/link-device-scanner.js';
export { QRCodeScanner, type QRCodeScannerProps } from './scanner/qr-code-scanner.js';
export type { ScanSnapshot, ScanStatus } from './scanner/scan-session.js';
export {
  type DeviceLinking,
  type DeviceLinkingOptions,
  useDeviceLinking,
} from './scanner/use-device-linking.js';
export { type QRCamera, type QRCameraOptions, useQRCamera } from './scanner/use-qr-camera.js';
export {
  type QRFileUpload,
  type QRFileUploadOptions,
  useQRFileUpload,
} from './scanner/use-qr-file-upload.js';
export { SendForm, type SendFormProps, type SentMoney } from './send-form/send-form.js';
export {
  TransactionSettings,
  type TransactionSettingsProps,
} from './settings/transaction-settings.js';
export { readStoredTheme, THEME_STORAGE_KEY } from './stored-theme.js';
export { FailureText } from './surface/failure.js';
export { setTexts } from './texts/current.js';
export { type Catalogue, english, type Texts } from './texts/english.js';
export { canTryAgain, type Failure, outcomeFailure, thrownFailure, thrownText } from './texts/error-text.js';
export { useTexts } from './texts/use-texts.js';
export { type ThemeControl, useTheme } from './theme.js';
export { dismissalOf, type PasskeyToast, passkeyToast, TOASTER, type ToastKind } from './toasts/toast.js';
export { linkedToast, type ToastAbout, toastOf, unknownToast } from './toasts/toast-of.js';
export {
  type PasskeyToaster,
  type PasskeyToasts,
  type ToastOptions,
  usePasskeyToasts,
} from './toasts/use-passkey-toasts.js';
export { TokenList, type TokenListProps } from './token-list/token-list.js';
export { useTokens } from './token-list/use-tokens.js';
export type { Money, WorthOf } from './token-list/worth.js';
export { adoptCss, tokensCss } from './tokens.js';
export { useAccessKeys } from './use-access-keys.js';
export { type AccountInput, useAccountInput } from './use-account-input.js';
export { useBalance } from './use-balance.js';
export { type CurrentLogin, useLoginState } from './use-login-state.js';
export type { Read } from './use-read.js';
