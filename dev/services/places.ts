// Where the programs and files are that a stack needs: in installed packages, or in this repository.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);

/** Names the chain's program. */
export const CHAIN_VARIABLE = 'LATCHKEY_CHAIN';
const CHAIN_PROGRAM = 'latchkey-devnet';

/** The root of the repository that this module is in, as a source or built; null in an installed package. */
function repository(): string | null {
  const here = dirname(fileURLToPath(import.meta.url));
  const roots = [join(here, '../..'), join(here, '../../..')];
  return roots.find((root) => existsSync(join(root, 'crates/devnet/Cargo.toml'))) ?? null;
}

/**
 * The path of the chain's program: the one that LATCHKEY_CHAIN names, else the debug build of this repository, else that of
 * the package `latchkey-chain` for this platform. Throws a sentence that names the ways out if there is none.
 */
export function chainProgram(env: NodeJS.ProcessEnv = process.env): string {
  const named = env[CHAIN_VARIABLE]?.trim();
  if (named) {
    if (existsSync(named)) return named;
    throw new Error(`${CHAIN_VARIABLE} names ${named}, and there is no such file.`);
  }
  const root = repository();
  const built = root && join(root, 'target/debug', CHAIN_PROGRAM);
  if (built && existsSync(built)) return built;
  const packaged = packagedChain();
  if (packaged) return packaged;
  throw new Error(noChain());
}

/** The program in `latchkey-chain-<platform>-<arch>`, an optional dependency of `latchkey-chain`. */
function packagedChain(): string | null {
  const platform = `latchkey-chain-${process.platform}-${process.arch}/package.json`;
  try {
    const chain = createRequire(require.resolve('latchkey-chain/package.json'));
    const program = join(dirname(chain.resolve(platform)), 'bin', CHAIN_PROGRAM);
    return existsSync(program) ? program : null;
  } catch {
    // Neither package is installed: there is none for this platform, or npm left out optional packages.
    return null;
  }
}

const noChain = (): string =>
  `There is no local chain for ${process.platform} ${process.arch} here. The package latchkey-chain has it for Linux ` +
  '(x64 and arm64, glibc) and macOS (arm64 and x64); on Windows, use WSL2. Elsewhere, build it in a clone of Latchkey ' +
  `by \`cargo install --locked --path crates/devnet\` and name it in ${CHAIN_VARIABLE}, or use another chain: ` +
  '--rpc URL --key ACCOUNT:ed25519:….';

/** The registry's contract, of the package `latchkey-server`. */
export const registryContract = (): string => require.resolve('latchkey-server/registry.wasm');

/** The script of a command of `latchkey-server`, such as `latchkey-relay`. */
export function serverCommand(name: string): string {
  const manifest = require.resolve('latchkey-server/package.json');
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: Record<string, string> };
  return join(dirname(manifest), bin[name] ?? '');
}
