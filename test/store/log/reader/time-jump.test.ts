import { describe, expect, it } from 'vitest';
import { createReaderState } from '../../../../source/store/log/reader/reader-state.ts';
import { jumpToTime } from '../../../../source/store/log/reader/time-jump.ts';
import { createLogView } from '../../../../source/store/log/reader/view.ts';
import { createLogs } from '../../../../source/store/log/feed/logs.ts';
import { createTestClock } from '../../../support/clock.ts';
import { failure, LogModel } from '../../../servers/log-model.ts';

/** Of the model's first line; each is a second later. */
const began = 1_700_000_000_000;

/** A followed log of `lines` lines, the last 1000 of them at hand. */
async function openTail(lines: number, prepare: (model: LogModel) => void = () => {}) {
  const model = new LogModel();
  prepare(model);
  model.append(...Array.from({ length: lines }, (_, index) => `line ${index}`));
  const clock = createTestClock(began + lines * 1000);
  const log = createLogs({ client: model, deploymentId: 'd', clock, random: () => 0 });
  const { entries } = log;
  const view = createLogView({ entries, received: () => 0 });
  const tail = { log, entries, view, reading: createReaderState(entries, view) };
  await clock.advance(1000);
  const said: string[] = [];
  return {
    model,
    clock,
    tail,
    said,
    jump: (time: number): void => {
      const say = (text: string): void => void said.push(text);
      jumpToTime({ tail, time, now: clock.now(), utc: true, clock, say });
    },
    /** Text of the line under the cursor; undefined while the log is followed. */
    line: (): string | undefined => {
      const position = view.position.getState();
      if (position.kind === 'following') return undefined;
      const entry = entries.at(entries.indexOf(position.cursor));
      return entry?.kind === 'line' ? entry.line.logLine : entry?.kind;
    },
  };
}

describe('going to a time', () => {
  it('freezes at the first line at or after it, in the first row', async () => {
    const { jump, line, said, tail } = await openTail(500);
    jump(began + 123_400);
    expect(line()).toBe('line 124');
    const position = tail.view.position.getState();
    expect(position.kind === 'frozen' && tail.view.top()?.seq === position.cursor).toBe(true);
    expect(said).toEqual([expect.stringMatching(/^First line at or after .*UTC\.$/)]);
    expect(tail.reading.seek.progress.getState()).toBeUndefined();
    tail.log.stop();
  });

  it('fetches older lines until it is met, and says how far it is', async () => {
    const { jump, line, said, tail, clock } = await openTail(20_000);
    expect(tail.entries.length).toBeLessThan(2000);
    jump(began + 1_234_000);
    expect(line()).toBeUndefined();
    expect(tail.reading.seek.progress.getState()).toMatch(/^Going to .*: [\d,]+ lines so far/);
    await clock.advance(5000);
    expect(line()).toBe('line 1234');
    expect(said).toHaveLength(1);
    expect(tail.reading.seek.progress.getState()).toBeUndefined();
    tail.log.stop();
  });

  it('does not take new lines for older ones that came', async () => {
    const { model, jump, said, tail, clock } = await openTail(3000);
    model.httpFails = failure('service-error', 500);
    jump(began + 100_000);
    for (let line = 0; line < 30; line += 1) {
      model.append(`new ${line}`);
      await clock.advance(1000);
    }
    expect(said).toEqual([expect.stringMatching(/^Older lines could not be fetched\./)]);
    tail.log.stop();
  });

  it('ends at the beginning of the log', async () => {
    const { jump, line, said, tail, clock } = await openTail(3000);
    jump(began - 1000);
    await clock.advance(5000);
    expect(line()).toBe('line 0');
    expect(said).toEqual([expect.stringMatching(/^The log begins at .*, after .*\.$/)]);
    tail.log.stop();
  });

  it('stays at the newest line where none is as new', async () => {
    const { jump, line, said, tail } = await openTail(100);
    jump(began + 1_000_000);
    expect(line()).toBe('line 99');
    expect(said).toEqual([expect.stringMatching(/^No line at or after .*; the newest is from /)]);
    tail.log.stop();
  });

  it('is given up when the reader moves, and fetches no more', async () => {
    const { jump, line, said, tail, clock, model } = await openTail(50_000);
    jump(began);
    await clock.advance(100);
    tail.view.move(-1);
    const cursor = line();
    await clock.advance(2000);
    const { length } = model.queries;
    await clock.advance(60_000);
    expect(model.queries.slice(length).filter(({ offset = 0 }) => offset > 0)).toEqual([]);
    expect(line()).toBe(cursor);
    expect(said).toEqual([]);
    tail.log.stop();
  });

  it('ends with the log', async () => {
    const { jump, said, tail, clock } = await openTail(5000);
    jump(began);
    tail.log.stop();
    await clock.advance(60_000);
    expect(said).toEqual([]);
    expect(clock.waiting()).toEqual([]);
  });

  it('says when older lines cannot be had', async () => {
    const { jump, line, said, tail, clock, model } = await openTail(5000);
    model.httpFails = failure('service-error', 500);
    jump(began);
    await clock.advance(60_000);
    expect(said).toEqual([
      expect.stringMatching(/^Older lines could not be fetched\. Loaded lines /),
    ]);
    expect(line()).toMatch(/^line \d+$/);
    tail.log.stop();
  });

  it('says that a log has no times, or no lines', async () => {
    const shape = (line: { readonly logLine: string }) => ({ logLine: line.logLine });
    const untimed = await openTail(100, (model) => {
      model.record = new LogModel({ overHttp: shape, overStream: shape }).record;
    });
    untimed.jump(began);
    expect(untimed.said).toEqual(['The shown lines have no times.']);
    expect(untimed.line()).toBeUndefined();
    untimed.tail.log.stop();
    const empty = await openTail(0);
    empty.jump(began);
    expect(empty.said).toEqual(['No lines are shown.']);
    empty.tail.log.stop();
  });
});
