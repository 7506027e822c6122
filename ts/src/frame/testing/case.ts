import type { Wallet } from '../../wallet.js';
import type { EndOf, FrameServices, MessageType, PayloadOf } from '../protocol/index.js';

export interface Case<T extends MessageType> {
  readonly payload: PayloadOf<T>;
  /** The called method; none if the port itself answers. */
  readonly method?: keyof Wallet | keyof FrameServices;
  readonly args?: readonly unknown[];
  readonly gives?: unknown;
  /** The host's result, if it differs from the wallet's. */
  readonly result?: unknown;
  readonly end?: EndOf<T>;
  /** The code of the refusal, for a message that always gets one. */
  readonly refused?: string;
}

/** Cases of some of the messages. */
export type CasesOf = { readonly [T in MessageType]?: Case<T> };
