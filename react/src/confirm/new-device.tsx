import type { JoiningModel, LinkedDeviceModel, TransactionsConfirmModel } from 'latchkey';
import { CheckCode } from '../surface/check-code.js';
import { Countdown } from '../surface/countdown.js';
import { Filled } from '../texts/filled.js';
import { useConfirmTexts } from '../texts/use-confirm-texts.js';
import { WarningSign } from './action-list.js';
import { Untrusted } from './untrusted.js';

/** Warns what a new device can do, and shows the code that identifies it. */
export function NewDevice({ model, device }: { model: TransactionsConfirmModel; device: LinkedDeviceModel }) {
  const { linking: words, linkingByPage: byPage } = useConfirmTexts();
  return (
    <>
      {device.scannedBy !== undefined && (
        <p className="warning">
          <WarningSign />
          <span>
            <Filled text={byPage.scannedBy} page={<Untrusted text={device.scannedBy} />} />
          </span>
        </p>
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
      <p className="warning">
        <WarningSign />
        <span>
          <strong>
            <Filled text={words.access} account={<Untrusted text={model.accountId} />} />
          </strong>{' '}
          {words.consequence}
        </span>
      </p>
    </>
  );
}

/** Shows the account that this device joins. The chain or a page supplied the name, so the user must recognise it. */
export function JoinedAccount({ accountId, joining }: { accountId: string; joining: JoiningModel }) {
  const { linking: words, adopting } = useConfirmTexts();
  if (joining.checkCode === undefined) {
    return (
      <p className="warning note">
        <WarningSign />
        <span>
          <Filled text={adopting.isYours} account={<Untrusted text={accountId} />} />
        </span>
      </p>
    );
  }
  return (
    <section className="card device" aria-label={words.account}>
      <CheckCode code={joining.checkCode} />
      <p className="instruct">
        <Filled text={words.isYours} account={<Untrusted text={accountId} />} />
      </p>
      {joining.deleteAt !== undefined && (
        <p className="instruct">
          <Filled text={words.timeLeft} time={<Countdown until={joining.deleteAt} />} />
        </p>
      )}
    </section>
  );
}

export const newDeviceCss = /* css */ `
.device { justify-items: stretch; }
.device[data-by-page] { border: 2px dashed var(--lk-danger); }
.device .instruct { color: var(--lk-muted); font-size: var(--lk-text-s); text-align: center; text-wrap: balance; }
`;
