import type { LinkedDevice } from 'latchkey';
import { filled } from 'latchkey/internal';
import { useEffect, useRef } from 'react';
import { dateOf } from '../format/date.js';
import { FailureNote, FailureText } from '../surface/failure.js';
import { DeviceIcon, KeyIcon } from '../surface/icons.js';
import { WarningSign } from '../surface/warning.js';
import { canTryAgain, type Failure, thrownFailure } from '../texts/error-text.js';
import { useTexts } from '../texts/use-texts.js';
import { CopyableKey } from './copyable-key.js';
import type { DeviceList } from './use-linked-devices.js';

/** The account's devices and other keys, with what removes each. Render it inside a surface with `devicesCss`. */
export function DeviceRows({ devices }: { devices: DeviceList }) {
  const { list, error, removalError } = devices;
  const words = useTexts().devices;
  return (
    <>
      {error !== undefined && <Failed failure={thrownFailure(error)} onAgain={() => void devices.reload()} />}
      {!list && error === undefined && (
        <p className="status loading" role="status">
          <span className="spinner" aria-hidden="true" />
          {words.loading}
        </p>
      )}
      {removalError !== undefined && <FailureNote failure={thrownFailure(removalError)} />}
      {list && list.devices.length === 0 && <p className="empty">{words.none}</p>}
      {list && list.devices.length > 0 && (
        <ul className="rows">
          {list.devices.map((device) => (
            <DeviceRow key={device.credentialId} device={device} devices={devices} />
          ))}
        </ul>
      )}
      {list && (list.temporaryKeys.length > 0 || list.otherKeys.length > 0) && (
        <OtherKeys list={list} devices={devices} />
      )}
    </>
  );
}

function DeviceRow({ device, devices }: { device: LinkedDevice; devices: DeviceList }) {
  const { deviceNumber, isCurrent, registeredAt, accessKey, registeredKey } = device;
  const words = useTexts().devices;
  const name = filled(words.device, { number: deviceNumber });
  const key = accessKey ?? registeredKey;
  return (
    <li className="row" data-current={isCurrent || undefined}>
      <span className="badge">
        <DeviceIcon />
      </span>
      <div className="about">
        <h3>
          {name} {isCurrent && <span className="here">{words.current}</span>}
        </h3>
        <p className="faint">
          {filled(words.registeredAt, {
            date: registeredAt === null ? words.unknownDate : dateOf(registeredAt),
          })}
        </p>
        {accessKey === null && <p className="faint">{words.keyGone}</p>}
        {isCurrent && accessKey !== null && <CopyableKey value={accessKey} />}
      </div>
      {!isCurrent && key !== null && <Remove of={name} publicKey={key} devices={devices} />}
    </li>
  );
}

function OtherKeys({ list, devices }: { list: NonNullable<DeviceList['list']>; devices: DeviceList }) {
  const words = useTexts().devices;
  return (
    <>
      <p className="eyebrow">{words.otherKeys}</p>
      <ul className="rows">
        {list.temporaryKeys.map(({ publicKey, dueAt }) => (
          <KeyRow
            key={publicKey}
            publicKey={publicKey}
            name={words.temporaryKey}
            note={dueAt !== null && dueAt > Date.now() ? words.temporaryNote : words.leftoverNote}
            devices={devices}
          />
        ))}
        {list.otherKeys.map((publicKey) => {
          const isRecovery = list.recoveryKeys?.includes(publicKey);
          return (
            <KeyRow
              key={publicKey}
              publicKey={publicKey}
              name={isRecovery ? words.recoveryKey : words.otherKey}
              note={isRecovery ? words.recoveryNote : words.otherNote}
              devices={devices}
            />
          );
        })}
      </ul>
    </>
  );
}

function KeyRow({
  publicKey,
  name,
  note,
  devices,
}: {
  publicKey: string;
  name: string;
  note: string;
  devices: DeviceList;
}) {
  return (
    <li className="row">
      <span className="badge">
        <KeyIcon />
      </span>
      <div className="about">
        <h3>{name}</h3>
        <p className="faint">{note}</p>
        <code className="key">{publicKey}</code>
      </div>
      <Remove of={`${name} ${publicKey}`} publicKey={publicKey} devices={devices} />
    </li>
  );
}

function Remove({ of, publicKey, devices }: { of: string; publicKey: string; devices: DeviceList }) {
  const busy = devices.removing === publicKey;
  const words = useTexts().devices;
  return (
    <button
      type="button"
      className="button remove"
      aria-label={filled(words.removeOf, { name: of })}
      aria-disabled={devices.removing !== undefined}
      onClick={() => void devices.remove(publicKey)}
    >
      {busy ? words.removing : words.remove}
    </button>
  );
}

function Failed({ failure, onAgain }: { failure: Failure; onAgain: () => void }) {
  const { tryAgain } = useTexts().common;
  const again = useRef<HTMLButtonElement>(null);
  useEffect(() => again.current?.focus(), []);
  return (
    <div className="problem">
      <span className="badge">
        <WarningSign />
      </span>
      <FailureText failure={failure} />
      {canTryAgain(failure) && (
        <button ref={again} type="button" className="button primary" onClick={onAgain}>
          {tryAgain}
        </button>
      )}
    </div>
  );
}
