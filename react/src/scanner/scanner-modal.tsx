import type { Theme } from 'latchkey';
import { filled, isLatchkeyError } from 'latchkey/internal';
import { useEffect, useId, useRef } from 'react';
import { FailureText } from '../surface/failure.js';
import { AlertIcon, CameraOffIcon } from '../surface/icons.js';
import { Modal } from '../surface/modal.js';
import type { Texts } from '../texts/english.js';
import { thrownFailure } from '../texts/error-text.js';
import { useTexts } from '../texts/use-texts.js';
import { SCAN_TIMEOUT_MS, type ScanOptions, type ScanSnapshot } from './scan-session.js';
import { scannerCss } from './styles.js';
import { useQRCamera } from './use-qr-camera.js';

export interface ScannerModalProps {
  isOpen: boolean;
  theme: Theme;
  title?: string | undefined;
  timeoutMs?: number | undefined;
  onScan: ScanOptions['onText'];
  onClose: () => void;
  /** Offers another window after a failure of the camera; called with that failure. */
  onElsewhere?: ((failure: Error) => void) | undefined;
}

/** The scanner; QRCodeScanner loads it when it first opens. */
export function ScannerModal({
  isOpen,
  onScan,
  onClose,
  theme,
  title,
  timeoutMs = SCAN_TIMEOUT_MS,
  onElsewhere,
}: ScannerModalProps) {
  const words = useTexts().scanner;
  return (
    <Modal
      open={isOpen}
      name="latchkey-scanner"
      theme={theme}
      title={title ?? words.title}
      css={scannerCss}
      onClose={onClose}
    >
      {isOpen && <Scanner {...{ onScan, onClose, timeoutMs, onElsewhere }} />}
    </Modal>
  );
}

function Scanner({
  onScan,
  onClose,
  timeoutMs,
  onElsewhere,
}: Pick<ScannerModalProps, 'onScan' | 'onClose' | 'onElsewhere'> & { timeoutMs: number }) {
  const tryAgain = useRef<HTMLButtonElement>(null);
  const { common, scanner: words } = useTexts();
  const state = useQRCamera({ onScan, timeoutMs });
  const { video, start } = state;

  const failed = state.status === 'error';
  const failure = state.error ? thrownFailure(state.error) : undefined;
  const cameraFailure = isLatchkeyError(state.error, 'CAMERA_ACCESS_FAILED', 'CAMERA_DEVICES_FAILED')
    ? state.error
    : null;
  useEffect(() => {
    if (failed) tryAgain.current?.focus();
  }, [failed]);

  return (
    <section className="body scanner" aria-label={words.camera}>
      <div className="stage" data-status={state.status} hidden={failed}>
        <video ref={video} className={state.mirrored ? 'mirrored' : undefined} playsInline muted />
        <span className="frame" aria-hidden="true">
          <i />
          <i />
          <i />
          <i />
          <b />
        </span>
        <span
          className="left"
          aria-hidden="true"
          style={{ transform: `scaleX(${1 - Math.min(1, state.elapsedMs / timeoutMs)})` }}
        />
      </div>
      {failed ? (
        <div className="problem">
          <span className="badge">{cameraFailure ? <CameraOffIcon /> : <AlertIcon />}</span>
          {failure?.code === undefined ? (
            // In the words of the page that judged the code.
            <p role="alert">{failure?.message}</p>
          ) : (
            <FailureText failure={failure} />
          )}
        </div>
      ) : (
        <div className="words">
          <p>{words.position}</p>
          <p className="faint" role="status">
            {statusOf(state.status, words)}
          </p>
        </div>
      )}
      {state.cameras.length > 1 && <CameraChoice state={state} onChoose={start} />}
      {onElsewhere && cameraFailure && (
        <button type="button" className="button" onClick={() => onElsewhere(cameraFailure)}>
          {words.elsewhere}
        </button>
      )}
      {failed && (
        <div className="buttons">
          <button type="button" className="button" onClick={onClose}>
            {common.close}
          </button>
          <button
            ref={tryAgain}
            type="button"
            className="button primary"
            onClick={() => start(state.cameraId ?? undefined)}
          >
            {common.tryAgain}
          </button>
        </div>
      )}
    </section>
  );
}

/** What a scan does, in words; a failure has its own. */
function statusOf(status: ScanSnapshot['status'], words: Texts['scanner']): string {
  switch (status) {
    case 'idle':
    case 'initializing':
      return words.starting;
    case 'scanning':
      return words.scanning;
    case 'success':
      return words.found;
    case 'error':
    case 'cancelled':
      return '';
  }
}

function CameraChoice({ state, onChoose }: { state: ScanSnapshot; onChoose: (cameraId: string) => void }) {
  const words = useTexts().scanner;
  const id = useId();
  return (
    <div className="camera">
      <label htmlFor={id}>{words.camera}</label>
      <select id={id} value={state.cameraId ?? ''} onChange={(event) => onChoose(event.target.value)}>
        {state.cameras.map(({ deviceId, label }, index) => (
          <option key={deviceId} value={deviceId}>
            {label || filled(words.cameraNumber, { number: index + 1 })}
          </option>
        ))}
      </select>
    </div>
  );
}
