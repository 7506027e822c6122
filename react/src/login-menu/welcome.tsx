/** What the menu has under its field for those who are new or have lost their account. Loads once the menu shows. */
import { canAskConditionally } from 'latchkey/internal';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { usePasskeyContext } from '../context.js';
import { DevicesIcon, KeyIcon, PhraseIcon } from '../surface/icons.js';
import { inFull } from '../texts/catalogue.js';
import { englishWelcome, type WelcomeTexts } from '../texts/english-welcome.js';
import { useTexts } from '../texts/use-texts.js';
import type { LoginMode } from './modes.js';
import { OtherWayButtons } from './other-ways.js';
import type { MakeAccount, Offer } from './use-flow.js';

const useWelcomeTexts = (): WelcomeTexts => inFull(englishWelcome, useTexts().welcome);

/** What a newcomer needs to know of a passkey; folded. */
export function HowItWorks() {
  const { how } = useWelcomeTexts();
  return (
    <details className="exact how">
      <summary>{how.label}</summary>
      <ol>
        <li>{how.make}</li>
        <li>{how.approve}</li>
        <li>{how.keep}</li>
      </ol>
    </details>
  );
}

interface WayButtonProps {
  icon: ReactNode;
  label: string;
  more: string;
  /** False where it cannot be pressed yet. */
  onPress: (() => void) | false;
  /** The user is about to press it. */
  onSoon?: (() => void) | undefined;
}

/** A way into an account: what it is, and below what it is for. */
function WayButton({ icon, label, more, onPress, onSoon }: WayButtonProps) {
  return (
    <button
      type="button"
      className="button"
      aria-disabled={!onPress}
      onPointerEnter={onSoon}
      onFocus={onSoon}
      onClick={onPress || undefined}
    >
      {icon}
      <strong>{label}</strong>
      <span className="faint">{more}</span>
    </button>
  );
}

/** How long the menu rests before a field offers passkeys: it is drawn again while the wallet starts and while a name is typed. */
const RESTS_FOR_MS = 300;

interface PasskeyLoginProps {
  isReady: boolean;
  /** The wallet's frame has another place for now. */
  isPaused: boolean;
  onPasskeyLogin: (() => void) | undefined;
  onOffer: Offer;
}

/** The way into any account of a passkey, with no name typed: a button, and the offer of passkeys in a field while it shows. */
export function PasskeyLogin({ isReady, isPaused, onPasskeyLogin, onOffer }: PasskeyLoginProps) {
  const { passkeyLogin } = useWelcomeTexts();
  const isFramed = usePasskeyContext().passkeyManager.config.iframeWallet !== null;
  const [canOffer, setCanOffer] = useState(!isFramed);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isFramed) void canAskConditionally().then(setCanOffer);
  }, [isFramed]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: one offer for as long as the menu shows
  useEffect(() => {
    if (!isReady || !canOffer || isPaused) return;
    let end: (() => void) | undefined;
    const offer = () => {
      end = onOffer(() => setCanOffer(false), place.current);
    };
    const timer = setTimeout(offer, RESTS_FOR_MS);
    return () => {
      clearTimeout(timer);
      end?.();
    };
  }, [isReady, canOffer, isPaused]);
  return (
    <div className="ways">
      <WayButton
        icon={<KeyIcon />}
        label={passkeyLogin.label}
        more={passkeyLogin.more}
        onPress={isReady && onPasskeyLogin !== undefined && onPasskeyLogin}
      />
      {isFramed && canOffer && (
        <div ref={place} className="place" style={{ visibility: isPaused ? 'hidden' : undefined }} />
      )}
    </div>
  );
}

interface NamelessEntryProps {
  isReady: boolean;
  mode: LoginMode;
  onCreateNameless: ((make: MakeAccount) => void) | undefined;
  onType: (text: string) => void;
}

/** The way to an account without a name, where the operator offers it. */
export function NamelessEntry({ isReady, mode, onCreateNameless, onType }: NamelessEntryProps) {
  const { nameless } = useWelcomeTexts();
  const { passkeyManager, refreshLoginState } = usePasskeyContext();
  if (mode !== 'register' || !onCreateNameless) return null;
  function create() {
    // A typed name has nothing to do with it.
    onType('');
    onCreateNameless?.(make);
  }
  const make: MakeAccount = async (options) => {
    const made = await passkeyManager.createAccount({ options });
    await refreshLoginState(made.nearAccountId ?? undefined);
    return made;
  };
  return (
    <div className="ways">
      <WayButton icon={<KeyIcon />} label={nameless.label} more={nameless.more} onPress={isReady && create} />
    </div>
  );
}

interface Ways {
  /** Undefined where this wallet takes no recovery phrase. */
  phrase: { isOpen: boolean; onOpen: () => void } | undefined;
  onLink: () => void;
  onLinkSoon: () => void;
}

interface RecoveryWaysProps extends Ways {
  isReady: boolean;
  onSubmit: () => void;
}

/** The ways back into an account, with or without its name. */
export function RecoveryWays({ isReady, phrase, onSubmit, onLink, onLinkSoon }: RecoveryWaysProps) {
  const words = useWelcomeTexts().ways;
  return (
    <fieldset className="ways">
      <legend className="sr-only">{words.label}</legend>
      <WayButton
        icon={<KeyIcon />}
        label={words.passkey}
        more={words.passkeyMore}
        onPress={isReady && onSubmit}
      />
      <WayButton
        icon={<DevicesIcon />}
        label={words.device}
        more={words.deviceMore}
        onPress={onLink}
        onSoon={onLinkSoon}
      />
      {phrase && (
        <WayButton
          icon={<PhraseIcon />}
          label={words.phrase}
          more={words.phraseMore}
          onPress={!phrase.isOpen && phrase.onOpen}
        />
      )}
    </fieldset>
  );
}

interface MissingPasskeyProps extends Ways {
  mode: LoginMode;
}

/** Why the browser may have offered no passkey, and the ways in without it. */
export function MissingPasskey({ mode, phrase, onLink, onLinkSoon }: MissingPasskeyProps) {
  const { common } = useTexts();
  return (
    <div className="other-ways">
      <p className="faint">{common.missingPasskey}</p>
      {mode !== 'recover' && (
        <div className="ends">
          <OtherWayButtons onDevice={onLink} onDeviceSoon={onLinkSoon} phrase={phrase} />
        </div>
      )}
    </div>
  );
}
