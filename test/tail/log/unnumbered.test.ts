import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toRow } from '../../../source/tail/arena/row.ts';
import { alignedAt } from '../../../source/tail/log/alignment.ts';
import { FallingIds } from '../../../source/tail/log/unnumbered.ts';
import { ModelRun, runModel, type RunOptions } from './model-run.ts';
import { type Clocks, createRandom, type ServiceShape } from './model-service.ts';
import { shownOf, wrongInUnnumbered } from './model-verdict.ts';
import { numberedShape, trueClocks } from './shapes.ts';

/** Times with milliseconds, in seconds, over the stream alone, and none. */
const clocks: Record<string, Clocks> = {
  'with times': trueClocks,
  'with times in seconds': { ...trueClocks, http: 0 },
  'with times of the stream alone': { ...trueClocks, http: undefined },
  'without times': { ...trueClocks, http: undefined, stream: undefined },
};

/** Returns the shape of a service without ids, and without faults of frames that nothing could tell. */
function shapeOf(random: () => number, change: Partial<ServiceShape>): ServiceShape {
  return {
    ...numberedShape(random),
    ids: 'none',
    swaps: 0,
    doubles: 0,
    losses: 0,
    late: 0,
    restarts: 'none',
    clocks: trueClocks,
    ...change,
  };
}

/** Returns what is wrong at the end of a run. */
function wrongAt(
  seed: number,
  change: Partial<ServiceShape>,
  options?: RunOptions,
): string | undefined {
  const run = runModel(seed, (random) => shapeOf(random, change), options);
  const wrong = wrongInUnnumbered(run);
  return wrong && `seed ${seed}: ${wrong}\n${JSON.stringify(run.service.shape)}`;
}

function textOf(run: ModelRun): string {
  return shownOf(run)
    .map((each) => ('row' in each ? each.row : each.number))
    .join(' ');
}

