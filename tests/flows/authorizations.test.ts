// Off-chain authorizations (NEP-641): the wallet signs them, latchkey/verify resolves them, by the account and through a contract.
import { readFile } from 'node:fs/promises';
import type { SignNep641Params } from 'latchkey';
import { createRpcClient, resolveAuthorization } from '../../ts/src/verify/index.js';
import { builtContract, call, deploy } from '../support/contracts.js';
import { expect, test, type Wallet } from './wallet.js';

const PAYLOAD = JSON.stringify({ domain: 'app.example', action: 'Login', msg: '4f1c' }, null, 2);

const sign = ({ manager, accountId }: Wallet, params: SignNep641Params) =>
  manager.signNEP641Authorization({ nearAccountId: accountId, params });

test('an authorization is resolved by latchkey/verify, for its payload alone', async ({ wallet }) => {
  const { accountId } = wallet;
  const result = await sign(wallet, { payload: PAYLOAD });
  expect(result).toMatchObject({ success: true, accountId, publicKey: expect.stringMatching(/^ed25519:/) });
  const rpc = createRpcClient({ urls: wallet.chain.url });
  const expected = { rpc, chainId: 'testnet', payload: PAYLOAD, maxAgeMs: 120_000 };
  expect(await resolveAuthorization(result, expected)).toMatchObject({
    verified: true,
    accountId,
    publicKey: result.publicKey,
  });
  expect(await resolveAuthorization(result, { ...expected, payload: 'another' })).toMatchObject({
    reason: 'PAYLOAD_MISMATCH',
  });
  expect(await resolveAuthorization(result, { ...expected, chainId: 'mainnet' })).toMatchObject({
    reason: 'CHAIN_MISMATCH',
  });
  const { msg, via } = JSON.parse(result.authorization ?? '');
  expect(via).toEqual({ schema: 'nep413', extra: {} });
  expect(msg).not.toHaveProperty('path');
});

test('an authorization for a contract’s own names the way to it', async ({ wallet }) => {
  const path = ['multisig.testnet', 'outer.testnet'];
  const result = await sign(wallet, { payload: 'Hello', path, chainId: 'testnet' });
  expect(JSON.parse(result.authorization ?? '').msg.path).toEqual(path);
  const rpc = createRpcClient({ urls: wallet.chain.url });
  // By itself it is no authorization of the account.
  const verdict = await resolveAuthorization(result, { rpc, chainId: 'testnet', payload: 'Hello' });
  expect(verdict).toMatchObject({ verified: false, reason: 'PATH_MISMATCH' });
});

test('an authorization of the account authorizes for a contract that rests on it', async ({
  wallet,
  stack,
}) => {
  const { accountId } = wallet;
  const multisig = `m${accountId.split('.')[0]}.testnet`;
  await deploy(stack.oracle, multisig, await readFile(builtContract('multisig.wasm')));
  await call(stack.oracle, multisig, 'new', { members: [accountId], threshold: 1 });
  const approved = await sign(wallet, { payload: `${multisig}/0: ${PAYLOAD}`, path: [multisig] });
  const approvals = [{ account_id: accountId, authorization: approved.authorization }];
  const authorized = { accountId: multisig, authorization: JSON.stringify({ payload: PAYLOAD, approvals }) };
  const rpc = createRpcClient({ urls: wallet.chain.url });
  const expected = { rpc, chainId: 'testnet', payload: PAYLOAD, accountId: multisig };
  expect(await resolveAuthorization(authorized, expected)).toMatchObject({ verified: true });
});

test('the confirmation shows the app, the action and everything that is signed', async ({ wallet }) => {
  const shown = wallet.shown.length;
  await sign(wallet, { payload: PAYLOAD, path: ['multisig.testnet'] });
  const { accountId } = wallet;
  const model = wallet.shown[shown];
  expect(model).toMatchObject({
    kind: 'nep413',
    message: PAYLOAD,
    recipient: expect.stringMatching(
      new RegExp(`^testnet: ${accountId} -> multisig\\.testnet @ \\d{4}-\\d\\d-\\d\\dT[\\d:]{8}Z$`),
    ),
    authorization: {
      chainId: 'testnet',
      path: ['multisig.testnet'],
      timestamp: expect.any(String),
      domain: 'app.example',
      action: 'Login',
      msg: '4f1c',
    },
  });
});

test('what cannot be authorized is refused with its reason, before a prompt', async ({ wallet }) => {
  const prompts = wallet.prompts.length;
  const { accountId } = wallet;
  const refusals: [SignNep641Params, string, RegExp][] = [
    [{ payload: 'x', path: [accountId] }, 'SIGNING_FAILED', /the path names the signer/],
    [{ payload: 'x', chainId: 'mainnet' }, 'NETWORK_NOT_SERVED', /mainnet/],
    [{ payload: 'x'.repeat(70_000) }, 'SIGNING_FAILED', /the payload has 70000 characters/],
  ];
  for (const [params, errorCode, error] of refusals) {
    expect(await sign(wallet, params)).toEqual({
      success: false,
      error: expect.stringMatching(error),
      errorCode,
      errorValues: expect.any(Object),
      accountId,
      publicKey: null,
      authorization: null,
    });
  }
  expect(wallet.prompts).toHaveLength(prompts);
});
