/** A user who reads a confirmation for half a minute, and a chain that is then silent for three tries. */
import { onTestFinished, vi } from 'vitest';
import type { ConfirmModel } from '../../confirm/port.js';
import { LatchkeyError, NEAR_RPC_FAILED } from '../../errors/core.js';
import type { FlowContext } from '../context.js';

/** Lets that user confirm each question. Returns the models that were shown. */
export function loseBlockAtClick(context: FlowContext): readonly ConfirmModel[] {
  const shown: ConfirmModel[] = [];
  const block = vi.spyOn(context.rpc, 'block');
  const now = Date.now.bind(Date);
  const show = async (model: ConfirmModel): Promise<'confirm'> => {
    shown.push(model);
    if (shown.length > 1) return 'confirm';
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + 30_000);
    onTestFinished(() => clock.mockRestore());
    const silent = new LatchkeyError(NEAR_RPC_FAILED, { details: { kind: 'unreachable' } });
    for (let tries = 1; tries <= 3; tries += 1) block.mockRejectedValueOnce(silent);
    return 'confirm';
  };
  Object.assign(context, { confirmer: () => ({ show }) });
  return shown;
}
