import { expect, test } from 'vitest';
import { lineWidth } from '../../../source/view/text/fit.ts';
import { tabsLine } from '../../../source/view/shell/tabs.ts';

const titles = {
  deployments: '1 Deployments 4/312 /shop',
  files: '2 Files shop/web 5',
  grants: '3 Grants 2',
  main: '4 Logs shop',
};
const textAt = (width: number) =>
  tabsLine(titles, 'main', width)
    .map((part) => part.text)
    .join('');

test('the focused tab has brackets, and tabs are whole when they fit', () => {
  expect(textAt(80)).toBe(
    ' 1 Deployments 4/312 /shop  2 Files shop/web 5  3 Grants 2 [4 Logs shop]',
  );
});

test('the focused tab stays whole while the others shorten', () => {
  expect(textAt(60)).toBe(' 1 Deployments 4/312 /shop  2 Files  3 Grants [4 Logs shop]');
  expect(textAt(40)).toBe(' 1  2  3 [4 Logs shop]');
  for (let width = 24; width < 100; width += 1) {
    expect(lineWidth(tabsLine(titles, 'main', width))).toBeLessThanOrEqual(width);
    expect(textAt(width)).toContain('[4 Logs shop]');
  }
});
