import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { launchOnForeign } from './foreign-console.ts';
import { Home } from './harness-home.ts';
import { launch } from './harness.ts';

/** Returns a home whose configuration file has this text. */
function homeWith(text: string): Home {
  const home = new Home();
  onTestFinished(() => home.remove());
  const folder = path.join(home.env['XDG_CONFIG_HOME'] ?? '', 'hostdeck');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'config.yaml'), text);
  return home;
}

test('a bound key runs its command; footer, help and palette show it; the old key does nothing', async () => {
  const home = homeWith(
    'keys:\n  app.help: [H, f9]\n  log.next-error: []\n  app.quit: Q\n  list.order: z\n  trash.undo: [f10]\n',
  );
  await using deck = await launchOnForeign({ home });
  const { session } = deck;
  await session.waitFor('[4 Logs bazaar]');
  expect(session.terminal.rows.at(-1)).toMatch(/ H help$/);
  expect(session.terminal.rows.at(-1)).not.toContain(' error');
  session.press('?', 'f1', '1');
  await session.waitFor('[1 Deployments 1]');
  expect(session.screen).not.toContain('Help:');
  // The view that handles keys and the store that words messages share the names.
  session.press('Q');
  await session.waitFor('Q again quits.');
  session.press('z');
  await session.waitFor('z: next order, I: reverse.');
  session.press('2', 'X');
  await session.waitFor('F10 undoes this.');
  session.press('escape');
  await session.waitFor((now) => !now.screen.includes('F10 undoes this.'));
  session.press('1', 'H');
  await session.waitFor('Help: Deployments');
  session.type('help');
  await session.waitFor(/^.*> H F9 +help/m);
  session.press('escape');
  await session.waitFor((now) => !now.screen.includes('Help:'));
  session.press(':');
  await session.waitFor(': command');
  session.type('help');
  await session.waitFor(/> Help .* H F9/);
  session.press('ctrl+u');
  session.type('end hostdeck');
  await session.waitFor(/> Quit .* \^C \^C/);
});

test('a start with mistakes in the keys and in the look says them once, and has the other keys', async () => {
  const home = homeWith('theme: drak\nkeys:\n  app.help: H\n  log.next-error: w\n  app.quitt: Q\n');
  await using deck = await launchOnForeign({ home });
  const { session } = deck;
  await session.waitFor('config.yaml line 1: theme is not valid.');
  await session.waitFor('2 more: :history.');
  session.press('H');
  await session.waitFor('Help: Logs');
  session.press('escape');
  session.press(':');
  session.type('history');
  session.press('enter');
  await session.waitFor('command "app.quitt". Did you mean app.quit?');
  expect(session.screen).toContain("log.next-error can't have w, which text.wrap has in Logs.");
});

test('a start with a mistake in what decides where requests go names the line, and ends', async () => {
  const home = homeWith('theme: drak\nprofiles:\n  prod: { baseUrl: "http://h", readonly: yes }\n');
  await using session = launch({ home });
  expect(await session.exited).toEqual({ code: 1, signal: undefined });
  expect(session.terminal.modes.alternateScreen).toBe(false);
  expect(session.screen.replaceAll('\n', '')).toContain(
    'config.yaml line 3: Unknown key readonly. Did you mean readOnly?',
  );
});
