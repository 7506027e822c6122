/** The embedded transaction button in a page: its frame, what it signs, and what became of it. */
import { type AnyOf, definedFields } from '../defined-fields.js';
import {
  BUTTON_NO_HANDLER,
  CANCELLED,
  isCancellation,
  isLatchkeyError,
  LatchkeyError,
  messageOf,
  TRANSACTION_CANCELLED,
  TRANSACTION_DATA_MISSING,
  TRANSACTION_NOT_EXECUTED,
  UI_DIGEST_MISMATCH,
} from '../errors/frame.js';
import { completeTransactions } from '../flows/signing/actions.js';
import { transactionsDigest } from '../intent/index.js';
import type {
  ActionResult,
  SignAndSendOptions,
  SignAndSendTransactionsArgs,
  Theme,
  TransactionInput,
  TransactionRequest,
} from '../types.js';
import { BUTTON_SIZE, type Size, TOOLTIP, type TooltipPlace } from './geometry.js';
import { type HostFrame, type Look, mountHostFrame } from './host-frame.js';
import type { ActivationMode } from './messages.js';

/** The part of a wallet that the button needs; a `PasskeyManager` has it. */
export interface ButtonWallet {
  signAndSendTransactions(args: SignAndSendTransactionsArgs): Promise<readonly ActionResult[]>;
  prefetchBlockheight(): Promise<void>;
  readonly config: { readonly sdkBasePath: string };
}

/** What the user confirmed. Complete in every field, and equal to what the tooltip showed. */
export interface ConfirmedTransactions {
  readonly nearAccountId: string;
  readonly transactions: readonly TransactionRequest[];
  /** Pass it on to `signAndSendTransactions`: a wallet in this page then signs nothing else, and asks for no second click. */
  readonly uiDigest: string;
}

export interface TransactionButtonOptions {
  /** The account that signs; without it, a click ends with TRANSACTION_DATA_MISSING. */
  readonly nearAccountId?: string | null | undefined;
  readonly transactions: readonly TransactionInput[];
  /** Signs, sends and prefetches. */
  readonly wallet?: ButtonWallet | undefined;
  /** Settings of the call to `wallet`. */
  readonly options?: Omit<SignAndSendOptions, 'uiDigest'> | undefined;
  /** Signs and sends instead of `wallet`. */
  readonly onConfirm?: ((confirmed: ConfirmedTransactions) => Promise<readonly ActionResult[]>) | undefined;
  /** Every transaction was executed, or is on its way. */
  readonly onSuccess?: ((results: readonly ActionResult[]) => void) | undefined;
  /** The user said no, in the wallet or to the passkey. The error's code is TRANSACTION_CANCELLED. */
  readonly onCancel?: ((error: LatchkeyError) => void) | undefined;
  /** Nothing was signed, or a transaction failed: `details.results` then has the results of all. */
  readonly onError?: ((error: LatchkeyError) => void) | undefined;
  /** Called with true at a click that counts, and with false at its end. */
  readonly onLoading?: ((isLoading: boolean) => void) | undefined;
  /** The words on the button, at most 80 characters. Default 'Send Transaction'. */
  readonly label?: string | undefined;
  /** The other texts of button and tooltip, by name, as `latchkey-react` has them. Default: English. */
  readonly texts?: Readonly<Record<string, string>> | undefined;
  /** CSS over the design tokens, as `brandCss` of `latchkey/brand` writes it: accent, radius and font. Default: the kit's own look. */
  readonly css?: string | undefined;
  /** In CSS pixels. Default 200 by 48. */
  readonly size?: Size | undefined;
  /** Default 280 by 300, 6 pixels above the button. Without room there, it opens on another side. */
  readonly tooltip?: AnyOf<TooltipPlace> | undefined;
  /** Default: the operating system's preference. */
  readonly theme?: Theme | undefined;
  /** Default `tap`. */
  readonly activationMode?: ActivationMode | undefined;
  /** A CSS colour behind the button's round corners. Default `transparent`. */
  readonly backgroundColor?: string | undefined;
  /** Where this page serves the two scripts. Default: the wallet's configuration, and `/sdk` without one. */
  readonly sdkBasePath?: string | undefined;
}

export interface TransactionButton {
  /** Replaces all options. A running signature goes on as it was confirmed. */
  update(options: TransactionButtonOptions): void;
  /** Opens or closes the tooltip. */
  setTooltipVisibility(visible: boolean): void;
  /** Removes the button. A running signature goes on, and is no longer reported. */
  remove(): void;
}

