import type { Wallet } from '../../wallet.js';
import type { EndOf, FrameServices, MessageType, PayloadOf } from '../protocol/index.js';

export interface Case<T extends MessageType> {
  readonly payload: PayloadOf<T>;
  /** The method that is called; none where the port itself answers. */
  readonly method?: keyof Wallet | keyof FrameServices;
  readonly args?: readonly unknown[];
  readonly gives?: unknown;
  /** What the host gets, where that is not what the wallet gives. */
  readonly result?: unknown;
  readonly end?: EndOf<T>;
  /** The code of the refusal, for a message that always gets one. */
  readonly refused?: string;
}

/** Cases of some of the messages. */
export type CasesOf = { readonly [T in MessageType]?: Case<T> };
