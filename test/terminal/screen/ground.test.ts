import { expect, test } from 'vitest';
import { hole } from '../../../source/terminal/screen/cell-parser.ts';
import { parseRow } from '../../../source/terminal/screen/cell-row.ts';
import { Ground } from '../../../source/terminal/screen/screen.ts';
import { ShownScreen } from '../../../source/terminal/screen/shown-screen.ts';
import { ObservedTerminal } from '../../e2e/harness-terminal.ts';

const traits = { hasSynchronizedOutput: true, canEraseCharacters: true, canMoveToColumn: true };

test('a ground is behind every cell, also of blank rows and of rows that scroll', async () => {
  const ground = new Ground({ color: 'whiteBright', backgroundColor: 'black' });
  const screen = new ShownScreen(6, 4, traits);
  const terminal = new ObservedTerminal(6, 4);
  const lines = ['one', '\x1b[31mtwo', '', 'four', 'five', '\x1b[44msix'];
  const draw = (from: number) =>
    screen.draw(ground.rows(lines.slice(from, from + 4).map((text) => parseRow(text, 6)))).bytes;
  await terminal.write(draw(0) + draw(1) + draw(2));
  expect(terminal.rows).toEqual(['', 'four', 'five', 'six']);
  for (const y of [0, 1, 2]) {
    for (const x of [0, 3, 5]) expect(terminal.cell(x, y).backgroundColor).toBe(0);
  }
  expect(terminal.cell(0, 1).color).toBe(15);
  expect([0, 2, 3].map((x) => terminal.cell(x, 3).backgroundColor)).toEqual([4, 4, 0]);
  terminal.dispose();
});

test('holes stay, and an unchanged row is the same object', () => {
  const ground = new Ground({ backgroundColor: 'black' });
  const row = parseRow(`a${hole}`, 2);
  const [painted] = ground.rows([row]);
  expect(painted?.hasHoles).toBe(true);
  expect(ground.rows([row])[0]).toBe(painted);
});
