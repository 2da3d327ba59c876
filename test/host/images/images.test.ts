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
const taken = all.filter(({ mistakeLine }) => mistakeLine === undefined);
const withImages = taken.filter(({ containers }) => containers.length > 0);

const watch = new MachineWatch();
afterAll(() => {
  watch.end();
});

/** In a sandbox a process could leave no file where the watch looks for one. */
const unboxed = { sandbox: 'off' } as const;

/** A host that starts tries out which isolation there is. */
function forgetProbes(): void {
  watch.take();
}

/** Nothing ran on this machine but these services, each of which left its file and has ended. */
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

it('the definitions are sixty at least, most of them with images', () => {
  expect(all.length).toBeGreaterThanOrEqual(60);
  expect(withImages.length).toBeGreaterThanOrEqual(55);
});

const engineEnvironment = { DOCKER_HOST: 'unix:///nowhere/engine.sock' };

async function refusalOf(caller: Caller, { text }: ImageCase) {
  const json = { sdl: text('nginx', watch.canary) };
  return errorIn(await caller.call('createDeployment', { json }));
}

describe.each(['process', 'auto'] as const)('without an engine, %s', (runtime) => {
  const service = sharedHost({ ...unboxed, runtime, engineEnvironment, clock: new ManualClock() });
  const owner = service.as('0xowner');
  beforeAll(forgetProbes);

  it.each(withImages)('refuses at its line and starts nothing of: $title', async (each) => {
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
    'takes for a mistake, and starts nothing of: $title',
    async (each) => {
      const { status, details } = await refusalOf(owner, each);
      expect(status).toBe(422);
      expect(details).toContainEqual(expect.objectContaining({ line: each.mistakeLine }));
      await expectProcesses([]);
    },
  );

  it.each(taken.filter(({ containers }) => containers.length === 0))(
    'runs as a process, which the watch sees: $title',
    async (each) => {
      const { id } = await deploy(owner, each.text('nginx', watch.canary));
      await waitFor(() => expect(watch.files()).toEqual(each.processes));
      await expectProcesses(each.processes);
      await owner.call('closeDeployment', { id });
    },
  );

  it('is left without deployments of the others', async () => {
    const listed = fieldOf(await owner.call('listDeployments'), 'deployments');
    expect(listed).toMatchObject([{ state: 'closed' }]);
  });
});

describe('an engine that notes what it is asked for', () => {
  let service: TemporaryHost;
  let engine: Awaited<ReturnType<typeof recordingEngine>>;

  const start = async (runtime: RuntimeName) => {
    engine = await recordingEngine();
    const { environment } = engine;
    const clock = new ManualClock();
    service = await temporaryHost({ ...unboxed, runtime, engineEnvironment: environment, clock });
    forgetProbes();
  };
  beforeAll(() => start('auto'));
  afterAll(async () => {
    await service.remove();
    await engine.end();
  });

  it.each(withImages)('is asked for containers, and for no more, of: $title', async (each) => {
    const owner = service.as('0xowner');
    const sdl = each.text('nginx', watch.canary);
    const { id } = await deploy(owner, sdl);
    const wanted = wantedOf(each, sdl);
    await waitFor(() => {
      const asked = engine.asked
        .filter(({ Labels }) => Labels['hostdeck.deployment'] === id)
        .map(({ Labels, Entrypoint, Cmd }) => ({
          service: Labels['hostdeck.service'],
          Entrypoint,
          Cmd,
        }));
      expect(asked).toHaveLength(wanted.length);
      expect(asked).toEqual(expect.arrayContaining([...wanted]));
    });
    await waitFor(() => expect(watch.files()).toEqual(each.processes));
    await expectProcesses(each.processes);
    await owner.call('closeDeployment', { id });
  });
});

/** The containers of a definition that start at once: here none ever runs that others wait for. */
function wantedOf({ containers }: ImageCase, sdl: string) {
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

const found = await testEngine();
if ('missing' in found) sayWhySkipped(found.missing);

describe.skipIf('missing' in found)('an engine', () => {
  const service = sharedHost({ ...unboxed, runtime: 'auto', clock: new ManualClock() });
  const owner = service.as('0xowner');
  beforeAll(forgetProbes);
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

  it.each(withImages)('runs containers, and nothing else, of: $title', async (each) => {
    const sdl = each.text(image, watch.canary);
    ({ id } = await deploy(owner, sdl));
    const running = new Set(runnable(sdl));
    await waitFor(async () => {
      const logs = await readLogs(owner, id);
      for (const { service: name } of each.containers) {
        const lines = logs.flatMap((line) => (line.serviceName === name ? line.logLine : []));
        // Some ask for images or programs that this engine does not have.
        if (running.has(name)) expect(lines).toContain('ran');
        else expect(lines.join('\n')).toMatch(/^(?:cannot start: |started|exited )/m);
      }
    });
    await waitFor(() => expect(watch.files()).toEqual(each.processes));
    await expectProcesses(each.processes);
  });
});

/** Names of the services that the image of the tests can run: it has BusyBox and no entry point. */
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
