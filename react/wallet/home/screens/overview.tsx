import { isNearImplicitAccountId, isPlaceholderId } from 'latchkey/internal';
import { useEffect } from 'react';
import { BackupReminder } from '../../../src/backup-reminder/backup-reminder.js';
import { usePasskeyContext } from '../../../src/context.js';
import { showAmount } from '../../../src/format/amount.js';
import { PasskeyCheck } from '../../../src/passkey-check/passkey-check.js';
import { ResumedNotices } from '../../../src/resumed/resumed-notices.js';
import { NEAR_DECIMALS } from '../../../src/send-form/transfer.js';
import { RefreshIcon } from '../../../src/surface/icons.js';
import { outcomeText, thrownFailure } from '../../../src/texts/error-text.js';
import { Filled } from '../../../src/texts/filled.js';
import { TokenList } from '../../../src/token-list/token-list.js';
import { Worth } from '../../../src/token-list/worth.js';
import { useBalance } from '../../../src/use-balance.js';
import { useLoginState } from '../../../src/use-login-state.js';
import { RecentActivity } from '../activity-list.js';
import { useHomeHooks } from '../context.js';
import { ReceiveIcon, SendIcon } from '../icons.js';
import { useMoney } from '../money.js';
import { Copy, Problem, Screen } from '../parts.js';
import { addressOf, goSend } from '../routes.js';
import { useHomeTexts } from '../texts/index.js';
import { useToaster } from '../toaster.js';
import { useFocusNext } from '../use-focus-next.js';

const RECENT = 5;

/** The balance, the two ways of money, and what was sent lately. */
export function Overview({ accountId }: { accountId: string }) {
  const words = useHomeTexts();
  const { passkeyManager } = usePasskeyContext();
  const toaster = useToaster();
  const finishLink = async (account: string): Promise<void> => {
    const { success, ...failed } = await passkeyManager.finishDeviceLinking(account);
    if (!success) toaster.error(outcomeText(failed), { id: 'linking', duration: 6000 });
  };
  return (
    <Screen title={words.overview.title}>
      <ResumedNotices kinds={['payments', 'links']} onFinishLink={(account) => void finishLink(account)} />
      <PasskeyCheck />
      {isNearImplicitAccountId(accountId) && <BackupReminder />}
      <Balance accountId={accountId} />
      <Tokens />
      <section className="part" aria-labelledby="recent">
        <div className="part-head">
          <h2 id="recent">{words.overview.recent}</h2>
          <a href={addressOf('activity')}>{words.overview.all}</a>
        </div>
        <RecentActivity accountId={accountId} most={RECENT} />
      </section>
    </Screen>
  );
}

function Tokens() {
  const words = useHomeTexts().overview;
  const { worthOf } = useHomeHooks();
  const { tokens, add, hide } = useMoney();
  return (
    <section className="part" aria-labelledby="tokens">
      <div className="part-head">
        <h2 id="tokens">{words.tokens}</h2>
      </div>
      <TokenList
        tokens={tokens}
        onSend={({ contractId }) => goSend(contractId)}
        onAdd={add}
        onHide={hide}
        worthOf={worthOf}
      />
    </section>
  );
}

function Balance({ accountId }: { accountId: string }) {
  const words = useHomeTexts();
  const { networkId } = usePasskeyContext().passkeyManager.config;
  const { value, error, isLoading, reload } = useBalance(accountId);
  const { worthOf } = useHomeHooks();
  const { arrivals } = useMoney();
  useEffect(() => {
    if (arrivals > 0) void reload();
  }, [arrivals, reload]);
  // Where it is not, Receive asks for a check before it gives the address away.
  const isProven = useLoginState().loginState.userData?.passkeyProven !== false;
  const address = useFocusNext<HTMLParagraphElement>(isProven);
  const isHidden = isPlaceholderId(accountId);
  // Its first payment makes an account without a name.
  const isUnfunded = value === null && (isHidden || isNearImplicitAccountId(accountId));
  const spendable = isUnfunded ? '0' : value ? showAmount(value.spendable)?.near : undefined;
  return (
    <section className="card balance" aria-label={words.overview.balance}>
      <div className="balance-head">
        <span className="eyebrow">{words.overview.balance}</span>
        <button
          type="button"
          className="icon-button"
          aria-label={words.overview.reload}
          aria-disabled={isLoading}
          onClick={() => void reload()}
        >
          <RefreshIcon />
        </button>
      </div>
      <p className="amount" aria-live="polite" aria-busy={isLoading}>
        {spendable === undefined ? <span className="faint">–</span> : <strong>{spendable}</strong>}{' '}
        <span>NEAR</span>
      </p>
      {value && <Worth amount={value.spendable} decimals={NEAR_DECIMALS} worthOf={worthOf} />}
      {networkId !== 'mainnet' && <p className="faint small">{words.testNetwork}</p>}
      {value && value.total !== value.spendable && (
        <p className="faint small">
          <Filled
            text={words.overview.total}
            amount={<b>{`${showAmount(value.total)?.near ?? value.total} NEAR`}</b>}
          />
        </p>
      )}
      {value === null && !isHidden && (
        <p className="faint small">{isUnfunded ? words.overview.unfunded : words.overview.noAccount}</p>
      )}
      <Problem of={error && thrownFailure(error)} />
      {!isHidden && (
        <p ref={address} className="address" tabIndex={-1}>
          <span className="break" translate="no">
            {accountId}
          </span>
          {isProven && <Copy text={accountId} what={words.receive.address} />}
        </p>
      )}
      <div className="ways">
        <a className="button primary with-icon" href={addressOf('send')}>
          <SendIcon /> {words.overview.send}
        </a>
        <a className="button with-icon" href={addressOf('receive')}>
          <ReceiveIcon /> {words.overview.receive}
        </a>
      </div>
    </section>
  );
}
