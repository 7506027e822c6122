import type { ConfirmationConfig, Theme } from './confirmation.js';

export interface UserPreferences {
  readonly useRelayer: boolean;
  readonly useNetwork: string;
  /** What the user chose in the wallet; what a page sets is stored elsewhere. */
  readonly confirmationConfig?: Partial<ConfirmationConfig>;
  readonly theme?: Theme;
}

/** Choices to change; the rest stays. Null takes a choice back: the setting is as the page asks again. */
export type Choices<T> = { readonly [K in keyof T]?: T[K] | null | undefined };

/** The changes to a user's preferences; the rest stays. */
export interface UserPreferencesChange extends Partial<Pick<UserPreferences, 'useRelayer' | 'useNetwork'>> {
  readonly confirmationConfig?: Choices<ConfirmationConfig>;
  readonly theme?: Theme | null;
}
