import { expect, test } from 'vitest';
import { longLine, realLog } from '../support/real-logs.ts';
import { type ForeignConsole, openOnForeign } from './foreign-console.ts';
import { waitFor } from '../support/wait-for.ts';

const size = { cols: 200, rows: 50 };

/** Writes the lines of a real log, and waits until the last of them is on the screen. */
async function show(
  { foreign, session }: ForeignConsole,
  name: string,
): Promise<readonly string[]> {
  await session.waitFor(/ bazaar .* live \d/);
  for (const line of realLog(name)) foreign.append(foreign.sample, 'web', line);
  foreign.append(foreign.sample, 'web', `end of ${name}`);
  await session.waitFor(`end of ${name}`);
  return session.terminal.rows;
}

test('syslog and access logs are shown unchanged, cut to the screen, and JSON lines after J', async () => {
  await using deck = await openOnForeign({ ...size, args: ['logs', 'bazaar'] });
  const { session } = deck;
  for (const name of ['syslog', 'nginx']) {
    await show(deck, name);
    for (const line of realLog(name)) expect(session.screen).toContain(line.slice(0, 150));
  }
  await show(deck, 'json');
  expect(session.screen).toMatch(/ERROR pay failed .*err=\{"type":"Timeout"/);
  session.press('J');
  const isRaw = (now: typeof session) =>
    realLog('json').every((line) => now.screen.includes(line.slice(0, 150)));
  await session.waitFor(isRaw);
});

test('tabs of a Java trace advance to the tab stops of the line', async () => {
  await using deck = await openOnForeign({ ...size, args: ['logs', 'bazaar'] });
  const rows = await show(deck, 'java');
  const { session } = deck;
  const text = session.find('java.lang.IllegalStateException');
  expect(session.find('at com.example.shop.Pay.charge').x - text.x).toBe(8);
  expect(session.find('at com.example.shop.Bank.close').x - text.x).toBe(16);
  expect(session.find('Suppressed').x - text.x).toBe(8);
  expect(rows.join('')).not.toContain('^I');
});

test('colours are preserved, end with their line, and leave no code in the text', async () => {
  await using deck = await openOnForeign({
    ...size,
    args: ['logs', 'bazaar'],
    env: { COLORTERM: 'truecolor', COLORFGBG: '15;0' },
  });
  await show(deck, 'ansi');
  const { session } = deck;
  const cell = (text: string) => {
    const { x, y } = session.find(text);
    return session.terminal.cell(x, y);
  };
  expect(cell('INFO')).toMatchObject({ color: 114 });
  expect(cell('ready')).toMatchObject({ bold: true });
  expect(cell('312 ms')).toMatchObject({ color: 208 });
  expect(cell('ERROR db')).toMatchObject({ color: 210, bold: true });
  expect(cell('true colour')).toMatchObject({ color: 208 });
  expect(cell('on green')).toMatchObject({ backgroundColor: 22 });
  expect(cell('magenta to the end')).toMatchObject({ color: 183 });
  expect(cell('the next line')).toMatchObject({ color: cell('end of ansi').color });
  expect(session.screen).not.toContain('[0m');
});

test('a progress bar shows each of its states, and its control codes have no effect', async () => {
  await using deck = await openOnForeign({ ...size, args: ['logs', 'bazaar'] });
  await show(deck, 'progress');
  const { session } = deck;
  expect(session.screen).toContain('Downloading   0%^MDownloading  50%^MDownloading 100%');
  expect(session.screen).toContain('building [#####     ]^H^H^H^Mbuilding [##########]');
  expect(session.screen).toContain('bell^G and form^Lfeed');
  expect(session.terminal.events.filter(({ kind }) => kind === 'bell')).toEqual([]);
});

test('wide characters take two cells, and the text after them is aligned', async () => {
  await using deck = await openOnForeign({ ...size, args: ['logs', 'bazaar'] });
  await show(deck, 'cjk');
  const { session } = deck;
  const widths = [37, 31, 30, 27];
  const begins = ['注文', '订单', '주문', 'ｈａ'];
  for (const [index, begin] of begins.entries()) {
    const { x, y } = session.find(begin);
    expect(session.terminal.cell(x, y).width).toBe(2);
    const bar = Array.from({ length: 80 }, (_, at) => x + at).find(
      (at) => session.terminal.cell(at, y).text === '|',
    );
    expect((bar ?? 0) - x).toBe(widths[index]);
  }
  expect(session.screen).toContain('zażółć gęślą jaźń, Ünïcödé, naïve cafe\u0301 |');
});

test('invalid bytes are shown as replacements, and so are the lines after them', async () => {
  await using deck = await openOnForeign({ ...size, args: ['logs', 'bazaar'] });
  await show(deck, 'invalid');
  expect(deck.session.screen).toContain('latin1 caf\ufffd here');
  expect(deck.session.screen).toContain('lone \ufffd\ufffd\ufffd bytes');
  expect(deck.session.screen).toContain('nul^@ inside');
  expect(deck.session.screen).toContain('fine again €');
});

test('a line of a mebibyte is shown among others, wrapped and scrolled', async () => {
  await using deck = await openOnForeign({ ...size, args: ['logs', 'bazaar'] });
  const { session, foreign } = deck;
  await session.waitFor(/ bazaar .* live \d/);
  foreign.append(foreign.sample, 'web', 'before it');
  foreign.append(foreign.sample, 'web', longLine);
  foreign.append(foreign.sample, 'web', 'behind it');
  await session.waitFor('behind it');
  expect(session.screen).toMatch(/before it\n.* begin 0123456789abcdef0123456789abcdef/);
  session.press('right');
  await session.waitFor((shown) => !shown.screen.includes('begin 0123'));
  expect(session.screen).toMatch(/[0-9a-f]{150}/);
  session.press('w');
  await session.waitFor((shown) => shown.screen.split(/[0-9a-f]{150}/).length > 20);
  foreign.append(foreign.sample, 'web', 'and it goes on');
  await waitFor(() => expect(session.screen).toContain('and it goes on'));
  session.press('w');
  await session.waitFor(/before it\n.* begin 0123.*\n.*behind it\n.*and it goes on/);
});
