import type { Action } from 'latchkey';

/** A call of a method with these arguments, 30 Tgas and this deposit in yoctoNEAR. */
export const call = (methodName: string, args: object | string, deposit = '1'): Action => ({
  type: 'FunctionCall',
  methodName,
  args: typeof args === 'string' ? args : JSON.stringify(args),
  gas: '30000000000000',
  deposit,
});
