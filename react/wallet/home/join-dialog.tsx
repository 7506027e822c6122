import { usePasskeyContext } from '../../src/context.js';
import { LinkDeviceQr, type LinkDeviceQrProps } from '../../src/link-device/link-device-qr.js';
import { Modal } from '../../src/surface/modal.js';
import { useHomeTexts } from './texts/index.js';

const codeCss = '.body { justify-items: stretch; }';

interface JoinDialogProps {
  open: boolean;
  /** The account to join, if known. */
  accountId?: string | undefined;
  onClose: () => void;
  onError: (error: Error) => void;
  onLinked: NonNullable<LinkDeviceQrProps['onLinked']>;
}

/** This device's code, which a device of the account scans. */
export function JoinDialog({ open, accountId, onClose, onError, onLinked }: JoinDialogProps) {
  const words = useHomeTexts().devices;
  const { theme } = usePasskeyContext();
  return (
    <Modal
      open={open}
      name="latchkey-home-code"
      theme={theme}
      title={words.codeTitle}
      lead={words.codeLead}
      css={codeCss}
      onClose={onClose}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className="body" aria-label={words.codeTitle} tabIndex={0}>
        {open && (
          <LinkDeviceQr accountId={accountId} onClose={onClose} onError={onError} onLinked={onLinked} />
        )}
      </section>
    </Modal>
  );
}
