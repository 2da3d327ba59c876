import { expect, test } from 'vitest';
import { openOnForeign } from './foreign-console.ts';
import type { Session } from './harness.ts';

/** Every row is drawn whole: nothing wraps, and the rule between the sides has no hole. */
function expectWholeBorders(session: Session): void {
  const { rows } = session.terminal;
  const body = rows.slice(1, -2);
  expect(rows).toHaveLength(session.terminal.rows.length);
  const column = body[0]?.indexOf('┬') ?? -1;
  expect(column).toBeGreaterThan(0);
  expect(body.map((row) => row.padEnd(session.terminal.cols)[column]).join('')).toMatch(/^┬[│┤]+$/);
}

test('120x36 shows all panes with whole borders', async () => {
  await using deck = await openOnForeign({ cols: 120, rows: 36 });
  const { session } = deck;
  await session.waitFor('[1 Deployments 1]');
  await session.waitFor('2 Files bazaar/web 4');
  await session.waitFor(/4 Logs bazaar ─+ live \d/);
  expectWholeBorders(session);
  expect(session.terminal.rows[1]?.indexOf('┬')).toBe(46);
});

test('only the focused pane draws the cursor sign; the others underline their row', async () => {
  await using deck = await openOnForeign({ cols: 120, rows: 36 });
  const { session } = deck;
  await session.waitFor('2 Files bazaar/web 4');
  session.press('1');
  await session.waitFor(/^\[1 Deployments 1\] ━+┬ 4 Logs bazaar ─+ live/m);
  await session.waitFor(/^>o bazaar .*│/m);
  await session.waitFor(/^ {3}- config\/ .*│/m);
  session.press('2');
  await session.waitFor(/^\[2 Files bazaar\/web 4\] ━+┤/m);
  await session.waitFor(/^> {2}- config\/ .*│/m);
  await session.waitFor(/^ o bazaar .*│/m);
  const styleOf = (text: string) => {
    const row = session.terminal.rows.findIndex((one) => one.includes(text));
    const { underline, inverse } = session.terminal.cell(1, row);
    return { underline, inverse };
  };
  expect(styleOf(' o bazaar')).toEqual({ underline: true, inverse: false });
  expect(styleOf('- config/')).toEqual({ underline: false, inverse: true });
});

test('200x50 shows details beside the log', async () => {
  await using deck = await openOnForeign({ cols: 200, rows: 50 });
  const { session } = deck;
  await session.waitFor('┬ d Details bazaar ─');
  await session.waitFor(`id       ${deck.foreign.sample.slice(0, 13)}`);
  expectWholeBorders(session);
  expect(session.terminal.rows[1]?.indexOf('┬')).toBe(60);
});

test('resizing between one pane, all panes and too small never leaves broken borders', async () => {
  await using deck = await openOnForeign({ cols: 80, rows: 24 });
  const { session } = deck;
  await session.waitFor('[4 Logs bazaar]');
  session.press('1');
  await session.waitFor('[1 Deployments 1]');
  session.resize(120, 36);
  await session.waitFor(
    (now) => now.screen.includes('┬') && now.terminal.rows[35]?.includes('help'),
  );
  expectWholeBorders(session);
  session.resize(200, 50);
  await session.waitFor((now) => now.terminal.rows[49]?.includes('help'));
  await session.waitFor('┬ d Details bazaar ─');
  expectWholeBorders(session);
  session.resize(39, 9);
  await session.waitFor('hostdeck needs 40x10, this is 39x9');
  session.resize(20, 5);
  await session.waitFor('hostdeck needs');
  session.resize(80, 24);
  await session.waitFor((now) => now.terminal.rows[23]?.includes('help'));
  await session.waitFor('[1 Deployments 1]');
  expect(session.screen).not.toContain('┬');
  expect(session.terminal.rows[1]).toMatch(
    /^\[1 Deployments 1\] 2 Files {2}3 Grants 0 {2}4 Logs bazaar +live \d+\/s(?:, \d+ other)?$/,
  );
});
