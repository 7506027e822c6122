/** One client and one relay on both registries: our own, and the build that speaks the other one's dialect. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { base64urlnopad } from '@scure/base';
import { Account, JsonRpcProvider, KeyPair, KeyPairSigner } from 'near-api-js';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  createCredential,
  getAssertion,
  makePasskey,
  type Passkey,
} from '../../../dev/authenticators/passkey.js';
import { createLog } from '../../../server/src/observe/log.js';
import { readRelayConfig } from '../../../server/src/platform/config.js';
import { type RunningRelay, startRelay } from '../../../server/src/platform/node.js';
import { listHosts } from '../../../server/src/registry-admin/hosts.js';
import { loadVrf } from '../../../server/src/testing/registration.js';
import { builtContract } from '../../../tests/support/contracts.js';
import { type Devnet, developmentKey, startDevnet } from '../../../tests/support/relay/devnet.js';
import * as signer from '../../wasm/signer/signer.js';
import { generateChallenge, generateKeypairBootstrap } from '../../wasm/vrf/vrf.js';
import type { FlowContext } from '../flows/context.js';
import { isToBeDeleted } from '../flows/linking/deletion.js';
import { assertFits } from '../flows/recovery/ask.js';
import { existingRegistrationDigest } from '../intent/index.js';
import { createRpcClient, type RpcClient } from '../near/index.js';
import type { DeletionEntry } from '../storage/records.js';
import type { VrfChallenge } from '../workers/signer-api.js';
import { assertRegistersExisting, existingRegistration } from './existing.js';
import { changeDeposit, linkingAccount, nextDeviceNumber, registrationCost } from './linking.js';
import { createOriginList, readOriginList } from './origin-list.js';
import {
  authenticatorsOf,
  checkCanRegister,
  deviceCounter,
  maxBlockAge,
  verifyAuthentication,
} from './registry.js';
import type { RegistryAt } from './registry-at.js';

const REGISTRY = 'w3a-v1.testnet';
const RELAYER = 'relayer.testnet';
const ALICE = `alice.${REGISTRY}`;
const RP_ID = 'wallet.example';
const ORIGIN = 'https://wallet.example';
const INITIAL_BALANCE = 1_000_000_000_000_000_000_000_000n;
const GAS = 85_000_000_000_000n;
const OPTIONS = { userVerification: 'preferred', originPolicy: { all_subdomains: true } } as const;
const { signal } = new AbortController();

const intent = (text: string) =>
  base64urlnopad.encode(Uint8Array.from(createHash('sha256').update(text).digest()));
const bytes = (length: number) => base64urlnopad.encode(new Uint8Array(length));
const webAuthnText = (challenge: VrfChallenge) =>
  base64urlnopad.encode(base64urlnopad.decode(challenge.vrfOutput).slice(0, 32));

beforeAll(async () => {
  await loadVrf();
  const module = await readFile(new URL('../../wasm/signer/signer_bg.wasm', import.meta.url));
  signer.initSync({ module });
});

describe.each([
  ['our registry', 'registry.wasm', true],
  ['the other registry', 'registry-dialect.wasm', false],
] as const)('on %s, a user (core 7, core 8)', { timeout: 60_000 }, (_, file, isOurs) => {
  let chain: Devnet;
  let relay: RunningRelay;
  let context: FlowContext;
  let rpc: RpcClient;
  const relayLog: string[] = [];
  const warn = vi.fn();
  const asked: string[] = [];
  const passkey = makePasskey();
  let keys: ReturnType<typeof keysFor>;

  beforeAll(async () => {
    chain = await startDevnet({ registry: builtContract(file) });
    relay = await startRelay(
      readRelayConfig({
        RELAYER_ACCOUNT_ID: RELAYER,
        RELAYER_PRIVATE_KEY: developmentKey(RELAYER),
        NEAR_RPC_URL: chain.url,
        ACCOUNT_INITIAL_BALANCE: String(INITIAL_BALANCE),
        EXPECTED_ORIGIN: ORIGIN,
        RELAY_LIMIT_REGISTRATIONS: 'off',
        RELAY_DAILY_SHARE: 'off',
        PORT: '0',
      }),
      createLog((line) => relayLog.push(line)),
    );
    const client = createRpcClient({ urls: chain.url });
    rpc = {
      ...client,
      callFunctionJson: (schema, contract, method, ...rest) => {
        asked.push(method);
        return client.callFunctionJson(schema, contract, method, ...rest);
      },
    };
    context = { rpc, config: { contractId: REGISTRY, logger: { warn } } } as unknown as FlowContext;
  });
  afterAll(async () => {
    await relay?.close();
    await chain?.stop();
  });

  /** The keys of the account, derived as the wallet derives them. */
  function keysFor() {
    const [first, second] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
    return signer.deriveAndEncrypt(ALICE, first, second);
  }

  const atBlock = async () => {
    const { header } = await rpc.block({ finality: 'final' });
    return { userId: ALICE, rpId: RP_ID, blockHeight: String(header.height), blockHash: header.hash };
  };

  /** A new passkey over a VRF challenge for this intent, and what the registry says of it. */
  async function newDevice(intentText: string, device: Passkey) {
    const { challenge, vrfPublicKey } = generateKeypairBootstrap({
      ...(await atBlock()),
      intentDigest: intent(intentText),
    });
    if (!challenge) throw new Error('the VRF module made no challenge');
    const credential = createCredential(
      { challenge: webAuthnText(challenge), rpId: RP_ID, origin: ORIGIN },
      device,
    );
    const verdict = await checkCanRegister(context, challenge, credential, OPTIONS, signal);
    const deterministic_vrf_public_key = [...base64urlnopad.decode(vrfPublicKey)];
    return { verdict, vrfPublicKey, body: { ...verdict.body, deterministic_vrf_public_key } };
  }

  async function assertion(intentText: string) {
    const challenge = generateChallenge({ ...(await atBlock()), intentDigest: intent(intentText) });
    const ceremony = { challenge: webAuthnText(challenge), rpId: RP_ID, origin: ORIGIN };
    return [challenge, getAssertion(ceremony, passkey)] as const;
  }

  /** Alice's account. The development key stands for her derived one, which only the WASM holds. */
  const alice = () =>
    new Account(
      ALICE,
      new JsonRpcProvider({ url: chain.url }),
      new KeyPairSigner(KeyPair.fromString(developmentKey(ALICE))),
    );
  const publicKeyOf = (account: string) =>
    KeyPair.fromString(developmentKey(account)).getPublicKey().toString();

  const call = (methodName: string, args: object, deposit = 0n) =>
    alice().callFunction({ contractId: REGISTRY, methodName, args, gas: GAS, deposit, waitUntil: 'FINAL' });

  test('registers through the relay', async () => {
    keys = keysFor();
    const { verdict, body } = await newDevice(`register:${ALICE}:1`, passkey);
    expect(verdict).toMatchObject({ verified: true, userExists: false });
    const response = await fetch(`${relay.url}/create_account_and_register_user`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        ...body,
        new_account_id: ALICE,
        new_public_key: publicKeyOf(ALICE),
        device_number: 1,
      }),
    });
    expect(await response.json()).toMatchObject({ success: true });
    const account = await rpc.viewAccount(ALICE);
    expect(BigInt(account?.amount ?? 0) === INITIAL_BALANCE).toBe(!isOurs);
  });

  test('logs in, and approves a transaction', async () => {
    await verifyAuthentication(context, ...(await assertion('login')), signal);
    await verifyAuthentication(context, ...(await assertion('a transaction')), signal);
    await call('set_greeting', { greeting: 'hi' });
    const greeting = await rpc.callFunction(REGISTRY, 'get_greeting');
    expect(new TextDecoder().decode(greeting.bytes)).toBe('"hi"');
  });

  test('is refused an assertion of another passkey', async () => {
    const [challenge] = await assertion('login');
    const ceremony = { challenge: webAuthnText(challenge), rpId: RP_ID, origin: ORIGIN };
    const foreign = getAssertion(ceremony, makePasskey());
    await expect(verifyAuthentication(context, challenge, foreign, signal)).rejects.toMatchObject({
      code: 'VERIFICATION_FAILED',
    });
  });

  test('links a second device, whose key the first one then leaves alone', async () => {
    const device = { publicKey: publicKeyOf('device 2') };
    await alice().addFullAccessKey(device.publicKey);
    const added = await vi.waitUntil(() => rpc.viewAccessKey(ALICE, device.publicKey), { timeout: 10_000 });
    const entry = {
      accountId: ALICE,
      publicKey: device.publicKey,
      addedAtHeight: added.block_height,
    } as DeletionEntry;
    expect(await isToBeDeleted(context, entry)).toBe(true);

    // The mapping's transaction stays open for as long as the mapping lives.
    await alice().callFunction({
      contractId: REGISTRY,
      methodName: 'store_device_linking_mapping',
      args: { device_public_key: device.publicKey, target_account_id: ALICE },
      deposit: BigInt(await changeDeposit(context)),
      waitUntil: 'INCLUDED_FINAL',
    });
    await expect.poll(() => linkingAccount(context, device.publicKey)).toMatchObject({ mapping: [ALICE, 1] });

    const cost = await registrationCost(context);
    expect(BigInt(cost) > 0n).toBe(isOurs);
    const { verdict, body, vrfPublicKey } = await newDevice(`device2-register:${ALICE}:2`, makePasskey());
    expect(verdict).toMatchObject({ verified: true, userExists: true });
    const newAccount = new Account(
      ALICE,
      new JsonRpcProvider({ url: chain.url }),
      new KeyPairSigner(KeyPair.fromString(developmentKey('device 2'))),
    );
    const linked = await newAccount.callFunction({
      contractId: REGISTRY,
      methodName: 'link_device_register_user',
      args: body,
      gas: GAS,
      deposit: BigInt(cost),
      waitUntil: 'FINAL',
    });
    expect(linked).toMatchObject({ verified: true });
    await expect.poll(() => deviceCounter(context, ALICE)).toBe(2);
    expect(await isToBeDeleted(context, entry)).toBe(false);

    const [, second] = await authenticatorsOf(context, ALICE);
    const key = { ...keys, publicKey: device.publicKey };
    assertFits(second![1], { key, vrfPublicKey });
    expect(() =>
      assertFits(second![1], {
        key,
        vrfPublicKey: base64urlnopad.encode(new Uint8Array(32)),
      }),
    ).toThrow('other VRF keys are recorded');
  });

  test('finds the records of every device for a recovery', async () => {
    const records = await authenticatorsOf(context, ALICE);
    expect(records.map(([, record]) => record)).toMatchObject([
      {
        device_number: 1,
        near_public_key: isOurs ? publicKeyOf(ALICE) : null,
        transports: ['internal', 'hybrid'],
      },
      { device_number: 2, near_public_key: isOurs ? publicKeyOf('device 2') : null },
    ]);
    expect(records[0]?.[0]).toBe(base64urlnopad.encode(Uint8Array.from(passkey.id)));
    expect(await maxBlockAge(context)).toBe(1200);
  });

  test('records the passkey of an account without a name, where the registry can', async () => {
    if (!isOurs) {
      await expect(assertRegistersExisting(context)).rejects.toMatchObject({
        code: 'REGISTRY_LACKS',
        message: expect.stringContaining(`${REGISTRY} lacks a method to record a passkey`),
      });
      return;
    }
    const key = KeyPair.fromRandom('ed25519');
    const account = Buffer.from(key.getPublicKey().data).toString('hex');
    await alice().transfer({ receiverId: account, amount: INITIAL_BALANCE / 10n });
    const known = makePasskey();
    const number = await nextDeviceNumber(context, account, signal);
    expect(number).toBe(1);
    const { challenge, vrfPublicKey } = generateKeypairBootstrap({
      ...(await atBlock()),
      userId: account,
      intentDigest: await existingRegistrationDigest(account, number),
    });
    if (!challenge) throw new Error('the VRF module made no challenge');
    const ceremony = { challenge: webAuthnText(challenge), rpId: RP_ID, origin: ORIGIN };
    const action = await existingRegistration(
      context,
      {
        challenge,
        assertion: { ...getAssertion(ceremony, known), prf: 'secret' } as never,
        publicKeyCose: Uint8Array.from(known.publicKey),
        transports: ['internal'],
        vrfPublicKey,
      },
      OPTIONS,
    );
    if (action.type !== 'FunctionCall') throw new Error('it is a call');
    const args = action.args as string;
    expect(args).not.toContain('secret');
    const owner = new Account(account, new JsonRpcProvider({ url: chain.url }), new KeyPairSigner(key));
    const answer = await owner.callFunction({
      contractId: REGISTRY,
      methodName: action.methodName,
      args: JSON.parse(args),
      gas: BigInt(action.gas),
      deposit: BigInt(action.deposit),
      waitUntil: 'FINAL',
    });
    expect(answer).toMatchObject({ verified: true });
    await expect.poll(() => deviceCounter(context, account)).toBe(1);
    const [[credentialId, record] = []] = await authenticatorsOf(context, account);
    expect(credentialId).toBe(base64urlnopad.encode(Uint8Array.from(known.id)));
    expect(record).toMatchObject({
      near_public_key: key.getPublicKey().toString(),
      transports: ['internal'],
      device_number: 1,
    });
    // The login that follows is the passkey's own, by the recorded keys.
    const login = generateChallenge({ ...(await atBlock()), userId: account, intentDigest: intent('login') });
    const assertion = getAssertion({ ...ceremony, challenge: webAuthnText(login) }, known);
    await verifyAuthentication(context, login, assertion, signal);
  });

  test('has the lists of origins, and the log names the one that the registry lacks', async () => {
    const failed = vi.fn();
    const origins = createOriginList(rpc, REGISTRY, { method: 'get_allowed_origins', failed });
    expect(await origins()).toEqual([]);
    const hosts = createOriginList(rpc, REGISTRY, { method: 'get_allowed_hosts', failed });
    expect(await hosts()).toEqual([]);
    expect(await hosts()).toEqual([]);
    const lacking = {
      code: 'REGISTRY_LACKS',
      message:
        `The registry ${REGISTRY} lacks a list of the hosts that may embed the wallet. ` +
        "Name them in the wallet's own configuration, or deploy your own registry.",
    };
    expect(failed.mock.calls).toEqual(isOurs ? [] : [[expect.objectContaining(lacking), false]]);
  });

  test('asks once which registry it is, and logs once what that does not protect', () => {
    // The list of hosts has a configuration of its own, and asks for itself.
    const times = isOurs ? 1 : 2;
    expect(asked.filter((method) => method === 'contract_source_metadata')).toHaveLength(times);
    const told = isOurs ? 0 : 1;
    expect(warn).toHaveBeenCalledTimes(told);
    expect(relayLog.filter((line) => line.includes('registry_protects_less'))).toHaveLength(told);
  });
});

