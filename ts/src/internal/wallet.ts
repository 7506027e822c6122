/** `latchkey/internal/wallet`: the pages of a wallet origin that no app embeds. It promises nothing, like all of `internal`. */
export * from '../check/index.js';
export * from '../frame/wallet/opened-page.js';
export * from '../home/index.js';
