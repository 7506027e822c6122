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
