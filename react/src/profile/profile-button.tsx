'use client';
import { type FlowEvent, type LinkDeviceResult, usernameOf } from 'latchkey';
import { filled, isPlaceholderId } from 'latchkey/internal';
import { type ReactNode, useState } from 'react';
import { asError } from '../as-error.js';
import { usePasskeyContext } from '../context.js';
import { LinkedDevicesModal } from '../linked-devices/linked-devices.js';
import { useRecoveryPhrase } from '../recovery-phrase/use-recovery-phrase.js';
import { LinkDeviceScanner } from '../scanner/link-device-scanner.js';
import { TransactionSettings } from '../settings/transaction-settings.js';
import { FailureText } from '../surface/failure.js';
import { CloseIcon, ExternalIcon } from '../surface/icons.js';
import { Inline } from '../surface/inline.js';
import { useTexts } from '../texts/use-texts.js';
import { useLoginState } from '../use-login-state.js';
import { ProfileMenu } from './profile-menu.js';
import { profileCss } from './styles.js';
import { useKeyExport } from './use-key-export.js';

export interface ProfileButtonProps {
  /** The text of the button. Default: the name of the account that is logged in, else 'User'. */
  username?: string | undefined;
  /** The user has locked the wallet: show the page for users who are logged out. */
  onLogout?: (() => void) | undefined;
  /** The progress of linking a device that was scanned here. */
  onLinkingEvent?: ((event: FlowEvent<'linking'>) => void) | undefined;
  /** A device that was scanned here has been linked. */
  onLinked?: ((result: LinkDeviceResult) => void) | undefined;
  /** What failed: a linking, the logout, or a screen that could not be loaded (offline, say). Without it, that is logged. */
  onError?: ((error: Error) => void) | undefined;
}

type Screen = 'scanner' | 'devices' | 'settings';

/**
 * A button with the user's name that opens the wallet's menu: export keys, link a device, linked devices, recovery phrase
 * (where the wallet may show one), theme, transaction settings, lock. Works in both wallet modes, logged in or not, and draws
 * in a shadow root of its own.
 */
export function ProfileButton({ username, onLogout, onLinkingEvent, onLinked, onError }: ProfileButtonProps) {
  const { passkeyManager, theme, toggleTheme, logout } = usePasskeyContext();
  const { accountId } = useLoginState();
  const { profile } = useTexts();
  const [screen, setScreen] = useState<Screen>();
  const keyExport = useKeyExport(accountId);
  const phrase = useRecoveryPhrase();
  const [isMade, setMade] = useState(false);
  const close = (): void => setScreen(undefined);
  const fail = (error: Error): void => {
    if (onError) onError(error);
    else passkeyManager.config.logger.warn('The profile menu', error);
  };

  async function makePhrase(account: string): Promise<void> {
    setMade(false);
    setMade(await phrase.make(account));
  }

  async function lock(): Promise<void> {
    try {
      await logout();
      onLogout?.();
    } catch (error) {
      fail(asError(error));
    }
  }

  return (
    <>
      <Inline theme={theme} css={profileCss}>
        <div className="profile">
          <ProfileMenu
            name={username ?? (accountId === null ? profile.user : usernameOf(accountId))}
            isLoggedIn={accountId !== null}
            theme={theme}
            hasScreen={screen === 'scanner' || screen === 'devices'}
            onExport={() => void keyExport.exportKeys()}
            onPhrase={phrase.isAllowed ? () => accountId !== null && void makePhrase(accountId) : undefined}
            onScreen={setScreen}
            onTheme={toggleTheme}
            onLock={() => void lock()}
          />
          {accountId !== null && !isPlaceholderId(accountId) && (
            <a
              className="address"
              href={`${passkeyManager.config.explorerUrl}/address/${accountId}`}
              target="_blank"
              rel="noreferrer"
              aria-label={filled(profile.inExplorer, { account: accountId })}
              title={accountId}
            >
              <ExternalIcon /> <span className="where">{profile.explorer}</span>
            </a>
          )}
          <div className="alerts">
            {keyExport.failure && (
              <Said onClose={keyExport.dismiss}>
                <FailureText failure={keyExport.failure} />
              </Said>
            )}
            {phrase.failure && (
              <Said onClose={phrase.dismiss}>
                <FailureText failure={phrase.failure} />
              </Said>
            )}
          </div>
          <div className="alerts" role="status">
            {isMade && (
              <Said isGood onClose={() => setMade(false)}>
                {profile.phraseMade}
              </Said>
            )}
          </div>
        </div>
      </Inline>
      <LinkDeviceScanner
        isOpen={screen === 'scanner'}
        onClose={close}
        onError={fail}
        {...(onLinkingEvent && { onEvent: onLinkingEvent })}
        {...(onLinked && { onLinked })}
      />
      {accountId !== null && (
        <LinkedDevicesModal
          isOpen={screen === 'devices'}
          accountId={accountId}
          onAdd={() => setScreen('scanner')}
          onClose={close}
          onError={fail}
        />
      )}
      <TransactionSettings isOpen={screen === 'settings'} onClose={close} onError={fail} />
    </>
  );
}

interface SaidProps {
  children: ReactNode;
  isGood?: boolean | undefined;
  onClose: () => void;
}

/** The outcome of a menu's item, until the user closes it. */
function Said({ children, isGood = false, onClose }: SaidProps) {
  const { common } = useTexts();
  return (
    <div className={isGood ? 'error good' : 'error'}>
      <div>{children}</div>
      <button type="button" className="close" aria-label={common.close} onClick={onClose}>
        <CloseIcon />
      </button>
    </div>
  );
}
