import { describe, expect, it } from 'vitest';
import type { LogLine } from '../../../source/contract/logs.ts';
import { listedByTime, smallSkews, wrongInListed } from './listed-verdict.ts';
import { ModelRun, runModel, type RunOptions } from './model-run.ts';
import { createRandom, type ServiceShape } from './model-service.ts';
import { shownOf, wrongInNumbered, wrongInUnnumbered } from './model-verdict.ts';
import { numberedShape, trueClocks } from './shapes.ts';

/** Each test has a few services of those that `npm run cuts` and simulate.ts try by the thousand. */
const oneNumbering = { restarts: 'none' } as const;

/** Without faults of the frames, of which nothing could tell the order. */
const unnumbered = {
  ids: 'none',
  swaps: 0,
  doubles: 0,
  losses: 0,
  late: 0,
  restarts: 'none',
  clocks: trueClocks,
} as const;

/** Returns what is wrong at the end of a run. */
function wrongAt(
  seed: number,
  change: Partial<ServiceShape>,
  wrongIn = wrongInNumbered,
  options?: RunOptions,
): string | undefined {
  try {
    const run = runModel(seed, (random) => ({ ...numberedShape(random), ...change }), options);
    const wrong = wrongIn(run);
    return wrong && `seed ${seed}: ${wrong}\n${JSON.stringify(run.service.shape)}`;
  } catch (error) {
    return `seed ${seed}: ${String(error)}`;
  }
}

function textOf(run: ModelRun): string {
  return shownOf(run)
    .map((each) => ('row' in each ? each.row : each.number))
    .join(' ');
}

describe('a log whose lines have ids', () => {
  it('is what the service has, whatever the clocks of its services do', () => {
    for (let seed = 0; seed < 100; seed += 1) expect(wrongAt(seed, oneNumbering)).toBeUndefined();
  });

  it('keeps what a paused reader shows, and says what memory has dropped behind it', () => {
    const options = { maxLines: 120, pauses: true };
    const seeds = Array.from({ length: 40 }, (_, seed) => seed);
    for (const seed of [...seeds, 3689, 7334, 7420, 7615])
      expect(wrongAt(seed, oneNumbering, wrongInNumbered, options)).toBeUndefined();
  });

  it('says what a service that keeps ten lines no longer has', () => {
    for (let seed = 0; seed < 40; seed += 1)
      expect(wrongAt(seed, { ...oneNumbering, retention: 10 })).toBeUndefined();
  });

  it('keeps its ids although the service removes single older lines', () => {
    for (let seed = 0; seed < 20; seed += 1)
      expect(wrongAt(seed, { ...oneNumbering, removes: 7 })).toBeUndefined();
  });

  it('says what a service that refuses far offsets does not give', () => {
    for (const refusedFrom of [30, 100, 250])
      for (let seed = 0; seed < 20; seed += 1)
        expect(wrongAt(seed, { ...oneNumbering, refusedFrom })).toBeUndefined();
  });

  it('has the lines of pages that are listed by time, or a label', () => {
    for (let seed = 0; seed < 50; seed += 1)
      expect(wrongAt(seed, { ...oneNumbering, listedBy: 'time' })).toBeUndefined();
  });

  it('has every line of pages that are listed by times that differ little', () => {
    for (let seed = 0; seed < 50; seed += 1) {
      const run = runModel(seed, (random) => {
        const shape = { ...numberedShape(random), ...listedByTime };
        return { ...shape, clocks: smallSkews(random) };
      });
      expect(wrongInListed(run), `seed ${seed}`).toBeUndefined();
    }
  });

  it('has the same order, rows and labels whatever the times are', () => {
    for (let seed = 0; seed < 30; seed += 1) {
      const [faulty, plain] = [{}, { clocks: trueClocks }].map((clocks) =>
        runModel(seed, (random) => ({ ...numberedShape(random), ...oneNumbering, ...clocks })),
      ) as [ModelRun, ModelRun];
      expect([seed, textOf(faulty), faulty.log.labels]).toEqual([
        seed,
        textOf(plain),
        plain.log.labels,
      ]);
    }
  });
});

