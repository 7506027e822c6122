/** A window of the wallet, as the page that opened it uses it. */
export interface WalletWindow {
  /**
   * Sends a message to the window: to the wallet's origin alone where the way there can name one, or to anyone, as long as it
   * carries nothing and the window may not have loaded yet.
   */
  post(message: object, to: 'wallet' | 'anyone'): void;
  /** Calls the listener with each message from that window and the wallet's origin. Returns a function that ends it. */
  hear(listener: (message: unknown) => void): () => void;
  /** Whether it is closed, or cut off from this page. */
  isClosed(): boolean;
  close(): void;
}

/** Opens a window at this address; null where the browser blocks it. */
export type OpenWalletWindow = (url: URL) => Promise<WalletWindow | null>;
