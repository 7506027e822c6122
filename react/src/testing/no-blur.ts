/**
 * Asks for less transparency before each test file, so that no dialog blurs what is behind it: without a graphics card, that
 * takes much processor time.
 */
import { beforeAll } from 'vitest';
import { emulateMedia } from './emulate-media.js';

beforeAll(() => emulateMedia('prefers-reduced-transparency', 'reduce'));