describe('an account that holds no registry (core 7)', { timeout: 60_000 }, () => {
  let chain: Devnet;
  beforeAll(async () => {
    chain = await startDevnet();
  });
  afterAll(() => chain?.stop());

  const challenge = {
    vrfInput: bytes(32),
    vrfOutput: bytes(64),
    vrfProof: bytes(80),
    vrfPublicKey: bytes(32),
    userId: ALICE,
    rpId: RP_ID,
    blockHeight: '1',
    blockHash: bytes(32),
  };
  const ceremony = { challenge: bytes(32), rpId: RP_ID, origin: ORIGIN };
  const credential = createCredential(ceremony, makePasskey());
  const assertion = getAssertion(ceremony, makePasskey());
  const VIEWS: readonly [string, (at: RegistryAt) => Promise<unknown>][] = [
    ['the price of a registration', (at) => registrationCost(at)],
    ['the check of a registration', (at) => checkCanRegister(at, challenge, credential, OPTIONS, signal)],
    ['the check of a login', (at) => verifyAuthentication(at, challenge, assertion, signal)],
    ["an account's passkeys", (at) => authenticatorsOf(at, ALICE)],
    ["an account's device number", (at) => deviceCounter(at, ALICE)],
    ['the number of the next device', (at) => nextDeviceNumber(at, ALICE, signal)],
    ['the age of a challenge', (at) => maxBlockAge(at)],
    ['the account of a linking', (at) => linkingAccount(at, developmentKey(ALICE))],
    ['the list of origins', (at) => readOriginList(at, 'get_allowed_origins')],
    ['the list of hosts', (at) => readOriginList(at, 'get_allowed_hosts')],
    ['the hosts that an admin lists', (at) => listHosts(at)],
    ['the hosts that a wallet admits', (at) => admittedBy(at)],
  ];
  const admittedBy = ({ rpc, config }: RegistryAt) =>
    createOriginList(rpc, config.contractId, { method: 'get_allowed_hosts', failed: () => undefined })(
      ORIGIN,
    );

  describe.each([
    ['without a contract', 'testnet'],
    ['that does not exist', 'nobody.testnet'],
  ])('%s', (_, contractId) => {
    test.each(VIEWS)('is named by each view: %s', async (_view, ask) => {
      const at = { rpc: createRpcClient({ urls: chain.url }), config: { contractId } };
      await expect(ask(at)).rejects.toMatchObject({
        code: 'REGISTRY_UNKNOWN',
        message:
          `${contractId} is not a registry that this wallet can use: no contract is deployed there. ` +
          'Check contractId, or update the wallet.',
      });
    });
  });
});
