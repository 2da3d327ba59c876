import { describe, expect, it } from 'vitest';
import { createReaderState } from '../../../../source/store/log/reader/reader-state.ts';
import { jumpToTime } from '../../../../source/store/log/reader/time-jump.ts';
import { createLogView } from '../../../../source/store/log/reader/view.ts';
import { createLogs } from '../../../../source/store/log/feed/logs.ts';
import { createTestClock } from '../../../support/clock.ts';
import { failure, LogModel } from '../../../servers/log-model.ts';

/** Time of the first line; each line is one second later. */
const firstTime = 1_700_000_000_000;

/** Follows a log of `lines` lines with the last 1000 loaded. */
async function openTail(lines: number, prepare: (model: LogModel) => void = () => {}) {
  const model = new LogModel();
  prepare(model);
  model.append(...Array.from({ length: lines }, (_, index) => `line ${index}`));
  const clock = createTestClock(firstTime + lines * 1000);
  const log = createLogs({ client: model, deploymentId: 'd', clock, random: () => 0 });
  const { entries } = log;
  const view = createLogView({ entries, received: () => 0 });
  const tail = { log, entries, view, reading: createReaderState(entries, view) };
  await clock.advance(1000);
  const messages: string[] = [];
  return {
    model,
    clock,
    tail,
    said: messages,
    jump: (time: number): void => {
      const say = (text: string): void => void messages.push(text);
      jumpToTime({ tail, time, now: clock.now(), utc: true, clock, say });
    },
    /** Returns the text under the cursor; undefined while following. */
    line: (): string | undefined => {
      const position = view.position.getState();
      if (position.kind === 'following') return undefined;
      const entry = entries.at(entries.indexOf(position.cursor));
      return entry?.kind === 'line' ? entry.line.logLine : entry?.kind;
    },
  };
}

describe('a time jump', () => {
  it('freezes with the first line at or after the time in the first row', async () => {
    const { jump, line, said, tail } = await openTail(500);
    jump(firstTime + 123_400);
    expect(line()).toBe('line 124');
    const position = tail.view.position.getState();
    expect(position.kind === 'frozen' && tail.view.top()?.seq === position.cursor).toBe(true);
    expect(said).toEqual([expect.stringMatching(/^First line at or after .*UTC\.$/)]);
    expect(tail.reading.seek.progress.getState()).toBeUndefined();
    tail.log.stop();
  });

  it('fetches older lines until the time is reached, and reports progress', async () => {
    const { jump, line, said, tail, clock } = await openTail(20_000);
    expect(tail.entries.length).toBeLessThan(2000);
    jump(firstTime + 1_234_000);
    expect(line()).toBeUndefined();
    expect(tail.reading.seek.progress.getState()).toMatch(/^Going to .*: [\d,]+ lines so far/);
    await clock.advance(5000);
    expect(line()).toBe('line 1234');
    expect(said).toHaveLength(1);
    expect(tail.reading.seek.progress.getState()).toBeUndefined();
    tail.log.stop();
  });

  it('does not mistake new lines for older ones', async () => {
    const { model, jump, said, tail, clock } = await openTail(3000);
    model.httpFails = failure('service-error', 500);
    jump(firstTime + 100_000);
    for (let line = 0; line < 30; line += 1) {
      model.append(`new ${line}`);
      await clock.advance(1000);
    }
    expect(said).toEqual([expect.stringMatching(/^Older lines could not be fetched\./)]);
    tail.log.stop();
  });

  it('ends at the beginning of the log', async () => {
    const { jump, line, said, tail, clock } = await openTail(3000);
    jump(firstTime - 1000);
    await clock.advance(5000);
    expect(line()).toBe('line 0');
    expect(said).toEqual([expect.stringMatching(/^The log begins at .*, after .*\.$/)]);
    tail.log.stop();
  });

  it('goes to the newest line when the time is later', async () => {
    const { jump, line, said, tail } = await openTail(100);
    jump(firstTime + 1_000_000);
    expect(line()).toBe('line 99');
    expect(said).toEqual([expect.stringMatching(/^No line at or after .*; the newest is from /)]);
    tail.log.stop();
  });

  it('is cancelled when the reader moves, and stops fetching', async () => {
    const { jump, line, said, tail, clock, model } = await openTail(50_000);
    jump(firstTime);
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

  it('ends when the log is closed', async () => {
    const { jump, said, tail, clock } = await openTail(5000);
    jump(firstTime);
    tail.log.stop();
    await clock.advance(60_000);
    expect(said).toEqual([]);
    expect(clock.waiting()).toEqual([]);
  });

  it('reports that older lines could not be fetched', async () => {
    const { jump, line, said, tail, clock, model } = await openTail(5000);
    model.httpFails = failure('service-error', 500);
    jump(firstTime);
    await clock.advance(60_000);
    expect(said).toEqual([
      expect.stringMatching(/^Older lines could not be fetched\. Loaded lines /),
    ]);
    expect(line()).toMatch(/^line \d+$/);
    tail.log.stop();
  });

  it('reports a log without times or without lines', async () => {
    const shape = (line: { readonly logLine: string }) => ({ logLine: line.logLine });
    const untimed = await openTail(100, (model) => {
      model.record = new LogModel({ overHttp: shape, overStream: shape }).record;
    });
    untimed.jump(firstTime);
    expect(untimed.said).toEqual(['The shown lines have no times.']);
    expect(untimed.line()).toBeUndefined();
    untimed.tail.log.stop();
    const empty = await openTail(0);
    empty.jump(firstTime);
    expect(empty.said).toEqual(['No lines are shown.']);
    empty.tail.log.stop();
  });
});
