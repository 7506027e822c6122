import { outliveFaults } from './harness.js';
import { PHRASE_FLOWS } from './phrase.js';

outliveFaults(PHRASE_FLOWS, { together: true });
