import { expect, it } from 'vitest';
import { type Ending, wrongIn } from './judge-story.ts';
import type { Story } from './story.ts';

const ending = (more: Partial<Ending>): Ending => ({ verdict: 'worse', told: '', ...more });
const bad = { verdict: 'worse' } as const satisfies Partial<Story>;

it('a verdict is wrong when it is another one, but not when it is unclear', () => {
  expect(wrongIn(bad, ending({ verdict: 'unchanged' }))).toBe('unchanged instead of worse');
  expect(wrongIn({ verdict: 'unchanged' }, ending({}))).toBe('worse instead of unchanged');
  expect(wrongIn(bad, ending({ verdict: 'unclear' }))).toBeUndefined();
});

it('what is worse has to be restored, which is never worse', () => {
  expect(wrongIn(bad, ending({}))).toBe('the old bytes are not back');
  const back = { areBytesBack: true };
  expect(wrongIn(bad, ending({ ...back, restored: 'unchanged' }))).toBeUndefined();
  expect(wrongIn(bad, ending({ ...back, restored: 'worse' }))).toBe(
    'the run with the old files is worse',
  );
});
