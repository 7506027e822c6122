/** Both checks against the real chain and registry, with real wallet output. */
import { readFile } from 'node:fs/promises';
import { base64, hex } from '@scure/base';
import {
  Account,
  actions,
  JsonRpcProvider,
  KeyPair,
  KeyPairSigner,
  type KeyPairString,
  nearToYocto,
} from 'near-api-js';
import { signMessage } from 'near-api-js/nep413';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startChain } from '../../../dev/services/services.js';
import { type FaultProxy, startFaultProxy } from '../../../tests/support/fault-proxy.js';
import { type Devnet, developmentKey } from '../../../tests/support/relay/devnet.js';
import type { AuthenticationExpectation, AuthenticationRefusal } from './authentication.js';
import type { AuthorizationRefusal } from './authorization.js';
import {
  createRpcClient,
  loginSessionDigest,
  type RpcClient,
  rpcFailure,
  verifyAuthentication,
  verifySignedMessage,
} from './index.js';
import type { SignedMessageRefusal } from './signed-message.js';
import { createLogin } from './testing/guide.js';
import { isLogin } from './testing/guide-assertion.js';
import { createLogin as createAuthorizedLogin } from './testing/guide-authorization.js';
import { ORIGIN, REGISTRY, RP_ID, registerWallet, type Wallet } from './testing/wallet.js';

const ALICE = 'alice.testnet';
const NOWHERE = 'http://127.0.0.1:9';
const MAX_BLOCK_AGE = 1200;

