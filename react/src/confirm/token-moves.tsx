import type { RecipientModel, TokenModel } from 'latchkey';
import type { TokenMove } from 'latchkey/confirm-moves';
import { filled } from 'latchkey/internal';
import { exactNear, exactUnits } from '../format/amount.js';
import { UntrustedText } from '../surface/untrusted-text.js';
import { useConfirmTexts } from '../texts/confirm-texts.js';
import { Filled } from '../texts/filled.js';
import { Fact } from './facts.js';

/** What the wallet knows of the contracts and accounts that a request names. */
export interface Known {
  tokens: readonly TokenModel[];
  recipients: readonly RecipientModel[];
}

/** Moves whose amount is in yoctoNEAR. */
const OF_NEAR: ReadonlySet<TokenMove['does']> = new Set([
  'wrap',
  'pay-storage',
  'take-storage',
  'stake',
  'unstake',
]);

/** What calls move of tokens, of wrapped and staked NEAR, and of storage deposits: a line of facts each. */
export function TokenMoves({ moves, ...known }: { moves: readonly TokenMove[] } & Known) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the moves of one request never change their places
  return moves.map((move, index) => <MoveView key={index} move={move} {...known} />);
}

function MoveView({ move, tokens, recipients }: { move: TokenMove } & Known) {
  const words = useConfirmTexts().glance;
  const { does, receiverId, hasMessage } = move;
  return (
    <Fact label={words[does]}>
      {receiverId === undefined ? (
        <What move={move} tokens={tokens} />
      ) : (
        <Filled
          text={does === 'approve' || does === 'pay-storage' ? words.for : words.to}
          what={<What move={move} tokens={tokens} />}
          account={<Recipient id={receiverId} recipients={recipients} />}
        />
      )}
      {hasMessage && <span className="fine">{words.hasMessage}</span>}
      <Kept move={move} tokens={tokens} />
    </Fact>
  );
}

function What({
  move: { does, method, amount, token, tokenId },
  tokens,
}: { move: TokenMove } & Pick<Known, 'tokens'>) {
  const words = useConfirmTexts().glance;
  if (does === 'unreadable') {
    return (
      <strong>
        <Filled
          text={words.unlisted}
          method={
            <code>
              <UntrustedText text={method} />
            </code>
          }
        />
      </strong>
    );
  }
  if (does === 'close-storage') return <strong>{words.closed}</strong>;
  if (OF_NEAR.has(does)) {
    return <strong>{amount === undefined ? words.everything : (exactNear(amount) ?? amount)}</strong>;
  }
  if (tokenId !== undefined) {
    return (
      <strong>
        <Filled
          text={amount === undefined ? words.token : filled(words.tokens, { amount: exactUnits(amount) })}
          token={<UntrustedText text={tokenId} />}
        />
      </strong>
    );
  }
  if (amount === undefined) {
    return (
      <strong>
        <Filled text={words.whole} token={<UntrustedText text={token} />} />
      </strong>
    );
  }
  const said = tokens.find(({ contractId }) => contractId === token);
  if (said) {
    return (
      <strong>
        {exactUnits(amount, said.decimals)} “<UntrustedText text={said.symbol} />”
      </strong>
    );
  }
  return (
    <strong>
      <Filled
        text={filled(words.units, { amount: exactUnits(amount) })}
        token={<UntrustedText text={token} />}
      />
    </strong>
  );
}

/** Where a token is kept, and what of the line above is the word of that contract. */
function Kept({
  move: { does, amount, token, tokenId },
  tokens,
}: { move: TokenMove } & Pick<Known, 'tokens'>) {
  const words = useConfirmTexts().glance;
  if (does === 'unreadable' || does === 'close-storage' || OF_NEAR.has(does)) return null;
  if (amount === undefined && tokenId === undefined) return null;
  const said = tokenId === undefined ? tokens.find(({ contractId }) => contractId === token) : undefined;
  if (said) {
    return (
      <span className="fine">
        <Filled
          text={filled(words.ownWords, { amount: exactUnits(amount ?? '0'), decimals: said.decimals })}
          token={<UntrustedText text={token} />}
          symbol={<UntrustedText text={said.symbol} />}
        />
      </span>
    );
  }
  return tokenId === undefined ? (
    <span className="fine">{words.noWorth}</span>
  ) : (
    <span className="fine">
      <Filled text={words.keptBy} token={<UntrustedText text={token} />} />
    </span>
  );
}

/** An account, with what the wallet knows of it. */
export function Recipient({ id, recipients }: { id: string } & Pick<Known, 'recipients'>) {
  const words = useConfirmTexts().glance;
  const known = recipients.find(({ accountId }) => accountId === id);
  return (
    <>
      <strong>
        <UntrustedText text={id} />
      </strong>
      {known?.looksLike !== undefined ? (
        <>
          {' '}
          <span className="badge risky">{words.looksLike}</span>
        </>
      ) : (
        known?.isNew && (
          <>
            {' '}
            <span className="badge">{words.firstTime}</span>
          </>
        )
      )}
    </>
  );
}
