import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deploy, errorIn, fieldOf, type ReadLog, readLines, readLogs } from './support/bodies.ts';
import { sharedHost } from './support/shared-host.ts';
import { nodeService, sdlOf } from './support/temporary-host.ts';
import { waitFor } from '../support/wait-for.ts';

const service = sharedHost({ limits: { maxLogBytes: 200_000 } });
const owner = service.as('0xowner');

/** A service that prints lines and keeps running. */
const printing = (lines: readonly string[]) =>
  nodeService(`for (const line of ${JSON.stringify(lines)}) console.log(line);
    setInterval(() => {}, 1000);`);

/** Waits for a line. Returns all lines so far, oldest first. */
async function until(id: string, last: string): Promise<readonly ReadLog[]> {
  return await waitFor(async () => {
    const logs = await readLogs(owner, id);
    expect(logs.map((line) => line.logLine)).toContain(last);
    return logs;
  });
}

async function texts(id: string, query: Record<string, string | number>) {
  const answer = await owner.call('fetchLogs', { id, query });
  return (fieldOf(answer, 'logs') as readonly ReadLog[]).map((line) => line.logLine);
}

describe('fetched lines', () => {
  let id: string;

  beforeAll(async () => {
    const numbers = Array.from({ length: 150 }, (_, index) => `line ${index}`);
    const unusual = ['ÄRGER in Köln', 'ΟΔΟΣΑ', '100% of_it', 'nul\0inside END', 'back\\slash', ''];
    const services = {
      web: printing([...numbers, ...unusual, 'last']),
      job: printing(['job line']),
    };
    ({ id } = await deploy(owner, sdlOf(services)));
    await until(id, 'last');
    await until(id, 'job line');
  });

  afterAll(async () => {
    await owner.call('closeDeployment', { id });
  });

  it('have the fields of the contract', async () => {
    const line = (await readLogs(owner, id)).find((each) => each.logLine === 'line 7');
    expect(line).toEqual({
      type: 'log',
      id: expect.any(Number),
      deploymentId: id,
      serviceName: 'web',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      logLine: 'line 7',
      stream: 'stdout',
    });
    const system = (await readLogs(owner, id)).filter((each) => each.stream === 'system');
    expect(system.map(({ serviceName, logLine }) => `${serviceName} ${logLine}`).sort()).toEqual([
      expect.stringMatching(/^job isolation: /),
      'job started',
      expect.stringMatching(/^web isolation: /),
      'web started',
    ]);
  });

  it('have ids without gaps, newest first, 100 by default', async () => {
    const all = await readLogs(owner, id);
    expect(all.map((line) => line.id)).toEqual(all.map((_, index) => index + 1));
    const answer = await owner.call('fetchLogs', { id });
    expect(fieldOf(answer, 'logs')).toEqual(all.toReversed().slice(0, 100));
  });

  it('are paged by limit and offset, also by service', async () => {
    const newestFirst = (await readLines(owner, id)).toReversed();
    expect(await texts(id, { limit: 7, offset: 20 })).toEqual(newestFirst.slice(20, 27));
    expect(await texts(id, { limit: 7, offset: 5000 })).toEqual([]);
    const job = ['job line', 'started', expect.stringMatching(/^isolation: /)];
    expect(await texts(id, { service: 'job' })).toEqual(job);
    expect(await texts(id, { service: 'job', offset: 1, limit: 5 })).toEqual(job.slice(1));
    expect(await texts(id, { service: 'nobody' })).toEqual([]);
  });

  it.each<[string, readonly string[]]>([
    ['LINE 14', ['line 149', 'line 148', 'line 147', 'line 146', 'line 145']],
    ['ärger IN kÖLN', ['ÄRGER in Köln']],
    ['ΟΔΟΣ', ['ΟΔΟΣΑ']],
    ['δος', ['ΟΔΟΣΑ']],
    ['100% OF_IT', ['100% of_it']],
    ['00%x', []],
    ['e_1', []],
    ['inside end', ['nul\0inside END']],
    ['k\\SLASH', ['back\\slash']],
  ])('are searched for any text, ignoring case: %j', async (search, expected) => {
    const matches = await texts(id, { search, limit: 5 });
    expect(matches).toEqual(expected);
  });

  it('that match a search are paged like all lines', async () => {
    expect(await texts(id, { search: 'line', limit: 2, offset: 1, service: 'web' })).toEqual([
      'line 148',
      'line 147',
    ]);
  });

  it.each([
    ['limit', '0'],
    ['limit', '-1'],
    ['limit', '1.5'],
    ['limit', 'ten'],
    ['limit', '10001'],
    ['limit', ''],
    ['offset', '-1'],
    ['offset', 'x'],
    ['offset', '1e3'],
    ['offset', '99999999999999999999'],
    ['search', 'x'.repeat(1001)],
  ])('for %s=%s are refused', async (field, value) => {
    const answer = await owner.call('fetchLogs', { id, query: { [field]: value } });
    expect(errorIn(answer)).toMatchObject({ status: 422, code: 'invalid', details: [{ field }] });
  });
});

describe('a log', () => {
  it('keeps its lines across a restart of the host and continues with the next id', async () => {
    const { id } = await deploy(owner, sdlOf({ web: printing(['hello']) }));
    await until(id, 'hello');
    await service.again();
    await waitFor(async () => {
      const lines = await readLines(service.as('0xowner'), id);
      expect(lines.filter((line) => line === 'hello')).toHaveLength(2);
    });
    const logs = await readLogs(service.as('0xowner'), id);
    expect(logs.map((line) => line.id)).toEqual(logs.map((_, index) => index + 1));
    const start = [expect.stringMatching(/^isolation: /), 'started', 'hello'];
    expect(logs.map((line) => line.logLine)).toEqual([...start, 'stopped', ...start]);
    await owner.call('closeDeployment', { id });
  });

  it('that is too large drops its oldest lines, without reusing ids', async () => {
    const program = `for (let n = 0; n < 5000; n++) console.log('line', n, 'x'.repeat(90));
      console.log('last'); setInterval(() => {}, 1000)`;
    const { id } = await deploy(owner, sdlOf({ web: nodeService(program) }));
    await until(id, 'last');
    // The oldest lines are dropped in slices, after the write, and once they exceed the limit by 1/16.
    const logs = await waitFor(async () => {
      const kept = await readLogs(owner, id);
      expect(kept.reduce((sum, line) => sum + line.logLine.length, 0)).toBeLessThan(212_500);
      return kept;
    });
    const first = logs[0]?.id ?? 0;
    expect(first).toBeGreaterThan(1);
    expect(logs.map((line) => line.id)).toEqual(logs.map((_, index) => first + index));
    expect(logs.at(-1)?.id).toBe(5003);
    const kept = logs.reduce((sum, line) => sum + line.logLine.length, 0);
    expect(kept).toBeGreaterThan(150_000);
    expect(await texts(id, { offset: 5000 })).toEqual([]);
    await owner.call('closeDeployment', { id });
  });

  it('has an unfinished last line of a process before its exit event', async () => {
    const program = `process.stdout.write('one\\r\\ntw'); process.stdout.write('o'); process.exitCode = 3`;
    const { id } = await deploy(owner, sdlOf({ web: nodeService(program) }));
    const lines = (await until(id, 'exited 3')).map((line) => line.logLine);
    expect(lines.slice(1, 5)).toEqual(['started', 'one', 'two', 'exited 3']);
    await owner.call('closeDeployment', { id });
  });
});
