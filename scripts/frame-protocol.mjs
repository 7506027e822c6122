// Writes docs/api/messages.md from the table of the wallet frame's messages.
// Usage: node --import tsx scripts/frame-protocol.mjs
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as account from '../ts/src/errors/account.ts';
import * as frame from '../ts/src/errors/frame.ts';
import { MAX_ANSWER_SIZE, MAX_DEPTH, MAX_REQUEST_SIZE, MAX_VALUES } from '../ts/src/frame/plain.ts';
import { chainOutcome } from '../ts/src/frame/protocol/chain.ts';
import * as deviceMessages from '../ts/src/frame/protocol/device-messages.ts';
import { hostRequest, walletMessage } from '../ts/src/frame/protocol/envelope.ts';
import { MESSAGES } from '../ts/src/frame/protocol/messages.ts';
import { hostConfig } from '../ts/src/frame/protocol/payloads.ts';
import {
  arrivedDetails,
  DETAIL_FIELDS,
  errorDetails,
  PROGRESS_FIELDS,
  progressData,
} from '../ts/src/frame/protocol/reports.ts';
import * as results from '../ts/src/frame/protocol/results.ts';
import * as schemas from '../ts/src/frame/protocol/schemas.ts';
import * as sessionMessages from '../ts/src/frame/protocol/session-messages.ts';
import * as signingMessages from '../ts/src/frame/protocol/signing-messages.ts';
import * as transactions from '../ts/src/frame/protocol/transactions.ts';
import { PROTOCOL_VERSION } from '../ts/src/frame/protocol/version.ts';
import { MAX_ASKING, MAX_RUNNING } from '../ts/src/frame/wallet/limits.ts';

export const PATH = 'docs/api/messages.md';

const CODES = {
  INVALID_MESSAGE: 'The request does not match this page; `details.field` names the field.',
  HOST_NOT_ALLOWED: 'The host’s origin is on no list of this wallet.',
  HOST_NOT_IN_REGISTRY:
    'Before any prompt of a registration, a linking or a signing: the registry would refuse a passkey of the host’s page.',
  HOST_BUSY: 'As many requests with an overlay as may wait for the user are running already.',
  HOST_PAUSED:
    'The user refused several requests in a row. The text and `details.seconds` say when the host may ask again.',
  HOST_STOPPED: 'The user stopped the requests of this host.',
  CONFIG_NOT_ALLOWED: 'The host may not set this part of the wallet’s configuration.',
  CLICK_REQUIRED: 'The request needs a click in the wallet, and the wallet has no UI to take one.',
  NO_LOCAL_ACCOUNT: 'The account was not used through this host on this device.',
  CANCELLED:
    'The host or the user ended the request; `details.result` is the flow’s own result, if it has one.',
  REQUEST_TIMEOUT:
    'From the host’s own end: no answer came in time, or the page of a flow stopped answering `PING`. It also told the wallet ' +
    'to cancel. For a request that sends, the text and `details` name the transactions that left, with `fate` `unknown`.',
  WALLET_FRAME_TIMEOUT: 'From the host’s own end: the wallet page did not take a port.',
  WALLET_FRAME_UNREACHABLE: 'From the host’s own end: no server answers at the wallet origin.',
  WALLET_FRAME_MISSING: 'From the host’s own end: the frame is gone.',
  EXPORT_NEAR_KEYPAIR_DISABLED: 'Always, for a request for a raw key.',
  EXPORT_NEAR_KEYPAIR_UI_FAILED: 'A failure of the key viewer that has no code of its own.',
  LINK_DEVICE_INIT_FAILED: 'A failure to start linking that has no code of its own.',
  RECOVERY_FAILED: 'A failure of recovery that has no code of its own.',
  SET_CONFIRM_BEHAVIOR_FAILED: 'A failure that has no code of its own.',
  SET_CONFIRMATION_CONFIG_FAILED: 'A failure that has no code of its own.',
  HOST_ERROR: 'Any other failure that has no code of its own.',
};

