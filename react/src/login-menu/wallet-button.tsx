import { isCancellation, type RegisterButton } from 'latchkey';
import { useEffect, useRef, useState } from 'react';
import { usePasskeyContext } from '../context.js';
import { loadHeadlines } from '../texts/current.js';
import { type Failure, outcomeFailure, thrownFailure } from '../texts/error-text.js';
import { useTexts } from '../texts/use-texts.js';
import { rememberingSteps } from '../toasts/remembering-steps.js';
import { dismissalOf, type PasskeyToast } from '../toasts/toast.js';
import type { LoginMenuProps } from './props.js';

/** How long a name rests before the wallet draws its button for it. */
const RESTS_FOR_MS = 600;

interface WalletButtonProps {
  onEvent: LoginMenuProps['onEvent'];
  accountId: string;
  onRegistered: (accountId: string) => void;
  onProblem: (failure: Failure) => void;
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
          onSubmit() {
            setRuns(true);
            void loadHeadlines();
          },
          onEvent(event) {
            latest.current.onEvent?.(event);
            latest.current.say(toastFor(event, { ownFailures: true }));
          },
          onFailure(failed) {
            setRuns(false);
            latest.current.onProblem(outcomeFailure(failed));
            latest.current.say(dismissalOf('registration'));
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
        latest.current.onProblem(thrownFailure(error));
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
