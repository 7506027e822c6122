// The bills of materials, CycloneDX 1.5: what npm put into the packages, and what Cargo put into the WASM.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './lib.mjs';

/** Crates of the modules that a package contains. */
const MODULE_CRATES = ['latchkey-signer-worker', 'latchkey-vrf-worker', 'latchkey-relay-wasm'];

/**
 * The bill of a workspace's dependencies: npm's, about the package in place of the repository, the same for each run. npm's own
 * `--omit dev` leaves out what a tool of the repository needs too, so the dependencies are followed here.
 */
export function npmBill(workspace) {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--workspace', workspace];
  const bill = JSON.parse(execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 }));
  const { tools } = bill.metadata;
  // npm calls a workspace by its folder.
  const components = bill.components.map((each) => ({ ...each, name: nameIn(each.purl) }));
  const component = components.find(({ name }) => name === workspace);
  const refs = shippedWith(component['bom-ref'], components, bill.dependencies);
  return {
    bomFormat: bill.bomFormat,
    specVersion: bill.specVersion,
    version: bill.version,
    metadata: { tools, component },
    components: components.filter((each) => each !== component && refs.has(each['bom-ref'])),
    dependencies: bill.dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) })),
  };
}

/** The package at `root` and what installing it installs: its `dependencies`, and theirs, but no peer. */
function shippedWith(root, components, dependencies) {
  const nameOf = new Map(components.map((each) => [each['bom-ref'], each.name]));
  const dependsOn = new Map(dependencies.map((each) => [each.ref, each.dependsOn]));
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const needs = new Map(
    Object.entries(packages).map(([place, { name, version, dependencies, optionalDependencies }]) => [
      `${name ?? place.split('node_modules/').at(-1)}@${version}`,
      { ...dependencies, ...optionalDependencies },
    ]),
  );
  const versionOf = new Map(components.map((each) => [each['bom-ref'], each.version]));
  const refs = new Set([root]);
  // A set's iteration also meets what is added during it.
  for (const ref of refs) {
    const needed = needs.get(`${nameOf.get(ref)}@${versionOf.get(ref)}`) ?? {};
    for (const next of dependsOn.get(ref) ?? []) if (Object.hasOwn(needed, nameOf.get(next))) refs.add(next);
  }
  return refs;
}

const nameIn = (purl) => decodeURIComponent(/^pkg:npm\/(.+)@/.exec(purl)[1]);

/** What Cargo knows of the crates that this platform's build resolves. */
export function crateMetadata(triple) {
  const options = ['--format-version', '1', '--locked', '--filter-platform', triple];
  const text = execFileSync('cargo', ['metadata', ...options], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  return JSON.parse(text);
}

/** The bill of the WASM modules: every crate that is linked into one of them. */
export const wasmBill = (version) => billOfCrates(crateMetadata('wasm32-unknown-unknown'), version);

/**
 * The crates that are linked into these, themselves included: each with those that it uses, by their ids. Follows the normal
 * dependencies: neither build scripts nor tests reach a program.
 */
export function linkedCrates({ packages, resolve }, roots) {
  const byId = new Map(packages.map((each) => [each.id, each]));
  const nodes = new Map(resolve.nodes.map((node) => [node.id, node]));
  const linked = new Map();
  const visit = (id) => {
    const each = byId.get(id);
    // A procedural macro runs in the compiler.
    if (linked.has(id) || !each || each.targets.every(({ kind }) => kind.includes('proc-macro'))) return;
    const deps = (nodes.get(id)?.deps ?? []).filter(({ dep_kinds }) =>
      dep_kinds.some(({ kind }) => kind === null),
    );
    linked.set(
      id,
      deps.map(({ pkg }) => pkg),
    );
    for (const { pkg } of deps) visit(pkg);
  };
  for (const name of roots) {
    const root = packages.find((each) => each.name === name);
    if (!root) throw new Error(`the workspace has no crate ${name}`);
    visit(root.id);
  }
  return linked;
}

export function billOfCrates({ packages, resolve }, version, roots = MODULE_CRATES) {
  const byId = new Map(packages.map((each) => [each.id, each]));
  const linked = linkedCrates({ packages, resolve }, roots);
  const refOf = (id) => `pkg:cargo/${byId.get(id).name}@${byId.get(id).version}`;
  const sorted = [...linked.keys()].sort((a, b) => refOf(a).localeCompare(refOf(b), 'en'));
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { type: 'library', name: 'latchkey-wasm', version, 'bom-ref': 'latchkey-wasm' } },
    components: sorted.map((id) => {
      const { name, version: theirs, license, source } = byId.get(id);
      return {
        type: 'library',
        name,
        version: theirs,
        'bom-ref': refOf(id),
        ...(source && { purl: refOf(id) }),
        ...(license && { licenses: [{ expression: license.replaceAll('/', ' OR ') }] }),
      };
    }),
    dependencies: sorted.map((id) => ({
      ref: refOf(id),
      dependsOn: linked
        .get(id)
        .filter((other) => linked.has(other))
        .map(refOf),
    })),
  };
}

export const billPath = (folder, name) => join(folder, `${name}.cdx.json`);
