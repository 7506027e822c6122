import { useEffect, useState } from 'react';
import { useTexts } from '../texts/use-texts.js';

const TICK_MS = 250;

/** The code that both devices of a linking show: four groups in two rows of large letters. */
export function CheckCode({ code }: { code: string }) {
  const { checkCode } = useTexts().common;
  return (
    <p className="check">
      <span className="eyebrow">{checkCode}</span>{' '}
      <strong className="letters" translate="no">
        {code.replace(/.{4}(?=.)/g, '$& ')}
      </strong>
    </p>
  );
}

/** The milliseconds until a moment, 0 once it has passed. */
function useTimeLeft(until: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, until - now);
}

/** 14:05 */
function minutesAndSeconds(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Counts down to a moment, in large digits. Screen readers read it on request, not every second. */
export function Countdown({ until }: { until: number }) {
  return (
    <span role="timer" aria-live="off" className="time">
      {minutesAndSeconds(useTimeLeft(until))}
    </span>
  );
}
