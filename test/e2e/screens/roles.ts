import { encodeRow } from '../../../source/terminal/screen/cell-style.ts';
import { resolveTheme } from '../../../source/view/text/resolve-theme.ts';
import { styleRow } from '../../../source/view/text/styled-row.ts';
import { type RowToken, type Token, tokens } from '../../../source/view/text/theme.ts';
import { type Cell, ObservedTerminal } from '../harness-terminal.ts';
import { roleLetters, rowRoles } from './role-letters.ts';

export type RoleOf = (cell: Cell) => string;

/**
 * Returns the character of a cell's role: by what a terminal shows of the product's theme for a
 * black background, or a white one, so that it follows every change of it. `?` is a style of no role.
 */
export async function roleReader(background: 'dark' | 'light' = 'dark'): Promise<RoleOf> {
  const theme = resolveTheme({
    theme: 'auto',
    background,
    hasTrueColour: false,
    colours: '256',
  });
  const byStyle = new Map<string, string>();
  const learn = async (letter: string, token: Token, row?: RowToken) => {
    const terminal = new ObservedTerminal(3, 1);
    await terminal.write(encodeRow(styleRow([{ text: 'x ', token }], theme, row)));
    for (const x of [0, 1]) {
      const key = styleKey(terminal.cell(x, 0));
      if (!byStyle.has(key)) byStyle.set(key, letter);
    }
    terminal.dispose();
  };
  for (const token of tokens) await learn(roleLetters[token], token);
  for (const row of rowRoles) {
    for (const token of tokens) await learn(roleLetters[row], token, row);
  }
  return (cell) => byStyle.get(styleKey(cell)) ?? '?';
}

/** A blank shows no colour of letters, and keeps whichever was there. */
function styleKey(cell: Cell): string {
  const { backgroundColor, underline, inverse } = cell;
  const ground = [backgroundColor, underline, inverse];
  if (cell.text.trim() === '') return JSON.stringify(ground);
  const { color, bold, dim, italic } = cell;
  return JSON.stringify([...ground, color, bold, dim, italic]);
}
