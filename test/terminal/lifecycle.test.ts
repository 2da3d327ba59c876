import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { launch, type Session } from '../e2e/harness.ts';
import type { Modes } from '../e2e/harness-terminal.ts';
import { ObservedTerminal } from '../e2e/harness-terminal.ts';
import { bundledProgram } from '../support/bundled-program.ts';

const script = await bundledProgram('test/fixtures/guarded-app.ts');
const asFound: Modes = new ObservedTerminal(80, 24).modes;

/**
 * Returns whether the program is drawn and all its requests are answered: the shell would read a late
 * answer as typed if the program ended at once.
 */
function isReady({ screen, transcript, terminal }: Session): boolean {
  const questions = transcript.split('\x1b[5n').length - 1;
  const answers = terminal.events.filter(({ text }) => text === '\x1b[0n').length;
  return screen.includes('ready') && answers === questions;
}

async function start(env: Readonly<Record<string, string>> = {}): Promise<Session> {
  const session = launch({ script, env });
  await session.waitFor(isReady);
  expect(session.terminal.modes).toMatchObject({
    alternateScreen: true,
    cursorVisible: false,
    bracketedPaste: true,
    keyboards: 1,
  });
  return session;
}

function inHome(session: Session, name: string): string {
  return path.join(session.home.env['HOME'] ?? '', name);
}

/** Returns the kernel's line modes of a terminal. */
function lineModes(terminal: string): string[] {
  return execFileSync('stty', ['-F', terminal, '-a'])
    .toString()
    .split(/[\s;]+/);
}

