import encodeQr from 'qr';

/** Black behind, bright white in front, whatever the terminal's own colours: scanners read dark modules on light. */
const [WHITE_ON_BLACK, PLAIN] = ['\u001b[40;97m', '\u001b[0m'];

/** A QR code of this text in half blocks, a light module drawn, two rows of modules a line. */
export function qrText(text: string, isTerminal: boolean): string {
  const lines = encodeQr(text, 'ascii').trimEnd().split('\n');
  return (isTerminal ? lines.map((line) => `${WHITE_ON_BLACK}${line}${PLAIN}`) : lines).join('\n');
}
