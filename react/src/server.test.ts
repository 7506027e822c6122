import { sameOriginWallet } from 'latchkey/same-origin';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  LinkDeviceQr,
  LinkDeviceScanner,
  LinkedDevicesModal,
  LoginMenu,
  PasskeyContextProvider,
  ProfileButton,
  QRCodeScanner,
  ResumedNotices,
  TransactionButton,
  TransactionSettings,
  useAccessKeys,
  useAccountInput,
  useBalance,
  useDeviceLinking,
  useKeyExport,
  useLinkedDevices,
  useLinkingCode,
  useLoginState,
  usePasskeyContext,
  useQRCamera,
  useQRFileUpload,
  useTheme,
} from './index.js';

const config = { relayer: { url: 'https://relay.example' } };
const framed = { ...config, iframeWallet: { walletOrigin: 'https://wallet.example' } };
const nothing = (): void => undefined;

/** Everything that the kit draws, open where that is a prop. */
function Everything() {
  const { ready, loginState, theme } = usePasskeyContext();
  const { inputUsername } = useAccountInput();
  const { problem } = useKeyExport(null);
  const own = useTheme();
  const reads = [
    useAccessKeys('alice.testnet'),
    useBalance('alice.testnet'),
    useLinkedDevices('alice.testnet'),
  ];
  const isIdle = [useDeviceLinking().isLinking, useQRFileUpload({ onScan: nothing }).isReading];
  const states = [
    useLoginState().accountId,
    useLinkingCode().status,
    useQRCamera({ onScan: nothing }).status,
  ];
  return createElement(
    'main',
    { 'data-state': [ready, loginState.isLoggedIn, theme, inputUsername, problem, own.theme].join() },
    createElement('p', null, JSON.stringify([reads.map(({ isLoading }) => isLoading), isIdle, states])),
    createElement(LoginMenu),
    createElement(ProfileButton),
    createElement(ResumedNotices),
    createElement(LinkDeviceQr, { onClose: nothing }),
    createElement(LinkDeviceScanner, { isOpen: true, onClose: nothing }),
    createElement(LinkedDevicesModal, { isOpen: true, accountId: 'alice.testnet', onClose: nothing }),
    createElement(QRCodeScanner, { isOpen: true, onClose: nothing, onScan: nothing }),
    createElement(TransactionButton, { transactions: [] }),
    createElement(TransactionSettings, { isOpen: true, onClose: nothing }),
  );
}

/** What a server does not have: a read of one would end its render. */
const BROWSER_ONLY = ['window', 'document', 'location', 'localStorage', 'matchMedia', 'isSecureContext'];

describe('the kit on a server (core 2)', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('has no browser here', () => {
    expect(BROWSER_ONLY.filter((name) => name in globalThis)).toEqual([]);
  });

  it.each([
    ['in the page', config],
    ['in a frame', framed],
  ])('renders every component with the wallet %s, logged out and light', (_, given) => {
    vi.stubGlobal('navigator', undefined);
    const said = vi.spyOn(console, 'error');
    const html = renderToString(
      createElement(
        PasskeyContextProvider,
        { config: given, wallet: sameOriginWallet },
        createElement(Everything),
      ),
    );
    expect(html).toContain('data-state="false,false,light,,,light"');
    expect(html).toContain('[[true,true,true],[false,false],[null,&quot;generating&quot;,&quot;idle&quot;]]');
    expect(html.match(/data-latchkey-theme="light"/g)?.length).toBeGreaterThan(2);
    expect(said).not.toHaveBeenCalled();
  });
});
