import { usernameOf } from 'latchkey';
import { filled } from 'latchkey/internal';
import { useCallback, useState } from 'react';
import { usePasskeyContext } from '../../../src/context.js';
import { LoginMenu } from '../../../src/login-menu/login-menu.js';
import { PlusIcon } from '../../../src/surface/icons.js';
import { type Failure, thrownFailure } from '../../../src/texts/error-text.js';
import { Filled } from '../../../src/texts/filled.js';
import { usePasskeyToasts } from '../../../src/toasts/use-passkey-toasts.js';
import { useRead } from '../../../src/use-read.js';
import { useHome } from '../context.js';
import { MissingPasskey } from '../missing-passkey.js';
import { Failed, Loading, Problem, Screen } from '../parts.js';
import { Question } from '../question.js';
import { go } from '../routes.js';
import { useHomeTexts } from '../texts/index.js';
import { useSay, useToaster } from '../toaster.js';
import { useOpenAccount } from '../use-open-account.js';

/** The accounts of this browser: open one, add one, remove one from here. */
export function Accounts({ accountId }: { accountId: string }) {
  const texts = useHomeTexts();
  const words = texts.accounts;
  const { passkeyManager, refreshLoginState } = usePasskeyContext();
  const home = useHome();
  const say = useSay();
  const toasts = usePasskeyToasts(useToaster());
  const known = useRead(useCallback(() => passkeyManager.getRecentLogins(), [passkeyManager]));
  const { open, opening, ...opened } = useOpenAccount();
  const [isAdding, setAdding] = useState(false);
  const [asked, setAsked] = useState<string>();
  const [isRemoving, setRemoving] = useState(false);
  const [failure, setFailure] = useState<Failure>();

  async function remove(account: string): Promise<void> {
    setRemoving(true);
    setFailure(undefined);
    try {
      await home.removeAccount(account);
      say(filled(words.removed, { account }));
      await Promise.all([known.reload(), refreshLoginState()]);
    } catch (error) {
      setFailure(thrownFailure(error));
    } finally {
      setRemoving(false);
      setAsked(undefined);
    }
  }

  return (
    <Screen title={words.title} lead={words.lead}>
      <Problem of={failure ?? opened.failure} />
      {opened.lacking !== undefined && <MissingPasskey accountId={opened.lacking} />}
      {known.error && known.value === undefined && (
        <Failed title={words.unread} error={known.error} onAgain={() => void known.reload()} />
      )}
      {known.isLoading && known.value === undefined && <Loading />}
      {known.value && (
        <ul className="card list" aria-label={texts.welcome.known}>
          {known.value.accountIds.map((account) => (
            <li key={account} className="entry account">
              <span className="avatar" aria-hidden="true">
                {usernameOf(account)[0]?.toUpperCase()}
              </span>
              <div className="about">
                <strong className="break">{account}</strong>
                {account === accountId && (
                  <span className="chip" data-tone="good">
                    {words.current}
                  </span>
                )}
              </div>
              <div className="actions">
                {account !== accountId && (
                  <button
                    type="button"
                    className="button"
                    aria-label={filled(texts.welcome.open, { account })}
                    aria-disabled={opening !== undefined}
                    onClick={() => void open(account)}
                  >
                    {opening === account ? texts.welcome.opening : words.open}
                  </button>
                )}
                <button
                  type="button"
                  className="button danger-quiet"
                  aria-label={filled(words.removeOf, { account })}
                  onClick={() => setAsked(account)}
                >
                  {words.remove}
                </button>
              </div>
            </li>
          ))}
        </ul>
      )}
      {isAdding ? (
        <LoginMenu autoFocus defaultMode="register" onToast={toasts.show} onLoggedIn={() => go('overview')} />
      ) : (
        <div className="card lines">
          <div className="line">
            <div>
              <strong>{words.add}</strong>
              <p className="faint small">{words.addMore}</p>
            </div>
            <button type="button" className="button with-icon" onClick={() => setAdding(true)}>
              <PlusIcon /> {words.add}
            </button>
          </div>
        </div>
      )}
      <Question
        open={asked !== undefined}
        name="latchkey-home-remove"
        title={words.removeTitle}
        confirm={isRemoving ? words.removing : words.removeConfirm}
        isBusy={isRemoving}
        onConfirm={() => asked !== undefined && void remove(asked)}
        onClose={() => setAsked(undefined)}
      >
        <p>
          <Filled text={words.removeWhat} account={<strong>{asked}</strong>} />
        </p>
        <p>{words.removeKeeps}</p>
        <p className="warning">
          <span>{words.removeWarn}</span>
        </p>
      </Question>
    </Screen>
  );
}
