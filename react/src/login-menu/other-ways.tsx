import { useTexts } from '../texts/use-texts.js';

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
