export {
  type AccountInputState,
  emptyAccountInput,
  resolveAccountInput,
  usernameOf,
} from './account-input.js';
export { type ActionDescription, type Detail, describeAction } from './confirm/describe-action.js';
export {
  createReactConfirmer,
  type ReactConfirmer,
  type ReactConfirmerOptions,
} from './confirm/react-confirmer.js';
export { type PasskeyContextValue, usePasskeyContext } from './context.js';
export { parseNear, type ShownAmount, showAmount, showGas } from './format/amount.js';
export { plainUntrusted, splitUntrusted, type TextPart } from './format/text.js';
export { PasskeyContextProvider, type PasskeyContextProviderProps } from './provider.js';
export { readStoredTheme, THEME_STORAGE_KEY, type ThemeControl, useTheme } from './theme.js';
export { adoptCss, tokensCss } from './tokens.js';
export { type AccountInput, useAccountInput } from './use-account-input.js';
