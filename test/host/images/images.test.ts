import * as fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseSdl } from '../../../source/contract/sdl/parse.ts';
import type { RuntimeName } from '../../../source/host/runtime/names.ts';
import { deploy, errorIn, fieldOf, readDeployment, readLogs } from '../support/bodies.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { image, sayWhySkipped, testEngine } from '../runtime/engine.ts';
import { sharedHost } from '../support/shared-host.ts';
import { type Caller, type TemporaryHost, temporaryHost } from '../support/temporary-host.ts';
import { waitFor } from '../../support/wait-for.ts';
import { type ImageCase, readImageCases } from './definitions.ts';
import { MachineWatch } from './machine-watch.ts';
import { recordingEngine } from './recording-engine.ts';

const all = readImageCases();
const accepted = all.filter(({ mistakeLine }) => mistakeLine === undefined);
const withImages = accepted.filter(({ containers }) => containers.length > 0);

const watch = new MachineWatch();
afterAll(() => {
  watch.end();
});

/** Options without a sandbox, in which a process could not create files for the watch. */
const withoutSandbox = { sandbox: 'off' } as const;

/** Forgets the processes by which a starting host tests the isolation. */
function dropProbes(): void {
  watch.take();
}

/** Expects that only these services ran on this machine, created their files and ended. */
async function expectProcesses(services: readonly string[]): Promise<void> {
  if (services.length > 0) await waitFor(() => expect(watch.running()).toBe(0));
  const { started, found, files } = watch.take();
  expect(started).toHaveLength(services.length);
  for (const service of services) {
    expect(started.some((command) => command.includes(`${watch.canary}/${service}`))).toBe(true);
  }
  if (services.length === 0) expect(found).toEqual([]);
  expect(files).toEqual(services.toSorted());
}

it('the corpus has at least sixty definitions, most of them with images', () => {
  expect(all.length).toBeGreaterThanOrEqual(60);
  expect(withImages.length).toBeGreaterThanOrEqual(55);
});

const engineEnvironment = { DOCKER_HOST: 'unix:///nowhere/engine.sock' };

async function refusalOf(caller: Caller, { text }: ImageCase) {
  const json = { sdl: text('nginx', watch.canary) };
  return errorIn(await caller.call('createDeployment', { json }));
}

describe.each(['process', 'auto'] as const)('without an engine, %s', (runtime) => {
  const service = sharedHost({
    ...withoutSandbox,
    runtime,
    engineEnvironment,
    clock: new ManualClock(),
  });
  const owner = service.as('0xowner');
  beforeAll(dropProbes);

  it.each(withImages)('refuses the line of the image, and starts nothing: $title', async (each) => {
    const { status, message, details } = await refusalOf(owner, each);
    expect(status).toBe(422);
    expect(details).toEqual(
      each.containers.map(({ service: name, line }) =>
        expect.objectContaining({ field: `services.${name}.image`, line }),
      ),
    );
    const [first] = each.containers;
    expect(message).toContain(`SDL line ${first?.line}, column `);
    expect(message).toContain(`Service ${first?.service} has an image, and `);
    expect(message).toContain(
      runtime === 'process' ? '"hostdeck host --runtime container"' : 'Start Docker or Podman',
    );
    await expectProcesses([]);
  });

  it.each(all.filter((each) => each.mistakeLine !== undefined))(
    'refuses a mistake, and starts nothing: $title',
    async (each) => {
      const { status, details } = await refusalOf(owner, each);
      expect(status).toBe(422);
      expect(details).toContainEqual(expect.objectContaining({ line: each.mistakeLine }));
      await expectProcesses([]);
    },
  );

  it.each(accepted.filter(({ containers }) => containers.length === 0))(
    'runs a process, which the watch detects: $title',
    async (each) => {
      const { id } = await deploy(owner, each.text('nginx', watch.canary));
      await waitFor(() => expect(watch.files()).toEqual(each.processes));
      await expectProcesses(each.processes);
      await owner.call('closeDeployment', { id });
    },
  );

  it('has no deployment of refused definitions', async () => {
    const listed = fieldOf(await owner.call('listDeployments'), 'deployments');
    expect(listed).toMatchObject([{ state: 'closed' }]);
  });
});

