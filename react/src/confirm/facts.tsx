/** The lines of facts: of an amount, of what a request costs, and of a delegate. */

import type { CostModel, DelegateModel } from 'latchkey';
import { filled } from 'latchkey/internal';
import { type ReactNode, useState } from 'react';
import { aboutNear, atMostNear, showAmount } from '../format/amount.js';
import { UntrustedText } from '../surface/untrusted-text.js';
import { useConfirmTexts } from '../texts/confirm-texts.js';
import { counted } from '../texts/counted.js';
import { Filled } from '../texts/filled.js';

/** One line of a list of facts. */
export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** An amount in NEAR, with the exact figure in yoctoNEAR one press away. */
export function Amount({ yocto }: { yocto: string }) {
  const words = useConfirmTexts().actions;
  const amount = showAmount(yocto);
  const [exactly, setExactly] = useState(amount?.near.startsWith('<') ?? false);
  if (!amount) return <UntrustedText text={yocto} />;
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

/** For a delegate, which another party sends: shows the sender, who pays fees and deposits, and how long it is valid. */
export function Delegate({
  delegate: { relay, validForBlocks, maxBlockHeights = [] },
}: {
  delegate: DelegateModel;
}) {
  const { facts } = useConfirmTexts();
  return (
    <>
      <Fact label={facts.sentBy}>
        {relay === null ? (
          <strong>{facts.anyone}</strong>
        ) : (
          <Filled
            text={facts.relay}
            relay={
              <strong>
                <UntrustedText text={relay} />
              </strong>
            }
          />
        )}
      </Fact>
      <Fact label={facts.fees}>{facts.feesPaid}</Fact>
      <Fact label={facts.goodFor}>
        {counted(facts.blocks, validForBlocks)}
        {[...new Set(maxBlockHeights)].map((height) => (
          <span className="fine" key={height}>
            {filled(facts.untilBlock, { height })}
          </span>
        ))}
      </Fact>
    </>
  );
}

/** The fee: what such requests usually burn, and the most that the chain may take. */
function Fee({ cost: { gas, usual }, text, bound }: { cost: CostModel; text: string; bound: string }) {
  const most = <strong>{atMostNear(gas)}</strong>;
  if (usual === undefined || BigInt(usual) >= BigInt(gas)) return <Filled text={bound} most={most} />;
  return <Filled text={text} usual={<strong>{aboutNear(usual)}</strong>} most={most} />;
}

/** The fee in a line, and whether the balance may not be enough. */
export function FeeLine({ cost }: { cost: CostModel }) {
  const { facts } = useConfirmTexts();
  return (
    <>
      <p className="fee">
        <Fee cost={cost} text={facts.feeLine} bound={facts.feeBound} />
      </p>
      {isShort(cost) && (
        <p className="fee short">
          <Shortage cost={cost} />
        </p>
      )}
    </>
  );
}

/** The most that the request costs with its fee, and the balance. */
export function Cost({ cost: { gas, deposit, total, available } }: { cost: CostModel }) {
  const { facts } = useConfirmTexts();
  return (
    <>
      <Fact label={facts.fee}>
        <Filled text={facts.atMost} most={<Amount yocto={gas} />} />
      </Fact>
      {deposit !== '0' && (
        <Fact label={facts.withFee}>
          <Filled text={facts.atMost} most={<Amount yocto={total} />} />
        </Fact>
      )}
      {available !== undefined && (
        <Fact label={facts.balance}>
          <Amount yocto={available} />
        </Fact>
      )}
    </>
  );
}

/** In little room: the fee, and the balance only where it may not be enough. */
export function ShortCost({ cost }: { cost: CostModel }) {
  const { facts } = useConfirmTexts();
  return (
    <>
      <Fact label={facts.fee}>
        <Fee cost={cost} text={facts.about} bound={facts.atMost} />
      </Fact>
      {isShort(cost) && (
        <Fact label={facts.balance}>
          <Shortage cost={cost} />
        </Fact>
      )}
    </>
  );
}

function Shortage({ cost: { available = '0' } }: { cost: CostModel }) {
  const { shortOf } = useConfirmTexts().facts;
  return (
    <strong>
      <Filled text={shortOf} balance={`${showAmount(available)?.near ?? available} NEAR`} />
    </strong>
  );
}

const isShort = ({ total, available }: CostModel): boolean =>
  available !== undefined && BigInt(total) > BigInt(available);
