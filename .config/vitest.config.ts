import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './longest-first.ts';

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

// Each test file runs in a process, and many start programs: V8 compiles their modules once.
process.env['NODE_COMPILE_CACHE'] ??= pathOf('../node_modules/.cache/hostdeck/compiled');

export default defineConfig({
  root: pathOf('..'),
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    setupFiles: ['test/support/property-seed.ts'],
    testTimeout: 30_000,
    expect: { poll: { timeout: 25_000, interval: 10 } },
    hookTimeout: 30_000,
    // Most tests wait for processes and sockets: three at a time even on two cores.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', ['json', { outputFile: 'node_modules/.cache/hostdeck/tests.json' }]],
  },
});
