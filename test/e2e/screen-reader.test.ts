import { expect, test } from 'vitest';
import { launchOnForeign } from './foreign-console.ts';

test('for a screen reader the console is text, drawn without the cell-wise screen', async () => {
  await using deck = await launchOnForeign({ env: { INK_SCREEN_READER: 'true' } });
  const { session, foreign } = deck;
  await session.waitFor('[4 Logs bazaar]');
  foreign.append(foreign.sample, 'web', 'listening on 8080');
  await session.waitFor('listening on 8080');
  session.press('1');
  await session.waitFor('[1 Deployments 1]');
  expect(session.terminal.modes.alternateScreen).toBe(false);
  // eslint-disable-next-line no-control-regex
  expect(session.transcript).not.toMatch(/\x1b\[(?:\d+;\d+H|5n)/);
});
