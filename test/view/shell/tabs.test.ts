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

test('the focused tab has brackets, and the others their counts where they fit', () => {
  expect(textAt(80)).toBe(' 1 Deployments 4/312 /shop  2 Files  3 Grants 2 [4 Logs shop]');
  const files = tabsLine(titles, 'files', 80).map((part) => part.text);
  expect(files.join('')).toContain('[2 Files shop/web 5]');
});

test("a narrow row cuts the focused name for the pane's own state, not for that of the log", () => {
  const long = { ...titles, main: '4 View config/app.yaml' };
  const state = [{ text: '1-6 of 6' }];
  const cut = tabsLine(long, 'main', 40, { own: state, log: [] });
  expect(cut.map((part) => part.text).join('')).toBe(' 1  2  3 [4 View config/app.y…] 1-6 of 6');
  const list = tabsLine(titles, 'deployments', 40, { own: [], log: [{ text: 'stopped 11:41' }] });
  expect(list.map((part) => part.text).join('')).toBe('[1 Deployments 4/312 /shop] 2  3  4 ');
});

test('the focused tab stays whole while the others shorten', () => {
  expect(textAt(60)).toBe(' 1 Deployments 4/312 /shop  2 Files  3 Grants [4 Logs shop]');
  expect(textAt(40)).toBe(' 1  2  3 [4 Logs shop]');
  for (let width = 24; width < 100; width += 1) {
    expect(lineWidth(tabsLine(titles, 'main', width))).toBeLessThanOrEqual(width);
    expect(textAt(width)).toContain('[4 Logs shop]');
  }
});

test('the log loses the time of its last line before the other tabs lose their names', () => {
  const files = { ...titles, deployments: '1 Deployments 30', files: '2 Files payments/api 6' };
  const log = [{ text: 'live 0/s since 17:18:43' }];
  const row = (width: number) =>
    tabsLine(files, 'files', width, { own: [], log })
      .map((part) => part.text)
      .join('');
  expect(row(100)).toMatch(
    /^ 1 Deployments 30 \[2 Files payments\/api 6\] 3 Grants .*since 17:18:43$/,
  );
  expect(row(80)).toMatch(/^ 1 Deployments.* \[2 Files payments\/api 6\] 3 Grants.* live 0\/s$/);
  expect(row(44)).toMatch(/^ 1 \[2 Files payments\/api 6\] 3 .* live 0\/s$/);
});
