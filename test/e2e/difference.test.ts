import { expect, test } from 'vitest';
import { type ForeignConsole, openOnForeign, pressUntil } from './foreign-console.ts';
import type { Session } from './harness.ts';

const lines = Array.from({ length: 60 }, (_, index) => `line ${index + 1}\n`);

async function openEditor(size: { readonly cols: number; readonly rows: number }) {
  const deck = await openOnForeign({
    ...size,
    prepare: (foreign) => foreign.put(foreign.sample, 'web', 'README.md', lines.join('')),
  });
  const { session } = deck;
  await session.waitFor(/4 Logs bazaar/);
  session.press('2');
  await session.waitFor('README.md');
  session.press('G');
  await session.waitFor(/> +README/);
  session.press('e');
  await session.waitFor('EDIT README.md');
  return deck;
}

/** Types at the start of the first line and at the end of the last one. */
async function typeAtBothEnds(session: Session): Promise<void> {
  session.type('first ');
  session.press('ctrl+end');
  session.type('last');
  await session.waitFor(/61 last/);
}

function writes({ foreign }: ForeignConsole): number {
  return foreign.writes().length;
}

test.each([
  { cols: 80, rows: 24 },
  { cols: 160, rows: 40 },
])('D shows what was typed against the service in $cols x $rows', async (size) => {
  await using deck = await openEditor(size);
  const { session } = deck;
  await typeAtBothEnds(session);
  session.press('ctrl+q');
  await session.waitFor('README.md is not saved');
  session.press('D');
  await session.waitFor('[4 Diff README.md: draft against service]');
  expect(session.screen).toMatch(/- service at \S+ {2}\+ draft of \S+ {2}\+2 -1 lines/);
  expect(session.screen).toMatch(/> {1,2}1 {4}- line 1 *(?:│.*)?\n.* 1 \+ first line 1/);
  expect(session.screen).toContain('change 1 of 2');
  session.press('n');
  await session.waitFor('change 2 of 2');
  expect(session.screen).toMatch(/> {3}61 \+ last \(no line end\)/);
  session.press('q');
  await session.waitFor(/\[2 Files bazaar\/web/);
  expect(session.screen).not.toContain('Diff');
  expect(writes(deck)).toBe(0);
});

test('over the full width both sides stand beside each other', async () => {
  await using deck = await openEditor({ cols: 160, rows: 40 });
  const { session } = deck;
  await typeAtBothEnds(session);
  session.press('ctrl+q');
  await session.waitFor('README.md is not saved');
  session.press('D');
  await session.waitFor('change 1 of 2');
  session.press('f');
  await session.waitFor(/^> 1 - line 1 +│ {2}1 \+ first line 1$/m);
});

/** A stranger has written to the file that is edited, and `^S` asks what is to become of it. */
async function meetConflict({ session, foreign }: ForeignConsole): Promise<void> {
  session.type('mine ');
  await session.waitFor('mine line 1');
  foreign.put(foreign.sample, 'web', 'README.md', lines.with(1, 'theirs\n').join(''));
  session.press('ctrl+s');
  await session.waitFor(/> Keep editing +nothing is sent/);
}

test('a conflict is shown before it is decided, and the text is as it was left', async () => {
  await using deck = await openEditor({ cols: 80, rows: 24 });
  const { session } = deck;
  await meetConflict(deck);
  session.press('down');
  await session.waitFor(/> Compare +n N walk the changes/);
  await pressUntil(session, 'enter', (now) => now.screen.includes('[4 Diff README.md'));
  expect(session.screen).toContain('- theirs, on the service  + yours, in the editor');
  expect(session.screen).toMatch(/- theirs\n.* \+ mine line 1/);
  session.press('q');
  await session.waitFor('EDIT README.md');
  expect(session.screen).toMatch(/1 mine line 1/);
  session.press('ctrl+s');
  await session.waitFor(/> Keep editing +nothing is sent/);
  expect(writes(deck)).toBe(0);
});

test('after theirs was taken, D shows the draft that was given up', async () => {
  await using deck = await openEditor({ cols: 80, rows: 24 });
  const { session } = deck;
  await meetConflict(deck);
  session.press('up');
  await session.waitFor(/> Use theirs +your draft goes to the trash/);
  await pressUntil(session, 'enter', (now) => !now.screen.includes('Use theirs'));
  await session.waitFor(/2 theirs/);
  session.press('ctrl+q');
  await session.waitFor('[2 Files bazaar/web');
  session.press('D');
  await session.waitFor('[4 Diff README.md: draft against service]');
  expect(session.screen).toMatch(/- theirs\n.* \+ mine line 1/);
  expect(writes(deck)).toBe(0);
});
