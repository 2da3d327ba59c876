import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { deploy, readDeployment, readLogs } from './support/bodies.ts';
import { image, sayWhySkipped, testEngine } from './runtime/engine.ts';
import { sharedHost } from './support/shared-host.ts';
import { waitFor } from '../support/wait-for.ts';

const folder = path.resolve(import.meta.dirname, '../fixtures/sdl/examples');

const engine = await testEngine();
if ('missing' in engine) sayWhySkipped(engine.missing);
const runtimes = 'missing' in engine ? (['process'] as const) : (['process', 'container'] as const);

describe.each(runtimes)('with the %s runtime,', (runtime) => {
  const service = sharedHost({ runtime });
  const owner = service.as('0xowner');

  async function deployExample(name: string) {
    const text = await readFile(path.join(folder, `${name}.yaml`), 'utf8');
    const withImage = () => text.replaceAll('    command:', `    image: ${image}\n    command:`);
    const deployment = await deploy(owner, runtime === 'container' ? withImage() : text);
    expect(deployment.warnings).toEqual([]);
    return deployment;
  }

  async function textsOf(id: string): Promise<readonly string[]> {
    return (await readLogs(owner, id)).map((line) => `${line.serviceName}: ${line.logLine}`);
  }

  async function close(id: string, last: string): Promise<void> {
    await owner.call('closeDeployment', { id });
    await waitFor(async () => expect(await textsOf(id)).toContain(last));
  }

  it('a static site is served on the assigned port', async () => {
    const { id } = await deployExample('static-site');
    await waitFor(async () => {
      const [port] = (await readDeployment(owner, id)).services[0]?.ports ?? [];
      const { statusCode, body } = await request(`http://127.0.0.1:${port}/`);
      expect([statusCode, await body.text()]).toEqual([200, '<h1>It works.</h1>\n']);
    });
    await close(id, 'web: stopped');
  });

  it('a crashing service is restarted, and its stderr is marked', async () => {
    const { id } = await deployExample('crash-loop');
    await waitFor(async () => {
      const [worker] = (await readDeployment(owner, id)).services;
      expect(worker).toMatchObject({ exitCode: 3, restarts: 1 });
    });
    const lines = await readLogs(owner, id);
    // Isolation and limits depend on the machine.
    const ofFirst = lines
      .filter(({ logLine }) => !/^(?:limits|isolation)/.test(logLine))
      .slice(0, 5)
      .map(({ stream, logLine }) => `${stream}: ${logLine}`);
    expect(ofFirst).toHaveLength(5);
    expect(ofFirst).toEqual(
      expect.arrayContaining([
        'system: started',
        'stdout: working',
        'stderr: out of work',
        'system: exited 3',
        'system: starts again in 1 s',
      ]),
    );
    await owner.call('closeDeployment', { id });
  });

  it('a service starts after its dependency and stops before it', async () => {
    const { id } = await deployExample('depends-on');
    await waitFor(async () => expect(await textsOf(id)).toContain('api: api is up'));
    await waitFor(async () => expect(await textsOf(id)).toContain('database: database is up'));
    await close(id, 'database: stopped');
    const texts = await textsOf(id);
    const order = [
      'api: waits for database',
      'database: started',
      'api: started',
      'api: api ends',
      'api: stopped',
      'database: database ends',
      'database: stopped',
    ];
    expect(texts.filter((text) => order.includes(text))).toEqual(order);
  });

  it('three instances run, and each line has its instance', async () => {
    const { id } = await deployExample('count-three');
    await waitFor(async () => {
      const lines = (await readLogs(owner, id)).filter(({ stream }) => stream === 'stdout');
      const own = lines.map(({ instance, logLine }) => `${instance}: ${logLine}`);
      expect(own.toSorted()).toEqual([
        '1: worker 1 is up',
        '2: worker 2 is up',
        '3: worker 3 is up',
      ]);
    });
    const [worker] = (await readDeployment(owner, id)).services;
    expect(worker).toMatchObject({ instances: 3, running: 3, state: 'active' });
    await close(id, 'worker: stopped');
  });
});
