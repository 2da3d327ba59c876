import { describe, expect, test } from 'vitest';
import { parseRow } from '../../../source/terminal/screen/cell-row.ts';
import { ShownScreen } from '../../../source/terminal/screen/shown-screen.ts';
import { ObservedTerminal } from '../../e2e/harness-terminal.ts';
import { hole } from '../../../source/terminal/screen/cell-parser.ts';

const columns = 80;
const height = 24;
const traits = { hasSynchronizedOutput: false, canEraseCharacters: true, canMoveToColumn: true };

/** Returns a screen that shows `rows`, with a hidden cursor. */
function showing(rows: readonly string[], changed: Partial<typeof traits> = {}): ShownScreen {
  const screen = new ShownScreen(columns, height, { ...traits, ...changed });
  draw(screen, rows);
  return screen;
}

function draw(screen: ShownScreen, rows: readonly string[]): string {
  return screen.draw(rows.map((row) => parseRow(row, columns))).bytes;
}

const list = Array.from(
  { length: height },
  (_, y) => `│ ${`service-${y}`.padEnd(30)}│ running ${y} │`,
);
/** A line with a plain blank before its reset, as the screen writes it. */
const logLine = (index: number): string =>
  `\x1b[2m12:03:${index} \x1b[mGET /health ${200 + index} in ${index * 7}ms`;
const log = (first: number): string[] => [
  'production  shop  rate 12/s',
  ...Array.from({ length: height - 2 }, (_, y) => logLine(first + y)),
  '─'.repeat(columns),
];

function withSpan(rows: readonly string[], y: number, from: number, to: number): string[] {
  const row = rows[y] ?? '';
  return rows.with(y, `${row.slice(0, from)}\x1b[7m${row.slice(from, to)}\x1b[27m${row.slice(to)}`);
}