describe('a log whose lines have no ids', () => {
  it.each(Object.keys(clocks))('loses and doubles no line without a row: %s', (name) => {
    const change = { clocks: clocks[name] ?? trueClocks };
    for (let seed = 0; seed < 15; seed += 1) expect(wrongAt(seed, change)).toBeUndefined();
  });

  it.each<[string, Partial<ServiceShape>]>([
    ['whose ids are texts', { ids: 'text', doubles: 0.1 }],
    [
      'that repeats all lines, with texts as ids',
      { ids: 'text', doubles: 0.05, replay: 1_000_000 },
    ],
    ['whose ids fall', { ids: 'falling' }],
    ['whose ids fall, with late lines', { ids: 'falling', late: 0.05 }],
    ['that sends frames twice', { doubles: 0.05 }],
    ['that swaps frames', { swaps: 0.05, clocks: clocks['without times'] ?? trueClocks }],
    ['that loses frames', { losses: 0.02, replay: 1_000_000 }],
  ])('has a row where pages differ from a stream, or join at once: a service %s', (_, change) => {
    const seeds = [...Array(6).keys(), 14, 44, 66, 74, 80, 98, 1396];
    for (const seed of seeds) expect(wrongAt(seed, change)).toBeUndefined();
  });

  it('joins a page by one line with a text as its id, unless several lines have that text', () => {
    const rowOf = (logLine: string, id?: string) => toRow({ logLine, id });
    const page = [rowOf('a', 'x1'), rowOf('b', 'x2')];
    expect(alignedAt(page, [rowOf('b', 'x2'), rowOf('c', 'x3')])).toBe(1);
    expect(alignedAt(page, [rowOf('b', 'x4'), rowOf('c', 'x3')])).toBeUndefined();
    const pod = ['a', 'b', 'c', 'd', 'e'].map((text) => rowOf(text, 'pod-1'));
    expect(alignedAt(pod.slice(0, 3), pod.slice(2))).toBeUndefined();
  });

  it.each([174, 221, 690, 790, 937, 1097, 1120, 1377, 1716, 1917])(
    'loses and doubles no line in a service that once made it fail: %i',
    (seed) => {
      expect(wrongAt(seed, {})).toBeUndefined();
    },
  );

  it.each([11, 29, 87, 367, 420, 645, 702, 754, 847, 905, 1081, 1299, 1774])(
    'loses and doubles no line in a service without times that once made it fail: %i',
    (seed) => {
      expect(wrongAt(seed, { clocks: clocks['without times'] ?? trueClocks })).toBeUndefined();
    },
  );

  it('has a row where a service begins anew without its lines', () => {
    for (let seed = 0; seed < 20; seed += 1)
      expect(wrongAt(seed, { restarts: 'wiped' })).toBeUndefined();
  });

  it('has a row above lines that a service which keeps ten no longer has', () => {
    for (let seed = 0; seed < 15; seed += 1)
      expect(wrongAt(seed, { retention: 10 })).toBeUndefined();
  });

  it('loses and doubles no line in a memory of 120 lines', () => {
    for (let seed = 0; seed < 15; seed += 1)
      expect(wrongAt(seed, {}, { maxLines: 120 })).toBeUndefined();
  });

  it('is the same whether frames arrive in one piece or one by one', () => {
    for (let seed = 0; seed < 25; seed += 1) {
      const [whole, single] = (['halves', 'lines'] as const).map((pieces) =>
        runModel(seed, (random) => shapeOf(random, {}), { pieces }),
      ) as [ModelRun, ModelRun];
      expect([seed, textOf(single)]).toEqual([seed, textOf(whole)]);
    }
  });

  it('has no row where a page shows both sides of a cut', () => {
    for (let seed = 0; seed < 40; seed += 1) {
      const random = createRandom(seed);
      const good = { retention: Number.MAX_SAFE_INTEGER, lag: 0, history: 'good' } as const;
      const run = new ModelRun(shapeOf(random, { ...good, equal: 0 }), random);
      run.service.write(100);
      run.open();
      for (let cut = 0; cut < 3; cut += 1) {
        run.service.write(10);
        run.deliver(Number.POSITIVE_INFINITY);
        answerAll(run);
        run.cut();
        run.service.write(10);
        run.open();
        answerAll(run);
      }
      expect([seed, textOf(run)]).toEqual([seed, numbersUpTo(run)]);
    }
  });

  it.each(['newest', 'oldest'] as const)(
    'joins at once although pages are ahead of the stream: %s first',
    (order) => {
      const random = createRandom(1);
      const change = {
        offsets: order,
        rows: order,
        pageCap: 1000,
        growing: false,
        replay: 0,
        retention: Number.MAX_SAFE_INTEGER,
        lag: 0,
        history: 'good',
      } as const;
      const run = new ModelRun(shapeOf(random, change), random);
      const attempts: number[] = [];
      run.service.write(1500);
      run.open();
      run.service.write(40);
      answerAll(run);
      for (let piece = 0; piece < 4; piece += 1) {
        run.deliver(10);
        attempts.push(run.log.asking?.attempt ?? 0);
        answerAll(run);
      }
      expect(textOf(run)).toBe(numbersUpTo(run));
      expect(attempts).toEqual([0, 0, 0, 0]);
    },
  );

  it.each(['newest', 'oldest'] as const)(
    'joins streams that repeat the whole log, although lines come with each request: %s first',
    (order) => {
      const random = createRandom(1);
      const change = {
        offsets: order,
        rows: order,
        pageCap: 60,
        growing: false,
        replay: 1_000_000,
        retention: Number.MAX_SAFE_INTEGER,
        lag: 0,
        history: 'good',
      } as const;
      const run = new ModelRun(shapeOf(random, change), random, { history: 20 });
      run.service.write(200);
      for (let connection = 0; connection < 3; connection += 1) {
        run.open();
        answerAll(run, 10, 40);
        run.deliver(Number.POSITIVE_INFINITY);
        expect(run.log.isReady).toBe(true);
        expect(textOf(run)).toBe(numbersUpTo(run));
        run.cut();
      }
      expect(run.requests).toBeLessThan(200);
    },
  );

  it.each(Object.keys(clocks))('opens although lines come with each request: %s', (name) => {
    for (const grown of [1, 5, 20])
      for (let seed = 0; seed < 10; seed += 1) {
        const random = createRandom(seed);
        const change = { clocks: clocks[name] ?? trueClocks, history: 'good' } as const;
        const run = new ModelRun(shapeOf(random, change), random, { history: 300 });
        run.service.write(Math.floor(random() * 600));
        run.step((log) => log.poll());
        answerAll(run, grown);
        expect(run.requests).toBeLessThan(300);
        expect(run.log.isReady).toBe(true);
      }
  });
});

/** Answers all requests. @param grown lines that come with each. @param sent frames that come with each. */
function answerAll(run: ModelRun, grown = 0, sent = 0): void {
  for (let turn = 0; run.log.asking !== undefined && turn < 500; turn += 1) {
    run.service.write(grown);
    run.deliver(sent);
    run.process();
    run.answer();
  }
}

function numbersUpTo(run: ModelRun): string {
  const [first] = shownOf(run);
  const from = first !== undefined && 'number' in first ? first.number : 0;
  return run.service.all
    .slice(from)
    .map(({ number }) => number)
    .join(' ');
}

describe('ids that fall', () => {
  const batch = fc.oneof(
    fc.array(fc.nat(9), { minLength: 1, maxLength: 6 }),
    fc
      .uniqueArray(fc.nat(9), { minLength: 1, maxLength: 6 })
      .map((ids) => ids.toSorted((left, right) => left - right)),
  );

  it('are counted alike in runs whose ids rise and line by line', () => {
    fc.assert(
      fc.property(fc.array(batch, { maxLength: 12 }), (batches) => {
        const [byLines, byRuns] = [new FallingIds(), new FallingIds()];
        for (const ids of batches) {
          const rows = ids.map((id) => toRow({ id, logLine: '' }));
          byLines.note(rows);
          const isRising = ids.every((id, at) => at === 0 || id > (ids[at - 1] ?? id));
          const [first = 0, last = 0] = [ids[0], ids.at(-1)];
          if (isRising) byRuns.noteRising(first, last, ids.length);
          else byRuns.note(rows);
          expect(byRuns.isFound).toBe(byLines.isFound);
        }
      }),
    );
  });
});
