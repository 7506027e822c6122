import { WINDOW_FEATURES } from './features.js';
import type { OpenWalletWindow } from './wallet-window.js';

/** Opens a window from this page. Call it within a click. */
export const openWindow: OpenWalletWindow = async (url) => {
  const opened = window.open(url, '_blank', WINDOW_FEATURES);
  if (!opened) return null;
  return {
    post: (message, to) => opened.postMessage(message, to === 'wallet' ? url.origin : '*'),
    hear(listener) {
      const onMessage = ({ source, origin, data }: MessageEvent<unknown>): void => {
        if (source === opened && origin === url.origin) listener(data);
      };
      addEventListener('message', onMessage);
      return () => removeEventListener('message', onMessage);
    },
    isClosed: () => opened.closed,
    close: () => opened.close(),
  };
};
