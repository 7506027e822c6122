// Vite finds these very words.
const env = import.meta.env;

/** Vite hands the page those variables whose names begin with this. */
export const PREFIX = 'VITE_';

export const variables = {
  RELAY_URL: env.VITE_RELAY_URL,
  WALLET_ORIGIN: env.VITE_WALLET_ORIGIN,
  NEAR_RPC_URL: env.VITE_NEAR_RPC_URL,
  CONTRACT_ID: env.VITE_CONTRACT_ID,
  EXPLORER_URL: env.VITE_EXPLORER_URL,
  APP_NAME: env.VITE_APP_NAME,
  BRAND_ACCENT: env.VITE_BRAND_ACCENT,
  LANGUAGE: env.VITE_LANGUAGE,
};
