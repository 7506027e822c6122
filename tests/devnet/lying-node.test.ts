/** Lies that a node tells in front of a real chain. Each suite is named after what the attacker wants. */
import { base58, base64urlnopad } from '@scure/base';
import { actions, createTransaction, KeyPair, KeyPairSigner } from 'near-api-js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createOriginManifest } from '../../server/src/http/origin-manifest.js';
import type { Refusal } from '../../server/src/http/refusal.js';
import { createLog } from '../../server/src/observe/log.js';
import { createSignupGate } from '../../server/src/registration/signup.js';
import { createSingleUses } from '../../server/src/registration/single-use.js';
import { createLocalMeters } from '../../server/src/relayer/meters.js';
import { createMemoryRecord } from '../../server/src/relayer/record.js';
import { Settler } from '../../server/src/relayer/settle.js';
import { createShares } from '../../server/src/relayer/shares.js';
import { createJointSpendMeter, type SpendMeter } from '../../server/src/relayer/spend.js';
import { createAllowedHosts } from '../../ts/src/frame/wallet/allowed-hosts.js';
import {
  createRpcClient,
  executionFailure,
  type RpcClient,
  returnedBytes,
  rpcFailure,
  type TransactionOutcome,
} from '../../ts/src/near/index.js';
import { linkingAccount, registrationCost } from '../../ts/src/registry/linking.js';
import {
  authenticatorsOf,
  checkCanRegister,
  deviceCounter,
  keysOf,
  maxBlockAge,
  readCapabilities,
  verifyAuthentication,
} from '../../ts/src/registry/registry.js';
import { startFaultProxy } from '../support/fault-proxy.js';
import {
  anAccount,
  failed,
  fullAccess,
  invalidTransaction,
  type Lie,
  type LyingNode,
  noAccount,
  noKey,
  noTransaction,
  onlyKey,
  returned,
  returns,
  startLyingNode,
} from '../support/lying-node.js';
import { type Devnet, developmentKey, startDevnet } from '../support/relay/devnet.js';

const REGISTRY = 'w3a-v1.testnet';
const EVIL = 'https://evil.example';
const LIAR = 'https://liar.example';
const HONEST = 'https://honest.example';

let chain: Devnet;
let liar: LyingNode;

beforeAll(async () => {
  chain = await startDevnet();
  liar = await startLyingNode(chain.url);
});
beforeEach(() => {
  liar.tellTruth();
  liar.calls.length = 0;
});
afterAll(async () => {
  await liar?.close();
  await chain?.stop();
});

/** A client of these providers, which reach the liar and the chain under names of their own. */
function clientOf(...providers: (typeof LIAR | typeof HONEST)[]): RpcClient {
  const places: Record<string, string> = { [LIAR]: liar.url, [HONEST]: chain.url };
  return createRpcClient({
    urls: providers,
    fetch: (url, init) => fetch(places[new URL(String(url)).origin] ?? String(url), init),
  });
}

describe('evil.example as a related origin, where a prompt yields the keys (frame 7)', () => {
  const originsFrom = async (rpc: RpcClient, listed?: readonly string[]) => {
    const lines: string[] = [];
    const log = createLog((line) => lines.push(line));
    const manifest = createOriginManifest(rpc, REGISTRY, log, listed);
    const origins = await manifest.origins().catch((error: { code: string }) => error.code);
    return { origins, events: lines.map((line) => (JSON.parse(line) as { event: string }).event) };
  };

  beforeEach(() => liar.lie('query:get_allowed_origins', returns([EVIL])));

  test('is not listed on the word of one provider, and the log says why the list is empty [S45]', async () => {
    expect(await originsFrom(clientOf(LIAR))).toEqual({
      origins: [],
      events: ['origins_need_two_providers'],
    });
    expect(liar.calls).toEqual([]);
  });

  test.each([
    [LIAR, HONEST],
    [HONEST, LIAR],
  ] as const)(
    'is not listed where a second provider does not list it: %s, %s [S45]',
    async (...providers) => {
      expect(await originsFrom(clientOf(...providers))).toEqual({
        origins: 'chain_unreachable',
        events: ['origins_unreadable'],
      });
      expect(liar.calls.length).toBeGreaterThan(0);
    },
  );

  test("is not listed where the operator's own list is served, which asks no node", async () => {
    const own = ['https://app.example'];
    expect(await originsFrom(clientOf(LIAR, HONEST), own)).toEqual({ origins: own, events: [] });
    expect(liar.calls).toEqual([]);
  });

  test('is listed where a node of this machine says so, which counts as trusted [S45]', async () => {
    const rpc = createRpcClient({ urls: liar.url });
    expect(await originsFrom(rpc)).toEqual({ origins: [EVIL], events: [] });
  });
});