describe('an engine that records requests', () => {
  let service: TemporaryHost;
  let engine: Awaited<ReturnType<typeof recordingEngine>>;

  const start = async (runtime: RuntimeName) => {
    engine = await recordingEngine();
    const { environment } = engine;
    const clock = new ManualClock();
    service = await temporaryHost({
      ...withoutSandbox,
      runtime,
      engineEnvironment: environment,
      clock,
    });
    dropProbes();
  };
  beforeAll(() => start('auto'));
  afterAll(async () => {
    await service.remove();
    await engine.end();
  });

  it.each(withImages)('gets requests for containers only: $title', async (each) => {
    const owner = service.as('0xowner');
    const sdl = each.text('nginx', watch.canary);
    const { id } = await deploy(owner, sdl);
    const expected = expectedContainers(each, sdl);
    await waitFor(() => {
      const created = engine.requested
        .filter(({ Labels }) => Labels['hostdeck.deployment'] === id)
        .map(({ Labels, Entrypoint, Cmd }) => ({
          service: Labels['hostdeck.service'],
          Entrypoint,
          Cmd,
        }));
      expect(created).toHaveLength(expected.length);
      expect(created).toEqual(expect.arrayContaining([...expected]));
    });
    await waitFor(() => expect(watch.files()).toEqual(each.processes));
    await expectProcesses(each.processes);
    await owner.call('closeDeployment', { id });
  });
});

/** Returns the containers without dependencies; others never start, as none here runs. */
function expectedContainers({ containers }: ImageCase, sdl: string) {
  const parsed = parseSdl(sdl);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const names = new Set(containers.map((each) => each.service));
  return parsed.definition.services
    .filter(
      ({ name, dependsOn }) => names.has(name) && !dependsOn.some((other) => names.has(other)),
    )
    .flatMap(({ name, count }) => {
      const own = containers.find((each) => each.service === name);
      const words = (list: readonly string[] | undefined) =>
        list?.map((word) => word.replaceAll('CANARY', watch.canary));
      const one = {
        service: name,
        Entrypoint: words(own?.entrypoint),
        Cmd: words(own?.command),
      };
      return Array.from({ length: count }, () => one);
    });
}

/**
 * Returns the first case of each definition. Many cases write the same one in different ways; a host
 * reads them alike, and each of them got the same requests above.
 */
function readDifferently(cases: readonly ImageCase[]): readonly ImageCase[] {
  const byDefinition = new Map<string, ImageCase>();
  for (const each of cases.toReversed()) {
    const parsed = parseSdl(each.text(image, watch.canary));
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
    const definition = JSON.stringify(parsed.definition.services, (key, value: unknown) =>
      ['position', 'imagePosition'].includes(key) ? undefined : value,
    );
    byDefinition.set(definition, each);
  }
  return [...byDefinition.values()].toReversed();
}

const testedEngine = await testEngine();
if ('missing' in testedEngine) sayWhySkipped(testedEngine.missing);

describe.skipIf('missing' in testedEngine)('an engine', () => {
  const service = sharedHost({ ...withoutSandbox, runtime: 'auto', clock: new ManualClock() });
  const owner = service.as('0xowner');
  beforeAll(dropProbes);
  let id = '';

  beforeEach(() => {
    id = '';
  });
  afterEach(async () => {
    if (id === '') return;
    await owner.call('closeDeployment', { id });
    await waitFor(async () => {
      expect((await readDeployment(owner, id)).services.map(({ running }) => running)).toEqual(
        expect.not.arrayContaining([1]),
      );
    });
  });

  // A third of them, others with each seed: all got their requests above.
  const definitions = [...readDifferently(withImages)];
  const length = Math.ceil(definitions.length / 3);
  const some = fc.shuffledSubarray(definitions, { minLength: length, maxLength: length });

  it.each(fc.sample(some, 1)[0] ?? definitions)('runs containers only: $title', async (each) => {
    const sdl = each.text(image, watch.canary);
    ({ id } = await deploy(owner, sdl));
    const running = new Set(runnable(sdl));
    await waitFor(async () => {
      const logs = await readLogs(owner, id);
      for (const { service: name } of each.containers) {
        const lines = logs.flatMap((line) => (line.serviceName === name ? line.logLine : []));
        // Some need images or programs that this engine does not have.
        if (running.has(name)) expect(lines).toContain('ran');
        else expect(lines.join('\n')).toMatch(/^(?:cannot start: |started|exited )/m);
      }
    });
    await waitFor(() => expect(watch.files()).toEqual(each.processes));
    await expectProcesses(each.processes);
  });
});

/** Returns the names of services that the test image can run: it has only BusyBox. */
function runnable(sdl: string): readonly string[] {
  const parsed = parseSdl(sdl);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.definition.services
    .filter((each) => each.image === image)
    .filter(({ command, args }) =>
      ['sh', 'env', '/bin/sh'].includes([...command, ...args][0] ?? ''),
    )
    .map(({ name }) => name);
}
