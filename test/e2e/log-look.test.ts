import { expect, test } from 'vitest';
import { launchOnForeign, openOnForeign } from './foreign-console.ts';
import type { Session } from './harness.ts';
import type { Foreign } from '../servers/foreign.ts';

const cursorRow = ({ terminal }: Session): string =>
  terminal.rows.find((row) => row.startsWith('>')) ?? '';

function write(foreign: Foreign, count: number): void {
  for (let number = 1; number <= count; number += 1) {
    const text = number % 400 === 0 ? `ERROR line ${number}` : `line ${number}`;
    foreign.append(foreign.sample, 'web', text);
  }
}

test('keys go to errors, marks and times', async () => {
  await using deck = await openOnForeign({ prepare: (foreign) => write(foreign, 1000) });
  const { session, foreign } = deck;
  await session.waitFor(/line 1000$/m);
  session.press('E');
  await session.waitFor((now) => cursorRow(now).endsWith('ERROR line 800'));
  session.press('m', 'E');
  await session.waitFor((now) => cursorRow(now).endsWith('ERROR line 400'));
  session.press('m');
  await session.waitFor('Marked: 2 marks.');
  session.press('M');
  await session.waitFor((now) => cursorRow(now).endsWith('ERROR line 800'));
  session.press('M');
  await session.waitFor('Mark 1 of 2, from the oldest again.');
  await session.waitFor((now) => cursorRow(now).endsWith('ERROR line 400'));
  session.press('k');
  await session.waitFor(/^\*\S+ web +ERROR line 400$/m);

  session.press('G', 'T');
  await session.waitFor('Go to time');
  session.type('yesterday\r');
  await session.waitFor('The log begins at ');
  await session.waitFor((now) => cursorRow(now).endsWith('started'));
  session.press('T');
  await session.waitFor('Go to time');
  session.type('-0s\r');
  await session.waitFor('No line at or after ');
  await session.waitFor((now) => cursorRow(now).endsWith('line 1000'));
  foreign.append(foreign.sample, 'web', 'one more');
  await session.waitFor('PAUSED +1');
  session.press('G');
  await session.waitFor(/one more$/m);
});

test('the lines of the time typed are fetched, and a step searches the gap behind them', async () => {
  await using deck = await openOnForeign({
    prepare: (foreign) => write(foreign, 6000),
    service: { largestLogPage: 200 },
  });
  const { session } = deck;
  await session.waitFor(/line 6000$/m);
  session.press('T');
  await session.waitFor('Go to time');
  session.type('-1h\r');
  await session.waitFor('The log begins at ');
  await session.waitFor((now) => cursorRow(now).endsWith('started'));
  session.press('e');
  await session.waitFor((now) => cursorRow(now).endsWith('ERROR line 400'));
});

test('the rate is drawn if there is room, in plain characters on request', async () => {
  const options = { cols: 180, rows: 50, service: { lineEvery: 50 } };
  await using drawn = await openOnForeign(options);
  await drawn.session.waitFor(/[▂-█] live \d+\/s(?:, \d+ other)? ─/m);
  await using plain = await launchOnForeign({ ...options, args: ['--ascii'] });
  await plain.session.waitFor(/[.:=+*#-] live \d+\/s(?:, \d+ other)? -/m);
  expect(plain.session.screen).not.toMatch(/[▁-█]/);
});
