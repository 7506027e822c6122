// Writes the generated pages of docs/api from the sources: types with their doc comments, steps of events, texts of errors,
// variables of the relay.
// Usage: node --import tsx scripts/api-pages.mjs
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { englishHeadlines } from '../react/src/texts/english-errors.ts';
import * as account from '../ts/src/errors/account.ts';
import * as core from '../ts/src/errors/core.ts';
import * as frame from '../ts/src/errors/frame.ts';
import * as wallet from '../ts/src/errors/wallet.ts';
import { STEPS } from '../ts/src/events.ts';
import { declaration, exportsOf, ROOT, read } from './api/exports.mjs';
import { code, membersTable, page, prose, section, table } from './api/markdown.mjs';
import { REMEDIES } from './api/remedies.mjs';

const next = (text) => `## Next\n\n${text}`;

const configuration = () =>
  page(
    'Configuration',
    'This page lists what you pass to `new PasskeyManager(config)`, or to the provider as `config`. Only `relayer.url` is required. A bad value or an option that does not exist throws `INVALID_CONFIG` or a code of its own, and the text names every bad field.',
    "```ts\nimport { PasskeyManager } from 'latchkey';\n\nexport const wallet = new PasskeyManager({\n  relayer: { url: 'https://relay.example' },\n  contractId: 'registry.you.testnet',\n  iframeWallet: { walletOrigin: 'https://wallet.example' },\n});\n```",
    'In frame mode the wallet’s own operator sets `relayer`, `rpcUrl`, `contractId` and the rpId. Yours must be equal, or left out.',
    ...[
      'PasskeyManagerConfig',
      'Shamir3passConfig',
      'DeviceLinkingConfig',
      'OriginPolicy',
      'UserVerification',
      'LogLevel',
      'Logger',
    ].map((name) => section(declaration('ts/src/config.ts', name))),
    section(declaration('ts/src/frame/config.ts', 'IframeWalletConfig')),
    ...['ConfirmationConfig', 'ConfirmationWish'].map((name) =>
      section(declaration('ts/src/types/confirmation.ts', name)),
    ),
    section(declaration('ts/src/passkey-manager.ts', 'PasskeyManagerParts')),
    next('[PasskeyManager](passkey-manager.mdx) lists the calls.'),
  );

/** A call of a class or an interface: its name, its signature, its doc. */
const call = ({ name, type, doc }) =>
  `### \`${name}\`\n\n\`\`\`ts\n${name}${type.startsWith('(') || type.startsWith('<') ? type : `: ${type}`}\n\`\`\`\n\n${prose(doc)}`;

const passkeyManager = () =>
  page(
    'PasskeyManager',
    'This page lists every call of the wallet, with its types and what it does. [The types](types.mdx) have a page of their own.',
    'A call that returns a result with `success` resolves whatever goes wrong: look at `success` and `errorCode`. Every other call rejects with a `LatchkeyError`. [How errors arrive](errors.mdx#how-an-error-arrives) has the rule.',
    '## The wallet’s calls',
    ...declaration('ts/src/wallet.ts', 'Wallet').members.map(call),
    '## The manager’s own calls',
    ...declaration('ts/src/passkey-manager.ts', 'PasskeyManager')
      .members.filter(({ doc }) => doc !== '')
      .filter(({ name }) => name !== 'config')
      .map(call),
    '## Plain names',
    'These are the same calls under names that are easier to guess.',
    membersTable(declaration('ts/src/plain-names.ts', 'PlainNames')),
    next('[The types](types.mdx), then [every event](events.mdx).'),
  );

const types = () =>
  page(
    'Types',
    'This page lists the types of the calls: their arguments, options and results. Bytes are `Uint8Array`. Amounts, gas and nonces are decimal texts: `parseNear`, `formatNear` and `parseTgas` convert them.',
    ...exportsOf('ts/src/types.ts').map((each) => section(each)),
    next('[Every error code](errors.mdx).'),
  );

const client = () =>
  page(
    'The package latchkey',
    'This page lists the functions and classes that `latchkey` exports, besides [`PasskeyManager`](passkey-manager.mdx) and [the types of its calls](types.mdx). Importing the package loads nothing: the wallet comes with the first call.',
    ...exportsOf('ts/src/index.ts')
      .filter(
        ({ kind, name }) =>
          (kind === 'function' || kind === 'class' || kind === 'const') && name !== 'PasskeyManager',
      )
      .map((each) => section(each)),
    '## `latchkey/balance`',
    ...exportsOf('ts/src/balance.ts').map((each) => section(each, '###')),
    '## `latchkey/tokens`',
    'Fungible tokens (NEP-141). [Tokens](../guides/tokens.mdx) shows how the parts go together.',
    ...exportsOf('ts/src/tokens/index.ts').map((each) => section(each, '###')),
    next('[Configuration](configuration.mdx).'),
  );

