/** Requests that cost their sender nothing, against a real relay on Node and the real chain with the real registry. */
import { beforeEach, describe, expect, it } from 'vitest';
import { operatedRelays } from '../../../tests/support/relay/operated-relay.js';
import { type MadeRegistration, makeRegistration, makeRegistrationAt } from '../testing/registration.js';
import { temporaryFolder } from '../testing/temporary-folder.js';
import { issueSignupVoucher, makeVoucherKeyPair } from './voucher.js';

// The relays are behind one proxy, so that a request may come from any address.
const on = operatedRelays({ RELAY_LIMIT_REGISTRATIONS: 'off', TRUSTED_PROXY_HOPS: '1' });
const folder = temporaryFolder();

beforeEach(() => on.proxy.heal());

type Relay = Awaited<ReturnType<typeof on.start>>;

async function ask(relay: Relay, request: object, from = '203.0.113.1') {
  const { status, answer } = await relay.register(request, { 'x-forwarded-for': from });
  return { status, error: answer.error, message: answer.message };
}

/** A registration whose challenge names a block that many above the chain's last, with a proof that holds. */
async function madeAhead(blocks: number) {
  const { header } = await on.rpc.block({ finality: 'optimistic' });
  return makeRegistrationAt({ header: { ...header, height: header.height + blocks } });
}

function spoilProof({ vrf_data }: MadeRegistration): void {
  vrf_data.vrf_proof[3]! ^= 1;
}

/** The addresses of one network, a few that send many requests each. */
const ofOneNetwork = (index: number) => `203.0.113.${index % 4}`;

describe('a registration that costs its sender nothing (core 7)', { timeout: 60_000 }, () => {
  /** Another challenge in the client data. */
  function answersAnother(request: MadeRegistration): void {
    const { response } = request.webauthn_registration;
    const clientData = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString());
    const challenge = Buffer.alloc(32).toString('base64url');
    response.clientDataJSON = Buffer.from(JSON.stringify({ ...clientData, challenge })).toString('base64url');
  }

  it.each<[string, (request: MadeRegistration) => void, string]>([
    ['a forged proof', spoilProof, 'the VRF proof or its output'],
    [
      'another block than the proven one',
      ({ vrf_data }) => {
        vrf_data.block_height += 20;
      },
      'vrf_data.vrf_input_data does not follow from the other fields',
    ],
    [
      'the digest of another intent',
      ({ vrf_data }) => {
        vrf_data.intent_digest_32[0]! ^= 1;
      },
      'the intent digest is not the one of this operation',
    ],
    ['a passkey that answered another challenge', answersAnother, 'the credential: '],
  ])('asks no node for %s, and gets the registry’s words [S54]', async (_, spoil, reason) => {
    const relay = await on.start();
    const request = await makeRegistration(on.rpc);
    spoil(request);
    on.proxy.calls.length = 0;
    const answer = await ask(relay, request);
    expect(answer).toMatchObject({ status: 400, error: 'not_verified' });
    expect(answer.message).toContain(`The registry did not accept this passkey: ${reason}`);
    expect(on.proxy.calls).toEqual([]);
  });

  it('asks no node without the voucher that the relay asks for', async () => {
    const keys = await makeVoucherKeyPair();
    const relay = await on.start({
      SIGNUP_VOUCHER_KEY: keys.publicKey,
      RELAY_STATE_FILE: folder.file('state.json'),
    });
    const request = await makeRegistration(on.rpc);
    const { new_account_id: accountId } = request;
    const stranger = await makeVoucherKeyPair();
    const [foreign, own] = await Promise.all(
      [stranger, keys].map(({ privateKey }) => issueSignupVoucher({ privateKey, accountId })),
    );
    on.proxy.calls.length = 0;
    const refused = { status: 403, error: 'signup_refused' };
    expect(await ask(relay, request)).toMatchObject(refused);
    expect(await ask(relay, { ...request, signup_voucher: foreign })).toMatchObject(refused);
    expect(on.proxy.calls).toEqual([]);
    expect(await ask(relay, { ...request, signup_voucher: own })).toMatchObject({ status: 200 });
  });

  it('is refused without a wait for a block 20 ahead, and holds no place', async () => {
    const relay = await on.start({ RELAY_PARALLEL_REGISTRATIONS: '1' });
    expect(await ask(relay, await makeRegistration(on.rpc))).toMatchObject({ status: 200 });
    const ahead = await madeAhead(20);
    on.proxy.calls.length = 0;
    const answer = await ask(relay, ahead);
    expect(answer).toMatchObject({ status: 400, error: 'not_verified' });
    expect(answer.message).toContain('vrf_data.block_height is in the future');
    expect(on.proxy.calls.filter(({ name }) => name === 'query:check_can_register_user')).toHaveLength(1);
    expect(await ask(relay, await makeRegistration(on.rpc))).toMatchObject({ status: 200 });
  });

  it('64 times from one network leaves honest clients served', async () => {
    const relay = await on.start();
    const made = Array.from({ length: 65 }, () => makeRegistration(on.rpc));
    const [honest, ...forged] = await Promise.all(made);
    const { header } = await on.rpc.block({ finality: 'optimistic' });
    for (const { vrf_data } of forged) vrf_data.block_height = header.height + 19;
    const asked = forged.map((request, index) => ask(relay, request, ofOneNetwork(index)));
    expect(await ask(relay, honest!, '198.51.100.1')).toMatchObject({ status: 200 });
    const answers = await Promise.all(asked);
    expect(new Set(answers.map(({ error }) => error))).toEqual(new Set(['not_verified']));
  });

  it('64 times with a proof that holds leaves honest clients served too: a network has a quarter of the places [S54]', async () => {
    const relay = await on.start();
    const requests = await Promise.all(Array.from({ length: 64 }, () => makeRegistration(on.rpc)));
    const names = new Set(requests.map(({ new_account_id }) => new_account_id));
    const release = on.proxy.hold('query:view_account', Number.POSITIVE_INFINITY, {
      where: (body) => names.has(JSON.parse(body).params.account_id),
    });
    const asked = requests.map((request, index) => ask(relay, request, ofOneNetwork(index)));
    expect(await Promise.race(asked)).toMatchObject({
      status: 429,
      error: 'too_many_requests',
      message: expect.stringContaining('from your network'),
    });
    expect(await ask(relay, await makeRegistration(on.rpc), '198.51.100.1')).toMatchObject({ status: 200 });
    release();
    const answers = await Promise.all(asked);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(16);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(48);
  });
});
