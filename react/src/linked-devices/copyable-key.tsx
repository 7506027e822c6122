import { useEffect, useId, useRef, useState } from 'react';
import { CheckIcon, CopyIcon } from '../surface/icons.js';
import { useTexts } from '../texts/use-texts.js';
import { useDeviceTexts } from './device-texts.js';

const TOOLTIP_MS = 2000;
const COPIED_MS = 3000;

/** A button that copies a public key. */
export function CopyKey({ value }: { value: string }) {
  const id = useId();
  const words = useTexts().devices;
  const { copyKey } = useDeviceTexts();
  const [tooltip, showTooltip] = useFlag(TOOLTIP_MS);
  const [copied, setCopied] = useFlag(COPIED_MS);
  const [refused, setRefused] = useFlag(COPIED_MS);

  async function copy() {
    try {
      await navigator.clipboard.writeText(value);
      setCopied();
    } catch {
      // No clipboard here, or not allowed: a message says so, and the user can select the text.
      setRefused();
    }
  }

  return (
    <div className="copyable">
      <button
        type="button"
        className="key link"
        aria-describedby={id}
        onPointerEnter={showTooltip}
        onFocus={showTooltip}
        onClick={() => void copy()}
      >
        {copied ? <CheckIcon /> : <CopyIcon />}
        {copyKey}
      </button>
      <span id={id} role="tooltip" className="tip" data-shown={tooltip && !copied && !refused}>
        {words.clickToCopy}
      </span>
      <span role="status" className="tip" data-shown={copied || refused}>
        {copied && words.copied}
        {refused && !copied && words.notCopied}
      </span>
    </div>
  );
}

/** A flag that clears itself after `ms`. */
function useFlag(ms: number): [up: boolean, raise: () => void] {
  const [up, setUp] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return [
    up,
    () => {
      clearTimeout(timer.current);
      setUp(true);
      timer.current = setTimeout(() => setUp(false), ms);
    },
  ];
}
