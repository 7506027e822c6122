import type { ViewerLook } from 'latchkey';
import { brandText } from '../surface/design.js';
import { confirmTexts } from '../texts/confirm-texts.js';
import { texts } from '../texts/current.js';

/** As `latchkey/brand` writes it. */
const LOGO = /(--lk-logo: url\(")([^"]*)("\))/;
/** The mark in its place. */
const NO_LOGO = '.mark { background: none; }\n.mark > * { display: inline; }\n';
/** Sharp at four times the size of the mark. */
const SIDE_PX = 160;
const LOAD_LIMIT_MS = 1_000;

/** How the key viewer and the phrase viewer speak and look on this page. Its document loads nothing, so a logo crosses as data. */
export async function viewerLook(): Promise<ViewerLook> {
  const css = brandText();
  const [, , url] = LOGO.exec(css) ?? [];
  const { language, direction, phraseViewer: phrase } = texts();
  const look = { language, direction, texts: confirmTexts().keyViewer, css: await withLogo(css, url) };
  return { ...look, ...(phrase && { phrase }) };
}

async function withLogo(css: string, url: string | undefined): Promise<string> {
  if (url === undefined || url.startsWith('data:')) return css;
  const data = await dataOf(url);
  return data === undefined ? css + NO_LOGO : css.replace(LOGO, (_, start, __, end) => start + data + end);
}

/** The picture as a PNG in a data URL; undefined where it does not load, or its server does not let the page read it. */
async function dataOf(url: string): Promise<string | undefined> {
  const image = new Image();
  image.crossOrigin = 'anonymous';
  image.src = url;
  const late = new Promise<never>((_, reject) => setTimeout(reject, LOAD_LIMIT_MS));
  try {
    await Promise.race([image.decode(), late]);
    const canvas = document.createElement('canvas');
    canvas.width = SIDE_PX;
    canvas.height = SIDE_PX;
    const { naturalWidth, naturalHeight } = image;
    const scale = SIDE_PX / Math.max(naturalWidth, naturalHeight);
    const [width, height] = [naturalWidth * scale, naturalHeight * scale];
    canvas.getContext('2d')?.drawImage(image, (SIDE_PX - width) / 2, (SIDE_PX - height) / 2, width, height);
    return canvas.toDataURL();
  } catch {
    return undefined;
  }
}
