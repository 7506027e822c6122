/** Where a framed wallet page takes clicks and runs ceremonies that the frame does not allow. */
import { type ClickSurroundings, clickPlace } from '../../confirm/click-place.js';
import { tellsVisibility } from '../../confirm/guard.js';
import type { Confirmer } from '../../confirm/port.js';
import { isLatchkeyError } from '../../errors/latchkey-error.js';
import type { ShowKey } from '../../flows/context.js';
import type { Theme } from '../../types.js';
import { browserCredentials, type Credentials } from '../../webauthn/credentials.js';
import { withOtherWays } from '../../webauthn/other-ways.js';
import {
  type PopupOptions,
  type PopupScreen,
  popupConfirmer,
  popupCredentials,
  popupKeyViewer,
  scanInPopup,
} from './popup.js';
import { wrapEach } from './wrap-each.js';

export interface FramedCredentialsOptions {
  readonly screen: PopupScreen;
  readonly theme: () => Promise<Theme>;
  /**
   * The ceremonies of the allowed host, where the wallet's own configuration has
   * `enableSafariGetWebauthnRegistrationFallback`: it sees the PRF outputs. Undefined anywhere else.
   */
  readonly bridge: Credentials | undefined;
}

/** The frame itself; then the wallet's own window; then, only if configured, the page around the frame. */
export function framedCredentials({ screen, theme, bridge }: FramedCredentialsOptions): Credentials {
  const popup = popupCredentials({ screen, theme, hasAnotherWay: bridge !== undefined });
  return withOtherWays(browserCredentials, bridge ? [popup, bridge] : [popup]);
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
  /** Whether the frame may use the camera. Default: asks this document's policy. */
  readonly mayUseCamera?: () => boolean;
}

/** Shows each confirmation where its click is safe, and scans where there is a camera: in the frame, or in the wallet's own window. */
export function framedConfirmer(
  here: Confirmer,
  {
    screen,
    isTrustedHost,
    host,
    at = whereWeAre(),
    mayUseCamera = policyLeavesCamera,
  }: ClickOptions & Asking,
): Confirmer {
  const popup = popupConfirmer({ screen });
  return wrapEach(here, {
    show: (show) => (model, signal) => {
      const asked = { ...model, askedBy: host };
      return clickPlace(asked, { ...at, isTrustedHost }) === 'popup'
        ? popup.show(asked, signal)
        : show(asked, signal);
    },
    wait: (wait) => wait,
    // The page learns nothing by it that it does not know: an account that is new to it needs its passkey.
    choose: (choose) => (model, signal) => choose({ ...model, askedBy: host }, signal),
    scan: (scan) => framedScan(scan, { screen, mayUseCamera }),
    viewerLook: (look) => look,
    errorText: (text) => text,
  });
}

/** Scans in the frame, or, where the host did not let it have the camera, in the wallet's own window. */
function framedScan(
  here: NonNullable<Confirmer['scan']>,
  { screen, mayUseCamera }: Pick<PopupOptions, 'screen'> & { readonly mayUseCamera: () => boolean },
): NonNullable<Confirmer['scan']> {
  return async (model, signal) => {
    const { theme } = model;
    const inWindow = (): Promise<string> => scanInPopup({ screen, theme: async () => theme }, signal);
    if (!mayUseCamera()) return inWindow();
    try {
      return await here({ ...model, hasAnotherWay: true }, signal);
    } catch (error) {
      if (!isLatchkeyError(error, 'CAMERA_ACCESS_FAILED', 'CAMERA_DEVICES_FAILED')) throw error;
      return inWindow();
    }
  };
}

/** Whether the policy of this document leaves it the camera. Only Chromium tells: elsewhere the user's try does. */
function policyLeavesCamera(): boolean {
  const { featurePolicy } = document as { featurePolicy?: { allowsFeature(feature: string): boolean } };
  return featurePolicy?.allowsFeature('camera') ?? true;
}

/** Returns a function that shows a key in the wallet's own window; undefined if its click is safe in the frame. */
export function framedKeyWindow({
  screen,
  isTrustedHost,
  at = whereWeAre(),
}: ClickOptions): ShowKey | undefined {
  return clickPlace('export', { ...at, isTrustedHost }) === 'popup' ? popupKeyViewer({ screen }) : undefined;
}

/** What this document knows of the place of its clicks. */
export function whereWeAre(): Omit<ClickSurroundings, 'isTrustedHost'> {
  return { isFramed: globalThis.top !== globalThis.self, tracksVisibility: tellsVisibility() };
}
