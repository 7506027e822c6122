import type { JoiningModel, LinkedDeviceModel, TransactionsConfirmModel } from 'latchkey';
import { CheckCode } from '../surface/check-code.js';
import { Countdown } from '../surface/countdown.js';
import { WarningSign } from './action-list.js';
import { Untrusted } from './untrusted.js';

/** Warns what a new device can do, and shows the code that identifies it. */
export function NewDevice({ model, device }: { model: TransactionsConfirmModel; device: LinkedDeviceModel }) {
  return (
    <>
      <section className="card device" aria-label="The new device">
        <CheckCode code={device.checkCode} />
        <p className="instruct">
          The device you are linking shows this same code. If it shows another one, or none, press Cancel.
        </p>
      </section>
      <p className="warning">
        <WarningSign />
        <span>
          <strong>
            This gives the new device full access to <Untrusted text={model.accountId} />.
          </strong>{' '}
          It can spend everything, and add or remove keys. Go on only if that device is yours and in front of
          you: nobody else has a reason to send you such a code.
        </span>
      </p>
    </>
  );
}

/** Shows the account that this device joins. The chain supplied the name, so the user must recognise it. */
export function JoinedAccount({ accountId, joining }: { accountId: string; joining: JoiningModel }) {
  return (
    <section className="card device" aria-label="The account">
      <CheckCode code={joining.checkCode} />
      <p className="instruct">
        Go on only if <Untrusted text={accountId} /> is your account, and your other device showed this same
        code.
      </p>
      {joining.deleteAt !== undefined && (
        <p className="instruct">
          Time left: <Countdown until={joining.deleteAt} />
        </p>
      )}
    </section>
  );
}

export const newDeviceCss = /* css */ `
.device { justify-items: stretch; }
.device .instruct { color: var(--lk-muted); font-size: var(--lk-text-s); text-align: center; text-wrap: balance; }
`;
