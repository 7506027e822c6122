/** What a host can mount: only the wallet's own UI. */
import * as v from 'valibot';
import { isNearAccountId } from '../../near/account-id.js';
import type { TransactionInput } from '../../types.js';
import type { Wallet } from '../../wallet.js';
import type { FrameServices, Schema } from '../protocol/index.js';
import { none } from '../protocol/payloads.js';
import { registrationByButton } from '../protocol/register-button.js';
import { optional, SHORT, text } from '../protocol/schemas.js';
import { actions } from '../protocol/signing-messages.js';
import { transactionsByButton } from '../protocol/transaction-button.js';
import { transactionInputs } from '../protocol/transactions.js';

/** A type that the wallet ships, and the data that it is drawn with. */
export type WalletUi =
  | { readonly type: 'settings'; readonly props?: Readonly<Record<string, never>> | undefined }
  | {
      readonly type: 'register-button';
      readonly props: { readonly nearAccountId: string; readonly signupVoucher?: string };
    }
  | {
      readonly type: 'tx-button';
      readonly props: { readonly nearAccountId: string; readonly transactions: readonly TransactionInput[] };
    };

export type WalletUiType = WalletUi['type'];

type PropsOf<T extends WalletUiType> = Extract<WalletUi, { type: T }>['props'];

export interface UiSurroundings {
  readonly wallet: Wallet;
  readonly services: FrameServices;
}

export interface ShippedUi<P> {
  readonly props: Schema<P>;
  /** Draws it until `signal` aborts. Settles when the user has finished. */
  draw(props: P, at: UiSurroundings, signal: AbortSignal): Promise<unknown>;
}

/** The button shows the name, so its form is checked before it is drawn. */
const accountId: Schema<string> = v.pipe(v.string(), v.check(isNearAccountId, 'is no account id'));

const SHIPPED: { readonly [T in WalletUiType]: ShippedUi<PropsOf<T>> } = {
  settings: {
    props: none,
    draw: async (_, { services }, signal) => services.openSettings(signal),
  },
  // A click is reported like one on PM_MOUNT_REGISTER_BUTTON's. No request exists whose PROGRESS could go over the
  // port.
  'register-button': {
    props: v.strictObject({ nearAccountId: accountId, signupVoucher: optional(text(SHORT)) }),
    draw: (props, { wallet, services }, signal) =>
      registrationByButton(wallet, props, { options: { onEvent: () => undefined, signal }, services }),
  },
  'tx-button': {
    props: v.strictObject({ nearAccountId: accountId, transactions: transactionInputs }),
    draw: (props, { wallet, services }, signal) =>
      transactionsByButton(
        wallet,
        props,
        { options: { onEvent: () => undefined, signal }, services },
        actions,
      ),
  },
};

/** Looks up the UI by a name that came from outside. */
export function uiNamed(type: string): ShippedUi<unknown> | undefined {
  return Object.hasOwn(SHIPPED, type)
    ? (SHIPPED[type as WalletUiType] as unknown as ShippedUi<unknown>)
    : undefined;
}
