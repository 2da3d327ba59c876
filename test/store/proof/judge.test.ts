import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  judgeRun,
  proofSentence,
  type RunEvidence,
  type ServiceErrors,
} from '../../../source/store/proof/judge.ts';

const web: ServiceErrors = {
  name: 'web',
  errors: 0,
  freshErrors: 0,
  seconds: 30,
  usual: 0,
  atStart: undefined,
};

const seen = (service: Partial<ServiceErrors>, more: Partial<RunEvidence> = {}): RunEvidence => ({
  services: [{ ...web, ...service }],
  crashes: 0,
  isRestartedAgain: false,
  ...more,
});

const verdictOf = (service: Partial<ServiceErrors>, more: Partial<RunEvidence> = {}) =>
  judgeRun(seen(service, more)).verdict;

describe('a run', () => {
  it('is worse with three errors, and more than twice the usual number a minute', () => {
    expect(verdictOf({ errors: 2 })).toBe('unchanged');
    expect(verdictOf({ errors: 3 })).toBe('worse');
    expect(verdictOf({ errors: 10, usual: 10 })).toBe('unchanged');
    expect(verdictOf({ errors: 11, usual: 10 })).toBe('worse');
    expect(verdictOf({ errors: 11, usual: 0, atStart: 11 })).toBe('unchanged');
  });

  it('is worse with three errors of a new kind, unless there are fewer than usual', () => {
    expect(verdictOf({ errors: 6, freshErrors: 2, usual: 10 })).toBe('unchanged');
    expect(verdictOf({ errors: 6, freshErrors: 3, usual: 10 })).toBe('worse');
    expect(verdictOf({ errors: 4, freshErrors: 3, usual: 10 })).toBe('unchanged');
  });

  it('is worse after a crash, and when the service has undone it, whatever the log says', () => {
    expect(verdictOf({}, { crashes: 1, unread: 'its log is gone' })).toBe('worse');
    expect(verdictOf({}, { rolledBack: 'web exited 1', isRestartedAgain: true })).toBe('worse');
  });

  it('is unclear where it can not be read to its end', () => {
    const reasonOf = (more: Partial<RunEvidence>) => judgeRun(seen({}, more)).reason;
    expect(reasonOf({ isRestartedAgain: true })).toBe('restarted again');
    expect(reasonOf({ isStarting: true })).toBe('still starting');
    expect(reasonOf({ unread: 'its log was not read in time' })).toBe(
      'its log was not read in time',
    );
    expect(reasonOf({ services: [] })).toBeUndefined();
  });

  it('is never called better by further errors or crashes', () => {
    const count = fc.nat(200);
    const errors = fc.record({
      errors: count,
      freshErrors: count,
      usual: fc.option(fc.nat(100), { nil: undefined }),
      atStart: fc.option(fc.nat(100), { nil: undefined }),
    });
    fc.assert(
      fc.property(errors, count, count, fc.nat(2), (service, more, fresh, crashes) => {
        if (verdictOf(service) !== 'worse') return;
        const further = {
          ...service,
          errors: service.errors + more + fresh,
          freshErrors: service.freshErrors + fresh,
        };
        expect(verdictOf(further, { crashes })).toBe('worse');
      }),
    );
  });

  it('with errors as often as before, or less often, is not worse', () => {
    fc.assert(
      fc.property(fc.nat(100), fc.nat(100), (errors, less) => {
        const before = { errors, usual: errors * 2 + less };
        expect(verdictOf(before)).toBe('unchanged');
      }),
    );
  });
});

describe('the sentence about a verdict', () => {
  const at = new Date(2026, 10, 28, 12, 1, 8).getTime();
  const restart = { name: 'shop', at, files: 2, advice: 'B compares.' };
  const said = (service: Partial<ServiceErrors>, more: Partial<RunEvidence> = {}) =>
    proofSentence(restart, judgeRun(seen(service, more)));

  it('has the numbers', () => {
    expect(said({ errors: 7, freshErrors: 5, usual: 0.2 }, { crashes: 2 })).toBe(
      'shop is worse since 12:01:08: 2 crashes, 14 errors/min (0.2 before, 5 of a new kind). ' +
        '2 of your files; others may have changed too. B compares.',
    );
    expect(said({ errors: 1, atStart: 4 })).toBe(
      'shop has no new problems since 12:01:08: 2 errors/min (4 at the start before).',
    );
    expect(said({ usual: undefined })).toBe(
      'shop has no new problems since 12:01:08: 0 errors/min.',
    );
  });

  it('names the service where there are several', () => {
    const services = [web, { ...web, name: 'db', errors: 30 }];
    expect(
      proofSentence({ ...restart, files: 0, advice: '' }, judgeRun(seen({}, { services }))),
    ).toBe('shop is worse since 12:01:08: db 60 errors/min (0 before).');
  });

  it('says why it is unclear, and why a restart was undone', () => {
    expect(said({}, { unread: 'lines of its log are missing.' })).toBe(
      'shop since 12:01:08 is unclear: lines of its log are missing.',
    );
    expect(said({}, { rolledBack: 'web exited 1' })).toContain(
      'worse since 12:01:08: the restart was undone (web exited 1).',
    );
  });
});
