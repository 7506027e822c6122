import { commands } from 'vitest/browser';

declare module 'vitest/browser' {
  interface BrowserCommands {
    showQrToCamera: (text: string) => Promise<void>;
    unplugCamera: () => Promise<void>;
  }
}

/** Shows the browser's camera a QR code with this text, from the next stream on. */
export const showQrToCamera = (text: string): Promise<void> => commands.showQrToCamera(text);
/** Leaves the browser without a camera. */
export const unplugCamera = (): Promise<void> => commands.unplugCamera();
