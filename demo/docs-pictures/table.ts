// Which pictures the documentation has, and from which screen of demo/pictures.ts each comes. Take a new one before a page
// names it: the screens are those of the demo, whose build has the pages.

/** One picture of the documentation. */
export interface DocsPicture {
  /** The screen's name in screenshots/. */
  readonly screen: string;
  readonly width: 'wide' | 'narrow';
  /** The part of it to show: x, y, width and height in pixels. Default all of it. */
  readonly area?: readonly [x: number, y: number, width: number, height: number];
}

/** By the name of the files in docs/pictures. */
export const DOCS_PICTURES: Readonly<Record<string, DocsPicture>> = {
  'login-menu': { screen: 'welcome-register', width: 'narrow', area: [0, 610, 320, 480] },
  registration: { screen: 'confirm-registration-asked-modal', width: 'narrow', area: [0, 95, 320, 450] },
  confirmation: { screen: 'confirm-transaction-modal', width: 'wide', area: [290, 130, 520, 590] },
  'confirmation-drawer': { screen: 'confirm-batch-drawer', width: 'narrow' },
  message: { screen: 'confirm-message-drawer', width: 'narrow' },
  'transaction-button': { screen: 'transaction-button', width: 'wide', area: [370, 1800, 710, 440] },
  'link-code': { screen: 'link-code', width: 'narrow', area: [0, 220, 320, 840] },
  'link-confirmation': { screen: 'confirm-link-device-modal', width: 'narrow' },
  'linked-devices': { screen: 'linked-devices', width: 'narrow' },
  scanner: { screen: 'scanner', width: 'narrow', area: [0, 85, 320, 470] },
  'key-viewer': { screen: 'key-viewer-hidden-drawer', width: 'narrow', area: [0, 30, 320, 610] },
  'recovery-phrase': { screen: 'recovery-phrase', width: 'narrow' },
  settings: { screen: 'settings', width: 'narrow' },
  home: { screen: 'home-overview', width: 'wide', area: [20, 0, 1060, 1000] },
  'home-send': { screen: 'home-send', width: 'narrow', area: [0, 115, 320, 495] },
  connect: { screen: 'connect', width: 'narrow', area: [0, 60, 320, 520] },
  'profile-menu': { screen: 'user-menu', width: 'narrow', area: [0, 0, 320, 470] },
  toast: { screen: 'waiting', width: 'narrow', area: [0, 0, 320, 290] },
};
