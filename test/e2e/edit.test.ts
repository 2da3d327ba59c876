import { expect, test } from 'vitest';
import {
  answerLater,
  choose,
  edit,
  enterUntil,
  goToFile,
  openDesk,
  waitForCursor,
} from './edit-console.ts';
import { createDeployment, pressUntil } from './foreign-console.ts';
import { launch, type Session } from './harness.ts';

const path = 'config/app.yaml';
const yaml = 'server:\n  port: 8080\n';

/** No restart within the test. */
const slow = { env: { HOSTDECK_RESTART_DELAY: '600' } };

test('viewed, edited and saved, a file restarts its deployment, which runs with it', async () => {
  await using session = launch();
  await session.waitFor(/Sample site listening/);
  await goToFile(session, 'site.yaml');
  session.press('enter');
  await session.waitFor('[4 View config/site.yaml]');
  session.press('j', 'j');
  session.press('e');
  await session.waitFor('EDIT config/site.yaml');
  session.press('ctrl+f');
  session.type('greeting: ');
  session.press('enter');
  await session.waitFor('match 1 of 1');
  session.type('greeting: Changed by hand. ');
  await session.waitFor('EDIT config/site.yaml  unsaved');
  await session.waitFor('1 draft');
  session.press('ctrl+s');
  await session.waitFor(/Saved config\/site\.yaml \d\d:\d\d:\d\d\. sample restarts in \ds\. \^R/);
  expect(session.terminal.rows[0]).toMatch(/restart \ds/);
  expect(session.terminal.rows[1]).not.toContain('unsaved');
  session.press('ctrl+q');
  await session.waitFor('[2 Files sample/web 8');
  await session.waitFor(/^> {4,}site\.yaml .*unapplied/m);
  session.press('1');
  await session.waitFor(/^>o sample .*restart \ds/m);
  session.press('4');
  await session.waitFor(/web +restarted/);
});

test('two saves while it counts are one restart, after the last of them', async () => {
  const { foreign, start, stored, puts, restarts } = await openDesk();
  await using session = await start();
  await edit(session, 'app.yaml');
  session.type('a');
  session.press('ctrl+s');
  await session.waitFor(/Saved config\/app\.yaml .*bazaar restarts in \ds/);
  await session.waitFor(/restart [1-4]s/);
  session.type('b');
  session.press('ctrl+s');
  await session.waitFor('bazaar is restarting');
  expect(stored(path)).toBe(`ab${yaml}`);
  expect([puts(), restarts()]).toEqual([2, 1]);
  expect(foreign.writes().at(-1)?.path).toMatch(/\/restart$/);
});

test('saves in one write with what is typed between them end with the last of it', async () => {
  const { start, stored, restarts } = await openDesk();
  await using session = await start(slow);
  await edit(session, 'app.yaml');
  session.press('a', 'ctrl+s', 'b', 'ctrl+s', 'c', 'ctrl+s');
  await session.waitFor((now) => now.terminal.rows[0]?.includes('restart '));
  await session.waitFor((now) => !/unsaved|saving/.test(now.terminal.rows[1] ?? ''));
  expect(stored(path)).toBe(`abc${yaml}`);
  expect(restarts()).toBe(0);
});

test('what counts is cancelled in the box, sends nothing and is marked as unapplied', async () => {
  const { start, puts, restarts } = await openDesk();
  await using session = await start(slow);
  await edit(session, 'app.yaml');
  session.type('a');
  session.press('ctrl+s');
  await session.waitFor(({ terminal }) => terminal.rows[0]?.includes('restart '));
  session.press('ctrl+r');
  await session.waitFor('pending restarts (paused)');
  await session.waitFor('[Resume countdown]');
  session.press('tab', 'tab');
  await session.waitFor("[Don't restart]");
  await enterUntil(session, (now) => !now.screen.includes("[Don't restart]"));
  await session.waitFor('1 change unapplied; ^R restarts.');
  expect(session.screen).toContain('EDIT config/app.yaml');
  session.press('ctrl+q');
  await session.waitFor(/app\.yaml .*unapplied/);
  expect([puts(), restarts()]).toEqual([1, 0]);
});

