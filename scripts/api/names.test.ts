/** The names that an app imports and calls: a later 1.x keeps all of them. */
import { describe, expect, it } from 'vitest';
import { exportedNames, listedNames, missing, publicNames } from './names.mjs';

const here = publicNames();
const listed = listedNames();

describe('the public names of the packages', () => {
  it('lose none that a release had: removing one needs a new major version', () => {
    expect(missing(here, listed)).toEqual([]);
  });

  it('are all listed, so that a later release keeps them too (if not: node scripts/api/names.mjs)', () => {
    expect(missing(listed, here)).toEqual([]);
  });

  it('hold every value that an entry exports at run time', async () => {
    for (const entry of [
      'latchkey',
      'latchkey/verify',
      'latchkey/balance',
      'latchkey/tokens',
      'latchkey-server',
      'latchkey-react/german',
    ])
      expect(here[entry], entry).toEqual(expect.arrayContaining(Object.keys(await import(entry))));
  });

  it('hold what the documentation begins with', () => {
    expect(here.latchkey).toEqual(
      expect.arrayContaining(['PasskeyManager', 'LatchkeyError', 'parseNear', 'ActionResult', 'FlowEvent']),
    );
    expect(here['latchkey-react']).toEqual(expect.arrayContaining(['LoginMenu', 'ProfileButton']));
    expect(here['members of Wallet']).toEqual(expect.arrayContaining(['registerPasskey', 'executeAction']));
    expect(here['commands of latchkey-server']).toContain('latchkey-relay');
  });

  it('are missed by name', () => {
    const names = { a: ['one'], b: [] };
    expect(missing(names, { a: ['one', 'two'], b: [], c: ['three'] })).toEqual(['a: two', 'c', 'c: three']);
    expect(exportedNames('ts/dist/index.d.ts')).not.toContain('type');
  });
});
