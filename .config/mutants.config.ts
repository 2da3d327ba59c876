import { defineConfig } from 'vitest/config';
import common from './vitest.config.ts';

const { root, oxc, test } = common;

/** The tests of one mutant: `test/mutants/trial.ts` reads the report. */
export default defineConfig({
  root,
  oxc,
  test: {
    ...test,
    maxWorkers: 1,
    bail: 1,
    reporters: [['json', { outputFile: 'report.json' }]],
  },
});
