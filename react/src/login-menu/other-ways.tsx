/** The ways into an account that need no name here: another device, and the recovery phrase. */
import { ScanIcon } from '../surface/icons.js';
import { Filled } from '../texts/filled.js';
import { useTexts } from '../texts/use-texts.js';

/** Offers linking to users whose account is on another device; names the account if it is already typed. */
export function LinkEntry({
  accountId,
  onOpen,
  onSoon,
}: {
  accountId: string | undefined;
  onOpen: () => void;
  /** A pointer or the focus has come to the button. */
  onSoon: () => void;
}) {
  const { loginMenu, scanner } = useTexts();
  return (
    <div className="other-way">
      {accountId === undefined ? (
        <span className="ask">{loginMenu.alreadyAnAccount}</span>
      ) : (
        <span className="ask">
          <Filled text={loginMenu.onAnotherDevice} account={<b className="break">{accountId}</b>} />
        </span>
      )}
      <button type="button" className="button" onPointerEnter={onSoon} onFocus={onSoon} onClick={onOpen}>
        <ScanIcon /> {scanner.linkTitle}
      </button>
    </div>
  );
}

/** Offers the recovery phrase to users who have lost every passkey. */
export function PhraseEntry({ isOpen, onOpen }: { isOpen: boolean; onOpen: () => void }) {
  const { loginMenu } = useTexts();
  return (
    <button type="button" className="way" aria-disabled={isOpen} onClick={onOpen}>
      {loginMenu.usePhrase}
    </button>
  );
}

interface OtherWayButtonsProps {
  onDevice: () => void;
  /** A pointer has come to the button. */
  onDeviceSoon?: (() => void) | undefined;
  /** Undefined where this wallet takes no recovery phrase. */
  phrase: { isOpen: boolean; onOpen: () => void } | undefined;
}

/** Both ways as buttons, for a user whose browser offered no passkey. */
export function OtherWayButtons({ onDevice, onDeviceSoon, phrase }: OtherWayButtonsProps) {
  const { loginMenu } = useTexts();
  return (
    <>
      <button type="button" className="button" onPointerEnter={onDeviceSoon} onClick={onDevice}>
        {loginMenu.useDevice}
      </button>
      {phrase && (
        <button type="button" className="button" aria-disabled={phrase.isOpen} onClick={phrase.onOpen}>
          {loginMenu.usePhrase}
        </button>
      )}
    </>
  );
}
