import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Home } from './harness-home.ts';
import { launch } from './harness.ts';
import { quit } from './quit.ts';
import { waitFor } from '../support/wait-for.ts';

test('the first start at 80x24 shows the log of the sample, moving; quitting leaves the terminal as it was and no process behind', async () => {
  await using session = launch();
  await session.waitFor(/\[4 Logs sample\]/);
  await session.waitFor(/\d\d:\d\d:\d\d\.\d{3} worker .*job \d+/);
  const before = session.screen;
  await session.waitFor(() => session.screen !== before && /job \d+/.test(session.screen));
  expect(session.screen).toMatch(/^local 127\.0\.0\.1:\d+ 0x\w\w\.\.\w\w/);
  expect(session.terminal.rows.at(-1)).toMatch(/^Space pause .* \? help$/);
  await quit(session);
  expect(await session.exited).toEqual({ code: 0, signal: undefined });
  expect(session.terminal.modes).toMatchObject({
    alternateScreen: false,
    cursorVisible: true,
    bracketedPaste: false,
    synchronizedOutput: false,
  });
  await waitFor(() => expect(session.survivors()).toEqual([]), { interval: 100 });
});

test('a second console joins the host of the first and outlives it', async () => {
  const home = new Home();
  try {
    await using first = launch({ home });
    await first.waitFor(/job \d+/);
    await using second = launch({ home });
    await second.waitFor(/job \d+/);
    const address = /127\.0\.0\.1:\d+/;
    expect(address.exec(second.screen)?.[0]).toBe(address.exec(first.screen)?.[0]);
    await quit(first);
    const before = second.screen;
    await second.waitFor(() => second.screen !== before && /\[4 Logs/.test(second.screen));
    expect(second.screen).not.toContain('OFFLINE');
  } finally {
    home.remove();
    rmSync(home.folder, { recursive: true, force: true });
  }
});

test('without a terminal it says what to do instead, and exits with 1', async () => {
  await using session = launch({
    command: ['sh', '-c', `"$0" "$1" </dev/null | cat`, process.execPath, builtProgram()],
  });
  await session.waitFor('The console needs a terminal. Use hostdeck logs NAME in a pipe.');
  await session.exited;
});

test.each([
  ['TERM=dumb', 'a terminal of type dumb'],
  ['-uTERM', 'TERM is not set'],
])('with %s it says what to do instead, and exits with 1', async (change, said) => {
  const command = ['env', change, process.execPath, builtProgram()] as const;
  await using session = launch({ command, cols: 200 });
  expect(await session.exited).toEqual({ code: 1, signal: undefined });
  expect(session.screen).toContain(said);
  expect(session.screen).toContain('hostdeck logs NAME prints a log.');
  expect(session.transcript).not.toContain('\x1b');
});

test('wrong usage is told in a sentence, with exit code 2', async () => {
  for (const [line, help] of [
    ['frobnicate', 'hostdeck'],
    ['--token x', 'hostdeck'],
    ['--restart-delay x', 'hostdeck'],
    ['logs', 'hostdeck logs'],
    ['logs a --limit x', 'hostdeck logs'],
    ['host --port x', 'hostdeck host'],
    ['host wallet a --balance 1', 'hostdeck host wallet'],
  ] as const) {
    await using session = launch({ args: line.split(' '), cols: 200 });
    expect(await session.exited).toEqual({ code: 2, signal: undefined });
    expect(session.screen).toMatch(new RegExp(`^error: .*\n+See ${help} --help\\.`));
  }
});

function builtProgram(): string {
  return new URL('../../dist/cli.js', import.meta.url).pathname;
}
