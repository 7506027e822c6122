/** A worker whose answers are none. */
import { expose } from 'comlink';

expose({ call: () => 42, cancel: () => undefined });
postMessage('latchkey:ready');
