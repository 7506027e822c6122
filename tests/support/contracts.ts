import { join } from 'node:path';
import { ROOT } from '../../dev/services/services.js';

/** The path of a contract that `scripts/build.sh` made. */
export const builtContract = (name: string): string => join(ROOT, 'build', name);
