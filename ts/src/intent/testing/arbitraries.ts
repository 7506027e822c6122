/** Random transactions of all eight actions, for property tests. */
import { base58 } from '@scure/base';
import fc from 'fast-check';
import type { AccessKeyPermission, Action, TransactionRequest } from '../../types.js';

const U64 = 2n ** 64n - 1n;
const U128 = 2n ** 128n - 1n;

const decimal = (max: bigint) => fc.bigInt({ min: 0n, max }).map(String);

/** Any text that has a UTF-8 form: a lone surrogate has none. */
export const text = fc.string({ unit: 'binary' });
const someText = fc.string({ unit: 'binary', minLength: 1 });

export const accountId = fc.stringMatching(/^[a-z0-9]{2,8}([-_.][a-z0-9]{1,6}){0,3}$/);

const publicKey = fc.oneof(
  fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => `ed25519:${base58.encode(bytes)}`),
  fc.uint8Array({ minLength: 64, maxLength: 64 }).map((bytes) => `secp256k1:${base58.encode(bytes)}`),
);

const permission: fc.Arbitrary<AccessKeyPermission> = fc.oneof(
  fc.constant<AccessKeyPermission>('FullAccess'),
  fc
    .record({
      allowance: fc.option(decimal(U128)),
      receiverId: accountId,
      methodNames: fc.array(text, { maxLength: 4 }),
    })
    .map((bounds) => ({ FunctionCall: bounds })),
);

/** JSON text of nested values, compact or over several lines: the digest takes it as it is. */
const jsonText = fc.oneof(
  fc.json(),
  fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify(value, null, 2)),
  fc
    .dictionary(text, fc.oneof(text, fc.bigInt().map(String), fc.constant(null)))
    .map((value) => JSON.stringify(value)),
);

const action: fc.Arbitrary<Action> = fc.oneof(
  fc.constant<Action>({ type: 'CreateAccount' }),
  fc.uint8Array({ minLength: 1, maxLength: 64 }).map((code): Action => ({ type: 'DeployContract', code })),
  fc.record({
    type: fc.constant('FunctionCall' as const),
    methodName: someText,
    args: jsonText,
    gas: decimal(U64),
    deposit: decimal(U128),
  }),
  fc.record({ type: fc.constant('Transfer' as const), amount: decimal(U128) }),
  fc.record({ type: fc.constant('Stake' as const), stake: decimal(U128), publicKey }),
  fc.record({ type: fc.constant('AddKey' as const), publicKey, accessKey: fc.record({ permission }) }),
  fc.record({ type: fc.constant('DeleteKey' as const), publicKey }),
  fc.record({ type: fc.constant('DeleteAccount' as const), beneficiaryId: accountId }),
);

export const transactionRequest: fc.Arbitrary<TransactionRequest> = fc.record({
  receiverId: accountId,
  actions: fc.array(action, { maxLength: 5 }),
});
