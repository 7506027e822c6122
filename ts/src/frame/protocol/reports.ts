/** What may stand beside an event or an error: these fields, and nothing that a flow put there besides. */
import * as v from 'valibot';
import { chainOutcome } from './chain.js';
import {
  accountId,
  fate,
  flag,
  linkQrData,
  list,
  name,
  optional,
  SHORT,
  text,
  wholeNumber,
} from './schemas.js';

export const ProgressDataSchema = v.object({
  accountId: optional(accountId),
  nearAccountId: optional(accountId),
  deviceNumber: optional(wholeNumber),
  publicKey: optional(name),
  device2PublicKey: optional(name),
  credentialId: optional(text(2_048)),
  unlockedBy: optional(name),
  digest: optional(name),
  hash: optional(name),
  index: optional(wholeNumber),
  transactionId: optional(v.nullable(name)),
  transactionIds: optional(list(v.nullable(name))),
  swapId: optional(v.nullable(name)),
  registrationId: optional(v.nullable(name)),
  flowId: optional(name),
  qrData: optional(linkQrData),
  checkCode: optional(name),
  expiresAt: optional(wholeNumber),
  deleteAt: optional(wholeNumber),
  signing: optional(name),
});

export const ErrorDetailsSchema = v.object({
  // of a transaction
  transactionId: optional(v.nullable(name)),
  fate: optional(fate),
  outcome: optional(chainOutcome),
  balanceYocto: optional(name),
  neededYocto: optional(name),
  // of the chain, a relay, the registry
  kind: optional(name),
  reason: optional(text(SHORT)),
  status: optional(wholeNumber),
  notDelivered: optional(flag),
  relayCode: optional(name),
  nodes: optional(list(name)),
  logs: optional(list(text(SHORT))),
  // of what was asked, and of the person
  problems: optional(list(text(SHORT))),
  accountId: optional(accountId),
  timedOut: optional(flag),
  loggedOut: optional(flag),
  foreignPasskey: optional(flag),
  // of the port
  field: optional(text(SHORT)),
  requestId: optional(name),
});
