import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Entry, InsertedRun } from '../../../source/tail/arena/entries.ts';
import { JoinedEntries } from '../../../source/tail/joined/joined-entries.ts';
import { type FakeLine, FakeLog } from '../fake-log.ts';

type Step =
  | {
      readonly kind: 'insert';
      readonly log: number;
      /** The position as a fraction of its length; undefined for the end. */
      readonly at: number | undefined;
      readonly steps: readonly (number | undefined)[];
    }
  | {
      readonly kind: 'drop' | 'open gap' | 'close gap' | 'take out';
      readonly log: number;
      readonly at: number;
    }
  | { readonly kind: 'lacks older'; readonly log: number; readonly lacks: boolean };

const log = fc.nat({ max: 2 });
const part = fc.double({ min: 0, max: 1, noNaN: true });

function anySteps(times: 'any' | 'rising', kinds: readonly Step['kind'][]) {
  const step = times === 'any' ? fc.option(fc.integer({ min: -3, max: 6 })) : fc.nat({ max: 6 });
  return fc.array(
    fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          kind: fc.constant('insert' as const),
          log,
          at: times === 'any' ? fc.option(part, { nil: undefined }) : fc.constant(undefined),
          steps: fc.array(
            step.map((by) => by ?? undefined),
            { minLength: 1, maxLength: 6 },
          ),
        }),
      },
      ...kinds.map((kind) => ({
        weight: 1,
        arbitrary:
          kind === 'lacks older'
            ? fc.record({ kind: fc.constant(kind), log, lacks: fc.boolean() })
            : fc.record({ kind: fc.constant(kind as 'drop'), log, at: part }),
      })),
    ),
    { maxLength: 25 },
  );
}

function newLog(): FakeLog {
  return new FakeLog(({ text }: FakeLine) => text);
}

/** Three logs and their joined entries. */
class World {
  readonly logs = [newLog(), newLog(), newLog()];
  /** Small chunks split and drop often. */
  readonly joined = new JoinedEntries<FakeLine>(this.logs, ({ time }) => time, 4);
  readonly #newest = [0, 0, 0];
  #lines = 0;
  #arrived = 0;

  /** @returns the reported insertions by `seq`, each run as its entries. */
  run(step: Step): readonly (readonly Entry<FakeLine>[])[] {
    const of = this.logs[step.log];
    if (of === undefined) return [];
    if (step.kind === 'lacks older') {
      this.joined.setLacksOlder(step.log, step.lacks);
      return this.#told([]);
    }
    const runs = step.kind === 'insert' ? this.#insert(of, step) : [];
    const at = step.kind === 'insert' ? 0 : Math.floor(step.at * of.length);
    if (step.kind === 'drop') of.dropFirst(at);
    if (step.kind === 'open gap') of.openGap(at);
    if (step.kind === 'close gap') of.closeGap(Math.floor(step.at * of.gaps.length));
    if (step.kind === 'take out') of.takeOut(at, 2);
    this.#arrived += 1;
    return this.#told(this.joined.applyChange(step.log, runs, this.#arrived));
  }

  #insert(of: FakeLog, { log: number, at, steps }: Extract<Step, { kind: 'insert' }>) {
    const index = at === undefined ? of.length : Math.floor(at * of.length);
    let time = at === undefined ? (this.#newest[number] ?? 0) : timeAt(of, index);
    const lines = steps.map((by): FakeLine => {
      time += by ?? 0;
      this.#lines += 1;
      return { text: `line ${this.#lines}`, time: by === undefined ? undefined : time };
    });
    if (at === undefined) this.#newest[number] = time;
    return of.insert(lines, index);
  }

  #told(first: readonly InsertedRun[]) {
    const told: (readonly Entry<FakeLine>[])[] = [];
    for (let runs: readonly InsertedRun[] | undefined = first; runs; runs = this.joined.reveal()) {
      for (const run of runs) {
        const index = this.joined.indexOf(run.first);
        const entries = this.joined.slice(index, index + run.count);
        expect(entries.at(-1)?.seq).toBe(run.last);
        told.push(entries);
      }
    }
    return told;
  }
}

function timeAt(of: FakeLog, index: number): number {
  const entry = of.at(index) ?? of.at(index - 1);
  return entry?.kind === 'line' ? (entry.line.time ?? 0) : 0;
}

function all(joined: JoinedEntries<FakeLine>): readonly Entry<FakeLine>[] {
  return joined.slice(0, joined.length);
}

