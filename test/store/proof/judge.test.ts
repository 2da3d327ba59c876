import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  judgeRun,
  type RunEvidence,
  type ServiceEvidence,
} from '../../../source/store/proof/judge.ts';
import type { LogSample } from '../../../source/store/proof/sample.ts';
import { proofSentence } from '../../../source/store/proof/sentences.ts';

const proof = 30;
const second = fc.record({
  lines: fc.oneof(fc.constant(0), fc.nat(60)),
  isError: fc.boolean(),
  part: fc.double({ min: 0, max: 1, noNaN: true }),
});

const toSample = (
  seconds: readonly { lines: number; isError: boolean; part: number }[],
): LogSample => ({
  lines: seconds.map(({ lines }) => lines),
  errors: seconds.map(({ lines, isError, part }) => (isError ? Math.round(lines * part) : 0)),
});
const whole = fc.array(second, { minLength: proof, maxLength: proof }).map(toSample);
const some = fc.array(second, { minLength: 1, maxLength: proof }).map(toSample);
const service: fc.Arbitrary<ServiceEvidence> = fc.record({
  name: fc.constant('web'),
  run: whole,
  starts: fc.array(
    fc
      .tuple(some, fc.option(fc.nat(proof / 3), { nil: undefined }))
      .map(([{ lines, errors }, errorsFrom]) => ({ lines, errors, errorsFrom })),
    { maxLength: 6 },
  ),
  hour: fc.array(some, { maxLength: 8 }),
});

const evidence = (...services: readonly ServiceEvidence[]): RunEvidence => ({
  services,
  crashes: 0,
  isRestartedAgain: false,
});
const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

/** A sample with the same counts in each second. */
const steady = (lines: number, errors = 0, seconds = proof): LogSample => ({
  lines: Array.from({ length: seconds }, () => lines),
  errors: Array.from({ length: seconds }, () => errors),
});
/** A sample that is steady for some seconds, and then silent. */
const until = (seconds: number, lines: number): LogSample => ({
  lines: Array.from({ length: proof }, (_, at) => (at < seconds ? lines : 0)),
  errors: Array.from({ length: proof }, () => 0),
});
/** A sample that is silent for some seconds, and then steady. */
const after = (seconds: number, lines: number): LogSample => ({
  lines: Array.from({ length: proof }, (_, at) => (at < seconds ? 0 : lines)),
  errors: Array.from({ length: proof }, () => 0),
});
/** A sample with errors in every n-th second from one on. */
const errorsEvery = (every: number, each: number, from = 0, lines = 2): LogSample => ({
  lines: Array.from({ length: proof }, () => Math.max(lines, each)),
  errors: Array.from({ length: proof }, (_, at) => (at >= from && at % every === 0 ? each : 0)),
});
/** A sample with errors in one second. */
const burstAt = (second: number, errors: number): LogSample => ({
  lines: Array.from({ length: proof }, (_, at) => (at === second ? errors : 2)),
  errors: Array.from({ length: proof }, (_, at) => (at === second ? errors : 0)),
});
const repeated = <T>(times: number, value: T): readonly T[] =>
  Array.from({ length: times }, () => value);
const cleanHour = repeated(120, steady(2));

const judge = (one: Partial<ServiceEvidence>, more: Partial<RunEvidence> = {}) =>
  judgeRun({
    ...evidence({ name: 'web', run: steady(2), starts: [], hour: [], ...one }),
    ...more,
  });