describe('evil.example as a host of the wallet', () => {
  test.each([
    [LIAR, HONEST],
    [HONEST, LIAR],
  ] as const)(
    'is not admitted where a second provider does not list it: %s, %s [S46]',
    async (...providers) => {
      liar.lie('query:get_allowed_hosts', returns([EVIL]));
      const isAllowed = createAllowedHosts({
        rpc: clientOf(...providers),
        contractId: REGISTRY,
        networkId: 'testnet',
        configured: [],
        failed: () => undefined,
      });
      await expect(isAllowed(EVIL)).rejects.toMatchObject({ code: 'RPC_DISAGREEMENT' });
      liar.tellTruth();
      expect(await isAllowed(EVIL)).toBe(false);
    },
  );
});

const EVIL_KEY = 'ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2';
const PAYER = 'relayer.testnet';
const payer = new KeyPairSigner(KeyPair.fromString(developmentKey(PAYER)));
const payerKey = KeyPair.fromString(developmentKey(PAYER)).getPublicKey().toString();
const { signal } = new AbortController();

/** A challenge and answers of a passkey that the registry has never seen. */
const b64u = (length: number) => base64urlnopad.encode(new Uint8Array(length).fill(1));
const challenge = {
  vrfInput: b64u(32),
  vrfOutput: b64u(64),
  vrfProof: b64u(80),
  vrfPublicKey: b64u(32),
  userId: PAYER,
  rpId: 'wallet.example',
  blockHeight: '1',
  blockHash: b64u(32),
  intentDigest: b64u(32),
};
const passkey = { id: b64u(16), rawId: b64u(16), type: 'public-key', authenticatorAttachment: 'platform' };
const assertion = {
  ...passkey,
  response: { clientDataJSON: b64u(9), authenticatorData: b64u(37), signature: b64u(64) },
} as unknown as Parameters<typeof verifyAuthentication>[2];
const registration = {
  ...passkey,
  response: { clientDataJSON: b64u(9), attestationObject: b64u(9), transports: [] },
} as unknown as Parameters<typeof checkCanRegister>[2];
const authenticator = {
  credential_public_key: b64u(77),
  transports: [],
  registered: '1',
  device_number: 1,
  near_public_key: EVIL_KEY,
  vrf_public_keys: [b64u(32)],
};
const options = { userVerification: 'preferred', originPolicy: { all_subdomains: true } } as const;

type At = Parameters<typeof verifyAuthentication>[0];
type Read = (at: At) => Promise<unknown>;
const existing: Read = ({ rpc }) => rpc.viewAccount(PAYER, { agreed: true });
const missing: Read = ({ rpc }) => rpc.viewAccount('nobody.testnet', { agreed: true });
const key =
  (publicKey: string): Read =>
  ({ rpc }) =>
    rpc.viewAccessKey(PAYER, publicKey, { agreed: true });

