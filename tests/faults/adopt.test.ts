import { ADOPT_FLOW } from './adopt.js';
import { outliveFaults } from './harness.js';

outliveFaults([ADOPT_FLOW]);
