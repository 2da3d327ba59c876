/**
 * `npm run conformance -- --base-url URL`, with the token in HOSTDECK_TOKEN: asks a service every line
 * of the contract that can be seen from outside. Makes deployments and grants of its own, and closes
 * and revokes them. Without `--base-url` it asks a host that it starts.
 *
 * HOSTDECK_SECOND_TOKEN is the token of a second wallet. `--ours` asks what only our host answers,
 * too. `--sdl FILE` is for a service that cannot run the suite's own definition, `--grantee ADDRESS`
 * for one that knows addresses; `--path-form whole` and HOSTDECK_STREAM_AUTH say how it wants paths
 * and the stream's token. `--chapter 4` asks that one alone. Exits with 1 when a line is broken, with
 * 2 when nothing could be asked.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BaseSequencer, startVitest, type TestSpecification } from 'vitest/node';
import { endpointOf } from '../../source/client/http/endpoint.ts';
import { Caller } from './caller.ts';
import { Report } from './report.ts';
import { readOptions } from '../support/options.ts';

const values = readOptions({
  'base-url': { type: 'string' },
  ours: { type: 'boolean', default: false },
  sdl: { type: 'string' },
  grantee: { type: 'string' },
  'path-form': { type: 'string', default: 'segments' },
  chapter: { type: 'string', default: '' },
});

const baseUrl = values['base-url'];
if (baseUrl !== undefined) {
  const reason = await reasonNotToBegin(baseUrl, process.env['HOSTDECK_TOKEN'] ?? '');
  if (reason !== undefined) {
    process.stderr.write(`${reason}\n`);
    process.exit(2);
  }
  Object.assign(process.env, {
    CONFORMANCE_BASE_URL: baseUrl,
    CONFORMANCE_OURS: String(values.ours),
    CONFORMANCE_PATH_FORM: values['path-form'],
    ...(values.sdl === undefined ? {} : { CONFORMANCE_SDL: values.sdl }),
    ...(values.grantee === undefined ? {} : { CONFORMANCE_GRANTEE: values.grantee }),
  });
}

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
  // The cases mostly wait. With one wallet for all, a chapter would see what another one makes.
  ...(baseUrl === undefined ? { maxWorkers: 4 } : { fileParallelism: false }),
});
await vitest.close();
if (report.asked === 0) process.exitCode = 2;

/** What keeps every line from being asked; undefined when the service answers to the token. */
async function reasonNotToBegin(baseUrl: string, token: string): Promise<string | undefined> {
  const endpoint = endpointOf(baseUrl, token);
  if (!endpoint.ok) return `${endpoint.sentence} ${endpoint.next}`;
  if (values['path-form'] !== 'segments' && values['path-form'] !== 'whole') {
    return 'The path form is segments or whole.';
  }
  if (values.sdl !== undefined && !existsSync(values.sdl)) return `There is no ${values.sdl}.`;
  try {
    const caller = new Caller({ baseUrl, pathForm: 'segments' }, token);
    const { status } = await caller.call('listDeployments');
    return status < 300 ? undefined : `Listing deployments answers ${status}: look at the token.`;
  } catch (error) {
    return `The service cannot be reached: ${error instanceof Error ? error.message : String(error)}`;
  }
}
