import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { deploy, readLines } from '../host/support/bodies.ts';
import { hostOnBed, programAnswering } from './bed-host.ts';
import { answers, close, isMissing, runningTasks, servicesOf, waitForBed, webSdl } from './bed.ts';

/** The first version needs no files: one that exits before they are there is replaced twice at times. */
const first = `
  if (require('node:fs').existsSync('server.js')) require('./server.js');
  else { ${programAnswering('one')} }
`;

const failing = `console.log('last words'); process.exit(1);`;

describe.skipIf(isMissing)('a restart on a swarm whose new version does not run', () => {
  const bed = hostOnBed();

  test('is undone, also for the next host, while the version before answers', async () => {
    const { owner } = bed;
    const { id } = await deploy(owner, webSdl(1, { args: ['-e', first] }));
    const endpoints = await bed.awaitAnswers(id, ['one']);
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
    await bed.putAndRestart(id, { 'server.js': failing });
    const reason = await waitForBed(async () => {
      const { rolledBack, state } = await bed.readWeb(id);
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
    await bed.service.again();
    await bed.awaitAnswers(id, ['one']);
    over.abort();
    await asking;
    expect((await runningTasks(id)).map((task) => task.id)).toEqual([before?.id]);
    expect([...answered.keys()]).toEqual(['one']);

    const lines = await readLines(owner, id);
    expect(lines).toContain(`restart undone, the version before runs: ${reason}`);
    const countOf = (text: string) => lines.filter((line) => line === text).length;
    expect(countOf('exited 1')).toBeGreaterThanOrEqual(Number(starts));
    expect(countOf('last words')).toBeGreaterThanOrEqual(countOf('exited 1'));

    await bed.putAndRestart(id, { 'server.js': programAnswering('two') });
    await bed.awaitAnswers(id, ['two']);
    expect((await bed.readWeb(id)).rolledBack).toBeUndefined();
    await close(owner, id);
  });
});
