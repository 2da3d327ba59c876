import { describe, expect, test } from 'vitest';
import { StartFailure } from '../../source/host/start-failure.ts';
import { deploy, readLogs } from '../host/support/bodies.ts';
import { temporaryHost } from '../host/support/temporary-host.ts';
import { hostOnBed } from './bed-host.ts';
import { isMissing, runningTasks, servicesOf, waitForBed, webSdl } from './bed.ts';

/** Counts lines from its start on, answers with its version, and says goodbye in 100 lines. */
const programOf = (version: string) => `
  let line = 0;
  setInterval(() => console.log('${version} ' + (line += 1)), 20);
  process.on('SIGTERM', () => {
    for (let left = 1; left <= 100; left += 1) console.log('${version} end ' + left);
    process.exit(0);
  });
  require('node:http')
    .createServer((_, answer) => answer.end('${version}'))
    .listen(process.env.PORT);
`;

test('a host refuses to start on an address without a manager, in a sentence', async () => {
  const started = temporaryHost({
    runtime: 'swarm',
    engineEnvironment: { DOCKER_HOST: 'tcp://127.0.0.1:1' },
  });
  await expect(started).rejects.toThrow(StartFailure);
  await expect(started).rejects.toThrow(
    'No cluster to run services on: no container engine answers on tcp://127.0.0.1:1. ' +
      'Name a manager of a swarm with --engine',
  );
});

describe.skipIf(isMissing)('a deployment on a swarm', () => {
  const bed = hostOnBed();

  test('runs its files on several nodes, outlives its host, and loses no line', async () => {
    const { owner } = bed;
    const { id } = await deploy(owner, webSdl(2));
    const serve = async (version: string) => {
      await bed.putAndRestart(id, { 'server.js': programOf(version) });
      await bed.awaitAnswers(id, [version, version]);
      await waitForBed(async () => {
        expect(await runningTasks(id)).toHaveLength(2);
      });
    };
    await serve('one');
    await serve('two');

    const before = await runningTasks(id);
    await bed.service.again();
    await waitForBed(async () => {
      expect((await bed.readWeb(id)).state).toBe('active');
    });
    const after = await runningTasks(id);
    expect(after.map((task) => task.id)).toEqual(before.map((task) => task.id));

    await owner.call('closeDeployment', { id });
    await waitForBed(async () => {
      expect(await servicesOf(id)).toEqual([]);
    });
    // The former version ends after the next one has started, so its lines may come between.
    const lines = (await readLogs(owner, id)).filter(({ logLine }) => logLine.startsWith('two '));
    // One more instance tried it out, and has no number.
    for (const instance of [1, 2, undefined]) {
      const own = lines.filter((line) => line.instance === instance).map(({ logLine }) => logLine);
      const counted = own.filter((line) => !line.startsWith('two end ')).length;
      expect(own).toEqual([
        ...Array.from({ length: counted }, (_, index) => `two ${index + 1}`),
        ...Array.from({ length: 100 }, (_, index) => `two end ${index + 1}`),
      ]);
    }
  });
});
