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

/** The wallet calls that the screen needs. */
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
  /** Applies to settings that the user has not chosen. */
  inForce: ConfirmationConfig;
}

/**
 * Edits the user's own settings and stores each change with the logged-in account. Settings can waive a click, so they
 * have a click's guard: a host that hides or covers the screen changes nothing.
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

  // Waits for the data, which comes quickly, so that the screen opens complete and in its theme.
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
              The app decides what you do not choose, but whatever it has you sign needs your click. Keys,
              devices and whole accounts always need your click, whatever you choose here.
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

/** Reads only the user's own choices, not the wishes of a site. */
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
