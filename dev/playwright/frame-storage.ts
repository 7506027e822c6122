// Storage for a frame of another site.
import type { LaunchOptions } from '@playwright/test';

const FEATURES = '--disable-features=';

/**
 * Playwright turns off that Chromium partitions storage, and then a frame of another site has none: the wallet works in
 * memory, and every reload logs the user out. Another list of features replaces Playwright's. PaintHolding stays off,
 * because with it a frame that has just loaded may draw nothing and take no press.
 */
export function withFrameStorage(options: LaunchOptions): LaunchOptions {
  const { args = [] } = options;
  if (args.some((arg) => arg.startsWith(FEATURES))) return options;
  return { ...options, args: [...args, `${FEATURES}PaintHolding,HttpsUpgrades`] };
}
