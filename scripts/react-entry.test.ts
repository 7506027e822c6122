import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const here = fileURLToPath(new URL('../react/src/', import.meta.url));

describe('the entry of the kit in a server component (core 2)', () => {
  /** The modules that a server evaluates: those behind 'use client' are the browser's. */
  function onServer(path: string, found = new Map<string, string>()): Map<string, string> {
    if (found.has(path)) return found;
    const source = sourceOf(path);
    found.set(path, source);
    if (source.startsWith("'use client';\n")) return found;
    for (const [, type, from] of source.matchAll(
      /^(?:import|export) (type )?(?:[^']*? from )?'(\.[^']+)\.js';/gm,
    ))
      if (!type) onServer(join(dirname(path), from as string), found);
    return found;
  }
  const sourceOf = (path: string): string => {
    try {
      return readFileSync(`${path}.ts`, 'utf8');
    } catch {
      return readFileSync(`${path}.tsx`, 'utf8');
    }
  };
  const modules = [...onServer(join(here, 'index'))];
  const isClient = ([, source]: [string, string]): boolean => source.startsWith("'use client';\n");

  it('hands every component and hook to the browser', () => {
    expect(modules.filter(isClient).length).toBeGreaterThan(12);
    const stray = modules
      .filter((module) => !isClient(module))
      .filter(([, source]) =>
        /^import (?!type)[^']* from '(react|react-dom[^']*|@base-ui[^']*)';|export function use[A-Z]/m.test(
          source,
        ),
      )
      .map(([path]) => path);
    expect(stray).toEqual([]);
  });

  it('keeps plain functions for the server', () => {
    const shared = modules.filter((module) => !isClient(module)).map(([path]) => path.slice(here.length));
    for (const name of ['format/text', 'toasts/toast-of', 'stored-theme', 'tokens'])
      expect(shared).toContain(name);
  });
});