test('a restart that fails is seen in the editor and asked for again by a key', async () => {
  const { foreign, start, restarts } = await openDesk();
  await using session = await start({ env: { HOSTDECK_RESTART_DELAY: '1' } });
  await edit(session, 'app.yaml');
  foreign.failNext(1, { status: 503, method: 'POST' });
  session.type('a');
  session.press('ctrl+s');
  await session.waitFor(
    'Restart of bazaar failed (503). Changes are unapplied. ^R: restart again.',
  );
  expect(session.screen).toContain('EDIT config/app.yaml');
  session.press('ctrl+r');
  await session.waitFor('failed');
  await session.waitFor('[Cancel]');
  session.press('tab');
  await session.waitFor('[Restart now]');
  await enterUntil(session, (now) => !now.screen.includes('[Restart now]'));
  await session.waitFor('bazaar is restarting');
  expect(restarts()).toBe(2);
});

test('two deployments count for themselves: one is sent, the other counts on', async () => {
  const { foreign, start, restarts } = await openDesk();
  await createDeployment(foreign, 'souk');
  const souk = [...foreign.deployments.keys()].find((id) => id !== foreign.sample) ?? '';
  foreign.put(souk, 'web', 'stall.txt', 'figs\n');
  await using session = await start(slow);
  await edit(session, 'app.yaml');
  session.type('a');
  session.press('ctrl+s');
  await session.waitFor(({ terminal }) => terminal.rows[0]?.includes('restart '));
  session.press('ctrl+q');
  await session.waitFor('[2 Files bazaar/web');
  session.press('1');
  await session.waitFor('[1 Deployments 2');
  session.press('/');
  session.type('souk');
  session.press('enter', 'enter');
  await session.waitFor('[4 Logs souk]');
  await edit(session, 'stall.txt');
  session.type('b');
  session.press('ctrl+s');
  await session.waitFor('Saved stall.txt');
  session.press('ctrl+r');
  await session.waitFor(/> souk +\d+s left/);
  await session.waitFor(/ {2}bazaar +\d+s left/);
  session.press('tab');
  await session.waitFor('[Restart now]');
  await enterUntil(session, (now) => !now.screen.includes('[Restart now]'));
  await session.waitFor('souk is restarting');
  await session.waitFor((now) => now.terminal.rows[0]?.includes('restart '));
  expect([restarts(souk), restarts(foreign.sample)]).toEqual([1, 0]);
});

test.each(['^Q', 'Esc Esc'])(
  'left with %s, unsaved text is a draft that e opens again',
  async (how) => {
    const { start, stored, puts } = await openDesk();
    await using session = await start();
    await edit(session, 'app.yaml');
    session.type('mine ');
    await session.waitFor('unsaved');
    if (how === '^Q') {
      session.press('ctrl+q');
    } else {
      session.press('escape');
      await session.waitFor('Not saved. Esc again leaves; draft kept.');
      session.press('escape');
    }
    await session.waitFor('app.yaml is not saved. Draft kept; e opens it.');
    await session.waitFor(/app\.yaml .* draft/);
    expect(session.terminal.rows[0]).toContain('1 draft');
    session.press('e');
    await session.waitFor('EDIT config/app.yaml  unsaved');
    await session.waitFor('1 mine server:');
    await session.waitFor(/Draft of \d\d:\d\d:\d\d opened\. \^S saves, F6 discards\./);
    session.press('ctrl+z');
    await session.waitFor((now) => !now.screen.includes('unsaved'));
    await session.waitFor((now) => !now.terminal.rows[0]?.includes('draft'));
    expect(stored(path)).toBe(yaml);
    expect(puts()).toBe(0);
  },
);

test('Esc, and typing on, stays in the editor; the Esc after that asks again', async () => {
  const { start } = await openDesk();
  await using session = await start();
  await edit(session, 'app.yaml');
  session.type('x');
  session.press('escape');
  await session.waitFor('Esc again leaves');
  session.type('q');
  await session.waitFor('1 xqserver:');
  await session.waitFor((now) => !now.screen.includes('Esc again leaves'));
  session.press('escape');
  await session.waitFor('Esc again leaves');
  expect(session.screen).toContain('EDIT config/app.yaml  unsaved');
});

