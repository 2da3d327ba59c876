import { describe, expect, it } from 'vitest';
import { createReaderState } from '../../../../source/store/log/tail.ts';
import { jumpToTime } from '../../../../source/store/log/reader/time-jump.ts';
import { LogView } from '../../../../source/store/log/reader/view.ts';
import { LogFilter } from '../../../../source/store/log/reader/filter.ts';
import { FollowedLog } from '../../../../source/store/log/feed/followed-log.ts';
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
  const log = new FollowedLog({ client: model, deploymentId: 'd', clock, random: () => 0 });
  const { entries } = log;
  const view = new LogView({ entries, received: () => 0 });
  const filter = new LogFilter({
    entries,
    onInserted: (listener) => log.onInserted(listener),
    clock,
  });
  const tail = { log, entries, view, filter, reading: createReaderState(entries, view) };
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

  it('reads the page of a time that is not loaded, and reports progress', async () => {
    const { model, jump, line, said, tail, clock } = await openTail(9000);
    expect(tail.entries.length).toBeLessThan(2000);
    const told: (string | undefined)[] = [];
    tail.reading.seek.progress.subscribe((text) => told.push(text));
    const { length } = model.queries;
    jump(firstTime + 1_234_000);
    expect(line()).toBeUndefined();
    await clock.advance(100);
    expect(line()).toBe('line 1234');
    expect(said).toEqual([expect.stringMatching(/^First line at or after /)]);
    expect(told).toContainEqual(
      expect.stringMatching(/^Going to .*: 1 request, back to .*\. Esc stops\.$/),
    );
    expect(tail.reading.seek.progress.getState()).toBeUndefined();
    // The lines in between are neither fetched now nor later.
    await clock.advance(60_000);
    expect(model.queries.length - length).toBeLessThan(10);
    expect(tail.entries.gaps.map(({ state }) => state)).toEqual([
      { kind: 'missing', why: 'unread' },
    ]);
    tail.log.stop();
  });

  it('says what it does while the first answer of the service takes seconds', async () => {
    const { jump, tail, clock } = await openTail(9000, (prepared) => {
      prepared.record = new LogModel({ offsets: 'newest', rows: 'oldest' }).record;
    });
    const progress = () => tail.reading.seek.progress.getState();
    const answer = Promise.withResolvers<void>();
    tail.log.readTime = async () => {
      await answer.promise;
      return [{ end: 'begins', requests: 1, error: undefined }];
    };
    jump(firstTime + 1_234_000);
    expect(progress()).toBeUndefined();
    await clock.advance(300);
    expect(progress()).toMatch(/^Going to .*UTC\. Esc stops\.$/);
    answer.resolve();
    await clock.advance(0);
    expect(progress()).toBeUndefined();
    tail.log.stop();
  });

  it.each([
    { offsets: 'newest', rows: 'newest', maxPage: 10_000 },
    { offsets: 'newest', rows: 'oldest', maxPage: 1000 },
    { offsets: 'newest', rows: 'oldest', maxPage: 250 },
    { offsets: 'oldest', rows: 'oldest', maxPage: 1000 },
    { offsets: 'oldest', rows: 'newest', maxPage: 250 },
  ] as const)('reads it from a service with %o', async (shape) => {
    const { model, jump, line, tail, clock } = await openTail(6000, (prepared) => {
      prepared.record = new LogModel(shape).record;
    });
    await clock.advance(5000);
    const { length } = model.queries;
    jump(firstTime + 1_321_500);
    await clock.advance(5000);
    expect(line()).toBe('line 1322');
    expect(model.queries.length - length).toBeLessThanOrEqual(25);
    tail.view.move(-1);
    expect(line()).toBe('line 1321');
    tail.log.stop();
  });

  it('reads it while lines come', async () => {
    const { model, jump, line, tail, clock } = await openTail(6000);
    const fetch = model.fetch.bind(model);
    model.fetch = (...request) => {
      model.append(...Array.from({ length: 100 }, () => 'new'));
      return fetch(...request);
    };
    jump(firstTime + 1_321_500);
    await clock.advance(1000);
    expect(line()).toBe('line 1322');
    tail.log.stop();
  });

  it('joins the lines beside an unread gap when they are wanted', async () => {
    const { jump, line, tail, clock } = await openTail(4200);
    jump(firstTime + 2_000_000);
    await clock.advance(1000);
    expect(line()).toBe('line 2000');
    for (const side of ['newer', 'older'] as const) {
      const [gap] = tail.entries.gaps;
      if (gap !== undefined) expect(await tail.log.readBeside(gap, side)).toBe(true);
    }
    expect(tail.entries.gaps).toEqual([]);
    const texts = tail.entries
      .slice(0, tail.entries.length)
      .map((entry) => (entry.kind === 'line' ? entry.line.logLine : 'gap'));
    const first = Number(texts[0]?.slice(5));
    expect(texts).toEqual(Array.from({ length: 4200 - first }, (_, at) => `line ${first + at}`));
    tail.log.stop();
  });

  it('leaves the reader in place when the service ignores offsets', async () => {
    const { model, jump, line, said, tail, clock } = await openTail(6000);
    const { record } = model;
    const page = record.page.bind(record);
    record.page = (query) => page({ ...query, offset: 0 });
    jump(firstTime);
    await clock.advance(60_000);
    expect(line()).toBeUndefined();
    expect(said).toEqual(["The service ignores offsets, so older lines can't be reached."]);
    tail.log.stop();
  });

  it('says where the service gives no more lines', async () => {
    const { model, jump, line, said, tail, clock } = await openTail(6000);
    const fetch = model.fetch.bind(model);
    model.fetch = (id, query, signal) =>
      (query.offset ?? 0) > 3000
        ? Promise.resolve({ ok: false, error: failure('bad-request', 400) })
        : fetch(id, query, signal);
    jump(firstTime);
    await clock.advance(60_000);
    expect(Number(line()?.slice(5))).toBeLessThan(3000);
    expect(said).toEqual([
      expect.stringMatching(/^The service gives no lines before .* \(HTTP 400\)\.$/),
    ]);
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
    const { model, jump, line, said, tail, clock } = await openTail(9000);
    const held = Promise.withResolvers<void>();
    const fetch = model.fetch.bind(model);
    model.fetch = async (...request) => {
      await held.promise;
      return fetch(...request);
    };
    jump(firstTime);
    await clock.advance(100);
    tail.view.move(-1);
    const cursor = line();
    const { length } = model.queries;
    held.resolve();
    await clock.advance(2000);
    // Only the request under way is answered.
    expect(model.queries.slice(length).filter(({ limit }) => limit === 1000)).toHaveLength(1);
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
    expect(said).toEqual(['Older lines could not be fetched: HTTP 500. T tries again.']);
    expect(line()).toBeUndefined();
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
