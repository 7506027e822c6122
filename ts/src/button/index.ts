/** `latchkey/button`: the embedded transaction button, for a host's page. */
export {
  defineTransactionButton,
  TRANSACTION_BUTTON_TAG,
  type TransactionButtonElement,
} from './element.js';
export {
  BUTTON_SIZE,
  type Point,
  type Rect,
  type Size,
  TOOLTIP,
  TOOLTIP_POSITIONS,
  type TooltipPlace,
  type TooltipPosition,
} from './geometry.js';
export type { ActivationMode } from './messages.js';
export {
  type ButtonWallet,
  type ConfirmedTransactions,
  mountTransactionButton,
  type TransactionButton,
  type TransactionButtonOptions,
} from './transaction-button.js';