describe('the judgement of a run', () => {
  it('stays worse where more of its lines are errors', () => {
    fc.assert(
      fc.property(service, fc.array(fc.nat(), { maxLength: proof }), (one, more) => {
        const before = judgeRun(evidence(one)).verdict;
        const errors = one.run.errors.map((count, at) =>
          Math.min(one.run.lines[at] ?? 0, count + (more[at] ?? 0)),
        );
        const after = judgeRun(evidence({ ...one, run: { ...one.run, errors } })).verdict;
        expect(before === 'worse' && after !== 'worse').toBe(false);
        expect(before === 'unclear' && after === 'no worse').toBe(false);
      }),
    );
  });

  it('is never worse with fewer than three errors, no crash and no silence', () => {
    fc.assert(
      fc.property(service, (one) => {
        let left = 2;
        const errors = one.run.errors.map((count) => {
          const kept = Math.min(left, count);
          left -= kept;
          return kept;
        });
        const lines = one.run.lines.map((count, at) => (at === proof - 1 ? count + 1 : count));
        const judged = judgeRun(evidence({ ...one, run: { lines, errors } }));
        expect(judged.verdict).not.toBe('worse');
      }),
    );
  });

  it('is never no worse where nothing is known of before, or nothing was written', () => {
    fc.assert(
      fc.property(service, (one) => {
        expect(judgeRun(evidence({ ...one, starts: [], hour: [] })).verdict).toBe('unclear');
        const silent = judgeRun(evidence({ ...one, run: steady(0) }));
        expect(silent.verdict).not.toBe('no worse');
      }),
    );
  });

  it('is worse with a crash, whatever else was seen', () => {
    fc.assert(
      fc.property(service, fc.boolean(), (one, isRestartedAgain) => {
        const judged = judgeRun({ ...evidence(one), crashes: 1, isRestartedAgain });
        expect(judged.verdict).toBe('worse');
        expect(judged.figures.crashes).toBe(1);
      }),
    );
  });

  it('tells errors a minute of the run and of its baseline', () => {
    fc.assert(
      fc.property(service, (one) => {
        const { figures } = judgeRun(evidence(one));
        expect(figures.errorsPerMinute).toBeCloseTo((sum(one.run.errors) * 60) / proof);
        expect(figures.baseline === undefined).toBe(one.starts.length + one.hour.length === 0);
      }),
    );
  });
});

const starts = repeated(5, steady(2));
const busy = { lines: 1000, errors: 5 };

describe('a run', () => {
  const cases: readonly (readonly [string, Partial<ServiceEvidence>, string])[] = [
    ['that writes an error each two seconds', { run: errorsEvery(2, 1), starts }, 'worse'],
    [
      'that writes a stack of errors each five seconds',
      { run: errorsEvery(5, 4), starts },
      'worse',
    ],
    [
      'with errors at its start alone, where no start had any',
      { run: errorsEvery(40, 6), starts },
      'worse',
    ],
    ['with a burst of errors later', { run: burstAt(12, 25), starts }, 'unclear'],
    ['with two errors', { run: errorsEvery(20, 1), starts }, 'no worse'],
    ['with errors after one clean start', { run: errorsEvery(2, 1), starts: [steady(2)] }, 'worse'],
    [
      'with errors, and only the hour before is known',
      { run: errorsEvery(2, 1), hour: cleanHour },
      'worse',
    ],
    [
      'with errors of a start, and only the hour before is known',
      { run: { ...steady(5), errors: errorsEvery(40, 5).errors }, hour: cleanHour },
      'unclear',
    ],
    [
      'with the errors of every start',
      { run: errorsEvery(3, 2), starts: repeated(5, errorsEvery(3, 2)) },
      'no worse',
    ],
    [
      'with twice the errors of a busy service',
      { run: steady(busy.lines, 10), starts: repeated(5, steady(busy.lines, busy.errors)) },
      'unclear',
    ],
    [
      'with ten times the errors of a busy service',
      { run: steady(busy.lines, 50), starts: repeated(5, steady(busy.lines, busy.errors)) },
      'worse',
    ],
    ['with a storm of lines without errors', { run: steady(5000), starts }, 'no worse'],
    ['that is silent where lines came steadily', { run: steady(0), starts }, 'worse'],
    ['that falls silent after eight seconds', { run: until(8, 2), starts }, 'worse'],
    [
      'that falls silent after five seconds, though starts took longer than that to write',
      { run: until(5, 2), starts: [after(12, 2), after(14, 2), after(2, 2)] },
      'worse',
    ],
    [
      'that takes as long for its first lines as it did once',
      { run: after(25, 2), starts: [after(24, 2), after(2, 2), after(2, 2)] },
      'no worse',
    ],
    [
      'that is silent where each start wrote its lines at once',
      { run: steady(0), starts: repeated(3, until(2, 40)) },
      'worse',
    ],
    [
      'that is silent after the lines of its start, as always',
      { run: until(2, 40), starts: repeated(3, until(2, 40)) },
      'no worse',
    ],
    [
      'that is silent while only the hour before is known',
      { run: steady(0), hour: cleanHour },
      'unclear',
    ],
    [
      'of a silent service',
      { run: steady(0), starts: repeated(5, steady(0)), hour: repeated(120, steady(0)) },
      'unclear',
    ],
    ['as before', { run: steady(2), starts }, 'no worse'],
    ['as in the hour before', { run: steady(2), hour: cleanHour }, 'no worse'],
  ];
  for (const [name, one, verdict] of cases) {
    it(`${name} is ${verdict}`, () => {
      expect(judge(one).verdict).toBe(verdict);
    });
  }

  it('counts no errors of seconds whose errors an earlier start does not count', () => {
    /** Errors at the start, of which a rollout counts those behind the last stop of the version before. */
    const starting = (errorsFrom: number): LogSample => ({
      lines: Array.from({ length: proof }, () => 5),
      errors: Array.from({ length: proof }, (_, at) => (at >= errorsFrom && at < 9 ? 4 : 0)),
      errorsFrom,
    });
    const judged = (starts: readonly LogSample[]) =>
      judgeRun(evidence({ name: 'web', run: starting(1), starts, hour: [] })).verdict;
    expect(judged([starting(9), starting(9)])).toBe('no worse');
    expect(judged([starting(1), starting(9)])).toBe('no worse');
    expect(judged([steady(5), steady(5)])).not.toBe('no worse');
  });

  it('is unclear when it was restarted again', () => {
    const judged = judge({ run: errorsEvery(2, 1), starts }, { isRestartedAgain: true });
    expect(judged).toMatchObject({ verdict: 'unclear', reason: { kind: 'restarted again' } });
  });

  it('is unclear when its lines could not be read, and they may be those that are missing', () => {
    const unread = 'The log could not be read (503).';
    const judged = judge({ run: steady(0), starts }, { unread });
    expect(judged).toMatchObject({ verdict: 'unclear', reason: { kind: 'unread' } });
    expect(judge({ run: errorsEvery(2, 1), starts }, { unread }).verdict).toBe('worse');
  });

  it('is worse when one of its services is silent, however much the others write', () => {
    const judged = judgeRun(
      evidence(
        { name: 'api', run: steady(300), starts: repeated(5, steady(300)), hour: [] },
        { name: 'web', run: steady(0), starts, hour: [] },
      ),
    );
    expect(judged).toMatchObject({
      verdict: 'worse',
      figures: { service: 'web', silence: { seconds: proof, expected: 60 } },
    });
  });
});