/** What the lying node wants to be believed, the read in which it lies, the lie, and the client's own read. */
const WANTED: readonly [wanted: string, name: string, lie: Lie, read: Read][] = [
  ['a taken name looks free', 'query:view_account', noAccount, existing],
  ['a free name looks taken', 'query:view_account', anAccount, missing],
  [
    'its own key is the account’s only one',
    'query:view_access_key_list',
    onlyKey(EVIL_KEY),
    (at) => keysOf(at, PAYER),
  ],
  ['its own key is on the account', 'query:view_access_key', fullAccess, key(EVIL_KEY)],
  ["the user's key was removed", 'query:view_access_key', noKey, key(payerKey)],
  [
    'its own passkey is the account’s',
    'query:get_authenticators_by_user',
    returns([[b64u(16), authenticator]]),
    (at) => authenticatorsOf(at, PAYER),
  ],
  ['another device number is next', 'query:get_device_counter', returns(7), (at) => deviceCounter(at, PAYER)],
  [
    'a challenge lives for a year',
    'query:get_vrf_settings',
    returns({ max_block_age: 50_000_000 }),
    maxBlockAge,
  ],
  [
    'its own account links the device',
    'query:get_device_linking_account',
    returns(['evil.testnet', 1]),
    (at) => linkingAccount(at, payerKey),
  ],
  [
    'a registration costs a thousand NEAR',
    'query:get_registration_cost',
    returns(`1${'0'.repeat(27)}`),
    registrationCost,
  ],
  [
    'the registry is another contract',
    'query:contract_source_metadata',
    returns({ standards: [] }),
    readCapabilities,
  ],
  [
    'the registry accepted an assertion',
    'query:verify_authentication_response',
    returns({ verified: true }),
    (at) => verifyAuthentication(at, challenge, assertion, signal),
  ],
  [
    'the registry takes a registration',
    'query:check_can_register_user',
    returns({ verified: true, user_exists: false }),
    (at) => checkCanRegister(at, challenge, registration, options, signal),
  ],
];

describe('a lie about what a key, a name or money depends on (core 5)', () => {
  const at = (...providers: Parameters<typeof clientOf>): At => ({
    rpc: clientOf(...providers),
    config: { contractId: REGISTRY },
  });

  test.each(WANTED)(
    'is not believed, whichever node is asked first: %s [S43]',
    async (_, name, lie, read) => {
      liar.lie(name, lie);
      for (const providers of [
        [LIAR, HONEST],
        [HONEST, LIAR],
      ] as const)
        await expect(read(at(...providers))).rejects.toMatchObject({ code: 'RPC_DISAGREEMENT' });
      expect(liar.calls.some((call) => call.name === name)).toBe(true);
    },
  );

  test('is not noticed where both providers tell the same lie [S78]', async () => {
    liar.lie('query:view_access_key', fullAccess);
    const places = { urls: [LIAR, HONEST], fetch: (_: unknown, init?: RequestInit) => fetch(liar.url, init) };
    const access = await createRpcClient(places).viewAccessKey(PAYER, EVIL_KEY, { agreed: true });
    expect(access).toMatchObject({ permission: 'FullAccess' });
  });

  test('costs one read of each provider, side by side, where both tell the truth', async () => {
    const [one, two] = [await startFaultProxy(chain.url), await startFaultProxy(chain.url)];
    try {
      const rpc = createRpcClient({ urls: [one.url, two.url], agreement: 2 });
      const name = 'query:view_account';
      const bothReleases: (() => void)[] = [];
      const bothAsked = new Promise<void>((resolve) => {
        let waiting = 2;
        for (const node of [one, two]) {
          const release = node.hold(name, 1, {
            onMet: () => {
              waiting -= 1;
              if (waiting === 0) resolve();
            },
          });
          bothReleases.push(release);
        }
      });
      const reading = rpc.viewAccount(PAYER, { agreed: true });
      await bothAsked;
      for (const release of bothReleases) release();
      expect(await reading).toMatchObject({ code_hash: expect.any(String) });
      for (const node of [one, two]) expect(node.calls.map((call) => call.name)).toEqual([name]);
    } finally {
      await one.close();
      await two.close();
    }
  });
});

/** A payment to the payer itself, signed and not sent. */
async function payment() {
  const rpc = createRpcClient({ urls: chain.url });
  const { nonce, block_hash } = (await rpc.viewAccessKey(PAYER, payerKey, { finality: 'optimistic' }))!;
  const publicKey = await payer.getPublicKey();
  const transfer = [actions.transfer(1n)];
  const made = createTransaction(
    PAYER,
    publicKey,
    PAYER,
    BigInt(nonce) + 1n,
    transfer,
    base58.decode(block_hash),
  );
  const { signedTransaction, txHash } = await payer.signTransaction(made);
  const hash = base58.encode(txHash);
  const noted = {
    transactionId: hash,
    signerId: PAYER,
    publicKey: payerKey,
    nonce: BigInt(nonce) + 1n,
    blockHeight: 1,
  };
  return { bytes: signedTransaction.encode(), noted };
}

