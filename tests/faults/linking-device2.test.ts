import { outliveFaults } from './harness.js';
import { DEVICE2_FLOW } from './linking-device2.js';

outliveFaults([DEVICE2_FLOW]);