/** Schemas that the page calls by name and defines once. */
const NAMED = new Map();
for (const [name, value] of Object.entries({
  ...schemas,
  ...transactions,
  ...results,
  ...sessionMessages,
  ...signingMessages,
  ...deviceMessages,
  chainOutcome,
  hostConfig,
  progressData,
  errorDetails,
})) {
  if (value?.kind === 'schema' && !NAMED.has(value)) NAMED.set(value, name);
}
NAMED.set(arrivedDetails, 'errorDetails');
/** Records whose fields are optional; a field of the wrong form is left out. */
const KNOWN = new Map([
  [progressData, PROGRESS_FIELDS],
  [errorDetails, DETAIL_FIELDS],
]);
/** Too small for an entry: written in place. */
const INLINE = new Set(['flag', 'nothing', 'boolean', 'json', 'sentence', 'wholeNumber', 'name']);

/** The document. */
export function frameProtocol() {
  const used = new Set();
  const shown = (schema) => text(schema, used);
  const rows = Object.entries(MESSAGES).map(([type, { payload, result, end, ...policy }]) => {
    const answer = policy.pong ? 'PONG' : `${shown(result)}${end ? `; at its end ${shown(end)}` : ''}`;
    return row([
      code(type),
      code(shown(payload)),
      code(answer),
      policy.overlay,
      policy.click,
      [policy.sticky && 'sticky', policy.flow && `reports of \`${policy.flow}\``].filter(Boolean).join('; '),
      policy.failure ? code(policy.failure.code) : '',
    ]);
  });
  const request = text(hostRequest, used, true);
  const answers = walletMessage.options.map((option) => `- ${code(text(option, used))}`);
  return `<!-- Written by scripts/frame-protocol.mjs from the table in ts/src/frame/protocol. Change that, then run it. -->
# The wallet frame's protocol

This page lists the messages between a host page and the wallet page in its iframe, version ${PROTOCOL_VERSION}. The two talk over one
\`MessagePort\`: the host's \`CONNECT\` carries it, and the wallet's \`READY {protocolVersion, loadId}\` accepts it. Both ends check
every message. A request with a field that this page does not name is refused; an answer never leaves the wallet with such a field.

## Envelopes

The host asks: ${code(request)}.

A \`requestId\` is \`<milliseconds>-<counter>\`. The counter grows with every request of a port. The wallet refuses a request whose
counter does not grow, and leaves the id out of the refusal, so that the host does not take it for the answer to the first.

The wallet answers and reports:

${answers.join('\n')}

- \`PROGRESS\` is an event of the request's flow. Each one restarts the host's timer. The timer is paused while the wallet waits for
  the user. A flow goes on after the timer while the page answers \`PING\`: it has limits of its own, and may have sent money.
- \`PM_CANCEL\` ends one request, or all. The request gets \`PROGRESS\` with phase \`cancelled\`, then \`ERROR\` with code
  \`CANCELLED\`, which carries the flow's own result if it has one. A flow that succeeded anyway gets its result.
- A sticky request (\`options.sticky\`) continues after its result with events, \`WALLET_UI_OPENED\` and \`WALLET_UI_CLOSED\`. It ends
  with a \`WALLET_UI_CLOSED\` that has a payload, or with the \`ERROR\` of its cancellation.
- Errors carry code, message and known details; their causes stay in the wallet. An error that the wallet did not foresee carries its
  message's failure code and that code's own text.

## Limits

| what | at most |
|---|---|
| a request: its texts (characters), keys and bytes together | ${MAX_REQUEST_SIZE} |
| an answer, likewise | ${MAX_ANSWER_SIZE} |
| values in a message; entries of a list in it | ${MAX_VALUES}; ${schemas.MAX_ENTRIES} |
| nesting | ${MAX_DEPTH} |
| arguments of a call, code of a contract | ${schemas.HUGE} |
| a message to sign, and its state | ${schemas.LONG} |
| transactions of a request, actions of a transaction | ${schemas.MAX_TRANSACTIONS} |
| requests of a port at the same time | ${MAX_RUNNING} |
| those of them with an overlay | ${MAX_ASKING} |

## Messages

Overlay: the frame covers the page for the whole request (\`fullscreen\`), while its phase needs the user (\`by-phase\`), or not at
all (\`none\`). Click: the request needs one in the wallet's own UI regardless of host settings (\`always\`), depending on its content
(\`by-content\`), or not at all (\`never\`).

| message | payload | result | overlay | click | | failure |
|---|---|---|---|---|---|---|
${rows.join('\n')}

## Types

\`text(n)\` has at most n characters, \`bytes(n)\` at most n bytes; \`?\` marks an optional field.

| name | |
|---|---|
${definitions(used).join('\n')}

## Codes

Besides these, every other error code of the wallet comes through unchanged.

| code | message | when |
|---|---|---|
${Object.entries(CODES)
  .map(([name, when]) => row([code(name), { ...account, ...frame }[name].text, when]))
  .join('\n')}

## Next

[The wallet in a frame](../guides/wallet-iframe.mdx) has the calls that send them.
`;
}