function lineOf(entry: Entry<FakeLine>): FakeLine {
  return entry.kind === 'line' ? entry.line : entry.until;
}

function textsOf(joined: JoinedEntries<FakeLine>): readonly string[] {
  return all(joined).map((entry) => lineOf(entry).text);
}

/** The shown part of a log: its newest entries in its own order. */
function expectOwnOrder({ logs, joined }: World): void {
  const entries = all(joined);
  for (const [number, of] of logs.entries()) {
    const shown = entries.filter(({ member }) => member === number);
    const own = of.slice(of.length - shown.length, of.length);
    expect(shown.map((entry) => [entry.kind, lineOf(entry)])).toEqual(
      own.map((entry) => [entry.kind, lineOf(entry)]),
    );
  }
}

function expectReadable({ joined }: World): void {
  const entries = all(joined);
  expect(entries).toHaveLength(joined.length);
  for (const [index, entry] of entries.entries()) {
    expect(entry.seq).toBeGreaterThan(entries[index - 1]?.seq ?? Number.NEGATIVE_INFINITY);
    expect(joined.indexOf(entry.seq)).toBe(index);
    expect(joined.at(index)).toEqual(entry);
    if (entry.kind === 'gap') expect(entries[index + 1]).toMatchObject({ line: entry.until });
  }
  expect(joined.gaps).toEqual(entries.filter(({ kind }) => kind === 'gap'));
  const seen: unknown[] = [];
  joined.scan(1, joined.length, (index, text) => seen.push([index, text]));
  const lines = entries.flatMap((entry, index) =>
    entry.kind === 'line' && index > 0 ? [[index, entry.line.text]] : [],
  );
  expect(seen).toEqual(lines);
}

