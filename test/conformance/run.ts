/**
 * `npm run conformance -- --base-url URL`, with the token in HOSTDECK_TOKEN, tests a service against
 * every observable line of the contract. Creates deployments and grants, and closes and revokes
 * them. Without `--base-url` it tests a host that it starts.
 *
 * HOSTDECK_SECOND_TOKEN is the token of a second wallet. `--ours` adds the tests for hostdeck's own
 * host. `--image NAME` is an image with Node 24 for a service that cannot pull `node:24`, `--sdl FILE`
 * for one that cannot run the suite's definition, `--grantee ADDRESS` for one that checks addresses. `--path-form whole` and HOSTDECK_STREAM_AUTH set the form of paths
 * and of the stream's token. `--chapter 4` runs only that chapter. Exits with 1 when a line is
 * broken, and with 2 when no test could run.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { TestSpecification } from 'vitest/node';
import { parseEndpoint } from '../../source/client/http/endpoint.ts';
import { Caller } from './caller.ts';
import { Report } from './report.ts';
import { readOptions } from '../support/options.ts';

const values = readOptions({
  'base-url': { type: 'string' },
  ours: { type: 'boolean', default: false },
  sdl: { type: 'string' },
  image: { type: 'string' },
  grantee: { type: 'string' },
  'path-form': { type: 'string', default: 'segments' },
  chapter: { type: 'string', default: '' },
});

const baseUrl = values['base-url'];
if (baseUrl !== undefined) {
  const reason = await obstacleOf(baseUrl, process.env['HOSTDECK_TOKEN'] ?? '');
  if (reason !== undefined) {
    process.stderr.write(`${reason}\n`);
    process.exit(2);
  }
  Object.assign(process.env, {
    CONFORMANCE_BASE_URL: baseUrl,
    CONFORMANCE_OURS: String(values.ours),
    CONFORMANCE_PATH_FORM: values['path-form'],
    ...(values.sdl === undefined ? {} : { CONFORMANCE_SDL: values.sdl }),
    ...(values.image === undefined ? {} : { CONFORMANCE_IMAGE: values.image }),
    ...(values.grantee === undefined ? {} : { CONFORMANCE_GRANTEE: values.grantee }),
  });
}

// It takes most of the start, which a run that can't begin does not need.
const { BaseSequencer, startVitest } = await import('vitest/node');

class ByChapter extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((one, other) => (one.moduleId < other.moduleId ? -1 : 1));
  }
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const report = new Report((text) => {
  process.stdout.write(`${text}\n`);
});
const vitest = await startVitest('test', [`test/conformance/${values.chapter}`], {
  root,
  config: '.config/vitest.config.ts',
  exclude: ['test/conformance/run.test.ts'],
  reporters: [report],
  watch: false,
  isolate: false,
  sequence: { sequencer: ByChapter },
  // The tests mostly wait. With one wallet, chapters would see each other's deployments.
  ...(baseUrl === undefined ? { maxWorkers: 4 } : { fileParallelism: false }),
});
await vitest.close();
if (report.tested === 0) process.exitCode = 2;

/** Returns the reason why no test can run; undefined when the service accepts the token. */
async function obstacleOf(baseUrl: string, token: string): Promise<string | undefined> {
  const endpoint = parseEndpoint(baseUrl, token);
  if (!endpoint.ok) return `${endpoint.sentence} ${endpoint.next}`;
  if (values['path-form'] !== 'segments' && values['path-form'] !== 'whole') {
    return 'The path form must be segments or whole.';
  }
  if (values.sdl !== undefined && !existsSync(values.sdl)) return `Can't find ${values.sdl}.`;
  try {
    const caller = new Caller({ baseUrl, pathForm: 'segments' }, token);
    const { status } = await caller.call('listDeployments');
    return status < 300 ? undefined : `Listing deployments failed (${status}). Check the token.`;
  } catch (error) {
    return `Can't reach the service: ${error instanceof Error ? error.message : String(error)}`;
  }
}
