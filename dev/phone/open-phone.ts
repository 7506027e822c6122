import { join } from 'node:path';
import { openAuthority } from './authority.js';
import { nameAdvice, whereIs } from './machine-name.js';
import { qrText } from './qr-text.js';
import { serveStartPage } from './start-page.js';
import { startTlsFront } from './tls-front.js';

export interface PhoneOptions {
  readonly name: string;
  /** The folder that keeps the authority. */
  readonly folder: string;
  /** Each public port, and the port at localhost behind it. */
  readonly fronts: readonly {
    readonly port: number;
    readonly listensAt: number;
    /** The name of a folder whose files it does not hand out. */
    readonly hiddenFolder?: string;
  }[];
  readonly startPort: number;
  readonly appOrigin: string;
}

/** The demo, open to the devices of this machine's network. */
export interface OpenPhone {
  /** The address that the phone opens first. */
  readonly startUrl: string;
  /** What to print: the address as a QR code, and who can reach the demo now. */
  readonly notice: string;
  stop(): Promise<void>;
}

/** Serves the start page, and every service behind TLS, on every interface of this machine. */
export async function openPhone(options: PhoneOptions): Promise<OpenPhone> {
  const { name, folder, fronts, startPort, appOrigin } = options;
  const authority = await openAuthority(folder, name);
  const certificate = await authority.issue(name);
  const closes: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const close of closes.splice(0).reverse()) await close();
  };
  try {
    for (const { listensAt: target, ...front } of fronts)
      closes.push((await startTlsFront({ name, certificate, target, ...front })).close);
    const start = await serveStartPage({ name, port: startPort, certificate: authority.der, appOrigin });
    closes.push(start.close);
    const advice = nameAdvice(name, await whereIs(name));
    return { startUrl: start.url, notice: noticeOf(start.url, folder, name, advice), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function noticeOf(startUrl: string, folder: string, name: string, advice: string | null): string {
  return [
    qrText(startUrl, process.stdout.isTTY),
    '',
    `    phone  ${startUrl}   scan it with the phone, in the same network`,
    `    CA     ${join(folder, `${name}.crt`)}   the phone installs it from that page; it vouches for ${name} alone`,
    '',
    '  WARNING: every device in the networks of this machine can reach app, wallet, relay and chain while this runs.',
    ...(advice === null ? [] : [`  WARNING: ${advice}`]),
  ].join('\n');
}