const SERVERS = [
  ['latchkey-server/node', 'Runs the relay on Node.', 'server/src/platform/node.ts'],
  [
    'latchkey-server/cloudflare',
    'Runs the relay on Cloudflare Workers.',
    'server/src/platform/cloudflare.ts',
  ],
  ['latchkey-server', 'The parts of the relay, for a server of your own.', 'server/src/index.ts'],
  ['latchkey-server/wallet', 'Serves a wallet origin.', 'server/src/wallet-origin/index.ts'],
  ['latchkey-server/wallet/node', 'The same on Node.', 'server/src/wallet-origin/node.ts'],
  ['latchkey/verify', 'Checks signatures in your backend.', 'ts/src/verify/index.ts'],
];

const server = () =>
  page(
    'Servers',
    'This page lists what the server entries export: the relay, a wallet origin, and the checks for a backend. [The relay](../guides/relay-server.mdx) and [a wallet origin](../guides/wallet-origin.mdx) explain how to use them.',
    ...SERVERS.flatMap(([entry, what, source]) => [
      `## \`${entry}\``,
      what,
      ...exportsOf(source).map((each) => section(each, '###')),
    ]),
    next('[Environment variables](environment.mdx).'),
  );

const events = () =>
  page(
    'Events',
    'This page lists the events that a call reports to `onEvent`. One type carries all of them: `{ flow, step, phase, status, message, data?, error? }`. A failure has step 0.',
    ...Object.entries(STEPS).map(([flow, steps]) =>
      [
        `## \`${flow}\``,
        table(
          ['step', 'phase'],
          Object.entries(steps).map(([phase, step]) => [String(step), code(phase)]),
        ),
      ].join('\n\n'),
    ),
    '## Types',
    ...['FlowEvent', 'EventStatus', 'EventListener'].map((name) =>
      section(declaration('ts/src/events.ts', name), '###'),
    ),
    next('[Toasts](react-components.mdx#toasts) has a text for each of them.'),
  );

