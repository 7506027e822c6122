/** What the browser says of itself, for the head of a report. */

import { asked, checkDevice, type DeviceCheck } from '../webauthn/device-check.js';
import { part } from '../webauthn/forms.js';
import { isNative } from '../webauthn/known-provider.js';

export interface BrowserFacts {
  readonly userAgent: string;
  /** `Chromium 148, …; macOS 15.4.0`; absent where the browser has no userAgentData. */
  readonly brands?: string;
  /** What `getClientCapabilities` reports, by name; absent where the browser has no such method. */
  readonly capabilities?: Readonly<Record<string, boolean>>;
  /** False where an extension has put a function of its own in the place of `navigator.credentials.create`. */
  readonly isCreateNative: boolean;
  readonly device: DeviceCheck;
}

interface UserAgentData {
  readonly brands?: readonly { readonly brand: string; readonly version: string }[];
  readonly platform?: string;
  getHighEntropyValues?(hints: readonly string[]): Promise<object>;
}

/** Shows nothing, and never rejects. */
export async function browserFacts(): Promise<BrowserFacts> {
  const { navigator } = globalThis;
  const data = part(navigator, 'userAgentData') as UserAgentData | undefined;
  const credential = part(globalThis, 'PublicKeyCredential') as
    | { getClientCapabilities?(): Promise<Readonly<Record<string, boolean>>> }
    | undefined;
  const [device, capabilities, values] = await Promise.all([
    checkDevice(),
    asked(() => credential?.getClientCapabilities?.()),
    // The user agent of Chromium names neither macOS nor Windows by its version, on which PRF depends.
    asked(() => data?.getHighEntropyValues?.(['platformVersion'])),
  ]);
  const brands = data?.brands?.map(({ brand, version }) => `${brand} ${version}`).join(', ');
  const platform = [data?.platform, part(values, 'platformVersion')].filter(Boolean).join(' ');
  return {
    userAgent: navigator?.userAgent ?? '',
    ...(data && { brands: [brands, platform].filter(Boolean).join('; ') }),
    ...(capabilities && { capabilities }),
    isCreateNative: isNative(),
    device,
  };
}
