import { expect, test } from 'vitest';
import { openOnForeign } from './foreign-console.ts';
import type { Session } from './harness.ts';

/** Waits for a row of text on the screen with the visible cursor in so many cells behind its start. */
async function waitForCaret(session: Session, row: string, x: number): Promise<void> {
  await session.waitFor(({ terminal }) => {
    const y = terminal.rows.indexOf(row);
    const { cursor, modes } = terminal;
    return y >= 0 && cursor.x === x && cursor.y === y && modes.cursorVisible;
  });
}

test.each([
  { cols: 80, rows: 24 },
  { cols: 120, rows: 36 },
])("the terminal's cursor is the caret of a prompt of $cols x $rows", async (size) => {
  await using deck = await openOnForeign(size);
  const { session } = deck;
  await session.waitFor(/4 Logs bazaar/);
  session.press('1');
  await session.waitFor('[1 Deployments 1]');
  expect(session.terminal.modes.cursorVisible).toBe(false);
  session.press('/');
  await waitForCaret(session, '/', 1);
  expect(session.terminal.cursor).toEqual({ x: 1, y: size.rows - 2 });
  session.type('bzar');
  session.press('home', 'right');
  await waitForCaret(session, '/bzar', 2);
  session.type('a');
  await waitForCaret(session, '/bazar', 3);
  session.press('end', 'left', 'left');
  session.paste('a\n');
  await waitForCaret(session, '/bazaar', 5);
  await session.waitFor(/bazaar .*running/);
  session.press('ctrl+u');
  session.type('日本語');
  await waitForCaret(session, '/日本語ar', 7);
  session.press('left');
  await waitForCaret(session, '/日本語ar', 5);
  session.press('backspace', 'ctrl+k');
  await waitForCaret(session, '/日', 3);
  session.press('escape');
  await session.waitFor(({ terminal }) => !terminal.modes.cursorVisible);
  await session.waitFor(/bazaar .*running/);
});

test('a prompt edited in one write, and opened again, has its caret where the keys left it', async () => {
  await using deck = await openOnForeign();
  const { session } = deck;
  await session.waitFor('[4 Logs bazaar]');
  session.press('1');
  await session.waitFor('[1 Deployments 1]');
  session.press('/', 'x', 'a', 'z', 'home', 'delete', 'b', 'end', 'a', 'a', 'r', 'alt+b');
  await waitForCaret(session, '/bazaar', 1);
  session.press('f1');
  await session.waitFor('Help: Deployments');
  await session.waitFor(({ terminal }) => terminal.rows[terminal.cursor.y]?.includes('Find:'));
  session.press('escape');
  await waitForCaret(session, '/bazaar', 1);
});

test('a prompt that is longer than its row shows what is around the caret', async () => {
  await using deck = await openOnForeign();
  const { session } = deck;
  await session.waitFor('[4 Logs bazaar]');
  session.press('1');
  await session.waitFor('[1 Deployments 1]');
  const text = Array.from({ length: 100 }, (_, index) => String(index % 10)).join('');
  session.press('/');
  session.type(text);
  await waitForCaret(session, `/${text.slice(-78)}`, 79);
  session.press('home');
  await waitForCaret(session, `/${text.slice(0, 79)}`, 1);
});

test("the terminal's cursor is the caret of the service picker, wherever its box stands", async () => {
  await using deck = await openOnForeign();
  const { session } = deck;
  await session.waitFor('[4 Logs bazaar]');
  session.press('2');
  await session.waitFor('flags.json');
  session.press('s');
  session.type('wkr');
  session.press('left', 'left');
  session.type('or');
  session.press('ctrl+e', 'left');
  session.type('e');
  const caretBehind = (before: string) =>
    session.waitFor(({ terminal }) => {
      const { cursor, modes } = terminal;
      return modes.cursorVisible && terminal.row(cursor.y, 0, cursor.x).endsWith(before);
    });
  await caretBehind('│ Find: worke');
  await session.waitFor('│ Find: worker ');
  await session.waitFor('> worker');
  session.press('ctrl+u');
  await caretBehind('│ Find: ');
  session.press('ctrl+k', 'enter');
  await session.waitFor(({ terminal }) => !terminal.modes.cursorVisible);
});
