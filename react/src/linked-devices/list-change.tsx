import type { LinkedDevice } from 'latchkey';
import { useEffect, useRef } from 'react';

/** What changed in the list while it shows. */
export interface ListChange {
  readonly text: string;
  /** The row that had the focus is gone. */
  readonly takesFocus: boolean;
}

/** Says the last change, to a screen reader too. */
export function SaidChange({ change }: { change: ListChange | undefined }) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (change?.takesFocus) title.current?.focus();
  }, [change]);
  return (
    <div className="status" role="status">
      {change && (
        <h3 ref={title} tabIndex={-1}>
          {change.text}
        </h3>
      )}
    </div>
  );
}

/** Calls `onArrival` with a device that the list did not have when it was read before. */
export function useArrival(
  devices: readonly LinkedDevice[] | undefined,
  onArrival: (device: LinkedDevice) => void,
): void {
  const latest = useRef(onArrival);
  latest.current = onArrival;
  const known = useRef<ReadonlySet<string>>(undefined);
  useEffect(() => {
    if (!devices) return;
    const arrived = known.current && devices.find(({ credentialId }) => !known.current?.has(credentialId));
    known.current = new Set(devices.map(({ credentialId }) => credentialId));
    if (arrived) latest.current(arrived);
  }, [devices]);
}
