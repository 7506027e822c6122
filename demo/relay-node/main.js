#!/usr/bin/env node
// The relay, configured by environment variables only. README.md names them.
import { runRelay } from 'latchkey-server/node';

await runRelay(process.env);