describe('a second payment (core 5)', () => {
  test.each([
    ['InvalidSignature'],
    [{ NotEnoughBalance: { signer_id: PAYER, balance: '0', cost: '1' } }],
    [{ InvalidNonce: { tx_nonce: 1, ak_nonce: 2 } }],
  ])(
    'is not provoked by a node that keeps the first one for later and calls it invalid: %o',
    async (reason) => {
      liar.withhold('send_tx', invalidTransaction(reason));
      const { bytes } = await payment();
      const outcome = await clientOf(LIAR, HONEST).sendTransaction(bytes, 'FINAL');
      expect(executionFailure(outcome)).toBeNull();
    },
  );

  test('is not provoked by a node that says the first one failed [S43]', async () => {
    for (const name of ['send_tx', 'tx']) liar.lie(name, failed);
    const { bytes, noted } = await payment();
    const rpc = clientOf(LIAR, HONEST);
    expect(executionFailure(await rpc.sendTransaction(bytes, 'FINAL'))).toBeNull();
    expect(await rpc.transactionState(noted)).toEqual({ name: 'in-pool' });
  });

  test('is not provoked by a node that keeps the first one for later and turns it away [S44]', async () => {
    liar.withhold('send_tx', {}, 400);
    const { bytes } = await payment();
    const sending = clientOf(LIAR).sendTransaction(bytes, 'FINAL');
    await expect(sending).rejects.toThrow(/not known, and it may still happen/);
    expect(await sending.catch(rpcFailure)).toMatchObject({ kind: 'outcome_unknown', state: 'not-seen' });
    // The liar sends what it kept.
    const later = await clientOf(HONEST).sendTransaction(bytes, 'FINAL');
    expect(executionFailure(later)).toBeNull();
  });

  test('is one lie away where there is one provider [S78]', async () => {
    liar.lie('send_tx', () => invalidTransaction('InvalidSignature'));
    liar.lie('tx', noTransaction);
    const { bytes } = await payment();
    const error = await clientOf(LIAR).sendTransaction(bytes, 'FINAL').catch(rpcFailure);
    expect(error).toMatchObject({ kind: 'invalid_transaction' });
  });
});

describe('a payment that never happened', () => {
  test('is believed on the word of one node [S79]', async () => {
    const { bytes, noted } = await payment();
    const result = { final_execution_status: 'FINAL', status: { SuccessValue: '' } };
    liar.withhold('send_tx', { jsonrpc: '2.0', id: '1', result });
    const outcome = await clientOf(LIAR, HONEST).sendTransaction(bytes, 'FINAL');
    expect(returnedBytes(outcome)).toEqual(new Uint8Array());
    expect(await clientOf(HONEST).transactionStatus(noted.transactionId, PAYER)).toBeNull();
  });
});

