import type { JoiningModel, LinkedDeviceModel, TransactionsConfirmModel } from 'latchkey';
import { CheckCode, Countdown, TimeLeft } from '../surface/check-code.js';
import { UntrustedText } from '../surface/untrusted-text.js';
import { Warning } from '../surface/warning.js';
import { useConfirmTexts } from '../texts/confirm-texts.js';
import { Filled } from '../texts/filled.js';

/** Warns what a new device can do, and shows the code that identifies it. */
export function NewDevice({ model, device }: { model: TransactionsConfirmModel; device: LinkedDeviceModel }) {
  const { linking: words, linkingByPage: byPage } = useConfirmTexts();
  return (
    <>
      {device.scannedBy !== undefined && (
        <Warning>
          <Filled text={byPage.scannedBy} page={<UntrustedText text={device.scannedBy} />} />
        </Warning>
      )}
      <section
        className="card device"
        aria-label={words.device}
        data-by-page={device.scannedBy === undefined ? undefined : true}
      >
        <CheckCode code={device.checkCode} />
        <p className="instruct">{words.compare}</p>
        <p className="instruct">
          <Filled text={words.timeLeft} time={<Countdown until={device.expiresAt} />} />
        </p>
      </section>
      <Warning title={<Filled text={words.access} account={<UntrustedText text={model.accountId} />} />}>
        {words.consequence}
      </Warning>
    </>
  );
}

/** Shows the account that this device joins. The chain or a page supplied the name, so the user must recognise it. */
export function JoinedAccount({ accountId, joining }: { accountId: string; joining: JoiningModel }) {
  const { linking: words, adopting } = useConfirmTexts();
  if (joining.checkCode === undefined) {
    return (
      <Warning isNote>
        <Filled text={adopting.isYours} account={<UntrustedText text={accountId} />} />
      </Warning>
    );
  }
  return (
    <section className="card device" aria-label={words.account}>
      <strong className="joined">
        <UntrustedText text={accountId} />
      </strong>
      <CheckCode code={joining.checkCode} />
      <p className="instruct">
        <Filled text={words.isYours} account={<UntrustedText text={accountId} />} />
      </p>
      {joining.deleteAt !== undefined && <TimeLeft until={joining.deleteAt} text={words.timeLeft} />}
    </section>
  );
}
