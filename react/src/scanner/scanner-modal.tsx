import type { Theme } from 'latchkey';
import { useEffect, useId, useRef, useState, useSyncExternalStore } from 'react';
import { CameraOffIcon } from '../surface/icons.js';
import { Modal } from '../surface/modal.js';
import { createScanSession, SCAN_TIMEOUT_MS, type ScanOptions, type ScanSnapshot } from './scan-session.js';
import { scannerCss } from './styles.js';

export interface ScannerModalProps {
  isOpen: boolean;
  theme: Theme;
  title?: string;
  timeoutMs?: number;
  onScan: ScanOptions['onText'];
  onClose: () => void;
}

/** The scanner; QRCodeScanner loads it when it first opens. */
export function ScannerModal({
  isOpen,
  onScan,
  onClose,
  theme,
  title = 'Scan QR code',
  timeoutMs = SCAN_TIMEOUT_MS,
}: ScannerModalProps) {
  return (
    <Modal
      open={isOpen}
      name="latchkey-scanner"
      theme={theme}
      title={title}
      css={scannerCss}
      onClose={onClose}
    >
      {isOpen && <Scanner onScan={onScan} onClose={onClose} timeoutMs={timeoutMs} />}
    </Modal>
  );
}

function Scanner({
  onScan,
  onClose,
  timeoutMs,
}: Pick<ScannerModalProps, 'onScan' | 'onClose'> & { timeoutMs: number }) {
  const video = useRef<HTMLVideoElement>(null);
  const tryAgain = useRef<HTMLButtonElement>(null);
  const latestScan = useRef(onScan);
  latestScan.current = onScan;
  const [session] = useState(() =>
    createScanSession({ timeoutMs, onText: (text) => latestScan.current(text) }),
  );
  const state = useSyncExternalStore(session.subscribe, session.snapshot);

  const start = (cameraId?: string) => {
    if (video.current) void session.start(video.current, cameraId);
  };
  useEffect(() => {
    if (video.current) void session.start(video.current);
    return () => session.close();
  }, [session]);

  const failed = state.status === 'error';
  useEffect(() => {
    if (failed) tryAgain.current?.focus();
  }, [failed]);

  return (
    <section className="body scanner" aria-label="Camera">
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
          <span className="badge">
            <CameraOffIcon />
          </span>
          <p role="alert">{state.error?.message}</p>
        </div>
      ) : (
        <div className="words">
          <p>Position the QR code within the frame</p>
          <p className="faint" role="status">
            {STATUS_TEXT[state.status]}
          </p>
        </div>
      )}
      {state.cameras.length > 1 && (
        <CameraChoice
          state={state}
          onChoose={(cameraId) => {
            session.cancel();
            start(cameraId);
          }}
        />
      )}
      {failed && (
        <div className="buttons">
          <button type="button" className="button" onClick={onClose}>
            Close
          </button>
          <button
            ref={tryAgain}
            type="button"
            className="button primary"
            onClick={() => start(state.cameraId ?? undefined)}
          >
            Try Again
          </button>
        </div>
      )}
    </section>
  );
}

const STATUS_TEXT: Readonly<Record<ScanSnapshot['status'], string>> = {
  idle: 'Starting the camera…',
  initializing: 'Starting the camera…',
  scanning: 'Scanning...',
  success: 'Found. Checking the code…',
  error: '',
  cancelled: '',
};

function CameraChoice({ state, onChoose }: { state: ScanSnapshot; onChoose: (cameraId: string) => void }) {
  const id = useId();
  return (
    <div className="camera">
      <label htmlFor={id}>Camera</label>
      <select id={id} value={state.cameraId ?? ''} onChange={(event) => onChoose(event.target.value)}>
        {state.cameras.map(({ deviceId, label }, index) => (
          <option key={deviceId} value={deviceId}>
            {label || `Camera ${index + 1}`}
          </option>
        ))}
      </select>
    </div>
  );
}
