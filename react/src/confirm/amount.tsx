import { useState } from 'react';
import { showAmount } from '../format/amount.js';
import { useConfirmTexts } from '../texts/use-confirm-texts.js';
import { Untrusted } from './untrusted.js';

/** An amount in NEAR, with the exact figure in yoctoNEAR one press away. */
export function Amount({ yocto }: { yocto: string }) {
  const words = useConfirmTexts().actions;
  const amount = showAmount(yocto);
  const [exactly, setExactly] = useState(amount?.near.startsWith('<') ?? false);
  if (!amount) return <Untrusted text={yocto} />;
  if (amount.yocto === '0') return <span className="faint">{words.none}</span>;
  return (
    <span className="amount">
      <strong>{amount.near} NEAR</strong>
      <button type="button" className="quiet" aria-expanded={exactly} onClick={() => setExactly(!exactly)}>
        {exactly ? words.hideExact : words.exact}
      </button>
      {exactly && <span className="exact">{amount.yocto} yoctoNEAR</span>}
    </span>
  );
}
