import type { CostModel } from 'latchkey';
import { showAmount } from '../format/amount.js';
import { Filled } from '../texts/filled.js';
import { useConfirmTexts } from '../texts/use-confirm-texts.js';
import { Amount } from './amount.js';
import { Fact } from './fact.js';

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
