import type { RemovedDeviceModel } from 'latchkey';
import { dateOf } from '../format/date.js';
import { Filled } from '../texts/filled.js';
import { useConfirmTexts } from '../texts/use-confirm-texts.js';
import { WarningSign } from './action-list.js';
import { Untrusted } from './untrusted.js';

/** Names the devices that can no longer sign for the account: the transactions only name their keys. */
export function RemovedDevices({
  accountId,
  devices,
}: {
  accountId: string;
  devices: readonly RemovedDeviceModel[];
}) {
  const words = useConfirmTexts().removed;
  return devices.map(({ deviceNumber, registeredAt, passkeyName, isCurrent }) => (
    <p key={deviceNumber} className="warning">
      <WarningSign />
      <span>
        <strong>{isCurrent ? words.thisDevice(deviceNumber) : words.device(deviceNumber)}</strong>{' '}
        <Filled
          text={words.registered(dateOf(registeredAt))}
          account={<Untrusted text={accountId} />}
          passkey={<Untrusted text={passkeyName} />}
        />
      </span>
    </p>
  ));
}
