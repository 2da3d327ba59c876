import { expect, test } from 'vitest';
import { createDeployment, openOnForeign } from './foreign-console.ts';
import type { Session } from './harness.ts';

/** Attacks in a text: clipboard, title, clearing, moving, colours, bidi, overwriting. */
const attacks = [
  '\x1b]52;c;aGFja2Vk\x07',
  '\x1b]0;owned\x07',
  '\x1b[2J\x1b[H',
  '\x1b[10;10Hmoved',
  '\x1b[?1049l',
  '\x9b2J',
  '\u202eredro',
  'seen\rhidden',
  '\x08\x08\x08back',
  '\x1b[5;7;8mblink',
].join('|');

function expectUntouched(session: Session): void {
  const kinds = session.terminal.events.map(({ kind }) => kind);
  expect(kinds.filter((kind) => ['title', 'clipboard', 'bell', 'link'].includes(kind))).toEqual([]);
  expect(session.terminal.modes).toMatchObject({ alternateScreen: true, bracketedPaste: true });
  expect(session.terminal.rows.at(-1)).toMatch(/\? help$/);
  expect(session.terminal.rows.join('')).not.toMatch(/[\p{Cc}\u202e]/u);
}

test('a log line changes nothing but its own cells', async () => {
  await using deck = await openOnForeign();
  const { session, foreign } = deck;
  await session.waitFor('[4 Logs bazaar]');
  foreign.append(foreign.sample, 'web', 'line before');
  foreign.append(foreign.sample, 'web', `attack ${attacks}`);
  foreign.append(foreign.sample, 'web', 'line after');
  await session.waitFor('line after');
  expect(session.screen).toContain('line before');
  expect(session.screen).toContain('attack ^[]52;c;');
  expectUntouched(session);
});

test('names of deployments and files are shown, not obeyed', async () => {
  await using deck = await openOnForeign({
    prepare: async (foreign) => {
      await createDeployment(foreign, `evil ${attacks}`);
      foreign.put(foreign.sample, 'web', `evil ${attacks.replaceAll('/', '')}`, 'x');
    },
  });
  const { session } = deck;
  await session.waitFor('[4 Logs bazaar]');
  session.press('1');
  await session.waitFor('evil ^[]52');
  expectUntouched(session);
  session.press('2');
  await session.waitFor('evil ^[]52');
  expectUntouched(session);
});

test('contents of files are shown, not obeyed', async () => {
  await using deck = await openOnForeign({
    prepare: (foreign) =>
      foreign.put(foreign.sample, 'web', 'a-evil.txt', `top\n${attacks}\nend\n`),
  });
  const { session } = deck;
  await session.waitFor('[4 Logs bazaar]');
  session.press('2');
  await session.waitFor('a-evil.txt');
  session.press('/', '-', 'e', 'v', 'i', 'l', 'enter', 'enter');
  await session.waitFor('3 end');
  expect(session.screen).toContain('2 ^[]52;c;');
  expectUntouched(session);
});

test('bodies of errors are shown, not obeyed', async () => {
  await using deck = await openOnForeign();
  const { session, foreign } = deck;
  await session.waitFor('[4 Logs bazaar]');
  session.press('1');
  foreign.failNext(50, { status: 403, method: 'GET', body: JSON.stringify({ detail: attacks }) });
  session.press('f5');
  await session.waitFor('^[]52');
  expectUntouched(session);
});
