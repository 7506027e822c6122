/** `latchkey-dev`: a chain, a relay and a wallet origin on this machine, started by a program. */
export type { Payer } from '../services/payer.js';
export type { PortName, WantedPort } from '../services/ports.js';
export {
  type PortOption,
  type Stack,
  type StackAddresses,
  type StackOptions,
  startStack,
} from './stack.js';
export { type AppAddresses, variablesOf } from './variables.js';
