// The relay, configured by environment variables only. .env.example names them.
import { runRelay } from 'latchkey-server/node';

await runRelay(process.env);