test('text of consoles that were killed or ended is offered by the next start, and once, until it is discarded', async () => {
  const { start: startHere, startProgram: start, stored, keptDrafts, isTrashed } = await openDesk();
  const end = async (session: Session, signal: NodeJS.Signals) => {
    session.kill(signal);
    await session.exited;
  };
  {
    await using session = await start();
    await edit(session, 'app.yaml');
    session.type('kept by nobody else ');
    await session.waitFor('1 kept by nobody else server:');
    await expect.poll(keptDrafts).toContain('kept by nobody else');
    await end(session, 'SIGKILL');
  }
  {
    await using session = await start();
    await session.waitFor(/Unfinished since \d\d:\d\d: 1 draft\. Nothing was sent yet\./);
    expect(session.terminal.rows[0]).toContain('1 draft');
    await answerLater(session);
    await goToFile(session, 'app.yaml');
    await session.waitFor(/app\.yaml .* draft/);
    session.press('e');
    await session.waitFor('1 kept by nobody else server:');
    expect(stored(path)).toBe(yaml);
    session.type('last words ');
    await session.waitFor('last words');
    await end(session, 'SIGTERM');
  }
  {
    await using session = await start();
    await session.waitFor('> Later');
    session.press('down');
    await session.waitFor('> Open app.yaml');
    await enterUntil(session, (now) => now.screen.includes('EDIT config/app.yaml  unsaved'));
    await session.waitFor(/1 (?=.*kept by nobody else )(?=.*last words ).*server:/);
    session.type('goodbye ');
    await session.waitFor('goodbye');
    await end(session, 'SIGHUP');
  }
  {
    await using session = await start();
    await answerLater(session);
    await end(session, 'SIGTERM');
  }
  {
    await using session = await start();
    await session.waitFor(({ terminal }) => terminal.rows[0]?.includes('1 draft') === true);
    // A box would take these keys.
    await edit(session, 'app.yaml');
    await session.waitFor('goodbye');
    session.type('still ');
    await session.waitFor('still');
    await end(session, 'SIGTERM');
  }
  await using session = await startHere();
  await choose(session, 'Discard draft');
  await session.waitFor('Discarded the draft of app.yaml. u restores it.');
  await session.waitFor(({ terminal }) => terminal.rows[0]?.includes('1 draft') === false);
  expect(keptDrafts()).toBe('');
  expect(isTrashed('still')).toBe(true);
});

test('a file open in one console opens in another only after Take over', async () => {
  const { start, startProgram, puts } = await openDesk();
  await using first = await start();
  await edit(first, 'app.yaml');
  await using second = await startProgram();
  await goToFile(second, 'app.yaml');
  second.press('e');
  await second.waitFor(/open in another hostdeck \(pid \d+\)/);
  await choose(second, 'Take over');
  await second.waitFor('EDIT config/app.yaml');
  first.type('mine ');
  await first.waitFor(/app\.yaml was taken over by another hostdeck \(pid \d+\)/);
  await first.waitFor('1 mine server:');
  // A console that was killed leaves its lock behind, which counts no more.
  second.kill('SIGKILL');
  await second.exited;
  first.press('ctrl+q');
  await goToFile(first, 'app.yaml');
  first.press('e');
  await first.waitFor('1 mine server:');
  expect(puts()).toBe(0);
});

test('left while its draft cannot be kept, that is said; a quit asks, a signal does not', async () => {
  const { start, startProgram } = await openDesk();
  const open = async (started: typeof start) => {
    const session = await started({ env: { XDG_STATE_HOME: '/dev/null/state' } });
    await edit(session, 'app.yaml');
    session.type('x');
    await session.waitFor("Can't save the draft of app.yaml");
    session.press('ctrl+q');
    await session.waitFor('[2 Files bazaar/web');
    await session.waitFor("app.yaml is not saved. Can't save the draft of app.yaml");
    session.press('q');
    await session.waitFor('q again quits');
    await pressUntil(session, 'q', (now) => now.screen.includes('quit and lose what you typed?'));
    return session;
  };
  {
    await using session = await open(start);
    expect(session.screen).toContain("> Don't quit");
    session.press('escape');
    await session.waitFor((now) => !now.screen.includes('lose what you typed'));
    session.press('q');
    await session.waitFor('q again quits');
    await pressUntil(session, 'q', (now) => now.screen.includes('lose what you typed'));
    await choose(session, 'Quit, lose it');
    expect(await session.exited).toMatchObject({ code: 0 });
  }
  await using session = await open(startProgram);
  session.kill('SIGTERM');
  expect(await session.exited).toMatchObject({ code: 143 });
  expect(session.screen).toContain("Can't save the draft of app.yaml");
});

