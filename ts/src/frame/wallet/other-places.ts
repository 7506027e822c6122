/** Where a framed wallet page takes clicks and runs ceremonies that the frame does not allow. */
import { type ClickSurroundings, clickPlace } from '../../confirm/click-place.js';
import { tellsVisibility } from '../../confirm/guard.js';
import type { Confirmer } from '../../confirm/port.js';
import type { ShowKey } from '../../flows/context.js';
import type { Theme } from '../../types.js';
import { browserCredentials, type Credentials } from '../../webauthn/credentials.js';
import { withOtherWays } from '../../webauthn/other-ways.js';
import { bridgeCredentials } from './bridge.js';
import { type PopupScreen, popupConfirmer, popupCredentials, popupKeyViewer } from './popup.js';

export interface FramedCredentialsOptions {
  readonly screen: PopupScreen;
  readonly theme: () => Promise<Theme>;
  /**
   * The allowed host that may run the ceremonies, where the wallet's own configuration has
   * `enableSafariGetWebauthnRegistrationFallback`: it sees the PRF outputs. Null anywhere else.
   */
  readonly bridgeTo: string | null;
}

/** The frame itself; then the wallet's own window; then, only if configured, the page around the frame. */
export function framedCredentials({ screen, theme, bridgeTo }: FramedCredentialsOptions): Credentials {
  const popup = popupCredentials({ screen, theme, hasAnotherWay: bridgeTo !== null });
  return withOtherWays(
    browserCredentials,
    bridgeTo === null ? [popup] : [popup, bridgeCredentials(bridgeTo)],
  );
}

export interface ClickOptions {
  readonly screen: PopupScreen;
  /** Whether the wallet's operator trusts the host not to cover it. */
  readonly isTrustedHost: boolean;
  /** Default: determined from this document. */
  readonly at?: Omit<ClickSurroundings, 'isTrustedHost'>;
}

export interface Asking {
  /** The host's origin, which the user is shown. */
  readonly host: string;
}

/** Shows each confirmation where its click is safe: in the frame, or in the wallet's own window. */
export function framedConfirmer(
  here: Confirmer,
  { screen, isTrustedHost, host, at = whereWeAre() }: ClickOptions & Asking,
): Confirmer {
  const popup = popupConfirmer({ screen });
  return {
    show(model, signal) {
      const asked = { ...model, askedBy: host };
      return clickPlace(asked, { ...at, isTrustedHost }) === 'popup'
        ? popup.show(asked, signal)
        : here.show(asked, signal);
    },
    ...(here.wait && { wait: here.wait.bind(here) }),
  };
}

/** Returns a function that shows a key in the wallet's own window; undefined if its click is safe in the frame. */
export function framedKeyWindow({
  screen,
  isTrustedHost,
  at = whereWeAre(),
}: ClickOptions): ShowKey | undefined {
  return clickPlace('export', { ...at, isTrustedHost }) === 'popup' ? popupKeyViewer({ screen }) : undefined;
}

function whereWeAre(): Omit<ClickSurroundings, 'isTrustedHost'> {
  return { isFramed: globalThis.top !== globalThis.self, tracksVisibility: tellsVisibility() };
}
