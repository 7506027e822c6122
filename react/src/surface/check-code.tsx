import { useEffect, useState } from 'react';
import { Filled } from '../texts/filled.js';
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

/** The time until a moment, and a bar of what is left of it since it was first drawn. */
export function TimeLeft({ until, text }: { until: number; text: string }) {
  const left = useTimeLeft(until);
  const [whole] = useState(left);
  return (
    <div className="time-left">
      <p className="instruct">
        <Filled text={text} time={<Countdown until={until} />} />
      </p>
      <span className="bar" aria-hidden="true">
        <span style={{ inlineSize: `${whole === 0 ? 0 : (100 * left) / whole}%` }} />
      </span>
    </div>
  );
}

/** Styles the check code of a linking and the time left. */
export const checkCodeCss = /* css */ `
.check { display: grid; justify-items: center; gap: 2px; margin: 0; text-align: center; }
.letters {
  font: 650 clamp(25px, 8vw, 32px)/1.3 var(--lk-mono); letter-spacing: 0.09em; margin-inline-end: -0.09em; color: var(--lk-text);
  font-variant-ligatures: none; max-width: calc(11 * (1ch + 0.09em));
}
.time {
  display: block; font-size: clamp(25px, 8vw, 32px); line-height: 1.3; font-variant-numeric: tabular-nums; font-weight: 600;
  color: var(--lk-text);
}
.time-left { display: grid; gap: 8px; }
.time-left .time { display: inline; font-size: inherit; line-height: inherit; }
.bar { display: block; height: 6px; border-radius: 99px; background: var(--lk-line); overflow: hidden; }
.bar > span { display: block; height: 100%; border-radius: inherit; background: var(--lk-accent); }
@media (forced-colors: active) { .bar { border: 1px solid; } .bar > span { background: Highlight; } }
`;
