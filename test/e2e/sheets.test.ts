import { expect, test } from 'vitest';
import { openOnForeign } from './foreign-console.ts';
import type { Session } from './harness.ts';

/** The boxes that confirm, and what opens them. */
const boxes: readonly (readonly [title: string, open: (session: Session) => Promise<void>])[] = [
  ['close bazaar?', async (session) => session.press('1', 'X')],
  ['restart bazaar?', async (session) => session.press('1', 'r')],
  ['delete ', async (session) => session.press('2', 'G', 'X')],
  ['revoke ', async (session) => session.press('3', 'X')],
  [
    'discard draft of ',
    async (session) => {
      session.press('2', 'G', 'e');
      await session.waitFor('EDIT');
      session.type('mine');
      session.press('f6');
    },
  ],
];

test('at 40x12, each confirmation shows or scrolls to all that it says in a larger terminal', async () => {
  await using deck = await openOnForeign({
    cols: 80,
    rows: 24,
    prepare(foreign) {
      foreign.grants.set('grant-1', {
        id: 'grant-1',
        grantor: foreign.wallet,
        grantee: '0x7e21b8c4d60f93a5527c1e8d4b0a6f39c5d2e817',
        limit: 50,
        spent: 12.5,
        createdAt: new Date().toISOString(),
        expiresAt: new Date(Date.now() + 90_000_000).toISOString(),
      });
    },
  });
  const { session } = deck;
  await session.waitFor('[4 Logs bazaar]');
  for (const [title, open] of boxes) {
    await open(session);
    await session.waitFor(`: ${title}`);
    const whole = frameWords(session);
    session.resize(40, 12);
    await session.waitFor((now) => /^Tab.* Esc cancel$/.test(row(now, 11)));
    const shown = await sheetWords(session);
    expect(
      whole.filter((word) => !shown.includes(word)),
      title,
    ).toEqual([]);
    session.resize(80, 24);
    await session.waitFor('└');
    session.press('escape');
    await session.waitFor((now) => !now.screen.includes('└'));
  }
  expect(deck.foreign.writes().filter(({ method }) => method !== 'POST')).toEqual([]);
});

const row = ({ terminal }: Session, y: number): string => terminal.rows[y] ?? '';

/** Returns the words inside the frame. */
function frameWords(session: Session): readonly string[] {
  return session.terminal.rows
    .flatMap((text) => /│ (.*) │/.exec(text)?.[1] ?? [])
    .join(' ')
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** Returns the text of the sheet without blanks, page by page to its end. */
async function sheetWords(session: Session): Promise<string> {
  let text = '';
  for (;;) {
    text += session.terminal.rows.slice(2, 11).join('').replaceAll(/\s/g, '');
    const [, of, count] = / (\d+) of (\d+)$/.exec(row(session, 1)) ?? [];
    if (of === count) return text;
    const before = row(session, 1);
    session.press('pagedown');
    await session.waitFor((now) => row(now, 1) !== before);
  }
}
