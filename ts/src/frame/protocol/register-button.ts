/** The wallet's register button: a registration for each click, until one succeeds. */
import { isCancellation, toLatchkeyError } from '../../errors/core.js';
import type { ConfirmationWish, RegistrationResult } from '../../types.js';
import type { Wallet } from '../../wallet.js';
import { read } from '../read.js';
import type { Call } from './message.js';
import { registration } from './results.js';
import { untilSuccess } from './shown-button.js';

const CANCELLATIONS: readonly unknown[] = ['CANCELLED', 'REGISTRATION_CANCELLED'];

/** Resolves with the registration that succeeded. Rejects with CANCELLED when the host removes the button. */
export function registrationByButton(
  wallet: Wallet,
  payload: {
    readonly nearAccountId: string;
    readonly confirmationConfig?: ConfirmationWish;
    readonly signupVoucher?: string;
  },
  { options, services }: Pick<Call<RegistrationResult>, 'options' | 'services'>,
): Promise<RegistrationResult> {
  const { nearAccountId, confirmationConfig, signupVoucher } = payload;
  return untilSuccess(options.signal, ({ signal, succeed }) => {
    const register = async (): Promise<RegistrationResult> => {
      services.tellHost({ type: 'REGISTER_BUTTON_SUBMIT', payload: { nearAccountId } });
      try {
        const wish = {
          ...(confirmationConfig && { confirmationConfig }),
          ...(signupVoucher !== undefined && { signupVoucher }),
        };
        const made = await wallet.registerPasskey(nearAccountId, { ...wish, ...options });
        const result = read(registration, made, 'REGISTER_BUTTON_RESULT', 'result');
        const { success: ok, error, errorCode } = result;
        const cancelled = CANCELLATIONS.includes(errorCode);
        services.tellHost({
          type: 'REGISTER_BUTTON_RESULT',
          payload: { ok, result, ...(cancelled && { cancelled }), ...(error !== undefined && { error }) },
        });
        if (ok) succeed(result);
        return result;
      } catch (thrown) {
        const cancelled = isCancellation(thrown) && { cancelled: true };
        const payload = { ok: false, ...cancelled, error: toLatchkeyError(thrown, 'Registration').message };
        services.tellHost({ type: 'REGISTER_BUTTON_RESULT', payload });
        throw thrown;
      }
    };
    services.showRegisterButton({ nearAccountId, register }, signal);
  });
}
