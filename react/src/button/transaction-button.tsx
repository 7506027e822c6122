'use client';
import type { ActionResult, SignAndSendOptions, Theme, TransactionInput } from 'latchkey';
import type {
  ActivationMode,
  ConfirmedTransactions,
  TransactionButton as Mounted,
  Size,
  TransactionButtonOptions,
} from 'latchkey/button';
import { BUTTON_SIZE } from 'latchkey/internal';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { asError } from '../as-error.js';
import { usePasskeyContext } from '../context.js';
import { brandText, followBrand } from '../surface/design.js';
import { useBrowserLayoutEffect } from '../surface/use-browser-layout-effect.js';
import { useTexts } from '../texts/use-texts.js';

export interface TransactionButtonProps {
  transactions: readonly TransactionInput[];
  /** The account that signs; by default the one that is logged in. */
  nearAccountId?: string | undefined;
  /** Settings of the call to `signAndSendTransactions`. */
  options?: Omit<SignAndSendOptions, 'uiDigest'> | undefined;
  /** Signs and sends instead of the provider's wallet. */
  onConfirm?: ((confirmed: ConfirmedTransactions) => Promise<readonly ActionResult[]>) | undefined;
  /** Every transaction was executed, or is on its way. */
  onSuccess?: ((results: readonly ActionResult[]) => void) | undefined;
  /** The user said no, in the wallet or to the passkey. */
  onCancel?: ((error: Error) => void) | undefined;
  /** Nothing was signed, or a transaction failed. */
  onError?: ((error: Error) => void) | undefined;
  /** True from a click that counts to the end of its request. */
  onLoading?: ((isLoading: boolean) => void) | undefined;
  /** The words on the button. */
  label?: string | undefined;
  size?: Size | undefined;
  tooltip?: TransactionButtonOptions['tooltip'];
  theme?: Theme | undefined;
  activationMode?: ActivationMode | undefined;
  backgroundColor?: string | undefined;
  sdkBasePath?: string | undefined;
}

const noBrand = (): string => '';

/** A button whose tooltip shows what it signs, in a sandboxed frame of the page. */
export function TransactionButton(props: TransactionButtonProps) {
  const { passkeyManager, loginState, theme } = usePasskeyContext();
  // Without a part of its own, the frame speaks English.
  const { confirm } = useTexts();
  const css = useSyncExternalStore(followBrand, brandText, noBrand);
  const container = useRef<HTMLDivElement>(null);
  const [mounted, setMounted] = useState<Mounted>();
  const options: TransactionButtonOptions = {
    wallet: passkeyManager,
    texts: confirm && ({ ...confirm.actions, ...confirm.button } as Record<string, string>),
    css,
    ...props,
    theme: props.theme ?? theme,
    nearAccountId: props.nearAccountId ?? loginState.nearAccountId,
  };
  const latest = useRef(options);
  latest.current = options;

  useEffect(() => {
    let isOver = false;
    let button: Mounted | undefined;
    import('latchkey/button').then(
      ({ mountTransactionButton }) => {
        if (isOver || !container.current) return;
        button = mountTransactionButton(container.current, latest.current);
        setMounted(button);
      },
      (error: unknown) => isOver || latest.current.onError?.(asError(error) as never),
    );
    return () => {
      isOver = true;
      button?.remove();
    };
  }, []);
  useBrowserLayoutEffect(() => mounted?.update(latest.current));

  // The place is kept while the script loads.
  const { width, height } = props.size ?? BUTTON_SIZE;
  return <div ref={container} style={{ position: 'relative', width, height }} />;
}
