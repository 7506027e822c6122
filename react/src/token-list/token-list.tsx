'use client';
import { filled } from 'latchkey/internal';
import type { AccountTokens, Token } from 'latchkey/tokens';
import { useState } from 'react';
import { usePasskeyContext } from '../context.js';
import { exactUnits } from '../format/amount.js';
import { FailureDetails, FailureNote } from '../surface/failure.js';
import { Inline } from '../surface/inline.js';
import { UntrustedText } from '../surface/untrusted-text.js';
import { thrownFailure } from '../texts/error-text.js';
import { Filled } from '../texts/filled.js';
import { useTokenTexts } from '../texts/token-texts.js';
import { useTexts } from '../texts/use-texts.js';
import type { Read } from '../use-read.js';
import { AddToken } from './add-token.js';
import { tokenListCss } from './styles.js';
import { Worth, type WorthOf } from './worth.js';

export interface TokenListProps {
  /** What `useTokens` has read. */
  tokens: Read<AccountTokens>;
  /** Called at a token's button Send. Without it, no button. */
  onSend?: ((token: Token) => void) | undefined;
  /** Called with the contract of a token that the user adds, which answers as a token does. Without it, no form. */
  onAdd?: ((contractId: string) => void | Promise<void>) | undefined;
  /** Called with the contract of a token that the user hides. Without it, no button. */
  onHide?: ((contractId: string) => void | Promise<void>) | undefined;
  /** What an amount is worth in a currency. Without it, no values show. */
  worthOf?: WorthOf | undefined;
}

/** The tokens of an account, each with its contract: its name is that contract's own word. */
export function TokenList({ tokens, onSend, onAdd, onHide, worthOf }: TokenListProps) {
  const { theme } = usePasskeyContext();
  const words = useTokenTexts().list;
  const { tryAgain } = useTexts().common;
  const { value, error } = tokens;
  const isEmpty = value !== undefined && value.tokens.length + value.unread.length === 0;
  return (
    <Inline theme={theme} css={tokenListCss}>
      <div className="tokens" aria-busy={tokens.isLoading}>
        {value === undefined && tokens.isLoading && (
          <p className="status" role="status">
            <span className="spinner" aria-hidden="true" />
            {words.reading}
          </p>
        )}
        {error && (
          <>
            <FailureNote failure={thrownFailure(error)} />
            <button type="button" className="button" onClick={() => void tokens.reload()}>
              {tryAgain}
            </button>
          </>
        )}
        {value?.indexerError && <FailureNote failure={thrownFailure(value.indexerError)} />}
        {isEmpty && (
          <div className="card none">
            <strong>{words.none}</strong>
            {onAdd && <p className="faint small">{words.noneMore}</p>}
          </div>
        )}
        {value && !isEmpty && (
          <ul className="card list" aria-label={words.label}>
            {value.tokens.map((token) => (
              <Row key={token.contractId} token={token} {...{ onSend, onHide, worthOf }} />
            ))}
            {value.unread.map((unread) => (
              <UnreadRow key={unread.contractId} {...unread} onHide={onHide} />
            ))}
          </ul>
        )}
        {onAdd && <AddToken onAdd={onAdd} />}
      </div>
    </Inline>
  );
}

function Row({
  token,
  onSend,
  onHide,
  worthOf,
}: { token: Token } & Omit<TokenListProps, 'tokens' | 'onAdd'>) {
  const words = useTokenTexts().list;
  const { contractId, symbol, name, decimals, balance, icon } = token;
  return (
    <li className="token">
      <Picture symbol={symbol} icon={icon} />
      <div className="about">
        <strong>
          <Filled text={words.symbol} symbol={<UntrustedText text={symbol} />} />
        </strong>
        {name !== symbol && (
          <span className="small">
            <Filled text={words.symbol} symbol={<UntrustedText text={name} />} />
          </span>
        )}
        <Address contractId={contractId} />
        <Imitation token={token} />
      </div>
      <div className="held">
        <strong>{exactUnits(balance, decimals)}</strong>
        <Worth contractId={contractId} amount={balance} decimals={decimals} worthOf={worthOf} />
      </div>
      {(onSend || onHide) && (
        <div className="ways">
          {onSend && (
            <button
              type="button"
              className="button"
              aria-label={filled(words.sendOf, { symbol })}
              onClick={() => onSend(token)}
            >
              {words.send}
            </button>
          )}
          <Hide contractId={contractId} onHide={onHide} />
        </div>
      )}
    </li>
  );
}

function UnreadRow({
  contractId,
  error,
  onHide,
}: AccountTokens['unread'][number] & Pick<TokenListProps, 'onHide'>) {
  const words = useTokenTexts().list;
  return (
    <li className="token">
      <Picture symbol="?" icon={undefined} />
      <div className="about">
        <Address contractId={contractId} />
        <span>{words.unread}</span>
        <FailureDetails failure={thrownFailure(error)} />
      </div>
      <div className="ways">
        <Hide contractId={contractId} onHide={onHide} />
      </div>
    </li>
  );
}

/** What tells a token from every other. */
function Address({ contractId }: { contractId: string }) {
  return (
    <span className="faint small">
      <Filled text={useTokenTexts().list.at} token={<UntrustedText text={contractId} />} />
    </span>
  );
}

/** What a token would be taken for. */
export function Imitation({ token: { imitates } }: { token: Pick<Token, 'imitates'> }) {
  const words = useTokenTexts().list;
  if (imitates === undefined) return null;
  const isNear = imitates === 'NEAR';
  return (
    <span className="small">
      <span className="chip">{isNear ? words.isNotNear : words.looksLike}</span>{' '}
      <Filled
        text={isNear ? words.isNotNearMore : words.looksLikeMore}
        token={<UntrustedText text={imitates} />}
      />
    </span>
  );
}

/** The token's own picture; one that is none, or is missing, is its first letter. */
function Picture({ symbol, icon }: { symbol: string; icon: string | undefined }) {
  const [isBroken, setBroken] = useState(false);
  return (
    <span className="picture" aria-hidden="true">
      {icon === undefined || isBroken ? (
        [...symbol][0]
      ) : (
        <img src={icon} alt="" onError={() => setBroken(true)} />
      )}
    </span>
  );
}

function Hide({ contractId, onHide }: { contractId: string } & Pick<TokenListProps, 'onHide'>) {
  const words = useTokenTexts().list;
  if (!onHide) return null;
  return (
    <button
      type="button"
      className="button"
      aria-label={filled(words.hideOf, { token: contractId })}
      onClick={() => void onHide(contractId)}
    >
      {words.hide}
    </button>
  );
}