/** The parts of a table of texts, by its comments that stand alone, with the errors in each. */
function partsOf([file, table]) {
  const parts = [{ title: 'Everywhere', errors: [] }];
  for (const [, title, error] of read(`ts/src/errors/${file}.ts`).matchAll(
    /^\/\/ (.+)$|^export const ([A-Z][A-Z\d_]+) = \{\s*code: '\2'/gm,
  )) {
    if (title) parts.push({ title, errors: [] });
    else parts.at(-1).errors.push(table[error]);
  }
  return parts.filter(({ errors }) => errors.length > 0);
}

function errors() {
  const parts = Object.entries({ core, wallet, account, frame }).flatMap(partsOf);
  return page(
    'Errors',
    'This page lists every error code of `latchkey` with its text, what the React kit says of it on the screen, and what to do about it.',
    `## How an error arrives

One class, \`LatchkeyError\`, carries \`code\`, \`message\`, \`values\` (what fills the text), \`details\` and \`cause\`. How it arrives depends on what the call returns, and on
nothing else: not on what went wrong, nor on whether the wallet runs in the page, in a frame or in a window.

| the call | every failure is |
|---|---|
| returns a result with \`success\` (\`registerPasskey\`, \`loginPasskey\`, \`executeAction\`, …) | \`success: false\`, with \`error\` (the text), \`errorCode\` and \`errorValues\`. The promise resolves |
| returns a list of them (\`signAndSendTransactions\`, \`signDelegateActions\`) | one such result for each part of the request, and one for an empty list |
| returns anything else (\`getLinkedDevices\`, \`signTransactionsWithActions\`, \`startDevice2LinkingFlow\`, …) | a rejection with the \`LatchkeyError\` |
| has options | the same failure also reaches \`options.onError\`, and \`onEvent\` as the flow's error phase once the flow has begun |
| is the constructor of \`PasskeyManager\` | a throw that names the fields of the configuration |

So one rule is enough: await the call, look at \`success\` where there is one, and catch the rest. \`onError\` and \`onEvent\` are for showing progress.
Wrong arguments, a wallet that does not answer, a page that it does not admit: all arrive in the same way, with the same text in the page
and in a frame.

\`\`\`ts
import { isLatchkeyError, PasskeyManager } from 'latchkey';

const wallet = new PasskeyManager({
  relayer: { url: 'https://relay.example' },
  iframeWallet: { walletOrigin: 'https://wallet.example' },
});
const accountId = 'alice.registry.you.testnet';

const login = await wallet.loginPasskey(accountId);
const entered = login.errorCode === 'NO_LOCAL_ACCOUNT' ? await wallet.recoverAccount({ accountId }) : login;
if (!entered.success) console.warn(entered.errorCode, entered.error);

try {
  console.log(await wallet.getLinkedDevices(accountId));
} catch (error) {
  if (isLatchkeyError(error)) console.warn(error.code, error.message);
}
\`\`\``,
    `## What a person reads

\`message\` is for you and for support: it is always the English text below. A person reads a sentence of the React kit, which says what
happened, whether money and keys are safe, and what to do now. It draws the code and \`message\` folded under Details, with whatever words a relay or a
contract gave. \`FailureText\` [draws both](react-components.mdx#failuretext) in a page of your own. [Terms](../concepts/terms.mdx) lists the words
that these sentences use.`,
    ...parts.map(({ title, errors }) =>
      [
        `## ${title}`,
        table(
          ['code', 'text', 'on the screen', 'what to do'],
          errors.map(({ code, text }) => [
            `<code id>${code}`,
            prose(text),
            prose(englishHeadlines[code].filled ?? englishHeadlines[code]),
            REMEDIES[code] ?? 'Show the sentence.',
          ]),
        ).replaceAll(/<code id>(\w+)/g, '`$1`'),
      ].join('\n\n'),
    ),
    next('[Toasts](react-components.mdx#toasts) shows them to a user.'),
  );
}

/** The rows of the tables of variables in the relay's README, without the padding. */
function variables() {
  const readme = read('demo/relay-node/README.md');
  const rows = [...readme.matchAll(/^\| (`[A-Z][A-Z0-9_`, ]+`) +\| (.*?) +\| (.*?) +\|$/gm)];
  return rows.map(([, names, by, what]) => [names.trim(), by.trim(), prose(what.trim())]);
}

const environment = () =>
  page(
    'Environment variables',
    'This page lists the variables of the relay. It checks all of them at its start, and one message names every bad one. [The guide](../guides/relay-server.mdx) explains limits and money.',
    table(['variable', 'default', ''], variables()),
    '## On Workers\n\nA Worker has no files. `SHAMIR_GRACE_KEYS` holds the former keys themselves: a JSON array of `{"e_s_b64u", "d_s_b64u"}`. [Cloudflare Workers](../guides/cloudflare-worker.mdx) lists the variables that a Worker refuses.',
    `## Of a wallet origin

The command \`latchkey-wallet\` of \`latchkey-server\` serves [a wallet origin](../guides/wallet-origin.mdx) on Node.

| variable | default | |
|---|---|---|
| \`RELAY_URL\` | required | the relay's address |
| \`ALLOWED_HOSTS\` | required | the origins that may embed the wallet, separated by commas, in addition to the registry's |
| \`WEBAUTHN_CONTRACT_ID\`, \`NEAR_RPC_URL\` | those of testnet | as for the relay |
| \`RELATED_ORIGINS\` | the registry's list | the origins in \`/.well-known/webauthn\`, trusted like the wallet itself |
| \`CROSS_ORIGIN\` | \`none\` | \`popup-friendly\` or \`isolated\`: [COOP and COEP](../guides/wallet-origin.mdx#coop-and-coep) |
| \`HOST\`, \`PORT\` | \`127.0.0.1\`, 5174 | where it listens |`,
    `## Of the registry's command

| variable | |
|---|---|
| \`REGISTRY_ADMIN_ID\`, \`REGISTRY_ADMIN_PRIVATE_KEY\` | the admin that \`latchkey-registry\` acts for, instead of \`--credentials\` |
| \`WEBAUTHN_CONTRACT_ID\`, \`NEAR_RPC_URL\` | as for the relay |`,
    '## Keys\n\nA private key is `ed25519:` and the base58 text of 64 bytes: the seed, then the public key. The NEAR CLI exports this form.',
    next('[Hosts and origins](../guides/hosts-and-origins.mdx), for `EXPECTED_ORIGIN` and its like.'),
  );

/** Each generated page's path, with what makes its text. */
export const PAGES = {
  'docs/api/configuration.mdx': configuration,
  'docs/api/passkey-manager.mdx': passkeyManager,
  'docs/api/types.mdx': types,
  'docs/api/client.mdx': client,
  'docs/api/server.mdx': server,
  'docs/api/events.mdx': events,
  'docs/api/errors.mdx': errors,
  'docs/api/environment.mdx': environment,
};

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [path, make] of Object.entries(PAGES)) writeFileSync(join(ROOT, path), make());
