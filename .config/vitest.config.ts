import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

// Many tests start programs: V8 compiles their modules once.
process.env['NODE_COMPILE_CACHE'] ??= pathOf('../node_modules/.cache/hostdeck/compiled');

/** Tests that take longest though their files are small, which a first run takes for short ones. */
const slow =
  /test\/(?:host\/(?:images|runtime\/container|volumes|backup|large|hostile)|package|cuts|faults|terminal\/lifecycle|commands\/deployments\/prove|e2e\/(?:away|closed-pipe|create|documented|edit|ending|log-commands|no-writes|operations|prove|screen|slow-reader|start|sync-watch|walks))/;

/** Starts the slow files first: one that starts last would run alone while the other workers idle. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bySlowness = Map.groupBy(await super.sort(files), ({ moduleId }) => slow.test(moduleId));
    return [...(bySlowness.get(true) ?? []), ...(bySlowness.get(false) ?? [])];
  }
}

export default defineConfig({
  root: pathOf('..'),
  oxc: { jsx: { development: false } },
  test: {
    // React without its checks for developers, as in the program: they take half of the time of a frame.
    // The terminal of ink-testing-library reports no rows: without LINES, Ink asks two programs for them at
    // each frame, which takes most of the time of a frame.
    env: { NODE_ENV: 'production', COLUMNS: '100', LINES: '24' },
    include: ['test/**/*.test.{ts,tsx}'],
    // They need two engines: `npm run cluster`.
    exclude: ['test/cluster/**'],
    setupFiles: ['test/support/property-seed.ts', 'test/support/ink-as-built.ts'],
    // They end what hangs and measure nothing: a busy machine can be several times slower.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000, interval: 10 } },
    // A process for each file costs 0.6 s of processor time, 500 times.
    isolate: false,
    // Node reads the names of CommonJS modules itself: without this, each use of one goes through a proxy.
    deps: { interopDefault: false },
    // Most tests wait for processes and sockets: five at a time even on two cores.
    maxWorkers: Math.min(8, Math.max(5, availableParallelism())),
    sequence: { sequencer: LongestFirst },
    reporters: ['default', ['json', { outputFile: 'node_modules/.cache/hostdeck/tests.json' }]],
  },
});
