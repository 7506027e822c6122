// Each action that near-api-js builds, from the line that the wallet shows to what the chain then holds.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { base58 } from '@scure/base';
import binaryen from 'binaryen';
import { KeyPair } from 'near-api-js';
import type { LocalStack } from '../../support/local-stack.js';
import { expect } from '../fixtures.js';
import type { Given } from './builders.js';

const NEAR = 10n ** 24n;

/** What the wallet showed, and the connector's answer. */
export interface Sent {
  readonly shown: string;
  readonly answer: object;
}

async function tally(): Promise<Uint8Array> {
  const module = binaryen.parseText(
    await readFile(new URL('../../devnet/tally.wat', import.meta.url), 'utf8'),
  );
  const code = module.emitBinary();
  module.dispose();
  return code;
}

/** Sends one transaction for each builder. `ask` makes a click in the dapp, whose user confirms what the wallet shows. */
export async function expectEveryAction(
  stack: LocalStack,
  account: string,
  ask: (name: string, given: Given) => Promise<Sent>,
): Promise<void> {
  const { provider, ...oracle } = stack.oracle;
  await oracle.accountAs('testnet').transfer({ receiverId: account, amount: 20n * NEAR });
  const code = await tally();
  const codeHash = createHash('sha256').update(code).digest();
  const publicKey = KeyPair.fromRandom('ed25519').getPublicKey().toString();
  const beneficiary = 'testnet';
  const given = { account, publicKey, code: [...code], codeHash: [...codeHash], beneficiary };
  const send = (name: string) => ask(`one:${name}`, given);
  const state = () => provider.viewAccount({ accountId: account });
  const keyOnChain = async () => {
    const { keys } = await provider.viewAccessKeyList({ accountId: account });
    return keys.find(({ public_key }) => String(public_key) === publicKey)?.access_key.permission;
  };

  const deployed = await send('deployContract');
  expect(deployed.shown).toContain(`${code.length} bytes`);
  await expect.poll(async () => (await state()).code_hash).toBe(base58.encode(codeHash));

  const called = await send('functionCall');
  expect(called.shown).toContain('tally');
  expect(called.shown).toContain('00ff');
  const { hash } = (called.answer as { value: { transaction: { hash: string } } }).value.transaction;
  expect(await provider.viewTransactionStatus({ txHash: hash, accountId: account })).toMatchObject({
    transaction: { actions: [{ FunctionCall: { method_name: 'tally', args: 'AP8=', deposit: '3' } }] },
  });

  const created = await send('createAccount');
  expect(created.shown).toContain('0.01 NEAR');
  expect(created.shown).toContain(publicKey);
  await expect.poll(() => oracle.balance(`child.${account}`)).toBe(NEAR / 100n);
  expect(await oracle.fullAccessKeys(`child.${account}`)).toEqual([publicKey]);

  const added = await send('addFunctionCallAccessKey');
  for (const part of [publicKey, beneficiary, 'go', '0.1 NEAR']) expect(added.shown).toContain(part);
  await expect.poll(keyOnChain).toEqual({
    FunctionCall: { receiver_id: beneficiary, method_names: ['go'], allowance: String(NEAR / 10n) },
  });
  expect((await send('deleteKey')).shown).toContain(publicKey);
  await expect.poll(keyOnChain).toBeUndefined();

  const staked = await send('stake');
  for (const part of ['5 NEAR', publicKey]) expect(staked.shown).toContain(part);
  await expect.poll(async () => (await state()).locked).toBe(5n * NEAR);

  expect((await send('globalByHash')).shown).toContain(`${code.length} bytes`);
  await send('globalByAccount');
  // No level waits for the distribution of a global contract.
  const published = (identifier: { accountId: string } | { codeHash: string }) =>
    provider.viewGlobalContractCode({ identifier }).then(
      () => true,
      () => false,
    );
  await expect.poll(() => published({ codeHash: base58.encode(codeHash) })).toBe(true);
  await expect.poll(() => published({ accountId: account })).toBe(true);
  const used = await send('useByHash');
  expect(used.shown).toContain(base58.encode(codeHash));
  await expect.poll(async () => (await state()).global_contract_hash).toBe(base58.encode(codeHash));
  expect((await send('useByAccount')).shown).toContain(account);
  await expect.poll(async () => (await state()).global_contract_account_id).toBe(account);
}
