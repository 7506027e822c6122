import type { GasKey, LinkedDevice } from 'latchkey';
import { filled } from 'latchkey/internal';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { resultError } from '../as-error.js';
import { usePasskeyContext } from '../context.js';
import { showAmount } from '../format/amount.js';
import { dateOf, dayOf } from '../format/date.js';
import { Details, FailureNote, FailureText } from '../surface/failure.js';
import { DeviceIcon, KeyIcon, PhraseIcon, PlusIcon } from '../surface/icons.js';
import { UntrustedText } from '../surface/untrusted-text.js';
import { WarningSign } from '../surface/warning.js';
import { canTryAgain, type Failure, thrownFailure } from '../texts/error-text.js';
import { Filled } from '../texts/filled.js';
import { useTexts } from '../texts/use-texts.js';
import { CopyKey } from './copyable-key.js';
import { type DeviceName, useDeviceNames } from './device-names.js';
import { useDeviceTexts } from './device-texts.js';
import { type ListChange, SaidChange, useArrival } from './list-change.js';
import type { DeviceList } from './use-linked-devices.js';

interface DeviceRowsProps {
  devices: DeviceList;
  /** Lets another device in: without it, the list does not offer that. */
  onAdd: (() => void) | undefined;
}

/** The list with which a row removes itself. */
type Devices = Omit<DeviceList, 'remove'> & { remove: (removal: Removal) => Promise<void> };

/** The account's devices and other keys, with what removes each. Render it inside a surface with `devicesCss`. */
export function DeviceRows({ devices: listed, onAdd }: DeviceRowsProps) {
  const { list, error, removalError } = listed;
  const words = useTexts().devices;
  const more = useDeviceTexts();
  const [change, setChange] = useState<ListChange>();
  useArrival(list?.devices, ({ deviceNumber }) => {
    const name = filled(words.device, { number: deviceNumber });
    setChange({ text: filled(more.arrived, { name }), takesFocus: false });
  });
  const devices: Devices = {
    ...listed,
    async remove({ of, publicKey }) {
      setChange(undefined);
      if (await listed.remove(publicKey))
        setChange({ text: filled(more.removed, { name: of }), takesFocus: true });
    },
  };
  const names = useDeviceNames(list?.devices.find(({ isCurrent }) => isCurrent)?.credentialId);
  return (
    <>
      <SaidChange change={change} />
      {error !== undefined && <Failed failure={thrownFailure(error)} onAgain={() => void listed.reload()} />}
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
            <DeviceRow
              key={device.credentialId}
              device={device}
              name={names.get(device.credentialId)}
              devices={devices}
            />
          ))}
        </ul>
      )}
      {list && list.temporaryKeys.length + list.otherKeys.length > 0 && (
        <OtherKeys list={list} devices={devices} />
      )}
      {list && callGasKeys(list).length > 0 && <CallGasKeys list={list} devices={devices} />}
      {list && onAdd && !list.devices.some(({ isUnrecorded }) => isUnrecorded) && (
        <AddDevice isOnly={list.devices.length === 1} onAdd={onAdd} />
      )}
    </>
  );
}

interface DeviceRowProps {
  device: LinkedDevice;
  name: DeviceName | undefined;
  devices: Devices;
}

function DeviceRow({ device, name, devices }: DeviceRowProps) {
  const { deviceNumber, isCurrent, registeredAt, accessKey, registeredKey, isUnrecorded } = device;
  const words = useTexts().devices;
  const more = useDeviceTexts();
  const numbered = filled(words.device, { number: deviceNumber });
  const added = registeredAt === null ? words.unknownDate : dayOf(registeredAt);
  const key = accessKey ?? registeredKey;
  return (
    <Row
      icon={<DeviceIcon />}
      title={name ? filled(more.name, { ...name }) : numbered}
      badge={isCurrent ? more.here : undefined}
      removal={
        isCurrent || key === null ? undefined : { of: numbered, publicKey: key, what: more.removeMore }
      }
      devices={devices}
    >
      <p className="faint">
        {name && `${numbered} · `}
        {filled(more.added, { day: added })}
      </p>
      {!name && !isCurrent && <p className="faint">{more.nameUnknown}</p>}
      {accessKey === null && !isUnrecorded && <p className="faint">{words.keyGone}</p>}
      {isUnrecorded && <Unrecorded devices={devices} />}
      {isCurrent && accessKey !== null && <CopyKey value={accessKey} />}
      <Details>
        <p>
          {numbered} {isCurrent && words.current}
        </p>
        <p>
          {filled(words.registeredAt, {
            date: registeredAt === null ? words.unknownDate : dateOf(registeredAt),
          })}
        </p>
        {key !== null && <KeyText publicKey={key} />}
      </Details>
    </Row>
  );
}

