/** The public types of the facade, by area. Bytes are `Uint8Array`; amounts, gas and nonces are decimal strings. */

export type * from './types/actions.js';
export type * from './types/adoption.js';
export type * from './types/app-keys.js';
export type * from './types/confirmation.js';
export type * from './types/connect.js';
export type * from './types/delegates.js';
export type * from './types/devices.js';
export type * from './types/export.js';
export type * from './types/flow.js';
export type * from './types/linking.js';
export type * from './types/messages.js';
export type * from './types/phrase.js';
export type * from './types/preferences.js';
export type * from './types/recovery.js';
export type * from './types/registration.js';
export type * from './types/resume.js';
export type * from './types/session.js';
export type * from './types/transactions.js';
