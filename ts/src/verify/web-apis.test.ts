/** The entry as Workers and Deno see it: bundled, in a realm with Web APIs and without Node. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { base64 } from '@scure/base';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';

const { publicKey, cases } = JSON.parse(
  readFileSync(new URL('../../../tests/vectors/nep413.json', import.meta.url), 'utf8'),
);
const [vector] = cases;

describe('latchkey/verify', () => {
  let code: string;
  let files: string[];

  beforeAll(async () => {
    const { outputFiles, metafile } = await build({
      entryPoints: [fileURLToPath(new URL('index.ts', import.meta.url))],
      bundle: true,
      minify: true,
      format: 'iife',
      globalName: 'verify',
      // Resolves no built-in module, so that importing one fails the build.
      platform: 'neutral',
      mainFields: ['module', 'main'],
      target: 'es2022',
      metafile: true,
      write: false,
    });
    code = outputFiles[0]!.text;
    files = Object.keys(metafile.inputs);
  });

  it('bundles only what a backend needs', () => {
    const packages = files.flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []);
    expect([...new Set(packages)].sort()).toEqual([
      '@noble/curves',
      '@noble/hashes',
      '@scure/base',
      'valibot',
    ]);
    const folders = files.flatMap((file) => /ts\/src\/([^/]+)\//.exec(file)?.[1] ?? []);
    expect([...new Set(folders)].sort()).toEqual(['errors', 'intent', 'near', 'nep641', 'verify']);
  });

  it('verifies a message with only Web APIs', async () => {
    const asked: string[] = [];
    const fetch = async (url: string, { body }: { body: string }) => {
      asked.push(url, body);
      const block = { block_height: 7, block_hash: '11111111111111111111111111111111' };
      const result = { nonce: 1, permission: 'FullAccess', ...block };
      return Response.json({ jsonrpc: '2.0', id: '1', result });
    };
    const realm = createContext({
      ...{ crypto, fetch, TextEncoder, TextDecoder, URL, AbortSignal, DOMException },
      vector,
      publicKey,
      // Bytes of another realm, as a test runner or a worker's host passes them.
      nonce: base64.decode(vector.nonce),
    });
    runInContext(code, realm);
    const verdict = await runInContext(
      `verify.verifySignedMessage(
        { accountId: 'alice.testnet', publicKey, signature: vector.signature },
        {
          rpc: verify.createRpcClient({ urls: 'https://rpc.example' }),
          message: vector.message,
          recipient: vector.recipient,
          callbackUrl: vector.callbackUrl,
          nonce,
        },
      )`,
      realm,
    );
    expect({ ...verdict }).toEqual({ verified: true, accountId: 'alice.testnet', publicKey });
    expect(asked).toHaveLength(2);
    expect(asked[1]).toContain('"finality":"final"');
    expect(runInContext('typeof process + typeof require + typeof Buffer', realm)).toBe(
      'undefined'.repeat(3),
    );
  });
});
