'use client';
import { type RefObject, useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { createScanSession, IDLE_SCAN, type ScanSnapshot } from './scan-session.js';

export interface QRCameraOptions {
  /** Called with the text of a code, with the camera off. A rejection becomes the scan's error. */
  onScan: (text: string) => void | Promise<void>;
  /** How long a scan may take; read once. Default 60000. */
  timeoutMs?: number | undefined;
}

export interface QRCamera extends ScanSnapshot {
  /** Attach to the `video` that shows the camera's picture: `playsInline`, `muted`, and mirrored where `mirrored` says so. */
  video: RefObject<HTMLVideoElement | null>;
  /** Scans again after a failure or a cancellation, or with another camera. */
  start: (cameraId?: string) => void;
  /** Ends the scan and turns the camera off. */
  cancel: () => void;
}

/** Scans the camera's picture for a QR code while the component is mounted. The camera is off at every end. */
export function useQRCamera({ onScan, timeoutMs }: QRCameraOptions): QRCamera {
  const video = useRef<HTMLVideoElement>(null);
  const latestScan = useRef(onScan);
  latestScan.current = onScan;
  const [session] = useState(() =>
    createScanSession({
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      onText: (text) => latestScan.current(text),
    }),
  );
  const state = useSyncExternalStore(session.subscribe, session.snapshot, () => IDLE_SCAN);

  const start = useCallback(
    (cameraId?: string) => {
      session.cancel();
      if (video.current) void session.start(video.current, cameraId);
    },
    [session],
  );
  useEffect(() => {
    start();
    return () => session.close();
  }, [session, start]);

  return { ...state, video, start, cancel: session.cancel };
}
