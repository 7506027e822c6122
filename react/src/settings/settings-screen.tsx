import {
  type Choices,
  type ConfirmationConfig,
  DEFAULT_CONFIRMATION,
  type LoginState,
  type UserPreferences,
  type UserPreferencesChange,
} from 'latchkey';
import { isNearImplicitAccountId } from 'latchkey/internal';
import { type ReactNode, useEffect, useState } from 'react';
import { useDeviceTexts } from '../linked-devices/device-texts.js';
import { FailureNote } from '../surface/failure.js';
import { Modal } from '../surface/modal.js';
import { UntrustedText } from '../surface/untrusted-text.js';
import { useClickGuard } from '../surface/use-click-guard.js';
import { type Failure, thrownFailure } from '../texts/error-text.js';
import { Filled } from '../texts/filled.js';
import { useTexts } from '../texts/use-texts.js';
import { SettingsPanel, settingsCss } from './settings-panel.js';

/** The wallet calls that the screen needs. */
export interface SettingsWallet {
  getLoginState(): Promise<LoginState>;
  getConfirmationConfig(accountId?: string): Promise<ConfirmationConfig>;
  getUserPreferences(accountId?: string): Promise<UserPreferences>;
  setUserPreferences(change: UserPreferencesChange, accountId?: string): Promise<void>;
}

/** The site that the user told to stop asking. */
export interface StoppedSite {
  host: string;
  allow: () => void;
}

export interface SettingsScreenProps {
  wallet: SettingsWallet;
  stopped?: StoppedSite | undefined;
  open: boolean;
  onClose: () => void;
  /** Settings of this browser, not of the account. */
  children?: ReactNode;
}

type View =
  | { kind: 'nobody' }
  | { kind: 'failed'; failure: Failure }
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
export function SettingsScreen({ wallet, stopped, open, onClose, children }: SettingsScreenProps) {
  const { profile, settings: words } = useTexts();
  const [view, setView] = useState<View>();
  const [inForce, setInForce] = useState<ConfirmationConfig>();
  const { noName } = useDeviceTexts();
  const guard = useClickGuard('settings');
  const [saved, setSaved] = useState<'saved' | Failure>();

  useEffect(() => {
    if (!open) return;
    let current = true;
    setSaved(undefined);
    read(wallet).then(
      (found) => {
        if (!current) return;
        setInForce(found.inForce);
        setView(found.view);
      },
      (error: unknown) => {
        if (!current) return;
        setInForce(DEFAULT_CONFIRMATION);
        setView({ kind: 'failed', failure: thrownFailure(error) });
      },
    );
    return () => {
      current = false;
    };
  }, [wallet, open]);

  async function change(
    accountId: string,
    before: Partial<ConfirmationConfig>,
    choice: Choices<ConfirmationConfig>,
  ) {
    setView({ kind: 'shown', accountId, chosen: withoutNulls({ ...before, ...choice }) });
    try {
      const { theme, ...confirmationConfig } = choice;
      await wallet.setUserPreferences(theme === undefined ? { confirmationConfig } : { theme }, accountId);
      setSaved('saved');
      setInForce((await read(wallet)).inForce);
    } catch (error) {
      setView({ kind: 'shown', accountId, chosen: before });
      setSaved(thrownFailure(error));
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
      title={profile.settings}
      lead={profile.settingsMore}
      css={settingsCss}
      popupRef={guard.ref}
      onClose={onClose}
    >
      <section className="body">
        {stopped && <Stopped site={stopped} isArmed={guard.isArmed} />}
        {view.kind === 'nobody' && <p>{words.logInFirst}</p>}
        {view.kind === 'failed' && <FailureNote failure={view.failure} />}
        {view.kind === 'shown' && (
          <>
            <p className="faint whose">
              <Filled text={words.whose} account={<strong>{view.accountId}</strong>} />
            </p>
            <SettingsPanel
              chosen={view.chosen}
              defaults={inForce}
              disabled={!guard.isArmed}
              onChange={(choice) => void change(view.accountId, view.chosen, choice)}
            />
            <p className="faint">{words.limits}</p>
            {isNearImplicitAccountId(view.accountId) && <p className="faint">{noName}</p>}
            <p className="saved" role="status">
              {saved === 'saved' && words.saved}
            </p>
            {saved !== undefined && saved !== 'saved' && <FailureNote failure={saved} />}
          </>
        )}
        {children}
      </section>
    </Modal>
  );
}

/** Lets the site ask again: a host that moves or covers the screen cannot. */
function Stopped({ site: { host, allow }, isArmed }: { site: StoppedSite; isArmed: boolean }) {
  const words = useTexts().settings;
  const [isAllowed, setAllowed] = useState(false);
  return (
    <div className="stopped" role="status">
      <p>
        <Filled
          text={isAllowed ? words.allowed : words.stopped}
          site={
            <strong>
              <UntrustedText text={host} />
            </strong>
          }
        />
      </p>
      {!isAllowed && (
        <button
          type="button"
          className="button"
          disabled={!isArmed}
          onClick={() => {
            allow();
            setAllowed(true);
          }}
        >
          {words.allow}
        </button>
      )}
    </div>
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

function withoutNulls(choices: Choices<ConfirmationConfig>): Partial<ConfirmationConfig> {
  return Object.fromEntries(Object.entries(choices).filter(([, value]) => value !== null));
}
