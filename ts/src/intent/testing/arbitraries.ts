/** Random transactions of all actions, for property tests. */
import { base58 } from '@scure/base';
import fc from 'fast-check';
import type {
  AccessKeyPermission,
  Action,
  GlobalContractIdentifier,
  TransactionRequest,
} from '../../types.js';

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

/** The lanes of a gas key. */
const numNonces = fc.integer({ min: 1, max: 1_024 });

const permission: fc.Arbitrary<AccessKeyPermission> = fc.oneof(
  fc.constant<AccessKeyPermission>('FullAccess'),
  fc
    .record({
      allowance: fc.option(decimal(U128)),
      receiverId: accountId,
      methodNames: fc.array(text, { maxLength: 4 }),
    })
    .map((bounds) => ({ FunctionCall: bounds })),
  fc.record({ numNonces }).map((key) => ({ GasKeyFullAccess: key })),
  fc
    .record({ numNonces, receiverId: accountId, methodNames: fc.array(text, { maxLength: 4 }) })
    .map((bounds) => ({ GasKeyFunctionCall: bounds })),
);

/** JSON text of nested values, compact or over several lines: the digest takes it as it is. */
const jsonText = fc.oneof(
  fc.json(),
  fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify(value, null, 2)),
  fc
    .dictionary(text, fc.oneof(text, fc.bigInt().map(String), fc.constant(null)))
    .map((value) => JSON.stringify(value)),
);

/** The complete form of bytes; those that are JSON text have another. 0xff is in no UTF-8. */
const bytesThatAreNoJson = fc.oneof(
  fc.constant(new Uint8Array()),
  fc.uint8Array({ maxLength: 64 }).map((bytes) => Uint8Array.of(...bytes, 0xff)),
);

const globalContract: fc.Arbitrary<GlobalContractIdentifier> = fc.oneof(
  fc.uint8Array({ minLength: 32, maxLength: 32 }).map((hash) => ({ CodeHash: base58.encode(hash) })),
  accountId.map((AccountId) => ({ AccountId })),
);

/** In the chain's order: the first byte of each key is its place. */
const stateEntries = fc
  .array(fc.tuple(fc.uint8Array({ maxLength: 4 }), fc.uint8Array({ maxLength: 8 })), { maxLength: 4 })
  .map((pairs) => pairs.map(([key, value], index) => ({ key: Uint8Array.of(index, ...key), value })));

const action: fc.Arbitrary<Action> = fc.oneof(
  fc.constant<Action>({ type: 'CreateAccount' }),
  fc.uint8Array({ minLength: 1, maxLength: 64 }).map((code): Action => ({ type: 'DeployContract', code })),
  fc.record({
    type: fc.constant('FunctionCall' as const),
    methodName: someText,
    args: fc.oneof(jsonText, bytesThatAreNoJson),
    gas: decimal(U64),
    deposit: decimal(U128),
  }),
  fc.record({ type: fc.constant('Transfer' as const), amount: decimal(U128) }),
  fc.record({ type: fc.constant('Stake' as const), stake: decimal(U128), publicKey }),
  fc.record({ type: fc.constant('AddKey' as const), publicKey, accessKey: fc.record({ permission }) }),
  fc.record({ type: fc.constant('DeleteKey' as const), publicKey }),
  fc.record({ type: fc.constant('DeleteAccount' as const), beneficiaryId: accountId }),
  fc.record({
    type: fc.constant('DeployGlobalContract' as const),
    code: fc.uint8Array({ minLength: 1, maxLength: 64 }),
    deployMode: fc.constantFrom('CodeHash' as const, 'AccountId' as const),
  }),
  fc.record({ type: fc.constant('UseGlobalContract' as const), contractIdentifier: globalContract }),
  fc.record({
    type: fc.constant('DeterministicStateInit' as const),
    stateInit: fc.record({ V1: fc.record({ code: globalContract, data: stateEntries }) }),
    deposit: decimal(U128),
  }),
  fc.record({ type: fc.constant('TransferToGasKey' as const), publicKey, deposit: decimal(U128) }),
  fc.record({ type: fc.constant('WithdrawFromGasKey' as const), publicKey, amount: decimal(U128) }),
);

/** Of every action but UniversalStateInit, whose receiver follows from its state. */
export const transactionRequest: fc.Arbitrary<TransactionRequest> = fc.record({
  receiverId: accountId,
  actions: fc.array(action, { maxLength: 5 }),
});

/** One that may need version 1: a lane, or a strict nonce. */
export const versionedRequest: fc.Arbitrary<TransactionRequest> = fc
  .tuple(
    transactionRequest,
    fc.record(
      { lane: fc.nat({ max: 65_535 }), nonceMode: fc.constantFrom('Monotonic' as const, 'Strict' as const) },
      { requiredKeys: [] },
    ),
  )
  .map(([request, version]) => ({ ...request, ...version }));

/** One that near-api-js can encode: it knows neither first states nor gas keys. */
export const encodableRequest = transactionRequest.filter(({ actions }) => actions.every(isEncodable));

function isEncodable(action: Action): boolean {
  if (action.type === 'AddKey') {
    const { permission } = action.accessKey;
    return permission === 'FullAccess' || 'FunctionCall' in permission;
  }
  return !['DeterministicStateInit', 'TransferToGasKey', 'WithdrawFromGasKey'].includes(action.type);
}
