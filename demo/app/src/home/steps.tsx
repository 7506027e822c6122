import type { LoginMenuProps } from 'latchkey-react';
import { texts } from '../texts/texts.js';
import { AccountStep } from './account-step.js';
import { DeviceStep } from './device-step.js';
import { type Payer, PaymentStep } from './payment-step.js';

interface StepsProps {
  /** The user who is logged in. */
  payer?: Payer;
  /** What the login menu gets, for a user who is logged out. */
  menu?: LoginMenuProps;
}

/** An account, a payment, a second device: what a visitor does on this page, with the code of each. */
export function Steps({ payer, menu }: StepsProps) {
  return (
    <ol className="steps" aria-label={texts.home.steps}>
      <AccountStep accountId={payer?.accountId} menu={menu} />
      <PaymentStep payer={payer} />
      <DeviceStep accountId={payer?.accountId} />
    </ol>
  );
}
