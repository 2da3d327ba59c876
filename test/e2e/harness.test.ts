import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { launch, type Session } from './harness.ts';
import { waitFor } from '../support/wait-for.ts';

const script = fileURLToPath(new URL('../fixtures/echo-app.ts', import.meta.url));

async function start(): Promise<Session> {
  const session = launch({ script, cols: 100, rows: 20 });
  await session.ready();
  return session;
}

describe('the harness', () => {
  test('shows the screen, its colours and its modes', async () => {
    await using session = await start();
    await session.waitFor('plain');
    expect(session.terminal.rows[1]).toBe('red 日本 plain');
    const red = session.find('red');
    expect(red).toEqual({ x: 0, y: 1 });
    expect(session.terminal.cell(0, 1)).toMatchObject({ text: 'r', color: 1, bold: true });
    expect(session.terminal.cell(4, 1)).toMatchObject({ width: 2, backgroundColor: '#010203' });
    expect(session.find('plain')).toEqual({ x: 9, y: 1 });
    expect(session.terminal.modes).toMatchObject({
      alternateScreen: true,
      cursorVisible: false,
      bracketedPaste: true,
    });
  });

  test('presses keys, types and pastes', async () => {
    await using session = await start();
    const hex = (text: string): string => `got ${Buffer.from(text).toString('hex')}\n`;
    session.press('j', 'enter', 'ctrl+r', 'alt+x', 'shift+f3', 'up', 'f1', 'space', 'escape');
    await session.waitFor(hex('j\r\x12\x1bx\x1b[1;2R\x1b[A\x1bOP \x1b'));
    session.type('日');
    await session.waitFor(hex('日'));
    session.paste('a\nb');
    await session.waitFor(hex('\x1b[200~a\rb\x1b[201~'));
    expect(() => session.press('escape', 'j')).toThrow('Esc');
    expect(() => session.press('nonsense')).toThrow('no such key');
  });

  test('resizes', async () => {
    await using session = await start();
    await session.waitFor('size 100x20');
    session.resize(60, 12);
    await session.waitFor(/^size 60x12/);
    expect(session.terminal.rows).toHaveLength(12);
  });

  test('notes titles and clipboard writes', async () => {
    await using session = await start();
    session.press('t');
    await session.waitFor('got 74');
    session.press('c');
    await session.waitFor('got 63');
    await session.waitFor(({ terminal }) => terminal.events.some((e) => e.kind === 'clipboard'));
    expect(session.terminal.events).toContainEqual({ kind: 'title', text: 'a title' });
    expect(session.terminal.events).toContainEqual({ kind: 'clipboard', text: 'copied' });
  });

  test('never looks at a screen in the middle of a synchronized update', async () => {
    await using session = await start();
    const seen: string[] = [];
    const wait = session.waitFor(({ terminal }) => {
      seen.push(terminal.rows[6] ?? '');
      return terminal.rows[6] === 'whole';
    });
    session.press('y');
    await wait;
    expect(seen).not.toContain('torn');
  });

  test('gives the exit code and what is left switched on', async () => {
    await using session = await start();
    session.press('q');
    expect(await session.exited).toEqual({ code: 7, signal: undefined });
    expect(session.terminal.modes).toMatchObject({ alternateScreen: false, cursorVisible: true });
  });

  test('gives the signal that killed the program', async () => {
    await using session = await start();
    session.kill('SIGKILL');
    expect(await session.exited).toEqual({ code: 0, signal: 9 });
  });

  test('takes the terminal away', async () => {
    await using session = await start();
    session.vanish();
    expect((await session.exited).signal).toBe(1);
  });

  test('shows the screen when what it waits for cannot come', async () => {
    await using session = await start();
    const wait = session.waitFor('never there');
    session.press('q');
    await expect(wait).rejects.toThrow(/the program ended[^]*never there[^]*│[^]*"code":7/);
  });

  test('finds and ends all processes of a session, and removes its folders', async () => {
    const session = await start();
    session.press('s');
    await session.waitFor(/child \d+/);
    const [, pid] = /child (\d+)/.exec(session.screen) ?? [];
    session.press('q');
    await session.exited;
    expect(session.survivors()).toEqual([{ pid: Number(pid), command: 'sleep 60' }]);
    const { env, folder } = session.home;
    expect(env['HOME']?.startsWith(folder)).toBe(true);
    await session.close();
    await waitFor(() => expect(session.survivors()).toEqual([]));
  });
});
