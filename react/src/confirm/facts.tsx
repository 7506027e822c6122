/** The lines of facts: of an amount, of what a request sends and costs, and of a delegate. */
import type { CostModel, DelegateModel, TransactionsConfirmModel } from 'latchkey';
import { type ReactNode, useState } from 'react';
import { showAmount } from '../format/amount.js';
import { UntrustedText } from '../surface/untrusted-text.js';
import { useConfirmTexts } from '../texts/confirm-texts.js';
import { Filled } from '../texts/filled.js';
import { actionsOf, totalSpent } from './describe-action.js';

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

/** What several actions send together. */
export function Total({ model }: { model: TransactionsConfirmModel }) {
  const { send } = useConfirmTexts().facts;
  const actions = actionsOf(model);
  const total = totalSpent(actions);
  if (total === undefined || total === 0n || actions.length < 2) return null;
  return (
    <Fact label={send}>
      <Amount yocto={total.toString()} />
    </Fact>
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
        {facts.blocks(validForBlocks)}
        {[...new Set(maxBlockHeights)].map((height) => (
          <span className="fine" key={height}>
            {facts.untilBlock(height)}
          </span>
        ))}
      </Fact>
    </>
  );
}

/** The cost that the wallet estimates, and the account's balance. */
export function Cost({ cost }: { cost: CostModel }) {
  const { facts } = useConfirmTexts();
  const { gas, deposit, total } = cost;
  return (
    <>
      <Fee gas={gas} />
      {deposit !== '0' && (
        <Fact label={facts.total}>
          <Filled text={facts.upTo} amount={<Amount yocto={total} />} />
        </Fact>
      )}
      <Balance cost={cost} />
    </>
  );
}

/** As {@link Cost}, in little room: the fee, and the balance only where it may not be enough. */
export function ShortCost({ cost }: { cost: CostModel }) {
  const { facts } = useConfirmTexts();
  return (
    <>
      <Fact label={facts.fee}>
        <Filled text={facts.upTo} amount={<strong>{shortly(cost.gas)}</strong>} />
      </Fact>
      {isShort(cost) && <Balance cost={cost} />}
    </>
  );
}

function Fee({ gas }: Pick<CostModel, 'gas'>) {
  const { fee, upTo } = useConfirmTexts().facts;
  return (
    <Fact label={fee}>
      <Filled text={upTo} amount={<Amount yocto={gas} />} />
    </Fact>
  );
}

function Balance({ cost }: { cost: CostModel }) {
  const { balance, short } = useConfirmTexts().facts;
  if (cost.available === undefined) return null;
  return (
    <Fact label={balance}>
      <Amount yocto={cost.available} />
      {isShort(cost) && <strong> {short}</strong>}
    </Fact>
  );
}

const shortly = (yocto: string): string => `${showAmount(yocto)?.near ?? yocto} NEAR`;

const isShort = ({ total, available }: CostModel): boolean =>
  available !== undefined && BigInt(total) > BigInt(available);
