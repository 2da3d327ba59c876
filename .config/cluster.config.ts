import { defineConfig } from 'vitest/config';
import common from './vitest.config.ts';

/** Files whose tests share a bed: they end no node, no engine and no registry. */
const peaceful = ['no-room', 'placements', 'rollback', 'swarm', 'take-over'].map(
  (name) => `test/cluster/${name}.test.ts`,
);

/** Engines take turns with what they run: a busy machine needs minutes for some tests. */
const timeouts = { testTimeout: 240_000, hookTimeout: 240_000 };

const { root, test } = common;

/** The tests on a swarm, which `npm run cluster` runs: first those that share it, then the others. */
export default defineConfig({
  root,
  test: {
    reporters: [
      'default',
      ['json', { outputFile: 'node_modules/.cache/hostdeck/cluster-tests.json' }],
    ],
    projects: [
      {
        root,
        test: {
          ...test,
          name: 'together',
          include: peaceful,
          exclude: [],
          ...timeouts,
          sequence: { ...test?.sequence, groupOrder: 1 },
        },
      },
      {
        root,
        test: {
          ...test,
          name: 'alone',
          include: ['test/cluster/*.test.ts'],
          exclude: peaceful,
          ...timeouts,
          fileParallelism: false,
          sequence: { ...test?.sequence, groupOrder: 2 },
        },
      },
    ],
  },
});
