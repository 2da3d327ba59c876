import { expect, test } from 'vitest';
import { longLine, realLogs } from '../support/real-logs.ts';
import { openOnForeign } from './foreign-console.ts';
import type { Session } from './harness.ts';

const split = '\u001b[31mFA\u001b[0mILED split word';

/** Opens a log with lines of all formats, focused and paused. */
async function onAll() {
  const deck = await openOnForeign({
    cols: 200,
    rows: 60,
    args: ['logs', 'bazaar'],
    prepare(foreign) {
      const texts = [...realLogs.flatMap(({ lines }) => lines), split, longLine, 'the newest'];
      for (const text of texts) foreign.append(foreign.sample, 'web', text);
    },
  });
  await deck.session.waitFor(/the newest\n/);
  return deck;
}

/** Texts, each with the shown form of the only line that contains it, and of its end if it begins far right. */
const searched = [
  ['완료', '주문이 완료되었습니다 번호=44 |'],
  ['Caused by', 'Caused by: java.net.SocketTimeoutException: Read timed out'],
  ['caused by', 'Caused by: java.net.SocketTimeoutException: Read timed out'],
  ['true colour', 'ERROR db: true colour, on green and plain'],
  ['ERROR db: true', 'ERROR db: true colour, on green and plain'],
  ['FAILED', 'FAILED split word'],
  ['caf\ufffd', 'latin1 caf\ufffd here'],
  ['受け付け', '注文を受け付けました id=42 状態=完了 |'],
  ['cafe\u0301', 'zażółć gęślą jaźń, Ünïcödé, naïve cafe\u0301 |'],
  ['\u7d42 end', 'begin 0123456789abcdef', 'abcdef0123456789abcdef \u7d42 end'],
] as const;

async function open(session: Session, key: '/' | '&', text: string): Promise<void> {
  session.press(key);
  session.paste(text);
  session.press('enter');
}

async function leave(session: Session, key: '/' | '&', text: string): Promise<void> {
  session.press('escape');
  await session.waitFor((now) => !now.screen.includes(`${key} ${text}`));
}

test('/ finds the line of any format, and nothing else', async () => {
  await using deck = await onAll();
  const { session } = deck;
  for (const [text, line, end = line] of searched) {
    await open(session, '/', text);
    await session.waitFor(`/ ${text}  1 of 1`);
    await session.waitFor(({ screen }) =>
      screen.split('\n').some((row) => row.startsWith('>') && row.includes(end)),
    );
    await leave(session, '/', text);
  }
});

test('& shows the line of any format, and nothing else', async () => {
  await using deck = await onAll();
  const { session, foreign } = deck;
  const total = foreign.lines(foreign.sample).length;
  for (const [text, line] of searched) {
    await open(session, '&', text);
    await session.waitFor(`& ${text}  1 of ${total}`);
    await session.waitFor((now) => now.screen.includes(line));
    expect(session.screen).not.toContain('the newest');
    await leave(session, '&', text);
    await session.waitFor('the newest');
  }
});

test('digits and letters of a colour code are not searched', async () => {
  await using deck = await onAll();
  const { session } = deck;
  for (const text of ['[31', '38;', '208']) {
    await open(session, '/', text);
    await session.waitFor(`/ ${text}  no match`);
    await leave(session, '/', text);
  }
});

/** Returns the text in the cursor's row that is drawn as a match. */
function matched({ terminal }: Session): string {
  const row = terminal.rows.findIndex((text) => text.startsWith('>'));
  const cells = Array.from({ length: 200 }, (_, x) => terminal.cell(x, row));
  const isMatch = (x: number) => cells[x]?.backgroundColor === 221;
  return cells
    .filter((_, x) => isMatch(x))
    .map(({ text, width }) => (width === 0 ? '' : text || ' '))
    .join('');
}

test('a match is highlighted in its own cells: CJK, tabs, ^M and colours', async () => {
  await using deck = await onAll();
  const { session } = deck;
  const marked = [
    ['完了', false, '完了'],
    ['완료', false, '완료'],
    ['cafe', false, 'cafe\u0301'],
    [String.raw`\tSupp`, true, '        Supp'],
    [String.raw`%\rDownloading +5`, true, '%^MDownloading  5'],
    ['FAILED', false, 'FAILED'],
    ['ERROR db: true', false, 'ERROR db: true'],
    [String.raw`^WARN|\d\d:\d\d:\d\d WARN left`, true, '12:00:01 WARN left'],
  ] as const;
  for (const [text, isRegex, wanted] of marked) {
    session.press('/', ...(isRegex ? ['tab'] : []));
    session.type(text);
    session.press('enter');
    await session.waitFor('  1 of 1');
    await expect.poll(() => matched(session)).toBe(wanted);
    await leave(session, '/', isRegex ? `re:${text}` : text);
  }
});
