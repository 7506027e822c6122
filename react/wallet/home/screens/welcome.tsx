import { usernameOf } from 'latchkey';
import { filled } from 'latchkey/internal';
import { useCallback, useState } from 'react';
import { usePasskeyContext } from '../../../src/context.js';
import { LoginMenu } from '../../../src/login-menu/login-menu.js';
import { ArrowIcon, PlusIcon } from '../../../src/surface/icons.js';
import { usePasskeyToasts } from '../../../src/toasts/use-passkey-toasts.js';
import { useRead } from '../../../src/use-read.js';
import { MissingPasskey } from '../missing-passkey.js';
import { Loading, Problem, Screen } from '../parts.js';
import { useHomeTexts } from '../texts/index.js';
import { useToaster } from '../toaster.js';
import { useOpenAccount } from '../use-open-account.js';

/** Where no account is open: the accounts of this browser, and the menu that makes, opens or recovers one. */
export function Welcome() {
  const words = useHomeTexts().welcome;
  const { passkeyManager } = usePasskeyContext();
  const known = useRead(useCallback(() => passkeyManager.getRecentLogins(), [passkeyManager]));
  const [hasMenu, setHasMenu] = useState(false);
  const accounts = known.value?.accountIds ?? [];
  if (known.isLoading && known.value === undefined) return <Loading />;
  return (
    <Screen title={words.title} lead={words.lead}>
      {accounts.length > 0 && <Choice accounts={accounts} />}
      {accounts.length > 0 && !hasMenu ? (
        <button type="button" className="button with-icon" onClick={() => setHasMenu(true)}>
          <PlusIcon /> {words.another}
        </button>
      ) : (
        <Menu autoFocus={hasMenu} />
      )}
    </Screen>
  );
}

function Menu({ autoFocus }: { autoFocus: boolean }) {
  const toasts = usePasskeyToasts(useToaster());
  return (
    <LoginMenu onToast={toasts.show} {...(autoFocus && { autoFocus, defaultMode: 'register' as const })} />
  );
}

function Choice({ accounts }: { accounts: readonly string[] }) {
  const words = useHomeTexts().welcome;
  const { open, opening, failure, lacking } = useOpenAccount();
  return (
    <section className="card" aria-labelledby="known">
      <h2 id="known">{words.choose}</h2>
      <Problem of={failure} />
      {lacking !== undefined && <MissingPasskey accountId={lacking} />}
      <ul className="rows" aria-label={words.known}>
        {accounts.map((account) => (
          <li key={account}>
            <button
              type="button"
              className="row pick"
              aria-disabled={opening !== undefined}
              onClick={() => void open(account)}
            >
              <span className="avatar" aria-hidden="true">
                {usernameOf(account)[0]?.toUpperCase()}
              </span>
              <span className="sr-only">{filled(words.open, { account })}</span>
              <span className="about" aria-hidden="true">
                <strong>{usernameOf(account)}</strong>
                <span className="faint small break">{opening === account ? words.opening : account}</span>
              </span>
              {opening === account ? <span className="spinner" aria-hidden="true" /> : <ArrowIcon />}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
