import { isCancellation, type RegisterButton } from 'latchkey';
import { useEffect, useRef, useState } from 'react';
import { usePasskeyContext } from '../context.js';
import { texts } from '../texts/current.js';
import { useTexts } from '../texts/use-texts.js';
import { type PasskeyToast, passkeyToast } from '../toasts/toast-of.js';
import { rememberingSteps } from '../toasts/use-passkey-toasts.js';
import type { LoginMenuProps } from './props.js';

/** How long a name rests before the wallet draws its button for it. */
const RESTS_FOR_MS = 600;

interface WalletButtonProps {
  onEvent: LoginMenuProps['onEvent'];
  accountId: string;
  onRegistered: (accountId: string) => void;
  onProblem: (text: string) => void;
  say: (toast: PasskeyToast | undefined) => void;
}

/** Gives a framed wallet the place for its own register button, so that the click falls inside the frame. */
export function WalletButton(props: WalletButtonProps) {
  const { accountId } = props;
  const { waiting } = useTexts().loginMenu.register;
  const { passkeyManager, refreshLoginState } = usePasskeyContext();
  const place = useRef<HTMLDivElement>(null);
  const [runs, setRuns] = useState(false);
  const latest = useRef({ ...props, refreshLoginState });
  latest.current = { ...props, refreshLoginState };

  useEffect(() => {
    let mounted = true;
    let button: RegisterButton | undefined;
    const toastFor = rememberingSteps();

    async function mount(container: Element): Promise<void> {
      try {
        const drawn = await passkeyManager.registerButton({
          container,
          nearAccountId: accountId,
          onSubmit: () => setRuns(true),
          onEvent(event) {
            latest.current.onEvent?.(event);
            latest.current.say(toastFor(event));
          },
          onFailure({ error }) {
            setRuns(false);
            const text = error || texts().loginMenu.register.failed;
            latest.current.onProblem(text);
            latest.current.say(passkeyToast('registration', 'error', text));
          },
        });
        button = drawn;
        if (!mounted) return drawn.dispose();
        await drawn.registered;
        await latest.current.refreshLoginState(accountId);
        latest.current.onRegistered(accountId);
      } catch (error) {
        if (!mounted || isCancellation(error)) return;
        setRuns(false);
        latest.current.onProblem(error instanceof Error ? error.message : String(error));
      }
    }

    const timer = setTimeout(() => place.current && void mount(place.current), RESTS_FOR_MS);
    return () => {
      mounted = false;
      clearTimeout(timer);
      button?.dispose();
    };
  }, [passkeyManager, accountId]);

  return (
    <div className="wallet-button">
      <div ref={place} className="place" />
      <p role="status">{runs && waiting}</p>
    </div>
  );
}