describe('on the chain', { timeout: 60_000 }, () => {
  let chain: Devnet;
  let proxy: FaultProxy;
  let rpc: RpcClient;
  let provider: JsonRpcProvider;
  let alice: Account;
  let wallet: Wallet;

  beforeAll(async () => {
    chain = await startChain({
      port: 0,
      blockTimeMs: 50,
      maxBlockAge: MAX_BLOCK_AGE,
      args: ['--fund', `${ALICE}=100`],
    });
    proxy = await startFaultProxy(chain.url);
    rpc = createRpcClient({ urls: [NOWHERE, chain.url] });
    provider = new JsonRpcProvider({ url: chain.url });
    alice = accountOf(ALICE, KeyPair.fromString(developmentKey(ALICE)));
    wallet = await registerWallet(chain.url, 'walter');
  });
  afterAll(async () => {
    await proxy?.close();
    await chain?.stop();
  });

  const accountOf = (accountId: string, key: KeyPair) =>
    new Account(accountId, provider, new KeyPairSigner(key));

  const request = () => ({
    message: 'Log in',
    recipient: 'app.example',
    nonce: crypto.getRandomValues(new Uint8Array(32)),
  });

  /** The verdict on a message that `key` signs for the account. */
  async function verdictOn(accountId: string, key: KeyPair, client: RpcClient = rpc) {
    const payload = request();
    const signed = await signMessage({ signerAccount: accountOf(accountId, key), payload });
    const sent = {
      accountId,
      publicKey: signed.publicKey.toString(),
      signature: base64.encode(Uint8Array.from(signed.signature)),
    };
    return verifySignedMessage(sent, { rpc: client, ...payload });
  }

  describe('a signed message', () => {
    it('of a Latchkey wallet is verified for its own payload only', async () => {
      const payload = { ...request(), callbackUrl: 'https://app.example/back' };
      const signed = await wallet.signMessage(payload);
      expect(await verifySignedMessage(signed, { rpc, ...payload })).toEqual({
        verified: true,
        accountId: wallet.accountId,
        publicKey: wallet.publicKey,
      });
      for (const change of [
        { nonce: request().nonce },
        { recipient: 'other.example' },
        { message: 'Log in!' },
        { callbackUrl: undefined },
      ]) {
        const verdict = await verifySignedMessage(signed, { rpc, ...payload, ...change });
        expect(verdict).toMatchObject({ verified: false, reason: 'SIGNATURE_INVALID' });
      }
      const stolen = { ...signed, accountId: ALICE };
      expect(await verifySignedMessage(stolen, { rpc, ...payload })).toMatchObject({
        reason: 'KEY_NOT_FOUND',
      });
    });

    it('counts while its key is on the account', async () => {
      const key = KeyPair.fromRandom('ed25519');
      const publicKey = key.getPublicKey().toString();
      expect(await verdictOn(ALICE, key)).toMatchObject({ reason: 'KEY_NOT_FOUND' });
      await alice.signAndSendTransaction({
        receiverId: ALICE,
        actions: [actions.addFullAccessKey(key.getPublicKey())],
        waitUntil: 'FINAL',
      });
      expect(await verdictOn(ALICE, key)).toEqual({ verified: true, accountId: ALICE, publicKey });
      await alice.signAndSendTransaction({
        receiverId: ALICE,
        actions: [actions.deleteKey(key.getPublicKey())],
        waitUntil: 'FINAL',
      });
      expect(await verdictOn(ALICE, key)).toMatchObject({
        verified: false,
        reason: 'KEY_NOT_FOUND',
        message: `${ALICE} has no access key ${publicKey}, or does not exist.`,
      });
    });

    it('does not count if a function-call key signed it', async () => {
      const key = KeyPair.fromRandom('ed25519');
      await alice.signAndSendTransaction({
        receiverId: ALICE,
        actions: [actions.addFunctionCallAccessKey(key.getPublicKey(), REGISTRY, [], nearToYocto(1))],
        waitUntil: 'FINAL',
      });
      expect(await verdictOn(ALICE, key)).toMatchObject({ verified: false, reason: 'KEY_NOT_FULL_ACCESS' });
    });

    it('of an account that does not exist has no key', async () => {
      const verdict = await verdictOn('nobody.testnet', KeyPair.fromRandom('ed25519'));
      expect(verdict).toMatchObject({ verified: false, reason: 'KEY_NOT_FOUND' });
    });

    it('of an implicit account counts before the account exists, and after', async () => {
      const key = KeyPair.fromRandom('ed25519');
      const accountId = hex.encode(Uint8Array.from(key.getPublicKey().data));
      expect(await verdictOn(accountId, key)).toMatchObject({ verified: true, accountId });
      await alice.signAndSendTransaction({
        receiverId: accountId,
        actions: [actions.transfer(nearToYocto(1))],
        waitUntil: 'FINAL',
      });
      expect(await verdictOn(accountId, key)).toMatchObject({ verified: true, accountId });
    });

    it('causes an error instead of a verdict when no node is reachable', async () => {
      const dead = createRpcClient({ urls: [NOWHERE] });
      const key = KeyPair.fromString(developmentKey(ALICE) as KeyPairString);
      const error = await verdictOn(ALICE, key, dead).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'NEAR_RPC_FAILED' });
      expect(rpcFailure(error)).toMatchObject({ kind: 'unreachable' });
      proxy.fail('*', { kind: 'status', status: 503 });
      const failing = createRpcClient({ urls: proxy.url });
      await expect(verdictOn(ALICE, key, failing)).rejects.toMatchObject({ code: 'NEAR_RPC_FAILED' });
      proxy.heal();
      expect(await verdictOn(ALICE, key, failing)).toMatchObject({ verified: true });
    });

    it('rejects with the caller’s reason when the caller aborts', async () => {
      const payload = request();
      const signed = await wallet.signMessage(payload);
      const signal = AbortSignal.abort(new Error('enough'));
      await expect(verifySignedMessage(signed, { rpc, ...payload, signal })).rejects.toThrow('enough');
    });
  });

  describe('an assertion', () => {
    let intentDigest: string;
    beforeAll(async () => {
      intentDigest = await loginSessionDigest(wallet.accountId, RP_ID);
    });

    const check = (assertion: unknown, expected: Partial<AuthenticationExpectation> = {}) =>
      verifyAuthentication(assertion, { rpc, contractId: REGISTRY, intentDigest, ...expected });

    it('of a registered passkey is verified', async () => {
      const assertion = await wallet.authenticate(intentDigest);
      const { accountId } = wallet;
      const expected = { accountId, rpId: 'LOCALHOST', origin: ['https://other.example', ORIGIN] };
      const verdict = await check(JSON.parse(JSON.stringify(assertion)), expected);
      expect(verdict).toEqual({
        verified: true,
        accountId,
        credentialId: wallet.credentialId,
        rpId: RP_ID,
        origin: ORIGIN,
        challenge: expect.stringMatching(/^[\w-]{43}$/),
        blockHeight: assertion.vrf_data.block_height,
        signatureCount: 0,
        deviceType: 'multiDevice',
        isBackedUp: true,
      });
      const clientData = base64urlJson(assertion.webauthn_authentication.response.clientDataJSON);
      expect((verdict as { challenge: string }).challenge).toBe(clientData.challenge);
      expect(await check(assertion)).toMatchObject({ verified: true });
    });

    it('may carry its bytes as base64url', async () => {
      const { vrf_data, webauthn_authentication } = await wallet.authenticate(intentDigest);
      const asText = Object.fromEntries(
        Object.entries(vrf_data).map(([name, value]) => [
          name,
          Array.isArray(value) ? Buffer.from(value).toString('base64url') : value,
        ]),
      );
      expect(await check({ vrf_data: asText, webauthn_authentication })).toMatchObject({ verified: true });
    });

    it('counts for one intent, account, rpId and origin, whatever the registry says', async () => {
      const assertion = await wallet.authenticate(intentDigest);
      const other = await loginSessionDigest(wallet.accountId, 'other.example');
      const refusals: [Partial<AuthenticationExpectation>, AuthenticationRefusal][] = [
        [{ intentDigest: other }, 'INTENT_MISMATCH'],
        [{ accountId: ALICE }, 'ACCOUNT_MISMATCH'],
        [{ rpId: 'example' }, 'RP_ID_MISMATCH'],
        [{ origin: 'http://localhost' }, 'ORIGIN_MISMATCH'],
        [{ origin: [] }, 'ORIGIN_MISMATCH'],
        [{ intentDigest: intentDigest.slice(1) }, 'EXPECTATION_INVALID'],
        [{ intentDigest: undefined as never }, 'EXPECTATION_INVALID'],
        [{ rpId: null as never }, 'EXPECTATION_INVALID'],
      ];
      for (const [expected, reason] of refusals) {
        expect(await check(assertion, expected), reason).toMatchObject({ verified: false, reason });
      }
    });

    it('is refused, with the registry’s reason, when anything in it is changed', async () => {
      const made = await wallet.authenticate(intentDigest);
      const { vrf_data, webauthn_authentication } = made;
      // Of another intent: an assertion of the same intent and block has the same challenge and is equally valid.
      const other = await wallet.authenticate(await loginSessionDigest(wallet.accountId, 'other.example'));
      const forgeries: [string, object, RegExp][] = [
        ['another account', { vrf_data: { ...vrf_data, user_id: ALICE } }, /not registered for this account/],
        ['another proof', { vrf_data: { ...vrf_data, vrf_proof: Array(80).fill(1) } }, /VRF proof/],
        [
          'a later block',
          { vrf_data: { ...vrf_data, block_height: vrf_data.block_height + 1 } },
          /does not follow|in the future/,
        ],
        ['another ceremony', { webauthn_authentication: other.webauthn_authentication }, /credential/],
      ];
      for (const [what, change, log] of forgeries) {
        const verdict = await check({ vrf_data, webauthn_authentication, ...change });
        expect(verdict, what).toMatchObject({ verified: false, reason: 'NOT_ACCEPTED' });
        expect((verdict as { message: string }).message, what).toMatch(log);
      }
      expect(await check(made)).toMatchObject({ verified: true });
    });

    it('from a page that the registry does not allow is refused', async () => {
      const assertion = await wallet.authenticate(intentDigest, 'https://evil.example');
      expect(await check(assertion)).toMatchObject({ verified: false, reason: 'NOT_ACCEPTED' });
    });

    it('is not refused by a lagging node while another one accepts it', async () => {
      const refusal = { verified: false };
      const bytes = [...new TextEncoder().encode(JSON.stringify(refusal))];
      const block = { block_height: 1, block_hash: '11111111111111111111111111111111' };
      const answer = {
        jsonrpc: '2.0',
        id: '1',
        result: { result: bytes, logs: ['refused: lagging'], ...block },
      };
      const withLagging = (...urls: string[]) =>
        createRpcClient({
          urls: ['http://lagging.example', ...urls],
          agreement: 1,
          fetch: async (url, init) =>
            String(url).includes('lagging') ? Response.json(answer) : fetch(url, init),
        });
      const assertion = await wallet.authenticate(intentDigest);
      expect(await check(assertion, { rpc: withLagging(chain.url) })).toMatchObject({ verified: true });
      expect(await check(assertion, { rpc: withLagging() })).toEqual({
        verified: false,
        reason: 'NOT_ACCEPTED',
        message: `The registry ${REGISTRY} did not accept the assertion: refused: lagging.`,
      });
    });

    it('is accepted once the only node, which lags, has the block of its challenge', async () => {
      const network = (lags: readonly number[]) =>
        fetch(`${chain.url}/admin/network`, { method: 'PUT', body: JSON.stringify({ lags }) });
      const assertion = await wallet.authenticate(intentDigest);
      await network([8]);
      try {
        const fresh = createRpcClient({ urls: chain.url });
        expect(await check(assertion, { rpc: fresh })).toMatchObject({ verified: true });
      } finally {
        await network([0]);
      }
    });

    it('is malformed, without a call to the contract, when a field has the wrong shape', async () => {
      const made = await wallet.authenticate(intentDigest);
      const { vrf_data, webauthn_authentication } = made;
      const { response } = webauthn_authentication;
      const signedBy = (change: object) => ({
        vrf_data,
        webauthn_authentication: { ...webauthn_authentication, response: { ...response, ...change } },
      });
      const dataWith = (change: object) => ({
        vrf_data: { ...vrf_data, ...change },
        webauthn_authentication,
      });
      const broken: [unknown, string][] = [
        [null, 'the whole'],
        [{ vrf_data }, 'webauthn_authentication'],
        [dataWith({ vrf_output: vrf_data.vrf_output.slice(1) }), 'vrf_data.vrf_output'],
        [dataWith({ vrf_proof: Array(80).fill(256) }), 'vrf_data.vrf_proof.0'],
        [dataWith({ public_key: 'A' }), 'vrf_data.public_key'],
        [dataWith({ block_height: '12' }), 'vrf_data.block_height'],
        [dataWith({ block_height: 2 ** 60 }), 'vrf_data.block_height'],
        [dataWith({ user_id: 'A!' }), 'vrf_data.user_id'],
        [dataWith({ intent_digest_32: undefined }), 'vrf_data.intent_digest_32'],
        [signedBy({ signature: `${response.signature}==` }), 'webauthn_authentication.response.signature'],
        [signedBy({ clientDataJSON: [1] }), 'webauthn_authentication.response.clientDataJSON'],
      ];
      const asked = vi.fn(rpc.callFunction);
      for (const [assertion, at] of broken) {
        const verdict = await check(assertion, { rpc: { callFunction: asked } });
        expect(verdict, at).toMatchObject({ verified: false, reason: 'MALFORMED' });
        expect((verdict as { message: string }).message).toContain(`${at}: `);
      }
      expect(asked).not.toHaveBeenCalled();
    });

    it('causes an error instead of a verdict when there is no registry', async () => {
      const assertion = await wallet.authenticate(intentDigest);
      for (const contractId of [ALICE, 'nobody.testnet']) {
        await expect(check(assertion, { contractId })).rejects.toMatchObject({ code: 'NEAR_RPC_FAILED' });
      }
      const dead = createRpcClient({ urls: NOWHERE });
      await expect(check(assertion, { rpc: dead })).rejects.toMatchObject({ code: 'NEAR_RPC_FAILED' });
    });
  });

  describe('docs/guides/verify.mdx', () => {
    let page: string;
    beforeAll(async () => {
      page = await readFile(new URL('../../../docs/guides/verify.mdx', import.meta.url), 'utf8');
    });

    /** Asserts that the page contains the file, with a reader's import path. */
    async function expectShown(file: string) {
      const program = await readFile(new URL(`testing/${file}`, import.meta.url), 'utf8');
      expect(page).toContain(`\`\`\`ts\n${program.replace('../index.js', 'latchkey/verify')}\`\`\``);
    }

    it('shows a login by assertion that works, word for word', async () => {
      await expectShown('guide-assertion.ts');
      const site = { rpId: RP_ID, origin: ORIGIN };
      const digest = await loginSessionDigest(wallet.accountId, RP_ID);
      const assertion = await wallet.authenticate(digest);
      expect(await isLogin(assertion, wallet.accountId, site, [chain.url])).toBe(true);
      expect(await isLogin(assertion, ALICE, site, [chain.url])).toBe(false);
    });

    it('shows a login that works, word for word', async () => {
      await expectShown('guide.ts');
      const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
      const login = createLogin([chain.url]);
      const { nonce, ...asked } = login.begin('session');
      const signed = await wallet.signMessage({ ...asked, nonce: base64.decode(nonce) });
      expect(await login.finish('other session', signed)).toBeNull();
      expect(await login.finish('session', signed)).toBe(wallet.accountId);
      expect(await login.finish('session', signed)).toBeNull();
      expect(warn).not.toHaveBeenCalled();
      login.begin('session');
      expect(await login.finish('session', signed)).toBeNull();
      expect(warn).toHaveBeenCalledExactlyOnceWith('SIGNATURE_INVALID', expect.any(String));
      warn.mockRestore();
    });

    it('shows a login by authorization that works, word for word', async () => {
      await expectShown('guide-authorization.ts');
      const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
      const login = createAuthorizedLogin('app.example', 'testnet', [chain.url]);
      const authorized = await wallet.authorize(login.begin('session'));
      expect(await login.finish('other session', authorized)).toBeNull();
      expect(await login.finish('session', authorized)).toBe(wallet.accountId);
      expect(await login.finish('session', authorized)).toBeNull();
      expect(warn).not.toHaveBeenCalled();
      login.begin('session');
      expect(await login.finish('session', authorized)).toBeNull();
      expect(warn).toHaveBeenCalledExactlyOnceWith('PAYLOAD_MISMATCH', expect.any(String));
      warn.mockRestore();
    });

    it('lists exactly the existing reasons', () => {
      const message: Record<SignedMessageRefusal, true> = {
        EXPECTATION_INVALID: true,
        MALFORMED: true,
        ACCOUNT_ID_INVALID: true,
        ACCOUNT_MISMATCH: true,
        PUBLIC_KEY_INVALID: true,
        SIGNATURE_MALFORMED: true,
        SIGNATURE_INVALID: true,
        KEY_NOT_FOUND: true,
        KEY_NOT_FULL_ACCESS: true,
      };
      const authorization: Record<AuthorizationRefusal, true> = {
        EXPECTATION_INVALID: true,
        MALFORMED: true,
        ACCOUNT_ID_INVALID: true,
        ACCOUNT_MISMATCH: true,
        CHAIN_MISMATCH: true,
        SIGNER_MISMATCH: true,
        PATH_MISMATCH: true,
        SIGNATURE_INVALID: true,
        FROM_THE_FUTURE: true,
        EXPIRED: true,
        KEY_NOT_FOUND: true,
        KEY_NOT_FULL_ACCESS: true,
        NO_CONTRACT: true,
        CONTRACT_REFUSED: true,
        CONTRACT_ANSWER_INVALID: true,
        SUB_PAYLOAD_MISMATCH: true,
        PAYLOAD_MISMATCH: true,
        TOO_DEEP: true,
        TOO_MANY_SUB_AUTHORIZATIONS: true,
        TOO_MANY_CALLS: true,
        TOO_MANY_BYTES: true,
      };
      const assertion: Record<AuthenticationRefusal, true> = {
        EXPECTATION_INVALID: true,
        MALFORMED: true,
        INTENT_MISMATCH: true,
        ACCOUNT_MISMATCH: true,
        RP_ID_MISMATCH: true,
        NOT_ACCEPTED: true,
        ORIGIN_MISMATCH: true,
      };
      const listed = page
        .split(/^## /m)
        .map((section) => [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, reason]) => reason))
        .filter((reasons) => reasons.length > 0);
      expect(listed).toEqual([Object.keys(message), Object.keys(authorization), Object.keys(assertion)]);
    });
  });
});

function base64urlJson(text: string) {
  return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
}
