import { ENTRY_FLOWS } from './entry.js';
import { outliveFaults } from './harness.js';

outliveFaults(ENTRY_FLOWS);