describe("more of the relay's money than its cap allows (core 9)", () => {
  const MOST = 10n ** 24n;
  const DEPOSIT = 9n * 10n ** 23n;

  /** What the spend meter of a relay of these providers sees of one payment. */
  async function paid(
    providers: Parameters<typeof clientOf>,
    bytesOf = (bytes: Uint8Array) => bytes,
    ofClient: readonly SpendMeter[] = [],
  ) {
    const events: string[] = [];
    const { bytes, noted } = await payment();
    const isRefused = (outcome: TransactionOutcome) =>
      new TextDecoder().decode(returnedBytes(outcome) ?? undefined) === 'false';
    const settler = new Settler({
      rpc: clientOf(...providers),
      relayer: { accountId: PAYER, learn: async () => false },
      spend: createJointSpendMeter([
        ...ofClient,
        {
          reserve: () => ({
            commit: (yocto) => void events.push(yocto >= DEPOSIT ? 'spent' : 'spent without the deposit'),
            release: () => void events.push('released'),
          }),
        },
      ]),
      log: createLog(() => undefined),
      noun: 'payment',
      keptDeposit: (outcome, depositYocto) => (isRefused(outcome) ? 0n : depositYocto),
    });
    const call = { borshBytes: bytesOf(bytes), hash: noted.transactionId, publicKey: payerKey };
    await settler
      .send('job', 'request', async () => ({
        mostYocto: MOST,
        depositYocto: DEPOSIT,
        sign: async () => call,
      }))
      .catch((error: Refusal) => events.push(error.code));
    return events;
  }

  test('is not free where the only provider calls a transaction invalid that it executes [S52]', async () => {
    liar.lie('send_tx', () => invalidTransaction('InvalidSignature'));
    liar.lie('tx', noTransaction);
    expect(await paid([LIAR])).toEqual(['chain_rejected']);
  });

  test('is not free where the only provider says that the deposit came back', async () => {
    for (const name of ['send_tx', 'tx']) liar.lie(name, returned(false));
    expect(await paid([LIAR])).toEqual(['spent']);
  });

  test('is not free where one of two providers calls a transaction invalid, and keeps it for later', async () => {
    liar.withhold('send_tx', invalidTransaction('InvalidSignature'));
    expect(await paid([LIAR, HONEST])).toEqual(['spent']);
  });

  test('is not free where a provider that is asked alone turns a payment away, and keeps it for later [S52]', async () => {
    liar.withhold('send_tx', {}, 400);
    expect(await paid([LIAR])).toEqual(['outcome_unknown']);
  });

  test('is not free where one of two providers says that the deposit came back', async () => {
    for (const name of ['send_tx', 'tx']) liar.lie(name, returned(false), 2);
    expect(await paid([LIAR, HONEST])).toEqual(['spent']);
  });

  test('is not free where one of two providers cannot read what it keeps for later', async () => {
    liar.withhold('send_tx', {
      jsonrpc: '2.0',
      id: '1',
      error: { name: 'REQUEST_VALIDATION_ERROR', data: 'no' },
    });
    expect(await paid([LIAR, HONEST])).toEqual(['spent']);
  });

  /** A client's share, which one payment fills, and its voucher. */
  async function shareAndVoucher() {
    const [record, log] = [createMemoryRecord(), createLog(() => undefined)];
    const share = createShares({
      addressYocto: MOST,
      networkYocto: MOST,
      meterFor: createLocalMeters(record),
      log,
    });
    const verify = () =>
      ({ ok: true, once: { id: 'a voucher', expiresAtMs: Number.MAX_SAFE_INTEGER } }) as const;
    const facts = { accountId: 'a.testnet', address: undefined, voucher: undefined };
    const gate = createSignupGate({ verify, uses: createSingleUses(record), log });
    const admitted = (publicKey: string) => gate.admit({ ...facts, publicKey });
    return {
      share: share('203.0.113.1'),
      mine: await admitted('ed25519:A'),
      others: await admitted('ed25519:B'),
    };
  }

  test('gives no client a second share, nor its voucher back, where the only provider calls a payment invalid [S55] [S56]', async () => {
    liar.lie('send_tx', () => invalidTransaction('InvalidSignature'));
    liar.lie('tx', noTransaction);
    const { share, mine, others } = await shareAndVoucher();
    expect(await paid([LIAR], undefined, [share, mine])).toEqual(['chain_rejected']);
    await expect(share.reserve(1n)).rejects.toMatchObject({ code: 'address_cap' });
    await expect(others.reserve(1n)).rejects.toMatchObject({ code: 'signup_refused' });
  });

  const forged = (bytes: Uint8Array) => bytes.with(-1, (bytes.at(-1) ?? 0) ^ 1);

  test('gives a client its share and its voucher back once both providers refuse the payment', async () => {
    const { share, mine, others } = await shareAndVoucher();
    expect(await paid([LIAR, HONEST], forged, [share, mine])).toEqual(['released', 'chain_rejected']);
    await share.reserve(MOST);
    await others.reserve(1n);
  });

  test('is free again once both providers refuse the transaction [S52]', async () => {
    expect(await paid([LIAR, HONEST], forged)).toEqual(['released', 'chain_rejected']);
  });
});
