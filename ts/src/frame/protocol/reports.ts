/** The fields that may accompany an event or an error; others that a flow adds are dropped. */
import * as v from 'valibot';
import { isPlain } from '../plain.js';
import { chainOutcome } from './chain.js';
import {
  accountId,
  flag,
  json,
  linkQrData,
  list,
  name,
  orNull,
  type Schema,
  sentence,
  text,
  wholeNumber,
} from './schemas.js';
import { fate } from './transactions.js';

type Fields = Readonly<Record<string, Schema<unknown>>>;

/** Keeps those of these fields that are valid: an invalid one does not cost the report. */
function known(fields: Fields): Schema<Record<string, unknown>> {
  return v.pipe(
    v.record(v.string(), v.unknown()),
    v.transform((data) =>
      Object.fromEntries(
        Object.entries(fields).flatMap(([key, schema]) => {
          const read = Object.hasOwn(data, key) ? v.safeParse(schema, data[key]) : undefined;
          return read?.success && isPlain(read.output) ? [[key, read.output]] : [];
        }),
      ),
    ),
  );
}

/** The fields that may accompany an event. */
export const PROGRESS_FIELDS = {
  accountId,
  nearAccountId: accountId,
  deviceNumber: wholeNumber,
  publicKey: name,
  device2PublicKey: name,
  credentialId: text(2_048),
  unlockedBy: name,
  digest: name,
  hash: name,
  index: wholeNumber,
  transactionId: orNull(name),
  transactionIds: list(orNull(name)),
  swapId: orNull(name),
  registrationId: orNull(name),
  flowId: name,
  qrData: linkQrData,
  checkCode: name,
  expiresAt: wholeNumber,
  deleteAt: wholeNumber,
  signing: name,
  waiting: flag,
} satisfies Fields;
export const progressData = known(PROGRESS_FIELDS);

/** The fields that may accompany an error. */
export const DETAIL_FIELDS = {
  // of a transaction
  transactionId: orNull(name),
  fate,
  outcome: chainOutcome,
  balanceYocto: name,
  neededYocto: name,
  // of the chain, a relay, the registry
  kind: name,
  reason: sentence,
  status: wholeNumber,
  notDelivered: flag,
  relayCode: name,
  nodes: list(name),
  logs: list(sentence),
  // of the request, and of the user
  problems: list(sentence),
  accountId,
  timedOut: flag,
  loggedOut: flag,
  foreignPasskey: flag,
  seconds: wholeNumber,
  // of the port
  field: name,
  requestId: name,
} satisfies Fields;

/** The details of an error that the wallet gives to a host. */
export const errorDetails = known(DETAIL_FIELDS);

/** The same on arrival, with a cancelled flow's own result among them. */
export const arrivedDetails = known({ ...DETAIL_FIELDS, result: json });
