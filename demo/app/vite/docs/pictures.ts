// The pictures of the pages. Each is two files of one size in docs/pictures, `name.light.webp` and `name.dark.webp`; a page
// names the light one, which GitHub shows as it is.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path/posix';
import type { Element } from 'hast';
import type { Plugin } from 'vite';
import { REPOSITORY } from './pages.js';

const FOLDER = 'docs/pictures';
const LIGHT = /\.light\.(webp|svg)$/;
const TYPES: Readonly<Record<string, string>> = { '.webp': 'image/webp', '.svg': 'image/svg+xml' };

/** The names of the pictures' files. */
export const pictureFiles = (repository = REPOSITORY): string[] =>
  readdirSync(join(repository, FOLDER)).filter((name) => extname(name) in TYPES);

export const pictureBytes = (name: string, repository = REPOSITORY): Buffer =>
  readFileSync(join(repository, FOLDER, name));

/** The address of a picture on the site. */
const addressOf = (name: string): string => `/${FOLDER}/${name}`;

/** What a page shows for `![alt](src)`: light or dark as the browser is, with its size, and loaded when it comes near. */
export function pictureElement(src: string, alt: string, page: string, repository = REPOSITORY): Element {
  const path = join(dirname(page), src);
  if (dirname(path) !== FOLDER || !LIGHT.test(path))
    throw new Error(`${page} shows ${src}: a page shows pictures of ${FOLDER}, by the name of the light one`);
  if (alt.trim() === '') throw new Error(`${page} shows ${src}, which has no text in its place`);
  const light = basename(path);
  const dark = light.replace(LIGHT, '.dark.$1');
  const [size, darkSize] = [light, dark].map((name) => sizeOf(name, pictureBytes(name, repository)));
  if (size?.width !== darkSize?.width || size?.height !== darkSize?.height)
    throw new Error(`${page} shows ${light}: ${dark} has another size`);
  const ofDark = { media: '(prefers-color-scheme: dark)', srcSet: addressOf(dark), ...size };
  const ofLight = { src: addressOf(light), alt, ...size, loading: 'lazy', decoding: 'async' };
  return {
    type: 'element',
    tagName: 'picture',
    properties: {},
    children: [
      { type: 'element', tagName: 'source', properties: ofDark, children: [] },
      { type: 'element', tagName: 'img', properties: ofLight, children: [] },
    ],
  };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The size in pixels that the file itself names: an SVG, or a WebP of the extended form (RFC 9649, section 2.7), which Chromium makes. */
function sizeOf(name: string, bytes: Buffer): Size {
  if (name.endsWith('.svg')) {
    const [, width, height] = /^<svg [^>]*width="(\d+)" height="(\d+)"/.exec(bytes.toString('utf8')) ?? [];
    if (width && height) return { width: Number(width), height: Number(height) };
  } else if (bytes.toString('latin1', 8, 16) === 'WEBPVP8X') {
    return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  }
  throw new Error(`${name} does not name its size`);
}

/** Serves the pictures next to the pages, and adds them to a build. */
export function pictures(): Plugin {
  return {
    name: 'latchkey-demo-docs-pictures',
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const name = pictureFiles().find((candidate) => request.url === addressOf(candidate));
        if (name === undefined) return next();
        response.setHeader('content-type', TYPES[extname(name)] ?? '');
        response.end(pictureBytes(name));
      });
    },
    generateBundle() {
      for (const name of pictureFiles())
        this.emitFile({ type: 'asset', fileName: addressOf(name).slice(1), source: pictureBytes(name) });
    },
  };
}