describe('the terminal is restored', () => {
  test('after a return', async () => {
    await using session = await start();
    session.press('q');
    expect(await session.exited).toEqual({ code: 3, signal: undefined });
    expect(session.terminal.modes).toEqual(asFound);
  });

  test('after process.exit, line editing and echo included', async () => {
    const program = `"${process.execPath}" "${script}"; echo "code $?"; stty -a`;
    await using session = launch({ command: ['sh', '-c', program] });
    await session.waitFor(isReady);
    session.press('e');
    await session.exited;
    expect(session.terminal.modes).toEqual(asFound);
    expect(session.terminal.rows[0]).toMatch(/^shell\$ hostdeck ended by itself: something called/);
    expect(session.screen).toMatch(/^code 4$/m);
    expect(session.screen).toMatch(/^isig icanon iexten echo /m);
  });

  test.each([
    ['SIGHUP', 129],
    ['SIGINT', 130],
    ['SIGQUIT', 131],
    ['SIGTERM', 143],
    ['SIGUSR2', 140],
    ['SIGXCPU', 152],
  ] as const)('after %s, once the shutdown is done', async (signal, code) => {
    await using session = await start();
    session.kill(signal);
    await session.waitFor(`ending on ${signal}`);
    expect((await session.exited).code).toBe(code);
    expect(readFileSync(inHome(session, 'ended'), 'utf8')).toBe(signal);
    expect(session.terminal.modes).toEqual(asFound);
    expect(session.screen.trim()).toBe(`shell$ hostdeck was ended by ${signal}.`);
  });

  test('after a SIGTERM that is delivered twice, without shortening the shutdown', async () => {
    await using session = await start();
    session.kill('SIGTERM');
    session.kill('SIGTERM');
    await session.waitFor('ending on SIGTERM');
    session.kill('SIGTERM');
    expect((await session.exited).code).toBe(143);
    expect(existsSync(inHome(session, 'ended'))).toBe(true);
    expect(session.terminal.modes).toEqual(asFound);
  });

  test('after a second SIGTERM, which does not wait for the shutdown', async () => {
    await using session = await start({ SHUTDOWN: 'never' });
    session.kill('SIGTERM');
    await session.waitFor('still ending');
    session.kill('SIGHUP');
    session.press('k');
    await session.waitFor('key k');
    session.kill('SIGTERM');
    expect((await session.exited).code).toBe(143);
    expect(session.terminal.modes).toEqual(asFound);
  });

  test('after a shutdown that takes too long', async () => {
    await using session = await start({ SHUTDOWN: 'never', LIMIT: '200' });
    session.kill('SIGTERM');
    expect((await session.exited).code).toBe(143);
    expect(session.terminal.modes).toEqual(asFound);
  });

  test('unless it has vanished; the shutdown runs nevertheless', async () => {
    await using session = await start();
    session.vanish();
    expect((await session.exited).code).toBe(129);
    expect(readFileSync(inHome(session, 'ended'), 'utf8')).toBe('SIGHUP');
  });

  test.each([
    ['an uncaught error', 'x', 'a *** fault'],
    ['an unhandled rejection', 'r', 'rejected'],
    ['an error while rendering', 'c', 'render fault'],
  ])('after %s, and one sentence is shown', async (_, key, details) => {
    await using session = await start();
    session.press(key);
    expect((await session.exited).code).toBe(1);
    expect(session.terminal.modes).toEqual(asFound);
    const file = inHome(session, 'state/crash.log');
    const shown = session.screen.replaceAll('\n', '').trim();
    expect(shown).toBe(`shell$ hostdeck crashed. Details are in ${file}`);
    expect(readFileSync(file, 'utf8')).toMatch(
      new RegExp(`${details.replaceAll('*', '\\*')}[^]* at `),
    );
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('after a shutdown that fails', async () => {
    await using session = await start({ SHUTDOWN: 'fails' });
    session.kill('SIGTERM');
    expect((await session.exited).code).toBe(1);
    expect(session.terminal.modes).toEqual(asFound);
    expect(readFileSync(inHome(session, 'state/crash.log'), 'utf8')).toContain('shutdown failed');
  });
});

describe('an end that nobody asked for exits with an error and says why', () => {
  test.each([
    ['an empty event loop', 'n', 'nothing was left to wait for', 'unasked'],
    ['an unmounted screen', 'u', 'a test asked for it', 'unasked'],
    ['process.exit', '0', 'something called process.exit', undefined],
  ])('%s', async (_, key, why, ending) => {
    await using session = await start();
    session.press(key);
    expect((await session.exited).code).toBe(1);
    expect(session.terminal.modes).toEqual(asFound);
    const file = inHome(session, 'state/crash.log');
    const shown = session.screen.replaceAll('\n', '').trim();
    expect(shown).toBe(`shell$ hostdeck ended by itself: ${why}. Details are in ${file}`);
    expect(readFileSync(file, 'utf8')).toContain('active resources: ');
    const ended = inHome(session, 'ended');
    expect(existsSync(ended) ? readFileSync(ended, 'utf8') : undefined).toBe(ending);
  });

  test('an input that is closed without an end', async () => {
    await using session = await start();
    session.press('d');
    expect((await session.exited).code).toBe(129);
    expect(session.terminal.modes).toEqual(asFound);
    expect(session.screen).toContain("The terminal's input was closed.");
    expect(readFileSync(inHome(session, 'ended'), 'utf8')).toBe('SIGHUP');
  });
});

describe('the crash log', () => {
  test('becomes private even if it was readable by others', async () => {
    await using session = await start();
    const file = inHome(session, 'state/crash.log');
    mkdirSync(path.dirname(file));
    writeFileSync(file, 'earlier\n');
    chmodSync(file, 0o644);
    session.press('x');
    await session.exited;
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toMatch(/^earlier\n[^]*fault/);
  });

  test('is named in the message if it cannot be written', async () => {
    await using session = await start();
    writeFileSync(inHome(session, 'state'), 'a file where the folder should be');
    session.press('x');
    expect((await session.exited).code).toBe(1);
    expect(session.screen.replaceAll('\n', '')).toMatch(/could not be written to .*\(E\w+\)/);
  });
});

test('after a stop by job control, keys are read and the screen is painted again', async () => {
  await using session = await start();
  const terminal = readlinkSync(`/proc/${session.pid}/fd/0`);
  session.kill('SIGSTOP');
  execFileSync('stty', ['-F', terminal, 'sane']);
  session.transcript = '';
  session.kill('SIGCONT');
  await session.waitFor('continued');
  // Each screen of a terminal has its own keyboard modes.
  expect(session.transcript).toMatch(/\[\?1049h.*\[\?2004h/s);
  expect(lineModes(terminal)).toContain('-icanon');
  session.press('j');
  await session.waitFor('key j');
});
