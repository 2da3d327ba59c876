import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deploy, readDeployment, readLines } from '../host/support/bodies.ts';
import {
  type Caller,
  formOf,
  type TemporaryHost,
  temporaryHost,
} from '../host/support/temporary-host.ts';
import {
  answers,
  close,
  isMissing,
  onBed,
  runningTasks,
  servicesOf,
  waitForBed,
  webSdl,
} from './bed.ts';

const serving = (version: string) => `
  process.on('SIGTERM', () => process.exit());
  console.log('serves ${version}');
  require('node:http').createServer((_, answer) => answer.end('${version}')).listen(process.env.PORT);
`;

/** The first version needs no files: one that exits before they are there is replaced twice at times. */
const first = `
  if (require('node:fs').existsSync('server.js')) require('./server.js');
  else { ${serving('one')} }
`;

const failing = `console.log('last words'); process.exit(1);`;

describe.skipIf(isMissing)('a restart on a swarm whose new version does not run', () => {
  let service: TemporaryHost;
  let owner: Caller;
  beforeAll(async () => {
    service = await temporaryHost(onBed);
    owner = service.as('0xowner');
  });
  afterAll(async () => {
    await service.remove();
  });

  const put = async (id: string, program: string) => {
    const form = formOf({ 'server.js': program });
    await owner.call('uploadFiles', { id, name: 'web', form });
    await owner.call('restartDeployment', { id });
  };

  /** Resolves with the endpoints of a deployment whose one instance serves a version. */
  const serves = async (id: string, version: string) =>
    await waitForBed(async () => {
      const { state, services } = await readDeployment(owner, id);
      expect(state).toBe('active');
      const endpoints = services[0]?.endpoints;
      expect(await answers(endpoints)).toEqual([version]);
      return endpoints;
    });

  test('is undone, also for the next host, while the version before answers', async () => {
    const { id } = await deploy(owner, webSdl(1, { args: ['-e', first] }));
    const endpoints = await serves(id, 'one');
    const [before] = await runningTasks(id);

    const over = new AbortController();
    const answered = new Map<string, number>();
    const asking = (async () => {
      while (!over.signal.aborted) {
        const answer = String(await answers(endpoints).catch(String));
        answered.set(answer, (answered.get(answer) ?? 0) + 1);
        await delay(20);
      }
    })();
    await put(id, failing);
    const reason = await waitForBed(async () => {
      const { rolledBack, state } = await readDeployment(owner, id);
      expect(state).toBe('active');
      expect(rolledBack).toBeDefined();
      return rolledBack?.reason;
    });
    // Until the host has seen the third end, the engine may have started it once more.
    const [, starts] = /^web exited 1 after each of (\d+) starts$/.exec(reason ?? '') ?? [];
    expect(Number(starts)).toBeGreaterThanOrEqual(3);
    await waitForBed(async () => {
      expect(await servicesOf(id)).toHaveLength(1);
    });
    await service.again();
    await serves(id, 'one');
    over.abort();
    await asking;
    expect((await runningTasks(id)).map((task) => task.id)).toEqual([before?.id]);
    expect([...answered.keys()]).toEqual(['one']);

    const lines = await readLines(owner, id);
    expect(lines).toContain(`restart undone, the version before runs: ${reason}`);
    const countOf = (text: string) => lines.filter((line) => line === text).length;
    expect(countOf('exited 1')).toBeGreaterThanOrEqual(Number(starts));
    expect(countOf('last words')).toBeGreaterThanOrEqual(countOf('exited 1'));

    await put(id, serving('two'));
    await serves(id, 'two');
    expect((await readDeployment(owner, id)).rolledBack).toBeUndefined();
    await close(owner, id);
  });
});
