/** Next hands the page those variables whose names begin with this. */
export const PREFIX = 'NEXT_PUBLIC_';

/** Next replaces each whole expression by its value, so none is read by a computed name. */
export const variables = {
  RELAY_URL: process.env.NEXT_PUBLIC_RELAY_URL,
  WALLET_ORIGIN: process.env.NEXT_PUBLIC_WALLET_ORIGIN,
  NEAR_RPC_URL: process.env.NEXT_PUBLIC_NEAR_RPC_URL,
  CONTRACT_ID: process.env.NEXT_PUBLIC_CONTRACT_ID,
  EXPLORER_URL: process.env.NEXT_PUBLIC_EXPLORER_URL,
  APP_NAME: process.env.NEXT_PUBLIC_APP_NAME,
  BRAND_ACCENT: process.env.NEXT_PUBLIC_BRAND_ACCENT,
  LANGUAGE: process.env.NEXT_PUBLIC_LANGUAGE,
};
