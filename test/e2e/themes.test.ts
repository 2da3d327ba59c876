import { expect, test } from 'vitest';
import { launchOnForeign } from './foreign-console.ts';
import type { Session } from './harness.ts';

const options: Parameters<typeof launchOnForeign>[0] = {
  cols: 120,
  rows: 30,
  service: { lineEvery: 100 },
};

/** Colour of the time of the first log line; undefined while there is none. */
const timeColour = ({ terminal }: Session) => {
  const y = terminal.rows.findIndex((row) => /│ \d\d:\d\d:\d\d\.\d{3} /.test(row));
  return y === -1 ? undefined : terminal.cell(49, y).color;
};

/** `info` on dark and on light grounds, and on an unknown one. */
const onDark = 117;
const onLight = 25;
const neutral = 30;

const isDrawnIn = (colour: number) => (session: Session) => timeColour(session) === colour;

test('a terminal that reports its background gets colours that suit it', async () => {
  const background = { colour: 'rgb:2e2e/3434/4040' };
  await using started = await launchOnForeign({ ...options, background });
  const { session } = started;
  await session.waitFor(isDrawnIn(onDark));
});

test('a late answer repaints once and types nothing', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const background = { colour: 'rgb:ffff/ffff/ffff', after: promise };
  await using started = await launchOnForeign({ ...options, background });
  const { session } = started;
  await session.waitFor(isDrawnIn(neutral));
  session.press(':');
  session.type('rgb');
  resolve();
  await session.waitFor(isDrawnIn(onLight));
  await session.waitFor(': rgb ');
});

test('a terminal that does not answer gets colours for any background, until a theme is chosen', async () => {
  await using started = await launchOnForeign(options);
  const { session } = started;
  await session.waitFor(isDrawnIn(neutral));
  session.type(':theme contrast\r');
  await session.waitFor(({ terminal }) => terminal.cell(119, 15).backgroundColor !== undefined);
  for (const y of [0, 10, 20, 29]) {
    for (const x of [0, 60, 119]) {
      expect(session.terminal.cell(x, y).backgroundColor).toBeDefined();
    }
  }
});
