// Step `chain`: builds the local chain for this machine and packs it as npm has it, with its checksum. The workflow runs it on a
// runner of each platform, and the step `npm` publishes what all of them made.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { addressesOf } from './addresses.mjs';
import { crateMetadata, linkedCrates } from './bill.mjs';
import { manifestOf, OUT, ROOT, run, sha256Of } from './lib.mjs';
import { noticesOf } from './notices.mjs';

/** The crate and its program. */
export const CHAIN = 'latchkey-devnet';
/** Where npm installs each package, by its platform: `process.platform` and `process.arch`. */
const PLATFORMS = {
  'linux-x64': { os: ['linux'], cpu: ['x64'], libc: ['glibc'] },
  'linux-arm64': { os: ['linux'], cpu: ['arm64'], libc: ['glibc'] },
  'darwin-arm64': { os: ['darwin'], cpu: ['arm64'] },
  'darwin-x64': { os: ['darwin'], cpu: ['x64'] },
};
/** Of a packed platform's package, in bytes. */
const MAX_PACKED = 12_000_000;
/** Where this machine's tarball is made, and where the workflow collects those of all platforms. */
const CHAIN_OUT = join(OUT, 'chain');

const nameOf = (platform) => `latchkey-chain-${platform}`;

/** The tarballs of all platforms in this version, and their places. */
export const platformTarballs = (version, folder = CHAIN_OUT) =>
  Object.keys(PLATFORMS).map((platform) => ({
    name: nameOf(platform),
    path: join(folder, `${nameOf(platform)}-${version}.tgz`),
  }));

/** Writes the package of a platform to `folder`: the program, and the licences of what it links. */
export function writePlatformPackage(folder, { platform, program, licences }) {
  if (!Object.hasOwn(PLATFORMS, platform))
    throw new Error(
      `latchkey-chain has no package for ${platform}, only for ${Object.keys(PLATFORMS).join(', ')}`,
    );
  const { version, license, engines } = manifestOf('chain');
  mkdirSync(join(folder, 'bin'), { recursive: true });
  cpSync(program, join(folder, 'bin', CHAIN));
  chmodSync(join(folder, 'bin', CHAIN), 0o755);
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), licences);
  writeFileSync(
    join(folder, 'README.md'),
    `# ${nameOf(platform)}\n\nThe program of [latchkey-chain](https://www.npmjs.com/package/latchkey-chain) for ${platform}.\n`,
  );
  const manifest = {
    name: nameOf(platform),
    version,
    description: `The local NEAR chain of the Latchkey passkey wallet, for ${platform}.`,
    license,
    ...addressesOf(manifestOf('.'), 'crates/devnet'),
    engines,
    ...PLATFORMS[platform],
    // Yarn would keep it in its archive, where no program can be started.
    preferUnplugged: true,
    exports: { './package.json': './package.json' },
    files: ['bin', 'THIRD-PARTY-LICENSES.txt'],
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/**
 * Writes `latchkey-chain` to `folder`, with the platforms as optional dependencies. In the repository it has none: npm could not
 * resolve what the registry does not have yet.
 */
export function writeChainPackage(folder) {
  cpSync(join(ROOT, 'chain'), folder, { recursive: true });
  const manifest = manifestOf('chain');
  const optionalDependencies = Object.fromEntries(
    Object.keys(PLATFORMS).map((platform) => [nameOf(platform), manifest.version]),
  );
  writeFileSync(
    join(folder, 'package.json'),
    `${JSON.stringify({ ...manifest, optionalDependencies }, null, 2)}\n`,
  );
}

/** The licences of all crates that the program links on this machine, as one text. */
export function licencesHere() {
  const [, triple] = /^host: (.+)$/m.exec(execFileSync('rustc', ['-vV'], { encoding: 'utf8' }));
  const metadata = crateMetadata(triple);
  const linked = linkedCrates(metadata, [CHAIN]);
  return noticesOf(
    CHAIN,
    metadata.packages.filter(({ id }) => linked.has(id)),
  );
}

/** The problems of the collected tarballs: one is missing, or is not what its platform's runner made. */
export function tarballProblems(tarballs) {
  return tarballs.flatMap(({ name, path }) => {
    if (!existsSync(path)) return [`${name} is missing: run the step chain on that platform`];
    const sum = `${path}.sha256`;
    if (!existsSync(sum)) return [`${name} has no checksum next to it`];
    return readFileSync(sum, 'utf8').startsWith(`${sha256Of(path)}  `)
      ? []
      : [`${name} has another SHA-256 than its platform's runner wrote`];
  });
}

export function chain({ isDry }) {
  const platform = `${process.platform}-${process.arch}`;
  const build = ['build', '--locked', '--profile', 'chain', '--package', CHAIN, '--bin', CHAIN];
  if (isDry) {
    console.log(`would run cargo ${build.join(' ')}, and pack ${nameOf(platform)}`);
    return;
  }
  run('cargo', build);
  const folder = join(CHAIN_OUT, nameOf(platform));
  rmSync(folder, { recursive: true, force: true });
  const program = join(process.env.CARGO_TARGET_DIR ?? join(ROOT, 'target'), 'chain', CHAIN);
  writePlatformPackage(folder, { platform, program, licences: licencesHere() });
  run(join(folder, 'bin', CHAIN), ['--version']);
  run('npm', ['pack', '--pack-destination', CHAIN_OUT], { cwd: folder });
  const { version } = manifestOf('chain');
  const tarball = join(CHAIN_OUT, `${nameOf(platform)}-${version}.tgz`);
  const { size } = statSync(tarball);
  if (size > MAX_PACKED) throw new Error(`${tarball} has ${size} bytes, and may have ${MAX_PACKED}`);
  writeFileSync(`${tarball}.sha256`, `${sha256Of(tarball)}  ${nameOf(platform)}-${version}.tgz\n`);
  console.log(`${nameOf(platform)}: ${(size / 1e6).toFixed(1)} MB packed`);
}
