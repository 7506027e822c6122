import { outliveFaults } from './harness.js';
import { KEY_FLOWS } from './keys.js';

outliveFaults(KEY_FLOWS, { together: true });