describe('the bytes of a frame', () => {
  test('are none if nothing changed', () => {
    const screen = showing(list);
    expect(draw(screen, list)).toBe('');
    expect(draw(screen, [...list])).toBe('');
    expect(
      draw(
        screen,
        list.map((row) => `\x1b[1m\x1b[22m${row}`),
      ),
    ).toBe('');
  });

  test('are a jump and a cell if one cell changed', () => {
    const screen = showing(list);
    expect(draw(screen, list.with(5, (list[5] ?? '').replace('running', 'runninG')))).toBe(
      '\x1b[6;41HG',
    );
  });

  test('are text, jump and colour of both rows when a highlight moves', () => {
    const screen = showing(withSpan(list, 5, 2, 32));
    const bytes = draw(screen, withSpan(list, 6, 2, 32));
    expect(bytes).toBe(
      `\x1b[6;3Hservice-5\x1b[21X\x1b[7;3H\x1b[7mservice-6${' '.repeat(21)}\x1b[m`,
    );
  });

  test('are a scroll and the new line when a log advances by one line', () => {
    const screen = showing(log(10));
    const bytes = draw(screen, log(11));
    expect(bytes).toBe(`\x1b[2;23r\x1b[23H\n\x1b[r\x1b[23H${logLine(32)}`);
  });

  test('contain no scroll of rows that change, if updates are not synchronized', () => {
    const beside = (first: number): string[] =>
      log(first).map((row, y) => `${(y < 6 ? `list ${y}` : '').padEnd(12)}│${row}`);
    const plain = showing(beside(10));
    expect(draw(plain, beside(11))).toMatch(/\[7;23r/);
    const synchronized = showing(beside(10), { hasSynchronizedOutput: true });
    expect(draw(synchronized, beside(11))).toMatch(/\[2;23r/);
  });

  test('are a scroll down when a log goes back', () => {
    const screen = showing(log(12));
    expect(draw(screen, log(10))).toBe(
      `\x1b[2;23r\x1b[2H\x1bM\x1bM\x1b[r\x1b[B${logLine(10)}\x1b[3H${logLine(11)}`,
    );
  });

  test('erase the end of a row, and blanks within it if the terminal supports that', () => {
    const row = `left${'x'.repeat(40)}right${'y'.repeat(20)}`;
    const blanked = `left${' '.repeat(40)}right`;
    expect(draw(showing([row]), [blanked])).toBe('\x1b[;5H\x1b[40X\x1b[50G\x1b[K');
    expect(draw(showing([row], { canEraseCharacters: false }), [blanked])).toBe(
      `\x1b[;5H${' '.repeat(40)}\x1b[5C\x1b[K`,
    );
  });

  test('rewrite a few cells if a jump would be longer', () => {
    expect(draw(showing(['aaaaaaaaaa']), ['baabaaaaab'])).toBe('\x1b[Hbaab\x1b[5Cb');
  });

  test('are one synchronized update if the terminal supports that', () => {
    const screen = showing(list, { hasSynchronizedOutput: true });
    expect(draw(screen, list.with(0, `x${(list[0] ?? '').slice(1)}`))).toBe(
      '\x1b[?2026h\x1b[Hx\x1b[?2026l',
    );
    expect(draw(screen, list.with(0, `x${(list[0] ?? '').slice(1)}`))).toBe('');
  });

  test('place the cursor only after a move, and hide it once', () => {
    const screen = showing(list);
    const rows = list.map((row) => parseRow(row, columns));
    const at = (x: number, y: number, visible = true): string =>
      screen.draw(rows, { cursor: { x, y, visible } }).bytes;
    expect(at(3, 4)).toBe('\x1b[5;4H\x1b[?25h');
    expect(at(3, 4)).toBe('');
    expect(at(5, 4)).toBe('\x1b[6G');
    expect(at(5, 4, false)).toBe('\x1b[?25l');
    expect(at(9, 9, false)).toBe('');
  });

  test('never start within a wide character', async () => {
    const terminal = new ObservedTerminal(columns, height);
    const screen = new ShownScreen(columns, height, traits);
    const cursor = { x: 3, y: 0, visible: true };
    for (const text of ['ab中200x', 'ab中200y']) {
      await terminal.write(screen.draw([parseRow(text, columns)], { cursor }).bytes);
    }
    expect(terminal.rows[0]).toBe('ab中200y');
    terminal.dispose();
  });

  test('leave cells under holes unchanged', () => {
    const screen = showing(list);
    expect(
      draw(
        screen,
        list.map(() => hole.repeat(columns)),
      ),
    ).toBe('');
  });
});

test('a draw with a budget ends after a row, and the next draw continues', () => {
  const screen = showing(list);
  const target = list.map((row) => parseRow(row.toUpperCase(), columns));
  let slices = 0;
  let complete = false;
  for (; !complete; slices++) ({ complete } = screen.draw(target, { budget: 1 }));
  expect(slices).toBe(height);
  expect(screen.shows(target)).toBe(true);
});

test('lower rows get their turn if rows change between slices', () => {
  const screen = showing(list);
  const drawn = new Set<string>();
  for (let turn = 0; turn < height; turn++) {
    const target = list.map((row) => parseRow(`${row}${turn}`, columns));
    const [, row = '1'] = /\[(\d*);?\d*H/.exec(screen.draw(target, { budget: 1 }).bytes) ?? [];
    drawn.add(row);
  }
  expect(drawn.size).toBe(height);
});

test('scrolling leaves no line in the scrollback', async () => {
  const terminal = new ObservedTerminal(columns, height);
  const screen = new ShownScreen(columns, height, traits);
  const whole = (first: number): string[] =>
    Array.from({ length: height }, (_, y) => logLine(first + y));
  for (let first = 10; first < 60; first += 3) await terminal.write(draw(screen, whole(first)));
  await terminal.write(draw(screen, log(70)));
  await terminal.write(draw(screen, log(71)));
  expect(terminal.rows[1]).toContain('GET /health 271');
  expect(terminal.row(-1)).toBe('');
});

test('a character wider than expected does not wrap in the last column', async () => {
  const terminal = new ObservedTerminal(columns, height, 'stock');
  const row = `${'x'.repeat(columns - 1)}a\u1ab0`;
  await terminal.write(
    draw(
      new ShownScreen(columns, height, traits),
      list.map(() => row),
    ),
  );
  expect(terminal.rows.map((text) => text.slice(0, -1))).toEqual(
    list.map(() => 'x'.repeat(columns - 1)),
  );
  expect(terminal.row(-1)).toBe('');
});

test('the last cell of the screen is written without scrolling', async () => {
  const terminal = new ObservedTerminal(columns, height);
  const full = list.map((_, y) => String(y % 10).repeat(columns));
  const screen = new ShownScreen(columns, height, traits);
  await terminal.write(draw(screen, full));
  await terminal.write(
    draw(
      screen,
      full.map((row) => `${row.slice(1)}!`),
    ),
  );
  expect(terminal.rows).toEqual(full.map((row) => `${row.slice(1)}!`));
});
