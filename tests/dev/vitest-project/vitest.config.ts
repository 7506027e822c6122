// A project of an integrator whose tests have a stack of the kit.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { globalSetup: ['global-setup.ts'], include: ['*.spec.ts'], testTimeout: 30_000 },
});
