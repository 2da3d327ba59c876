import { expect, test } from 'vitest';
import { launchOnForeign } from './foreign-console.ts';

test('| pipes the shown lines to a command, and the console goes on', async () => {
  await using world = await launchOnForeign({ env: { SHELL: '/bin/sh', HOSTDECK_TOKEN_X: 'no' } });
  const { session, foreign } = world;
  await session.waitFor('[4 Logs bazaar]');
  for (const text of ['a timeout', 'b', '\x1b[31mc timeout\x1b[0m\x1b]0;title\x07', '{"d":1}']) {
    foreign.append(foreign.sample, 'web', text);
  }
  await session.waitFor('d=1');
  session.press('&');
  await session.waitFor('Tab regex');
  session.type('timeout');
  await session.waitFor(/2 of \d/);
  session.press('enter', '|');
  await session.waitFor('Pipe 2 lines to:');
  session.type("sed 's/^/got: /'; echo token: $HOSTDECK_TOKEN_X; exit 3\r");
  await session.waitFor('Press Enter to continue');
  expect(session.screen).toContain('got: a timeout');
  expect(session.screen).toMatch(/got: c timeout[^\n]*title/);
  expect(session.screen).toMatch(/^token:$/m);
  session.press('enter');
  await session.waitFor('The command ended with 3.');
  expect(foreign.writes()).toEqual([]);
});
