// The kit's own screens with nothing around them but a toaster, a button outside of them, and a field for the picture of a code.
import { sameOriginWallet } from 'latchkey/same-origin';
import {
  LoginMenu,
  PasskeyContextProvider,
  type PasskeyToaster,
  ProfileButton,
  useDeviceLinking,
  usePasskeyContext,
  usePasskeyToasts,
  useQRFileUpload,
} from 'latchkey-react';
import { createElement, Fragment } from 'react';
import { createRoot } from 'react-dom/client';

const env = import.meta.env as Readonly<Record<string, string>>;
const config = {
  rpcUrl: env.VITE_NEAR_RPC_URL ?? '',
  contractId: env.VITE_CONTRACT_ID ?? '',
  relayer: { url: env.VITE_RELAY_URL ?? '' },
  keyExport: { sameOrigin: true },
  confirmationConfig: { behavior: 'requireClick' as const },
};

const said = document.createElement('output');
const say = (text: string): void => {
  said.textContent = text;
};
const toaster: PasskeyToaster = Object.assign(say, {
  loading: say,
  success: say,
  error: say,
  dismiss: () => undefined,
});

function Picture() {
  const { linkDevice } = useDeviceLinking();
  const { readFile, error } = useQRFileUpload({ onScan: linkDevice });
  const field = createElement('input', {
    type: 'file',
    accept: 'image/*',
    'aria-label': 'Picture of a code',
    onChange: ({ target }: { target: HTMLInputElement }) => {
      const [file] = target.files ?? [];
      if (file) void readFile(file);
    },
  });
  return createElement('p', null, field, error && createElement('strong', null, error.message));
}

function Page() {
  const { loginState } = usePasskeyContext();
  const { show } = usePasskeyToasts(toaster);
  return createElement(
    Fragment,
    null,
    createElement('button', { type: 'button' }, 'Outside'),
    loginState.isLoggedIn
      ? createElement(Fragment, null, createElement(ProfileButton), createElement(Picture))
      : createElement(LoginMenu, { onToast: show }),
  );
}

const root = document.createElement('div');
root.style.cssText = 'display: grid; gap: 20px; justify-items: start; width: 480px; margin: 40px';
document.body.append(root, said);
createRoot(root).render(
  createElement(PasskeyContextProvider, { config, wallet: sameOriginWallet }, createElement(Page)),
);