describe('joined logs', () => {
  it('show each line once, in the order of its own log, after any changes', () => {
    const kinds = ['drop', 'open gap', 'close gap', 'take out', 'lacks older'] as const;
    fc.assert(
      fc.property(anySteps('any', kinds), (steps) => {
        const world = new World();
        for (const step of steps) {
          world.run(step);
          expectOwnOrder(world);
          expectReadable(world);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('hide nothing while every log is complete', () => {
    fc.assert(
      fc.property(anySteps('any', ['open gap', 'close gap', 'take out']), (steps) => {
        const world = new World();
        for (const step of steps) world.run(step);
        const count = world.logs.reduce((sum, { length }) => sum + length, 0);
        expect(world.joined.length).toBe(count);
      }),
      { numRuns: 200 },
    );
  });

  it('are sorted by time when each log is', () => {
    const kinds = ['drop', 'open gap', 'close gap', 'lacks older'] as const;
    fc.assert(
      fc.property(anySteps('rising', kinds), (steps) => {
        const world = new World();
        for (const step of steps) {
          world.run(step);
          const times = all(world.joined).map((entry) => lineOf(entry).time ?? 0);
          expect(times).toEqual(times.toSorted((left, right) => left - right));
        }
      }),
      { numRuns: 200 },
    );
  });

  it('are in the order of time where two logs meet', () => {
    fc.assert(
      fc.property(anySteps('any', ['open gap', 'close gap', 'lacks older']), (steps) => {
        const world = new World();
        const told = steps.map((step) =>
          step.kind === 'insert' ? { ...step, steps: step.steps.map((by) => by ?? 1) } : step,
        );
        for (const step of told) world.run(step);
        const entries = all(world.joined);
        for (const [index, entry] of entries.entries()) {
          const before = entries[index - 1];
          if (before === undefined || before.member === entry.member) continue;
          expect(lineOf(before).time).toBeLessThanOrEqual(lineOf(entry).time ?? 0);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('start no earlier than a log that lacks older lines', () => {
    fc.assert(
      fc.property(anySteps('rising', ['drop', 'lacks older']), (steps) => {
        const world = new World();
        const lacks = [false, false, false];
        for (const step of steps) {
          world.run(step);
          if (step.kind === 'lacks older') lacks[step.log] = step.lacks;
          const begins = world.logs.map((of, number) => {
            const first = lacks[number] === true ? of.at(0) : undefined;
            return first?.kind === 'line' ? (first.line.time ?? 0) : Number.NEGATIVE_INFINITY;
          });
          const from = Math.max(...begins);
          expect(all(world.joined).every((entry) => (lineOf(entry).time ?? 0) >= from)).toBe(true);
          // Nothing is hidden that may be shown.
          const kept = world.logs.flatMap((of) => of.slice(0, of.length));
          const may = kept.filter((entry) => (lineOf(entry).time ?? 0) >= from);
          if (!steps.some(({ kind }) => kind === 'drop')) {
            expect(world.joined.length).toBe(may.length);
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  it('report all inserted lines and keep the seq of the others', () => {
    fc.assert(
      fc.property(anySteps('any', ['open gap', 'close gap', 'lacks older']), (steps) => {
        const world = new World();
        for (const step of steps) {
          const { epoch } = world.joined;
          const before = new Map(
            all(world.joined).map((entry) => [`${entry.kind} ${lineOf(entry).text}`, entry.seq]),
          );
          const told = world.run(step).flat();
          for (const entry of all(world.joined)) {
            if (entry.kind === 'gap') continue;
            const seq = before.get(`line ${entry.line.text}`);
            if (world.joined.epoch === epoch && seq !== undefined) expect(entry.seq).toBe(seq);
            const isTold = told.some((one) => lineOf(one) === entry.line);
            expect(isTold).toBe(seq === undefined);
          }
          expect(told.every(({ kind }) => kind === 'line')).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('have a gap directly before its line, regardless of other times', () => {
    const { logs, joined } = new World();
    const [first, second, third] = logs;
    const line = (text: string, time?: number): FakeLine => ({ text, time });
    joined.applyChange(1, second?.insert([line('later', 4)]) ?? [], 1);
    joined.applyChange(0, first?.insert([line('before', 4)]) ?? [], 2);
    joined.applyChange(0, first?.insert([line('untold')]) ?? [], 2);
    joined.applyChange(2, third?.insert([line('until')]) ?? [], 3);
    first?.takeOut(0, 2);
    joined.applyChange(0, [], 4);
    third?.openGap(0);
    joined.applyChange(2, [], 5);
    expect(all(joined).map((entry) => [entry.kind, lineOf(entry).text])).toEqual([
      ['line', 'later'],
      ['gap', 'until'],
      ['line', 'until'],
    ]);
  });

  it('keep lines without a time, such as a stack trace, with their line', () => {
    const { logs, joined } = new World();
    const [first, second] = logs;
    const page = (name: string): readonly FakeLine[] => [
      { text: `${name} at 0`, time: undefined },
      ...[1, 2, 3].flatMap((time) => [
        { text: `${name} ${time}`, time },
        { text: `${name} at ${time}`, time: undefined },
      ]),
    ];
    joined.applyChange(0, first?.insert([{ text: 'a 9', time: 9 }]) ?? [], 100);
    joined.applyChange(1, second?.insert([{ text: 'b 9', time: 9 }]) ?? [], 100);
    joined.applyChange(0, first?.insert(page('a'), 0) ?? [], 100);
    joined.applyChange(1, second?.insert(page('b'), 0) ?? [], 100);
    expect(textsOf(joined).join(', ')).toBe(
      'a at 0, a 1, a at 1, b at 0, b 1, b at 1, a 2, a at 2, b 2, b at 2, a 3, a at 3, b 3, b at 3, a 9, b 9',
    );
  });

  it('show hidden entries although the last one has no time', () => {
    const { logs, joined } = new World();
    const [first, second] = logs;
    joined.applyChange(0, first?.insert([{ text: 'a 5', time: 5 }]) ?? [], 0);
    joined.setLacksOlder(0, true);
    const trace = { text: 'b at', time: undefined };
    const lines = [1, 2, 3].map((time) => ({ text: `b ${time}`, time }));
    joined.applyChange(1, second?.insert([...lines, trace, trace]) ?? [], 4);
    joined.applyChange(1, second?.insert([{ text: 'b 6', time: 6 }]) ?? [], 9);
    expect(textsOf(joined)).toEqual(['a 5', 'b 6']);
    joined.applyChange(0, first?.insert([{ text: 'a 2', time: 2 }], 0) ?? [], 9);
    while (joined.reveal() !== undefined);
    expect(textsOf(joined).join(', ')).toBe('a 2, b 2, b 3, b at, b at, a 5, b 6');
  });

  it('start no earlier than the first line with a time', () => {
    const { logs, joined } = new World();
    const [first, second] = logs;
    joined.applyChange(
      1,
      second?.insert([1, 5].map((time) => ({ text: `b ${time}`, time }))) ?? [],
      0,
    );
    const lines = [undefined, undefined, 4].map((time) => ({ text: `a ${time}`, time }));
    joined.applyChange(0, first?.insert(lines) ?? [], 0);
    joined.setLacksOlder(0, true);
    expect(textsOf(joined)).not.toContain('b 1');
  });

  it('show a gap with its line, even from before the start', () => {
    const { logs, joined } = new World();
    const [first, second, third] = logs;
    const line = (text: string, time: number): FakeLine => ({ text, time });
    joined.applyChange(0, first?.insert([line('wrong', 100), line('a', 3)]) ?? [], 0);
    joined.applyChange(1, second?.insert([line('b', 5)]) ?? [], 0);
    joined.applyChange(2, third?.insert([line('c', 7)]) ?? [], 0);
    joined.setLacksOlder(2, true);
    second?.openGap(0);
    joined.applyChange(1, [], 0);
    expect(all(joined).map((entry) => [entry.kind, lineOf(entry).text])).toEqual([
      ['line', 'wrong'],
      ['line', 'a'],
      ['gap', 'b'],
      ['line', 'b'],
      ['line', 'c'],
    ]);
  });

  it('reveal a gap together with its line', () => {
    const { logs, joined } = new World();
    const [first, second] = logs;
    joined.applyChange(0, first?.insert([{ text: 'a', time: 900 }]) ?? [], 0);
    joined.setLacksOlder(0, true);
    const lines = Array.from({ length: 600 }, (_, time) => ({ text: `b ${time}`, time }));
    joined.applyChange(1, second?.insert(lines) ?? [], 0);
    second?.openGap(100);
    joined.applyChange(1, [], 0);
    joined.setLacksOlder(0, false);
    for (let runs = joined.reveal(); runs !== undefined; runs = joined.reveal()) {
      const from = all(joined).findIndex((entry) => lineOf(entry).text === 'b 100');
      expect(all(joined)[from]?.kind ?? 'gap').toBe('gap');
    }
  });

  it('hide nothing of the log that they start with, for any times', () => {
    const { logs, joined } = new World();
    const [first] = logs;
    joined.applyChange(0, first?.insert([{ text: 'b', time: 5 }]) ?? [], 0);
    joined.setLacksOlder(0, true);
    joined.applyChange(0, first?.insert([{ text: 'a', time: 9 }], 0) ?? [], 0);
    expect(textsOf(joined)).toEqual(['a', 'b']);
  });

  it('insert late lines of a slow log in their place', () => {
    const { logs, joined } = new World();
    const [fast, slow] = logs;
    const line = (text: string, time: number): FakeLine => ({ text, time });
    joined.applyChange(0, fast?.insert([line('a', 1), line('c', 3), line('e', 5)]) ?? [], 0);
    joined.applyChange(1, slow?.insert([line('b', 2), line('d', 4)]) ?? [], 0);
    joined.applyChange(0, fast?.insert([line('f', 6)]) ?? [], 0);
    expect(textsOf(joined)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });

  it('are not held up by a line whose time is far in the future', () => {
    const { logs, joined } = new World();
    const line = (text: string, time: number): FakeLine => ({ text, time });
    joined.applyChange(
      0,
      logs[0]?.insert([line('a', 1), line('wrong', 9e12), line('b', 2)]) ?? [],
      0,
    );
    for (let time = 3; time < 400; time += 2) {
      joined.applyChange(1, logs[1]?.insert([line('x', time)]) ?? [], 0);
      joined.applyChange(0, logs[0]?.insert([line('y', time + 1)]) ?? [], 0);
    }
    const texts = textsOf(joined);
    expect(texts.slice(0, 5)).toEqual(['a', 'wrong', 'b', 'x', 'y']);
    expect(texts.slice(-2)).toEqual(['x', 'y']);
  });

  it('keep their numbers while thousands of lines are inserted before one', () => {
    const logs = [newLog(), newLog()];
    const joined = new JoinedEntries<FakeLine>(logs, ({ time }) => time);
    joined.applyChange(0, logs[0]?.insert([{ text: 'ahead', time: 1e9 }]) ?? [], 0);
    const { epoch } = joined;
    for (let time = 0; time < 3000; time += 1) {
      joined.applyChange(1, logs[1]?.insert([{ text: 'x', time }]) ?? [], 0);
    }
    expect(joined.epoch).toBe(epoch);
    expect(lineOf(joined.at(3000) ?? expect.fail('no last line')).text).toBe('ahead');
  });
});
