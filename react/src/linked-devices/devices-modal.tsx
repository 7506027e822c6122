import type { Theme } from 'latchkey';
import { Modal } from '../surface/modal.js';
import { useTexts } from '../texts/use-texts.js';
import { DeviceRows } from './device-rows.js';
import { devicesCss } from './styles.js';
import { useLinkedDevices } from './use-linked-devices.js';

export interface DevicesModalProps {
  isOpen: boolean;
  accountId: string;
  theme: Theme;
  onAdd: (() => void) | undefined;
  onClose: () => void;
}

/** The device list; LinkedDevicesModal loads it when it first opens. */
export function DevicesModal({ isOpen, accountId, theme, onAdd, onClose }: DevicesModalProps) {
  const { title } = useTexts().devices;
  return (
    <Modal
      open={isOpen}
      name="latchkey-devices"
      theme={theme}
      title={title}
      lead={accountId}
      css={devicesCss}
      onClose={onClose}
    >
      {isOpen && <Body accountId={accountId} onAdd={onAdd} />}
    </Modal>
  );
}

function Body({ accountId, onAdd }: Pick<DevicesModalProps, 'accountId' | 'onAdd'>) {
  const devices = useLinkedDevices(accountId);
  const { list, error } = devices;
  const words = useTexts().devices;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="body devices" aria-label={words.list} aria-busy={!list && !error} tabIndex={0}>
      <DeviceRows devices={devices} onAdd={onAdd} />
    </section>
  );
}