/** Until the registry has the passkey: what that means, and the way to it. */
function Unrecorded({ devices: { list, reload } }: { devices: Devices }) {
  const { passkeyManager } = usePasskeyContext();
  const words = useDeviceTexts();
  const [isRunning, setRunning] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  async function register(accountId: string): Promise<void> {
    setRunning(true);
    setFailure(undefined);
    try {
      const result = await passkeyManager.registerDevice(accountId);
      if (result.success) await reload();
      else setFailure(thrownFailure(resultError(result)));
    } catch (error) {
      setFailure(thrownFailure(error));
    } finally {
      setRunning(false);
    }
  }
  return (
    <>
      <p className="faint">{words.unrecorded}</p>
      {failure && <FailureNote failure={failure} />}
      <button
        type="button"
        className="button"
        aria-disabled={isRunning}
        onClick={() => !isRunning && list && void register(list.accountId)}
      >
        {words.record}
      </button>
    </>
  );
}

function OtherKeys({ list, devices }: { list: NonNullable<DeviceList['list']>; devices: Devices }) {
  const words = useTexts().devices;
  return (
    <>
      <p className="eyebrow">{words.otherKeys}</p>
      <ul className="rows">
        {list.temporaryKeys.map(({ publicKey, dueAt }) => (
          <TemporaryKey key={publicKey} publicKey={publicKey} dueAt={dueAt} devices={devices} />
        ))}
        {list.otherKeys.map((publicKey) => {
          const isRecovery = list.recoveryKeys?.includes(publicKey);
          return (
            <KeyRow
              key={publicKey}
              icon={isRecovery ? <PhraseIcon /> : <KeyIcon />}
              publicKey={publicKey}
              name={isRecovery ? words.recoveryKey : words.otherKey}
              note={isRecovery ? words.recoveryNote : words.otherNote}
              gasKey={list.gasKeys?.find((key) => key.publicKey === publicKey)}
              devices={devices}
            />
          );
        })}
      </ul>
    </>
  );
}

function CallGasKeys({ list, devices }: { list: NonNullable<DeviceList['list']>; devices: Devices }) {
  return (
    <>
      <p className="eyebrow">{useDeviceTexts().callGasKeys}</p>
      <ul className="rows">
        {callGasKeys(list).map((gasKey) => (
          <CallGasKey key={gasKey.publicKey} gasKey={gasKey} devices={devices} />
        ))}
      </ul>
    </>
  );
}

/** Those that may call one contract; one with full access stands among the other keys. */
function callGasKeys({ gasKeys = [] }: NonNullable<DeviceList['list']>): (GasKey & { receiverId: string })[] {
  return gasKeys.flatMap(({ receiverId, ...key }) => (receiverId === null ? [] : [{ ...key, receiverId }]));
}

interface CallGasKeyProps {
  gasKey: ReturnType<typeof callGasKeys>[number];
  devices: Devices;
}

function CallGasKey({ gasKey, devices }: CallGasKeyProps) {
  const words = useDeviceTexts();
  const contract = <UntrustedText text={gasKey.receiverId} />;
  return (
    <KeyRow
      icon={<KeyIcon />}
      publicKey={gasKey.publicKey}
      name={words.callGasKey}
      note={<Filled text={words.callGasKeyNote} contract={contract} />}
      gasKey={gasKey}
      removes={filled(words.removeCallKeyMore, { contract: gasKey.receiverId })}
      devices={devices}
    />
  );
}

interface TemporaryKeyProps {
  publicKey: string;
  dueAt: number | null;
  devices: Devices;
}

/** How often the list is read again while a device may join. */
const FOLLOW_MS = 5000;

/** The key of a linking: as long as a device may join, what goes on and nothing to press; after that, a leftover. */
function TemporaryKey({ publicKey, dueAt, devices }: TemporaryKeyProps) {
  const words = useTexts().devices;
  const more = useDeviceTexts();
  const { reload } = devices;
  const isDue = dueAt === null || dueAt <= Date.now();
  useEffect(() => {
    if (isDue) return;
    const timer = setInterval(() => void reload(), FOLLOW_MS);
    return () => clearInterval(timer);
  }, [isDue, reload]);

  if (isDue)
    return (
      <KeyRow
        icon={<KeyIcon />}
        publicKey={publicKey}
        name={words.temporaryKey}
        note={words.leftoverNote}
        devices={devices}
      />
    );
  return (
    <Row isProgress icon={<span className="spinner" />} title={more.linking} devices={devices}>
      <p className="faint">{words.temporaryNote}</p>
      <Details>
        <KeyText publicKey={publicKey} />
      </Details>
    </Row>
  );
}

