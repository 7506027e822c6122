import type { LinkedDevice, PasskeyManager, Theme } from 'latchkey';
import { useEffect, useRef } from 'react';
import { WarningSign } from '../confirm/action-list.js';
import { dateOf } from '../format/date.js';
import { DeviceIcon, KeyIcon } from '../surface/icons.js';
import { Modal } from '../surface/modal.js';
import { CopyableKey } from './copyable-key.js';
import { devicesCss } from './styles.js';
import { type Devices, useDevices } from './use-devices.js';

export interface DevicesModalProps {
  isOpen: boolean;
  accountId: string;
  theme: Theme;
  manager: PasskeyManager;
  onClose: () => void;
}

/** The device list; LinkedDevicesModal loads it when it first opens. */
export function DevicesModal({ isOpen, accountId, theme, manager, onClose }: DevicesModalProps) {
  return (
    <Modal
      open={isOpen}
      name="latchkey-devices"
      theme={theme}
      title="Linked Devices"
      lead={accountId}
      css={devicesCss}
      onClose={onClose}
    >
      {isOpen && <Body accountId={accountId} manager={manager} />}
    </Modal>
  );
}

function Body({ accountId, manager }: { accountId: string; manager: PasskeyManager }) {
  const devices = useDevices(manager, accountId);
  const { list, error, removalError } = devices;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="body devices" aria-label="Devices" aria-busy={!list && !error} tabIndex={0}>
      {error !== undefined && <Failed message={error} onAgain={() => void devices.load()} />}
      {!list && error === undefined && (
        <p className="status loading" role="status">
          <span className="spinner" aria-hidden="true" />
          Reading the registry and the chain…
        </p>
      )}
      {removalError !== undefined && (
        <p className="error" role="alert">
          <WarningSign />
          <span>{removalError}</span>
        </p>
      )}
      {list && list.devices.length === 0 && <p className="empty">No authenticators found.</p>}
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
    </section>
  );
}

function DeviceRow({ device, devices }: { device: LinkedDevice; devices: Devices }) {
  const { name, isCurrent, registeredAt, accessKey, registeredKey } = device;
  const key = accessKey ?? registeredKey;
  return (
    <li className="row" data-current={isCurrent || undefined}>
      <span className="badge">
        <DeviceIcon />
      </span>
      <div className="about">
        <h3>
          {name} {isCurrent && <span className="here">(current device)</span>}
        </h3>
        <p className="faint">Registered: {registeredAt === null ? 'unknown' : dateOf(registeredAt)}</p>
        {accessKey === null && (
          <p className="faint">Its key is no longer on the account, so it cannot sign.</p>
        )}
        {isCurrent && accessKey !== null && <CopyableKey value={accessKey} />}
      </div>
      {!isCurrent && key !== null && <Remove of={name} publicKey={key} devices={devices} />}
    </li>
  );
}

function OtherKeys({ list, devices }: { list: NonNullable<Devices['list']>; devices: Devices }) {
  return (
    <>
      <p className="eyebrow">Other keys with full access</p>
      <ul className="rows">
        {list.temporaryKeys.map(({ publicKey, dueAt }) => (
          <KeyRow
            key={publicKey}
            publicKey={publicKey}
            name="Temporary key"
            note={
              dueAt !== null && dueAt > Date.now()
                ? 'Belongs to a linking in progress. It is removed automatically.'
                : 'Left over from a linking. It is removed at your next confirmation, or here.'
            }
            devices={devices}
          />
        ))}
        {list.otherKeys.map((publicKey) => (
          <KeyRow
            key={publicKey}
            publicKey={publicKey}
            name="Other key"
            note="Belongs to no listed device: created by another wallet, for recovery, or by a linking from another device. Remove it only if you know it."
            devices={devices}
          />
        ))}
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
  devices: Devices;
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

function Remove({ of, publicKey, devices }: { of: string; publicKey: string; devices: Devices }) {
  const busy = devices.removing === publicKey;
  return (
    <button
      type="button"
      className="button remove"
      aria-label={`Remove ${of}`}
      aria-disabled={devices.removing !== undefined}
      onClick={() => void devices.remove(publicKey)}
    >
      {busy ? 'Removing…' : 'Remove'}
    </button>
  );
}

function Failed({ message, onAgain }: { message: string; onAgain: () => void }) {
  const again = useRef<HTMLButtonElement>(null);
  useEffect(() => again.current?.focus(), []);
  return (
    <div className="problem">
      <span className="badge">
        <WarningSign />
      </span>
      <p role="alert">{message}</p>
      <button ref={again} type="button" className="button primary" onClick={onAgain}>
        Try Again
      </button>
    </div>
  );
}
