// Prints the key of an account that the local chain starts with, in the form of RELAYER_PRIVATE_KEY.
// Usage: node --import tsx scripts/dev-key.mjs ACCOUNT
import { developmentKey } from '../dev/services/keys.ts';

const [account] = process.argv.slice(2);
if (!account) throw new Error('Name an account of the local chain, such as relayer.testnet.');
console.log(developmentKey(account));
