// The server lock and the VRF challenge: our built WASM in Node against its peers, in one run.
// Needs ts/wasm/vrf and server/dist (scripts/build.sh wasm ts) and cargo for the native challenge.
// Prints a line for each: name, ours, peer, ratio, target, ok or MISSED.
import { execFileSync } from 'node:child_process';
import { createDiffieHellman, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { race, report } from './lib/race.mjs';

const root = new URL('../../', import.meta.url);
const vrf = await import(new URL('ts/wasm/vrf/vrf.js', root));
const { readLockGroup } = await import(new URL('server/dist/lock/lock-group.js', root));
const { readLockKey } = await import(new URL('server/dist/lock/lock.js', root));
const { ServerLock } = await import(new URL('server/dist/lock/server-lock.js', root));
const { p_b64u: P } = JSON.parse(readFileSync(new URL('tests/vectors/rfc3526.json', root), 'utf8'));

vrf.initSync({ module: readFileSync(new URL('ts/wasm/vrf/vrf_bg.wasm', root)) });
vrf.configureShamirP(P);
vrf.generateKeypairBootstrap();

const bytes = (text) => Buffer.from(text, 'base64url');
const toBig = (buffer) => BigInt(`0x${buffer.toString('hex')}`);

/** A BigInt power with four-bit windows, the fastest in plain JavaScript here. */
function bigIntPower(base, exponent, modulus) {
  const table = [1n];
  for (let index = 1; index < 16; index++) table.push((table[index - 1] * base) % modulus);
  let result = 1n;
  for (const digit of exponent.toString(16)) {
    for (let bit = 0; bit < 4; bit++) result = (result * result) % modulus;
    result = (result * table[Number.parseInt(digit, 16)]) % modulus;
  }
  return result;
}

const key = vrf.lockMakeServerKey(P);
const group = readLockGroup(P);
const lock = new ServerLock(group, readLockKey(group, { e_s_b64u: key.eB64u, d_s_b64u: key.dB64u }));

// The client computes before the relay's power and after it. Each half is a contender of its own, so that the relay's time
// does not count as the client's.
let sent;
let answer;
let wrapped;
const wrapping = [
  () => {
    sent = vrf.lockWrapStart().kekCB64u;
  },
  () => {
    answer = lock.apply(sent);
  },
  () => {
    wrapped = vrf.lockWrapFinish(answer.kek_cs_b64u, answer.keyId);
  },
];
const unwrapping = [
  () => {
    sent = vrf.lockUnwrapStart(wrapped.kek_s_b64u).kekCsB64u;
  },
  () => {
    answer = lock.remove(sent, wrapped.serverKeyId);
  },
  () => {
    vrf.lockUnwrapFinish('alice.testnet', answer.kek_c_b64u, wrapped.ciphertextVrfB64u);
  },
];
const p = toBig(bytes(P));
const [base, exponent] = [toBig(randomBytes(255)), toBig(Buffer.concat([Buffer.of(0x7f), randomBytes(255)]))];
const [wrapStart, , wrapFinish, unwrapStart, , unwrapFinish, bigInt] = await race(31, [
  ...wrapping,
  ...unwrapping,
  () => bigIntPower(base, exponent, p),
]);
report('client wrap / BigInt power', wrapStart + wrapFinish, bigInt, 0.75);
report('client unwrap / BigInt power', unwrapStart + unwrapFinish, bigInt, 2.0);

const input = {
  userId: 'alice.testnet',
  rpId: 'example.localhost',
  blockHeight: '12345',
  blockHash: '1'.repeat(32),
  intentDigest: 'A'.repeat(43),
};
const native = () => {
  const cargo = ['run', '--quiet', '--release', '-p', 'latchkey-vrf', '--example', 'bench_challenge'];
  return Number(execFileSync('cargo', cargo, { cwd: root, encoding: 'utf8' })) / 1e6;
};
native(); // builds it
const nativeBefore = native();
const [challenge] = await race(301, [() => vrf.generateChallenge(input)]);
report('VRF challenge / native release', challenge, (nativeBefore + native()) / 2, 3.5);

const { kekCB64u } = vrf.lockWrapStart();
const openssl = createDiffieHellman(bytes(P), 2);
openssl.setPrivateKey(bytes(key.dB64u));
const kekC = bytes(kekCB64u);
const [relay, direct] = await race(101, [
  () => lock.remove(kekCB64u, key.keyId),
  () => openssl.computeSecret(kekC),
]);
report('relay power / OpenSSL Diffie-Hellman', relay, direct, 1.3);
