import {
  LinkDeviceScanner,
  type LinkDeviceScannerProps,
  usePasskeyToasts,
} from 'latchkey-react';
import { toast } from 'sonner';

/** Scans another device's code, and lets it in. */
export function ScanDevice(
  props: LinkDeviceScannerProps,
) {
  const { onEvent } = usePasskeyToasts(toast);
  return (
    <LinkDeviceScanner onEvent={onEvent} {...props} />
  );
}