/** The named types in use, and the types that they use. */
function definitions(used) {
  const defined = new Map();
  for (const name of used) {
    const [schema] = [...NAMED].find(([, other]) => other === name);
    defined.set(name, text(schema, used, true));
  }
  return [...defined]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([name, of]) => row([code(name), code(of)]));
}

function row(cells) {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function code(of) {
  return of.startsWith('`') ? of : `\`${of}\``;
}

/** A schema in words. With `isOpen`, its definition and not its name. */
function text(schema, used, isOpen = false) {
  const name = NAMED.get(schema);
  if (name && !isOpen && !INLINE.has(name)) {
    used.add(name);
    return name;
  }
  const inner = (other) => text(other, used);
  const pipe = schema.pipe?.slice(1) ?? [];
  const max = pipe.find(({ type }) => type === 'max_length')?.requirement;
  const pattern = pipe.find(({ type }) => type === 'regex')?.requirement;
  const start = pipe.find(({ type }) => type === 'starts_with')?.requirement;
  switch (schema.type) {
    case 'string':
      if (pattern) return `text like ${pattern.source}`;
      return `${max ? `text(${max})` : 'text'}${start ? ` from ${start}` : ''}`;
    case 'number':
      return pipe.some(({ type }) => type === 'safe_integer') ? 'whole number' : 'number';
    case 'instance':
      return `bytes(${pipe.find(({ type }) => type === 'check').message.match(/\d+/)[0]})`;
    case 'boolean':
      return 'boolean';
    case 'undefined':
    case 'void':
      return 'nothing';
    case 'unknown':
      return 'any JSON';
    // The arguments of a call: v.record would lose some of their fields.
    case 'custom':
    case 'record':
      return KNOWN.has(schema) ? object(KNOWN.get(schema), used, () => '?') : 'object of any JSON';
    case 'literal':
      return JSON.stringify(schema.literal);
    case 'picklist':
      return schema.options.map((option) => JSON.stringify(option)).join(' | ');
    case 'nullable':
      return `${inner(schema.wrapped)} | null`;
    case 'optional':
      return `${inner(schema.wrapped)} | nothing`;
    case 'exact_optional':
      return inner(schema.wrapped);
    case 'array':
      return `${grouped(inner(schema.item))}[]`;
    case 'union':
    case 'variant':
      return schema.options.map(inner).join(' | ');
    case 'lazy':
      return [...new Set([[], '', {}].map((input) => inner(schema.getter(input))))].toReversed().join(' | ');
    case 'object':
    case 'strict_object':
      return object(schema.entries, used);
    default:
      throw new Error(`No words for a schema of type ${schema.type}`);
  }
}

function object(entries, used, mark = ({ type }) => (type === 'exact_optional' ? '?' : '')) {
  const fields = Object.entries(entries).map(
    ([key, schema]) => `${key}${mark(schema)}: ${text(schema, used)}`,
  );
  return fields.length ? `{ ${fields.join(', ')} }` : '{}';
}

function grouped(of) {
  return of.includes(' | ') && !of.startsWith('{') ? `(${of})` : of;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(fileURLToPath(new URL(`../${PATH}`, import.meta.url)), frameProtocol());
}