describe('a gap of 400 lines', () => {
  it('is read although lines come with each request', () => {
    for (const grown of [1, 10])
      for (let seed = 0; seed < 20; seed += 1) {
        const random = createRandom(seed);
        const change = { ...oneNumbering, retention: 1e6, history: 'good', losses: 0 } as const;
        const run = new ModelRun({ ...numberedShape(random), ...change }, random);
        run.service.write(300);
        run.open();
        run.step((log) => log.older(50));
        const answerAll = (): void => {
          for (let turn = 0; run.log.asking !== undefined && turn < 200; turn += 1) {
            run.service.write(grown);
            run.deliver(Number.POSITIVE_INFINITY);
            run.process();
            run.answer();
          }
        };
        answerAll();
        run.cut();
        run.service.write(400);
        run.open();
        run.requests = 0;
        answerAll();
        expect(run.log.asking, `seed ${seed}`).toBeUndefined();
        expect(run.requests).toBeLessThan(70);
        expect(shownOf(run).filter((each) => 'row' in each)).toEqual([]);
      }
  });
});

describe('a log of 20,000 lines', () => {
  it('is not read whole for its last 50 when lines come before the first page', () => {
    for (let seed = 0; seed < 20; seed += 1) {
      const random = createRandom(seed);
      const change = { ...oneNumbering, retention: 1e6, history: 'good', losses: 0 } as const;
      const shape = { ...numberedShape(random), ...change, pageCap: 60, replay: 0, lag: 0 };
      const run = new ModelRun(shape, random);
      run.service.write(20_000);
      run.open();
      for (let turn = 0; run.log.asking !== undefined && turn < 100; turn += 1) {
        run.service.write(3);
        run.deliver(Number.POSITIVE_INFINITY);
        run.process();
        run.answer();
      }
      expect(run.log.asking, JSON.stringify(shape)).toBeUndefined();
      expect(run.requests).toBeLessThan(40);
      expect(shownOf(run).filter((each) => 'row' in each)).toEqual([]);
    }
  });
});

describe('a log whose frames come in pieces', () => {
  it('has the same lines and rows since the later beginning of two', () => {
    for (let seed = 0; seed < 20; seed += 1) {
      const [halves, lines] = (['halves', 'lines'] as const).map((pieces) =>
        runModel(seed, (random) => ({ ...numberedShape(random), ...oneNumbering }), { pieces }),
      ) as [ModelRun, ModelRun];
      // Pages that come at other moments bring more or less history.
      const begin = Math.max(firstOf(halves), firstOf(lines));
      expect([seed, textFrom(lines, begin)]).toEqual([seed, textFrom(halves, begin)]);
    }
  });
});

function firstOf(run: ModelRun): number {
  return shownOf(run).find((each) => 'number' in each)?.number ?? 0;
}

function textFrom(run: ModelRun, begin: number): string {
  const shown = shownOf(run);
  const from = shown.findIndex((each) => 'number' in each && each.number === begin);
  return shown
    .slice(from)
    .map((each) => ('row' in each ? each.row : each.number))
    .join(' ');
}

describe('a log in which each service numbers for itself', () => {
  it('is unnumbered, and loses and doubles no line without a row', () => {
    for (const seed of [...Array.from({ length: 40 }, (_, each) => each), 1571])
      expect(
        wrongAt(seed, { ...unnumbered, ids: 'per-service' }, wrongInUnnumbered),
      ).toBeUndefined();
  });

  it('begins behind the lines at hand that were put by their ids', () => {
    const change = { ...unnumbered, ids: 'per-service', doubles: 0.05 } as const;
    expect(wrongAt(5078, change, wrongInUnnumbered)).toBeUndefined();
  });
});

