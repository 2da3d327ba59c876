import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { launchOnForeign, openOnForeign } from './foreign-console.ts';
import { Home } from './harness-home.ts';

const osc52 = (text: string): string => `\x1b]52;c;${Buffer.from(text).toString('base64')}\x07`;

/** A home with a `tmux` in front of all others that keeps what it gets, and ends with `code`. */
function homeWithTmux(code: number) {
  const home = new Home();
  const bin = path.join(home.folder, 'bin');
  mkdirSync(bin);
  const program = path.join(bin, 'tmux');
  const script = `#!/bin/sh\necho "$@" > '${home.folder}/asked'\ncat > '${home.folder}/buffer'\nexit ${code}\n`;
  writeFileSync(program, script);
  chmodSync(program, 0o755);
  const env = { TMUX: '/tmp/tmux-0/default,1,0', PATH: `${bin}:${process.env['PATH']}` };
  const read = (name: string) => readFileSync(path.join(home.folder, name), 'utf8');
  return { home, env, read, [Symbol.dispose]: () => home.remove() };
}

async function copyLastFile(
  options: Parameters<typeof launchOnForeign>[0] = {},
  start = openOnForeign,
) {
  const deck = await start({ cols: 160, ...options });
  const { session } = deck;
  await session.waitFor('Logs bazaar');
  session.press('2');
  await session.waitFor('README.md');
  session.press('G');
  await session.waitFor(/> +README/);
  session.press('y');
  await session.waitFor('Sent 9 B to the clipboard. P prints it.');
  return deck;
}

test('y sends OSC 52 between two frames and keeps a copy for its owner', async () => {
  await using deck = await copyLastFile();
  const { session } = deck;
  const at = session.transcript.indexOf(osc52('README.md'));
  expect(at).toBeGreaterThan(0);
  const before = session.transcript.slice(0, at);
  expect(before.split('\x1b[?2026h').length).toBe(before.split('\x1b[?2026l').length);
  const file = path.join(session.home.env['XDG_STATE_HOME'] ?? '', 'hostdeck', 'copied');
  expect(readFileSync(file, 'utf8')).toBe('README.md');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('P prints the copy on the screen of the shell, and Enter comes back', async () => {
  await using deck = await copyLastFile({}, launchOnForeign);
  const { session } = deck;
  session.press('Y', 'P');
  await session.waitFor('Press Enter to continue');
  expect(session.screen).toMatch(/^bazaar\/web\/README\.md$/m);
  expect(session.screen).not.toContain('Logs bazaar');
  session.press('enter');
  await session.waitFor('Logs bazaar');
  session.press('1');
  await session.waitFor('[1 Deployments');
});

test('inside screen the sequence is wrapped for the terminal around it', async () => {
  await using deck = await copyLastFile({ env: { STY: '1.pts-0.here' } });
  expect(deck.session.transcript).toContain(`\x1bP${osc52('README.md')}\x1b\\`);
});

test('inside tmux the text goes through its buffer, and nothing to the terminal', async () => {
  using tmux = homeWithTmux(0);
  await using deck = await copyLastFile({ home: tmux.home, env: tmux.env });
  expect(tmux.read('asked')).toBe('load-buffer -w -\n');
  expect(tmux.read('buffer')).toBe('README.md');
  expect(deck.session.transcript).not.toContain('\x1b]52;');
});

test('a tmux that fails leaves it to the terminal', async () => {
  using tmux = homeWithTmux(1);
  await using deck = await copyLastFile({ home: tmux.home, env: tmux.env });
  expect(deck.session.transcript).toContain(osc52('README.md'));
});

const hostile = 'pay \x1b[31m504\x1b[0m\rupstream \x1b]0;title\x07 größe';

async function copyLogLine(options: Parameters<typeof launchOnForeign>[0] = {}) {
  const deck = await openOnForeign({
    ...options,
    prepare(foreign) {
      foreign.append(foreign.sample, 'web', 'before');
      foreign.append(foreign.sample, 'web', hostile);
      foreign.append(foreign.sample, 'web', 'newest');
    },
  });
  const { session } = deck;
  await session.waitFor('newest');
  session.press('space', 'k', 'y');
  await session.waitFor(`Sent ${Buffer.byteLength(hostile)} B to the clipboard`);
  return deck;
}

test('Space k y copies the line under the cursor as the service wrote it', async () => {
  await using deck = await copyLogLine();
  const { session } = deck;
  expect(session.transcript).toContain(osc52(hostile));
  expect(session.screen).toMatch(/^>.*pay 504\^Mupstream \^\[\]0;title\^G größe$/m);
  const file = path.join(session.home.env['XDG_STATE_HOME'] ?? '', 'hostdeck', 'copied');
  expect(readFileSync(file, 'utf8')).toBe(hostile);
});

test('inside tmux the line under the cursor goes through its buffer', async () => {
  using tmux = homeWithTmux(0);
  await using deck = await copyLogLine({ home: tmux.home, env: tmux.env });
  expect(tmux.read('asked')).toBe('load-buffer -w -\n');
  expect(tmux.read('buffer')).toBe(hostile);
  expect(deck.session.transcript).not.toContain('\x1b]52;');
});
