import { CSPProvider } from '@base-ui/react/csp-provider';
import { Menu } from '@base-ui/react/menu';
import type { Theme } from 'latchkey';
import { type ReactNode, useRef, useState } from 'react';
import {
  DevicesIcon,
  KeyIcon,
  LockIcon,
  MoonIcon,
  PhraseIcon,
  ScanIcon,
  SettingsIcon,
  SunIcon,
} from '../surface/icons.js';
import { useTexts } from '../texts/use-texts.js';

interface ProfileMenuProps {
  /** The button's text. */
  name: string;
  isLoggedIn: boolean;
  theme: Theme;
  /** Whether the scanner or the linked devices are open: clicks in them leave the menu open. */
  hasScreen: boolean;
  onExport: () => void;
  /** Makes a recovery phrase. Without it, the menu does not offer one. */
  onPhrase: (() => void) | undefined;
  onScreen: (screen: 'scanner' | 'devices' | 'settings') => void;
  onTheme: () => void;
  onLock: () => void;
}

/** The button and its menu, which has the keyboard of the ARIA menu button pattern (APG). */
export function ProfileMenu(props: ProfileMenuProps) {
  const { name, isLoggedIn, theme, hasScreen, onExport, onPhrase, onScreen, onTheme, onLock } = props;
  const [container, setContainer] = useState<HTMLElement | null>(null);
  const trigger = useRef<HTMLButtonElement>(null);
  const isOut = !isLoggedIn;
  const words = useTexts().profile;
  // What opens next remembers the focus, to give it back: it opens once the menu with the item is gone.
  const next = useRef<() => void>(undefined);
  const leave = (act: () => void) => (): void => {
    next.current = act;
  };
  return (
    <CSPProvider disableStyleElements>
      <Menu.Root
        modal={false}
        onOpenChange={(open, details) => {
          // Those screens are modal and lie above the page: what happens in them is no click outside of the menu.
          if (!open && hasScreen) details.cancel();
        }}
        onOpenChangeComplete={(open) => {
          const act = next.current;
          if (open || !act) return;
          next.current = undefined;
          trigger.current?.focus();
          act();
        }}
      >
        <Menu.Trigger ref={trigger} className="trigger">
          <span className="avatar" aria-hidden="true">
            {[...name][0]?.toUpperCase()}
          </span>
          <span className="name">{name}</span>
          <span className="arrow" aria-hidden="true" />
        </Menu.Trigger>
        <span ref={setContainer} />
        {container && (
          <Menu.Portal container={container}>
            <Menu.Positioner className="positioner" align="end" sideOffset={8} positionMethod="fixed">
              <Menu.Popup className="menu" aria-label={words.wallet}>
                <Item
                  icon={<KeyIcon />}
                  label={words.exportKeys}
                  more={words.exportKeysMore}
                  disabled={isOut}
                  onClick={leave(onExport)}
                />
                <Item
                  icon={<ScanIcon />}
                  label={words.linkDevice}
                  more={words.linkDeviceMore}
                  disabled={isOut}
                  staysOpen
                  onClick={() => onScreen('scanner')}
                />
                <Item
                  icon={<DevicesIcon />}
                  label={words.linkedDevices}
                  more={words.linkedDevicesMore}
                  disabled={isOut}
                  staysOpen
                  onClick={() => onScreen('devices')}
                />
                {onPhrase && (
                  <Item
                    icon={<PhraseIcon />}
                    label={words.phrase}
                    more={words.phraseMore}
                    disabled={isOut}
                    onClick={leave(onPhrase)}
                  />
                )}
                <Item
                  icon={theme === 'dark' ? <SunIcon /> : <MoonIcon />}
                  label={theme === 'dark' ? words.lightMode : words.darkMode}
                  more={words.toggleTheme}
                  staysOpen
                  onClick={onTheme}
                />
                <Item
                  icon={<SettingsIcon />}
                  label={words.settings}
                  more={words.settingsMore}
                  disabled={isOut}
                  onClick={leave(() => onScreen('settings'))}
                />
                <Item
                  icon={<LockIcon />}
                  label={words.lockWallet}
                  more={words.lockWalletMore}
                  onClick={leave(onLock)}
                />
              </Menu.Popup>
            </Menu.Positioner>
          </Menu.Portal>
        )}
      </Menu.Root>
    </CSPProvider>
  );
}

interface ItemProps {
  icon: ReactNode;
  label: string;
  /** The second line. */
  more: string;
  disabled?: boolean | undefined;
  /** The menu stays open behind what the item opens. */
  staysOpen?: boolean | undefined;
  onClick: () => void;
}

function Item({ icon, label, more, disabled = false, staysOpen = false, onClick }: ItemProps) {
  return (
    <Menu.Item className="item" label={label} disabled={disabled} closeOnClick={!staysOpen} onClick={onClick}>
      {icon}
      <span className="words">
        {/* The space keeps the lines apart in the item's name. */}
        <strong>{label}</strong> <small>{more}</small>
      </span>
    </Menu.Item>
  );
}
