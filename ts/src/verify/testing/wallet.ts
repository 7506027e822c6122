/**
 * A Latchkey wallet without its browser: its shipped WASM modules, a software authenticator as its passkey, and an
 * account created by the registry of a local chain.
 */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { base64, base64urlnopad } from '@scure/base';
import { Account, JsonRpcProvider, KeyPair, KeyPairSigner } from 'near-api-js';
import { createCredential, getAssertion, makePasskey } from '../../../../dev/authenticators/passkey.js';
import { REGISTRY, RELAYER } from '../../../../dev/services/services.js';
import { loadVrf, makeRegistration, ORIGIN } from '../../../../server/src/testing/registration.js';
import { developmentKey } from '../../../../tests/support/relay/devnet.js';
import * as signer from '../../../wasm/signer/signer.js';
import { generateChallenge } from '../../../wasm/vrf/vrf.js';
import { createRpcClient } from '../../near/index.js';
import { vrfData } from '../../registry/registry.js';
import { authorizeBy } from './authorize.js';

export { ORIGIN, REGISTRY };
export const RP_ID = 'localhost';

const REGISTRATION_GAS = 85_000_000_000_000n;
const REGISTRATION_DEPOSIT = 200_000_000_000_000_000_000_000n;

export interface MessageRequest {
  readonly message: string;
  readonly nonce: Uint8Array;
  readonly recipient: string;
  readonly callbackUrl?: string;
}

export type Wallet = Awaited<ReturnType<typeof registerWallet>>;

/** Registers `<name>.w3a-v1.testnet`. The VRF module has one session, so only the last registered wallet works. */
export async function registerWallet(chainUrl: string, name: string) {
  await loadVrf();
  const wasm = await readFile(new URL('../../../wasm/signer/signer_bg.wasm', import.meta.url));
  signer.initSync({ module: wasm });
  const rpc = createRpcClient({ urls: chainUrl });
  const [prfFirst, prfSecond] = [Uint8Array.from(randomBytes(32)), Uint8Array.from(randomBytes(32))];
  const passkey = makePasskey();

  const request = await makeRegistration(rpc, name);
  const accountId = request.new_account_id;
  const { publicKey, encryptedPrivateKey } = signer.deriveAndEncrypt(
    accountId,
    prfFirst.slice(),
    prfSecond.slice(),
  );
  const registered = await relayer(chainUrl).callFunction({
    contractId: REGISTRY,
    methodName: 'create_account_and_register_user',
    args: {
      ...request,
      new_public_key: publicKey,
      webauthn_registration: createCredential(
        {
          challenge: challengeText(Uint8Array.from(request.vrf_data.vrf_output)),
          rpId: RP_ID,
          origin: ORIGIN,
        },
        passkey,
      ),
    },
    gas: REGISTRATION_GAS,
    deposit: REGISTRATION_DEPOSIT,
    waitUntil: 'FINAL',
  });
  if (!(registered as { verified?: boolean }).verified) throw new Error('the registry refused the wallet');

  /** A VRF challenge over the last final block, and the passkey's assertion for it. */
  async function assert(intentDigest: string, origin = ORIGIN) {
    const { header } = await rpc.block({ finality: 'final' });
    const challenge = generateChallenge({
      userId: accountId,
      rpId: RP_ID,
      blockHeight: String(header.height),
      blockHash: header.hash,
      intentDigest,
    });
    const text = challengeText(base64urlnopad.decode(challenge.vrfOutput));
    return { challenge, assertion: getAssertion({ challenge: text, rpId: RP_ID, origin }, passkey) };
  }

  /** Signs by NEP-413 as the wallet does: prepare, passkey, sign. */
  async function signMessage(asked: MessageRequest) {
    const { handle, digest } = signer.prepareNep413({ accountId, publicKey, rpId: RP_ID, ...asked });
    const { challenge, assertion } = await assert(digest);
    const clientDataJson = base64urlnopad.decode(assertion.response.clientDataJSON);
    signer.approve(handle, prfFirst.slice(), challenge, clientDataJson, encryptedPrivateKey);
    const signed = signer.signNep413(handle);
    return { accountId, publicKey: signed.publicKey, signature: signed.signature };
  }

  return {
    accountId,
    publicKey,
    credentialId: base64urlnopad.encode(Uint8Array.from(passkey.id)),

    /** The wallet's proof that its user approved `intentDigest`. */
    async authenticate(intentDigest: string, origin?: string) {
      const { challenge, assertion } = await assert(intentDigest, origin);
      return { vrf_data: vrfData(challenge), webauthn_authentication: assertion };
    },

    signMessage,

    /** Authorizes a payload by NEP-641, through that message. */
    authorize: (payload: string) =>
      authorizeBy(accountId, { payload }, async (asked) => {
        const { signature } = await signMessage(asked);
        return { publicKey, signature: base64.decode(signature) };
      }),
  };
}

function relayer(chainUrl: string): Account {
  const key = new KeyPairSigner(KeyPair.fromString(developmentKey(RELAYER)));
  return new Account(RELAYER, new JsonRpcProvider({ url: chainUrl }), key);
}

/** base64url of the first half of a VRF output: the passkey's challenge. */
function challengeText(vrfOutput: Uint8Array): string {
  return base64urlnopad.encode(vrfOutput.slice(0, 32));
}
