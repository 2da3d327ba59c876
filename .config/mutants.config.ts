import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import common from './vitest.config.ts';

const { root, oxc, test } = common;

/** Runs test files in the order of the command line, which begins with those that most likely fail. */
class AsNamed extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const at = ({ moduleId }: TestSpecification) =>
      process.argv.findIndex((argument) => moduleId.endsWith(`/${argument}`));
    return Promise.resolve(files.toSorted((left, right) => at(left) - at(right)));
  }
}

/** The tests of one mutant: `test/mutants/trial.ts` reads the report. */
export default defineConfig({
  root,
  oxc,
  test: {
    ...test,
    // One that waits for what a mutant never does ends sooner; it is tried without the mutant, too.
    testTimeout: 40_000,
    hookTimeout: 40_000,
    expect: { poll: { timeout: 30_000, interval: 10 } },
    maxWorkers: 1,
    bail: 1,
    sequence: { sequencer: AsNamed },
    reporters: [['json', { outputFile: 'report.json' }]],
  },
});
