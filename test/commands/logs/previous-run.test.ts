import { describe, expect, it } from 'vitest';
import { createPreviousRun } from '../../../source/commands/logs/previous-run.ts';
import type { Deployment } from '../../../source/contract/deployments.ts';
import type { LogLine } from '../../../source/contract/logs.ts';

const begin = Date.UTC(2026, 10, 20);
const at = (second: number): string => new Date(begin + second * 1000).toISOString();

const line = (second: number, logLine: string, rest: Partial<LogLine> = {}): LogLine => ({
  serviceName: 'web',
  stream: 'stdout',
  timestamp: at(second),
  logLine,
  ...rest,
});

const event = (second: number, logLine: string, rest: Partial<LogLine> = {}): LogLine =>
  line(second, logLine, { stream: 'system', ...rest });

const web = { id: 'a-1', name: 'shop', services: [{ name: 'web' }] };

/** Returns the texts of the lines that belong to previous runs. */
function held(
  lines: readonly LogLine[],
  deployment: Deployment = web,
  requested: readonly number[] = [],
) {
  const run = createPreviousRun(deployment, requested);
  // Pages come from the newest to the oldest.
  for (const each of lines.toReversed()) run.learn([each]);
  return lines
    .filter((each) => run.holds(each, Date.parse(each.timestamp ?? '')))
    .map(({ logLine }) => logLine);
}

describe('the previous run', () => {
  it('lies between the last two starts, and ends with its end', () => {
    const lines = [
      event(0, 'started'),
      line(1, 'first'),
      event(2, 'exited 1'),
      event(3, 'starts again in 1 s'),
      event(4, 'limits: 1 CPU'),
      event(5, 'started, port 80'),
      line(6, 'second'),
      event(7, 'killed by SIGKILL, out of memory'),
      event(8, 'limits: 1 CPU'),
      event(9, 'restarted, port 80'),
      line(10, 'third'),
    ];
    const second = ['started, port 80', 'second', 'killed by SIGKILL, out of memory'];
    expect(held(lines)).toEqual(second);
    expect(held(lines.slice(1, 7))).toEqual(['first', 'exited 1']);
    expect(held(lines.filter(({ logLine }) => !logLine.startsWith('killed')))).toEqual([
      'started, port 80',
      'second',
      'limits: 1 CPU',
    ]);
  });

  it('is one of each service and instance', () => {
    const lines = [
      event(0, 'started', { instance: 1 }),
      event(0, 'started', { instance: 2 }),
      line(1, 'one', { instance: 1 }),
      line(2, 'two', { instance: 2 }),
      event(3, 'started', { instance: 2 }),
      line(4, 'two again', { instance: 2 }),
    ];
    expect(held(lines)).toEqual(['started', 'two']);
  });

  it('is complete once each service has two starts', () => {
    const run = createPreviousRun({ ...web, services: [{ name: 'web' }, { name: 'api' }] });
    run.learn([event(0, 'started'), event(5, 'started')]);
    expect(run.isComplete()).toBe(false);
    run.learn(['3', '4'].map((second) => event(Number(second), 'started', { serviceName: 'api' })));
    expect(run.isComplete()).toBe(true);
  });

  it('ends with the last start that the service tells, where the log tells none', () => {
    const lines = [line(0, 'a'), line(5, 'b'), line(6, 'c', { serviceName: undefined })];
    expect(held(lines, { ...web, restartedAt: at(3) })).toEqual(['a']);
    const crashed = { name: 'web', restarts: 2, startedAt: at(6) };
    expect(held(lines, { ...web, services: [crashed] })).toEqual(['a', 'b']);
  });

  it('lies between restarts that this machine requested, where nothing else is told', () => {
    const lines = [0, 400, 800, 1200].map((second) => line(second, String(second)));
    const requested = [200, 600, 1000].map((second) => begin + second * 1000);
    expect(held(lines, web, requested)).toEqual(['800']);
    expect(held(lines, web, requested.slice(0, 1))).toEqual(['0']);
    // The service reports the last one, and another one that was requested elsewhere.
    expect(held(lines, { ...web, restartedAt: at(1003) }, requested)).toEqual(['800']);
    expect(held(lines, { ...web, restartedAt: at(1300) }, requested)).toEqual(['1200']);
    const run = createPreviousRun(web, requested);
    run.learn([line(800, 'a')]);
    expect([run.isComplete(), run.problem()]).toEqual([false, undefined]);
    run.learn([line(400, 'b')]);
    expect(run.isComplete()).toBe(true);
  });

  it('is unknown where the service tells no restart, or that there was none', () => {
    const problemOf = (deployment: Deployment) => createPreviousRun(deployment).problem();
    expect(problemOf({ ...web, restartedAt: at(0) })).toBeUndefined();
    expect(problemOf(web)).toMatchObject({ exit: 2 });
    expect(problemOf(web)?.sentence).toMatch(/does not tell when shop/);
    const started = { name: 'web', restarts: 0, startedAt: at(6) };
    expect(problemOf({ ...web, services: [started] })?.sentence).toMatch(/has not been restarted/);
  });
});