interface KeyRowProps {
  icon: ReactNode;
  publicKey: string;
  name: string;
  note: ReactNode;
  gasKey?: GasKey | undefined;
  /** What its removal means; default: for a key with full access. */
  removes?: string;
  devices: Devices;
}

function KeyRow({ icon, publicKey, name, note, gasKey, removes, devices }: KeyRowProps) {
  const words = useDeviceTexts();
  // An action names an ML-DSA-65 key itself, which no list has.
  const isHash = publicKey.startsWith('ml-dsa-65-hash:');
  return (
    <Row
      icon={icon}
      title={isHash ? words.hashKey : name}
      removal={isHash ? undefined : { of: name, publicKey, what: removes ?? words.removeKeyMore }}
      devices={devices}
    >
      <p className="faint">{isHash ? words.hashNote : note}</p>
      {gasKey && (
        <p className="faint">{filled(words.gasKeyNote, { amount: leftOn(gasKey), lanes: gasKey.lanes })}</p>
      )}
      <Details>
        <KeyText publicKey={publicKey} />
      </Details>
    </Row>
  );
}

const KeyText = ({ publicKey }: { publicKey: string }) => (
  <p>
    <code className="key" translate="no">
      {publicKey}
    </code>
  </p>
);

/** What is on a gas key: an amount that is there, and no estimate. */
const leftOn = ({ balanceYocto }: GasKey): string => `${showAmount(balanceYocto)?.near ?? balanceYocto} NEAR`;

/** What is removed, its key, and what follows. */
interface Removal {
  readonly of: string;
  readonly publicKey: string;
  readonly what: string;
}

interface RowProps {
  icon: ReactNode;
  title: string;
  badge?: string | undefined;
  /** Without it, the row cannot be removed. */
  removal?: Removal | undefined;
  /** What it tells of goes on by itself. */
  isProgress?: boolean;
  devices: Devices;
  children: ReactNode;
}

/** One line of the list. 'Remove' asks first, in its place. */
function Row({ icon, title, badge, removal, isProgress, devices, children }: RowProps) {
  const [asks, setAsks] = useState(false);
  const remove = useRef<HTMLButtonElement>(null);
  const words = useTexts().devices;
  const isBusy = removal !== undefined && devices.removing === removal.publicKey;
  return (
    <li className="row" data-current={badge !== undefined || undefined} data-progress={isProgress}>
      <span className="badge" aria-hidden="true">
        {icon}
      </span>
      <div className="about">
        <h3>
          {title} {badge !== undefined && <span className="here">{badge}</span>}
        </h3>
        {children}
      </div>
      {removal && !asks && (
        <button
          ref={remove}
          type="button"
          className="remove"
          aria-label={filled(words.removeOf, { name: removal.of })}
          aria-disabled={devices.removing !== undefined}
          onClick={() => devices.removing === undefined && setAsks(true)}
        >
          {isBusy ? words.removing : words.remove}
        </button>
      )}
      {removal && asks && (
        <Question
          removal={removal}
          onEnd={(isSure) => {
            setAsks(false);
            // The button is there again after this draw.
            setTimeout(() => remove.current?.focus());
            if (isSure) void devices.remove(removal);
          }}
        />
      )}
    </li>
  );
}

/** Asks before something is removed. The button that keeps it has the focus. */
function Question({ removal, onEnd }: { removal: Removal; onEnd: (isSure: boolean) => void }) {
  const id = useId();
  const keep = useRef<HTMLButtonElement>(null);
  const words = useTexts().devices;
  const more = useDeviceTexts();
  useEffect(() => keep.current?.focus(), []);
  return (
    <fieldset className="question" aria-labelledby={id}>
      <p id={id}>
        <strong>{filled(more.removeTitle, { name: removal.of })}</strong> {removal.what}
      </p>
      <div className="buttons">
        <button ref={keep} type="button" className="button" onClick={() => onEnd(false)}>
          {more.keep}
        </button>
        <button type="button" className="button danger" onClick={() => onEnd(true)}>
          {words.remove}
        </button>
      </div>
    </fieldset>
  );
}

/** The way to one more device; where there is only one, why. */
function AddDevice({ isOnly, onAdd }: { isOnly: boolean; onAdd: () => void }) {
  const words = useDeviceTexts();
  return (
    <div className={isOnly ? 'add only' : 'add'}>
      {isOnly && (
        <div>
          <strong>{words.only}</strong>
          <p className="faint">{words.onlyMore}</p>
        </div>
      )}
      <button type="button" className={isOnly ? 'button primary' : 'button'} onClick={onAdd}>
        <PlusIcon /> {words.add}
      </button>
    </div>
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
