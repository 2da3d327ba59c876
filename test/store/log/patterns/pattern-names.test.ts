import { expect, test } from 'vitest';
import { PatternNames } from '../../../../source/store/log/patterns/pattern-names.ts';

test('a pattern keeps its name while it becomes more general, and loses it with an empty one', () => {
  const names = new PatternNames();
  names.set('user ann opened <#> files', ' opened ');
  expect(names.of('user <*> opened <#> files')).toBe('opened');
  expect(names.of('user ann closed <#> files')).toBeUndefined();
  names.set('user <*> opened <#> files', 'files opened');
  expect(names.state.getState()).toEqual([
    { template: 'user <*> opened <#> files', name: 'files opened' },
  ]);
  names.set('user <*> opened <#> files', '');
  expect(names.of('user ann opened <#> files')).toBeUndefined();
});

test('a limited number of names is kept, the newest ones', () => {
  const names = new PatternNames();
  for (let index = 0; index < 150; index += 1) names.set(`${'a '.repeat(index)}b`, `n${index}`);
  expect(names.state.getState()).toHaveLength(100);
  expect(names.of(`${'a '.repeat(149)}b`)).toBe('n149');
});
