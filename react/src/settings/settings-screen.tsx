import {
  type ConfirmationConfig,
  DEFAULT_CONFIRMATION,
  type LoginState,
  type UserPreferences,
  type UserPreferencesChange,
} from 'latchkey';
import { useEffect, useState } from 'react';
import { useClickGuard } from '../confirm/use-click-guard.js';
import { Modal } from '../surface/modal.js';
import { settingsCss, TransactionSettings } from './transaction-settings.js';

/** What the screen needs of a wallet. */
export interface SettingsWallet {
  getLoginState(): Promise<LoginState>;
  getConfirmationConfig(accountId?: string): Promise<ConfirmationConfig>;
  getUserPreferences(accountId?: string): Promise<UserPreferences>;
  setUserPreferences(change: UserPreferencesChange, accountId?: string): Promise<void>;
}

export interface SettingsScreenProps {
  wallet: SettingsWallet;
  open: boolean;
  onClose: () => void;
}

type View =
  | { kind: 'nobody' }
  | { kind: 'failed'; message: string }
  | { kind: 'shown'; accountId: string; chosen: Partial<ConfirmationConfig> };

interface Read {
  view: View;
  /** What holds where the person chose nothing. */
  inForce: ConfirmationConfig;
}

/**
 * The person's own settings, stored with the account that is logged in, as they are changed. They can waive a click, so
 * they are guarded as one: a host that hides the screen, or lays something over it, has nothing changed.
 */
export function SettingsScreen({ wallet, open, onClose }: SettingsScreenProps) {
  const [view, setView] = useState<View>();
  const [inForce, setInForce] = useState<ConfirmationConfig>();
  const guard = useClickGuard(1);
  const [saved, setSaved] = useState<{ text: string; isBad: boolean }>();

  useEffect(() => {
    let current = true;
    read(wallet).then(
      (found) => {
        if (!current) return;
        setInForce(found.inForce);
        setView(found.view);
      },
      (error: unknown) => {
        if (!current) return;
        setInForce(DEFAULT_CONFIRMATION);
        setView({ kind: 'failed', message: messageOf(error) });
      },
    );
    return () => {
      current = false;
    };
  }, [wallet]);

  async function change(
    accountId: string,
    before: Partial<ConfirmationConfig>,
    choice: Partial<ConfirmationConfig>,
  ) {
    setView({ kind: 'shown', accountId, chosen: { ...before, ...choice } });
    try {
      const { theme, ...confirmationConfig } = choice;
      await wallet.setUserPreferences({ ...(theme ? { theme } : { confirmationConfig }) }, accountId);
      setSaved({ text: 'Saved', isBad: false });
    } catch (error) {
      setView({ kind: 'shown', accountId, chosen: before });
      setSaved({ text: `Not saved: ${messageOf(error)}`, isBad: true });
    }
  }

  // Read within a moment: it opens in its theme, and whole.
  if (!view || !inForce) return null;
  const theme = (view.kind === 'shown' && view.chosen.theme) || inForce.theme;
  return (
    <Modal
      open={open}
      name="latchkey-settings"
      theme={theme}
      title="Transaction Settings"
      lead="Customize confirmation behavior"
      css={settingsCss}
      popupRef={guard.ref}
      onClose={onClose}
    >
      <section className="body">
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
              chosen={view.chosen}
              defaults={inForce}
              disabled={!guard.isArmed}
              onChange={(choice) => void change(view.accountId, view.chosen, choice)}
            />
            <p className="faint">
              What you do not choose is as the app asks, but with your click for whatever costs. Keys, devices
              and whole accounts are never given away without your click, whatever is chosen here.
            </p>
            <p className={saved?.isBad ? 'saved bad' : 'saved'} role="status">
              {saved?.text}
            </p>
          </>
        )}
      </section>
    </Modal>
  );
}

/** The person's choices alone: what a site wishes is none of theirs. */
async function read(wallet: SettingsWallet): Promise<Read> {
  const { isLoggedIn, nearAccountId } = await wallet.getLoginState();
  if (!isLoggedIn || nearAccountId === null)
    return { view: { kind: 'nobody' }, inForce: await wallet.getConfirmationConfig() };
  const [inForce, { confirmationConfig, theme }] = await Promise.all([
    wallet.getConfirmationConfig(nearAccountId),
    wallet.getUserPreferences(nearAccountId),
  ]);
  const chosen = { ...confirmationConfig, ...(theme && { theme }) };
  return { view: { kind: 'shown', accountId: nearAccountId, chosen }, inForce };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
