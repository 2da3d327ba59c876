import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    setupFiles: ['test/support/property-seed.ts'],
    testTimeout: 30_000,
    expect: { poll: { timeout: 25_000, interval: 10 } },
    hookTimeout: 30_000,
    // Most tests wait for processes and sockets: three at a time even on two cores.
    maxWorkers: 3,
    reporters: ['default', ['json', { outputFile: 'node_modules/.cache/hostdeck/tests.json' }]],
  },
});