test('typed on while the terminal is too small to show it, the text is whole', async () => {
  const { start } = await openDesk();
  await using session = await start();
  await edit(session, 'app.yaml');
  session.type('a');
  for (const [cols, rows] of [
    [20, 5],
    [1, 1],
    [39, 9],
  ] as const) {
    session.resize(cols, rows);
    await session.waitFor((now) => !now.terminal.modes.cursorVisible);
    session.type('b');
  }
  session.resize(80, 24);
  await session.waitFor('1 abbbserver:');
  await waitForCursor(session, 8, 2);
});

test('^T shows the log, and again the text as it was left', async () => {
  const { foreign, start } = await openDesk();
  await using session = await start();
  await edit(session, 'app.yaml');
  session.press('down', 'end', 'x');
  await session.waitFor('port: 8080x');
  await waitForCursor(session, 4 + '  port: 8080x'.length, 3);
  session.press('ctrl+t');
  await session.waitFor('[4 Logs bazaar]');
  foreign.append(foreign.sample, 'web', 'seen meanwhile');
  await session.waitFor('seen meanwhile');
  expect(session.terminal.modes.cursorVisible).toBe(false);
  session.press('ctrl+t');
  await session.waitFor('EDIT config/app.yaml  unsaved');
  await waitForCursor(session, 4 + '  port: 8080x'.length, 3);
  session.press('y');
  await session.waitFor('port: 8080xy');
});

test('opened again from the log, the editor gives way to it with one ^T', async () => {
  const { start } = await openDesk();
  await using session = await start();
  await edit(session, 'app.yaml');
  session.press('ctrl+t');
  await session.waitFor('[4 Logs bazaar]');
  await edit(session, 'app.yaml');
  session.press('ctrl+t');
  await session.waitFor('[4 Logs bazaar]');
});

test('found and replaced, one undo takes all of it back', async () => {
  const { start, strangerPuts, stored } = await openDesk();
  strangerPuts('list.txt', 'one\ntwo one\nthree\n');
  await using session = await start(slow);
  await edit(session, 'list.txt');
  session.press('ctrl+f');
  session.type('one');
  await session.waitFor('Find (match 1 of 2): one');
  session.press('tab');
  await session.waitFor('Replace with (match 1 of 2):');
  session.type('1');
  session.press('alt+a');
  await session.waitFor('Replaced 2. ^Z undoes this.');
  await session.waitFor('two 1');
  session.press('ctrl+z');
  await session.waitFor('two one');
  await session.waitFor((now) => !now.screen.includes('unsaved'));
  session.press('ctrl+y', 'ctrl+s');
  await session.waitFor('Saved list.txt');
  expect(stored('list.txt')).toBe('1\ntwo 1\nthree\n');
});

