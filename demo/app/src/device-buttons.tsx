import { LinkDeviceScanner, LinkedDevicesModal } from 'latchkey-react';
import { DevicesIcon, ScanIcon } from 'latchkey-react/icons';
import { useState } from 'react';
import { linkedToast, linkingToast, showToast } from './toasts.js';

/** Buttons that link another device and list the linked ones. */
export function DeviceButtons({ accountId }: { accountId: string | null }) {
  const [open, setOpen] = useState<'scanner' | 'devices'>();
  const close = () => setOpen(undefined);
  const told = (error: Error) =>
    showToast('linking', { kind: 'error', text: error.message || 'Device linking failed' });
  return (
    <>
      <button type="button" className="button small" onClick={() => setOpen('scanner')}>
        <ScanIcon /> <span className="label">Scan and Link Device</span>
      </button>
      <button type="button" className="button small" onClick={() => setOpen('devices')}>
        <DevicesIcon /> <span className="label">Linked Devices</span>
      </button>
      <LinkDeviceScanner
        isOpen={open === 'scanner'}
        onClose={close}
        onEvent={(event) => showToast('linking', linkingToast(event))}
        onError={told}
        onLinked={({ linkedToAccount }) => showToast('linking', linkedToast(linkedToAccount ?? ''))}
      />
      {accountId !== null && (
        <LinkedDevicesModal
          isOpen={open === 'devices'}
          accountId={accountId}
          onClose={close}
          onError={told}
        />
      )}
    </>
  );
}
