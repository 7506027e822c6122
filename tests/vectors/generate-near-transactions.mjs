/**
 * Transactions of every action type and permission, encoded, hashed and signed by near-api-js.
 *
 * `near-transactions.json` was written by this script once and is never written again to make a test pass:
 *   node tests/vectors/generate-near-transactions.mjs > tests/vectors/near-transactions.json
 * `delegates.json` (NEP-366) likewise, with `--delegates`.
 * The tests of the signer's WASM call {@link signByNearApiJs} too, to compare with what near-api-js says today.
 */
import {
  baseDecode,
  baseEncode,
  buildDelegateAction,
  createTransaction,
  encodeSignedDelegate,
  KeyPair,
  KeyPairSigner,
  actions as make,
  PublicKey,
} from 'near-api-js';

const encoder = new TextEncoder();

/** Signs a transaction in our wire form with near-api-js's own encoder. */
export async function signByNearApiJs(privateKey, { signerId, receiverId, nonce, blockHash, actions }) {
  const signer = new KeyPairSigner(KeyPair.fromString(privateKey));
  const publicKey = await signer.getPublicKey();
  const transaction = createTransaction(
    signerId,
    publicKey,
    receiverId,
    BigInt(nonce),
    actions.map(toNearApiJs),
    baseDecode(blockHash),
  );
  const { signedTransaction, txHash } = await signer.signTransaction(transaction);
  return {
    borshBytes: signedTransaction.encode(),
    hash: baseEncode(txHash),
    signature: `ed25519:${baseEncode(signedTransaction.signature.ed25519Signature.data)}`,
  };
}

/** Signs a delegate action in our wire form with near-api-js's own encoder. */
export async function signDelegateByNearApiJs(
  privateKey,
  { senderId, receiverId, nonce, maxBlockHeight, actions },
) {
  const signer = new KeyPairSigner(KeyPair.fromString(privateKey));
  const delegate = buildDelegateAction({
    senderId,
    receiverId,
    actions: actions.map(toNearApiJs),
    nonce: BigInt(nonce),
    maxBlockHeight: BigInt(maxBlockHeight),
    publicKey: await signer.getPublicKey(),
  });
  const { delegateHash, signedDelegate } = await signer.signDelegateAction(delegate);
  return { borshBytes: encodeSignedDelegate(signedDelegate), hash: baseEncode(delegateHash) };
}

function toNearApiJs(action) {
  switch (action.type) {
    case 'CreateAccount':
      return make.createAccount();
    case 'DeployContract':
      return make.deployContract(Uint8Array.from(action.code));
    case 'FunctionCall':
      return make.functionCall(
        action.methodName,
        typeof action.args === 'string' ? encoder.encode(action.args) : Uint8Array.from(action.args),
        BigInt(action.gas),
        BigInt(action.deposit),
      );
    case 'Transfer':
      return make.transfer(BigInt(action.amount));
    case 'Stake':
      return make.stake(BigInt(action.stake), PublicKey.from(action.publicKey));
    case 'AddKey':
      return addKey(PublicKey.from(action.publicKey), action.accessKey.permission);
    case 'DeleteKey':
      return make.deleteKey(PublicKey.from(action.publicKey));
    case 'DeleteAccount':
      return make.deleteAccount(action.beneficiaryId);
    case 'DeployGlobalContract':
      return make.deployGlobalContract(
        Uint8Array.from(action.code),
        action.deployMode === 'CodeHash' ? 'codeHash' : 'accountId',
      );
    case 'UseGlobalContract': {
      const { CodeHash: codeHash, AccountId: accountId } = action.contractIdentifier;
      return make.useGlobalContract(
        accountId === undefined ? { codeHash: baseDecode(codeHash) } : { accountId },
      );
    }
    default:
      throw new Error(`no action ${action.type}`);
  }
}

function addKey(publicKey, permission) {
  if (permission === 'FullAccess') return make.addFullAccessKey(publicKey);
  const { allowance, receiverId, methodNames } = permission.FunctionCall;
  return make.addFunctionCallAccessKey(
    publicKey,
    receiverId,
    methodNames,
    allowance === null ? undefined : BigInt(allowance),
  );
}

const KEY = 'ed25519:BvHxyacb83bLWFqBvZiBZ1R7rVxnhixtDzGJpAVTNuU2';
const SECP256K1_KEY = KeyPair.fromString(
  `secp256k1:${baseEncode(Uint8Array.from({ length: 32 }, (_, index) => index + 1))}`,
)
  .getPublicKey()
  .toString();
const addKeyAction = (publicKey, permission) => ({ type: 'AddKey', publicKey, accessKey: { permission } });

