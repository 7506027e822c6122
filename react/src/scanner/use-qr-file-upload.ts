'use client';
import { useCallback, useEffect, useRef, useState } from 'react';
import { asError } from '../as-error.js';

export interface QRFileUploadOptions {
  /** Called with the text of the code. A rejection becomes the error. */
  onScan: (text: string) => void | Promise<void>;
}

export interface QRFileUpload {
  /** Reads the QR code of a picture: a file of `<input type="file" accept="image/*">`, or one that was dropped or pasted. */
  readFile: (picture: Blob) => Promise<void>;
  /** Whether a picture is being read. */
  isReading: boolean;
  /** Why the last picture gave no text: QR_NOT_FOUND, QR_FILE_UNREADABLE, or what `onScan` rejected with. */
  error: Error | null;
}

/** Reads QR codes from pictures that the user chooses, for a device without a camera. A newer picture replaces one that is read. */
export function useQRFileUpload({ onScan }: QRFileUploadOptions): QRFileUpload {
  const latestScan = useRef(onScan);
  latestScan.current = onScan;
  const [state, setState] = useState<Omit<QRFileUpload, 'readFile'>>({ isReading: false, error: null });
  const newest = useRef(0);
  useEffect(
    () => () => {
      newest.current += 1;
    },
    [],
  );

  const readFile = useCallback(async (picture: Blob) => {
    newest.current += 1;
    const mine = newest.current;
    const isNewest = (): boolean => newest.current === mine;
    setState({ isReading: true, error: null });
    let error: Error | null = null;
    try {
      const { qrTextOf } = await import('./picture.js');
      const text = await qrTextOf(picture);
      if (isNewest()) await latestScan.current(text);
    } catch (thrown) {
      error = asError(thrown);
    }
    if (isNewest()) setState({ isReading: false, error });
  }, []);

  return { ...state, readFile };
}
