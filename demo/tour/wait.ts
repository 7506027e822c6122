// The tour's waits, for a wallet in a frame or in the page.
import { confirmDialog } from '../../tests/support/steps.js';
import type { Wallet } from '../../tests/support/wallet.js';

/** Waits for a confirmation whose button says this. */
export async function confirmed({ page }: Wallet, button: string | RegExp): Promise<void> {
  await confirmDialog(page).getByRole('button', { name: button, exact: true }).waitFor();
}