const CASES = {
  'no action': [],
  CreateAccount: [{ type: 'CreateAccount' }],
  DeployContract: [{ type: 'DeployContract', code: [0, 97, 115, 109, 1, 0, 0, 0, 255] }],
  FunctionCall: [
    {
      type: 'FunctionCall',
      methodName: 'set_greeting',
      args: '{"greeting":"hi"}',
      gas: '30000000000000',
      deposit: '0',
    },
  ],
  'FunctionCall with unicode and the largest numbers': [
    {
      type: 'FunctionCall',
      methodName: 'größe',
      args: '{"a":[1,{"b":"\\u00e9 é 😀 \\" \\\\ \\n"}],"":null}',
      gas: '18446744073709551615',
      deposit: '340282366920938463463374607431768211455',
    },
  ],
  Transfer: [{ type: 'Transfer', amount: '1000000000000000000000000' }],
  Stake: [{ type: 'Stake', stake: '5', publicKey: KEY }],
  'AddKey with full access': [addKeyAction(KEY, 'FullAccess')],
  'AddKey of a secp256k1 key': [addKeyAction(SECP256K1_KEY, 'FullAccess')],
  'AddKey for function calls with an allowance': [
    addKeyAction(KEY, {
      FunctionCall: {
        allowance: '250000000000000000000000',
        receiverId: 'w3a-v1.testnet',
        methodNames: ['a', 'b'],
      },
    }),
  ],
  'AddKey for function calls without an allowance, every method': [
    addKeyAction(KEY, { FunctionCall: { allowance: null, receiverId: 'w3a-v1.testnet', methodNames: [] } }),
  ],
  DeleteKey: [{ type: 'DeleteKey', publicKey: KEY }],
  DeleteAccount: [{ type: 'DeleteAccount', beneficiaryId: 'bob.testnet' }],
  'several actions': [
    { type: 'CreateAccount' },
    { type: 'Transfer', amount: '0' },
    addKeyAction(KEY, 'FullAccess'),
    { type: 'FunctionCall', methodName: 'new', args: '{}', gas: '1', deposit: '1' },
    { type: 'DeleteKey', publicKey: SECP256K1_KEY },
  ],
  'FunctionCall with bytes': [
    { type: 'FunctionCall', methodName: 'submit', args: [0, 123, 255], gas: '1', deposit: '0' },
  ],
  'FunctionCall with no bytes': [
    { type: 'FunctionCall', methodName: 'submit', args: [], gas: '1', deposit: '0' },
  ],
  'DeployGlobalContract by its hash': [
    { type: 'DeployGlobalContract', code: [0, 97, 115, 109], deployMode: 'CodeHash' },
  ],
  'DeployGlobalContract by its account': [
    { type: 'DeployGlobalContract', code: [0], deployMode: 'AccountId' },
  ],
  'UseGlobalContract by its hash': [
    {
      type: 'UseGlobalContract',
      contractIdentifier: { CodeHash: '9TMEu71ZCz4uhUpHAKTn8AxWRpSzQzRfCeGxDkR1mYXZ' },
    },
  ],
  'UseGlobalContract by its account': [
    { type: 'UseGlobalContract', contractIdentifier: { AccountId: 'bob.testnet' } },
  ],
};

async function generate() {
  const seed = Uint8Array.from({ length: 32 }, (_, index) => index);
  const publicKey = KeyPair.fromString(`ed25519:${baseEncode(seed)}`).getPublicKey();
  const privateKey = `ed25519:${baseEncode(Uint8Array.of(...seed, ...publicKey.data))}`;
  const cases = [];
  for (const [name, actions] of Object.entries(CASES)) {
    const transaction = {
      signerId: 'alice.testnet',
      receiverId: 'w3a-v1.testnet',
      nonce: String(BigInt(cases.length) + (name === 'Transfer' ? 2n ** 64n - 20n : 1n)),
      blockHash: baseEncode(Uint8Array.from({ length: 32 }, (_, index) => (index * 7 + cases.length) % 256)),
      actions,
    };
    const { borshBytes, hash, signature } = await signByNearApiJs(privateKey, transaction);
    cases.push({ name, transaction, borsh: Buffer.from(borshBytes).toString('hex'), hash, signature });
  }
  return {
    source: 'near-api-js 7.2, encodeTransaction and KeyPairSigner, by generate-near-transactions.mjs',
    privateKey,
    publicKey: publicKey.toString(),
    cases,
  };
}

async function generateDelegates() {
  const { privateKey, publicKey } = await generate();
  const cases = [];
  for (const [name, actions] of Object.entries(CASES)) {
    // The relay pays for no global contract.
    if (name.includes('GlobalContract')) continue;
    const index = cases.length;
    const delegate = {
      senderId: 'alice.testnet',
      receiverId: 'w3a-v1.testnet',
      nonce: String(index + 1),
      maxBlockHeight: String(name === 'Transfer' ? 2n ** 64n - 1n : BigInt(1000 + index)),
      actions,
    };
    const { borshBytes, hash } = await signDelegateByNearApiJs(privateKey, delegate);
    cases.push({ name, delegate, borsh: Buffer.from(borshBytes).toString('hex'), hash });
  }
  return {
    source: 'near-api-js 7.2, encodeSignedDelegate and KeyPairSigner, by generate-near-transactions.mjs',
    privateKey,
    publicKey,
    cases,
  };
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const made = process.argv[2] === '--delegates' ? await generateDelegates() : await generate();
  process.stdout.write(`${JSON.stringify(made, null, 2)}\n`);
}
