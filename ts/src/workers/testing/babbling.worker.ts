/** A worker that answers in an unknown format. */
import { expose } from 'comlink';

expose({ call: () => 42, cancel: () => undefined });
postMessage('latchkey:ready');
