import type { RemovedDeviceModel } from 'latchkey';
import { dateOf } from '../format/date.js';
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
  return devices.map(({ deviceNumber, registeredAt, isCurrent }) => (
    <p key={deviceNumber} className="warning">
      <WarningSign />
      <span>
        <strong>
          This removes device {deviceNumber}
          {isCurrent && ', the one in front of you'}.
        </strong>{' '}
        Registered: {dateOf(registeredAt)}. It can no longer sign for <Untrusted text={accountId} />.
      </span>
    </p>
  ));
}
