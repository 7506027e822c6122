import type { AnyOf } from '../defined-fields.js';
import type { ConfirmationConfig, ConfirmationWish, Theme } from './confirmation.js';

export interface UserPreferences {
  readonly useRelayer: boolean;
  readonly useNetwork: string;
  /** What the user chose in the wallet; what a page sets is stored elsewhere. */
  readonly confirmationConfig?: Partial<ConfirmationConfig> | undefined;
  readonly theme?: Theme | undefined;
}

/** Choices to change; the rest stays. Null takes a choice back: the setting is as the page asks again. */
export type Choices<T> = { readonly [K in keyof T]?: T[K] | null | undefined };

/** The changes to a user's preferences; the rest stays. */
export interface UserPreferencesChange extends AnyOf<Pick<UserPreferences, 'useRelayer' | 'useNetwork'>> {
  readonly confirmationConfig?: Choices<ConfirmationWish> | undefined;
  readonly theme?: Theme | null | undefined;
}
