import { outliveFaults } from './harness.js';
import { NAMELESS_FLOWS } from './nameless.js';

outliveFaults(NAMELESS_FLOWS);
