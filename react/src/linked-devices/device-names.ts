import { useEffect, useState } from 'react';

/** A browser and its system, by their own names. */
export interface DeviceName {
  readonly browser: string;
  readonly system: string;
}

type Names = ReadonlyMap<string, DeviceName>;

/** The key in localStorage. What it holds tells this browser its own names, and nobody else. */
export const DEVICE_NAMES_KEY = 'latchkey_device_names';
/** Passkeys whose names are kept, the newest of them. */
export const MAX_NAMES = 20;
const MAX_LENGTH = 40;

/** In this order: most browsers name those that they descend from, too. */
const BROWSERS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Edge', /\bEdg(A|iOS)?\//],
  ['Opera', /\bOP(R|T|iOS)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /(Chrome|\bCriOS)\//],
  ['Safari', /\bVersion\/[\d.]+.*\bSafari\//],
];
const SYSTEMS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows NT\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Mac', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
];

/** The name of a browser and its system, as far as its user agent has both. An iPad calls itself a Mac that is touched. */
export function guessedName({
  userAgent,
  maxTouchPoints,
}: Pick<Navigator, 'userAgent' | 'maxTouchPoints'>): DeviceName | undefined {
  const [browser] = BROWSERS.find(([, pattern]) => pattern.test(userAgent)) ?? [];
  const [system] = SYSTEMS.find(([, pattern]) => pattern.test(userAgent)) ?? [];
  if (browser === undefined || system === undefined) return undefined;
  return { browser, system: system === 'Mac' && maxTouchPoints > 1 ? 'iPad' : system };
}

const isName = (value: unknown): value is DeviceName =>
  typeof value === 'object' &&
  value !== null &&
  ['browser', 'system'].every((part) => {
    const text: unknown = Reflect.get(value, part);
    return typeof text === 'string' && text !== '' && text.length <= MAX_LENGTH;
  });

/** The names that are kept; none where storage is refused or holds something else. */
export function keptNames(): Names {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(DEVICE_NAMES_KEY) ?? '{}');
    if (typeof stored !== 'object' || stored === null) return new Map();
    const names = Object.entries<unknown>({ ...stored }).flatMap(([id, name]) =>
      isName(name) ? [[id, name] as const] : [],
    );
    return new Map(names.slice(-MAX_NAMES));
  } catch {
    return new Map();
  }
}

function keepName(credentialId: string, name: DeviceName): Names {
  const others = [...keptNames()].filter(([id]) => id !== credentialId);
  const names = new Map([...others, [credentialId, name] as const].slice(-MAX_NAMES));
  try {
    localStorage.setItem(DEVICE_NAMES_KEY, JSON.stringify(Object.fromEntries(names)));
  } catch {
    // Refused or full: the list still shows it.
  }
  return names;
}

/** The names of passkeys by their id. That of this browser, which uses this one, is guessed and kept. */
export function useDeviceNames(current: string | undefined): Names {
  const [names, setNames] = useState(keptNames);
  useEffect(() => {
    const name = guessedName(navigator);
    if (current !== undefined && name) setNames(keepName(current, name));
  }, [current]);
  return names;
}
