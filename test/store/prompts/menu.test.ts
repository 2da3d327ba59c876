import { expect, test } from 'vitest';
import { foundItems, openMenu } from '../../../source/store/prompts/menu.ts';

const choose = (): void => {};

const menu = openMenu({
  title: 'service',
  items: () => [
    { id: '1', label: 'Web', choose },
    { id: '2', label: 'api', found: 'api blue.example', choose },
  ],
});

const found = (narrow: string) => foundItems({ ...menu, narrow }).map(({ id }) => id);

test('a menu finds its items by their labels or by other words, in any case', () => {
  expect(found('')).toEqual(['1', '2']);
  expect(found('wE')).toEqual(['1']);
  expect(found('BLUE.')).toEqual(['2']);
  expect(found('green')).toEqual([]);
});