test('what is above the text has the cursor, and gives it back', async () => {
  const { start } = await openDesk();
  await using session = await start();
  await edit(session, 'app.yaml');
  session.press('down', 'right', 'right');
  await waitForCursor(session, 6, 3);
  session.press('ctrl+g');
  await waitForCursor(session, 'Line: '.length, 22);
  session.press('escape');
  await waitForCursor(session, 6, 3);
  session.press('ctrl+f');
  session.type('e');
  await waitForCursor(session, 'Find (match 1 of 2): e'.length, 22);
  session.press('down');
  await session.waitFor('Find (match 2 of 2): e');
  await waitForCursor(session, 'Find (match 1 of 2): e'.length, 22);
  session.press('escape');
  await waitForCursor(session, 6, 3);
  session.press('f1');
  await session.waitFor('Help: Edit');
  await session.waitFor(({ terminal }) => terminal.rows[terminal.cursor.y]?.includes('Find:'));
  session.press('f1');
  await waitForCursor(session, 6, 3);
  session.press('ctrl+r');
  await session.waitFor('restart bazaar?');
  await session.waitFor((now) => !now.terminal.modes.cursorVisible);
  session.press('escape');
  await waitForCursor(session, 6, 3);
  session.resize(120, 36);
  await session.waitFor(/┬\[EDIT config/);
  await session.waitFor((now) => now.terminal.row(3, 0, now.terminal.cursor.x).endsWith('  2   '));
  session.resize(80, 24);
  await session.waitFor((now) => now.terminal.rows.length === 24 && /^EDIT/m.test(now.screen));
  await waitForCursor(session, 6, 3);
});

test('a paste with newlines is text, one undo takes it away, and saved lines end as theirs did', async () => {
  const { start, strangerPuts, stored } = await openDesk();
  strangerPuts('dos.txt', 'first\r\nlast\r\n');
  await using session = await start(slow);
  await edit(session, 'dos.txt');
  await session.waitFor(/CRLF +Ln 1 Col 1/);
  session.press('down');
  session.paste('a\n\tb\nc\n');
  await session.waitFor(/CRLF +Ln 5 Col 1/);
  session.press('ctrl+z');
  await session.waitFor(/CRLF +Ln 2 Col 1/);
  await session.waitFor((now) => !now.screen.includes('unsaved'));
  session.press('ctrl+y', 'ctrl+s');
  await session.waitFor('Saved dos.txt');
  expect(stored('dos.txt')).toBe('first\r\na\r\n\tb\r\nc\r\nlast\r\n');
});

test('undone past a save, the text is unsaved; saved again, the service has it', async () => {
  const { start, stored } = await openDesk();
  await using session = await start(slow);
  await edit(session, 'app.yaml');
  session.type('x');
  session.press('ctrl+s');
  await session.waitFor('Saved config/app.yaml');
  await session.waitFor((now) => !now.screen.includes('unsaved'));
  session.press('ctrl+z');
  await session.waitFor('EDIT config/app.yaml  unsaved');
  expect(stored(path)).toBe(`x${yaml}`);
  session.press('ctrl+s');
  await session.waitFor((now) => !now.screen.includes('unsaved'));
  await expect.poll(() => stored(path)).toBe(yaml);
});

test('^G goes to a line, of the last where there are fewer', async () => {
  const { start, strangerPuts } = await openDesk();
  const lines = Array.from({ length: 120 }, (_, index) => `line ${index + 1}`);
  strangerPuts('long.txt', lines.join('\n'));
  await using session = await start();
  await edit(session, 'long.txt');
  session.press('ctrl+g');
  session.type('77');
  session.press('enter');
  await session.waitFor('Ln 77 Col 1');
  await session.waitFor(' 77 line 77');
  session.press('ctrl+g', '9', '9', '9', 'enter');
  await session.waitFor('Ln 120 Col 1');
  session.press('ctrl+g', 'x', 'enter');
  await session.waitFor('Enter a line number.');
});

test('the cursor stands on the cell of its character, also behind wide ones and tabs', async () => {
  const { start, strangerPuts } = await openDesk();
  strangerPuts('wide.txt', '日本語x\n\tindented\n👩‍👩‍👧 e\u0301nd\n');
  await using session = await start();
  await edit(session, 'wide.txt');
  await waitForCursor(session, 4, 2);
  session.press('right', 'right');
  await waitForCursor(session, 8, 2);
  session.type('字');
  await session.waitFor('日本字語x');
  await waitForCursor(session, 10, 2);
  session.press('backspace', 'end');
  await waitForCursor(session, 11, 2);
  session.press('down', 'home', 'ctrl+a');
  session.press('ctrl+right');
  await session.waitFor('Ln 2');
  session.press('ctrl+end', 'up', 'home');
  await session.waitFor('Ln 3 Col 1');
  session.press('right', 'right', 'right');
  await session.waitFor((now) => {
    const { cursor } = now.terminal;
    return now.terminal.row(cursor.y, 0, cursor.x).endsWith('e\u0301') && cursor.y === 4;
  });
});

test('what cannot be edited says why, and types nothing anywhere', async () => {
  const { foreign, start, strangerPuts } = await openDesk();
  foreign.put(foreign.sample, 'web', 'logo.png', Buffer.from([0x89, 0x50, 0, 0xff]));
  strangerPuts('gone.txt', 'here\n');
  await using session = await start();
  await goToFile(session, 'logo.png');
  session.press('e');
  await session.waitFor("logo.png is binary and can't be edited. S downloads it.");
  expect(session.screen).toContain('[2 Files');
});

test('what is typed while a file is fetched goes into its text', async () => {
  const { foreign, start } = await openDesk();
  await using session = await start();
  await goToFile(session, 'app.yaml');
  session.press('e', '1');
  await session.waitFor(/^\* +1 1server:/m);
  expect(session.screen).toContain('EDIT config/app.yaml  unsaved');
  expect(foreign.writes()).toEqual([]);
});
