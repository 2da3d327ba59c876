import { expect, test } from 'vitest';
import { choiceLine } from '../../../source/view/text/choice-line.ts';
import { spansText } from '../../../source/view/text/fit.ts';

test('choices are drawn as far as they fit whole, with the number of the others', () => {
  const drawn = (width: number) => spansText(choiceLine(['api', 'web', 'a\u001b[2Jb'], width));
  expect(drawn(80)).toMatch(/^api {2}web {2}a.*b$/);
  expect(drawn(80)).not.toContain('\u001b');
  expect(drawn(12)).toBe('api  web  +1');
  expect(drawn(4)).toBe('+3');
});
