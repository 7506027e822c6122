import { filled } from 'latchkey/internal';
import { useState } from 'react';
import { usePasskeyContext } from '../../../src/context.js';
import { DeviceRows } from '../../../src/linked-devices/device-rows.js';
import { devicesCss } from '../../../src/linked-devices/styles.js';
import { useLinkedDevices } from '../../../src/linked-devices/use-linked-devices.js';
import { LinkDeviceScanner } from '../../../src/scanner/link-device-scanner.js';
import { Inline } from '../../../src/surface/inline.js';
import { modalCss } from '../../../src/surface/layer-styles.js';
import { thrownText } from '../../../src/texts/error-text.js';
import { Filled } from '../../../src/texts/filled.js';
import { useTexts } from '../../../src/texts/use-texts.js';
import { usePasskeyToasts } from '../../../src/toasts/use-passkey-toasts.js';
import { JoinDialog } from '../join-dialog.js';
import { Screen } from '../parts.js';
import { useHomeTexts } from '../texts/index.js';
import { useSay, useToaster } from '../toaster.js';

const listCss = /* css */ `${modalCss}${devicesCss}
:host { display: block; font: 400 var(--lk-text-m)/1.5 var(--lk-font); color: var(--lk-text); }
.list { display: grid; gap: 14px; }
.row { background: var(--lk-surface); }
.problem { border: 1px solid var(--lk-line); border-radius: var(--lk-radius-l); background: var(--lk-surface); padding: 30px 20px; }
`;

/** The account's devices and keys, and both ends of linking one more. */
export function Devices({ accountId }: { accountId: string }) {
  const words = useHomeTexts().devices;
  const { theme } = usePasskeyContext();
  const { list: listLabel } = useTexts().devices;
  const toaster = useToaster();
  const toasts = usePasskeyToasts(toaster);
  const say = useSay();
  const devices = useLinkedDevices(accountId);
  const [open, setOpen] = useState<'scanner' | 'code'>();
  const close = (): void => setOpen(undefined);
  const fail = (error: Error): unknown => toaster.error(thrownText(error), { id: 'linking', duration: 8000 });
  return (
    <Screen
      title={words.title}
      lead={<Filled text={words.lead} account={<b className="break">{accountId}</b>} />}
    >
      <Inline theme={theme} css={listCss}>
        <section className="list" aria-label={listLabel}>
          <DeviceRows devices={devices} onAdd={() => setOpen('scanner')} />
        </section>
      </Inline>
      <div className="card lines">
        <div className="line">
          <div>
            <strong>{words.join}</strong>
            <p className="faint small">{words.joinMore}</p>
          </div>
          <button type="button" className="button" onClick={() => setOpen('code')}>
            {words.show}
          </button>
        </div>
      </div>
      <LinkDeviceScanner
        isOpen={open === 'scanner'}
        onClose={close}
        onError={fail}
        onEvent={(event) => toasts.onEvent(event)}
        onLinked={() => {
          say(words.approved);
          void devices.reload();
        }}
      />
      <JoinDialog
        open={open === 'code'}
        onClose={close}
        onError={fail}
        onLinked={({ nearAccountId }) => say(filled(words.linked, { account: nearAccountId }))}
      />
    </Screen>
  );
}
