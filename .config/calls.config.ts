import { defineConfig } from 'vitest/config';
import common from './vitest.config.ts';

const { root, oxc, test } = common;

/** All tests, with a record of what each test file calls: `test/mutants/covering-tests.ts` reads it. */
export default defineConfig({
  root,
  oxc,
  test: {
    ...test,
    setupFiles: ['test/mutants/recorder.ts', ...[test?.setupFiles ?? []].flat()],
    reporters: ['dot'],
  },
});