describe('a new numbering', () => {
  const shape: ServiceShape = {
    ...numberedShape(createRandom(1)),
    ...unnumbered,
    offsets: 'newest',
    rows: 'newest',
    pageCap: 1000,
    growing: false,
    ids: 'dense',
    services: 1,
    replay: 0,
    retention: Number.MAX_SAFE_INTEGER,
    lag: 0,
    cut: undefined,
    equal: 0,
    history: 'good',
  };

  const answerAll = (run: ModelRun): void => {
    while (run.log.asking !== undefined) {
      run.process();
      run.answer();
    }
  };

  const numbers = Array.from({ length: 62 }, (_, number) => number);
  const expected = numbers.toSpliced(50, 0, 'renumbered' as never).join(' ');

  /** Reads 50 lines, and 12 more after a restart. */
  const runRestart = (change: Partial<ServiceShape>): ModelRun => {
    const run = new ModelRun({ ...shape, ...change }, createRandom(1));
    run.service.write(50);
    run.open();
    run.deliver(Number.POSITIVE_INFINITY);
    answerAll(run);
    run.service.restart();
    run.service.write(12);
    run.deliver(Number.POSITIVE_INFINITY);
    answerAll(run);
    return run;
  };

  it.each([
    ['anew', [2199, 2484, 2585, 3487, 3656, 3703, 4779]],
    ['wiped', [2118, 2286, 2759, 3764, 3889]],
    ['backup', [2217, 2219, 2394, 2575, 3583, 3595, 3644, 10_859]],
  ] as const)(
    'loses, doubles and moves no line without a row or a label in random runs: %s',
    (restarts, found) => {
      for (const seed of [...Array.from({ length: 25 }, (_, each) => each), ...found])
        expect(wrongAt(seed, { restarts })).toBeUndefined();
    },
  );

  it('loses, doubles and moves no line in services in which long runs have found faults', () => {
    const found = [
      102_867, 102_901, 107_115, 107_365, 111_887, 115_967, 117_546, 119_836, 125_442, 127_185,
      130_464, 134_936, 135_030, 135_060, 138_305, 144_124, 304_097, 304_836, 408_873, 614_030,
      601_191, 603_208, 605_411, 609_092, 609_452, 609_536, 612_028, 612_197, 612_546, 615_229,
      615_947, 616_634, 618_817, 619_619, 619_851, 620_548, 622_578, 625_329, 625_690, 629_260,
      632_153, 636_078, 638_013, 639_037, 647_303, 648_141, 701_509, 706_904, 709_009, 714_485,
      610_478, 620_315, 620_770, 643_690, 645_426, 652_346, 600_331, 602_104, 602_353, 603_581,
      607_668, 630_092, 631_666, 638_318, 641_289,
    ];
    for (const seed of found) expect(wrongAt(seed, {})).toBeUndefined();
  });

  it('loses, doubles and moves no line of a service that removes single older lines', () => {
    for (let seed = 0; seed < 10; seed += 1)
      for (const restarts of ['anew', 'wiped', 'backup'] as const)
        expect(wrongAt(seed, { restarts, removes: 7 })).toBeUndefined();
  });

  it('is not told from texts that HTTP shows in another form', () => {
    const run = new ModelRun(shape, createRandom(1));
    const page = run.service.page.bind(run.service);
    const changed = (line: LogLine): LogLine => ({ ...line, logLine: line.logLine.toUpperCase() });
    run.service.page = (offset, limit) =>
      page(offset, limit)?.map((line) => (Number(line.id) % 3 === 0 ? changed(line) : line));
    run.open();
    run.service.write(50);
    run.deliver(25);
    answerAll(run);
    run.deliver(Number.POSITIVE_INFINITY);
    for (let tick = 0; tick < 6; tick += 1) run.tick();
    run.step((log) => log.poll());
    answerAll(run);
    expect(run.log.labels).toEqual([]);
    expect(textOf(run)).toBe(numbers.slice(0, 50).join(' '));
  });

  it('is told by ids in nearly all random runs', () => {
    const runs = Array.from({ length: 100 }, (_, seed) =>
      runModel(seed, (random) => ({ ...numberedShape(random), restarts: 'anew' })),
    );
    const unnumberedRuns = runs.filter(({ log }) => log.labels.includes('unnumbered'));
    expect(unnumberedRuns.length).toBeLessThanOrEqual(6);
  });

  it.each(['anew', 'wiped', 'backup'] as const)('stands behind a row: %s', (restarts) => {
    expect(textOf(runRestart({ restarts }))).toBe(expected);
  });

  it.each(['anew', 'wiped', 'backup'] as const)(
    'is told from doubled lines, and from lines that a stream repeats: %s',
    (restarts) => {
      const run = runRestart({ restarts, doubles: 1, replay: Number.MAX_SAFE_INTEGER });
      expect(textOf(run)).toBe(expected);
      run.cut();
      run.open();
      run.deliver(Number.POSITIVE_INFINITY);
      answerAll(run);
      expect(textOf(run)).toBe(expected);
    },
  );
});