describe('the sentence of a verdict', () => {
  const at = new Date(2026, 10, 26, 12, 1, 8).getTime();
  const restart = { name: 'shop', at, files: 2, advice: 'u restores yours.', hasSeveral: false };
  const sentence = (one: Partial<ServiceEvidence>, more: Partial<RunEvidence> = {}) =>
    proofSentence(restart, judge(one, more));

  it('tells crashes, errors and the baseline, and what undoes it', () => {
    const once: LogSample = { lines: [1], errors: [1] };
    const earlier = [
      ...repeated(4, steady(2)),
      {
        lines: [...steady(2, 0, 29).lines, 1],
        errors: [...steady(2, 0, 29).errors, ...once.errors],
      },
    ];
    expect(sentence({ run: errorsEvery(4, 1), starts: earlier }, { crashes: 2 })).toBe(
      'shop is worse since 12:01:08: 2 crashes, 16 errors/min (0.4 at 5 earlier starts). 2 of your files; others may have changed too. u restores yours.',
    );
  });

  it('names the hour before, a silence, and why it is unclear', () => {
    expect(sentence({ run: steady(2), hour: cleanHour })).toBe(
      'shop has no new problems since 12:01:08: 0 errors/min (0 in the hour before).',
    );
    expect(sentence({ run: steady(0), starts })).toContain(
      'silent for 30 s (60 lines at 5 earlier starts)',
    );
    expect(sentence({}, { isRestartedAgain: true })).toBe(
      'shop since 12:01:08 is unclear: restarted again.',
    );
    expect(sentence({})).toBe(
      'shop since 12:01:08 is unclear: no earlier start or hour to compare with; 0 errors/min.',
    );
  });
});
