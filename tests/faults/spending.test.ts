import { outliveFaults } from './harness.js';
import { SPENDING_FLOWS } from './spending.js';

outliveFaults(SPENDING_FLOWS);