/** Draws the button into `container`, which takes its size. */
export function mountTransactionButton(
  container: HTMLElement,
  first: TransactionButtonOptions,
): TransactionButton {
  let options = first;
  let shown: readonly TransactionRequest[] = [];
  let isLoading = false;
  let isRemoved = false;

  const report = (error: LatchkeyError): void => {
    if (!isRemoved) options.onError?.(error);
  };
  const prefetch = (isNear: boolean): void => {
    // Only a head start: the signing reads what is missing, and reports what fails.
    if (isNear) options.wallet?.prefetchBlockheight().catch(() => undefined);
  };
  const frame: HostFrame = mountHostFrame(
    {
      container,
      sdkBasePath: (first.sdkBasePath ?? first.wallet?.config.sdkBasePath ?? '/sdk').replace(/\/+$/, ''),
      onHover: prefetch,
      onFocus: prefetch,
      onConfirm: () => void carryOut(),
      onError: report,
    },
    lookOf(first),
  );
  showTransactions();

  function setLoading(next: boolean): void {
    isLoading = next;
    frame.setLoading(next);
    if (!isRemoved) options.onLoading?.(next);
  }

  /** Gives the frame what it has to show; nothing where the account is missing or an action is not valid. */
  function showTransactions(): void {
    const { nearAccountId, transactions } = options;
    try {
      shown = nearAccountId && transactions.length > 0 ? completeTransactions(transactions) : [];
    } catch (error) {
      shown = [];
      report(toError(error));
    }
    frame.setTransactions({ nearAccountId: nearAccountId ?? '', txSigningRequests: shown });
  }

  async function carryOut(): Promise<void> {
    if (isLoading) return;
    // From here on the page may change its options; what was confirmed stays.
    const { nearAccountId, onConfirm, wallet, options: wish } = options;
    const transactions = shown;
    setLoading(true);
    try {
      if (!nearAccountId || transactions.length === 0) throw new LatchkeyError(TRANSACTION_DATA_MISSING);
      const sign = onConfirm ?? (wallet && signingBy(wallet, wish));
      if (!sign) throw new LatchkeyError(BUTTON_NO_HANDLER);
      const uiDigest = await frame.uiDigest();
      if (uiDigest !== (await transactionsDigest(transactions))) throw new LatchkeyError(UI_DIGEST_MISMATCH);
      const results = await sign({ nearAccountId, transactions, uiDigest });
      const failed = results.find(({ success }) => !success);
      if (failed) throw failureOf(failed, results);
      if (!isRemoved) options.onSuccess?.(results);
    } catch (error) {
      if (isCancellation(error)) {
        if (!isRemoved) options.onCancel?.(new LatchkeyError(TRANSACTION_CANCELLED, { cause: error }));
      } else report(toError(error));
    } finally {
      setLoading(false);
    }
  }

  return {
    update(next) {
      const before = options;
      options = next;
      frame.setLook(lookOf(next));
      const isSame =
        before.nearAccountId === next.nearAccountId &&
        (before.transactions === next.transactions || isEqual(before.transactions, next.transactions));
      if (!isSame) showTransactions();
    },
    setTooltipVisibility: (visible) => frame.setTooltipVisibility(visible),
    remove() {
      isRemoved = true;
      frame.remove();
    },
  };
}

function lookOf(options: TransactionButtonOptions): Look {
  const {
    theme,
    activationMode,
    label,
    texts,
    css,
    backgroundColor = 'transparent',
    size = BUTTON_SIZE,
  } = options;
  return {
    size,
    tooltip: { ...TOOLTIP, ...definedFields(options.tooltip ?? {}) },
    backgroundColor,
    ...(theme && { theme }),
    ...(activationMode && { activationMode }),
    ...(label !== undefined && { label: label.slice(0, 80) }),
    ...(texts && { texts }),
    ...(css && { css }),
  };
}

function signingBy(wallet: ButtonWallet, wish: TransactionButtonOptions['options']) {
  return ({ uiDigest, ...confirmed }: ConfirmedTransactions) =>
    wallet.signAndSendTransactions({ ...confirmed, options: { ...wish, uiDigest } });
}

/** Pages often make an equal list at each rendering; to show it again would make the user wait again. */
function isEqual(one: readonly TransactionInput[], other: readonly TransactionInput[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function failureOf({ error, errorCode }: ActionResult, results: readonly ActionResult[]): LatchkeyError {
  if (errorCode === 'CANCELLED') return new LatchkeyError(CANCELLED);
  return new LatchkeyError(TRANSACTION_NOT_EXECUTED, {
    ...(error !== undefined && { message: error }),
    details: { results, ...(errorCode && { errorCode }) },
  });
}

function toError(error: unknown): LatchkeyError {
  if (isLatchkeyError(error)) return error;
  const message = error instanceof Error && error.message !== '' ? { message: messageOf(error) } : {};
  return new LatchkeyError(TRANSACTION_NOT_EXECUTED, { ...message, cause: error });
}
