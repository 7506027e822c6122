import {
  type ConfirmationConfig,
  DEFAULT_CONFIRMATION,
  type LoginState,
  type UserPreferences,
  type UserPreferencesChange,
} from 'latchkey';
import { useEffect, useState } from 'react';
import { Modal } from '../surface/modal.js';
import { settingsCss, TransactionSettings } from './transaction-settings.js';

/** What the screen needs of a wallet. */
export interface SettingsWallet {
  getLoginState(): Promise<LoginState>;
  getUserPreferences(accountId?: string): Promise<UserPreferences>;
  setUserPreferences(change: UserPreferencesChange, accountId?: string): Promise<void>;
}

export interface SettingsScreenProps {
  wallet: SettingsWallet;
  /** What holds where the person chose nothing. */
  defaults?: Partial<ConfirmationConfig>;
  open: boolean;
  onClose: () => void;
}

type View =
  | { kind: 'loading' }
  | { kind: 'nobody' }
  | { kind: 'failed'; message: string }
  | { kind: 'shown'; accountId: string; settings: ConfirmationConfig };

/** The person's own settings, stored with the account that is logged in, as they are changed. */
export function SettingsScreen({ wallet, defaults, open, onClose }: SettingsScreenProps) {
  const [view, setView] = useState<View>({ kind: 'loading' });
  const [saved, setSaved] = useState<{ text: string; isBad: boolean }>();

  useEffect(() => {
    let current = true;
    read(wallet, defaults).then(
      (next) => current && setView(next),
      (error: unknown) => current && setView({ kind: 'failed', message: messageOf(error) }),
    );
    return () => {
      current = false;
    };
  }, [wallet, defaults]);

  async function change(
    accountId: string,
    settings: ConfirmationConfig,
    chosen: Partial<ConfirmationConfig>,
  ) {
    setView({ kind: 'shown', accountId, settings: { ...settings, ...chosen } });
    try {
      const { theme, ...confirmationConfig } = chosen;
      await wallet.setUserPreferences({ ...(theme ? { theme } : { confirmationConfig }) }, accountId);
      setSaved({ text: 'Saved', isBad: false });
    } catch (error) {
      setView({ kind: 'shown', accountId, settings });
      setSaved({ text: `Not saved: ${messageOf(error)}`, isBad: true });
    }
  }

  const theme = view.kind === 'shown' ? view.settings.theme : (defaults?.theme ?? DEFAULT_CONFIRMATION.theme);
  return (
    <Modal
      open={open}
      name="latchkey-settings"
      theme={theme}
      title="Transaction Settings"
      lead="Customize confirmation behavior"
      css={settingsCss}
      onClose={onClose}
    >
      <section className="body">
        {view.kind === 'loading' && (
          <p className="status" role="status">
            <span className="spinner" aria-hidden="true" /> Reading your settings…
          </p>
        )}
        {view.kind === 'nobody' && <p>Log in first: these settings are kept with your account.</p>}
        {view.kind === 'failed' && (
          <p className="error" role="alert">
            {view.message}
          </p>
        )}
        {view.kind === 'shown' && (
          <>
            <p className="faint whose">
              For <strong>{view.accountId}</strong>. No site can change these settings.
            </p>
            <TransactionSettings
              settings={view.settings}
              onChange={(chosen) => void change(view.accountId, view.settings, chosen)}
            />
            <p className="faint">
              Keys, devices and whole accounts are never given away without your click, whatever is chosen
              here.
            </p>
          </>
        )}
        <p className={saved?.isBad ? 'saved bad' : 'saved'} role="status">
          {saved?.text}
        </p>
      </section>
    </Modal>
  );
}

/** The person's choices alone over the defaults: what a site wishes is no choice of theirs. */
async function read(wallet: SettingsWallet, defaults: Partial<ConfirmationConfig> = {}): Promise<View> {
  const { isLoggedIn, nearAccountId } = await wallet.getLoginState();
  if (!isLoggedIn || nearAccountId === null) return { kind: 'nobody' };
  const { confirmationConfig, theme } = await wallet.getUserPreferences(nearAccountId);
  return {
    kind: 'shown',
    accountId: nearAccountId,
    settings: { ...DEFAULT_CONFIRMATION, ...defaults, ...confirmationConfig, ...(theme && { theme }) },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
