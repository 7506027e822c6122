import { outliveFaults } from './harness.js';
import { DEVICE1_FLOW } from './linking-device1.js';

outliveFaults([DEVICE1_FLOW]);
