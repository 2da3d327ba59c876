import { expect, it } from 'vitest';
import { fileCount, type Plan, planOf, type Step } from './plan.ts';

const plans = Array.from({ length: 300 }, (_, round) => planOf(7, round));

function wordsOf(step: Step): readonly string[] {
  if (step.kind === 'type') return [step.word];
  return step.kind === 'save' && step.meanwhile !== '' ? [step.meanwhile] : [];
}

it('a plan is the same for the same seed and round, and another for another', () => {
  expect(planOf(7, 3)).toEqual(planOf(7, 3));
  expect(new Set(plans.map((plan) => JSON.stringify(plan))).size).toBeGreaterThan(250);
  expect(planOf(8, 3)).not.toEqual(planOf(7, 3));
});

it('a day opens a file first, and no word of it is in another one', () => {
  for (const { steps } of plans) {
    expect(steps[0]).toMatchObject({ kind: 'open' });
    const words = steps.flatMap(wordsOf).map((word) => word.trimEnd());
    for (const word of words) {
      expect(words.filter((other) => other.includes(word))).toEqual([word]);
    }
  }
});

it('a save has something to send', () => {
  for (const { steps } of plans) {
    let typed = false;
    for (const step of steps) {
      if (step.kind === 'save') {
        expect(typed).toBe(true);
        typed = step.meanwhile !== '';
      } else if (step.kind === 'type') typed = true;
      else if (step.kind === 'open') {
        expect(step.file).toBeLessThan(fileCount);
        typed = false;
      }
    }
  }
});

it('a moment that needs a save or a restart can come', () => {
  for (const { steps, moment, restartDelay } of plans) {
    if (moment.kind === 'clock') continue;
    expect(steps.map(({ kind }) => kind)).toContain('save');
    if (moment.what.startsWith('restart')) expect(restartDelay).not.toBe('off');
  }
});

it('every kind of kill and of moment comes up', () => {
  const kinds = (of: (plan: Plan) => string) => new Set(plans.map(of)).size;
  expect(kinds(({ killing }) => killing)).toBe(3);
  const momentOf = ({ moment }: Plan): string =>
    moment.kind === 'clock' ? 'clock' : JSON.stringify({ ...moment, after: 0 });
  expect(kinds(momentOf)).toBe(1 + 4 + 2);
});
