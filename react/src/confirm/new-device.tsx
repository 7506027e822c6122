import type { JoiningModel, LinkedDeviceModel, TransactionsConfirmModel } from 'latchkey';
import { CheckCode } from '../surface/check-code.js';
import { Countdown } from '../surface/countdown.js';
import { WarningSign } from './action-list.js';
import { Untrusted } from './untrusted.js';

/** What is at stake when a device is let in, and how to see that it is the right one. */
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

/** Which account this device joins: the chain named it, so the person must know it. */
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
